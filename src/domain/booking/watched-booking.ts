/**
 * Bookings that are read again, sooner the nearer their departure and their next deadline, and the last reading of
 * each.
 */
import { DAY_MS, HOUR_MS, instantOf, latestInstant } from '../../core/times.ts';
import { isLost, isUnpaid, type KeptReading, type KeptSegment } from './kept-reading.ts';

export interface WatchedBooking {
  readonly tenant: string;
  readonly locator: string;
  /**
   * Id of the caller under whose point of sale it is read: who read it first; when it is due, who made it here, if
   * anybody.
   */
  readonly caller: string;
  /** The last reading that was kept; absent: none yet. */
  readonly kept?: KeptReading;
  /** When it was last read, milliseconds since 1970; 0: never. */
  readonly readAt: number;
  /** Its last departure as the ledger knows it, milliseconds since 1970; only when it is due. */
  readonly overAt?: number;
  /** When it is due; absent: it is read no more. */
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
  /** The booking is due then, whether or not it was watched before. */
  want(booking: Pick<WatchedBooking, 'tenant' | 'locator' | 'caller'>, at: number): Promise<void>;
  /** Begins to watch bookings of the ledger that are ahead, not watched, and seen since then. Returns how many. */
  enrol(now: number, enteredSince: number): Promise<number>;
  /** The one that is due for longest, without those of some tenants. */
  due(now: number, exceptTenants?: readonly string[]): Promise<WatchedBooking | undefined>;
  /** When the next one is due, milliseconds since 1970. */
  nextDue(): Promise<number | undefined>;
}

/** Within so long before a departure or a deadline, a reading at least so often, milliseconds. */
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

/** Readings are due this part of their interval early, so that one that waits for its turn is still in time. */
const EARLY = 0.1;
/** The last reading so long before a departure, milliseconds: travellers can still act on what it shows. */
const LAST_MS = 15 * 60_000;
/** A refund that does not arrive is looked for this long. */
const REFUND_MS = 60 * DAY_MS;
/**
 * The refund of a paid booking that was cancelled can be recorded so long after, or be left out meanwhile,
 * milliseconds.
 */
const RECORDED_MS = 8 * DAY_MS;

/**
 * Milliseconds since 1970; undefined: the booking is over.
 *
 * @param at when it was read
 */
export function nextReadingAt(kept: KeptReading, at: number, paces: readonly ReadingPace[]): number | undefined {
  const { departures, limits } = timesAhead(kept, at);
  const ahead = [...departures, ...limits];
  const longest = Math.max(...paces.map(({ everyMs }) => everyMs));
  if (ahead.length === 0) return awaitsRefund(kept, at) ? at + longest * (1 - EARLY) : undefined;
  const times = ahead.flatMap((goal) =>
    paces.map(({ withinMs, everyMs }) => Math.max(at, goal - withinMs) + everyMs * (1 - EARLY)),
  );
  const last = departures.map((goal) => goal - LAST_MS).filter((time) => time > at);
  return Math.round(Math.min(...times, ...last));
}

function awaitsRefund({ orders, coupons, cancelledAt = 0 }: KeptReading, at: number): boolean {
  const isPaid = coupons.length > 0 || orders.some(({ status }) => status === 'PAID');
  return (
    orders.some(({ pendingSince = 0 }) => pendingSince > at - REFUND_MS) || (isPaid && cancelledAt > at - RECORDED_MS)
  );
}

/**
 * Departures and deadlines that are ahead; none if the booking is cancelled or has lapsed. A train that the airline
 * cancelled counts while its coupon is open: it may run again, or be refunded.
 */
function timesAhead(
  kept: KeptReading,
  at: number,
): { readonly departures: readonly number[]; readonly limits: readonly number[] } {
  const { state, segments, coupons, payBy, namesUntil, cancelUntil } = kept;
  const none = { departures: [], limits: [] };
  if (state === 'expired') return none;
  const isOwed = (place: number) => coupons.some(({ segment, status }) => segment === place && status === 'O');
  const counts = (keptSegment: KeptSegment, place: number) =>
    (state !== 'cancelled' && !isLost(keptSegment)) || isOwed(place);
  const isAhead = (ms: number | undefined): number[] => (ms !== undefined && ms > at ? [ms] : []);
  const departures = segments.filter(counts).flatMap(({ departs }) => isAhead(latestInstant(departs)));
  if (departures.length === 0) return none;
  const limits = [isUnpaid(kept) ? payBy : undefined, namesUntil, cancelUntil];
  return { departures, limits: limits.flatMap((limit) => isAhead(instantOf(limit))) };
}
