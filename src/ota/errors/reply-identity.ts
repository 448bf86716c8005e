/**
 * Checks that a reply is about what was asked. Sockets, proxies and airlines have delivered replies of other requests.
 * A reply that names another booking, or none, proves nothing.
 */
import { isObject } from '../../core/own.ts';
import { DAY_MS, isRealDate } from '../../core/times.ts';
import type { CalendarQuery, NewBooking } from '../../domain/airline.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { FareLeg, FareQuery } from '../../domain/booking/offers.ts';
import type { SeatMapQuery } from '../../domain/booking/seat-map.ts';
import { diff } from '../../domain/facts/differ.ts';
import { flightRow } from '../../domain/facts/flight-rows.ts';
import { signsSent, signsShown } from '../../domain/facts/own-signs.ts';
import { isAvailability } from '../messages/availability.ts';
import { asList } from '../messages/json.ts';
import { GROUP, readReferences, readStationCode, record, records, text, type Wire } from '../messages/reader.ts';
import { wireOptions } from '../messages/segment.ts';
import { referenceLists } from './said-done.ts';

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

/** Whether a new booking has no sign of what was sent: its locator was not known before. */
export function isForOthers(booking: Booking, sentBooking: NewBooking): boolean {
  const [shown, sent] = [signsShown(booking), signsSent(sentBooking)];
  return shown.length > 0 && sent.length > 0 && !shown.some((sign) => sent.includes(sign));
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

/** For calendars: the airports must match, if the reply names them, and the days must reach into those asked for. */
export function isAboutCalendar(body: unknown, query: CalendarQuery): boolean {
  if (!isObject(body)) return false;
  const shown = { from: readStationCode(body.departureAirport), to: readStationCode(body.arrivalAirport) };
  const isOther = diff([flightRow('from'), flightRow('to')], query, shown).length > 0;
  return !isOther && reachesInto(calendarDays(body), query);
}

/** The days that a calendar names, in order: the first and the last that it is for, and those with service. */
function calendarDays(body: Wire): readonly string[] {
  const days = [body.startDate, body.endDate, ...asList(body.dates)].map((day) => text(day)?.slice(0, 10) ?? '');
  return days.filter(isRealDate).sort();
}

function reachesInto(days: readonly string[], { startDate, endDate }: CalendarQuery): boolean {
  const [first, last = first] = [days[0], days.at(-1)];
  return first === undefined || last === undefined || (first <= endDate && last >= startDate);
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
