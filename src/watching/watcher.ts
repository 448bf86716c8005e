/**
 * Reads the bookings of the ledger again, within a budget, and has each reading compared (store-findings.ts). One
 * process of a fleet does so, one reading at a time, spread evenly over the hour; calls of people come first. It only
 * reads. When a booking is due is decided in domain/booking/reading-schedule.ts.
 */

import { ClerkError, isOwnFailure } from '../core/errors.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/times.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { ReadingPace, WatchedBooking, Watches } from '../domain/booking/reading-schedule.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { BookingReader, Clock, Leases } from '../journal/ports.ts';
import { workWheneverLeased } from '../journal/under-lease.ts';
import { compareReading, type ReadingComparer, type WatchingState } from './store-findings.ts';

export const READING_OUTCOMES = ['first', 'same', 'changed', 'stale', 'not_found', 'airline_down', 'failed'] as const;
type ReadingOutcome = (typeof READING_OUTCOMES)[number];

export interface WatcherOptions extends ReadingComparer {
  readonly paces: readonly ReadingPace[];
  readonly state: WatchingState & { readonly watches: Watches; readonly leases: Leases };
  readonly clock: Clock;
  /** Unique id of this process, for the lease. */
  readonly owner: string;
  /** How many bookings of each tenant are read in an hour. */
  readonly readsPerHour: number;
  /**
   * Writes a reading to the ledger.
   * @param at when the reading began, milliseconds since 1970
   * @param seen the operations that this reading or one before it showed
   */
  renew?(tenant: string, booking: Booking, at: number, seen: readonly string[]): Promise<void>;
  /** Reads with the point of sale of the caller whose booking it is. */
  readerFor(caller: Caller): BookingReader;
  /** The longest wait between two steps if nothing is due, milliseconds. Default: {@link IDLE_MS}. */
  readonly idleMs?: number;
  /** Whether calls of people need the airline now ({@link isBusyAt}). */
  isBusy(): boolean;
  readonly log: { warn(fields: object, message: string): void };
  /** Counts each reading. */
  countReading?(outcome: ReadingOutcome): void;
}

interface Watcher {
  /** Reads one booking, if one is due. Returns how long to wait until the next step, milliseconds. */
  step(): Promise<number>;
  /** Takes steps while no other process does, until the signal aborts. Completes a reading under way. */
  run(signal: AbortSignal): Promise<void>;
}

/** The calls of one kind to the airline: under way, waiting, and how many it allows at once. */
export interface Lane {
  readonly active: number;
  readonly waiting: number;
  readonly slots: number;
}

/** The name of the lease that the one process which watches holds. */
const LEASE = 'watch';
/** How often to look for bookings that are not watched yet, milliseconds. */
const ENROL_MS = 60_000;
/** How long after a booking was seen its entry in the ledger may be written, by any clock, milliseconds. */
const WRITTEN_MS = 10 * MINUTE_MS;
/** The wait between two steps if nothing is due, milliseconds. */
const IDLE_MS = 2_000;
/** The wait after a step that failed, and the longest one in a pause, milliseconds. */
const LONG_MS = 15_000;
/** The shortest wait, milliseconds. */
const SHORTEST_MS = 50;
/** The wait while calls of people need the airline, milliseconds. */
const BUSY_MS = 1_000;
/** The least pause after a reading without an answer, milliseconds. */
const DOWN_MS = 60_000;
/** How long after a failed reading the booking is read again, milliseconds. */
const RETRY_MS = 15 * MINUTE_MS;
/** The longest interval between two readings of a booking that the airline may no longer have, milliseconds. */
const LONGEST_RETRY_MS = DAY_MS;

/** Codes of errors for which the airline did not answer, or will not for now. */
const NO_ANSWER_CODES: ReadonlySet<string> = new Set(['E_AIRLINE_DOWN', 'E_AIRLINE_TIMEOUT', 'E_AIRLINE_BUSY']);

/** Codes of errors for which the airline has no such booking, or does not show it to this point of sale. */
const BOOKING_GONE_CODES: ReadonlySet<string> = new Set(['E_NOT_FOUND', 'E_NOT_PERMITTED']);

/**
 * Makes the watcher. A step does the first of these that fits:
 *
 * | when the step begins                  | it                    | the next step is                       |
 * | ------------------------------------- | --------------------- | -------------------------------------- |
 * | a pause is on                         | does nothing          | after the pause, in 15 seconds at most |
 * | calls of people need the airline      | does nothing          | in a second                            |
 * | a booking is due at its tenant's turn | reads and compares it | at once                                |
 * | no booking is                         | does nothing          | when one is, in `idleMs` at most       |
 *
 * A step first looks for new bookings, once a minute.
 */
export function createWatcher(options: WatcherOptions): Watcher {
  const { state, clock, owner, readsPerHour, idleMs = IDLE_MS } = options;
  const enrolment = createEnrolment(state.watches, Math.max(ENROL_MS, idleMs));
  const turns = createTurns(Math.ceil(HOUR_MS / readsPerHour));
  /** Milliseconds since 1970. */
  let pauseEndsAt = 0;

  async function step(): Promise<number> {
    const now = clock.now();
    await enrolment.enrolIfDue(now);

    // The lease is kept during the pause: another process would only ask the airline instead.
    if (now < pauseEndsAt) return Math.min(pauseEndsAt - now, LONG_MS);
    if (options.isBusy()) return BUSY_MS;

    turns.forgetPast(now);
    const next = await state.watches.due(now, turns.waitingTenants());
    if (next === undefined) return waitUntilDue(now);

    turns.take(next.tenant, now);
    const { outcome, pauseMs = 0 } = await readAndCompare(options, next);
    options.countReading?.(outcome);
    pauseEndsAt = now + pauseMs;

    return SHORTEST_MS;
  }

  /** How long until a booking is due at a turn, or it is time to look for new bookings, milliseconds. */
  async function waitUntilDue(now: number): Promise<number> {
    const dueAt = (await state.watches.nextDue()) ?? Number.POSITIVE_INFINITY;
    const readableAt = Math.max(dueAt, turns.nextAt(now));
    const nextStepAt = Math.min(readableAt, enrolment.dueAt(), now + idleMs);
    return Math.max(SHORTEST_MS, nextStepAt - now);
  }

  async function watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wait = await step().catch((error: unknown) => {
        options.log.warn({ err: error }, 'watching failed');
        return LONG_MS;
      });
      await clock.sleep(wait, signal);
    }
  }

  const lease = { leases: state.leases, clock, name: LEASE, owner };
  return { step, run: (signal) => workWheneverLeased(lease, signal, watch) };
}

/** Whether calls wait for the airline, or use half of the requests that it allows at once. */
export function isBusyAt(lanes: readonly Lane[]): boolean {
  return lanes.some(({ active, waiting, slots }) => waiting > 0 || active * 2 >= slots);
}

/** Looks in the ledger for bookings that are not watched yet, once in `everyMs`. */
function createEnrolment(watches: Watches, everyMs: number) {
  /** When to look again, milliseconds since 1970. */
  let dueAt = 0;
  /** Only bookings that were seen since then can be new ({@link WRITTEN_MS}), milliseconds since 1970. */
  let seenSince = 0;

  return {
    dueAt: () => dueAt,
    async enrolIfDue(now: number): Promise<void> {
      const wasClockSetBack = now < seenSince;
      if (now < dueAt && !wasClockSetBack) return;
      await watches.enrol(now, wasClockSetBack ? 0 : seenSince);
      seenSince = now - WRITTEN_MS;
      dueAt = now + everyMs;
    },
  };
}

/** The turns of tenants: one reading in `gapMs` for each, so that its readings are spread over the hour. */
function createTurns(gapMs: number) {
  /** When the next turn of a tenant is, milliseconds since 1970. A tenant that is not here has its turn now. */
  const turnAt = new Map<string, number>();
  return {
    /** Forgets the turns that have come. */
    forgetPast(now: number): void {
      for (const [tenant, at] of turnAt) if (at <= now) turnAt.delete(tenant);
    },

    waitingTenants: (): readonly string[] => [...turnAt.keys()],
    /** When the first of the waiting tenants has its turn, milliseconds since 1970; now if none waits. */
    nextAt: (now: number): number => (turnAt.size > 0 ? Math.min(...turnAt.values()) : now),

    take(tenant: string, now: number): void {
      turnAt.set(tenant, now + gapMs);
    },
  };
}

/** A reading, as the watcher counts it, and for how long nothing is read then, milliseconds. */
interface WatchResult {
  readonly outcome: ReadingOutcome;
  readonly pauseMs?: number;
}

async function readAndCompare(options: WatcherOptions, watched: WatchedBooking): Promise<WatchResult> {
  const { tenant, locator } = watched;
  const caller = { tenant, id: watched.caller };
  const begunAt = options.clock.now();

  try {
    const booking = { ...(await options.readerFor(caller).read(locator)), locator };
    const { outcome, seen } = await compareReading(options, caller, booking, { begunAt });
    if (outcome === 'other') {
      // The airline has no more the booking that the lists have.
      await options.state.watches.note(tenant, locator, retryTimes(watched, 'E_NOT_FOUND', begunAt));
      return { outcome: 'not_found' };
    }

    if (outcome !== 'stale') await options.renew?.(tenant, booking, begunAt, seen);
    return { outcome };
  } catch (error) {
    return noteFailure(options, watched, error, begunAt);
  }
}

/** Postpones a booking whose reading failed, so that another one has its turn. */
async function noteFailure(
  { state, log }: WatcherOptions,
  watched: WatchedBooking,
  error: unknown,
  begunAt: number,
): Promise<WatchResult> {
  const code = error instanceof ClerkError ? error.code : 'E_INTERNAL';
  await state.watches.note(watched.tenant, watched.locator, retryTimes(watched, code, begunAt));
  const isOurs = !(error instanceof ClerkError) || isOwnFailure(error);
  if (isOurs) log.warn({ err: error }, 'a reading could not be compared');
  if (NO_ANSWER_CODES.has(code)) return { outcome: 'airline_down', pauseMs: pauseAfter(error) };
  return { outcome: code === 'E_NOT_FOUND' ? 'not_found' : 'failed' };
}

/** How long nothing is read after a reading without an answer, milliseconds: a minute, or as long as the airline asks if that is more. */
function pauseAfter(error: unknown): number {
  // `after_s:30`.
  const [, seconds = 0] = error instanceof ClerkError && error.code === 'E_AIRLINE_BUSY' ? error.retry.split(':') : [];
  return Math.max(DOWN_MS, Number(seconds) * 1_000);
}

/**
 * When to read a booking again after a failure, for {@link Watches.note}. One that the airline may no longer have is
 * read half as often each time, after 15 minutes at least and a day at most, and no more after its departure. Examples:
 *
 * | a reading is stored | last read | due, and failed | read again | then last read |
 * | ------------------- | --------- | --------------- | ---------- | -------------- |
 * | no                  | never     | 10:00           | 10:15      | 10:00          |
 * | no                  | 10:00     | 10:15           | 10:45      | 10:15          |
 * | no                  | 10:15     | 10:45           | 11:45      | 10:45          |
 * | yes                 | 08:00     | 10:00           | 12:00      | 08:00          |
 * | yes                 | 08:00     | 12:00           | 16:00      | 08:00          |
 */
function retryTimes(
  { kept, readAt, nextAt = readAt, overAt }: WatchedBooking,
  code: string,
  now: number,
): Parameters<Watches['note']>[2] {
  if (!BOOKING_GONE_CODES.has(code)) return { nextAt: now + RETRY_MS };
  if (overAt !== undefined && overAt <= now) return {};

  // A stored reading keeps its time: until then the desk knows the booking. So the time since then grows by itself.
  const isStored = kept !== undefined;
  const sinceReading = nextAt - readAt;
  const wanted = isStored ? sinceReading : 2 * sinceReading;
  const interval = readAt === 0 ? RETRY_MS : Math.min(Math.max(RETRY_MS, wanted), LONGEST_RETRY_MS);
  return { nextAt: now + interval, readAt: isStored ? undefined : now };
}
