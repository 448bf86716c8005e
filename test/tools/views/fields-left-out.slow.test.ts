/**
 * Every field that a reply brings into the domain is in some tool's structured result, or is left out of all on
 * purpose. Each leaf of the full replies is changed in turn, and a result must change with it exactly when the leaf is
 * not on the list. And every text is cut: 100,000 characters in one field of a reply never reach a result.
 */

import { describe, expect, test } from 'vitest';
import { shownBooking } from '../../../src/domain/booking/blanked-booking.ts';
import { fixture } from '../../ota/messages/fixture.ts';
import { goldenNames } from '../../ota/messages/golden.ts';
import { replyFixtures } from '../../ota/messages/support/reply-fixtures.ts';
import { isObject, put } from '../../ota/messages/support/rewrite.ts';
import { hearerOf } from '../../ota/support/asked.ts';
import { asRead, pricing } from '../../support/bookings.ts';
import { bareTraveler } from '../../support/people.ts';
import { atNight } from '../../support/whole.ts';
import { type Airline, type Booking, CALLER, type Desk, type DeskOptions, openDesk } from '../support/desk.ts';
import { NOT_SHOWN } from './fields-left-out.ts';

type Path = (string | number)[];
type Result<K extends keyof Airline> = Awaited<ReturnType<NonNullable<Airline[K]>>>;
const decoded = async <T>(name: string) => (await hearerOf(name, fixture(name))(fixture(name))) as T;
const LOCATOR = 'K7M4QX';

/** New objects each time: a copy of the tree would keep shared ones shared. */
const details = () => ({
  emails: ['one@example.com', 'two@example.com'],
  phones: [
    { countryCode: '966', number: '501112223' },
    { countryCode: '49', number: '30123456' },
  ],
  addresses: [
    { city: 'Riyadh', countryCode: 'SA', countryName: 'Saudi Arabia' },
    { city: 'Berlin', countryCode: 'DE', countryName: 'Germany' },
  ],
  comments: [{ name: 'note', value: 'window' }],
});

/** Fields that the written reply leaves empty and a reply may fill. */
function filled({ reading: { source: _, ...booking } }: Booking): Booking {
  const { pricing } = booking;
  const permitted = [{ modificationType: '10' }];
  const fareRules = [{ name: 'Penalties', text: 'Fee SAR 30.00' }];
  const document = { number: 'C1112223', docType: '2', nationality: 'SA', expires: '2031-02-03' };
  // A text's language then decides which one is shown.
  type Rules = NonNullable<Booking['pricing']>['fares'][number]['refundRules'];
  const turned = (rules: Rules) => rules.map((rule) => ({ ...rule, texts: rule.texts.toReversed() }));
  const fares = pricing?.fares.map((fare) => ({
    ...fare,
    ...{ refundRules: turned(fare.refundRules), changeRules: turned(fare.changeRules) },
  }));
  return shownBooking({
    ...booking,
    options: booking.options.map((option) => ({
      ...option,
      segments: option.segments.map((segment) => ({ ...segment, fareName: 'Light', fareRules, permitted })),
    })),
    remarks: ['Paid at the desk'],
    references: [...booking.references, { id: 'CHOIR', type: '9', segmentRefs: [] }],
    travelers: booking.travelers.map((traveler) => ({ ...traveler, ...details() })),
    ...(booking.contact && {
      contact: { ...booking.contact, ...details(), ref: '9', gender: 'Female', birthDate: '1980-02-03', document },
    }),
    ...(pricing && { pricing: { ...pricing, quoteId: 'Q-1', fares: fares ?? [] } }),
  });
}

/** What was read, without the airline's own message. */
const fieldsOf = ({ reading: { source: _, reading: __, ...fields } }: Booking) => fields;
const BOOKING = filled(await decoded('read-reply'));
const HOLD = await decoded<Booking>('book-reply');

/** Offers with a whole booking's price, and with the seats left in two classes. */
function priced(found: Result<'searchFares'>): Result<'searchFares'> {
  const pricing = { ...(BOOKING.pricing ?? { fares: [], perType: [] }), refunds: [] };
  const availability = ['C', 'Y'].map((bookingClass) => ({ bookingClass, quantity: '2' }));
  const offers = found.offers.map((offer) => ({
    ...offer,
    pricing,
    options: offer.options.map((option) => ({
      ...option,
      segments: option.segments.map((segment) => ({ ...segment, availability })),
    })),
  }));
  return { ...found, offers };
}

const OPTIONS = { now: Date.parse('2026-11-20T09:05:00Z'), settings: { carrier: 'HHR' } };
const open = (options: DeskOptions) => openDesk({ ...OPTIONS, ...options });
const WINDOW = { from: 'MKX', to: 'DMX', start_date: '2026-12-01', end_date: '2026-12-31' };
const SEARCH = {
  legs: [{ from: 'MKX', to: 'DMX', date: '2026-12-01' }],
  ...{ passengers: { adults: 1 }, max_results: 50, detail: 'full' },
};

type Answer = Pick<Awaited<ReturnType<Desk['result']>>, 'structured' | 'text' | 'isError'>;
type Shown = (value: never) => Promise<Answer>;

/** A result as text, without what differs from call to call, and nothing of an error or of what is not done. */
function own({ structured, isError }: Answer): string | undefined {
  const { operation_id: _, approval: __, status = 'done', ...fields } = structured;
  return isError || status !== 'done' ? undefined : JSON.stringify(fields).replace(/"o\d{6}"/g, '"o"');
}

interface FullReply {
  readonly root: string;
  readonly value: object;
  /** The tools that such a reply is for: each gives its result. */
  open(): Promise<readonly Shown[]>;
}

/** Readings, on one desk for all values. */
function reading<K extends 'read' | 'searchFares' | 'seatMap' | 'routes' | 'calendar'>(
  method: K,
  calls: readonly (readonly [tool: string, args: object])[],
) {
  return async (): Promise<readonly Shown[]> => {
    let value: unknown;
    const airline = {
      read: async () => BOOKING,
      [method]: async () => (method === 'read' ? asRead(value as Booking) : value),
    };
    const desk = await open({ airline: airline as NonNullable<DeskOptions['airline']> });
    let asked = 0;
    return calls.map(([tool, args]) => (given: unknown) => {
      value = given;
      // No caller's share of readings is used up.
      return desk.result(tool, args, { caller: { ...CALLER, id: `ann-${Math.floor(asked++ / 100)}` } });
    });
  };
}

/** An act, on a desk of its own for each value. */
const acting =
  (tool: string, args: object, options: (value: never) => DeskOptions): Shown =>
  async (value) => {
    const desk = await open(options(value));
    const { view, text, isError } = await desk.say(tool, { locator: LOCATOR, ...args });
    return { structured: view, text, isError };
  };

/** What the receipt is for. */
const DUE: Booking = {
  ...HOLD,
  travelers: [bareTraveler('1'), bareTraveler('2', { type: 'INF', attendantRef: '1' })],
  pricing: pricing(37505, { perType: [] }),
};
const paying = acting('pay_booking', { payment: { type: 'cash' } }, (value) => ({
  bookings: [DUE],
  airline: { pay: async () => value },
}));
const releasing = acting('cancel_booking', {}, (value) => ({
  bookings: [HOLD],
  airline: { cancel: async () => value },
}));
const BOOKING_READ = reading('read', [
  ['read_booking', { locator: LOCATOR, detail: 'full', reveal_personal: true }],
  ['send_tickets', { locator: LOCATOR, what: 'tickets' }],
  ['list_bookings', { locators: [LOCATOR] }],
]);
const SEARCHED = reading('searchFares', [['search_fares', SEARCH]]);
/** An availability record has what is sold out, by leg. */
const BOTH_WAYS = [...SEARCH.legs, { from: 'DMX', to: 'MKX', date: '2026-12-05' }];
const SEARCHED_RECORD = reading('searchFares', [
  ['search_fares', { ...SEARCH, legs: BOTH_WAYS, include_sold_out: true }],
]);
const SEATS = reading('seatMap', [['get_seat_map', { locator: LOCATOR, detail: 'full' }]]);
const ROUTES = reading('routes', [['list_routes', { max_results: 500 }]]);
const CALENDAR = reading('calendar', [['get_calendar_dates', WINDOW]]);

const FULL_REPLIES: readonly FullReply[] = [
  { root: 'booking', value: fieldsOf(BOOKING), open: BOOKING_READ },
  { root: 'booking', value: fieldsOf(HOLD), open: BOOKING_READ },
  { root: 'search', value: priced(await decoded('fare-search-reply')), open: SEARCHED },
  { root: 'search', value: await decoded('availability-reply'), open: SEARCHED_RECORD },
  { root: 'receipt', value: await decoded('ticket-reply'), open: async () => [paying] },
  { root: 'cancelled', value: await decoded('cancel-reply'), open: async () => [releasing] },
  { root: 'seats', value: await decoded('seat-map-reply'), open: SEATS },
  { root: 'routes', value: await decoded('routes-reply'), open: ROUTES },
  { root: 'calendar', value: await decoded('calendar-reply'), open: CALENDAR },
];

function isMoney(value: unknown): value is { minor: number; currency: string } {
  return isObject(value) && typeof value.minor === 'number' && typeof value.currency === 'string';
}

/** Paths of the leaves: scalars and amounts of money. An empty list and an undefined field have none. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || isMoney(value)) return [path];
  const items = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return items.flatMap(([key, item]) => leaves(item, [...path, key]));
}

function at(tree: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<string | number, unknown>)[key], tree);
}

/** Lists of which a first item may be shown alone: the others are a field of their own. */
const FIRST_ALONE = ['emails', 'phones', 'addresses'];

/** Structures that occur in several places: a field counts as shown if one place shows it. */
const SHARED: [RegExp, string][] = [
  [/^.*\.segments?\./, 'segment.'],
  [/^(booking|search\.offers)\.pricing\./, 'pricing.'],
  [/^pricing\.fares\.(refund|change)Rules\./, 'pricing.fares.rules.'],
  [/^(booking|receipt)\.references\./, 'reference.'],
  [/^.*\.name\.(?=\w+$)/, 'name.'],
  [/^.*\.links\./, 'link.'],
];

function nameOf(root: string, path: Path): string {
  const keys = path.flatMap((key, i) => {
    if (typeof key === 'string') return [key];
    return key > 0 && FIRST_ALONE.includes(String(path[i - 1])) ? ['others'] : [];
  });
  return SHARED.reduce((name, [long, short]) => name.replace(long, short), [root, ...keys].join('.'));
}

/** Other values of the same kind: no single one would do for codes, dates and amounts alike. */
function others(value: unknown): unknown[] {
  if (isMoney(value)) return [{ ...value, minor: value.minor + 1 }];
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'boolean') return [!value];
  const text = String(value);
  return [`9${text}`, `${text}9`, '999.99', '2026-12-02', '2026-12-02T04:00:00Z', 'REFUND'].filter((o) => o !== text);
}

/** Whether some result changes with the leaf. A refusal shows nothing of it. */
async function tells(value: object, path: Path, [show, before]: readonly [Shown, string]): Promise<boolean> {
  for (const other of others(at(value, path))) {
    const after = own(await show(put({ value }, ['value', ...path], other).value as never));
    if (after !== before && after !== undefined) return true;
  }
  return false;
}

const listed = (field: string) => Object.keys(NOT_SHOWN).find((name) => field === name || field.startsWith(`${name}.`));
const FIELDS = new Set(FULL_REPLIES.flatMap(({ root, value }) => leaves(value).map((path) => nameOf(root, path))));

/** The fields that some tool shows. */
async function shownFields(): Promise<Set<string>> {
  const told = new Set<string>();
  for (const { root, value, open: openTools } of FULL_REPLIES) {
    const shows = await openTools();
    const usual = await Promise.all(shows.map(async (show) => [show, own(await show(value as never))] as const));
    const full = usual.flatMap(([show, before]) => (before === undefined ? [] : [[show, before] as const]));
    expect([root, full.length > 0]).toEqual([root, true]);
    for (const one of full)
      for (const path of leaves(value)) {
        const field = nameOf(root, path);
        if (!told.has(field) && (await tells(value, path, one))) told.add(field);
      }
  }
  return told;
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Plain words, so that nothing but a limit of length shortens them. */
const LONG = 'Abcde fghij '.repeat(atNight(8_400, 1_700));
/** The longest text that a result may carry of one field: whole in one place, and shortened beside a sum. */
const MOST = 1_300;

test.each([
  ['fare-search-reply', SEARCHED],
  ['availability-reply', SEARCHED_RECORD],
  ['read-reply', BOOKING_READ],
  ['seat-map-reply', SEATS],
  ['routes-reply', ROUTES],
  ['calendar-reply', CALENDAR],
] as const)(`cuts texts of ${LONG.length} characters wherever they are in the %s`, async (name, open) => {
  const shows = await open();
  const wire = { reply: fixture(name) };
  const hear = hearerOf(name, wire.reply);
  const longest = async (value: unknown) => {
    const answers = await Promise.all(shows.map((show) => show(value as never)));
    const strings = answers.flatMap(({ structured, text }) => [...stringsOf(structured), text]);
    return Math.max(...strings.map(({ length }) => length));
  };
  const usual = await longest(await hear(wire.reply));
  const grown: string[] = [];
  for (const path of leaves(wire)) {
    const value = typeof at(wire, path) === 'string' && (await hear(put(wire, path, LONG).reply).catch(() => false));
    if (value === false) continue;
    const most = await longest(value);
    if (most > usual + MOST) grown.push(`${path.join('.')}: ${most}`);
  }
  expect(grown).toEqual([]);
});

/** By the start of a reply's name. */
const ROOTS: Readonly<Record<string, string>> = {
  'read hold book modify counts group-book': 'booking',
  'search fare-search availability': 'search',
  'pay ticket': 'receipt',
  cancel: 'cancelled',
  'seat-map': 'seats',
  routes: 'routes',
  calendar: 'calendar',
};

describe('fields of the airline’s replies', () => {
  test('shows each field of a reply in some tool unless it is listed as left out, and none of those', async () => {
    const told = await shownFields();
    expect(FIELDS.size).toBeGreaterThan(150);
    expect([...FIELDS].filter((field) => !told.has(field) && listed(field) === undefined)).toEqual([]);
    expect([...told].filter((field) => listed(field) !== undefined)).toEqual([]);
  });

  test('lists only fields that replies have, each with a reason', () => {
    const seen = new Set([...FIELDS].map(listed));
    expect(Object.keys(NOT_SHOWN).filter((name) => !seen.has(name))).toEqual([]);
    for (const reason of Object.values(NOT_SHOWN)) expect(reason.length).toBeGreaterThan(15);
  });

  test('has every field of the hand-written replies in the full replies', async () => {
    const missing = replyFixtures(goldenNames('replies')).map(async ({ name, wire, hear }) => {
      const [, root] =
        Object.entries(ROOTS).find(([names]) => names.split(' ').some((one) => name.startsWith(one))) ?? [];
      const value = root === undefined ? {} : await hear(wire);
      const rest = root === 'booking' ? fieldsOf(value as Booking) : value;
      const fields = leaves(rest).map((path) => nameOf(root ?? '', path));
      return root === undefined ? [] : fields.filter((field) => !FIELDS.has(field)).map((field) => `${name}: ${field}`);
    });
    expect((await Promise.all(missing)).flat()).toEqual([]);
  });
});
