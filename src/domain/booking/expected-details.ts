/** Seats and flights, as a booking has them and as they were asked for. */

import { omitUndefined } from '../../core/omit-undefined.ts';
import { activeSegments, type Booking, type Coupon } from './booking.ts';
import { type FlightKey, flightKey, type SeatPlace } from './expected-change.ts';
import type { Segment } from './itinerary.ts';
import { couponCounts } from './status-codes.ts';

/** The valid coupon of a traveller on a segment: after an exchange the reply also lists the old one. */
export function couponOf(booking: Booking, travelerRef: string, segmentRef: string): Coupon | undefined {
  return booking.tickets
    .filter((ticket) => ticket.travelerRefs.includes(travelerRef))
    .flatMap((ticket) => ticket.coupons)
    .find((coupon) => coupon.segmentRef === segmentRef && couponCounts(coupon.statusCode));
}

/** A traveller's seat on a segment; undefined if the airline shows none. */
export function seatOf(booking: Booking, travelerRef: string, segmentRef: string): SeatPlace | undefined {
  const { seat, coach } = couponOf(booking, travelerRef, segmentRef) ?? {};
  return seat === undefined ? undefined : omitUndefined({ seat, coach });
}

/** `012A` and `12a` are one seat. A coach that is not named matches any. */
export function sameSeat(a: SeatPlace | undefined, b: SeatPlace): boolean {
  if (a === undefined || fold(a.seat) !== fold(b.seat)) return false;
  return a.coach === undefined || b.coach === undefined || fold(a.coach) === fold(b.coach);
}

function fold(text: string): string {
  return text.trim().toUpperCase().replace(/^0+/, '');
}

/** The same flight in the same class. A class that is not named matches any. */
export function sameFlight(a: FlightKey, b: FlightKey): boolean {
  const sold = a.bookingClass === undefined || b.bookingClass === undefined || a.bookingClass === b.bookingClass;
  return sold && sameDeparture(a, b);
}

function sameDeparture(a: FlightKey, b: FlightKey): boolean {
  return a.from === b.from && a.to === b.to && a.departs === b.departs && a.number === b.number;
}

interface Replacing {
  readonly replaced: FlightKey;
  readonly wanted: FlightKey;
}

/** The wanted flight in another class, and not the old flight (docs/wire/notes.md, Changes). */
export function inAnotherClass(key: FlightKey, { wanted, replaced }: Replacing): boolean {
  return sameDeparture(key, wanted) && !sameFlight(key, wanted) && !sameFlight(key, replaced);
}

/** The new flight of a rebooked booking: in the wanted class, else in the class that the airline booked. */
export function rebookedSegment(expected: Replacing, booking: Booking): Segment | undefined {
  const active = activeSegments(booking);
  return (
    active.find((segment) => sameFlight(flightKey(segment), expected.wanted)) ??
    active.find((segment) => inAnotherClass(flightKey(segment), expected))
  );
}
