/**
 * The price check: OTA_AirPriceRQ with qualifier 5 (docs/wire/notes.md, fares and prices). Replies are written by hand.
 */
import { describe, expect, it } from 'vitest';
import { airlineThatReplies, faresOf } from './messages/support/golden-calls.ts';
import { FLIGHTS } from './messages/support/golden-inputs.ts';
import { json } from './support/answers.ts';
import { at, failureOf, serve } from './support/harness.ts';
import { flight, itinerary, option } from './support/wire.ts';

const QUERY = { options: FLIGHTS, passengers: { adults: 2, children: 0, infants: 0 } };
const priced = { airItinerary: itinerary(option('1', flight({ rph: '1' }))), airItineraryPricingInfo: {} };

describe('a price check', () => {
  it('reads price, fare and rules, and no hold', async () => {
    const checked = await (await airlineThatReplies('price-check-airline', 'airline')).checkPrice(QUERY);
    expect(checked.pricing?.total?.total).toEqual({ minor: 32_000, currency: 'EUR' });
    expect(faresOf(checked)).toEqual(['LIGHT1']);
    expect(checked.options[0]?.segments[0]).toMatchObject({ fareRules: [{ code: 'PEN' }] });
    expect(checked.possibleHold).toBeUndefined();
  });

  it('reports a possible hold if a whole reply names a booking beside the price', async () => {
    const checked = await (await airlineThatReplies('price-check-airline-held', 'airline')).checkPrice(QUERY);
    expect(checked.possibleHold).toBe('H9LD2Q');
  });

  it.each([
    ['a list of them', { bookingReferenceID: [{ type: '14', id: 'K7PL2M' }] }],
    ['a quote', { success: {}, pricedItineraries: { pricedItinerary: [{ ...priced, quoteID: 'K7PL2M' }] } }],
    ['a quote in the pricing', { pricedItinerary: { ...priced, airItineraryPricingInfo: { quoteID: 'K7PL2M' } } }],
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
