import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { NewBooking, NewGroupBooking } from '../../../src/domain/booking/airline-requests.ts';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { ClerkError } from '../../../src/errors.ts';
import { BOOK, decodeBookReply, encodeBookRequest } from '../../../src/ota/messages/book.ts';
import { decodeGroupBookReply, encodeGroupBookRequest, GROUP_BOOK } from '../../../src/ota/messages/group-book.ts';
import { record, type Wire } from '../../../src/ota/messages/parts/reader.ts';
import { decodePriceCheckReply } from '../../../src/ota/messages/price-check.ts';
import { fixture } from './fixture.ts';
import { LINA, named, OMAR, OUTBOUND, optionOf, price, RETURN, SARA, sar } from './values.ts';

const RAIL = { dialect: 'rail', sendFare: true } as const;

const NEW_BOOKING: NewBooking = {
  options: [
    optionOf(OUTBOUND),
    optionOf({
      ...RETURN,
      flightNumber: '00123',
      operating: { carrier: 'HHR', number: '00123' },
      departs: '2026-12-03T15:30:00.000Z',
      arrives: '2026-12-03T17:55:00.000Z',
    }),
  ],
  contact: LINA,
  travelers: [SARA, OMAR],
};

const segmentIn = ({ airItinerary }: Wire) =>
  record(record(record(record(airItinerary).originDestinationOptions).originDestinationOption).flightSegment);

describe('booking request', () => {
  test('uses OTA_AirBookRQ for a booking request', () => expect(BOOK).toBe('OTA_AirBookRQ'));

  test('encodes a booking as the published message', () =>
    expect(encodeBookRequest(NEW_BOOKING, RAIL)).toEqual(fixture('book-request')));

  test('writes times with milliseconds, and takes a missing marketing carrier from the operating one', () => {
    const { marketing: _, ...rest } = OUTBOUND;
    const option = optionOf({ ...rest, departs: '2026-12-01T08:00:00+03:00', arrives: '2026-12-01T07:25:00Z' });
    const wire = encodeBookRequest({ ...NEW_BOOKING, options: [option] }, RAIL);
    expect(segmentIn(wire)).toMatchObject({
      departureDateTime: '2026-12-01T08:00:00.000+03:00',
      arrivalDateTime: '2026-12-01T07:25:00.000Z',
      marketingAirline: { code: 'HHR' },
    });
  });

  test('takes a missing operating carrier from the marketing one', () => {
    const { operating: _, ...unnamed } = OUTBOUND;
    const wire = encodeBookRequest({ ...NEW_BOOKING, options: [optionOf(unnamed)] }, RAIL);
    expect(segmentIn(wire)).toMatchObject({ operatingAirline: { code: 'HHR', flightNumber: '0120' } });
  });

  test('rejects a booking that lacks a carrier, a passenger name or a contact name', () => {
    const { operating: _, ...unnamed } = OUTBOUND;
    const { name: __, ...nameless } = SARA;
    const { name: ___, ...unknown } = LINA;
    const refused = (booking: NewBooking) => expect(() => encodeBookRequest(booking, RAIL)).toThrow(ClerkError);
    refused({ ...NEW_BOOKING, options: [optionOf({ ...unnamed, marketing: {} })] });
    refused({ ...NEW_BOOKING, travelers: [nameless] });
    refused({ ...NEW_BOOKING, contact: unknown });
  });

  test.each([
    ['no passengers', { ...NEW_BOOKING, travelers: [] }],
    ['a time without a zone', { ...NEW_BOOKING, options: [optionOf({ ...OUTBOUND, departs: '2026-12-01T08:00:00' })] }],
    ['a passenger type that is not sold', { ...NEW_BOOKING, travelers: [{ ...SARA, type: 'UMNR' }] }],
    ['a passenger on no segment', { ...NEW_BOOKING, travelers: [{ ...SARA, segmentRefs: [] }] }],
  ])('rejects a booking request with %s', (_, booking) => {
    expect(() => encodeBookRequest(booking, RAIL)).toThrow(z.ZodError);
  });
});

const HELD: Booking = {
  locator: 'K7M4QX',
  references: [{ id: 'K7M4QX', type: '14', system: 'W1', segmentRefs: [] }],
  createdAt: '2026-11-20T09:00:00.463Z',
  options: [
    {
      ref: '1',
      segments: [
        {
          ref: '1',
          optionRef: '1',
          flightNumber: '0120',
          operating: { carrier: 'HHR', number: '0120' },
          marketing: { carrier: 'HHR' },
          from: 'MKX',
          to: 'DMX',
          departs: '2026-12-01T08:00:00.000+03:00',
          arrives: '2026-12-01T10:25:00.000+03:00',
          bookingClass: 'Y',
          availability: [{ bookingClass: 'Y', quantity: '99', statusCode: 'A' }],
        },
      ],
    },
  ],
  contact: {
    name: named(['LINA'], 'HADDAD'),
    emails: ['lina@example.com'],
    phones: [],
    addresses: [],
    comments: [],
  },
  travelers: [
    {
      ref: '1',
      type: 'ADT',
      name: named(['SARA'], 'HADDAD'),
      gender: 'Female',
      emails: [],
      phones: [],
      addresses: [],
      comments: [],
      segmentRefs: ['1'],
    },
  ],
  pricing: {
    total: price(1000, 150, 8625, 9775, {
      lines: [
        { kind: 'tax', code: 'VAT', amount: sar(150) },
        { kind: 'fee', code: 'FE1', amount: sar(7500) },
        { kind: 'fee', code: 'VAT', amount: sar(1125) },
      ],
    }),
    refunds: [],
    fares: [],
    perType: [],
  },
  tickets: [
    {
      number: '',
      timeLimit: '2026-11-20T12:30:00.000+03:00',
      travelerRefs: [],
      segmentRefs: [],
      coupons: [],
      links: [],
    },
  ],
  orders: [
    {
      id: '904411',
      action: 'CREATE_BOOKING',
      direction: 'PAYMENT',
      orderType: 'BOOKING',
      status: 'PENDING',
      amount: sar(9775),
    },
  ],
  services: [],
  emds: [],
};

describe('booking reply', () => {
  test('decodes the published booking reply', () => expect(decodeBookReply(fixture('book-reply'))).toEqual(HELD));
});

const GROUP: NewGroupBooking = {
  options: [optionOf(OUTBOUND)],
  contact: { ...LINA, document: { number: 'C1', docType: '5' } },
  passengers: { adults: 5, children: 0, infants: 0 },
  groupName: 'SCHOOL TRIP',
};

describe('request of a booking from counts', () => {
  test('uses OTA_AirPriceRQ for a booking from counts', () => expect(GROUP_BOOK).toBe('OTA_AirPriceRQ'));

  test('encodes a booking from counts as the published message', () =>
    expect(encodeGroupBookRequest(GROUP, RAIL)).toEqual(fixture('group-book-request')));

  test('sends no group name if none is given', () => {
    const { groupName: _, ...unnamed } = GROUP;
    expect('bookingReferenceID' in encodeGroupBookRequest(unnamed, RAIL)).toBe(false);
  });
});

const GROUP_HELD: Booking = {
  locator: 'RT5WKD',
  references: [{ id: 'RT5WKD', type: '14', system: 'W1', segmentRefs: [] }],
  options: [
    {
      ref: '1',
      segments: [
        {
          ref: '1',
          optionRef: '1',
          flightNumber: '0120',
          operating: { carrier: 'HHR', number: '0120' },
          from: 'MKX',
          to: 'DMX',
          departs: '2026-12-01T08:00:00.000+03:00',
          arrives: '2026-12-01T10:25:00.000+03:00',
          bookingClass: 'Y',
        },
      ],
    },
  ],
  travelers: [],
  pricing: {
    total: price(75000, 11250, 0, 86250, { lines: [{ kind: 'tax', code: 'VAT', amount: sar(11250) }] }),
    refunds: [],
    fares: [{ references: [{ code: 'EFLEX1' }], payBy: '2026-11-20T09:30:00Z', refundRules: [], changeRules: [] }],
    perType: [],
    quoteId: 'Q-78',
  },
  tickets: [],
  orders: [],
  services: [],
  emds: [],
};

describe('reply to a booking from counts', () => {
  test('decodes the published reply to a booking from counts', () =>
    expect(decodeGroupBookReply(fixture('group-book-reply'))).toEqual(GROUP_HELD));

  test('does not take the reply to a price check as a booking, but reports a possible hold', () => {
    const { bookingReferenceID: _, ...wire } = fixture('group-book-reply');
    const checked = decodePriceCheckReply(wire, { options: [], passengers: GROUP.passengers });
    expect(checked.pricing?.total?.total).toEqual(sar(86250));
    expect(checked.possibleHold).toBe('Q-78');
    expect(() => decodeGroupBookReply(wire)).toThrow(ClerkError);
  });
});
