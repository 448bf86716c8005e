/**
 * Reads the bookings of the ledger again, within a budget. One process of a fleet does so, one reading at a time,
 * spread evenly over the hour; calls of people come first. It only reads.
 */

import { ClerkError, isOwnFailure } from '../core/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../core/times.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { DEFAULT_PACES, type WatchedBooking, type Watches } from '../domain/booking/watched-booking.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { BookingReader, Clock, Leases } from '../journal/ports.ts';
import { compareReading, type ReadingComparer, type ReadingComparison, type WatchingState } from './compare-reading.ts';

interface WatcherOptions extends ReadingComparer {
  readonly state: WatchingState & { readonly watches: Watches; readonly leases: Leases };
  readonly clock: Clock;
  /** Unique id of this process, for the lease. */
  readonly owner: string;
  /** How many bookings of each tenant are read in an hour. */
  readonly readsPerHour: number;
  /** Writes a reading to the ledger. `at`: when the reading began, milliseconds since 1970. */
  renew?(tenant: string, booking: Booking, at: number): Promise<void>;
  /** Reads with the point of sale of the caller whose booking it is. */
  readerFor(caller: Caller): BookingReader;
  /** The longest wait between two steps if nothing is due, milliseconds. */
  readonly idleMs?: number;
  /** Whether calls of people wait for the airline, or use most of the requests that it allows at once. */
  isBusy(): boolean;
  readonly log: { warn(fields: object, message: string): void };
  /** Counts each reading. */
  countReading?(outcome: ReadingOutcome): void;
}

export const READING_OUTCOMES = ['first', 'same', 'changed', 'stale', 'not_found', 'airline_down', 'failed'] as const;
type ReadingOutcome = (typeof READING_OUTCOMES)[number];

/** The name of the lease that the one process which watches holds. */
const LEASE = 'watch';
/** How long a lease lasts, milliseconds. With {@link OTHER_MS} a watcher that died is replaced within a minute. */
const LEASE_MS = 45_000;
/** How often to look for bookings that are not watched yet, milliseconds. */
const ENROL_MS = 60_000;
/** How long after a booking was seen its entry in the ledger may be written, by any clock, milliseconds. */
const WRITTEN_MS = 10 * MINUTE_MS;
/** The wait between two steps if nothing is due, milliseconds. */
const IDLE_MS = 2_000;
/** The wait if another process watches, milliseconds. */
const OTHER_MS = 15_000;
/** The shortest wait, milliseconds. */
const SHORTEST_MS = 50;
/** The wait while calls of people are waiting, milliseconds. */
const BUSY_MS = 1_000;
/** The pause after the airline was down, or busy without saying for how long, milliseconds. */
const DOWN_MS = 60_000;
/** How long after a failed reading the booking is read again, milliseconds. */
const RETRY_MS = 15 * MINUTE_MS;

interface Lane {
  readonly running: number;
  readonly waiting: number;
  readonly slots: number;
}

/** Codes of errors for which the airline did not answer, or will not for now. */
const NO_ANSWER_CODES: ReadonlySet<string> = new Set(['E_AIRLINE_DOWN', 'E_AIRLINE_TIMEOUT', 'E_AIRLINE_BUSY']);

/** Codes of errors for which the airline has no such booking, or does not show it to this point of sale. */
const BOOKING_GONE_CODES: ReadonlySet<string> = new Set(['E_NOT_FOUND', 'E_NOT_PERMITTED']);

/** Whether calls wait for the airline, or use half of the requests that it allows at once. */
export function isBusyAt(lanes: readonly Lane[]): boolean {
  return lanes.some(({ running, waiting, slots }) => waiting > 0 || running * 2 >= slots);
}

interface Watcher {
  /** Reads one booking, if one is due. Returns how long to wait until the next step, milliseconds. */
  step(): Promise<number>;
  /** Takes steps until the signal aborts. Completes a reading under way. */
  run(signal: AbortSignal): Promise<void>;
}

export function createWatcher(options: WatcherOptions): Watcher {
  const { state, clock, owner, idleMs = IDLE_MS } = options;
  const gapMs = Math.ceil(HOUR_MS / options.readsPerHour);
  /** When a booking of each tenant may be read again, milliseconds since 1970. */
  const turnAt = new Map<string, number>();
  let leasedUntil = 0;
  /** When to look for bookings that are not watched yet, milliseconds since 1970. */
  let enrolAt = 0;
  /** Looks among those seen since then. After the clock was set back, looks among all. */
  let enteredSince = 0;
  /** Until when nothing is read, for any tenant. */
  let quietUntil = 0;
  /** The booking of the last reading, if the airline did not answer it. */
  let unanswered: string | undefined;

  /** Takes or renews the lease. Returns whether this process watches. */
  async function holdsLease(now: number): Promise<boolean> {
    if (leasedUntil - now > LEASE_MS / 2) return true;
    const isTaken = await state.leases.take(LEASE, owner, now + LEASE_MS, now);
    leasedUntil = isTaken ? now + LEASE_MS : 0;
    return isTaken;
  }

  async function step(): Promise<number> {
    const now = clock.now();
    if (!(await holdsLease(now))) return OTHER_MS;
    if (now >= enrolAt || now < enteredSince) {
      await state.watches.enrol(now, now < enteredSince ? 0 : enteredSince);
      enteredSince = now - WRITTEN_MS;
      enrolAt = now + Math.max(ENROL_MS, idleMs);
    }
    // Keeps the lease during the pause: another process would only ask the airline instead.
    if (now < quietUntil) return Math.min(quietUntil - now, OTHER_MS);
    if (options.isBusy()) return BUSY_MS;
    for (const [tenant, at] of turnAt) if (at <= now) turnAt.delete(tenant);
    const next = await state.watches.due(now, [...turnAt.keys()]);
    if (next === undefined) return waitUntil(now, await state.watches.nextDue());
    turnAt.set(next.tenant, now + gapMs);
    const { outcome, quietMs = 0 } = await readAndCompare(options, next);
    options.countReading?.(outcome);
    if (outcome === 'airline_down') {
      quietUntil = now + pauseMs(next, quietMs);
      unanswered = bookingKey(next);
    } else {
      quietUntil = now;
      unanswered = undefined;
    }
    return SHORTEST_MS;
  }

  /**
   * How long to pause after a reading without an answer. The airline may be unable to show just this booking; if the
   * one before had no answer either, the airline is down.
   */
  function pauseMs(watched: WatchedBooking, askedMs: number): number {
    const isOnlyThis = unanswered === undefined || unanswered === bookingKey(watched);
    return isOnlyThis ? askedMs : Math.max(DOWN_MS, askedMs);
  }

  /** How long until a tenant has its turn, a booking is due, or it is time to look for new bookings. */
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
          options.log.warn({ err: error }, 'watching failed');
          return OTHER_MS;
        });
        await clock.sleep(wait, signal);
      }
      if (leasedUntil > 0) await state.leases.end(LEASE, owner).catch(() => undefined);
    },
  };
}

function bookingKey({ tenant, locator }: WatchedBooking): string {
  return JSON.stringify([tenant, locator]);
}

interface WatchResult {
  readonly outcome: ReadingOutcome;
  /** How long the airline wants no requests, milliseconds. */
  readonly quietMs?: number;
}

async function readAndCompare(options: WatcherOptions, watched: WatchedBooking): Promise<WatchResult> {
  const { tenant, locator, caller } = watched;
  const { clock, state } = options;
  const who = { tenant, id: caller };
  const begunAt = clock.now();
  try {
    const booking = { ...(await options.readerFor(who).read(locator)), locator };
    const rules = { paces: DEFAULT_PACES, ...options.rules };
    const { outcome }: ReadingComparison = await compareReading({ ...options, rules }, who, booking, begunAt);
    if (outcome !== 'stale') await options.renew?.(tenant, booking, begunAt);
    return { outcome };
  } catch (error) {
    const clerkError = error instanceof ClerkError ? error : undefined;
    const code = clerkError?.code ?? 'E_INTERNAL';
    // Postpones this booking, so that another one has its turn.
    await state.watches.note(tenant, locator, retryTimes(watched, code, begunAt));
    if (clerkError === undefined || isOwnFailure(clerkError))
      options.log.warn({ err: error }, 'a reading could not be compared');
    if (NO_ANSWER_CODES.has(code)) return { outcome: 'airline_down', quietMs: busyFor(error) };
    return { outcome: code === 'E_NOT_FOUND' ? 'not_found' : 'failed' };
  }
}

/** How long to pause for all bookings, milliseconds: only if the airline refuses because of too many requests. */
function busyFor(error: unknown): number {
  if (!(error instanceof ClerkError) || error.code !== 'E_AIRLINE_BUSY') return 0;
  // `after_s:30`.
  const [, seconds = 0] = error.retry.split(':');
  return Math.max(DOWN_MS, Number(seconds) * 1_000);
}

/**
 * When to read a booking again after a failure. One that the airline may no longer have is read half as often each
 * time, and no more after its departure.
 */
function retryTimes({ kept, readAt, nextAt = readAt, overAt }: WatchedBooking, code: string, now: number) {
  if (!BOOKING_GONE_CODES.has(code)) return { nextAt: now + RETRY_MS };
  if (overAt !== undefined && overAt <= now) return {};
  // If a reading is stored, its time stays that of the last reading: until then the desk knows the booking.
  const passed = kept === undefined ? 2 * (nextAt - readAt) : nextAt - readAt;
  const interval = readAt === 0 ? RETRY_MS : Math.min(Math.max(RETRY_MS, passed), 24 * HOUR_MS);
  return { nextAt: now + interval, readAt: kept === undefined ? now : undefined };
}
