/**
 * Tells events. One process of a fleet looks for those that time brings, one delivers to each address: those whose settings
 * have the address share its work, and no other process can keep it from them.
 */
import { own } from '../core/own.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/times.ts';
import type { Clock, Leases } from '../journal/ports.ts';
import { whileHeld } from '../journal/while-held.ts';
import { Deliverer, type DeliverOptions, type EventReceiver, receiverName } from './deliver.ts';
import type { BookingTimeLimit, NewEvent, Outbox } from './ports.ts';

export interface RunEventsOptions extends DeliverOptions {
  readonly leases: Leases;
  readonly owner: string;
  readonly targets: readonly EventReceiver[];
  /** Hears a failure of the store; the work goes on. */
  readonly failed?: (error: unknown) => void;
}

const SWEEP_MS = 60_000;
/** Between two looks without anything to do, and after a failure of the store, milliseconds. */
const IDLE_MS = 1_000;
const FAILED_MS = 5_000;

/** Ends when the signal does, after the tries that are under way. */
export async function runEvents(options: RunEventsOptions, signal: AbortSignal): Promise<void> {
  const { leases, owner, targets, outbox, clock } = options;
  const { failed = () => undefined } = options;
  const alone = (name: string, work: (held: AbortSignal) => Promise<void>) =>
    whileHeld({ leases, clock, name, owner }, signal, work);
  await Promise.all([
    alone('events', (held) => {
      let since: number | undefined;
      const look = async () => {
        since = await sweep(outbox, clock.now(), since);
        return false;
      };
      return again(clock, held, look, SWEEP_MS, failed);
    }),
    ...targets.map((target) =>
      alone(`events/${receiverName(target.named)}`, (held) => {
        const deliverer = new Deliverer(target, options);
        return again(clock, held, () => deliverer.pass(), IDLE_MS, failed);
      }),
    ),
  ]);
}

/** Works until the signal ends; rests after a step that had nothing to do. */
async function again(
  clock: Clock,
  signal: AbortSignal,
  step: () => Promise<boolean>,
  restMs: number,
  failed: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!(await step())) await clock.sleep(restMs, signal);
    } catch (error) {
      failed(error);
      await clock.sleep(FAILED_MS, signal);
    }
  }
}

// Events that only time brings: limits and ends of questions that come near, questions that nobody answered.

/** How long before a limit its event comes, the shortest first. */
const MOMENTS: Readonly<Record<string, readonly (readonly [kind: string, ms: number])[]>> = {
  pay_by: [
    ['30m', 30 * MINUTE_MS],
    ['2h', 2 * HOUR_MS],
  ],
  names_until: [['24h', DAY_MS]],
};

/** How long before a question lapses its event comes. */
const LAPSING_MS = 5 * MINUTE_MS;

/** How far back the first look of a process goes: a fleet may have been down. */
const LOOK_BACK_MS = DAY_MS;

/** Looks once; returns the time up to which it looked. `since`: that of the last look. */
async function sweep(outbox: Outbox, now: number, since = now - LOOK_BACK_MS): Promise<number> {
  const limits = await outbox.limits(now, now + DAY_MS);
  const lapsed = await outbox.lapsed(since, now);
  const lapsing = await outbox.lapsing(now, now + LAPSING_MS);
  const events = [...limits.flatMap((limit) => limitEvent(limit, now) ?? []), ...lapsed, ...lapsing];
  if (events.length > 0) await outbox.add(events);
  return now;
}

/** A limit first seen within half an hour has one event, not two. */
function limitEvent({ tenant, caller, locator, what, at }: BookingTimeLimit, now: number): NewEvent | undefined {
  const [kind] = own(MOMENTS, what)?.find(([, ms]) => at - now <= ms) ?? [];
  if (kind === undefined) return undefined;
  const type = what === 'pay_by' ? 'hold.lapsing' : 'names.due';
  const id = `${type.replace('.', '_')}/${encodeURIComponent(locator)}/${at}/${kind}`;
  return { id, type, at: now, tenant, caller, locator, kind, dueAt: at };
}
