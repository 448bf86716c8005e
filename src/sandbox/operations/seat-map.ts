/** Seats of segments of a paid booking (OTA_AirSeatMapRQ). */
import { type Carrier, departureOf, needBooking, needTicketed, serviceCancelled } from '../carrier.ts';
import type { Coach } from '../network/network.ts';
import { allSegments, type CarrierBooking, type HeldSegment } from '../record.ts';
import { Refusal } from '../refusal.ts';
import type { SeatMapQuery } from '../requests/existing.ts';
import { seatName, seatsOf, takenElsewhere, type VehicleSeat } from '../seats.ts';
import { claimsOn } from '../stock.ts';
import type { Departure } from '../timetable.ts';

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
    const held = allSegments(booking).find((it) => it.ref === segment.ref);
    if (held === undefined) throw new Refusal('83', `the booking has no segment ${segment.ref}`);
    if (held.cancelled) throw new Refusal('95', `segment ${segment.ref} is cancelled`);
    const departure = departureOf(carrier, held);
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
      coaches: coachesOf(carrier, booking, held, departure, travelerRefs),
    };
  });
}

function coachesOf(
  carrier: Carrier,
  booking: CarrierBooking,
  held: HeldSegment,
  departure: Departure,
  travelerRefs: readonly string[],
): DrawnCoach[] {
  const statusOf = statusesOf(carrier, booking, departure, travelerRefs);
  const { vehicle } = departure.service;
  return vehicle.coaches
    .filter((coach) => coach.bookingClass === held.cabin)
    .map((coach) => ({
      coach,
      seats: seatsOf(vehicle)
        .filter((seat) => seat.coach === coach.code)
        .map((seat) => ({ seat, status: statusOf(seat) })),
    }));
}

function statusesOf(
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
