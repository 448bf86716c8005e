/**
 * Seat change (OTA_AirBookModifyRQ, type 5; field-notes.md, modifications). The seat is one of the traveller's coach;
 * `coach-seat` (`4-12A`) names one of another coach of the class.
 */
import type { Booking } from '../../domain/booking.ts';
import { type Carrier, departureOf, needTicketed } from '../carrier.ts';
import { Fault } from '../fault.ts';
import { enter } from '../ledger.ts';
import { sendNotice } from '../notices.ts';
import { present } from '../present.ts';
import { allSegments, type CarrierBooking, type HeldCoupon, type HeldSegment, saveBooking } from '../record.ts';
import { seatsOfClass, type VehicleSeat } from '../seats.ts';
import { claim, dropLapsed, freeSeats, releaseSeat } from '../stock.ts';
import { newProviderTicket } from './locators.ts';

export interface SeatWish {
  readonly segmentRefs: readonly string[];
  readonly travelerRefs: readonly string[];
  readonly seat: string;
}

interface Move {
  readonly segment: HeldSegment;
  readonly travelerRef: string;
  readonly seat: VehicleSeat;
}

/** Runs within a write transaction. */
export function changeSeats(carrier: Carrier, booking: CarrierBooking, wishes: readonly SeatWish[]): Booking {
  needTicketed(booking);
  if (carrier.now >= booking.namesUntil) throw new Fault('150', 'the time limit for seats has passed');
  const moves = wishes.map((wish) => moveOf(carrier, booking, wish));
  // All give up their seats first, so that two travellers can change places.
  for (const { segment, travelerRef } of moves) releaseSeat(carrier.state, booking.locator, segment.ref, travelerRef);
  const changed = moves.reduce((so, move) => seated(carrier, so, move), booking);
  const about = moves.map((move) => `${move.segment.ref}/${move.travelerRef}`);
  enter(carrier.state, carrier.now, 'seats_changed', booking.locator, { about });
  sendNotice(carrier.state, carrier.now, 'ticket_update', booking.locator, { seats: about });
  saveBooking(carrier.state, changed);
  return present(carrier, changed);
}

function couponOf(booking: CarrierBooking, segmentRef: string, travelerRef: string): HeldCoupon {
  const ticket = booking.tickets.find((it) => it.travelerRef === travelerRef);
  const coupon = ticket?.coupons.find((it) => it.segmentRef === segmentRef);
  if (coupon === undefined) throw new Fault('83', `no coupon of traveler ${travelerRef} on segment ${segmentRef}`);
  return coupon;
}

function moveOf(carrier: Carrier, booking: CarrierBooking, wish: SeatWish): Move {
  const [segmentRef, travelerRef] = [wish.segmentRefs[0], wish.travelerRefs[0]];
  if (segmentRef === undefined || travelerRef === undefined || wish.segmentRefs.length + wish.travelerRefs.length > 2) {
    throw new Fault('320', 'one segment and one traveler to a seat');
  }
  const segment = allSegments(booking).find((it) => it.ref === segmentRef);
  if (segment === undefined) throw new Fault('83', `the booking has no segment ${segmentRef}`);
  if (segment.cancelled) throw new Fault('95', `segment ${segmentRef} is cancelled`);
  const departure = departureOf(carrier, segment);
  if (departure.departsAt <= carrier.now) throw new Fault('150', `segment ${segmentRef} has departed`);
  const coupon = couponOf(booking, segmentRef, travelerRef);
  if (coupon.coach === undefined) throw new Fault('172', 'a lap infant has no seat');
  const [coach, number] = wish.seat.includes('-') ? wish.seat.split('-', 2) : [coupon.coach, wish.seat];
  const seats = seatsOfClass(departure.service.vehicle, segment.bookingClass);
  const seat = seats.find((it) => it.coach === coach && it.number === number);
  if (seat === undefined) throw new Fault('320', `class ${segment.bookingClass} has no seat ${wish.seat}`);
  return { segment, travelerRef, seat };
}

function seated(carrier: Carrier, booking: CarrierBooking, { segment, travelerRef, seat }: Move): CarrierBooking {
  const { locator } = booking;
  const departure = departureOf(carrier, segment);
  dropLapsed(carrier.state, departure, carrier.now);
  const free = freeSeats(carrier.state, carrier.timetable, departure, segment.bookingClass, carrier.now);
  if (!free.includes(seat)) throw new Fault('499', `seat ${seat.number} in ${seat.coach} is taken`);
  const { bookingClass, ref } = segment;
  const { coach, number } = seat;
  const it = { coach, seat: number, bookingClass, locator, segment: ref, traveler: travelerRef };
  claim(carrier.state, departure, it, undefined);
  const fresh = { coach, seat: number, providerTicket: newProviderTicket(carrier) };
  return {
    ...booking,
    tickets: booking.tickets.map((ticket) => {
      if (ticket.travelerRef !== travelerRef) return ticket;
      const coupons = ticket.coupons.map((one) => (one.segmentRef === ref ? { ...one, ...fresh } : one));
      return { ...ticket, coupons };
    }),
  };
}
