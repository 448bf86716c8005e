/**
 * Searches with airlines that behave differently (docs/wire/notes.md, fares and prices, errors).
 */
import { afterEach, describe, expect, test } from 'vitest';
import { inDays } from '../../e2e/trip.ts';
import { emptySearch } from '../../support/sandbox/behaviours.ts';
import { deviations } from '../../support/sandbox/deviations.ts';
import { type Counter, cents, DIALECTS, ENDS, held, type Json, offersOf, openCounter, people } from './counter.ts';

let counter: Counter;
afterEach(() => counter.close());

const sumOf = (offer: Json): number =>
  offer.per_type.reduce((sum: number, { total }: { total: string }) => sum + cents(total), 0);

describe.each(DIALECTS)('in the %s dialect', (dialect) => {
  test('does not count price rows of the other class that was searched for', async () => {
    counter = await openCounter(dialect, { sandbox: { rewrite: deviations('otherClassRows') } });
    const offers = await offersOf(counter, { adults: 2, children: 1, classes: ['Y', 'C'] });
    expect(offers.length).toBeGreaterThan(5);
    for (const offer of offers) {
      expect(offer.per_type.map(({ type, count }: Json) => [type, count])).toEqual([
        ['ADT', 2],
        ['CHD', 1],
      ]);
      expect(sumOf(offer)).toBe(cents(offer.total));
    }
  });

  test('does not take a second total, of one adult, as the price of the party', async () => {
    counter = await openCounter(dialect, { sandbox: { rewrite: deviations('secondTotal') } });
    const [offer] = await offersOf(counter, { adults: 3 });
    const { booking, not_as_offered: changed } = await held(counter, offer, people(3));
    const [created] = counter.sandbox.ledger();
    expect([cents(offer.total), cents(booking.total), changed]).toEqual([
      created?.amount?.minor,
      created?.amount?.minor,
      undefined,
    ]);
  });

  test.each(['list', 'no_tariff', 'no_availability'] as const)(
    'reports no availability, not a missing booking, for an empty search (%s)',
    async (form) => {
      counter = await openCounter(dialect, { sandbox: { ...(form !== 'list' && { rewrite: emptySearch(form) }) } });
      const [from, to] = ENDS[dialect];
      const search = { legs: [{ from, to, date: inDays(20) }], passengers: { adults: 1 }, booking_classes: ['Z'] };
      const found = await counter.client.call('search_fares', search);
      expect(found.structuredContent.error).toMatchObject({ code: 'E_NO_AVAILABILITY' });
      expect(found.content[0]?.text).not.toMatch(/booking is|locator/i);
    },
  );
});
