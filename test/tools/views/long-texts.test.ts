/**
 * Every text of the airline is cut: 100,000 characters in one field of a reply never reach a result.
 */
import { describe, expect, test } from 'vitest';
import type { Airline } from '../../../src/domain/airline.ts';
import { decodeCalendarReply } from '../../../src/ota/messages/calendar.ts';
import { decodeFareSearchReply } from '../../../src/ota/messages/fare-search.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { decodeRoutesReply } from '../../../src/ota/messages/routes.ts';
import { decodeSeatMapReply } from '../../../src/ota/messages/seat-map.ts';
import type { DirectTool } from '../../../src/tools/definition/define.ts';
import { getCalendarDates } from '../../../src/tools/get-calendar-dates.ts';
import { getSeatMap } from '../../../src/tools/get-seat-map.ts';
import { listBookings } from '../../../src/tools/list-bookings.ts';
import { listRoutes } from '../../../src/tools/list-routes.ts';
import { readBooking } from '../../../src/tools/read-booking.ts';
import { searchFares } from '../../../src/tools/search-fares.ts';
import { fixture } from '../../ota/messages/fixture.ts';
import { put } from '../../ota/messages/rewrite.ts';
import { openDesk, parsed } from '../support/tool-context.ts';

/** Plain words, so that nothing but a limit of length shortens them. */
const LONG = 'Abcde fghij '.repeat(8_400);
/** The longest text that a result may carry of one field. */
const MOST = 1_000;

type Path = (string | number)[];

function textsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  const items = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return items.flatMap(([key, item]) => textsIn(item, [...path, key]));
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

type Decode = (wire: unknown) => unknown;

async function shown<T extends DirectTool>(tool: T, args: object, airline: Partial<Airline>): Promise<string[]> {
  const { ctx } = openDesk({
    now: Date.parse('2026-11-20T09:05:00Z'),
    settings: { carrier: 'HHR' },
    airline,
  });
  const given = parsed(tool, args);
  const output = await tool.run(given, ctx).catch(() => ({}));
  return [
    ...stringsOf(output),
    ...('environment' in output || Object.keys(output).length > 0 ? [tool.text(output, given)] : []),
  ];
}

const LOCATOR = 'K7M4QX';
const BOOKING = decodeReadReply(fixture('read-reply'));
const WINDOW = { from: 'MKX', to: 'DMX', start_date: '2026-12-01', end_date: '2026-12-31' };
const SEARCH = { legs: [{ from: 'MKX', to: 'DMX', date: '2026-12-01' }], passengers: { adults: 1 }, detail: 'full' };

const REPLIES: readonly [string, Decode, (value: never) => Promise<string[]>][] = [
  [
    'fare-search-reply',
    decodeFareSearchReply,
    (found) => shown(searchFares, SEARCH, { searchFares: async () => found }),
  ],
  [
    'availability-reply',
    decodeFareSearchReply,
    (found) => shown(searchFares, SEARCH, { searchFares: async () => found }),
  ],
  [
    'read-reply',
    decodeReadReply,
    async (booking) => [
      ...(await shown(
        readBooking,
        { locator: LOCATOR, detail: 'full', reveal_personal: true },
        { read: async () => booking },
      )),
      ...(await shown(listBookings, { locators: [LOCATOR] }, { read: async () => booking })),
    ],
  ],
  [
    'seat-map-reply',
    decodeSeatMapReply,
    (maps) =>
      shown(getSeatMap, { locator: LOCATOR, detail: 'full' }, { read: async () => BOOKING, seatMap: async () => maps }),
  ],
  ['routes-reply', decodeRoutesReply, (routes) => shown(listRoutes, {}, { routes: async () => routes })],
  ['calendar-reply', decodeCalendarReply, (found) => shown(getCalendarDates, WINDOW, { calendar: async () => found })],
];

describe('texts of 100,000 characters in a reply', () => {
  test.each(REPLIES)(
    'are cut wherever they are in the %s',
    async (name, decode, show) => {
      const wire = { reply: fixture(name) };
      const usual = await show(decode(wire.reply) as never);
      expect(usual.length).toBeGreaterThan(3);
      const longest = Math.max(...usual.map((text) => text.length));
      const grown: string[] = [];
      for (const path of textsIn(wire)) {
        const { reply } = put(wire, path, LONG);
        let value: unknown;
        try {
          value = decode(reply);
        } catch {
          continue;
        }
        const most = Math.max(0, ...(await show(value as never)).map((text) => text.length));
        if (most > longest + MOST) grown.push(`${path.join('.')}: ${most}`);
      }
      expect(grown).toEqual([]);
    },
    60_000,
  );
});
