/**
 * Seats of a paid booking: their map (OTA_AirSeatMapRQ), and changing them (OTA_AirBookModifyRQ, type 5;
 * docs/wire/notes.md, Changes).
 */
import { type Carrier, needBooking, needTicketed, needTraveler, pricedOptions, serviceCancelled } from '../carrier.ts';
import { soldCabin } from '../fares.ts';
import { enter, sendNotice } from '../ledger.ts';
import type { Coach } from '../network/network.ts';
import { type PricedSegment, segmentsIn } from '../priced-trip.ts';
import { type CarrierBooking, saveBooking, withCoupons } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { SeatMapQuery } from '../requests/messages.ts';
import type { SeatWish } from '../requests/modify.ts';
import {
  cabinSeats,
  claim,
  claimsOn,
  dropLapsed,
  freeSeats,
  releaseSeats,
  seatName,
  takenElsewhere,
  type VehicleSeat,
  vehicleSeats,
} from '../stock.ts';
import { newProviderTicket } from './locators.ts';

interface SeatMove {
  readonly segment: PricedSegment;
  readonly travelerRef: string;
  readonly seat: VehicleSeat;
}

/**
 * Seat numbers are unique in a train, so a number alone can name a seat of another coach. Runs within a write transaction.
 */
export function changeSeats(carrier: Carrier, booking: CarrierBooking, wishes: readonly SeatWish[]): CarrierBooking {
  needSeatsOpen(carrier, booking);
  const moves = wishes.map((wish) => checkWish(carrier, booking, wish));
  // Frees all seats first, so that two travellers can swap.
  for (const { segment, travelerRef: traveler } of moves)
    releaseSeats(carrier.state, booking.locator, { segment: segment.ref, traveler });
  const changed = moves.reduce((seated, move) => moveTraveler(carrier, seated, move), booking);
  const about = moves.map((move) => `${move.segment.ref}/${move.travelerRef}`);
  enter(carrier, 'seats_changed', booking.locator, { about });
  sendNotice(carrier, 'ticket_update', booking.locator, { seats: about });
  return saveBooking(carrier.state, changed);
}

function needSeatsOpen(carrier: Carrier, booking: CarrierBooking): void {
  needTicketed(booking);
  if (carrier.now >= booking.namesUntil) throw new Refusal('150', 'the time limit for seats has passed');
}

function checkWish(carrier: Carrier, booking: CarrierBooking, wish: SeatWish): SeatMove {
  const [segmentRef, travelerRef] = [wish.segmentRefs[0], wish.travelerRefs[0]];
  if (segmentRef === undefined || travelerRef === undefined || wish.segmentRefs.length + wish.travelerRefs.length > 2) {
    throw new Refusal('320', 'one segment and one traveler to a seat');
  }
  const segment = needRunning(carrier, booking, segmentRef);
  const { departure, fare } = segment;
  if (departure.departsAt <= carrier.now) throw new Refusal('150', `segment ${segmentRef} has departed`);
  needCoupon(booking, segmentRef, travelerRef);
  if (needTraveler(booking, travelerRef).type === 'INF') throw new Refusal('172', 'a lap infant has no seat');
  const seat = cabinSeats(departure.service.vehicle, soldCabin(fare)).find(({ number }) => number === wish.seat);
  if (seat === undefined) throw new Refusal('320', `class ${fare.bookingClass} has no seat ${wish.seat}`);
  return { segment, travelerRef, seat };
}

/** A segment that neither its owner nor the airline has cancelled. */
function needRunning(carrier: Carrier, booking: CarrierBooking, ref: string): PricedSegment {
  const segment = segmentsIn(pricedOptions(carrier, booking.options)).find((segment) => segment.ref === ref);
  if (segment === undefined) throw new Refusal('83', `the booking has no segment ${ref}`);
  if (segment.cancelled) throw new Refusal('95', `segment ${ref} is cancelled`);
  if (segment.departure.cancelled) throw serviceCancelled(carrier, segment.departure);
  return segment;
}

function needCoupon(booking: CarrierBooking, segmentRef: string, travelerRef: string): void {
  const tickets = booking.tickets.filter((ticket) => ticket.travelerRef === travelerRef);
  const coupons = tickets.flatMap((ticket) => ticket.coupons);
  if (!coupons.some((coupon) => coupon.segmentRef === segmentRef && coupon.status === 'O'))
    throw new Refusal('83', `no coupon of traveler ${travelerRef} on segment ${segmentRef}`);
}

/** Takes the seat, and writes it into the coupon. Throws 499 if it is taken. */
function moveTraveler(carrier: Carrier, booking: CarrierBooking, move: SeatMove): CarrierBooking {
  const { segment, travelerRef, seat } = move;
  const { ref, departure, fare } = segment;
  const { coach, number } = seat;
  const cabin = soldCabin(fare);
  dropLapsed(carrier.state, departure, carrier.now);
  if (!freeSeats(carrier, departure, cabin).includes(seat))
    throw new Refusal('499', `seat ${number} in ${coach} is taken`);
  const { locator } = booking;
  claim(carrier.state, departure, { coach, seat: number, cabin, locator, segment: ref, traveler: travelerRef });
  const newPlace = { coach, seat: number, providerTicket: newProviderTicket(carrier) };
  return withCoupons(booking, (coupon, traveler) =>
    traveler === travelerRef && coupon.segmentRef === ref && coupon.status === 'O'
      ? { ...coupon, ...newPlace }
      : coupon,
  );
}

export type SeatStatus = 'free' | 'taken' | 'yours';

export interface DrawnSeat {
  readonly seat: VehicleSeat;
  readonly status: SeatStatus;
}

export interface DrawnCoach {
  readonly coach: Coach;
  readonly seats: readonly DrawnSeat[];
}

export interface DrawnSegment {
  readonly segment: PricedSegment;
  readonly travelerRefs: readonly string[];
  readonly coaches: readonly DrawnCoach[];
}

export function seatMap(carrier: Carrier, query: SeatMapQuery): readonly DrawnSegment[] {
  const booking = needBooking(carrier, query.locator);
  needSeatsOpen(carrier, booking);
  return query.requests.map(({ segment: asked, travelerRefs }) => {
    const segment = needRunning(carrier, booking, asked.ref);
    const { shown, departsAt } = segment.departure;
    if (asked.number !== shown || Date.parse(asked.departs) !== departsAt) {
      throw new Refusal('83', `segment ${asked.ref} is another departure`);
    }
    for (const ref of travelerRefs) needTraveler(booking, ref);
    return { segment, travelerRefs, coaches: drawCoaches(carrier, booking, segment, travelerRefs) };
  });
}

function drawCoaches(
  carrier: Carrier,
  booking: CarrierBooking,
  { departure, fare }: PricedSegment,
  travelerRefs: readonly string[],
): DrawnCoach[] {
  const { vehicle } = departure.service;
  const cabins = [...new Set(vehicle.coaches.map((coach) => coach.bookingClass))];
  const yours = new Set<string>();
  const taken = new Set(
    cabins.flatMap((cabin) => [...takenElsewhere(carrier.timetable.seed, departure, vehicle, cabin)]),
  );
  for (const { locator, traveler, coach, seat } of claimsOn(carrier.state, departure, carrier.now)) {
    const isYours = locator === booking.locator && travelerRefs.includes(traveler);
    (isYours ? yours : taken).add(seatName(coach, seat));
  }
  const draw = (seat: VehicleSeat): DrawnSeat => {
    const name = seatName(seat.coach, seat.number);
    const others = taken.has(name) ? 'taken' : 'free';
    return { seat, status: yours.has(name) ? 'yours' : others };
  };
  return vehicle.coaches
    .filter((coach) => coach.bookingClass === soldCabin(fare))
    .map((coach) => {
      const seats = vehicleSeats(vehicle).filter((seat) => seat.coach === coach.code);
      return { coach, seats: seats.map(draw) };
    });
}
