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

describe('fares that stand only in the rows (rail)', () => {
  test('each segment gets the adult’s fare code from the row that names the segment', async () => {
    const { offers } = await found('search-rail-rows');
    expect(offers.map(faresOf)).toEqual([['ECOFLEX1', 'ECOSAVE2']]);
  });

  test('the price of one segment and passenger type is known, for all of that type together', async () => {
    const [offer] = (await found('search-rail-rows')).offers;
    if (offer === undefined) throw new Error('no offer');
    expect(priceOf(offer, 'ADT', 0)).toEqual([{ count: 2, minor: 23_000 }]);
    expect(priceOf(offer, 'ADT', 1)).toEqual([{ count: 2, minor: 18_400 }]);
    expect(priceOf(offer, 'CHD', 0)).toEqual([{ count: 1, minor: 5_750 }]);
    expect(sumOfRows(offer)).toBe(51_750);
    expect(offer.pricing.total?.total.minor).toBe(51_750);
  });

  test('a row without segments, in the old form, belongs to all of them', async () => {
    const [offer] = (await found('search-old-rows')).offers;
    expect(offer?.pricing.perType.map(({ segmentRefs }) => segmentRefs)).toEqual([[], []]);
    expect(offer && faresOf(offer)).toEqual(['ECOFLEX1', 'ECOFLEX1']);
  });
});

describe('rows of another class beside the offer’s own', () => {
  test('only rows of the segment’s class count, so they add up to the first total', async () => {
    const { offers } = await found('search-rail-two-classes', 'rail', { ...oneLeg, bookingClasses: ['Y', 'C'] });
    expect(offers.map((offer) => [faresOf(offer), sumOfRows(offer)])).toEqual([
      [['ECOFLEX1'], 23_000],
      [['BIZFLEX1'], 57_500],
    ]);
  });

  test('a second total without usage is neither the party’s nor a refund', async () => {
    const { offers } = await found('search-rail-two-classes', 'rail', oneLeg);
    expect(offers.map(({ pricing }) => pricing.total?.total.minor)).toEqual([23_000, 57_500]);
    expect(offers.flatMap(({ pricing }) => pricing.refunds)).toEqual([]);
  });
});

test('without rows, fareInfos give the codes in the order of the segments, and an entry without airports none', async () => {
  const query = {
    ...input.RAIL_SEARCH,
    legs: [...input.RAIL_SEARCH.legs, { from: 'AAA', to: 'BBB', date: '2031-05-09', daysBefore: 0, daysAfter: 0 }],
  };
  const { offers } = await found('search-rail-fare-infos', 'rail', query);
  expect(offers.map(faresOf)).toEqual([['ECOFLEX1', 'ECOSAVE2', 'ECOFULL3']]);
});

describe('airline rows', () => {
  test('the code belongs to the segments in the row’s own list, else to those of its ticket designators', async () => {
    const { offers } = await found('search-airline', 'airline', flightSearch);
    expect(offers.map(faresOf)).toEqual([
      ['LIGHT1', 'CLASSIC2'],
      ['FLEX1', 'FLEX2'],
    ]);
  });

  test('taxes and fees without an amount are the sum of their items', async () => {
    const [offer] = (await found('search-airline', 'airline', flightSearch)).offers;
    const { taxes, fees, total } = offer?.pricing.total ?? {};
    expect([taxes?.minor, fees?.minor, total?.minor]).toEqual([5_000, 1_000, 26_000]);
    expect(total?.currency).toBe('EUR');
  });

  test('the family name stands on the segment or in the row', async () => {
    const [offer] = (await found('search-airline', 'airline', flightSearch)).offers;
    expect(offer?.options.flatMap(({ segments }) => segments)).toMatchObject([
      { fareName: 'Light' },
      { fareName: 'Classic' },
    ]);
  });

  test('rows name their traveller and one segment', async () => {
    const [offer] = (await found('search-airline', 'airline', flightSearch)).offers;
    expect(offer?.pricing.perType.map(({ travelerRefs, segmentRefs }) => [travelerRefs, segmentRefs])).toEqual([
      [['1'], ['1']],
      [['1'], ['2']],
    ]);
  });
});

describe('the availability record', () => {
  const query = { ...oneLeg, includeSoldOut: true, passengers: { adults: 2, children: 1, infants: 0 } };

  test('amounts of a fare, a profile and a detail are for the quantity that stands there', async () => {
    const { offers } = await found('availability', 'rail', query);
    const [offer] = offers;
    expect(offer?.pricing.total?.total.minor).toBe(28_750);
    expect(offer?.pricing.perType.map(({ type, count, price }) => [type, count, price?.total.minor])).toEqual([
      ['ADT', 2, 23_000],
      ['CHD', 1, 5_750],
    ]);
  });

  test('times are UTC while the journey date is local', async () => {
    const [offer] = (await found('availability', 'rail', query)).offers;
    const segment = offer?.options[0]?.segments[0];
    expect(Date.parse(segment?.departs ?? '')).toBe(Date.parse('2031-05-03T22:10:00Z'));
    expect(segment?.journeyDate).toBe('2031-05-04');
  });

  test('the fare’s id is its code and its description the family name', async () => {
    const [offer] = (await found('availability', 'rail', query)).offers;
    expect(offer?.options[0]?.segments[0]).toMatchObject({
      fareBasis: 'ECOFLEX1',
      fareName: 'Flexible',
      bookingClass: 'Y',
    });
  });

  test('a class without seats is sold out, and the time limit of the offers is kept', async () => {
    const { soldOut, validUntil } = await found('availability', 'rail', query);
    expect(soldOut.map(({ bookingClass }) => bookingClass)).toEqual(['C']);
    expect(validUntil).toBe('2031-04-01T09:20:00Z');
  });
});

describe('nothing on offer', () => {
  test('an empty list with success is an answer', async () => {
    expect((await found('search-empty')).offers).toEqual([]);
  });

  test('itineraries that cannot be read are a reply not understood, never an empty offer', async () => {
    expect((await failureOf(found('search-unreadable'))).code).toBe('E_AIRLINE_REPLY');
  });
});
