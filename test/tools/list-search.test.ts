/** list_bookings with several words in a ledger that has more bookings than are looked at together. */
import { expect, test } from 'vitest';
import { NOW } from '../support/bookings.ts';
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
  expect([locatorsIn(view), view.total_found]).toEqual([['OLD111'], 1]);
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
