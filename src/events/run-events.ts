/**
 * Adds and delivers events while the server runs. One process of a fleet looks for events that time brings, and one
 * delivers to each address. Only processes whose settings have the address compete for its lease.
 */

import { own } from '../core/own.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/times.ts';
import type { Leases } from '../journal/ports.ts';
import { workWheneverLeased } from '../journal/under-lease.ts';
import { Deliverer, type DeliverOptions, type EventReceiver, receiverName } from './deliver-with-retries.ts';
import type { NewEvent } from './event.ts';
import type { BookingTimeLimit, Outbox } from './ports.ts';

export interface RunEventsOptions extends DeliverOptions {
  readonly leases: Leases;
  readonly owner: string;
  readonly targets: readonly EventReceiver[];
  /** Called if the store fails. The work goes on. */
  readonly onFailure?: (error: unknown) => void;
}

/** How often to look for the events that time brings, milliseconds. */
const SWEEP_MS = 60_000;
/** How long to rest if nothing is to be delivered, milliseconds. */
const IDLE_MS = 1_000;
/** How long to rest after a failure of the store, milliseconds. */
const AFTER_FAILURE_MS = 5_000;
/** How long before each time limit its events come, the shortest first. */
const LIMIT_EVENTS: Readonly<Record<string, readonly { readonly kind: string; readonly beforeMs: number }[]>> = {
  pay_by: [
    { kind: '30m', beforeMs: 30 * MINUTE_MS },
    { kind: '2h', beforeMs: 2 * HOUR_MS },
  ],
  names_until: [{ kind: '24h', beforeMs: DAY_MS }],
};
/** How long before a question lapses its event comes, milliseconds. */
const LAPSING_BEFORE_MS = 5 * MINUTE_MS;
/** How far back a process looks at first, milliseconds, because the whole fleet may have been down. */
const LOOK_BACK_MS = DAY_MS;

/** Runs until the signal aborts, then finishes the tries under way. */
export async function runEvents(options: RunEventsOptions, signal: AbortSignal): Promise<void> {
  const { leases, owner, targets, outbox, clock } = options;
  const onOneProcess = (name: string, work: (leaseSignal: AbortSignal) => Promise<void>) =>
    workWheneverLeased({ leases, clock, name, owner }, signal, work);

  await Promise.all([
    onOneProcess('events', (leaseSignal) => {
      let since: number | undefined;
      const sweep = async () => {
        since = await addTimedEvents(outbox, clock.now(), since);
        return false;
      };
      return repeatUntilAborted(options, leaseSignal, sweep, SWEEP_MS);
    }),
    ...targets.map((target) =>
      onOneProcess(`events/${receiverName(target.configuredAddress)}`, (leaseSignal) => {
        const deliverer = new Deliverer(target, options);
        return repeatUntilAborted(options, leaseSignal, () => deliverer.pass(), IDLE_MS);
      }),
    ),
  ]);
}

/** Repeats a step until the signal aborts. Rests after a step that returns false, because it had nothing to do. */
async function repeatUntilAborted(
  { clock, onFailure }: Pick<RunEventsOptions, 'clock' | 'onFailure'>,
  signal: AbortSignal,
  step: () => Promise<boolean>,
  restMs: number,
): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!(await step())) await clock.sleep(restMs, signal);
    } catch (error) {
      onFailure?.(error);
      await clock.sleep(AFTER_FAILURE_MS, signal);
    }
  }
}

/**
 * Looks once for the events that time brings, and adds them.
 * @param since the time up to which it looked before
 * @returns the time up to which it has looked now
 */
async function addTimedEvents(outbox: Outbox, now: number, since = now - LOOK_BACK_MS): Promise<number> {
  const limits = await outbox.limits(now, now + DAY_MS);
  const lapsed = await outbox.lapsed(since, now);
  const lapsing = await outbox.lapsing(now, now + LAPSING_BEFORE_MS);
  const events = [...limits.flatMap((limit) => limitEvent(limit, now) ?? []), ...lapsed, ...lapsing];
  if (events.length > 0) await outbox.add(events);
  return now;
}

/** The event that is due for a limit now. A limit first seen within half an hour has one event, not two. */
function limitEvent({ tenant, caller, locator, what, at }: BookingTimeLimit, now: number): NewEvent | undefined {
  const kind = own(LIMIT_EVENTS, what)?.find(({ beforeMs }) => at - now <= beforeMs)?.kind;
  if (kind === undefined) return undefined;
  const type = what === 'pay_by' ? 'hold.lapsing' : 'names.due';
  const id = `${type.replace('.', '_')}/${encodeURIComponent(locator)}/${at}/${kind}`;
  return { id, type, at: now, tenant, caller, locator, kind, dueAt: at };
}
