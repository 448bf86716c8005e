import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFareSearchReply } from '../../../src/ota/messages/fare-search.ts';
import { cheapestItineraries } from '../../../src/ota/messages/parts/priced-itinerary.ts';
import { cheapest } from '../../../src/tools/definition/fare-search.ts';

const flightSegment = [{ departureAirport: 'AAA', arrivalAirport: 'BBB', flightNumber: '0417' }];

const itinerary = (amount: unknown, currencyCode: unknown = 'SAR', n = 0) => ({
  airItinerary: { originDestinationOptions: { originDestinationOption: [{ flightSegment }] } },
  airItineraryPricingInfo: { itinTotalFare: [{ totalFare: { currencyCode, amount } }] },
  sequenceNumber: n,
});
const replyOf = (itineraries: readonly unknown[]) => ({
  success: {},
  pricedItineraries: { pricedItinerary: itineraries },
});

describe('the cheapest itineraries', () => {
  test('finds the same cheapest itineraries as reading all of them, in the same order', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 12 }), (totals, most) => {
        const reply = replyOf(totals.map((total, n) => itinerary(total / 4, 'SAR', n)));
        const all = decodeFareSearchReply(reply).offers;
        const { body, left } = cheapestItineraries(reply, most);
        const few = decodeFareSearchReply(body).offers;
        expect(cheapest(few, most, 'SAR').offers).toEqual(cheapest(all, most, 'SAR').offers.slice(0, most));
        expect(few.length + left).toBe(all.length);
      }),
    );
  });

  test.each([
    ['no more than the limit', [itinerary(1), itinerary(2)]],
    ['one without a total', [itinerary(1), itinerary(2), itinerary(undefined)]],
    ['one without a currency', [itinerary(1), itinerary(2), itinerary(3, null)]],
    ['two currencies', [itinerary(1), itinerary(2), itinerary(3, 'USD')]],
    ['a total that is not a number', [itinerary(1), itinerary(2), itinerary('cheap')]],
  ])('keeps all itineraries of a reply with %s', (_, itineraries) => {
    const reply = replyOf(itineraries);
    expect(cheapestItineraries(reply, 2)).toEqual({ body: reply, left: 0 });
  });

  test('compares amounts that are sent as strings', () => {
    const { body, left } = cheapestItineraries(replyOf([itinerary('9.50'), itinerary('10.00'), itinerary('9.25')]), 1);
    expect(left).toBe(2);
    expect(decodeFareSearchReply(body).offers[0]?.pricing.total?.total.minor).toBe(925);
  });
});
