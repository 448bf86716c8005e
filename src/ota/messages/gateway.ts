/**
 * Messages at {gateway_url}, which have no envelope: routes, days on sale, mail (docs/wire/interface.md, Routes and calendar;
 * docs/wire/notes.md, Addressing).
 */

import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { BookingMail, CalendarDates, CalendarQuery, Route, Station } from '../../domain/airline.ts';
import { departureDate } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import type { PersonName } from '../../domain/people/traveler.ts';
import { asList } from '../transport/json.ts';
import { place, readAll, record, replyBody, replyError, text, texts, type Wire } from './reader.ts';

/** `sales_channel` of the query. */
export const SALES_CHANNEL = 'OTA';

/** Drops a station without a code. */
function readStation(wire: Wire): Station | undefined {
  const code = text(wire.code);
  if (code === undefined) return undefined;
  const name = text(wire.name) ?? code;
  return {
    code,
    name,
    city: text(wire.cityName) ?? name,
    cityCode: text(wire.cityCode) ?? code,
    country: text(wire.country) ?? '',
  };
}

function readRoute(wire: Wire): Route | undefined {
  const from = readStation(record(wire.origin));
  if (from === undefined) return undefined;
  return { from, to: readAll(wire.destinations, readStation) };
}

export function decodeRoutesReply(wire: unknown): readonly Route[] {
  if (!Array.isArray(wire)) throw replyError('the list of routes');
  return readAll(wire, readRoute);
}

const dateTime = z.iso.datetime({ local: true });

const calendarRequest = z.strictObject({
  start_date: dateTime,
  end_date: dateTime,
  departure_airport: z.string().min(1),
  arrival_airport: z.string().min(1),
  direct: z.enum(['true', 'false']),
});

/** Both days are included. */
export function encodeCalendarRequest(query: CalendarQuery): z.output<typeof calendarRequest> {
  return calendarRequest.parse({
    start_date: `${query.startDate}T00:00:00`,
    end_date: `${query.endDate}T23:59:59`,
    departure_airport: query.from,
    arrival_airport: query.to,
    direct: query.direct ? 'true' : 'false',
  });
}

function day(value: unknown): string {
  return text(value)?.slice(0, 10) ?? '';
}

export function decodeCalendarReply(wire: unknown): CalendarDates {
  const body = replyBody(wire);
  // The airline dialect leaves out empty lists. A body without the route is no answer.
  if (body.dates === undefined && place(body.departureAirport) === undefined) throw replyError('dates');
  return {
    from: place(body.departureAirport) ?? '',
    to: place(body.arrivalAirport) ?? '',
    startDate: day(body.startDate),
    endDate: day(body.endDate),
    dates: texts(asList(body.dates)).map(day),
  };
}

const addressed = {
  emails: z.array(z.string().min(1)).min(1),
  ccEmails: z.tuple([]),
  bccEmails: z.tuple([]),
  recordLocator: z.string().min(1),
};

/** The path below {gateway_url} for each kind of mail. */
export const MAIL_PATHS: Readonly<Record<BookingMail['kind'], string>> = {
  tickets: '/notifications/email',
  cancellation: '/notifications/cancellation-email',
};

const passenger = z.strictObject({
  firstName: z.string().min(1),
  middleName: z.string().min(1).optional(),
  lastName: z.string().min(1),
});
const ticketMail = z.strictObject({ ...addressed, passengers: z.array(passenger).min(1) });

const segment = z.strictObject({
  flightDesignator: z.string().min(1),
  departure: z.string().min(1),
  arrival: z.string().min(1),
  /** Local date of departure, YYYY-MM-DD. */
  departureDate: z.iso.date(),
});
/** Without segments: everything that was cancelled (docs/wire/notes.md, Shapes sent). */
const cancellationMail = z.strictObject({ ...addressed, segments: z.array(segment).min(1).optional() });

function passengerOf(name: PersonName) {
  const [firstName, middleName] = [name.given, name.middle].map((parts) => parts.join(' '));
  return omitUndefined({ firstName: firstName ?? '', middleName: middleName || undefined, lastName: name.surname });
}

/** Throws z.ZodError if the booking lacks a field that the mail needs. */
export function mailBody(mail: BookingMail): z.output<typeof ticketMail> | z.output<typeof cancellationMail> {
  const to = { emails: [...mail.emails], ccEmails: [], bccEmails: [], recordLocator: mail.locator };
  if (mail.kind === 'tickets') return ticketMail.parse({ ...to, passengers: mail.names.map(passengerOf) });
  const segments = mail.segments.map((cancelled) => ({
    flightDesignator: flightName(cancelled),
    departure: cancelled.from,
    arrival: cancelled.to,
    departureDate: departureDate(cancelled),
  }));
  return cancellationMail.parse(segments.length === 0 ? to : { ...to, segments });
}
