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
import { GROUP, readReferences, readStationCode, record, records, text, type Wire } from '../messages/reader.ts';
import { wireOptions } from '../messages/segment.ts';
import { asList } from '../transport/json.ts';

/** For reads, payments, changes and cancellations: one of the reply's references must be the locator. */
export function isAboutBooking(body: unknown, locator: string): boolean {
  if (!isObject(body)) return false;
  return referenceLists(body).some((references) => includesReference(references, locator));
}

/** Whether the reply names any booking. */
export function namesABooking(body: unknown): boolean {
  if (!isObject(body)) return false;
  return referenceLists(body).some((references) => readReferences(references).length > 0);
}

/** Whether a new booking has only names that were not sent: its locator was not known before, so that names must match. */
export function isForOthers(booking: Booking, sentTravelers: readonly Traveler[]): boolean {
  const shownNames = namesShown(booking.travelers);
  const sentNames = namesSent(sentTravelers);
  return shownNames.length > 0 && sentNames.length > 0 && !shownNames.some((name) => sentNames.includes(name));
}

/** For seat maps: each response must name this booking, by any of its references, or else a segment that was asked for. */
export function isAboutSeats(body: unknown, query: SeatMapQuery): boolean {
  if (!isObject(body)) return false;
  const responses = body.seatMapResponses;
  const expectedNames = [query.locator, ...bookingNames(query.source)];
  const maps = Array.isArray(responses) ? responses : asList(isObject(responses) ? responses.seatMapResponse : []);
  return maps.filter(isObject).every((map) => {
    const references = map.bookingReferenceID ?? body.bookingReferenceID;
    if (readReferences(references).length === 0) return isOfRequestedSegment(map, query);
    return expectedNames.some((id) => includesReference(references, id));
  });
}

/** For calendars: the airports must match, if the reply names them. */
export function isAboutRoute(body: unknown, query: CalendarQuery): boolean {
  if (!isObject(body)) return false;
  const fits = (shown: string | undefined, requested: string) => shown === undefined || isSameCode(shown, requested);
  return (
    fits(readStationCode(body.departureAirport), query.from) && fits(readStationCode(body.arrivalAirport), query.to)
  );
}

/** For searches: each leg's first departure must be on a requested day. Stations may differ: a query may name a city. */
export function isAboutSearch(body: unknown, query: FareQuery): boolean {
  if (!isObject(body)) return false;
  const departures = isAvailability(body) ? recordDepartures(body) : itineraryDepartures(body);
  return query.legs.every((leg, i) => isWithin(departures[i], leg));
}

/** The departure of each leg in the first itinerary of the reply. */
function itineraryDepartures(body: Wire): (string | undefined)[] {
  const { pricedItineraries } = body;
  const [first] = records(isObject(pricedItineraries) ? pricedItineraries.pricedItinerary : pricedItineraries);
  return wireOptions(first?.airItinerary).map((option) => text(record(option.flightSegment).departureDateTime));
}

/** The departure of each leg in an availability record, which has the local date, and times in UTC. */
function recordDepartures(body: Wire): (string | undefined)[] {
  const legs = records(record(body.availability).segments ?? body.segments);
  return legs.map((leg) => {
    const transport = record(records(leg.offers)[0]?.transport);
    return text(transport.journeyDate) ?? text(transport.departureTime);
  });
}

/** Whether the day is in the leg's window, or one day beside it because times can be in UTC. Accepts missing and invalid dates. */
function isWithin(departs: string | undefined, { date, daysBefore, daysAfter }: FareLeg): boolean {
  if (departs === undefined) return true;
  const [departureDay, requestedDay] = [Date.parse(departs.slice(0, 10)), Date.parse(date)];
  if (Number.isNaN(departureDay) || Number.isNaN(requestedDay)) return true;
  const days = Math.round((departureDay - requestedDay) / DAY_MS);
  return days >= -daysBefore - 1 && days <= daysAfter + 1;
}

/** The places of a reply that hold references. */
function referenceLists(body: Wire): readonly unknown[] {
  const reservation = asList(body.airReservation).find(isObject);
  return [body.bookingReferenceID, body.uniqueID, reservation?.bookingReferenceID];
}

function includesReference(references: unknown, locator: string): boolean {
  return readReferences(references).some((reference) => isSameCode(reference.id, locator));
}

/** References of the reservation, without group names. */
function bookingNames(source: unknown): readonly string[] {
  const references = readReferences(isObject(source) ? source.bookingReferenceID : undefined);
  return references.filter(({ type }) => type !== GROUP).map(({ id }) => id);
}

function isOfRequestedSegment(map: Wire, query: SeatMapQuery): boolean {
  const segment = isObject(map.flightSegmentInfo) ? map.flightSegmentInfo : {};
  const from = readStationCode(segment.departureAirport);
  const to = readStationCode(segment.arrivalAirport);
  const number = text(segment.flightNumber);
  return query.requests.some(
    (request) => request.segment.from === from && request.segment.to === to && request.segment.flightNumber === number,
  );
}

function isSameCode(a: string, b: string): boolean {
  return a.trim().toUpperCase() === b.trim().toUpperCase();
}
