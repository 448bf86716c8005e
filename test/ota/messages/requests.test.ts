/**
 * What requests complete or refuse, beside the published ones that golden-requests.test.ts holds.
 */
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { BookingMail, NewBooking, NewGroupBooking } from '../../../src/domain/booking/airline-requests.ts';
import type { SeatMapQuery } from '../../../src/domain/booking/seat-map.ts';
import type { FareQuery } from '../../../src/domain/pricing/fare-search.ts';
import { ClerkError } from '../../../src/errors.ts';
import { encodeBookRequest } from '../../../src/ota/messages/book.ts';
import { encodeCalendarRequest } from '../../../src/ota/messages/calendar.ts';
import { encodeFareSearchRequest } from '../../../src/ota/messages/fare-search.ts';
import { encodeGroupBookRequest } from '../../../src/ota/messages/group-book.ts';
import { mailBody } from '../../../src/ota/messages/mail.ts';
import { record, type Wire } from '../../../src/ota/messages/parts/reader.ts';
import { encodeReadRequest } from '../../../src/ota/messages/read.ts';
import { encodeSeatMapRequest } from '../../../src/ota/messages/seat-map.ts';
import { fixture } from './fixture.ts';
import { LINA, named, OMAR, OUTBOUND, optionOf, RETURN, SARA } from './values.ts';

const RAIL = { dialect: 'rail', sendFare: true } as const;
const BOOKING: NewBooking = {
  options: [optionOf(OUTBOUND), optionOf(RETURN)],
  contact: LINA,
  travelers: [SARA, OMAR],
};
const GROUP: NewGroupBooking = {
  options: [optionOf(OUTBOUND)],
  contact: LINA,
  passengers: { adults: 5, children: 0, infants: 0 },
};
const SEARCH: FareQuery = {
  legs: [
    { from: 'MKX', to: 'DMX', date: '2026-12-01', daysBefore: 0, daysAfter: 2 },
    { from: 'DMX', to: 'MKX', date: '2026-12-05', daysBefore: 1, daysAfter: 0 },
  ],
  passengers: { adults: 2, children: 0, infants: 1 },
  bookingClasses: ['Y', 'C'],
  includeSoldOut: true,
};
const SEATS: SeatMapQuery = {
  locator: 'K7M4QX',
  requests: [{ segment: RETURN, travelerRefs: ['1'] }],
  travelers: [{ ...SARA, name: named(['SARA'], 'HADDAD'), document: { number: 'A1234567', docType: '2' } }],
};
const CALENDAR = { from: 'MKX', to: 'DMX', startDate: '2026-12-01', endDate: '2026-12-31', direct: true };
const TO = { locator: 'K7M4QX', emails: ['lina@example.com'] };

const { operating: _, ...unnamed } = OUTBOUND;
const { name: __, ...nameless } = SARA;

describe('a request', () => {
  const segmentIn = ({ airItinerary }: Wire) =>
    record(record(record(record(airItinerary).originDestinationOptions).originDestinationOption).flightSegment);
  const segmentSent = (segment: typeof OUTBOUND | typeof unnamed) =>
    segmentIn(encodeBookRequest({ ...BOOKING, options: [optionOf(segment)] }, RAIL));

  test('writes times with milliseconds, and takes a missing carrier from the other one', () => {
    const { marketing: ___, ...rest } = OUTBOUND;
    const times = { departs: '2026-12-01T08:00:00+03:00', arrives: '2026-12-01T07:25:00Z' };
    expect(segmentSent({ ...rest, ...times })).toMatchObject({
      departureDateTime: '2026-12-01T08:00:00.000+03:00',
      arrivalDateTime: '2026-12-01T07:25:00.000Z',
      marketingAirline: { code: 'HHR' },
    });
    expect(segmentSent(unnamed)).toMatchObject({ operatingAirline: { code: 'HHR', flightNumber: '0120' } });
  });

  test('has no group name if none is given', () => {
    expect(encodeGroupBookRequest(GROUP, RAIL)).not.toHaveProperty('bookingReferenceID');
  });

  test('asks for the window, the classes and the sold-out trains of a search, if they are wanted', () => {
    expect(encodeFareSearchRequest(SEARCH)).toEqual(fixture('fare-search-request'));
    const plain = encodeFareSearchRequest({ ...SEARCH, bookingClasses: [], includeSoldOut: false });
    expect(Object.keys(plain)).toEqual(['processingInfo', 'originDestinationInformation', 'travelerInfoSummary']);
  });

  test('asks for the seats of a booking that was not read', () => {
    expect(encodeSeatMapRequest(SEATS)).toEqual(fixture('seat-map-request'));
  });

  test('names local dates in cancellation mail, and all that was cancelled if no segments are given', () => {
    const late = { ...OUTBOUND, departs: '2026-12-01T00:30:00.000+03:00' };
    const utc = { ...OUTBOUND, departs: '2026-11-30T21:30:00.000Z', journeyDate: '2026-12-01' };
    const expected = { flightDesignator: 'HHR0120', departure: 'MKX', arrival: 'DMX', departureDate: '2026-12-01' };
    const mail: BookingMail = { ...TO, kind: 'cancellation', segments: [late, utc] };
    expect(mailBody(mail)).toMatchObject({ recordLocator: 'K7M4QX', segments: [expected, expected] });
    expect(mailBody({ ...mail, segments: [] })).not.toHaveProperty('segments');
  });

  test('joins given names in ticket mail', () => {
    const names = [named(['SARA', 'ANNE'], 'HADDAD')];
    expect(mailBody({ ...TO, kind: 'tickets', names })).toMatchObject({
      passengers: [{ firstName: 'SARA ANNE', lastName: 'HADDAD' }],
    });
  });
});

describe('a request that cannot be sent', () => {
  const book = (over: object) => () => encodeBookRequest({ ...BOOKING, ...over }, RAIL);
  const search = (over: object) => () => encodeFareSearchRequest({ ...SEARCH, ...over });
  const leg = (over: object) => search({ legs: [{ ...SEARCH.legs[0], ...over }] });
  const seats = (over: object) => () => encodeSeatMapRequest({ ...SEATS, ...over });

  test.each<[string, () => unknown, new (...of: never) => Error]>([
    ['a segment without a carrier', book({ options: [optionOf({ ...unnamed, marketing: {} })] }), ClerkError],
    ['a passenger without a name', book({ travelers: [nameless] }), ClerkError],
    ['a contact without a name', book({ contact: nameless }), ClerkError],
    ['no passengers', book({ travelers: [] }), z.ZodError],
    [
      'a time without a zone',
      book({ options: [optionOf({ ...OUTBOUND, departs: '2026-12-01T08:00:00' })] }),
      z.ZodError,
    ],
    ['a passenger type that is not sold', book({ travelers: [{ ...SARA, type: 'UMNR' }] }), z.ZodError],
    ['a passenger on no segment', book({ travelers: [{ ...SARA, segmentRefs: [] }] }), z.ZodError],
    ['a window that is no whole number of days', leg({ daysAfter: 0.5 }), z.ZodError],
    ['a date that is none', leg({ date: '2026-02-30' }), z.ZodError],
    ['no leg', search({ legs: [] }), z.ZodError],
    ['half a passenger', search({ passengers: { adults: 0.5, children: 0, infants: 0 } }), z.ZodError],
    ['no traveller for a seat', seats({ requests: [{ segment: RETURN, travelerRefs: [] }] }), z.ZodError],
    ['a traveller who is not listed', seats({ requests: [{ segment: RETURN, travelerRefs: ['7'] }] }), z.ZodError],
    ['seats of no segment', seats({ requests: [] }), z.ZodError],
    ['no locator', () => encodeReadRequest(''), z.ZodError],
    ['an invalid day of a calendar', () => encodeCalendarRequest({ ...CALENDAR, startDate: '2026-02-30' }), z.ZodError],
    [
      'mail to nobody',
      () => mailBody({ ...TO, emails: [], kind: 'tickets', names: [named(['SARA'], 'HADDAD')] }),
      Error,
    ],
    ['ticket mail without a passenger', () => mailBody({ ...TO, kind: 'tickets', names: [] }), Error],
  ])('is refused: %s', (_, encode, error) => {
    expect(encode).toThrow(error);
  });
});
