/**
 * Computes what was paid for some segments and passengers, from the price rows per type and segment. A row that covers
 * both cancelled and kept parts gives bounds, never an amount (docs/wire/notes.md, Fares and prices). At the end: whether the
 * price of a hold is without some segments.
 */

import { addUpTo, type Money, sameMoney, sumIfAllKnown } from '../../core/money.ts';
import { type Booking, type Segment, segmentsOf } from '../booking/booking.ts';
import type { TypePrice } from '../booking/fare.ts';
import { amountPaid, hasRefund, paidByOrders, refundOrdersOf, refundsOf } from '../booking/paid-and-refunded.ts';
import type { Traveler } from '../people/traveler.ts';
import { uncancelledSegments } from './fare-units.ts';

/** The cancelled part: these travellers on these segments. */
export interface Cut {
  readonly segmentRefs: ReadonlySet<string>;
  readonly travelerRefs: ReadonlySet<string>;
}

export function makeCut(
  segments: readonly { readonly ref: string }[],
  travelers: readonly { readonly ref: string }[],
): Cut {
  return {
    segmentRefs: new Set(segments.map(({ ref }) => ref)),
    travelerRefs: new Set(travelers.map(({ ref }) => ref)),
  };
}

/** Minor units of one currency; exact if both are equal. */
export interface Share {
  readonly currency: string;
  readonly least: number;
  readonly most: number;
}

/** What was paid for the cut; undefined if it is not known exactly. */
export function paidShare(booking: Booking, cut: Cut, paid?: Money): Money | undefined {
  const share = paidShares(booking, paid)?.(cut);
  if (share === undefined || share.least !== share.most) return undefined;
  return { minor: share.least, currency: share.currency };
}

/** Prepares the shares of a booking: returns a function for the share of any cut. Undefined if the amount paid is unknown. */
export function paidShares(booking: Booking, paid = amountPaid(booking)): ((cut: Cut) => Share) | undefined {
  if (paid === undefined) return undefined;

  const { currency, minor } = paid;
  const trip = paidTrip(booking);
  const stillPaid = Math.max(0, minor - cancelledBefore(booking, currency));
  const rows = paidRows(booking, trip, paid);

  return (cut) => {
    if (isEverything(trip, cut)) return fullShare(booking, paid);
    if (rows === undefined) return { currency, least: 0, most: stillPaid };
    const shares = rows.map((row) => rowShare(trip, row, cut));
    const least = shares.reduce((sum, share) => sum + share.least, 0);
    const most = shares.reduce((sum, share) => sum + share.most, 0);
    return { currency, least: Math.min(least, stillPaid), most: Math.min(most, stillPaid) };
  };
}

/**
 * The share of the whole trip: between its price and what was paid. Orders above the price may be fees of an earlier
 * change, which are not part of what is cancelled.
 */
function fullShare({ pricing }: Booking, { minor, currency }: Money): Share {
  const total = pricing?.total?.total;
  const price = total?.currency === currency ? total.minor : minor;
  return { currency, least: Math.min(minor, price), most: Math.max(minor, price) };
}

interface PaidTrip {
  /** The pointers of all segments. */
  readonly refs: readonly string[];
  /** The pointers of segments that are not cancelled. */
  readonly uncancelled: ReadonlySet<string>;
  readonly travelers: readonly Traveler[];
  /** Whether something was cancelled before. */
  readonly isReduced: boolean;
}

function paidTrip(booking: Booking): PaidTrip {
  const segments = segmentsOf(booking);
  const uncancelled = uncancelledSegments(booking.options).map(({ ref }) => ref);

  return {
    refs: segments.map(({ ref }) => ref),
    uncancelled: new Set(uncancelled),
    travelers: booking.travelers,
    isReduced: uncancelled.length < segments.length || hasRefund(booking),
  };
}

/** Whether everything that was sold is cancelled at once. */
function isEverything({ refs, travelers, isReduced }: PaidTrip, cut: Cut): boolean {
  return (
    !isReduced &&
    refs.every((ref) => cut.segmentRefs.has(ref)) &&
    travelers.every(({ ref }) => cut.travelerRefs.has(ref))
  );
}

/** A row with its price in minor units of the booking's currency. */
interface MinorRow extends TypePrice {
  readonly minor: number;
}

/** The price rows, if the booking confirms their sum; otherwise they may describe something else. */
function paidRows(booking: Booking, trip: PaidTrip, paid: Money): readonly MinorRow[] | undefined {
  const typePrices = booking.pricing?.perType ?? [];
  const sum = sumIfAllKnown(typePrices.map(({ price }) => price?.total));
  if (sum?.currency !== paid.currency) return undefined;
  if (typePrices.some(({ price }) => price && price.total.minor < 0)) return undefined;

  const rows = joinRows(typePrices.flatMap((row) => (row.price ? [{ ...row, minor: row.price.total.minor }] : [])));
  if (trip.isReduced) return fitsCancellation(booking, trip, rows, { sum, paid }) ? rows : undefined;

  const amounts = rows.map(({ minor }) => ({ minor, currency: sum.currency }));
  const total = [paid, booking.pricing?.total?.total].find((each) => addUpTo(amounts, each));
  return total && withoutRounding(rows, sum.minor - total.minor);
}

/** Makes the rows add up to the total: each of the first ones loses a minor unit, or gains one if the excess is negative. */
function withoutRounding(rows: readonly MinorRow[], excess: number): readonly MinorRow[] {
  return rows.map((row, i) => (i < Math.abs(excess) ? { ...row, minor: row.minor - Math.sign(excess) } : row));
}

/**
 * Whether rows after an earlier cancellation describe either everything that was sold or only what is left.
 * Everything: they include the cancelled part, with at least the amount that the airline states for it. What is left:
 * they do not, and their sum is at most the money that is left.
 */
function fitsCancellation(
  booking: Booking,
  trip: PaidTrip,
  rows: readonly MinorRow[],
  { sum, paid }: Readonly<Record<'sum' | 'paid', Money>>,
): boolean {
  const cancelled = cancelledBefore(booking, paid.currency);
  const rest = { minor: paid.minor - cancelled, currency: paid.currency };
  if (![paid, booking.pricing?.total?.total, rest].some((total) => sameMoney(total, sum))) return false;

  const cancelledInRows = rows.reduce((total, row) => total + cancelledInRow(trip, row), 0);
  if (cancelledInRows > 0) return cancelled <= Math.ceil(cancelledInRows);

  // Without an order the amount paid is only the price, which cannot contradict the rows. With one, the rows must sum to
  // less than what was paid, because something was cancelled.
  return paidByOrders(booking) === undefined || sum.minor <= paid.minor - Math.max(cancelled, 1);
}

/** The amount of earlier cancellations, refunded or kept, as the airline states it; minor units. */
function cancelledBefore(booking: Booking, currency: string): number {
  const inCurrency = (amounts: readonly (Money | undefined)[]) =>
    amounts.reduce((sum, amount) => (amount?.currency === currency ? sum + amount.minor : sum), 0);
  const entries = refundsOf(booking).flatMap(({ amount, penalty, vat }) => [amount, penalty, vat]);
  const orders = refundOrdersOf(booking).map(({ amount }) => amount);
  return Math.max(inCurrency(entries), inCurrency(orders));
}

/** The part of a row's price for segments and passengers that are no longer on the booking, minor units. */
function cancelledInRow(trip: PaidTrip, row: MinorRow): number {
  const refs = coveredSegments(trip, row);
  if (refs.some((ref) => !trip.uncancelled.has(ref))) return row.minor;
  const missing = row.count - payingTravelers(trip, row).length;
  return refs.length > 0 && missing > 0 ? (row.minor * missing) / row.count : 0;
}

/** The segments of a row; all, if it names none. */
function coveredSegments(trip: PaidTrip, row: MinorRow): readonly string[] {
  return row.segmentRefs.length > 0 ? row.segmentRefs : trip.refs;
}

/** Joins rows of the same passenger type and segments, if each passenger of them has the same price. */
function joinRows(rows: readonly MinorRow[]): readonly MinorRow[] {
  // A row that names its travellers is not joined.
  const key = (row: MinorRow, i: number) =>
    row.travelerRefs.length > 0 ? String(i) : [row.type, ...row.segmentRefs.toSorted()].join(' ');

  return [...Map.groupBy(rows, key).values()].flatMap((group) => {
    const [first] = group;
    const isSamePrice = group.every((row) => row.minor * (first?.count ?? 1) === (first?.minor ?? 0) * row.count);
    if (first === undefined || group.length === 1 || !isSamePrice) return group;
    const total = (field: 'count' | 'minor') => group.reduce((sum, row) => sum + row[field], 0);
    return [{ ...first, count: total('count'), minor: total('minor') }];
  });
}

/**
 * What was paid in this row for the cut, at least and at most, minor units. A row of 300.00 for three adults on two segments:
 *
 * | cancelled of its segments | leaving of its passengers | share                                        |
 * | ------------------------- | ------------------------- | -------------------------------------------- |
 * | none                      | any                       | 0                                            |
 * | any                       | none                      | 0                                            |
 * | one                       | one or more               | between 0 and 300.00: it has no price apart  |
 * | both                      | all                       | 300.00                                       |
 * | both                      | one                       | 100.00, rounded down and up if it is uneven  |
 */
function rowShare(trip: PaidTrip, row: MinorRow, cut: Cut): { least: number; most: number } {
  const refs = coveredSegments(trip, row);
  const people = payingTravelers(trip, row);
  const nothing = { least: 0, most: 0 };
  const everything = { least: row.minor, most: row.minor };
  const unknown = { least: 0, most: row.minor };
  // A pointer without its segment: the row describes another trip.
  if (!trip.isReduced && refs.some((ref) => !trip.uncancelled.has(ref))) return unknown;

  const cancelledCount = refs.filter((ref) => cut.segmentRefs.has(ref)).length;
  const leavingCount = people.filter(({ ref }) => cut.travelerRefs.has(ref)).length;
  if (cancelledCount === 0 || leavingCount === 0) return nothing;
  if (cancelledCount < refs.length) return unknown;
  if (!trip.isReduced && leavingCount === people.length) return everything;

  // After an earlier cancellation the row may include passengers who left the booking.
  const isCountPlausible = trip.isReduced ? row.count >= people.length : row.count === people.length;
  const dividend = row.minor * leavingCount;
  if (!isCountPlausible || !Number.isSafeInteger(dividend)) return unknown;

  return { least: Math.floor(dividend / row.count), most: Math.ceil(dividend / row.count) };
}

/** The travellers whom a row is for: those that it names, else all of its passenger type. */
function payingTravelers({ travelers }: PaidTrip, row: TypePrice): readonly Traveler[] {
  return row.travelerRefs.length > 0
    ? travelers.filter(({ ref }) => row.travelerRefs.includes(ref))
    : travelers.filter(({ type }) => type === row.type);
}

/**
 * Whether the price rows show that the total is of other segments alone: each row above zero names others, and they come to the total,
 * for no more passengers than travel.
 */
export function isTotalWithout(unconfirmed: readonly Segment[], booking: Booking): boolean {
  const { total, perType = [] } = booking.pricing ?? {};
  const rows = perType.filter(({ price }) => price?.total.minor !== 0);
  const others = segmentsOf(booking).filter((segment) => !unconfirmed.some(({ ref }) => ref === segment.ref));
  const otherRefs = new Set(others.map(({ ref }) => ref));

  const isForOthers = rows.every(
    ({ price, segmentRefs }) =>
      price !== undefined &&
      price.total.minor > 0 &&
      segmentRefs.length > 0 &&
      segmentRefs.every((ref) => otherRefs.has(ref)),
  );

  const sum = sumIfAllKnown(rows.map(({ price }) => price?.total));
  return rows.length > 0 && isForOthers && sameMoney(sum, total?.total) && !isForTooMany(rows, booking);
}

/** Whether rows are for more passengers of a type on a segment than there are: then one of them is of another segment. */
function isForTooMany(rows: readonly TypePrice[], { travelers }: Booking): boolean {
  const places = rows.flatMap(({ type, count, segmentRefs }) => segmentRefs.map((ref) => ({ type, count, ref })));
  const bySegment = Map.groupBy(places, ({ type, ref }) => JSON.stringify([type, ref]));
  return [...bySegment.values()].some((alike) => {
    const priced = alike.reduce((sum, { count }) => sum + count, 0);
    return priced > travelers.filter(({ type }) => type === alike[0]?.type).length;
  });
}
