/** All that can be cancelled of a booking, with stand-ins for passengers of a group who have no names yet. */
import { activeOptions, type Booking } from '../../domain/booking/booking.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { totalsByType } from '../../domain/pricing/fare.ts';

/** All that can be cancelled of a booking, and the price of one about to be paid. */
export function allCancellable(held: Booking) {
  const booking = withParty(held);
  const paid = isPaid(booking);
  const cancelled = { options: paid ? activeOptions(booking) : booking.options, travelers: booking.travelers };
  return { booking, cancelled, price: paid ? undefined : booking.pricing?.total?.total };
}

/** Fills in the passengers of a group hold that lists none, from its price rows by type. */
export function withParty(booking: Booking): Booking {
  const { pricing, travelers } = booking;
  if (travelers.length > 0 || pricing === undefined) return booking;
  const rows = pricing.perType.map((row) => ({ ...row, travelerRefs: [] }));
  const party = totalsByType(rows).flatMap(({ type, count }) => nobodies(type, count));
  return { ...booking, travelers: party, pricing: { ...pricing, perType: rows } };
}

/** Passengers whose names are not known yet. */
export function nobodies(type: string, count: number): readonly Traveler[] {
  return Array.from({ length: Math.min(count, MOST_PEOPLE) }, (_, i) => ({ ...NOBODY, ref: `${type}${i}`, type }));
}

const MOST_PEOPLE = 99;
const NOBODY = { emails: [], phones: [], addresses: [], segmentRefs: [], comments: [] };
