import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { CalendarDates, CalendarQuery, Route } from '../../src/domain/schedule.ts';
import { calendarReply, calendarRequest } from '../../src/ota/messages/calendar.ts';
import { routesReply, SALES_CHANNEL } from '../../src/ota/messages/routes.ts';
import { fixture } from './fixture.ts';

const ROUTES: Route[] = [
  {
    from: { code: 'DMX', name: 'Madinah', city: 'Al Madinah', cityCode: 'MED', country: 'SA' },
    to: [
      { code: 'JXD', name: 'Al-Sulimaniyah', city: 'Jeddah', cityCode: 'JED', country: 'SA' },
      { code: 'MKX', name: 'Makkah Station', city: 'Makkah', cityCode: 'XMK', country: 'SA' },
    ],
  },
];

describe('routes', () => {
  test('are asked for the OTA channel', () => expect(SALES_CHANNEL).toBe('OTA'));
  test('decode', () => expect(routesReply.parse(fixture('routes-reply'))).toEqual(ROUTES));
  test('encode', () => expect(z.encode(routesReply, ROUTES)).toEqual(fixture('routes-reply')));
});

const QUERY: CalendarQuery = {
  from: 'MKX',
  to: 'DMX',
  startDate: '2026-12-01',
  endDate: '2026-12-31',
  direct: true,
};

const DATES: CalendarDates = {
  from: 'MKX',
  to: 'DMX',
  startDate: '2026-12-01',
  endDate: '2026-12-31',
  dates: ['2026-12-05', '2026-12-01', '2026-12-03'],
};

describe('calendar', () => {
  test('query encodes', () => expect(z.encode(calendarRequest, QUERY)).toEqual(fixture('calendar-request')));
  test('query decodes', () => expect(calendarRequest.parse(fixture('calendar-request'))).toEqual(QUERY));
  test('a date-time with a zone is refused', () => {
    const wire = { ...fixture('calendar-request'), start_date: '2026-12-01T00:00:00Z' };
    expect(calendarRequest.safeParse(wire).success).toBe(false);
  });
  test('reply decodes', () => expect(calendarReply.parse(fixture('calendar-reply'))).toEqual(DATES));
  test('reply encodes', () => expect(z.encode(calendarReply, DATES)).toEqual(fixture('calendar-reply')));
});
