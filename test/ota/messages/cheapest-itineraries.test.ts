import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFareSearchReply } from '../../../src/ota/messages/fare-search.ts';
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
        const { offers, unread = 0 } = decodeFareSearchReply(reply, most);
        expect(cheapest(offers, most, 'SAR').offers).toEqual(cheapest(all, most, 'SAR').offers.slice(0, most));
        expect(offers.length + unread).toBe(all.length);
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
    expect(decodeFareSearchReply(reply, 2)).toEqual(decodeFareSearchReply(reply));
  });

  test('compares amounts that are sent as strings', () => {
    const reply = replyOf([itinerary('9.50'), itinerary('10.00'), itinerary('9.25')]);
    const { offers, unread } = decodeFareSearchReply(reply, 1);
    expect([unread, offers.map(({ pricing }) => pricing.total?.total.minor)]).toEqual([2, [925]]);
  });
});
