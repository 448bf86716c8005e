import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { CalendarDates, CalendarQuery, Route } from '../../../src/domain/booking/routes-and-calendar.ts';
import { decodeCalendarReply, encodeCalendarRequest } from '../../../src/ota/messages/calendar.ts';
import { decodeRoutesReply, SALES_CHANNEL } from '../../../src/ota/messages/routes.ts';
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
  test('asks for the routes of the OTA channel', () => expect(SALES_CHANNEL).toBe('OTA'));
  test('decodes the published routes', () => expect(decodeRoutesReply(fixture('routes-reply'))).toEqual(ROUTES));
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
  test('encodes a calendar query as published', () =>
    expect(encodeCalendarRequest(QUERY)).toEqual(fixture('calendar-request')));
  test('rejects a calendar query with an invalid date', () => {
    expect(() => encodeCalendarRequest({ ...QUERY, startDate: '2026-02-30' })).toThrow(z.ZodError);
  });
  test('decodes the published calendar', () => expect(decodeCalendarReply(fixture('calendar-reply'))).toEqual(DATES));
});
