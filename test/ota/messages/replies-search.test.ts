/**
 * Search replies, written by hand as the airline sends them (docs/wire/notes.md, Fares and prices).
 */
import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/harness.ts';
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

  test('assigns a row without segments to all segments, as in the old form', async () => {
    const [offer] = (await found('search-old-rows')).offers;
    expect(offer?.pricing.perType.map(({ segmentRefs }) => segmentRefs)).toEqual([[], []]);
    expect(offer && faresOf(offer)).toEqual(['ECOFLEX1', 'ECOFLEX1']);
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

test('takes fare codes from fareInfos in the order of the segments if there are no rows', async () => {
  const query = {
    ...input.RAIL_SEARCH,
    legs: [...input.RAIL_SEARCH.legs, { from: 'AAA', to: 'BBB', date: '2031-05-09', daysBefore: 0, daysAfter: 0 }],
  };
  const { offers } = await found('search-rail-fare-infos', 'rail', query);
  expect(offers.map(faresOf)).toEqual([['ECOFLEX1', 'ECOSAVE2', 'ECOFULL3']]);
});

describe('airline rows', () => {
  test("takes the segments of an airline fare code from the row's list, or else from its ticket designators", async () => {
    const { offers } = await found('search-airline', 'airline', flightSearch);
    expect(offers.map(faresOf)).toEqual([
      ['LIGHT1', 'CLASSIC2'],
      ['FLEX1', 'FLEX2'],
    ]);
  });

  test('adds up the items of taxes and fees without an amount', async () => {
    const [offer] = (await found('search-airline', 'airline', flightSearch)).offers;
    const { taxes, fees, total } = offer?.pricing.total ?? {};
    expect([taxes?.minor, fees?.minor, total?.minor]).toEqual([5_000, 1_000, 26_000]);
    expect(total?.currency).toBe('EUR');
  });

  test('finds the name of a fare family on the segment or in the row', async () => {
    const [offer] = (await found('search-airline', 'airline', flightSearch)).offers;
    expect(offer?.options.flatMap(({ segments }) => segments)).toMatchObject([
      { fareName: 'Light' },
      { fareName: 'Classic' },
    ]);
  });

  test('reads one traveller and one segment from each airline row', async () => {
    const [offer] = (await found('search-airline', 'airline', flightSearch)).offers;
    expect(offer?.pricing.perType.map(({ travelerRefs, segmentRefs }) => [travelerRefs, segmentRefs])).toEqual([
      [['1'], ['1']],
      [['1'], ['2']],
    ]);
  });
});

describe('the availability record', () => {
  const query = { ...oneLeg, includeSoldOut: true, passengers: { adults: 2, children: 1, infants: 0 } };

  test('reads the amounts of an availability record for the whole quantity stated', async () => {
    const { offers } = await found('availability', 'rail', query);
    const [offer] = offers;
    expect(offer?.pricing.total?.total.minor).toBe(28_750);
    expect(offer?.pricing.perType.map(({ type, count, price }) => [type, count, price?.total.minor])).toEqual([
      ['ADT', 2, 23_000],
      ['CHD', 1, 5_750],
    ]);
  });

  test('reads the times of an availability record as UTC and its journey date as local', async () => {
    const [offer] = (await found('availability', 'rail', query)).offers;
    const segment = offer?.options[0]?.segments[0];
    expect(Date.parse(segment?.departs ?? '')).toBe(Date.parse('2031-05-03T22:10:00Z'));
    expect(segment?.journeyDate).toBe('2031-05-04');
  });

  test("takes the fare's id as its code and its description as the family name", async () => {
    const [offer] = (await found('availability', 'rail', query)).offers;
    expect(offer?.options[0]?.segments[0]).toMatchObject({
      fareBasis: 'ECOFLEX1',
      fareName: 'Flexible',
      bookingClass: 'Y',
    });
  });

  test('reports a class without seats as sold out and keeps the time limit of the offers', async () => {
    const { soldOut, validUntil } = await found('availability', 'rail', query);
    expect(soldOut.map(({ bookingClass }) => bookingClass)).toEqual(['C']);
    expect(validUntil).toBe('2031-04-01T09:20:00Z');
  });
});

describe('nothing on offer', () => {
  test('reads an empty list with success as a search without results', async () => {
    expect((await found('search-empty')).offers).toEqual([]);
  });

  test('reports itineraries that cannot be read as an error, never as no offers', async () => {
    const error = await failureOf(found('search-unreadable'));
    expect(error.code).toBe('E_AIRLINE_REPLY');
    expect(error.message).toContain('could not be understood. Whether it offers anything is not known.');
  });
});
