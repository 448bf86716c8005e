/**
 * The price check: OTA_AirPriceRQ with qualifier 5 (docs/wire/notes.md, fares and prices). Replies are written by hand.
 */
import { describe, expect, it } from 'vitest';
import type { PriceQuery } from '../../src/domain/pricing/fare-search.ts';
import { json } from './support/answers.ts';
import { at, failureOf, serve } from './support/harness.ts';
import { segment } from './support/samples.ts';

const QUERY: PriceQuery = {
  options: [{ ref: '1', segments: [{ ...segment, marketing: { carrier: 'HHR' } }] }],
  passengers: { adults: 2, children: 1, infants: 0 },
};

const flightSegment = {
  departureAirport: { locationCode: 'MKX' },
  arrivalAirport: { locationCode: 'JED' },
  departureDateTime: '2026-12-01T08:00:00.000+03:00',
  arrivalDateTime: '2026-12-01T09:00:00.000+03:00',
  marketingAirline: { code: 'HHR' },
  flightNumber: '1301',
  resBookDesigCode: 'Y',
  tpaextensions: { fareBasis: 'FLEX1', fareRule: { code: 'R1', name: '$\u007brule.name}', value: 'Refund:\nfee 10.' } },
};

const itinerary = {
  airItinerary: { originDestinationOptions: { originDestinationOption: [{ flightSegment: [flightSegment] }] } },
  airItineraryPricingInfo: { itinTotalFare: [{ totalFare: { currencyCode: 'EUR', amount: 120.5 } }] },
};

const SELLER = {
  source: [
    {
      bookingChannel: { type: 'OTA' },
      isocurrency: 'SAR',
      requestorID: { type: '5', id: 'agent-7', name: 'agency-9' },
    },
  ],
};

const CHECKED = { success: {}, pricedItineraries: { pricedItinerary: [itinerary] }, pricingOverview: {} };

describe('a price check', () => {
  it('sends a price check without fare, contact or group, and with quantities as strings', async () => {
    const server = await serve(json(200, CHECKED));
    await at(server.origin, { dialect: 'airline' }).checkPrice(QUERY);
    expect(server.received[0]?.headers['local-name']).toBe('OTA_AirPriceRQ');
    expect(server.received[0]?.body).toEqual({
      version: '2.001',
      pos: SELLER,
      airItinerary: {
        originDestinationOptions: {
          originDestinationOption: [
            {
              rph: '1',
              flightSegment: [
                {
                  departureAirport: { locationCode: 'MKX' },
                  arrivalAirport: { locationCode: 'JED' },
                  operatingAirline: { code: 'HHR', flightNumber: '1301' },
                  equipment: [],
                  departureDateTime: '2026-12-01T08:00:00.000+03:00',
                  arrivalDateTime: '2026-12-01T09:00:00.000+03:00',
                  rph: '1',
                  marketingAirline: { code: 'HHR' },
                  flightNumber: '1301',
                  resBookDesigCode: 'Y',
                },
              ],
            },
          ],
        },
      },
      travelerInfoSummary: {
        pricingPref: [{ type: '5', qualifier: '5' }],
        airTravelerAvail: [
          {
            passengerTypeQuantity: [
              { code: 'ADT', quantity: '2' },
              { code: 'CHD', quantity: '1' },
              { code: 'INF', quantity: '0' },
            ],
          },
        ],
      },
    });
  });

  it("confirms a price and returns the fare rules in the airline's words", async () => {
    const server = await serve(json(200, CHECKED));
    const checked = await at(server.origin, { dialect: 'airline' }).checkPrice(QUERY);
    expect(checked.possibleHold).toBeUndefined();
    expect(checked.pricing?.total?.total).toEqual({ minor: 12050, currency: 'EUR' });
    expect(checked.options[0]?.segments[0]).toMatchObject({
      fareBasis: 'FLEX1',
      fareRules: [{ code: 'R1', text: 'Refund: fee 10.' }],
    });
  });

  it.each([
    ['a booking reference', { ...CHECKED, bookingReferenceID: { type: '14', id: 'K7PL2M' } }],
    ['a list of them', { bookingReferenceID: [{ type: '14', id: 'K7PL2M' }] }],
    ['a quote', { success: {}, pricedItineraries: { pricedItinerary: [{ ...itinerary, quoteID: 'K7PL2M' }] } }],
    ['a quote in the pricing', { pricedItinerary: { ...itinerary, airItineraryPricingInfo: { quoteID: 'K7PL2M' } } }],
    ['a reservation', { airReservation: { bookingReferenceID: [{ type: '14', id: 'K7PL2M' }] } }],
  ])('reports a possible hold if the reply to a price check names %s', async (_, body) => {
    const server = await serve(json(200, body));
    expect((await at(server.origin).checkPrice(QUERY)).possibleHold).toBe('K7PL2M');
  });

  it.each([503, 502, 401, 429])('never repeats a price check after HTTP %i', async (status) => {
    const server = await serve(json(status, { status, title: 'no' }, { 'retry-after': '0' }));
    const tokens = { token: async () => 't', ensureLife: async () => 't', invalidate() {} };
    const airline = at(server.origin, { credentials: { mode: 'token', tokens } });
    await failureOf(airline.checkPrice(QUERY));
    expect(server.received).toHaveLength(1);
  });

  it('reports an error if the reply to a price check cannot be read', async () => {
    const server = await serve(json(200, { success: {} }));
    expect(await failureOf(at(server.origin).checkPrice(QUERY))).toMatchObject({ code: 'E_AIRLINE_REPLY' });
  });
});

describe('a search in the airline dialect', () => {
  it('searches the airline dialect with isocurrency in lower case and quantities as numbers', async () => {
    const server = await serve(json(200, { success: {}, pricedItineraries: { pricedItinerary: [] } }));
    const leg = { from: 'MKX', to: 'JED', date: '2026-12-01', daysBefore: 0, daysAfter: 0 };
    const query = { legs: [leg], passengers: QUERY.passengers, bookingClasses: [], includeSoldOut: false };
    await at(server.origin, { dialect: 'airline' }).searchFares(query);
    expect(server.received[0]?.body).toMatchObject({
      pos: SELLER,
      travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity: [{ code: 'ADT', quantity: 2 }, {}, {}] }] },
    });
  });
});
