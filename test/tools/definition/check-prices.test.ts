/**
 * Price checks in a search: few, only if they are switched on, and never a reason for the search to fail.
 */
import { describe, expect, test } from 'vitest';
import type { Airline } from '../../../src/domain/airline.ts';
import type { PriceCheck } from '../../../src/domain/pricing/fare-search.ts';
import { ClerkError } from '../../../src/errors.ts';
import { searchFares } from '../../../src/tools/search-fares.ts';
import { option, price, row, sar, segment } from '../../support/bookings.ts';
import { offer, openDesk, parsed } from '../support/tool-context.ts';

const OFFERS = [100, 200, 300, 400].map((minor, i) =>
  offer({
    options: [option(segment('1', { fareBasis: `F${i}` }))],
    pricing: { total: price(sar(minor)), refunds: [], fares: [], perType: [row('ADT', 1, sar(minor))] },
  }),
);
const CHECKING = { dialect: 'airline', priceCheck: true } as const;

const confirmed: Airline['checkPrice'] = async ({ options }) => {
  const minor = (Number(options[0]?.segments[0]?.fareBasis?.slice(1)) + 1) * 100;
  return { options, pricing: { total: price(sar(minor)), refunds: [], fares: [], perType: [] } };
};

async function search(checkPrice: Airline['checkPrice'], settings: object = CHECKING, detail = 'full') {
  const found = { form: 'itineraries' as const, offers: OFFERS, soldOut: [] };
  const desk = openDesk({ airline: { searchFares: async () => found, checkPrice }, settings });
  const legs = [{ from: 'MED', to: 'JED', date: '2026-12-01' }];
  const args = parsed(searchFares, { legs, passengers: { adults: 1 }, detail });
  const output = searchFares.output().parse(await searchFares.run(args, desk.ctx));
  const checks = desk.asked.filter(([method]) => method === 'checkPrice');
  return { desk, output, checks, text: searchFares.text(output, args) };
}

describe('price checks', () => {
  test('checks the prices of the three cheapest offers and marks them', async () => {
    const { output, checks, text } = await search(confirmed);
    expect(checks).toHaveLength(3);
    expect(output.offers.map(({ checked }) => checked)).toEqual([true, true, true, undefined]);
    expect(text).toContain('price checked');
  });

  test.each([
    ['the setting is off', { dialect: 'airline' }, 'full'],
    ['the search is concise', CHECKING, 'concise'],
    ['the dialect is rail', { priceCheck: true }, 'full'],
  ])('checks no price if %s', async (_, settings, detail) => {
    const { output, checks } = await search(confirmed, settings, detail);
    expect(checks).toEqual([]);
    expect(output.offers[0]).not.toHaveProperty('checked');
  });

  test('checks prices in the rail dialect if assumed operations are on', async () => {
    const { checks } = await search(confirmed, { dialect: 'rail', priceCheck: true, assumedOperations: true });
    expect(checks).toHaveLength(3);
  });

  test("quotes the airline's rule texts from a price check, without links or markup", async () => {
    const words = { name: 'Refund', text: 'Fee 10 EUR.\nSee <a href="https://x.example">here</a>' };
    const { output } = await search(async (query) => ({
      ...(await confirmed(query)),
      options: [option(segment('1', { fareBasis: 'F0', fareRules: [words, { text: 'No changes.' }] }))],
    }));
    const [first = '', second] = output.offers[0]?.notes ?? [];
    expect(first).toMatch(/^The airline says of “Refund”: “Fee 10 EUR\. See/);
    expect(first).not.toMatch(/[<>\n]|https:/);
    expect(second).toBe('The airline says: “No changes.”');
  });

  test('shows both prices if the check confirms another one, and stores the new one', async () => {
    const dearer: PriceCheck = {
      options: [],
      pricing: { total: price(sar(777)), refunds: [], fares: [], perType: [] },
    };
    const { desk, output } = await search(async () => dearer);
    expect(output.offers[0]).toMatchObject({ total: '7.77', checked: true });
    expect(output.offers[0]?.notes).toContain('The airline now asks SAR 7.77; the search said SAR 1.00.');
    expect(desk.shelf.get('o000001')?.offer.pricing.total?.total).toEqual(sar(777));
  });

  test('ignores price and rules of a check that the airline made for another fare', async () => {
    const light = option(segment('1', { fareBasis: 'F0', fareRules: [{ text: 'No refund.' }] }));
    const { desk, output } = await search(async () => ({
      options: [light],
      pricing: { total: price(sar(100)), refunds: [], fares: [], perType: [] },
    }));
    expect(output.offers[0]).toMatchObject({ total: '1.00', checked: true });
    expect(output.offers[1]?.total).toBe('2.00');
    expect(output.offers[1]?.checked ?? false).toBe(false);
    expect(output.offers[1]?.notes).toEqual([
      'The airline checked the price of another fare of these flights, so this one is not checked.',
    ]);
    expect(desk.shelf.get('o000002')?.offer.pricing.total?.total).toEqual(sar(200));
  });

  test('returns the search unchanged if price checks fail', async () => {
    const { output, checks } = await search(async () => {
      throw new ClerkError('E_AIRLINE_DOWN', 'The airline failed.', { next: 'Later.' });
    });
    expect(checks).toHaveLength(3);
    expect(output.offers).toHaveLength(4);
    expect(output.offers.some(({ checked }) => checked)).toBe(false);
  });

  test('stops checking after a check that may have made a hold, and says how to release it', async () => {
    const { output, checks, text } = await search(async (query) => ({
      ...(await confirmed(query)),
      possibleHold: 'K7PL2M',
    }));
    expect(checks).toHaveLength(1);
    expect(output.unintended_hold).toBe('K7PL2M');
    expect(output.offers[0]).not.toHaveProperty('checked');
    expect(text).toMatch(/CAUTION: .*K7PL2M.*expires by itself.*cancel_booking/);
  });
});
