/** What each passenger type pays together, as a reading shows it: airlines send a row for each type, segment or passenger. */
import { expect, test } from 'vitest';
import { held, price, row, sar, type TypePrice } from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';
import { callsOf } from '../../tools/support/desk.ts';

const reading = callsOf('read_booking', { locator: 'ABC123', detail: 'full' });

/** Type, number and sum, for these passengers; without them, as the rows count. */
async function sums(rows: readonly TypePrice[], travelers: ReturnType<typeof traveler>[] = []) {
  const total = price(sar(rows.reduce((sum, one) => sum + (one.price?.total.minor ?? 0), 0)));
  const booking = held({ travelers, pricing: { total, refunds: [], fares: [], perType: rows } });
  const { per_type = [] } = (await reading.read(booking)).view.booking.price ?? {};
  return per_type.map((one: { type: string; count: number; total: string }) => `${one.count} ${one.type} ${one.total}`);
}
const adults = (count: number, minor: number, over = {}) => row('ADT', count, sar(minor), over);

test('is one sum for each type, whether rows are for types, segments or passengers', async () => {
  expect(await sums([])).toEqual([]);
  expect(await sums([adults(2, 20000), row('CHD', 1, sar(5000))])).toEqual(['2 ADT 200.00', '1 CHD 50.00']);
  const pairs = [
    [{ segmentRefs: ['1'] }, { segmentRefs: ['2'] }],
    [{ travelerRefs: ['1', '2'] }, { travelerRefs: ['2', '1'] }],
    [{}, {}],
  ];
  for (const [one, two] of pairs)
    expect(await sums([adults(2, 20000, one), adults(2, 15000, two)])).toEqual(['2 ADT 350.00']);
  const each = [
    [{ travelerRefs: ['1'] }, { travelerRefs: ['2'] }],
    [{ segmentRefs: ['1', '2'] }, { segmentRefs: ['2', '1'] }],
  ];
  for (const [one, two] of each) expect(await sums([adults(1, 100, one), adults(1, 100, two)])).toEqual(['2 ADT 2.00']);
});

test('is not told if a row has no price or another currency', async () => {
  const { price: _, ...unpriced } = adults(1, 100);
  for (const other of [unpriced, row('ADT', 1, { minor: 5, currency: 'EUR' })])
    expect(await sums([adults(1, 100), other])).toEqual([]);
});

test('counts the passengers of the booking if they are named', async () => {
  const two = ['1', '2'].map((ref) => traveler(ref, 'Amal', 'Haddad'));
  expect(await sums([adults(1, 100), adults(1, 100), row('CHD', 1, sar(50))], two)).toEqual([
    '2 ADT 2.00',
    '1 CHD 0.50',
  ]);
  expect(await sums([row('constructor', 3, sar(1))])).toEqual(['3 constructor 0.01']);
});
