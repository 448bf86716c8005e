/**
 * What was paid for some segments and passengers, as far as the airline's rows per type and segment say it. A row that is
 * for what goes and for what stays gives bounds, never an amount (field-notes.md, fares and prices).
 */
import type { Booking } from './booking.ts';
import { amountPaid, hasRefund, paidByOrders } from './booking-state.ts';
import type { TypePrice } from './fare.ts';
import { segmentStatus } from './itinerary.ts';
import { type Money, sameMoney, sumMoney } from './money.ts';
import { refundsOf, segmentsOf } from './subject.ts';
import type { Traveler } from './traveler.ts';

/** What is cancelled: these travellers, on these segments. */
export interface Cut {
  readonly segmentRefs: ReadonlySet<string>;
  readonly travelerRefs: ReadonlySet<string>;
}

/** Minor units of one currency: exact where both are equal. */
export interface Share {
  readonly currency: string;
  readonly least: number;
  readonly most: number;
}

/** All that was ever sold goes, and nothing went before. */
export function isWhole(booking: Booking, cut: Cut): boolean {
  return (
    segmentsOf(booking).every((s) => segmentStatus(s.statusCode) !== 'cancelled' && cut.segmentRefs.has(s.ref)) &&
    booking.travelers.every((traveler) => cut.travelerRefs.has(traveler.ref)) &&
    !hasRefund(booking)
  );
}

/** What was paid for the cut; undefined where it is not known exactly. */
export function paidShare(booking: Booking, cut: Cut, paid?: Money): Money | undefined {
  const share = shareOf(booking, cut, paid);
  return share?.least === share?.most && share ? { minor: share.least, currency: share.currency } : undefined;
}

/** Undefined where nothing is known to be paid. */
export function shareOf(booking: Booking, cut: Cut, paid = amountPaid(booking)): Share | undefined {
  if (paid === undefined) return undefined;
  const { currency, minor } = paid;
  if (isWhole(booking, cut)) return { currency, least: minor, most: minor };
  const left = Math.max(0, minor - goneBefore(booking, currency));
  const rows = rowsOf(booking, paid);
  if (rows === undefined) return { currency, least: 0, most: left };
  const shares = rows.map((row) => rowShare(booking, row, cut));
  const least = shares.reduce((sum, share) => sum + share.least, 0);
  const most = shares.reduce((sum, share) => sum + share.most, 0);
  return { currency, least: Math.min(least, left), most: Math.min(most, left) };
}

/** A row with a price, in minor units of the booking's currency. */
interface Row extends TypePrice {
  readonly minor: number;
}

/** The rows where they add up to a sum that the booking itself confirms; else they may describe something else. */
function rowsOf(booking: Booking, paid: Money): readonly Row[] | undefined {
  const priced = booking.pricing?.perType ?? [];
  const totals = priced.flatMap((row) => row.price?.total ?? []);
  const sum = totals.length === priced.length ? sumMoney(totals) : undefined;
  if (sum?.currency !== paid.currency || totals.some(({ minor }) => minor < 0)) return undefined;
  const rows = merged(priced.flatMap((row) => (row.price ? [{ ...row, minor: row.price.total.minor }] : [])));
  const confirmed = [paid, booking.pricing?.total?.total];
  const gone = goneBefore(booking, paid.currency);
  if (!isReduced(booking)) return confirmed.some((whole) => sameMoney(whole, sum)) ? rows : undefined;
  return rowsAfter(booking, rows, { sum, gone, paid, confirmed });
}

/**
 * After an earlier cancellation the rows describe either everything that was sold or what is left of it. Everything: they
 * have a part for what went, worth at least what the airline states of it. What is left: they have none, and add up to no
 * more than what is left of the money.
 */
function rowsAfter(
  booking: Booking,
  rows: readonly Row[],
  { sum, gone, paid, confirmed }: { sum: Money; gone: number; paid: Money; confirmed: readonly (Money | undefined)[] },
): readonly Row[] | undefined {
  const rest = { minor: paid.minor - gone, currency: paid.currency };
  if (![...confirmed, rest].some((whole) => sameMoney(whole, sum))) return undefined;
  const ofGone = rows.reduce((part, row) => part + partGone(booking, row), 0);
  if (ofGone > 0) return gone <= Math.ceil(ofGone) ? rows : undefined;
  // Without an order the amount paid is only the price, which says nothing against the rows.
  const told = paidByOrders(booking) !== undefined;
  return !told || sum.minor <= paid.minor - Math.max(gone, 1) ? rows : undefined;
}

/** What the airline states of earlier cancellations, refunded or kept. */
function goneBefore(booking: Booking, currency: string): number {
  const own = (amounts: readonly (Money | undefined)[]) =>
    amounts.reduce((sum, amount) => (amount?.currency === currency ? sum + amount.minor : sum), 0);
  const entries = refundsOf(booking).flatMap(({ amount, penalty, vat }) => [amount, penalty, vat]);
  const orders = booking.orders.filter(({ direction }) => direction === 'REFUND').map(({ amount }) => amount);
  return Math.max(own(entries), own(orders));
}

/** How much of a row is for segments and passengers that are not on the booking any more. */
function partGone(booking: Booking, row: Row): number {
  const { refs, gone } = coverOf(booking, row);
  if (gone.length > 0) return row.minor;
  const missing = row.count - peopleOf(booking.travelers, row).length;
  return refs.length > 0 && missing > 0 ? (row.minor * missing) / row.count : 0;
}

function coverOf(booking: Booking, row: Row) {
  const segments = segmentsOf(booking);
  const refs = row.segmentRefs.length > 0 ? row.segmentRefs : segments.map(({ ref }) => ref);
  const left = new Set(segments.filter((s) => segmentStatus(s.statusCode) !== 'cancelled').map(({ ref }) => ref));
  return { refs, gone: refs.filter((ref) => !left.has(ref)) };
}

/** Rows of one passenger each are one row, where they are alike. */
function merged(rows: readonly Row[]): readonly Row[] {
  const key = (row: Row, i: number) =>
    row.travelerRefs.length > 0 ? String(i) : [row.type, ...[...row.segmentRefs].sort()].join(' ');
  const alike = new Map<string, Row[]>();
  for (const [i, row] of rows.entries()) alike.set(key(row, i), [...(alike.get(key(row, i)) ?? []), row]);
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    const even = same.every((row) => row.minor * (first?.count ?? 1) === (first?.minor ?? 0) * row.count);
    if (first === undefined || same.length === 1 || !even) return same;
    const total = (of: 'count' | 'minor') => same.reduce((sum, row) => sum + row[of], 0);
    return [{ ...first, count: total('count'), minor: total('minor') }];
  });
}

function rowShare(booking: Booking, row: Row, cut: Cut): { least: number; most: number } {
  const { refs } = coverOf(booking, row);
  const unknown = { least: 0, most: row.minor };
  const went = isReduced(booking);
  if (!went && refs.some((ref) => !segmentsOf(booking).some((segment) => segment.ref === ref))) return unknown;
  const going = refs.filter((ref) => cut.segmentRefs.has(ref));
  const people = peopleOf(booking.travelers, row);
  const leaving = people.filter((traveler) => cut.travelerRefs.has(traveler.ref)).length;
  if (going.length === 0 || leaving === 0) return { least: 0, most: 0 };
  if (going.length < refs.length) return unknown;
  if (!went && leaving === people.length) return { least: row.minor, most: row.minor };
  // After an earlier cancellation the row may also be for passengers who left the booking.
  const counted = went ? row.count >= people.length : row.count === people.length;
  const dividend = row.minor * leaving;
  if (!counted || !Number.isSafeInteger(dividend)) return unknown;
  return { least: Math.floor(dividend / row.count), most: Math.ceil(dividend / row.count) };
}

function peopleOf(travelers: readonly Traveler[], row: TypePrice): readonly Traveler[] {
  return row.travelerRefs.length > 0
    ? travelers.filter((traveler) => row.travelerRefs.includes(traveler.ref))
    : travelers.filter((traveler) => traveler.type === row.type);
}

/** Something was cancelled before. */
function isReduced(booking: Booking): boolean {
  return hasRefund(booking) || segmentsOf(booking).some((s) => segmentStatus(s.statusCode) === 'cancelled');
}
