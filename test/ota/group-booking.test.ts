/**
 * Replies to bookings from passenger counts in both dialects (docs/wire/notes.md, Money and rules), beside the published ones
 * in test/ota/messages.
 */
import { describe, expect, it } from 'vitest';
import { json } from './support/answers.ts';
import { at, failureOf, serve } from './support/harness.ts';
import type { NewGroupBooking } from './support/port.ts';
import { contact, segment, watchedDispatch } from './support/samples.ts';
import { shown } from './support/shown.ts';
import { flight, itinerary, money, option } from './support/wire.ts';

const GROUP: NewGroupBooking = {
  options: [{ ref: '1', segments: [{ ...segment, marketing: { carrier: 'HHR' } }] }],
  contact,
  passengers: { adults: 4, children: 2, infants: 1 },
  groupName: 'Spring tour',
};

const DEPARTS = {
  departureDateTime: '2026-12-01T08:00:00.000+03:00',
  arrivalDateTime: '2026-12-01T09:00:00.000+03:00',
};
const airItinerary = itinerary(option('1', flight({ rph: '1', ...DEPARTS })));

const railReply = (ticket?: string, fare?: string) => ({
  bookingReferenceID: { companyName: { code: 'W1' }, type: '14', id: 'K7PL2M' },
  pricedItineraries: {
    pricedItinerary: [
      {
        airItinerary,
        airItineraryPricingInfo: {
          itinTotalFare: [{ totalFare: money(700) }],
          fareInfos: {
            fareInfo: [{ ruleInfo: { tpaextensions: { confirmationTimeLimit: fare } }, fareReference: [] }],
          },
        },
        ticketingInfo: { ticketTimeLimit: ticket },
      },
    ],
  },
});

async function booked(reply: unknown, options = {}) {
  const server = await serve(json(200, reply));
  return at(server.origin, options).createFromCounts(GROUP, watchedDispatch());
}

describe('a rail booking from counts', () => {
  it.each<[string, (string | undefined)[], string | undefined]>([
    ['the ticket’s limit', ['2026-11-20T12:30:00.000+03:00', '2026-11-20T10:30:00Z'], '2026-11-20T12:30+03:00'],
    ['the fare’s limit', ['2026-11-20T14:30:00.000+03:00', '2026-11-20T10:30:00Z'], '2026-11-20T13:30+03:00'],
    ['the one before departure', ['2026-11-20T12:30:00.000+03:00', '2026-12-02T10:30:00Z'], '2026-11-20T12:30+03:00'],
    ['the only one', [undefined, '2026-11-20T10:30:00Z'], '2026-11-20T13:30+03:00'],
    ['none after departure', ['2026-12-01T08:00:00Z', '2026-12-02T10:30:00Z'], undefined],
  ])('takes the earliest limit before departure as its pay-by time: %s', async (_, limits, due) => {
    expect(shown(await booked(railReply(...limits))).deadlines?.pay_by).toBe(due);
  });
});

describe('an airline booking from counts', () => {
  const options = { dialect: 'airline' } as const;
  const reply = {
    success: {},
    pricedItinerary: {
      airItinerary,
      airItineraryPricingInfo: {
        itinTotalFare: {
          taxes: [
            { taxCode: 'YQ', ...money(70, 'EUR') },
            { taxCode: 'XT', ...money(30, 'EUR') },
          ],
          totalFare: money(700, 'EUR'),
        },
      },
      quoteID: 'K7PL2M',
      ticketingInfo: { ticketTimeLimit: '2026-11-20T10:30:00Z' },
    },
  };

  it('sends the telephone of the contact with its country code as one text', async () => {
    const server = await serve(json(200, reply));
    const phones = [{ countryCode: '47', number: '55500111' }];
    await at(server.origin, options).createFromCounts({ ...GROUP, contact: { ...contact, phones } }, watchedDispatch());
    expect(server.received[0]?.text).toContain('"telephone":{"phoneNumber":"4755500111"}');
  });

  it('reads prices that are on the itinerary itself', async () => {
    const { airItineraryPricingInfo, ...rest } = reply.pricedItinerary;
    const booking = await booked({ pricedItinerary: { ...rest, ...airItineraryPricingInfo } }, options);
    expect(booking.locator).toBe('K7PL2M');
    expect(booking.pricing?.total?.taxes).toEqual({ minor: 10000, currency: 'EUR' });
  });

  it('leaves an airline booking in doubt if the reply names no quote', async () => {
    const { quoteID: _, ...nameless } = reply.pricedItinerary;
    const server = await serve(json(200, { pricedItinerary: nameless }));
    const sending = at(server.origin, options).createFromCounts(GROUP, watchedDispatch());
    expect(await failureOf(sending)).toMatchObject({ code: 'E_AIRLINE_REPLY', effect: 'unknown' });
  });
});
