/**
 * Booking from passenger counts in both dialects (docs/wire/notes.md, shapes sent, money and rules). Replies and requests are
 * written by hand; all values are made up.
 */
import { describe, expect, it } from 'vitest';
import type { NewGroupBooking } from '../../src/domain/booking/airline-requests.ts';
import { bookingDeadlines } from '../../src/domain/booking/deadlines.ts';
import { json } from './support/answers.ts';
import { at, failureOf, serve } from './support/harness.ts';
import { contact, segment, watchedDispatch } from './support/samples.ts';

const ADA = { ...contact, phones: [{ countryCode: '47', number: '55500111' }] };

const GROUP: NewGroupBooking = {
  options: [{ ref: '1', segments: [{ ...segment, marketing: { carrier: 'HHR' } }] }],
  contact: ADA,
  passengers: { adults: 4, children: 2, infants: 1 },
  groupName: 'Spring tour',
};

const flightSegment = {
  departureAirport: { locationCode: 'MKX' },
  arrivalAirport: { locationCode: 'JED' },
  operatingAirline: { code: 'HHR', flightNumber: '1301' },
  departureDateTime: '2026-12-01T08:00:00.000+03:00',
  arrivalDateTime: '2026-12-01T09:00:00.000+03:00',
  rph: '1',
  flightNumber: '1301',
  resBookDesigCode: 'Y',
};

const airItinerary = {
  originDestinationOptions: { originDestinationOption: [{ rph: '1', flightSegment: [flightSegment] }] },
};

const QTY = [
  { code: 'ADT', quantity: 4 },
  { code: 'CHD', quantity: 2 },
  { code: 'INF', quantity: 1 },
];

interface Limits {
  readonly ticket?: string;
  readonly fare?: string;
}

const railReply = ({ ticket, fare }: Limits = {}) => ({
  bookingReferenceID: { companyName: { code: 'W1' }, type: '14', id: 'K7PL2M' },
  pricedItineraries: {
    pricedItinerary: [
      {
        airItinerary,
        airItineraryPricingInfo: {
          itinTotalFare: [{ totalFare: { currencyCode: 'SAR', amount: 700 } }],
          fareInfos: {
            fareInfo: [{ ruleInfo: { tpaextensions: { confirmationTimeLimit: fare } }, fareReference: [] }],
          },
          quoteID: 'K7PL2M',
        },
        ticketingInfo: { ticketTimeLimit: ticket },
      },
    ],
  },
});

async function booked(reply: unknown, options = {}) {
  const server = await serve(json(200, reply));
  const booking = await at(server.origin, options).createFromCounts(GROUP, watchedDispatch());
  return { booking, body: server.received[0]?.body };
}

describe('a rail booking from counts', () => {
  it('sends a rail booking from counts with qualifier 4, counts, contact and group', async () => {
    const { body } = await booked(railReply());
    expect(body).toMatchObject({
      pos: { source: [{ bookingChannel: { type: 'OTA' }, isoCurrency: 'SAR' }] },
      bookingReferenceID: { type: '9', id: 'Spring tour' },
      travelerInfoSummary: {
        pricingPref: [{ qualifier: '4' }],
        airTravelerAvail: [
          { passengerTypeQuantity: QTY },
          {
            airTraveler: {
              passengerTypeCode: 'CTC',
              personName: { givenName: ['Sara'], surname: 'Smith' },
              email: [{ value: 'sara@example.com' }],
              telephone: [{ countryAccessCode: '47', phoneNumber: '55500111' }],
            },
          },
        ],
      },
    });
  });

  it('reads the locator of a rail booking from counts from its reference object', async () => {
    const { booking } = await booked(railReply());
    expect(booking).toMatchObject({ locator: 'K7PL2M', pricing: { quoteId: 'K7PL2M' } });
    expect(booking.pricing?.total?.total).toEqual({ minor: 70000, currency: 'SAR' });
  });

  it.each([
    ['the ticket’s limit', { ticket: '2026-11-20T12:30:00.000+03:00', fare: '2026-11-20T10:30:00Z' }, '09:30'],
    ['the fare’s limit', { ticket: '2026-11-20T14:30:00.000+03:00', fare: '2026-11-20T10:30:00Z' }, '10:30'],
    ['the one before departure', { ticket: '2026-11-20T12:30:00.000+03:00', fare: '2026-12-02T10:30:00Z' }, '09:30'],
    ['the only one', { fare: '2026-11-20T10:30:00Z' }, '10:30'],
  ])('takes the earliest limit before departure as the pay-by time of a rail booking: %s', async (_, limits, time) => {
    const { booking } = await booked(railReply(limits));
    expect(bookingDeadlines(booking).payBy).toBe(`2026-11-20T${time}:00Z`);
  });

  it('has no pay-by time if every limit is after departure', async () => {
    const { booking } = await booked(railReply({ ticket: '2026-12-01T08:00:00Z', fare: '2026-12-02T10:30:00Z' }));
    expect(bookingDeadlines(booking).payBy).toBeUndefined();
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
          baseFare: { currencyCode: 'EUR', amount: 600 },
          taxes: [
            { taxCode: 'YQ', currencyCode: 'EUR', amount: 70 },
            { taxCode: 'XT', currencyCode: 'EUR', amount: 30 },
          ],
          totalFare: { currencyCode: 'EUR', amount: 700 },
        },
        ptc_FareBreakdowns: [
          {
            passengerTypeQuantity: { code: 'ADT', quantity: 7 },
            passengerFare: { totalFare: { currencyCode: 'EUR', amount: 700 } },
            flightRefNumberRPHList: ['1'],
          },
        ],
      },
      quoteID: 'K7PL2M',
      ticketingInfo: { ticketTimeLimit: '2026-11-20T10:30:00Z' },
    },
  };

  it('sends an airline booking from counts as in the template, without qualifier and with the group as plain texts', async () => {
    const { body } = await booked(reply, options);
    expect(body).toEqual({
      version: '2.001',
      pos: { source: [expect.objectContaining({ bookingChannel: { type: 'OTA' }, isoCurrency: 'SAR' })] },
      airItinerary: {
        originDestinationOptions: {
          originDestinationOption: [
            {
              rph: '1',
              flightSegment: [
                {
                  departureAirport: { locationCode: 'MKX' },
                  arrivalAirport: { locationCode: 'JED' },
                  departureDateTime: '2026-12-01T08:00:00.000+03:00',
                  arrivalDateTime: '2026-12-01T09:00:00.000+03:00',
                  rph: '1',
                  marketingAirline: { code: 'HHR' },
                  flightNumber: '1301',
                  fareBasisCode: 'EFLEX1',
                  resBookDesigCode: 'Y',
                  numberInParty: 7,
                },
              ],
            },
          ],
        },
      },
      travelerInfoSummary: { airTravelerAvail: [{ passengerTypeQuantity: QTY }] },
      priceRequestInformation: {
        tpa_Extensions: {
          groupBooking: {
            groupName: 'Spring tour',
            contactInfo: {
              personName: { givenName: 'Sara', surname: 'Smith' },
              telephone: { phoneNumber: '4755500111' },
              email: 'sara@example.com',
            },
          },
        },
      },
    });
  });

  it('reads the locator of an airline booking from its quote, with one price object and a bare list of taxes', async () => {
    const { booking } = await booked(reply, options);
    expect(booking.locator).toBe('K7PL2M');
    expect(booking.references).toEqual([{ id: 'K7PL2M', type: '14', segmentRefs: [] }]);
    expect(booking.pricing?.total).toMatchObject({
      base: { minor: 60000, currency: 'EUR' },
      taxes: { minor: 10000, currency: 'EUR' },
      total: { minor: 70000, currency: 'EUR' },
    });
    expect(booking.pricing?.perType).toMatchObject([{ type: 'ADT', count: 7, segmentRefs: ['1'] }]);
    expect(bookingDeadlines(booking).payBy).toBe('2026-11-20T10:30:00Z');
  });

  it('reads prices that are on the itinerary itself', async () => {
    const { airItineraryPricingInfo, ...rest } = reply.pricedItinerary;
    const { booking } = await booked({ pricedItinerary: { ...rest, ...airItineraryPricingInfo } }, options);
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
