/**
 * A watched booking: one that the server reads again, sooner the nearer its departure or next deadline is. Decides when
 * the next reading is due.
 */
import { DAY_MS, HOUR_MS, instantOf, latestPossibleInstant, MINUTE_MS } from '../../core/times.ts';
import type { KeptSegment } from '../facts/flight-rows.ts';
import { isNeverPaid, isUnpaid, type KeptReading } from '../facts/kept-reading.ts';
import { isCancelledByAirline, isLost } from './status-codes.ts';

export interface WatchedBooking {
  readonly tenant: string;
  readonly locator: string;
  /**
   * Id of the caller under whose point of sale it is read: the first reader; in what {@link Watches.due} returns, the
   * caller who made the booking here, if somebody did.
   */
  readonly caller: string;
  /** The last reading that was kept; absent: none yet. */
  readonly kept?: KeptReading;
  /** When it was last read, milliseconds since 1970; 0: never. */
  readonly readAt: number;
  /** Its last departure as the ledger knows it, milliseconds since 1970; only when it is due. */
  readonly overAt?: number;
  /** When it is due, milliseconds since 1970; absent if it is not read any more. */
  readonly nextAt?: number;
}

export interface Watches {
  get(tenant: string, locator: string): Promise<WatchedBooking | undefined>;
  /**
   * Keeps a reading if the one before is still `before` (undefined: none). False: another reading came between.
   */
  keep(watched: WatchedBooking, before: KeptReading | undefined): Promise<boolean>;
  /** Notes that a reading showed nothing new, or failed, and when the next one is due. */
  note(tenant: string, locator: string, at: { readonly readAt?: number; readonly nextAt?: number }): Promise<void>;
  /** Makes the booking due at a time, whether or not it was watched before. */
  want(booking: Pick<WatchedBooking, 'tenant' | 'locator' | 'caller'>, at: number): Promise<void>;
  /** Begins to watch bookings of the ledger that are ahead and were read since a time. Returns how many. */
  enrol(now: number, enteredSince: number): Promise<number>;
  /** The booking that has been due for longest, without those of some tenants. */
  due(now: number, exceptTenants?: readonly string[]): Promise<WatchedBooking | undefined>;
  /** When the next booking is due, milliseconds since 1970. */
  nextDue(): Promise<number | undefined>;
}

/** How often a booking is read (`everyMs`) within a time before its departure or a deadline (`withinMs`). */
export interface ReadingPace {
  readonly withinMs: number;
  readonly everyMs: number;
}

/** Hourly on the last day, twice a day on the last three, else daily. */
export const DEFAULT_PACES: readonly ReadingPace[] = [
  { withinMs: 24 * HOUR_MS, everyMs: HOUR_MS },
  { withinMs: 72 * HOUR_MS, everyMs: 12 * HOUR_MS },
  { withinMs: Number.POSITIVE_INFINITY, everyMs: DAY_MS },
];

/** Readings are due after this part of their interval, so that one that waits for its turn is still in time. */
const DUE_PART = 0.9;
/** How long before a departure the last reading is, milliseconds: travellers can still act on what it shows. */
const LAST_READING_MS = 15 * MINUTE_MS;
/** How long a refund that does not arrive is looked for, milliseconds. */
const REFUND_ARRIVES_MS = 60 * DAY_MS;
/** How long after the cancellation of a paid booking its refund can first be recorded, milliseconds. */
const REFUND_RECORDED_MS = 8 * DAY_MS;

/**
 * When the next reading is due, milliseconds since 1970; undefined if the booking is over. Each pace makes a reading due
 * for each date ahead, and the earliest counts. Of a train in 30 hours, by the default paces and without the part that
 * readings are early: in 24 hours, in 12 hours, and one hour after it is 24 hours away, which is in 7 hours.
 * @param before the reading before, undefined if this is the first
 * @param at when it was read
 */
export function nextReadingAt(
  kept: KeptReading,
  before: KeptReading | undefined,
  at: number,
  paces: readonly ReadingPace[],
): number | undefined {
  const { departures, limits } = timesAhead(kept, at);
  const datesAhead = [...departures, ...limits];
  if (datesAhead.length === 0) {
    const everyMs = paces.map((pace) => pace.everyMs);
    if (seemsOver(kept) && (before === undefined || !seemsOver(before))) return at + Math.min(...everyMs) * DUE_PART;
    return awaitsRefund(kept, at) ? at + Math.max(...everyMs) * DUE_PART : undefined;
  }

  const dueByPace = datesAhead.flatMap((date) =>
    paces.map(({ withinMs, everyMs }) => Math.max(at, date - withinMs) + everyMs * DUE_PART),
  );
  const lastReadings = departures.map((departure) => departure - LAST_READING_MS).filter((time) => time > at);
  return Math.round(Math.min(...dueByPace, ...lastReadings));
}

/**
 * Whether the booking may only seem to be over, so that another reading must confirm it: without tickets and orders a paid
 * booking looks like a hold that lapsed, and without segments no departure is ahead.
 */
function seemsOver({ state, segments }: KeptReading): boolean {
  return state === 'expired' || (segments.length === 0 && state !== 'cancelled');
}

/** Whether a refund is on its way, or one of a paid booking may still be recorded. */
function awaitsRefund({ orders, coupons, cancelledAt = 0 }: KeptReading, at: number): boolean {
  const isPaid = coupons.length > 0 || orders.some(({ status }) => status === 'PAID');
  return (
    orders.some(({ pendingSince = 0 }) => pendingSince > at - REFUND_ARRIVES_MS) ||
    (isPaid && cancelledAt > at - REFUND_RECORDED_MS)
  );
}

/**
 * Departures and deadlines that are ahead; none if the booking is cancelled or has lapsed. A train that the airline
 * cancelled counts while its coupon is open: it may run again, or be refunded. So does one of a hold that can still be paid.
 */
function timesAhead(
  kept: KeptReading,
  at: number,
): { readonly departures: readonly number[]; readonly limits: readonly number[] } {
  const { state, segments, coupons, payBy, namesUntil, cancelUntil } = kept;
  const none = { departures: [], limits: [] };
  if (state === 'expired') return none;

  const hasOpenCoupon = (index: number) => coupons.some(({ segment, status }) => segment === index && status === 'O');
  const ifAhead = (time: number | undefined): number[] => (time !== undefined && time > at ? [time] : []);
  const isPayable = isNeverPaid(kept) && ifAhead(instantOf(payBy)).length > 0;

  const mayStillRun = (keptSegment: KeptSegment, index: number) =>
    (state !== 'cancelled' && !isLost(keptSegment)) ||
    hasOpenCoupon(index) ||
    (isPayable && isCancelledByAirline(keptSegment.status));

  const departures = segments.filter(mayStillRun).flatMap(({ departs }) => ifAhead(latestPossibleInstant(departs)));
  if (departures.length === 0) return none;

  const limits = [isUnpaid(kept) || isPayable ? payBy : undefined, namesUntil, cancelUntil];
  return { departures, limits: limits.flatMap((limit) => ifAhead(instantOf(limit))) };
}
