/**
 * Which field of a tool's result shows each path of replies: each leaf of the replies written by hand is changed in turn, the reply is
 * decoded, and the tools that such a reply is for are called in front of it.
 */

import { pricing } from '../../../support/bookings.ts';
import { bareTraveler } from '../../../support/people.ts';
import { type Airline, type Booking, type DeskOptions, openDesk } from '../../../tools/support/desk.ts';
import { hearerOf } from '../../support/asked.ts';
import { told } from '../../support/told.ts';
import { fixture } from '../fixture.ts';
import { goldenNames, leaves } from '../golden.ts';
import { nameOf } from '../paths.ts';
import { type ReplyFixture, replyFixtures, UNNAMED } from './reply-fixtures.ts';
import { put } from './rewrite.ts';

/** The values of each field, by `read_booking: booking.passengers.name`. */
type Shown = ReadonlyMap<string, string>;
/** Calls the tools in front of what was decoded of a reply. */
type Show = (decoded: unknown, wire: unknown) => Promise<Shown>;
type Call = readonly [tool: string, args: object];

/** Before all departures and limits of the replies. */
const NOW = Date.parse('2026-11-20T09:05:00Z');
const FULL = { detail: 'full', reveal_personal: true, reveal_contact: true };
const SETTINGS = { carrier: 'HHR' };
const SEAT_STATES = ['SEAT_AVAILABLE', 'SEAT_OCCUPIED', 'AVAILABLE', 'BOOKED'];
/** How often a field that no result shows is tried. */
const MOST_TRIES = 40;

/** The program's own ids are another text in every call, in which any value can occur. */
const OWN_IDS = new Set(['operation_id', 'approval', 'offer_id']);

function fieldsOf(tool: string, structured: object): readonly (readonly [string, string])[] {
  const byName = new Map<string, unknown[]>();
  for (const [path, value] of leaves(structured)) {
    if (path.some((key) => OWN_IDS.has(String(key)))) continue;
    const name = `${tool}: ${path.filter((key) => typeof key === 'string').join('.')}`;
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
  return [...byName].map(([name, values]) => [name, JSON.stringify(values)] as const);
}

/** Reading tools, on one desk for all replies of the kind. */
async function reading(
  calls: readonly Call[],
  answer: (decoded: never, wire: never) => Partial<Airline>,
): Promise<Show> {
  let airline: Partial<Airline> = {};
  const methods: readonly (keyof Airline)[] = ['read', 'searchFares', 'seatMap', 'routes', 'calendar'];
  const current = methods.map((method) => [
    method,
    async (...args: never[]) => (airline[method] as ((...given: never[]) => unknown) | undefined)?.(...args),
  ]);
  const desk = await openDesk({ now: NOW, settings: SETTINGS, airline: Object.fromEntries(current) });
  let asked = 0;

  return async (decoded, wire) => {
    airline = answer(decoded as never, wire as never);
    const fields: (readonly [string, string])[] = [];
    for (const [tool, args] of calls) {
      // No caller's share of readings is used up.
      asked += 1;
      const caller = { tenant: 'desk', id: `ann-${Math.floor(asked / 50)}` };
      const { structured } = await desk.result(tool, args, { caller });
      fields.push(...fieldsOf(tool, structured));
    }
    return new Map(fields);
  };
}

/** An act, on a desk of its own for each reply. */
function acting([tool, args]: Call, options: (decoded: never) => DeskOptions): Show {
  return async (decoded) => {
    const desk = await openDesk({ now: NOW, settings: SETTINGS, ...options(decoded as never) });
    const { view } = await desk.say(tool, args);
    return new Map(fieldsOf(tool, view));
  };
}

async function showBooking(booking: Booking): Promise<Show> {
  const { locator } = booking;
  const calls: readonly Call[] = [
    ['read_booking', { locator, ...FULL }],
    ['quote_cancellation', { locator }],
    ['get_tickets', { locator }],
  ];
  return reading(calls, (decoded: Booking) => ({ read: async () => decoded }));
}

const LEGS = [
  { from: 'MKX', to: 'DMX', date: '2026-12-01' },
  { from: 'DMX', to: 'MKX', date: '2026-12-05' },
];
const SEARCH = { passengers: { adults: 1 }, include_sold_out: true, max_results: 50, detail: 'full' };
const searching = (legs: readonly object[]): Promise<Show> =>
  reading([['search_fares', { ...SEARCH, legs }]], (found: never) => ({ searchFares: async () => found }));

const decoded = async (name: string): Promise<never> => (await hearerOf(name, fixture(name))(fixture(name))) as never;

/** What to call for a reply, by the start of its name. */
const SHOWS: Readonly<Record<string, (decoded: never) => Show | Promise<Show>>> = {
  'read hold book modify counts group-book': showBooking,
  'search fare-search': () => searching(LEGS.slice(0, 1)),
  availability: () => searching(LEGS),
  routes: () => reading([['list_routes', { max_results: 500 }]], (routes: never) => ({ routes: async () => routes })),
  calendar: () =>
    reading(
      [['get_calendar_dates', { from: 'MKX', to: 'DMX', start_date: '2026-12-01', end_date: '2026-12-31' }]],
      (calendar: never) => ({ calendar: async () => calendar }),
    ),
  'seat-map': async () => {
    const booking: Booking = await decoded('read-reply');
    const calls: readonly Call[] = [['get_seat_map', { locator: booking.locator, detail: 'full' }]];
    return reading(calls, (maps: never) => ({ read: async () => booking, seatMap: async () => maps }));
  },
  'pay ticket': async () => {
    const held: Booking = await decoded('book-reply');
    const travelers = [bareTraveler('1'), bareTraveler('2', { type: 'INF', attendantRef: '1' })];
    const due = { ...held, travelers, pricing: pricing(37505, { perType: [] }) };
    const payment = { type: 'cash' };
    return acting(['pay_booking', { locator: due.locator, payment }], (receipt: never) => ({
      bookings: [due],
      airline: { pay: async () => receipt },
    }));
  },
  accounts: showAccounts,
  cancel: async () => {
    const held: Booking = await decoded('book-reply');
    return acting(['cancel_booking', { locator: held.locator }], (answer: never) => ({
      bookings: [held],
      airline: { cancel: async () => answer },
    }));
  },
};

/** The agency's accounts stand in the question of a payment from one. */
async function showAccounts([first]: readonly { readonly name: string }[]): Promise<Show> {
  const held: Booking = await decoded('book-reply');
  const payment = { type: 'debit_credit_account', holder_name: first?.name };
  return async (accounts) => {
    const options = { now: NOW, settings: SETTINGS, bookings: [held] };
    const desk = await openDesk({ ...options, airline: { accounts: async () => accounts as never } });
    const { message } = await desk.ask('pay_booking', { locator: held.locator, payment });
    return new Map([['pay_booking: the question', message]]);
  };
}

/** A refusal of a reading, which every tool repeats in the same fields. */
const showError = (form: string): Promise<Show> =>
  reading([['read_booking', { locator: 'ABC123' }]], (_: never, wire: Readonly<Record<string, unknown>>) => ({
    read: async () => {
      throw told(422, wire[form], 'read');
    },
  }));

/** Other values of the same kind: no single one would do for codes, dates and amounts alike. */
function others(value: unknown): readonly unknown[] {
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'boolean') return [!value];
  if (typeof value !== 'string') return [['9'], [{ programID: 'P9', membershipID: '9' }], { value: '9' }];
  const texts = [
    `9${value}`,
    `${value}9`,
    '999.99',
    '2026-12-02',
    '2026-12-02T04:00:00Z',
    '16',
    'EUR',
    'C',
    'REFUND',
    ...SEAT_STATES,
  ];
  return texts.filter((other) => other !== value);
}

const toolOf = (name: string): string => name.split(': ', 1)[0] ?? '';

/** The tools that refuse after a change, which shows nothing of it. */
function refusing(before: Shown, after: Shown): ReadonlySet<string> {
  const refusals = [...after.keys()].filter((name) => name.endsWith(': error.code') && !before.has(name));
  return new Set(refusals.map(toolOf));
}

interface Differing {
  readonly field: string;
  /** It has the other value itself, and not just another one. */
  readonly isSame: boolean;
}

/** The field that shows the other value, else the first of those that change with it. Never one that changes by itself. */
function fieldFor(before: Shown, after: Shown, unsteady: ReadonlySet<string>, other: unknown): Differing | undefined {
  const refused = refusing(before, after);
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !refused.has(toolOf(name)));
  const differing = names.filter((name) => before.get(name) !== after.get(name) && !unsteady.has(name));
  const details = differing.filter((name) => !/: (summary|next)$/.test(name));

  const shortest = (some: readonly string[]) => some.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
  // Of a time its day: the hours are those of the place.
  const value = String(other).replace(/T.*Z$/, '');
  const same = shortest(details.filter((name) => after.get(name)?.includes(value) === true));
  if (same !== undefined) return { field: same, isSame: true };
  const field = shortest(details) ?? shortest(differing);
  return field === undefined ? undefined : { field, isSame: false };
}

async function showOf({ name }: ReplyFixture, value: unknown): Promise<Show | undefined> {
  const [, show] = Object.entries(SHOWS).find(([names]) => names.split(' ').some((one) => name.startsWith(one))) ?? [];
  if (show !== undefined) return show(value as never);
  return name.endsWith('reply') ? undefined : showError(name);
}

/** By path: the field that shows it. A path that no result shows is absent. */
export async function shownFields(): Promise<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>();
  const tries = new Map<string, number>();

  async function play(reply: ReplyFixture): Promise<void> {
    const { wire, hear } = reply;
    const value = await hear(wire);
    const show = await showOf(reply, value);
    if (show === undefined) return;

    const before = await show(value, wire);
    const repeated = await show(await hear(wire), wire);
    const unsteady = new Set([...before.keys()].filter((name) => before.get(name) !== repeated.get(name)));

    for (const [path, leaf] of leaves(wire)) {
      const name = nameOf(path);
      if (fields.has(name) || path.some((key) => UNNAMED.has(String(key)))) continue;
      for (const other of others(leaf)) {
        const count = (tries.get(name) ?? 0) + 1;
        if (count > MOST_TRIES) break;
        tries.set(name, count);
        const changed = put(wire, path, other);
        const after = await hear(changed)
          .then((decodedReply) => show(decodedReply, changed))
          .catch(() => undefined);
        const found = after && fieldFor(before, after, unsteady, other);
        if (found !== undefined && (found.isSame || !fields.has(name))) fields.set(name, found.field);
        if (found?.isSame) break;
      }
    }
  }

  for (const reply of replyFixtures(goldenNames('replies'))) await play(reply);
  return fields;
}
