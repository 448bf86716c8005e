/**
 * Search replies, written by hand as the airline sends them (docs/wire/notes.md, Fares and prices).
 */
import { describe, expect, test } from 'vitest';
import * as input from './golden-inputs.ts';
import { faresOf, found, priceOf, sumOfRows } from './replied.ts';

const oneLeg = { ...input.RAIL_SEARCH, legs: input.RAIL_SEARCH.legs.slice(0, 1) };
const flightSearch = {
  ...input.AIRLINE_SEARCH,
  legs: [...input.AIRLINE_SEARCH.legs, { from: 'DDD', to: 'CCC', date: '2031-05-08', daysBefore: 0, daysAfter: 0 }],
};

describe('fares that are only in the rows (rail)', () => {
  test("gives each segment the adult's fare code from its row", async () => {
    const { offers } = await found('search-rail-rows');
    expect(offers.map(faresOf)).toEqual([['ECOFLEX1', 'ECOSAVE2']]);
  });

  test('reads the price of each segment and passenger type, for all passengers of the type', async () => {
    const [offer] = (await found('search-rail-rows')).offers;
    if (offer === undefined) throw new Error('no offer');
    expect(priceOf(offer, 'ADT', 0)).toEqual([{ count: 2, minor: 23_000 }]);
    expect(priceOf(offer, 'ADT', 1)).toEqual([{ count: 2, minor: 18_400 }]);
    expect(priceOf(offer, 'CHD', 0)).toEqual([{ count: 1, minor: 5_750 }]);
    expect(sumOfRows(offer)).toBe(51_750);
    expect(offer.pricing.total?.total.minor).toBe(51_750);
  });
});

describe('rows of another class beside those of the offer', () => {
  test("counts only rows of the segment's class, which add up to the first total", async () => {
    const { offers } = await found('search-rail-two-classes', 'rail', { ...oneLeg, bookingClasses: ['Y', 'C'] });
    expect(offers.map((offer) => [faresOf(offer), sumOfRows(offer)])).toEqual([
      [['ECOFLEX1'], 23_000],
      [['BIZFLEX1'], 57_500],
    ]);
  });

  test("takes a second total without usage neither as the party's price nor as a refund", async () => {
    const { offers } = await found('search-rail-two-classes', 'rail', oneLeg);
    expect(offers.map(({ pricing }) => pricing.total?.total.minor)).toEqual([23_000, 57_500]);
    expect(offers.flatMap(({ pricing }) => pricing.refunds)).toEqual([]);
  });
});

describe('airline rows', () => {
  test("takes the segments of an airline fare code from the row's list, or else from its ticket designators", async () => {
    const { offers } = await found('search-airline', 'airline', flightSearch);
    expect(offers.map(faresOf)).toEqual([
      ['LIGHT1', 'CLASSIC2'],
      ['FLEX1', 'FLEX2'],
    ]);
  });

  test('finds the name of a fare family on the segment or in the row', async () => {
    const [offer] = (await found('search-airline', 'airline', flightSearch)).offers;
    expect(offer?.options.flatMap(({ segments }) => segments)).toMatchObject([
      { fareName: 'Light' },
      { fareName: 'Classic' },
    ]);
  });
});
