/**
 * Seat change (OTA_AirBookModifyRQ, type 5; docs/wire/notes.md, Changes). Seat numbers are unique in a
 * train, so a number alone can name a seat of another coach.
 */
import { type Carrier, departureOf, needTicketed, serviceCancelled } from '../carrier.ts';
import { enter } from '../ledger.ts';
import { sendNotice } from '../notices.ts';
import { allSegments, type CarrierBooking, type HeldSegment, saveBooking } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { SeatWish } from '../requests/modify.ts';
import { seatsOfCabin, type VehicleSeat } from '../seats.ts';
import { claim, dropLapsed, freeSeats, releaseSeat } from '../stock.ts';
import { newProviderTicket } from './locators.ts';

interface Move {
  readonly segment: HeldSegment;
  readonly travelerRef: string;
  readonly seat: VehicleSeat;
}

/** Runs within a write transaction. */
export function changeSeats(carrier: Carrier, booking: CarrierBooking, wishes: readonly SeatWish[]): CarrierBooking {
  needTicketed(booking);
  if (carrier.now >= booking.namesUntil) throw new Refusal('150', 'the time limit for seats has passed');
  const moves = wishes.map((wish) => moveOf(carrier, booking, wish));
  // Frees all seats first, so that two travellers can swap.
  for (const { segment, travelerRef } of moves) releaseSeat(carrier.state, booking.locator, segment.ref, travelerRef);
  const changed = moves.reduce((so, move) => seated(carrier, so, move), booking);
  const about = moves.map((move) => `${move.segment.ref}/${move.travelerRef}`);
  enter(carrier.state, carrier.now, 'seats_changed', booking.locator, { about });
  sendNotice(carrier.state, carrier.now, 'ticket_update', booking.locator, { seats: about });
  saveBooking(carrier.state, changed);
  return changed;
}

function needCoupon(booking: CarrierBooking, segmentRef: string, travelerRef: string): void {
  const coupons = booking.tickets.filter((ticket) => ticket.travelerRef === travelerRef).flatMap((it) => it.coupons);
  if (!coupons.some((coupon) => coupon.segmentRef === segmentRef && coupon.status === 'O'))
    throw new Refusal('83', `no coupon of traveler ${travelerRef} on segment ${segmentRef}`);
}

function moveOf(carrier: Carrier, booking: CarrierBooking, wish: SeatWish): Move {
  const [segmentRef, travelerRef] = [wish.segmentRefs[0], wish.travelerRefs[0]];
  if (segmentRef === undefined || travelerRef === undefined || wish.segmentRefs.length + wish.travelerRefs.length > 2) {
    throw new Refusal('320', 'one segment and one traveler to a seat');
  }
  const segment = allSegments(booking).find((it) => it.ref === segmentRef);
  if (segment === undefined) throw new Refusal('83', `the booking has no segment ${segmentRef}`);
  if (segment.cancelled) throw new Refusal('95', `segment ${segmentRef} is cancelled`);
  const departure = departureOf(carrier, segment);
  if (departure.cancelled) throw serviceCancelled(carrier, departure);
  if (departure.departsAt <= carrier.now) throw new Refusal('150', `segment ${segmentRef} has departed`);
  needCoupon(booking, segmentRef, travelerRef);
  if (booking.travelers.some((traveler) => traveler.ref === travelerRef && traveler.type === 'INF'))
    throw new Refusal('172', 'a lap infant has no seat');
  const seat = seatsOfCabin(departure.service.vehicle, segment.cabin).find((it) => it.number === wish.seat);
  if (seat === undefined) throw new Refusal('320', `class ${segment.bookingClass} has no seat ${wish.seat}`);
  return { segment, travelerRef, seat };
}

function seated(carrier: Carrier, booking: CarrierBooking, { segment, travelerRef, seat }: Move): CarrierBooking {
  const { locator } = booking;
  const departure = departureOf(carrier, segment);
  dropLapsed(carrier.state, departure, carrier.now);
  const free = freeSeats(carrier.state, carrier.timetable, departure, segment.cabin, carrier.now);
  if (!free.includes(seat)) throw new Refusal('499', `seat ${seat.number} in ${seat.coach} is taken`);
  const { cabin, ref } = segment;
  const { coach, number } = seat;
  claim(
    carrier.state,
    departure,
    { coach, seat: number, cabin, locator, segment: ref, traveler: travelerRef },
    undefined,
  );
  const fresh = { coach, seat: number, providerTicket: newProviderTicket(carrier) };
  return {
    ...booking,
    tickets: booking.tickets.map((ticket) => {
      if (ticket.travelerRef !== travelerRef) return ticket;
      const coupons = ticket.coupons.map((coupon) =>
        coupon.segmentRef === ref && coupon.status === 'O' ? { ...coupon, ...fresh } : coupon,
      );
      return { ...ticket, coupons };
    }),
  };
}
