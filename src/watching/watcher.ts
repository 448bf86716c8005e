/**
 * Reads the bookings of the ledger again, on a budget: one process of a fleet, one reading at a time, evenly spread over the
 * hour, and behind every call of a person. It only reads.
 */

import { ClerkError, isOwnFailure } from '../core/errors.ts';
import { HOUR_MS } from '../core/times.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { DEFAULT_PACES, type WatchedBooking, type Watches } from '../domain/booking/watched-booking.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { BookingReader, Clock, Leases } from '../journal/ports.ts';
import { compareReading, type ReadingComparer, type ReadingComparison, type WatchingState } from './compare-reading.ts';

interface WatcherParts extends ReadingComparer {
  readonly state: WatchingState & { readonly watches: Watches; readonly leases: Leases };
  readonly clock: Clock;
  /** Of this process, for the lease. */
  readonly owner: string;
  /** Readings in an hour, for each tenant. */
  readonly readsPerHour: number;
  /** Renews the ledger; `at`: when the reading began, milliseconds since 1970. */
  renew?(tenant: string, booking: Booking, at: number): Promise<void>;
  /** Under the point of sale of the caller whose booking it is. */
  readerFor(caller: Caller): BookingReader;
  /** Longest time between two looks if nothing is due, milliseconds. */
  readonly idleMs?: number;
  /** Calls of people are waiting, or take most of what the airline may be asked at once. */
  isBusy(): boolean;
  readonly log: { warn(fields: object, message: string): void };
  /** Counts each reading. */
  countReading?(outcome: ReadingOutcome): void;
}

export const READING_OUTCOMES = ['first', 'same', 'changed', 'stale', 'not_found', 'airline_down', 'failed'] as const;
type ReadingOutcome = (typeof READING_OUTCOMES)[number];

/** The name of the lease that the one process which watches holds. */
const LEASE = 'watch';
/** With the wait of another process, a watcher that died is replaced within a minute. */
const LEASE_MS = 45_000;
/** How often to look for bookings that are not watched yet. */
const ENROL_MS = 60_000;
/** An entry of the ledger is written so long after the booking was seen at most, by whatever clock, milliseconds. */
const WRITTEN_MS = 10 * 60_000;
/** Time between two looks if nothing is due, milliseconds. */
const IDLE_MS = 2_000;
/** The same if another process watches. */
const OTHER_MS = 15_000;
/** The same at least. */
const SHORTEST_MS = 50;
/** The same while calls of people are waiting. */
const BUSY_MS = 1_000;
/** After the airline was found to be down, or busy without saying for how long. One reading then shows whether it is back. */
const DOWN_MS = 60_000;
/** A reading that failed is tried again, if that is sooner than its interval. */
const AGAIN_MS = 15 * 60_000;

interface Lane {
  readonly running: number;
  readonly waiting: number;
  readonly slots: number;
}

/** Calls wait for the airline, or fill half of what it may be asked at once. */
export function isBusyAt(lanes: readonly Lane[]): boolean {
  return lanes.some(({ running, waiting, slots }) => waiting > 0 || running * 2 >= slots);
}

interface Watcher {
  /** Does what is due, if anything is. Returns how long to wait then, milliseconds. */
  step(): Promise<number>;
  /** Until the signal; a reading under way is completed. */
  run(signal: AbortSignal): Promise<void>;
}

export function createWatcher(parts: WatcherParts): Watcher {
  const { state, clock, owner, idleMs = IDLE_MS } = parts;
  const gapMs = Math.ceil(HOUR_MS / parts.readsPerHour);
  /** When each tenant may be read for again, milliseconds since 1970. */
  const turnAt = new Map<string, number>();
  let leasedUntil = 0;
  /** When to look for bookings to watch, and among those seen since when: all, after the clock was set back. */
  let [enrolAt, enteredSince] = [0, 0];
  /** Nothing is read before, for any tenant. */
  let quietUntil = 0;
  /** The booking of the last reading, if the airline did not answer it. */
  let unanswered: string | undefined;

  /** True: this process watches. Renewed in time, also while it has nothing to do. */
  async function isOurs(now: number): Promise<boolean> {
    if (leasedUntil - now > LEASE_MS / 2) return true;
    const isTaken = await state.leases.take(LEASE, owner, now + LEASE_MS, now);
    leasedUntil = isTaken ? now + LEASE_MS : 0;
    return isTaken;
  }

  async function step(): Promise<number> {
    const now = clock.now();
    if (!(await isOurs(now))) return OTHER_MS;
    if (now >= enrolAt || now < enteredSince) {
      await state.watches.enrol(now, now < enteredSince ? 0 : enteredSince);
      enteredSince = now - WRITTEN_MS;
      enrolAt = now + Math.max(ENROL_MS, idleMs);
    }
    // The lease is kept meanwhile: another process would only ask in its place.
    if (now < quietUntil) return Math.min(quietUntil - now, OTHER_MS);
    if (parts.isBusy()) return BUSY_MS;
    for (const [tenant, at] of turnAt) if (at <= now) turnAt.delete(tenant);
    const next = await state.watches.due(now, [...turnAt.keys()]);
    if (next === undefined) return waitUntil(now, await state.watches.nextDue());
    turnAt.set(next.tenant, now + gapMs);
    const { outcome, quietMs = 0 } = await read(parts, next);
    parts.countReading?.(outcome);
    quietUntil = now + (outcome === 'airline_down' ? quietAfter(next, quietMs) : 0);
    if (outcome !== 'airline_down') unanswered = undefined;
    return SHORTEST_MS;
  }

  /** One booking alone may be what the airline cannot show: two in a row are the airline. */
  function quietAfter({ tenant, locator }: WatchedBooking, askedMs: number): number {
    const [before, key] = [unanswered, JSON.stringify([tenant, locator])];
    unanswered = key;
    return before === undefined || before === key ? askedMs : Math.max(DOWN_MS, askedMs);
  }

  /** Until a tenant has its turn, something is due, or bookings are to be looked for. */
  function waitUntil(now: number, due = Number.POSITIVE_INFINITY): number {
    const turns = [...turnAt.values()].filter((at) => at > now);
    const soonest = Math.min(Math.max(due, turns.length > 0 ? Math.min(...turns) : due), enrolAt, now + idleMs);
    return Math.max(SHORTEST_MS, soonest - now);
  }

  return {
    step,
    async run(signal) {
      while (!signal.aborted) {
        const wait = await step().catch((error: unknown) => {
          parts.log.warn({ err: error }, 'watching failed');
          return OTHER_MS;
        });
        await clock.sleep(wait, signal);
      }
      if (leasedUntil > 0) await state.leases.end(LEASE, owner).catch(() => undefined);
    },
  };
}

/** The airline did not answer, or will not for now. */
const SILENT: ReadonlySet<string> = new Set(['E_AIRLINE_DOWN', 'E_AIRLINE_TIMEOUT', 'E_AIRLINE_BUSY']);

interface WatchResult {
  readonly outcome: ReadingOutcome;
  /** How long the airline wants to be left alone. */
  readonly quietMs?: number;
}

async function read(parts: WatcherParts, watched: WatchedBooking): Promise<WatchResult> {
  const { tenant, locator, caller } = watched;
  const { clock, state } = parts;
  const who = { tenant, id: caller };
  const begunAt = clock.now();
  try {
    const booking = { ...(await parts.readerFor(who).read(locator)), locator };
    const rules = { paces: DEFAULT_PACES, ...parts.rules };
    const { outcome }: ReadingComparison = await compareReading({ ...parts, rules }, who, booking, begunAt);
    if (outcome !== 'stale') await parts.renew?.(tenant, booking, begunAt);
    return { outcome };
  } catch (error) {
    const clerkError = error instanceof ClerkError ? error : undefined;
    const code = clerkError?.code ?? 'E_INTERNAL';
    // Another booking has its turn.
    await state.watches.note(tenant, locator, againAt(watched, code, begunAt));
    if (clerkError === undefined || isOwnFailure(clerkError))
      parts.log.warn({ err: error }, 'a reading could not be compared');
    if (SILENT.has(code)) return { outcome: 'airline_down', quietMs: busyFor(error) };
    return { outcome: code === 'E_NOT_FOUND' ? 'not_found' : 'failed' };
  }
}

/** An airline that refuses because it is asked too much speaks of all bookings; other failures can be of one. */
function busyFor(error: unknown): number {
  if (!(error instanceof ClerkError) || error.code !== 'E_AIRLINE_BUSY') return 0;
  // `after_s:30`.
  const [, seconds = 0] = error.retry.split(':');
  return Math.max(DOWN_MS, Number(seconds) * 1_000);
}

/** The airline has no such booking, or does not show it to this point of sale. */
const GONE: ReadonlySet<string> = new Set(['E_NOT_FOUND', 'E_NOT_PERMITTED']);

/** A booking that the airline may have forgotten is asked for half as often each time, and no more after its departure. */
function againAt({ kept, readAt, nextAt = readAt, overAt }: WatchedBooking, code: string, now: number) {
  if (!GONE.has(code)) return { nextAt: now + AGAIN_MS };
  if (overAt !== undefined && overAt <= now) return {};
  // A reading that was kept stays the one that was read last: until then the desk knows the booking.
  const passed = kept === undefined ? 2 * (nextAt - readAt) : nextAt - readAt;
  const interval = readAt === 0 ? AGAIN_MS : Math.min(Math.max(AGAIN_MS, passed), 24 * HOUR_MS);
  return { nextAt: now + interval, readAt: kept === undefined ? now : undefined };
}
