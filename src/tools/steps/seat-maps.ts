/** Asks for the seat maps of a booking's flights or trains, and takes none of another one. */

import { cleanCode } from '../../core/clean-text.ts';
import { notSent } from '../../core/errors.ts';
import { showDay } from '../../core/times.ts';
import { type Booking, departureDate, type Segment, travelerAsRead } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { isMapOfClass, type SegmentSeatMap, seatMapQuery } from '../../domain/booking/seat-map.ts';
import { diff, type FactRow } from '../../domain/facts/differ.ts';
import { type FlightField, flightRow, readFlight, type StatedFlight } from '../../domain/facts/flight-rows.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { readCall, type ToolContext } from '../definition/define.ts';

/**
 * Asks for the maps of segments; each has the ref of its segment in the booking.
 * @throws ClerkError E_AIRLINE_REPLY for a map of another flight or train: a seat would be chosen where nobody of the booking sits
 */
export async function readSeatMaps(
  booking: Booking,
  segments: readonly Segment[],
  travelers: readonly Traveler[],
  ctx: ToolContext,
): Promise<readonly SegmentSeatMap[]> {
  const people = travelers.map((traveler) => travelerAsRead(booking, traveler));
  const maps = await ctx.airline.seatMap(seatMapQuery(booking.reading, segments, people), readCall(ctx));
  return maps.map((map) => {
    const fitting = segments.filter((segment) => mayBe(map.segment, segment));
    const segment = fitting.find(({ ref }) => ref === map.segment.ref) ?? fitting[0];
    if (segment === undefined) throw strangeMap(map.segment, segments);
    return { ...map, segment: { ...map.segment, ref: segment.ref } };
  });
}

/** What a map must have in common with a flight, as far as it states it. It may name the cabin in place of the class. */
const MAP_ROWS: readonly FactRow<FlightField, string, StatedFlight>[] = [
  flightRow('from'),
  flightRow('to'),
  flightRow('number'),
  { field: 'departs', same: (day, other) => day === other },
  { field: 'bookingClass', same: (wanted, shown) => isMapOfClass(shown, wanted) },
];

const ofDay = (segment: Segment): StatedFlight => ({ ...readFlight(segment), departs: departureDate(segment) });

const mayBe = (shown: Segment, segment: Segment): boolean => diff(MAP_ROWS, ofDay(segment), ofDay(shown)).length === 0;

function strangeMap(shown: Segment, segments: readonly Segment[]) {
  const named = ({ bookingClass = '', ...segment }: Segment) => {
    const inClass = bookingClass === '' ? '' : ` in class ${cleanCode(bookingClass)}`;
    return `${flightName(segment)} ${cleanCode(segment.from)} → ${cleanCode(segment.to)} on ${showDay(departureDate(segment))}${inClass}`;
  };
  const what = `The airline sent the seats of ${named(shown)}, asked for were those of ${segments.map(named).join(', ')}.`;
  return notSent('E_AIRLINE_REPLY', what, 'Call get_seat_map again in a while; else ask the airline.');
}
