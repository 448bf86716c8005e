/** Changes the seats of a paid booking, as a customer asks (type 5), and draws its seat map. */
import {
  type Carrier,
  cancelledServiceRefusal,
  pricedOptions,
  requireBooking,
  requireTicketed,
  requireTraveler,
} from '../carrier.ts';
import { soldCabin } from '../fares.ts';
import { recordEvent } from '../ledger.ts';
import type { Coach } from '../network.ts';
import { type PricedSegment, segmentsIn } from '../priced-trip.ts';
import { type CarrierBooking, isOpenCoupon, saveBooking, withCoupons } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { SeatMapQuery } from '../requests/messages.ts';
import type { SeatWish } from '../requests/modify.ts';
import {
  cabinSeats,
  claimSeat,
  claimsOn,
  dropExpired,
  freeSeats,
  releaseSeats,
  seatName,
  seatsSoldElsewhere,
  type VehicleSeat,
} from '../stock.ts';
import { newProviderTicket } from './locators.ts';

/** A traveller's move to another seat on a segment. */
interface SeatMove {
  readonly segment: PricedSegment;
  readonly travelerRef: string;
  readonly seat: VehicleSeat;
}

/**
 * Moves travellers to the seats they wish. A number can name a seat of another coach, since numbers are unique in a
 * train (docs/wire/notes.md, Changes). Runs within a write transaction.
 */
export function changeSeats(carrier: Carrier, booking: CarrierBooking, wishes: readonly SeatWish[]): CarrierBooking {
  requireSeatsOpen(carrier, booking);
  const moves = wishes.map((wish) => checkWish(carrier, booking, wish));

  // Frees all seats first, so that two travellers can swap.
  for (const { segment, travelerRef: traveler } of moves)
    releaseSeats(carrier.state, booking.locator, { segment: segment.ref, traveler });
  let changed = booking;
  for (const move of moves) changed = moveTraveler(carrier, changed, move);
  const about = moves.map((move) => `${move.segment.ref}/${move.travelerRef}`);
  recordEvent(carrier, 'seats_changed', booking.locator, { about });

  return saveBooking(carrier.state, changed);
}

/** Throws unless the booking is paid and its seats can still be changed. */
function requireSeatsOpen(carrier: Carrier, booking: CarrierBooking): void {
  requireTicketed(booking);
  if (carrier.now >= booking.namesUntil) throw new Refusal('150', 'the time limit for seats has passed');
}

function checkWish(carrier: Carrier, booking: CarrierBooking, wish: SeatWish): SeatMove {
  const [segmentRef, ...otherSegments] = wish.segmentRefs;
  const [travelerRef, ...otherTravelers] = wish.travelerRefs;
  if (segmentRef === undefined || travelerRef === undefined || otherSegments.length + otherTravelers.length > 0)
    throw new Refusal('320', 'one segment and one traveler to a seat');

  const segment = requireRunningSegment(carrier, booking, segmentRef);
  const { departure, fare } = segment;
  if (departure.departsAt <= carrier.now) throw new Refusal('150', `segment ${segmentRef} has departed`);

  requireOpenCoupon(booking, segmentRef, travelerRef);
  if (requireTraveler(booking, travelerRef).type === 'INF') throw new Refusal('172', 'a lap infant has no seat');

  const seat = cabinSeats(departure.service.vehicle, soldCabin(fare)).find(({ number }) => number === wish.seat);
  if (seat === undefined) throw new Refusal('320', `class ${fare.bookingClass} has no seat ${wish.seat}`);

  return { segment, travelerRef, seat };
}

/** Finds a segment by its pointer. Throws if its owner or the airline cancelled it. */
function requireRunningSegment(carrier: Carrier, booking: CarrierBooking, ref: string): PricedSegment {
  const segment = segmentsIn(pricedOptions(carrier, booking.options)).find((segment) => segment.ref === ref);
  if (segment === undefined) throw new Refusal('83', `the booking has no segment ${ref}`);
  if (segment.cancelled) throw new Refusal('95', `segment ${ref} is cancelled`);
  if (segment.departure.cancelled) throw cancelledServiceRefusal(carrier, segment.departure);
  return segment;
}

function requireOpenCoupon(booking: CarrierBooking, segmentRef: string, travelerRef: string): void {
  const tickets = booking.tickets.filter((ticket) => ticket.travelerRef === travelerRef);
  const coupons = tickets.flatMap((ticket) => ticket.coupons);
  if (!coupons.some((coupon) => coupon.segmentRef === segmentRef && isOpenCoupon(coupon)))
    throw new Refusal('83', `no coupon of traveler ${travelerRef} on segment ${segmentRef}`);
}

/** Claims the new seat, and writes it into the coupon. Throws 499 if it is taken. */
function moveTraveler(carrier: Carrier, booking: CarrierBooking, move: SeatMove): CarrierBooking {
  const { segment, travelerRef, seat } = move;
  const { ref, departure, fare } = segment;
  const { coach, number } = seat;
  const cabin = soldCabin(fare);

  dropExpired(carrier.state, departure, carrier.now);
  if (!freeSeats(carrier, departure, cabin).includes(seat))
    throw new Refusal('499', `seat ${number} in ${coach} is taken`);

  const { locator } = booking;
  claimSeat(carrier.state, departure, { coach, seat: number, cabin, locator, segment: ref, traveler: travelerRef });

  const newSeat = { coach, seat: number, providerTicket: newProviderTicket(carrier) };
  return withCoupons(booking, (coupon, traveler) =>
    traveler === travelerRef && coupon.segmentRef === ref && isOpenCoupon(coupon) ? { ...coupon, ...newSeat } : coupon,
  );
}

/** `yours`: claimed by a traveller whom the request for the seat map names. */
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
  const booking = requireBooking(carrier, query.locator);
  requireSeatsOpen(carrier, booking);

  return query.requests.map(({ segment: requested, travelerRefs }) => {
    const segment = requireRunningSegment(carrier, booking, requested.ref);
    const { shownNumber, departsAt } = segment.departure;
    if (requested.number !== shownNumber || Date.parse(requested.departs) !== departsAt)
      throw new Refusal('83', `segment ${requested.ref} is another departure`);
    for (const ref of travelerRefs) requireTraveler(booking, ref);
    return { segment, travelerRefs, coaches: drawCoaches(carrier, booking, segment, travelerRefs) };
  });
}

/** Draws the coaches in the cabin of a segment's fare. */
function drawCoaches(
  carrier: Carrier,
  booking: CarrierBooking,
  { departure, fare }: PricedSegment,
  travelerRefs: readonly string[],
): DrawnCoach[] {
  const { vehicle } = departure.service;
  const cabin = soldCabin(fare);

  const yourSeats = new Set<string>();
  const takenSeats = new Set(seatsSoldElsewhere(carrier.timetable.seed, departure, vehicle, cabin));
  for (const { locator, traveler, coach, seat } of claimsOn(carrier.state, departure, carrier.now)) {
    const isYours = locator === booking.locator && travelerRefs.includes(traveler);
    const seatNames = isYours ? yourSeats : takenSeats;
    seatNames.add(seatName(coach, seat));
  }

  const drawSeat = (seat: VehicleSeat): DrawnSeat => {
    const name = seatName(seat.coach, seat.number);
    if (yourSeats.has(name)) return { seat, status: 'yours' };
    return { seat, status: takenSeats.has(name) ? 'taken' : 'free' };
  };

  const coaches = vehicle.coaches.filter((coach) => coach.bookingClass === cabin);
  const allSeats = cabinSeats(vehicle, cabin);

  return coaches.map((coach) => {
    const seats = allSeats.filter((seat) => seat.coach === coach.code);
    return { coach, seats: seats.map(drawSeat) };
  });
}
