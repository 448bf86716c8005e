/**
 * Whether a reply is about the booking that was asked for. Sockets, proxies and airlines have been seen to hand over
 * somebody else's reply; one that names another booking, or none, proves nothing.
 */

import type { CalendarQuery } from '../domain/schedule.ts';
import type { SeatMapQuery } from '../domain/seat-map.ts';
import { asList, isObject } from './json.ts';
import { place, text } from './messages/parts/reader.ts';
import { readReferences } from './messages/parts/references.ts';

/** Reads, payments, changes and cancellations: one of the reply's references must be the locator asked for. */
export function isAboutBooking(body: unknown, locator: string): boolean {
  if (!isObject(body)) return false;
  return namedIn(body).some((references) => names(references, locator));
}

/** Whether a reply names any booking at all. */
export function namesABooking(body: unknown): boolean {
  return isObject(body) && namedIn(body).some((references) => readReferences(references).length > 0);
}

/**
 * Seat maps: every response that names a booking must name this one. One that names none must be of a segment that was
 * asked for.
 */
export function isAboutSeats(body: unknown, query: SeatMapQuery): boolean {
  if (!isObject(body)) return false;
  const responses = body.seatMapResponses;
  const maps = Array.isArray(responses) ? responses : asList(isObject(responses) ? responses.seatMapResponse : []);
  return maps.filter(isObject).every((map) => {
    const references = map.bookingReferenceID ?? body.bookingReferenceID;
    return readReferences(references).length > 0 ? names(references, query.locator) : isAsked(map, query);
  });
}

/** Calendars: the airports, where the reply gives them. */
export function isAboutRoute(body: unknown, query: CalendarQuery): boolean {
  if (!isObject(body)) return false;
  const from = place(body.departureAirport);
  const to = place(body.arrivalAirport);
  return (from === undefined || same(from, query.from)) && (to === undefined || same(to, query.to));
}

function namedIn(body: Readonly<Record<string, unknown>>): readonly unknown[] {
  const reservation = asList(body.airReservation).find(isObject);
  return [body.bookingReferenceID, body.uniqueID, reservation?.bookingReferenceID];
}

function names(references: unknown, locator: string): boolean {
  return readReferences(references).some((reference) => same(reference.id, locator));
}

function isAsked(map: Readonly<Record<string, unknown>>, query: SeatMapQuery): boolean {
  const segment = isObject(map.flightSegmentInfo) ? map.flightSegmentInfo : {};
  const from = place(segment.departureAirport);
  const to = place(segment.arrivalAirport);
  const number = text(segment.flightNumber);
  return query.requests.some(
    ({ segment: asked }) => asked.from === from && asked.to === to && asked.flightNumber === number,
  );
}

function same(a: string, b: string): boolean {
  return a.trim().toUpperCase() === b.trim().toUpperCase();
}
