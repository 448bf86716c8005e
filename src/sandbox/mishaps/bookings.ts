/** Mishaps of one booking. */

import { nothing, share, sum } from '../amounts.ts';
import { type Carrier, departureOf, partsOf } from '../carrier.ts';
import { cabinOf, type FareTable, type PassengerFare } from '../fares.ts';
import { withRefund } from '../operations/refund-order.ts';
import { reissued } from '../operations/reissue.ts';
import { priceOf } from '../pricing.ts';
import { type CarrierBooking, countTypes, type HeldCoupon, type HeldSegment, isExpired } from '../record.ts';
import {
  claim,
  claimsOfBooking,
  dropLapsed,
  freeSeats,
  moveExpiry,
  pickSeats,
  releaseSegment,
  releaseTraveler,
} from '../stock.ts';
import { MINUTE } from '../zone.ts';
import type { Mishap } from './kinds.ts';
import { withCoupons, withoutSeats, withSegments } from './parts.ts';

/** The part of the airline that a mishap needs. */
export type Disturbed = Pick<Carrier, 'state' | 'timetable' | 'network' | 'now' | 'dialect'>;

/** Minutes that time limits move, unless the mishap says it. */
const PAY_BY_MOVES = -10;
const NAMES_MOVE = -24 * 60;

/** `segment` is the one that the mishap names; absent for refunds. Throws an Error if it cannot happen. */
export function disturbBooking(
  airline: Disturbed,
  booking: CarrierBooking,
  segment: HeldSegment | undefined,
  mishap: Mishap,
): CarrierBooking {
  if (segment === undefined) {
    if (mishap.kind === 'refund') return withUnaskedRefund(airline, booking, mishap.percent ?? 10);
    return withRefunds(booking, mishap.kind === 'refund-paid');
  }
  switch (mishap.kind) {
    case 'seats-moved':
      return reseated(airline, booking, segment);
    case 'reissue':
      return reissued(airline, reseated(airline, booking, segment), () => true);
    case 'class-lost':
      return withOtherClass(airline, booking, segment);
    case 'coupon-closed':
      return withClosedCoupon(booking, segment, mishap);
    case 'no-show':
      return withSegments(booking, (heldSegment) =>
        heldSegment.ref === segment.ref ? { ...heldSegment, status: mishap.status ?? '83' } : heldSegment,
      );
    case 'passenger-gone':
      return withoutPassenger(airline, booking, mishap);
    case 'price':
      return withPrice(airline, booking, mishap.percent ?? 110);
    default:
      return withDeadline(airline, booking, mishap);
  }
}

/** The cheapest fare of another class, at the price that was paid. The seat is lost too. */
function withOtherClass({ network }: Disturbed, booking: CarrierBooking, segment: HeldSegment): CarrierBooking {
  const fare = network.fares
    .filter((it) => it.bookingClass !== segment.bookingClass)
    .toSorted((a, b) => a.percent - b.percent)[0];
  if (fare === undefined) throw new Error('this airline has one class only');
  const { bookingClass, basis } = fare;
  const moved = withSegments(booking, (heldSegment) =>
    heldSegment.ref === segment.ref ? { ...heldSegment, bookingClass, basis, cabin: cabinOf(fare) } : heldSegment,
  );
  return withoutSeats(moved, [segment.ref]);
}

function withClosedCoupon(booking: CarrierBooking, segment: HeldSegment, mishap: Mishap): CarrierBooking {
  const isMeant = (coupon: HeldCoupon, traveler: string): boolean =>
    coupon.segmentRef === segment.ref &&
    coupon.status === 'O' &&
    (mishap.traveler === undefined || mishap.traveler === traveler);
  const traveler = booking.tickets.find(({ coupons, travelerRef }) => coupons.some((it) => isMeant(it, travelerRef)));
  if (traveler === undefined) throw new Error(`booking ${booking.locator} has no such open coupon`);
  return withCoupons(booking, (coupon, ref) =>
    ref === traveler.travelerRef && isMeant(coupon, ref) ? { ...coupon, status: mishap.status ?? 'Z' } : coupon,
  );
}

/** The passenger and an infant on the passenger's lap leave with their tickets; the price is that of the others. */
function withoutPassenger({ state }: Disturbed, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  const { travelers, locator } = booking;
  const gone = travelers.findLast((traveler) => mishap.traveler === undefined || traveler.ref === mishap.traveler);
  if (gone === undefined) throw new Error(`booking ${locator} has no traveller ${mishap.traveler}`);
  const refs = travelers.filter((it) => it === gone || it.attendantRef === gone.ref).map((it) => it.ref);
  if (refs.length === travelers.length) throw new Error('the last passenger of a booking cannot go');
  for (const ref of refs) releaseTraveler(state, locator, ref);
  const staying = travelers.filter((it) => !refs.includes(it.ref));
  return {
    ...booking,
    travelers: staying,
    tickets: booking.tickets.filter((ticket) => !refs.includes(ticket.travelerRef)),
  };
}

function scaled(fare: PassengerFare, percent: number): PassengerFare {
  const base = share(fare.base, percent * 100);
  const lines = fare.lines.map((line) => ({ ...line, amount: share(line.amount, percent * 100) }));
  return { base, lines, total: sum(base.currency, [base, ...lines.map((line) => line.amount)]) };
}

function withPrice(airline: Disturbed, booking: CarrierBooking, percent: number): CarrierBooking {
  if (booking.state !== 'held') throw new Error(`booking ${booking.locator} is no unpaid hold`);
  const pricesOf = (prices: FareTable): FareTable =>
    Object.fromEntries(Object.entries(prices).map(([type, fare]) => [type, scaled(fare, percent)]));
  const dearer = withSegments(booking, (segment) => ({ ...segment, prices: pricesOf(segment.prices) }));
  const amount = priceOf(airline.network, partsOf(airline, dearer), countTypes(dearer.travelers)).total;
  const orders = dearer.orders.map((it) => (it.direction === 'PAYMENT' ? { ...it, amount } : it));
  return { ...dearer, orders };
}

function withDeadline({ state, now }: Disturbed, booking: CarrierBooking, mishap: Mishap): CarrierBooking {
  if (booking.state !== 'held') {
    return { ...booking, namesUntil: booking.namesUntil + (mishap.minutes ?? NAMES_MOVE) * MINUTE };
  }
  if (isExpired(booking, now)) throw new Error(`the hold ${booking.locator} has lapsed`);
  const payBy = booking.payBy + (mishap.minutes ?? PAY_BY_MOVES) * MINUTE;
  moveExpiry(state, booking.locator, payBy);
  return { ...booking, payBy };
}

/** Refunds that were made and later ones wait, or all are paid out. */
function withRefunds(booking: CarrierBooking, paid: boolean): CarrierBooking {
  const { refundsWait: _, ...rest } = booking;
  const status = paid ? 'PAID' : 'PENDING';
  const orders = rest.orders.map((it) => (it.direction === 'REFUND' ? { ...it, status } : it));
  return paid ? { ...rest, orders } : { ...rest, orders, refundsWait: true };
}

/** A part of what was paid, as an airline compensates. */
function withUnaskedRefund(airline: Disturbed, booking: CarrierBooking, percent: number): CarrierBooking {
  const paid = booking.orders.find(({ direction, status }) => direction === 'PAYMENT' && status === 'PAID');
  if (paid === undefined) throw new Error(`booking ${booking.locator} is not paid`);
  const none = nothing(paid.amount.currency);
  const total = { amount: share(paid.amount, percent * 100), penalty: none, tax: none };
  return withRefund(airline, booking, { whole: total, shares: [] });
}

/**
 * In another vehicle new seats where enough are free, else none. Nobody keeps the seat of before. A booking without new
 * seats keeps its claims, so that it can still be paid.
 */
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
