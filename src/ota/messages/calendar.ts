/** Dates on sale: GET {gateway_url}/schedule/calendar/availability (docs/wire/interface.md, Routes and calendar). */
import * as z from 'zod';
import type { CalendarDates, CalendarQuery } from '../../domain/booking/routes-and-calendar.ts';
import { asList } from '../transport/json.ts';
import { place, replyBody, replyError, text, texts } from './parts/reader.ts';

const dateTime = z.iso.datetime({ local: true });

const request = z.strictObject({
  start_date: dateTime,
  end_date: dateTime,
  departure_airport: z.string().min(1),
  arrival_airport: z.string().min(1),
  direct: z.enum(['true', 'false']),
});

/** Both days are included. */
export function encodeCalendarRequest(query: CalendarQuery): z.output<typeof request> {
  return request.parse({
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
