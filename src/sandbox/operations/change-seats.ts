/**
 * Seats of a paid booking: their map (OTA_AirSeatMapRQ), and changing them (OTA_AirBookModifyRQ, type 5;
 * docs/wire/notes.md, Changes).
 */
import { type Carrier, findDeparture, needBooking, needTicketed, serviceCancelled } from '../carrier.ts';
import { enter, sendNotice } from '../ledger.ts';
import type { Coach } from '../network/network.ts';
import { allSegments, type CarrierBooking, type HeldSegment, saveBooking, withCoupons } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { SeatMapQuery } from '../requests/messages.ts';
import type { SeatWish } from '../requests/modify.ts';
import { cabinSeats, seatName, takenElsewhere, type VehicleSeat, vehicleSeats } from '../seats.ts';
import { claim, claimsOn, dropLapsed, freeSeats, releaseSeats } from '../stock.ts';
import type { Departure } from '../timetable.ts';
import { newProviderTicket } from './locators.ts';

interface Move {
  readonly segment: HeldSegment;
  readonly travelerRef: string;
  readonly seat: VehicleSeat;
}

/**
 * Seat numbers are unique in a train, so a number alone can name a seat of another coach. Runs within a write transaction.
 */
export function changeSeats(carrier: Carrier, booking: CarrierBooking, wishes: readonly SeatWish[]): CarrierBooking {
  needTicketed(booking);
  if (carrier.now >= booking.namesUntil) throw new Refusal('150', 'the time limit for seats has passed');
  const moves = wishes.map((wish) => checkWish(carrier, booking, wish));
  // Frees all seats first, so that two travellers can swap.
  for (const { segment, travelerRef: traveler } of moves)
    releaseSeats(carrier.state, booking.locator, { segment: segment.ref, traveler });
  const changed = moves.reduce((so, move) => seated(carrier, so, move), booking);
  const about = moves.map((move) => `${move.segment.ref}/${move.travelerRef}`);
  enter(carrier, 'seats_changed', booking.locator, { about });
  sendNotice(carrier, 'ticket_update', booking.locator, { seats: about });
  return saveBooking(carrier.state, changed);
}

function needCoupon(booking: CarrierBooking, segmentRef: string, travelerRef: string): void {
  const coupons = booking.tickets
    .filter((ticket) => ticket.travelerRef === travelerRef)
    .flatMap((ticket) => ticket.coupons);
  if (!coupons.some((coupon) => coupon.segmentRef === segmentRef && coupon.status === 'O'))
    throw new Refusal('83', `no coupon of traveler ${travelerRef} on segment ${segmentRef}`);
}

function checkWish(carrier: Carrier, booking: CarrierBooking, wish: SeatWish): Move {
  const [segmentRef, travelerRef] = [wish.segmentRefs[0], wish.travelerRefs[0]];
  if (segmentRef === undefined || travelerRef === undefined || wish.segmentRefs.length + wish.travelerRefs.length > 2) {
    throw new Refusal('320', 'one segment and one traveler to a seat');
  }
  const segment = allSegments(booking).find((segment) => segment.ref === segmentRef);
  if (segment === undefined) throw new Refusal('83', `the booking has no segment ${segmentRef}`);
  if (segment.cancelled) throw new Refusal('95', `segment ${segmentRef} is cancelled`);
  const departure = findDeparture(carrier, segment);
  if (departure.cancelled) throw serviceCancelled(carrier, departure);
  if (departure.departsAt <= carrier.now) throw new Refusal('150', `segment ${segmentRef} has departed`);
  needCoupon(booking, segmentRef, travelerRef);
  if (booking.travelers.some((traveler) => traveler.ref === travelerRef && traveler.type === 'INF'))
    throw new Refusal('172', 'a lap infant has no seat');
  const seat = cabinSeats(departure.service.vehicle, segment.cabin).find(({ number }) => number === wish.seat);
  if (seat === undefined) throw new Refusal('320', `class ${segment.bookingClass} has no seat ${wish.seat}`);
  return { segment, travelerRef, seat };
}

function seated(carrier: Carrier, booking: CarrierBooking, { segment, travelerRef, seat }: Move): CarrierBooking {
  const { locator } = booking;
  const departure = findDeparture(carrier, segment);
  dropLapsed(carrier.state, departure, carrier.now);
  const free = freeSeats(carrier, departure, segment.cabin);
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
  return withCoupons(booking, (coupon, traveler) =>
    traveler === travelerRef && coupon.segmentRef === ref && coupon.status === 'O' ? { ...coupon, ...fresh } : coupon,
  );
}

export type SeatStatus = 'free' | 'taken' | 'yours';

export interface DrawnCoach {
  readonly coach: Coach;
  readonly seats: readonly { readonly seat: VehicleSeat; readonly status: SeatStatus }[];
}

export interface DrawnSegment {
  readonly booking: CarrierBooking;
  readonly held: HeldSegment;
  readonly departure: Departure;
  readonly travelerRefs: readonly string[];
  readonly coaches: readonly DrawnCoach[];
}

export function seatMap(carrier: Carrier, query: SeatMapQuery): readonly DrawnSegment[] {
  const booking = needBooking(carrier, query.locator);
  needTicketed(booking);
  if (carrier.now >= booking.namesUntil) throw new Refusal('150', 'the time limit for seats has passed');
  return query.requests.map(({ segment, travelerRefs }) => {
    const held = allSegments(booking).find(({ ref }) => ref === segment.ref);
    if (held === undefined) throw new Refusal('83', `the booking has no segment ${segment.ref}`);
    if (held.cancelled) throw new Refusal('95', `segment ${segment.ref} is cancelled`);
    const departure = findDeparture(carrier, held);
    if (departure.cancelled) throw serviceCancelled(carrier, departure);
    if (segment.number !== departure.shown || Date.parse(segment.departs) !== departure.departsAt) {
      throw new Refusal('83', `segment ${segment.ref} is another departure`);
    }
    const unknown = travelerRefs.find((ref) => !booking.travelers.some((traveler) => traveler.ref === ref));
    if (unknown !== undefined) throw new Refusal('83', `the booking has no traveler ${unknown}`);
    return {
      booking,
      held,
      departure,
      travelerRefs,
      coaches: drawCoaches(carrier, booking, held, departure, travelerRefs),
    };
  });
}

function drawCoaches(
  carrier: Carrier,
  booking: CarrierBooking,
  held: HeldSegment,
  departure: Departure,
  travelerRefs: readonly string[],
): DrawnCoach[] {
  const seatStatus = readSeatStatuses(carrier, booking, departure, travelerRefs);
  const { vehicle } = departure.service;
  return vehicle.coaches
    .filter((coach) => coach.bookingClass === held.cabin)
    .map((coach) => ({
      coach,
      seats: vehicleSeats(vehicle)
        .filter((seat) => seat.coach === coach.code)
        .map((seat) => ({ seat, status: seatStatus(seat) })),
    }));
}

function readSeatStatuses(
  carrier: Carrier,
  booking: CarrierBooking,
  departure: Departure,
  travelerRefs: readonly string[],
): (seat: VehicleSeat) => SeatStatus {
  const { vehicle } = departure.service;
  const cabins = new Set(vehicle.coaches.map((coach) => coach.bookingClass));
  const elsewhere = [...cabins].flatMap((cabin) => [
    ...takenElsewhere(carrier.timetable.seed, departure, vehicle, cabin),
  ]);
  const yours = new Set<string>();
  const taken = new Set<string>(elsewhere);
  for (const claim of claimsOn(carrier.state, departure, carrier.now)) {
    const isYours = claim.locator === booking.locator && travelerRefs.includes(claim.traveler);
    (isYours ? yours : taken).add(seatName(claim.coach, claim.seat));
  }
  return (seat) => {
    const name = seatName(seat.coach, seat.number);
    if (yours.has(name)) return 'yours';
    return taken.has(name) ? 'taken' : 'free';
  };
}
