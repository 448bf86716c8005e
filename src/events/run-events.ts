/**
 * Runs what tells events to others, all the time. One process of a fleet looks for the events that time brings, and one delivers
 * to each address: those whose settings have the address share its work, and no other process can keep it from them.
 */
import { own } from '../core/own.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/times.ts';
import type { Clock, Leases } from '../journal/ports.ts';
import { workWheneverLeased } from '../journal/under-lease.ts';
import { Deliverer, type DeliverOptions, type EventReceiver, receiverName } from './deliver-with-retries.ts';
import type { BookingTimeLimit, NewEvent, Outbox } from './ports.ts';

export interface RunEventsOptions extends DeliverOptions {
  readonly leases: Leases;
  readonly owner: string;
  readonly targets: readonly EventReceiver[];
  /** Hears a failure of the store; the work goes on. */
  readonly failed?: (error: unknown) => void;
}

/** How often to look for the events that time brings, milliseconds. */
const SWEEP_MS = 60_000;
/** How long to rest if nothing is to be delivered, and after a failure of the store, milliseconds. */
const IDLE_MS = 1_000;
const FAILED_MS = 5_000;

/** Ends when the signal does, after the tries under way. */
export async function runEvents(options: RunEventsOptions, signal: AbortSignal): Promise<void> {
  const { leases, owner, targets, outbox, clock } = options;
  const { failed = () => undefined } = options;
  const onOneProcess = (name: string, work: (held: AbortSignal) => Promise<void>) =>
    workWheneverLeased({ leases, clock, name, owner }, signal, work);
  await Promise.all([
    onOneProcess('events', (held) => {
      let since: number | undefined;
      const sweep = async () => {
        since = await addTimedEvents(outbox, clock.now(), since);
        return false;
      };
      return repeat(clock, held, sweep, SWEEP_MS, failed);
    }),
    ...targets.map((target) =>
      onOneProcess(`events/${receiverName(target.named)}`, (held) => {
        const deliverer = new Deliverer(target, options);
        return repeat(clock, held, () => deliverer.pass(), IDLE_MS, failed);
      }),
    ),
  ]);
}

/** Repeats a step until the signal ends, and rests after one that had nothing to do. */
async function repeat(
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

/** How long before each time limit its events come, the shortest first. */
const MOMENTS: Readonly<Record<string, readonly { readonly kind: string; readonly beforeMs: number }[]>> = {
  pay_by: [
    { kind: '30m', beforeMs: 30 * MINUTE_MS },
    { kind: '2h', beforeMs: 2 * HOUR_MS },
  ],
  names_until: [{ kind: '24h', beforeMs: DAY_MS }],
};

/** How long before a question lapses its event comes, milliseconds. */
const LAPSING_MS = 5 * MINUTE_MS;

/** How far back the first look of a process goes, milliseconds: a fleet may have been down. */
const LOOK_BACK_MS = DAY_MS;

/**
 * Adds the events that time brings, once.
 * @param since the time up to which it looked before
 * @returns the time up to which it has looked now
 */
async function addTimedEvents(outbox: Outbox, now: number, since = now - LOOK_BACK_MS): Promise<number> {
  const limits = await outbox.limits(now, now + DAY_MS);
  const lapsed = await outbox.lapsed(since, now);
  const lapsing = await outbox.lapsing(now, now + LAPSING_MS);
  const events = [...limits.flatMap((limit) => limitEvent(limit, now) ?? []), ...lapsed, ...lapsing];
  if (events.length > 0) await outbox.add(events);
  return now;
}

/** The event that is due for a limit now. A limit first seen within half an hour has one event, not two. */
function limitEvent({ tenant, caller, locator, what, at }: BookingTimeLimit, now: number): NewEvent | undefined {
  const kind = own(MOMENTS, what)?.find(({ beforeMs }) => at - now <= beforeMs)?.kind;
  if (kind === undefined) return undefined;
  const type = what === 'pay_by' ? 'hold.lapsing' : 'names.due';
  const id = `${type.replace('.', '_')}/${encodeURIComponent(locator)}/${at}/${kind}`;
  return { id, type, at: now, tenant, caller, locator, kind, dueAt: at };
}
