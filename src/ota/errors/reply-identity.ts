/**
 * Checks that a reply is about what was asked. Sockets, proxies and airlines have delivered replies of other requests.
 * A reply that names another booking, or none, proves nothing.
 */
import { isObject } from '../../core/own.ts';
import { DAY_MS } from '../../core/times.ts';
import type { CalendarQuery } from '../../domain/airline.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { SeatMapQuery } from '../../domain/booking/seat-map.ts';
import { namesSent, namesShown } from '../../domain/people/name-keys.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import type { FareLeg, FareQuery } from '../../domain/pricing/offers.ts';
import { isAvailability } from '../messages/availability.ts';
import { readPointer, readStationCode, record, records, text, type Wire } from '../messages/reader.ts';
import { GROUP } from '../messages/request.ts';
import { readReferences } from '../messages/reservation.ts';
import { wireOptions } from '../messages/segment.ts';
import { asList } from '../transport/json.ts';

/** Reads, payments, changes, cancellations: one of the reply's references must be the locator. */
export function isAboutBooking(body: unknown, locator: string): boolean {
  if (!isObject(body)) return false;
  return namedIn(body).some((references) => names(references, locator));
}

export function namesABooking(body: unknown): boolean {
  if (!isObject(body)) return false;
  // Airline dialect: in the reply to a booking from counts, `quoteID` is the locator.
  if (readPointer(record(body.pricedItinerary).quoteID) !== undefined) return true;
  return namedIn(body).some((references) => readReferences(references).length > 0);
}

/** A new booking has a locator that nobody knew, so its names must match. */
export function isForOthers(made: Booking, sent: readonly Traveler[]): boolean {
  const [shown, wanted] = [namesShown(made.travelers), namesSent(sent)];
  return shown.length > 0 && wanted.length > 0 && !shown.some((name) => wanted.includes(name));
}

/** Seat maps: each response must name this booking, by any of its references, or else a segment that was asked for. */
export function isAboutSeats(body: unknown, query: SeatMapQuery): boolean {
  if (!isObject(body)) return false;
  const responses = body.seatMapResponses;
  const expectedNames = [query.locator, ...bookingNames(query.source)];
  const maps = Array.isArray(responses) ? responses : asList(isObject(responses) ? responses.seatMapResponse : []);
  return maps.filter(isObject).every((map) => {
    const references = map.bookingReferenceID ?? body.bookingReferenceID;
    return readReferences(references).length > 0
      ? expectedNames.some((id) => names(references, id))
      : isAsked(map, query);
  });
}

/** Calendars: the airports must match, if the reply gives them. */
export function isAboutRoute(body: unknown, query: CalendarQuery): boolean {
  if (!isObject(body)) return false;
  const matches = (found = '', asked = '') => found === '' || same(found, asked);
  return (
    matches(readStationCode(body.departureAirport), query.from) &&
    matches(readStationCode(body.arrivalAirport), query.to)
  );
}

/** Searches: each leg's first departure is on a day asked for. Stations may differ: a query may name a city. */
export function isAboutSearch(body: unknown, query: FareQuery): boolean {
  if (!isObject(body)) return false;
  const departures = isAvailability(body) ? recordDepartures(body) : itineraryDepartures(body);
  return query.legs.every((leg, i) => isWithin(departures[i] ?? '', leg));
}

/** Departure of each leg in the first itinerary of the reply. */
function itineraryDepartures(body: Wire): (string | undefined)[] {
  const held = body.pricedItineraries;
  const [first] = records(isObject(held) ? held.pricedItinerary : held);
  return wireOptions(first?.airItinerary).map((option) => text(record(option.flightSegment).departureDateTime));
}

/** Departure of each leg. An availability record has the local date, and times in UTC. */
function recordDepartures(body: Wire): (string | undefined)[] {
  const legs = records(record(body.availability).segments ?? body.segments);
  return legs.map((leg) => {
    const transport = record(records(leg.offers)[0]?.transport);
    return text(transport.journeyDate) ?? text(transport.departureTime);
  });
}

/** Whether the day is in the leg's window, or a day off: times can be in UTC. Ignores invalid dates. */
function isWithin(departs: string, { date, daysBefore, daysAfter }: FareLeg): boolean {
  const [day, asked] = [Date.parse(departs.slice(0, 10)), Date.parse(date)];
  if (Number.isNaN(day) || Number.isNaN(asked)) return true;
  const days = Math.round((day - asked) / DAY_MS);
  return days >= -daysBefore - 1 && days <= daysAfter + 1;
}

function namedIn(body: Wire): readonly unknown[] {
  const reservation = asList(body.airReservation).find(isObject);
  return [body.bookingReferenceID, body.uniqueID, reservation?.bookingReferenceID];
}

function names(references: unknown, locator: string): boolean {
  return readReferences(references).some((reference) => same(reference.id, locator));
}

/** References of the reservation, without group names. */
function bookingNames(source: unknown): readonly string[] {
  const references = readReferences(isObject(source) ? source.bookingReferenceID : undefined);
  return references.filter(({ type }) => type !== GROUP).map(({ id }) => id);
}

function isAsked(map: Wire, query: SeatMapQuery): boolean {
  const segment = isObject(map.flightSegmentInfo) ? map.flightSegmentInfo : {};
  const from = readStationCode(segment.departureAirport);
  const to = readStationCode(segment.arrivalAirport);
  const number = text(segment.flightNumber);
  return query.requests.some(
    ({ segment: asked }) => asked.from === from && asked.to === to && asked.flightNumber === number,
  );
}

function same(a: string, b: string): boolean {
  return a.trim().toUpperCase() === b.trim().toUpperCase();
}
