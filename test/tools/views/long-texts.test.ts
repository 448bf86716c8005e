/** Every text of the airline is cut: 100,000 characters in one field of a reply never reach a result. */
import { expect, test } from 'vitest';
import { fixture } from '../../ota/messages/fixture.ts';
import { put } from '../../ota/messages/rewrite.ts';
import { hear, hearerOf } from '../../ota/support/asked.ts';
import { type DeskOptions, openDesk } from '../support/desk.ts';

/** Plain words, so that nothing but a limit of length shortens them. */
const LONG = 'Abcde fghij '.repeat(8_400);
/** The longest text that a result may carry of one field. */
const MOST = 1_000;
const LOCATOR = 'K7M4QX';

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

const SEARCH = { legs: [{ from: 'MKX', to: 'DMX', date: '2026-12-01' }], passengers: { adults: 1 }, detail: 'full' };
const WINDOW = { from: 'MKX', to: 'DMX', start_date: '2026-12-01', end_date: '2026-12-31' };

test.each<[string, keyof NonNullable<DeskOptions['airline']>, [tool: string, args: object][]]>([
  ['fare-search-reply', 'searchFares', [['search_fares', SEARCH]]],
  ['availability-reply', 'searchFares', [['search_fares', SEARCH]]],
  [
    'read-reply',
    'read',
    [
      ['read_booking', { locator: LOCATOR, detail: 'full', reveal_personal: true }],
      ['list_bookings', { locators: [LOCATOR] }],
    ],
  ],
  ['seat-map-reply', 'seatMap', [['get_seat_map', { locator: LOCATOR, detail: 'full' }]]],
  ['routes-reply', 'routes', [['list_routes', {}]]],
  ['calendar-reply', 'calendar', [['get_calendar_dates', WINDOW]]],
])(
  'texts of 100,000 characters are cut wherever they are in the %s',
  async (name, method, calls) => {
    const booking = await hear('read', fixture('read-reply'));
    let value: unknown;
    const airline = { read: async () => booking, [method]: async () => value } as NonNullable<DeskOptions['airline']>;
    const desk = await openDesk({ now: Date.parse('2026-11-20T09:05:00Z'), settings: { carrier: 'HHR' }, airline });
    const shown = async () => {
      const answers = await Promise.all(calls.map(([tool, args]) => desk.result(tool, args)));
      return answers.flatMap(({ structured, text }) => [...stringsOf(structured), text]).map(({ length }) => length);
    };
    const wire = { reply: fixture(name) };
    const hearing = hearerOf(name, wire.reply);
    value = await hearing(wire.reply);
    const usual = await shown();
    expect(usual.length).toBeGreaterThan(4);
    const grown: string[] = [];
    for (const path of textsIn(wire)) {
      try {
        value = await hearing(put(wire, path, LONG).reply);
      } catch {
        continue;
      }
      const most = Math.max(...(await shown()));
      if (most > Math.max(...usual) + MOST) grown.push(`${path.join('.')}: ${most}`);
    }
    expect(grown).toEqual([]);
  },
  60_000,
);
