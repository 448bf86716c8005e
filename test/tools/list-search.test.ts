/** list_bookings with several words in a ledger that has more bookings than are looked at together. */
import { describe, expect, test } from 'vitest';
import { NOW, ticketed, withLocator } from '../support/bookings.ts';
import { contactNamed, traveler } from '../support/people.ts';
import { CALLER, openDesk } from './support/desk.ts';

const station = (code: string, name: string) => ({ code, name, city: name, cityCode: code, country: 'SA' });
const airline = { routes: async () => [{ from: station('MED', 'Madinah'), to: [station('JED', 'Jeddah')] }] };
const TRIP = { state: 'ticketed', madeHere: true, departs: '2026-12-01T08:00+03:00' };

/** 1,100 bookings of one customer, and an older one of another. */
async function fullDesk() {
  const desk = await openDesk({ airline });
  const { ledger } = desk.state;
  const old = { locator: 'OLD111', seenAt: NOW - 1, route: 'MED-JED', contactName: 'Layla Haddad', ...TRIP };
  await ledger.record(CALLER, old);
  const newer = { seenAt: NOW, route: 'JED-MED', contactName: 'Omar Berg', ...TRIP };
  for (let i = 0; i < 1_100; i++) await ledger.record(CALLER, { ...newer, locator: `N${i}` });
  return desk;
}

const locatorsIn = (view: { bookings: { locator: string }[] }) => view.bookings.map(({ locator }) => locator);

test('an older booking is found by a name and another fact, and nothing is said to be left out', async () => {
  const { view } = await (await fullDesk()).read('list_bookings', { query: 'haddad Madinah' });
  expect([locatorsIn(view), view.total_found]).toEqual([['OLD111'], undefined]);
  expect(view.next ?? '').not.toContain('compared');
});

test('without a name among the words, or with one that too many have, it says that older ones were not compared', async () => {
  const desk = await fullDesk();
  for (const query of ['Madinah 2026-12-01', 'berg Madinah']) {
    const { view, text } = await desk.read('list_bookings', { query });
    for (const half of [view.next, text])
      expect(half).toContain(
        'Only the 1000 bookings seen last were compared with all words of the query: an older one',
      );
    expect(locatorsIn(view)).not.toContain('OLD111');
  }
});

describe('two customers of one name, and one whose name begins like theirs', () => {
  interface Customer {
    readonly given?: string;
    readonly surname?: string;
    readonly email?: string;
    readonly phone?: readonly [code: string | undefined, number: string];
    readonly birthDate?: string;
  }
  function bookingOf(locator: string, customer: Customer) {
    const { given = 'Amelia', surname = 'Davis', email, phone, birthDate } = customer;
    const [countryCode, number] = phone ?? [];
    const reached = {
      emails: email === undefined ? [] : [email],
      phones: number === undefined ? [] : [{ countryCode, number }],
    };
    const contact = contactNamed(given, surname, reached);
    const travelers = [traveler('1', given, surname, { birthDate, emails: [], phones: [] })];
    return withLocator(locator, ticketed({ contact, travelers }));
  }
  const ONE = { email: 'Amelia.Davis@example.com', phone: ['966', '501234567'], birthDate: '1991-04-17' } as const;
  const OTHER = {
    email: 'a.davis@example.net',
    phone: [undefined, '+1 415 555 2671'],
    birthDate: '1968-02-29',
  } as const;

  async function deskOf(customers: Readonly<Record<string, Customer>>) {
    const bookings = Object.entries(customers).map(([locator, customer]) => bookingOf(locator, customer));
    const desk = await openDesk({ airline, bookings });
    await desk.read('list_bookings', { locators: Object.keys(customers) });
    return desk;
  }
  const customers = { FIRST1: ONE, OTHER2: OTHER, DAV550: { surname: 'Davison', ...ONE, email: 'son@example.com' } };

  test('are not mixed: none is shown before a second fact, unless both are reached in the same way', async () => {
    const desk = await deskOf(customers);
    for (const query of ['davis', 'Amelia Davis', 'davis a']) {
      const { view } = await desk.read('list_bookings', { query });
      expect([query, locatorsIn(view), view.summary]).toEqual([
        query,
        [],
        '2 bookings of several customers have this name; none of them is shown.',
      ]);
      expect(view.next).toContain('e-mail or telephone, a station');
    }
    const one = await deskOf({ FIRST1: ONE, AGAIN3: { ...ONE, email: 'new@example.com' }, PLAIN4: {} });
    expect(locatorsIn((await one.read('list_bookings', { query: 'davis' })).view)).toHaveLength(3);
  });

  const MIDDLE = { email: ONE.email, phone: OTHER.phone };

  test.each<[Readonly<Record<string, Customer>>, number]>([
    [{ PLAIN4: {}, FIRST1: ONE, OTHER2: OTHER }, 0],
    [{ FIRST1: ONE, PLAIN4: {}, OTHER2: OTHER }, 0],
    [{ FIRST1: ONE, OTHER2: OTHER, PLAIN4: {} }, 0],
    [{ FIRST1: ONE, OTHER2: OTHER, MIDDL5: MIDDLE }, 0],
    [{ MIDDL5: MIDDLE, FIRST1: ONE, OTHER2: OTHER }, 0],
    [{ FIRST1: ONE, MIDDL5: MIDDLE }, 2],
  ])('are shown or hidden alike in any order: %j', async (all, shown) => {
    const desk = await deskOf(all);
    for (const query of ['davis', 'Amelia Davis'])
      expect(locatorsIn((await desk.read('list_bookings', { query })).view)).toHaveLength(shown);
  });

  /** All orders of a list. */
  function ordersOf<T>(all: readonly T[]): readonly (readonly T[])[] {
    if (all.length === 0) return [[]];
    return all.flatMap((one, at) => ordersOf(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
  }

  const [LINA, SAMI] = ['Davis L.', 'Davis S.'];
  test.each<
    [string, readonly { readonly travelers: readonly string[]; readonly reached?: readonly string[] }[], number]
  >([
    [
      'two of which only a third shares a sign with each',
      [
        { travelers: [LINA], reached: ['e1', 'p1'] },
        { travelers: [LINA], reached: ['e1', 'p2'] },
        { travelers: [LINA], reached: ['p2'] },
      ],
      0,
    ],
    [
      'two of which only a third shares a name with each',
      [
        { travelers: [LINA], reached: ['e1', 'e9'] },
        { travelers: [LINA, SAMI], reached: ['e1'] },
        { travelers: [SAMI], reached: ['e9'] },
      ],
      0,
    ],
    [
      'two of which only a third without signs shares a name with each',
      [{ travelers: [LINA], reached: ['e1'] }, { travelers: [LINA, SAMI] }, { travelers: [SAMI] }],
      0,
    ],
    [
      'two customers, and one who may be either',
      [{ travelers: [LINA], reached: ['e1'] }, { travelers: [LINA], reached: ['e2'] }, { travelers: [LINA] }],
      0,
    ],
  ])('are shown or hidden alike in all orders: %s', async (_, bookings, shown) => {
    for (const order of ordersOf(bookings)) {
      const desk = await openDesk({ airline });
      for (const [i, each] of order.entries())
        await desk.state.ledger.record(CALLER, {
          locator: `D${i}`,
          seenAt: NOW + i,
          contactName: 'Ann Baker',
          ...TRIP,
          ...each,
        });
      expect(locatorsIn((await desk.read('list_bookings', { query: 'davis' })).view)).toHaveLength(shown);
    }
  });

  test.each([
    ['davis amelia.davis@EXAMPLE.com', ['FIRST1']],
    ['a.davis@example.net', ['OTHER2']],
    ['davis 0501234567', ['FIRST1']],
    ['Davis +966 (0)50 123-4567', ['FIRST1']],
    ['+966 50 123 4567 davis a', ['FIRST1']],
    ['(415) 555-2671', ['OTHER2']],
    ['davis 00966501234568', []],
    ['davison', ['DAV550']],
    ['davi', []],
    ['dav550', ['DAV550']],
  ])('are distinguished by e-mail and telephone, whole words first: %s', async (query, expected) => {
    const desk = await deskOf(customers);
    const { view } = await desk.read('list_bookings', { query });
    expect(locatorsIn(view).sort()).toEqual(expected);
  });

  test('keeps of an e-mail address and a telephone only four characters that no text repeats', async () => {
    const desk = await deskOf(customers);
    const { entries } = await desk.state.ledger.find(CALLER, { limit: 10 });
    const kept = JSON.stringify(entries);
    expect(kept).not.toMatch(/example|1234567|5552671|1991|1968/);
    expect(entries.flatMap(({ reached = [] }) => reached.map(({ length }) => length))).toEqual([4, 4, 4, 4, 4, 4]);
  });
});
