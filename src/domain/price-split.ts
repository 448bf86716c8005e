/**
 * What part of a price was paid for some segments and passengers, where the airline's own rows say so. Nothing is
 * divided by guess: a row that spans what goes and what stays cannot be split, and then the answer is undefined.
 */
import type { Booking } from './booking.ts';
import { amountPaid, hasRefund } from './booking-state.ts';
import type { TypePrice } from './fare.ts';
import { segmentStatus } from './itinerary.ts';
import { type Money, sameMoney, sumMoney, zero } from './money.ts';
import { segmentsOf } from './subject.ts';
import type { Traveler } from './traveler.ts';

/** What is given back: these travellers, on these segments. */
export interface Cut {
  readonly segmentRefs: ReadonlySet<string>;
  readonly travelerRefs: ReadonlySet<string>;
}

/** All that was ever sold goes, and nothing went before. */
export function isWhole(booking: Booking, cut: Cut): boolean {
  return (
    segmentsOf(booking).every((s) => segmentStatus(s.statusCode) === 'active' && cut.segmentRefs.has(s.ref)) &&
    booking.travelers.every((traveler) => cut.travelerRefs.has(traveler.ref)) &&
    !hasRefund(booking)
  );
}

/** What was paid for the cut; undefined where it cannot be told. */
export function paidShare(booking: Booking, cut: Cut, paid = amountPaid(booking)): Money | undefined {
  if (paid === undefined) return undefined;
  if (isWhole(booking, cut)) return paid;
  const rows = booking.pricing?.perType ?? [];
  const left = booking.pricing?.total?.total;
  const explains = (whole: Money | undefined) => whole?.currency === paid.currency && rowsExplain(rows, whole);
  if (!explains(paid) && !explains(left)) return undefined;
  const shares = rows.map((row) => rowShare(booking, row, cut));
  const known = shares.flatMap((share) => share ?? []);
  return known.length === shares.length ? sumMoney([zero(paid.currency), ...known]) : undefined;
}

/** The rows add up to what was paid, or to what is left of it after an earlier refund: else they tell something else. */
function rowsExplain(rows: readonly TypePrice[], whole: Money): boolean {
  const totals = rows.flatMap((row) => (row.price ? [row.price.total] : []));
  if (totals.length === 0 || totals.length !== rows.length) return false;
  const sum = sumMoney(totals);
  return sum !== undefined && sameMoney(sum, whole);
}

function rowShare(booking: Booking, row: TypePrice, cut: Cut): Money | undefined {
  const total = row.price?.total;
  if (total === undefined) return undefined;
  const covered = row.segmentRefs.length > 0 ? row.segmentRefs : segmentsOf(booking).map((segment) => segment.ref);
  const going = covered.filter((ref) => cut.segmentRefs.has(ref));
  const people = peopleOf(booking.travelers, row);
  const leaving = people.filter((traveler) => cut.travelerRefs.has(traveler.ref));
  if (going.length === 0 || leaving.length === 0) return zero(total.currency);
  if (going.length !== covered.length || people.length !== row.count) return undefined;
  const share = (total.minor / row.count) * leaving.length;
  return Number.isInteger(share) ? { minor: share, currency: total.currency } : undefined;
}

function peopleOf(travelers: readonly Traveler[], row: TypePrice): readonly Traveler[] {
  return row.travelerRefs.length > 0
    ? travelers.filter((traveler) => row.travelerRefs.includes(traveler.ref))
    : travelers.filter((traveler) => traveler.type === row.type);
}
