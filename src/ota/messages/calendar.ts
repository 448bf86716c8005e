/**
 * Dates on sale: GET {gateway_url}/schedule/calendar/availability (interface.md, schedule endpoints and records).
 */
import * as z from 'zod';
import type { CalendarDates, CalendarQuery } from '../../domain/schedule.ts';
import { list, place, replyBody, replyError, text, texts, type Wire } from './parts/reader.ts';

const dateTime = z.iso.datetime({ local: true }).refine((value) => !value.endsWith('Z'), 'no zone is due');

/** The query string, parameter by parameter. */
const request = z.strictObject({
  start_date: dateTime,
  end_date: dateTime,
  departure_airport: z.string().min(1),
  arrival_airport: z.string().min(1),
  direct: z.enum(['true', 'false']),
});

/** Both ends are included: the query runs from the first moment of the one day to the last of the other. */
export const calendarRequest = z.codec(request, z.custom<CalendarQuery>(), {
  decode: (wire) => ({
    from: wire.departure_airport,
    to: wire.arrival_airport,
    startDate: wire.start_date.slice(0, 10),
    endDate: wire.end_date.slice(0, 10),
    direct: wire.direct === 'true',
  }),
  encode: (query) => ({
    start_date: `${query.startDate}T00:00:00`,
    end_date: `${query.endDate}T23:59:59`,
    departure_airport: query.from,
    arrival_airport: query.to,
    direct: query.direct ? ('true' as const) : ('false' as const),
  }),
});

function day(value: unknown): string {
  return text(value)?.slice(0, 10) ?? '';
}

export const calendarReply = z.codec(z.custom<Wire>(), z.custom<CalendarDates>(), {
  decode: (wire) => {
    const body = replyBody(wire);
    // Empty lists are left out in the airline dialect; but a body that says nothing of the route either is no answer.
    if (body.dates === undefined && place(body.departureAirport) === undefined) throw replyError('dates');
    return {
      from: place(body.departureAirport) ?? '',
      to: place(body.arrivalAirport) ?? '',
      startDate: day(body.startDate),
      endDate: day(body.endDate),
      dates: texts(list(body.dates)).map(day),
    };
  },
  encode: (dates): Wire => ({
    departureAirport: dates.from,
    arrivalAirport: dates.to,
    startDate: dates.startDate,
    endDate: dates.endDate,
    dates: [...dates.dates],
  }),
});
