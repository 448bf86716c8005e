import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searched } from '../support/asked.ts';
import type { FareSearchResult } from '../support/port.ts';

const flightSegment = [{ departureAirport: 'AAA', arrivalAirport: 'BBB', flightNumber: '0417' }];

const itinerary = (amount: unknown, currencyCode: unknown = 'SAR', n = 0) => ({
  airItinerary: { originDestinationOptions: { originDestinationOption: [{ flightSegment }] } },
  airItineraryPricingInfo: { itinTotalFare: [{ totalFare: { currencyCode, amount } }] },
  notes: [`offer ${n}`],
});
const replyOf = (itineraries: readonly unknown[]) => ({
  success: {},
  pricedItineraries: { pricedItinerary: itineraries },
});

/** The totals of the cheapest offers of the list, in the list's order where they are the same. */
const cheapest = ({ offers }: FareSearchResult, most: number) =>
  offers
    .map(({ notes, pricing }) => ({ notes, minor: pricing.total?.total.minor ?? 0 }))
    .sort((one, other) => one.minor - other.minor)
    .slice(0, most);

describe('the cheapest itineraries', () => {
  test('finds the same cheapest itineraries as reading all of them, in the same order', async () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(amounts, fc.integer({ min: 1, max: 12 }), async (totals, most) => {
        const reply = replyOf(totals.map((total, n) => itinerary(total / 4, 'SAR', n)));
        const [all, few] = [await searched(reply), await searched(reply, most)];
        expect(cheapest(few, most)).toEqual(cheapest(all, most));
        expect(few.offers.length + (few.unread ?? 0)).toBe(all.offers.length);
      }),
    );
  });

  test.each([
    ['no more than the limit', [itinerary(1), itinerary(2)]],
    ['one without a total', [itinerary(1), itinerary(2), itinerary(undefined)]],
    ['one without a currency', [itinerary(1), itinerary(2), itinerary(3, null)]],
    ['two currencies', [itinerary(1), itinerary(2), itinerary(3, 'USD')]],
    ['a total that is not a number', [itinerary(1), itinerary(2), itinerary('cheap')]],
  ])('keeps all itineraries of a reply with %s', async (_, itineraries) => {
    const reply = replyOf(itineraries);
    expect(await searched(reply, 2)).toEqual(await searched(reply));
  });

  test('compares amounts that are sent as strings', async () => {
    const reply = replyOf([itinerary('9.50'), itinerary('10.00'), itinerary('9.25')]);
    const { offers, unread } = await searched(reply, 1);
    expect([unread, offers.map(({ pricing }) => pricing.total?.total.minor)]).toEqual([2, [925]]);
  });
});
