/**
 * One test for each item of docs/wire/notes.md, tolerate on read.
 */
import { describe, expect, test } from 'vitest';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import { decodeCancelReply } from '../../../src/ota/messages/cancel.ts';
import { decodeFareSearchReply } from '../../../src/ota/messages/fare-search.ts';
import { decodeModifyReply } from '../../../src/ota/messages/modify.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { decodeSeatMapReply } from '../../../src/ota/messages/seat-map.ts';
import { decodeTicketReply } from '../../../src/ota/messages/ticket.ts';
import { fixture } from './fixture.ts';
import { isObject, put, renamed, rewrite } from './rewrite.ts';
import { named, sar } from './values.ts';

const READ = fixture('read-reply');
const RESERVATION = ['airReservation'];
const TRAVELERS = [...RESERVATION, 'travelerInfo', 'airTraveler'];

function read(wire: unknown): Booking {
  return decodeReadReply(wire);
}

describe('a booking in unusual forms', () => {
  test('reads a booking without the airItinerary wrapper', () => {
    const { originDestinationOptions } = (READ.airReservation as { airItinerary: Record<string, unknown> })
      .airItinerary;
    const wire = put(READ, [...RESERVATION, 'airItinerary'], originDestinationOptions);
    expect(read(wire).options).toEqual(read(READ).options);
  });

  test('reads a booking whatever its version, with or without success', () => {
    for (const more of [{ version: '2.001' }, { version: 2.001 }, {}]) {
      const { success: _, ...bare } = READ;
      expect(read({ ...more, ...bare }).locator).toBe('K7M4QX');
      expect(read({ ...more, ...READ }).locator).toBe('K7M4QX');
    }
  });

  test.each(['airItineraryPricingInfo', 'beside'])('reads ptcfareBreakdowns in another place: %s', (parent) => {
    const reservation = READ.airReservation as { priceInfo: Record<string, unknown> };
    const { ptcfareBreakdowns, ...priceInfo } = reservation.priceInfo;
    const moved = parent === 'beside' ? { ptcfareBreakdowns } : { [parent]: { ptcfareBreakdowns } };
    const wire = { ...READ, airReservation: { ...reservation, priceInfo, ...moved } };
    expect(read(wire).pricing).toEqual(read(READ).pricing);
  });

  test('reads a price that is called airItineraryPricingInfo', () => {
    expect(read(renamed(READ, { priceInfo: 'airItineraryPricingInfo' })).pricing).toEqual(read(READ).pricing);
  });

  test('reads namePrefix [null] as no prefix', () => {
    const wire = put(READ, [...TRAVELERS, 1, 'personName', 'namePrefix'], [null]);
    expect(read(wire).travelers[0]?.name?.prefix).toEqual([]);
  });

  test.each([undefined, null, {}, { givenName: [''], surname: '' }])('reads an unnamed traveller: %j', (personName) => {
    const traveler = read(put(READ, [...TRAVELERS, 1, 'personName'], personName)).travelers[0];
    expect(traveler?.ref).toBe('1');
    expect(traveler?.name).toBeUndefined();
  });

  test('reads a booking whose contact comes last', () => {
    const people = (READ.airReservation as { travelerInfo: { airTraveler: unknown[] } }).travelerInfo.airTraveler;
    const wire = put(READ, TRAVELERS, people.toReversed());
    expect(read(wire).contact).toEqual(read(READ).contact);
    expect(read(wire).travelers.map((traveler) => traveler.ref)).toEqual(['2', '1']);
  });

  test("reads a traveller's document that is split over two items", () => {
    const split = [
      { birthDate: '1990-04-02' },
      { docID: 'A1234567', docType: '2', docHolderNationality: 'SA', expireDate: '2030-05-01' },
    ];
    expect(read(put(READ, [...TRAVELERS, 1, 'document'], split)).travelers).toEqual(read(READ).travelers);
    expect(read(put(READ, [...TRAVELERS, 1, 'document'], split.toReversed())).travelers).toEqual(read(READ).travelers);
  });

  test('keeps the first of two documents whole', () => {
    const two = [
      { docID: 'A1', docType: '2' },
      { docID: 'B2', docType: '5', docHolderNationality: 'SA', birthDate: '1990-04-02' },
    ];
    const twice = [
      { docID: 'A1', docType: '2' },
      { docID: 'A1', docType: '5' },
    ];
    const [again] = read(put(READ, [...TRAVELERS, 1, 'document'], twice)).travelers;
    expect(again?.document).toEqual({ number: 'A1', docType: '2' });
    const [traveler] = read(put(READ, [...TRAVELERS, 1, 'document'], two)).travelers;
    expect(traveler?.document).toEqual({ number: 'A1', docType: '2' });
    expect(traveler?.birthDate).toBe('1990-04-02');
  });

  test('takes the reference of the reservation system as the locator, wherever it is', () => {
    const references = [...RESERVATION, 'bookingReferenceID'];
    const operator = { companyName: { code: 'HHR' }, type: '14', id: '05D1C8E42' };
    const group = { type: '9', id: 'TRIP01' };
    for (const id of ['K7M4QX', 'IO01AB', '10IOZZ']) {
      const own = { type: '14', id };
      expect(read(put(READ, references, [operator, own])).locator).toBe(id);
      expect(read(put(READ, references, [group, own, operator])).locator).toBe(id);
      expect(read(put(READ, references, own)).locator).toBe(id);
    }
    expect(read(put(READ, references, [operator])).locator).toBe('05D1C8E42');
    expect(read(put(READ, references, [operator])).references).toHaveLength(1);
  });

  test('reads ticketing rows that have only a time limit', () => {
    const rows = [{ ticketTimeLimit: '2026-11-20T12:30:00.000+03:00', ticketType: 'E_TICKET' }];
    expect(read(put(READ, [...RESERVATION, 'ticketing'], rows)).tickets).toEqual([
      {
        number: '',
        ticketType: 'E_TICKET',
        timeLimit: '2026-11-20T12:30:00.000+03:00',
        travelerRefs: [],
        segmentRefs: [],
        coupons: [],
        links: [],
      },
    ]);
  });

  test('assigns coupon details in another order to the segments that they name', () => {
    const details = [
      { coach: '011', flightRefRPH: '2', seat: '340' },
      { coach: '006', flightRefRPH: '1', seat: '118' },
    ];
    const path = [...RESERVATION, 'ticketing', 0, 'tpaextensions', 'couponProviderDetails'];
    expect(read(put(READ, path, details)).tickets[0]?.coupons).toMatchObject([
      { segmentRef: '1', coach: '006', seat: '118' },
      { segmentRef: '2', coach: '011', seat: '340' },
    ]);
  });

  test('reads a fully cancelled booking that has only its reference', () => {
    const { bookingReferenceID } = READ.airReservation as Record<string, unknown>;
    const { source: _, ...booking } = read({ success: {}, airReservation: { bookingReferenceID } });
    expect(booking).toEqual({
      locator: 'K7M4QX',
      references: read(READ).references,
      options: [],
      travelers: [],
      tickets: [],
      orders: [],
      services: [],
      emds: [],
    });
  });

  test('reads a reference that is beside the reservation', () => {
    const { bookingReferenceID, ...airReservation } = READ.airReservation as Record<string, unknown>;
    expect(read({ airReservation, bookingReferenceID }).locator).toBe('K7M4QX');
  });

  test('reads a booking in a list of one', () =>
    expect(read({ airReservation: [READ.airReservation] }).locator).toBe('K7M4QX'));

  test('reads an option without a pointer', () => {
    const options = [...RESERVATION, 'airItinerary', 'originDestinationOptions', 'originDestinationOption'];
    expect(read(put(READ, [...options, 1, 'rph'], undefined)).options).toEqual(read(READ).options);
    const bare = put(
      put(READ, [...options, 1, 'rph'], undefined),
      [...options, 1, 'flightSegment', 0, 'rph'],
      undefined,
    );
    expect(read(bare).options).toEqual(read(READ).options);
  });

  test('reads pointers that are only on the option or only on the segment', () => {
    const path = [...RESERVATION, 'airItinerary', 'originDestinationOptions', 'originDestinationOption'];
    const refs = (options: unknown) =>
      read(put(READ, path, options)).options.map((one) => [one.ref, one.segments.map((segment) => segment.ref)]);
    expect(refs([{ rph: '7', flightSegment: [{}] }])).toEqual([['7', ['7']]]);
    expect(refs([{ flightSegment: [{ rph: 5 }] }])).toEqual([['5', ['5']]]);
    expect(refs([{ flightSegment: [{}, {}] }, { flightSegment: [{}] }])).toEqual([
      ['1', ['1', '2']],
      // Segments count through all options.
      ['2', ['3']],
    ]);
  });

  test.each(['16', 16, 'HX', 'something new'])('keeps the segment status %j as sent', (status) => {
    const options = [...RESERVATION, 'airItinerary', 'originDestinationOptions', 'originDestinationOption'];
    const wire = put(READ, [...options, 0, 'flightSegment', 0, 'status'], status);
    expect(read(wire).options[0]?.segments[0]?.statusCode).toBe(String(status));
  });

  test('distinguishes an airline that permits no operation from one that does not say', () => {
    const options = [...RESERVATION, 'airItinerary', 'originDestinationOptions', 'originDestinationOption'];
    const path = [...options, 0, 'flightSegment', 0, 'tpaextensions', 'operations'];
    expect(read(put(READ, path, [])).options[0]?.segments[0]?.permitted).toEqual([]);
    expect(read(put(READ, path, undefined)).options[0]?.segments[0]?.permitted).toBeUndefined();
  });

  test('keeps class availability of any letter and quantity', () => {
    const options = [...RESERVATION, 'airItinerary', 'originDestinationOptions', 'originDestinationOption'];
    const avail = [
      { bookingClassAvail: [{ resBookDesigCode: 'Q', resBookDesigQuantity: '9+', resBookDesigStatusCode: 'L' }] },
    ];
    const wire = put(READ, [...options, 0, 'flightSegment', 0, 'bookingClassAvails'], avail);
    expect(read(wire).options[0]?.segments[0]?.availability).toEqual([
      { bookingClass: 'Q', quantity: '9+', statusCode: 'L' },
    ]);
  });
});

describe('money', () => {
  const totals = [...RESERVATION, 'priceInfo', 'itinTotalFare'];

  test('recognises a refund without usage by its fee', () => {
    const wire = put(READ, [...totals, 1, 'usage'], undefined);
    expect(read(wire).pricing).toEqual(read(READ).pricing);
  });

  test('reads a refund of 0', () => {
    const wire = put(READ, [...totals, 1, 'totalFare', 'amount'], 0);
    expect(read(wire).pricing?.refunds).toEqual([{ amount: sar(0), penalty: sar(5000), vat: sar(750) }]);
  });

  test('takes the missing currency of an amount from its siblings', () => {
    const one = [
      {
        baseFare: { amount: 100 },
        taxes: { tax: [{ taxCode: 'VAT', currencyCode: 'KWD', amount: '1.125' }], amount: 1.125 },
        totalFare: { amount: 101.125 },
      },
    ];
    const kwd = (minor: number) => ({ minor, currency: 'KWD' });
    expect(read(put(READ, totals, one)).pricing?.total).toMatchObject({
      base: kwd(100000),
      taxes: kwd(1125),
      fees: kwd(0),
      total: kwd(101125),
    });
  });

  test('computes a missing sum from its lines and a missing total from its parts', () => {
    const one = [
      {
        baseFare: { currencyCode: 'SAR', amount: 100 },
        taxes: { tax: [{ taxCode: 'VAT', amount: 15 }] },
        fees: { fee: [{ feeCode: 'FE1', amount: 5 }] },
      },
    ];
    expect(read(put(READ, totals, one)).pricing?.total).toMatchObject({
      taxes: sar(1500),
      fees: sar(500),
      total: sar(12000),
    });
  });

  test('rounds float noise away', () => {
    expect(read(put(READ, [...totals, 0, 'totalFare', 'amount'], 377.99999999999994)).pricing?.total?.total).toEqual(
      sar(37800),
    );
  });

  const rules = [...RESERVATION, 'priceInfo', 'fareInfos', 'fareInfo', 0, 'ruleInfo', 'chargesRules'];
  const penalties = [...rules, 'voluntaryRefunds', 'TPA_Extensions', 'penaltyRules', 0, 'rules', 0];

  test('reads a rule without the word refundable, or without sums, as text: unknown is not no', () => {
    const ruleOf = (wire: object) => read(wire).pricing?.fares[0]?.refundRules[0];
    const texts = ruleOf(READ)?.texts;
    const without = (...fields: string[]) =>
      ruleOf(fields.reduce((wire, field) => put(wire, [...penalties, field], undefined), READ as object));
    expect(texts).not.toEqual([]);
    expect(without('refundable')).toMatchObject({ texts });
    expect(without('refundable')).not.toHaveProperty('refundable');
    expect(without('refundable')).not.toHaveProperty('total');
    expect(without('base', 'tax', 'total')).toMatchObject({ refundable: true, texts });
    expect(without('base', 'tax', 'total')).not.toHaveProperty('total');
  });

  test('computes a penalty without a total from base and tax, in the currency of the price', () => {
    const wire = put(put(READ, [...penalties, 'total'], undefined), [...penalties, 'currency'], undefined);
    expect(read(wire).pricing?.fares[0]?.refundRules[0]).toMatchObject({ total: sar(5750) });
  });

  test('reads fare rules that are only in the rows by passenger type', () => {
    const info = [...RESERVATION, 'priceInfo'];
    const { fareInfo } = (READ.airReservation as { priceInfo: { fareInfos: { fareInfo: unknown } } }).priceInfo
      .fareInfos;
    const row = [...info, 'ptcfareBreakdowns', 'ptcfareBreakdown', 0, 'fareInfo'];
    const wire = put(put(READ, row, fareInfo), [...info, 'fareInfos'], undefined);
    expect(read(wire).pricing?.fares).toEqual(read(READ).pricing?.fares);
  });

  test('reads an order amount that is a number', () => {
    const path = [...RESERVATION, 'offer', 'priced', 0, 'tpaExtensions', 'orderInfo', 'totalAmount'];
    expect(read(put(READ, path, 378.5)).orders[0]?.amount).toEqual(sar(37850));
  });

  test('accepts only a valid currency code', () => {
    const wire = put(
      put(READ, [...totals, 0, 'totalFare', 'currencyCode'], 5),
      [...totals, 0, 'fees', 'currencyCode'],
      '',
    );
    expect(read(wire).pricing?.total?.total).toEqual(sar(37800));
    expect(read(put(READ, [...totals, 0, 'totalFare', 'currencyCode'], 'sar')).pricing).toEqual(read(READ).pricing);
  });

  test('reads a booking without any currency, but no price', () => {
    const wire = rewrite(READ, (value) => {
      if (!isObject(value)) return value;
      const { currencyCode: _, currency: __, ...rest } = value;
      return rest;
    });
    const booking = read(wire);
    expect(booking.pricing?.total).toBeUndefined();
    expect(booking.orders.map((order) => order.amount)).toEqual([undefined, undefined]);
    expect(booking.locator).toBe('K7M4QX');
  });
});

describe('other replies in unusual forms', () => {
  test('reads another payment type in the payment reply than was sent', () => {
    const wire = put(fixture('ticket-reply'), ['ticketItemInfo', 0, 'paymentType'], 4);
    expect(decodeTicketReply(wire).items[0]?.paymentType).toBe('4');
  });

  test('reads links, urls and url of a payment', () => {
    const extension = { urls: 'https://a.example/1  https://a.example/2', url: 'https://a.example/3' };
    const wire = put(fixture('ticket-reply'), ['ticketItemInfo', 0, 'passengerName', 'tpaextensions'], extension);
    expect(decodeTicketReply(wire).items[0]?.links).toEqual([
      { href: 'https://a.example/1' },
      { href: 'https://a.example/2' },
      { href: 'https://a.example/3' },
    ]);
  });

  test('keeps a middle name that is merged into the given name', () => {
    expect(decodeModifyReply(fixture('modify-reply')).travelers[0]?.name).toEqual(named(['SARA ANNE'], 'HADDAD'));
  });

  test('reads availability times without a zone as UTC', () => {
    const path = ['availability', 'segments', 0, 'offers', 0, 'transport', 'departureTime'];
    const wire = put(fixture('availability-reply'), path, '2026-11-30T22:35:00');
    const segment = decodeFareSearchReply(wire).offers[0]?.options[0]?.segments[0];
    expect(segment).toMatchObject({ departs: '2026-11-30T22:35:00.000Z', journeyDate: '2026-12-01' });
  });

  test('takes an availability record without a party as one for one passenger', () => {
    const wire = put(
      put(fixture('availability-reply'), ['availability', 'travellers'], undefined),
      ['availability', 'segments', 0, 'offers', 0, 'transport', 'categories', 0, 'availableQty'],
      1,
    );
    expect(decodeFareSearchReply(wire).offers).toHaveLength(1);
  });

  test('offers a class whose seats the availability record does not count', () => {
    const path = ['availability', 'segments', 0, 'offers', 0, 'transport', 'categories'];
    const wire = put(fixture('availability-reply'), path, undefined);
    const result = decodeFareSearchReply(wire);
    expect(result.offers).toHaveLength(1);
    expect(result.offers[0]?.options[0]?.segments[0]?.availability).toBeUndefined();
  });

  test('reads a cancel reply whose uniqueID is an object and whose status is missing', () => {
    const wire = { success: {}, uniqueID: { type: '14', id: 'K7M4QX' } };
    expect(decodeCancelReply(wire)).toEqual({ locator: 'K7M4QX' });
  });

  test('reports a seat as free only if the airline says so', () => {
    const seat = [
      'seatMapResponses',
      'seatMapResponse',
      0,
      'seatMapDetails',
      0,
      'cabinClass',
      0,
      'rowInfo',
      0,
      'seatInfo',
      1,
    ];
    const statusOf = (wire: unknown) => decodeSeatMapReply(wire)[0]?.cabins[0]?.rows[0]?.seats[1]?.status;
    const map = fixture('seat-map-reply');
    expect(statusOf(map)).toBe('free');
    expect(statusOf(put(map, [...seat, 'status'], [{ value: 'BOOKED' }]))).toBe('taken');
    const wordless = put(put(map, [...seat, 'status'], []), [...seat, 'availability'], {});
    expect(statusOf(wordless)).toBe('free');
    const list = ['seatMapResponses', 'seatMapResponse', 0, 'seatMapDetails', 0, 'cabinClass', 0, 'availabilityList'];
    expect(statusOf(put(put(wordless, [...seat, 'summary'], { seatNumber: '143' }), list, []))).toBe('taken');
  });
});
