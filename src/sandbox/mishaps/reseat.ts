/** Seats in another vehicle: new ones where enough are free, else none. */
import { departureOf } from '../carrier.ts';
import type { CarrierBooking, HeldSegment } from '../record.ts';
import { claim, claimsOfBooking, dropLapsed, freeSeats, pickSeats, releaseSegment } from '../stock.ts';
import type { Disturbed } from './disturb.ts';
import { withCoupons, withoutSeats } from './parts.ts';

/** Nobody keeps the seat of before. A booking without new seats keeps its claims, so that it can still be paid. */
export function reseated(airline: Disturbed, booking: CarrierBooking, segment: HeldSegment): CarrierBooking {
  const { state, timetable, now } = airline;
  const { locator } = booking;
  const departure = departureOf(airline, segment);
  dropLapsed(state, departure, now);
  const claims = claimsOfBooking(state, locator).filter((it) => it.segment === segment.ref);
  const seats = pickSeats(freeSeats(state, timetable, departure, segment.cabin, now), claims.length);
  if (seats === undefined) return withoutSeats(booking, [segment.ref]);
  releaseSegment(state, locator, segment.ref);
  const placed = new Map(claims.map(({ traveler }, i) => [traveler, seats[i]] as const));
  for (const old of claims) {
    const seat = placed.get(old.traveler);
    const expires = booking.state === 'held' ? booking.payBy : undefined;
    if (seat !== undefined) claim(state, departure, { ...old, coach: seat.coach, seat: seat.number }, expires);
  }
  return withCoupons(booking, (coupon, traveler) => {
    const seat = placed.get(traveler);
    if (coupon.segmentRef !== segment.ref || seat === undefined) return coupon;
    return { ...coupon, coach: seat.coach, seat: seat.number };
  });
}
