/**
 * Seats of segments of a paid booking (OTA_AirSeatMapRQ).
 */
import type { Seat, SeatCabin, SeatMapQuery, SeatRow, SegmentSeatMap } from '../../domain/seat-map.ts';
import { type Carrier, departureOf, needBooking, needTicketed } from '../carrier.ts';
import { Fault } from '../fault.ts';
import type { Coach } from '../network/network.ts';
import { segmentOf } from '../offering.ts';
import { allSegments, type CarrierBooking, type HeldSegment } from '../record.ts';
import { seatName, seatsOf, takenElsewhere, type VehicleSeat } from '../seats.ts';
import { claimsOn } from '../stock.ts';
import type { Departure } from '../timetable.ts';

const INVENTORY_CODE: Readonly<Record<string, string>> = { Y: 'T', C: 'P' };

export function seatMap(carrier: Carrier, query: SeatMapQuery): readonly SegmentSeatMap[] {
  const booking = needBooking(carrier, query.locator);
  needTicketed(booking);
  return query.requests.map(({ segment, travelerRefs }) => {
    const held = allSegments(booking).find((it) => it.ref === segment.ref);
    if (held === undefined) throw new Fault('83', `the booking has no segment ${segment.ref}`);
    if (held.cancelled) throw new Fault('95', `segment ${segment.ref} is cancelled`);
    const departure = departureOf(carrier, held);
    if (segment.flightNumber !== departure.number || Date.parse(segment.departs) !== departure.departsAt) {
      throw new Fault('83', `segment ${segment.ref} is another departure`);
    }
    checkTravelers(booking, travelerRefs);
    return mapOf(carrier, booking, held, departure, travelerRefs);
  });
}

function checkTravelers(booking: CarrierBooking, refs: readonly string[]): void {
  const unknown = refs.find((ref) => !booking.travelers.some((it) => it.ref === ref));
  if (unknown !== undefined) throw new Fault('83', `the booking has no traveler ${unknown}`);
}

function mapOf(
  carrier: Carrier,
  booking: CarrierBooking,
  held: HeldSegment,
  departure: Departure,
  travelerRefs: readonly string[],
): SegmentSeatMap {
  const statuses = statusesOf(carrier, booking, departure, travelerRefs);
  const { ref, bookingClass, basis } = held;
  const optionRef = booking.options.find((it) => it.segments.some((one) => one.ref === ref))?.ref ?? ref;
  const segment = segmentOf(carrier, departure, { ref, optionRef, bookingClass, basis, statusCode: '30' });
  const { vehicle } = departure.service;
  const seats = seatsOf(vehicle);
  const own = vehicle.coaches.filter((coach) => coach.bookingClass === bookingClass);
  const cabins = own.map((coach) => cabinOf(coach, vehicle.kind, seats, statuses));
  return { segment, travelerRefs, cabins };
}

type Statuses = (seat: VehicleSeat) => Seat['status'];

function statusesOf(
  carrier: Carrier,
  booking: CarrierBooking,
  departure: Departure,
  travelerRefs: readonly string[],
): Statuses {
  const { vehicle } = departure.service;
  const classes = new Set(vehicle.coaches.map((coach) => coach.bookingClass));
  const elsewhere = new Set(
    [...classes].flatMap((it) => [...takenElsewhere(carrier.timetable.seed, departure, vehicle, it)]),
  );
  const claims = claimsOn(carrier.state, departure, carrier.now);
  const yours = new Set<string>();
  const taken = new Set<string>(elsewhere);
  for (const claim of claims) {
    const isYours = claim.locator === booking.locator && travelerRefs.includes(claim.traveler);
    (isYours ? yours : taken).add(seatName(claim.coach, claim.seat));
  }
  return (seat) => {
    const name = seatName(seat.coach, seat.number);
    if (yours.has(name)) return 'yours';
    return taken.has(name) ? 'taken' : 'free';
  };
}

function cabinOf(coach: Coach, kind: string, seats: readonly VehicleSeat[], statusOf: Statuses): SeatCabin {
  const own = seats.filter((seat) => seat.coach === coach.code);
  const rows: SeatRow[] = [];
  for (let row = coach.first; row <= coach.last; row++) {
    const inRow = own.filter((seat) => seat.row === row);
    const seatsOfRow = inRow.map((seat, i) => seatView(seat, i, kind, statusOf(seat)));
    rows.push({ number: String(row), characteristics: [], description: [], seats: seatsOfRow });
  }
  const cabinType = INVENTORY_CODE[coach.bookingClass] ?? coach.bookingClass;
  const cabin = coach.bookingClass === 'Y' ? 'economy' : coach.bookingClass === 'C' ? 'business' : 'other';
  const name = kind === 'train' ? `Coach ${coach.code}` : `Cabin ${coach.code}`;
  return {
    cabin,
    cabinType,
    zones: [{ id: coach.code, code: coach.code, name, description: cabin, totalSeats: own.length, type: cabinType }],
    columns: coach.letters.length,
    startingRow: String(coach.first),
    endingRow: String(coach.last),
    rows,
  };
}

function seatView(seat: VehicleSeat, index: number, kind: string, status: Seat['status']): Seat {
  const facing = seat.row % 2 === 1 ? 'backward' : 'forward';
  return {
    number: seat.number,
    row: String(seat.row),
    column: seat.column,
    sequence: index + 1,
    status,
    window: seat.window,
    aisle: seat.aisle,
    ...(kind === 'train' ? { facing } : {}),
    amenities: [],
    services: [],
  };
}
