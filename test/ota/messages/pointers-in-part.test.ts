/**
 * Pointers of segments that are missing in part, or that two segments share: in a search they are counted, as price rows
 * count; in a booking the airline's own stay (docs/wire/notes.md, fares and prices). All values are made up.
 */
import { describe, expect, test } from 'vitest';
import type { Booking } from '../../../src/domain/booking/booking.ts';
import type { SegmentOption } from '../../../src/domain/booking/itinerary.ts';
import { decodeFareSearchReply } from '../../../src/ota/messages/fare-search.ts';
import { readOptions } from '../../../src/ota/messages/parts/segment.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { viewBooking } from '../../../src/tools/views/booking.ts';

type Wire = Record<string, unknown>;

const segment = (from: string, to: string, rph?: string): Wire => ({
  departureAirport: { locationCode: from },
  arrivalAirport: { locationCode: to },
  operatingAirline: { code: 'RR', flightNumber: '0417' },
  flightNumber: '0417',
  departureDateTime: '2031-05-04T08:10:00.000+03:00',
  arrivalDateTime: '2031-05-04T09:02:00.000+03:00',
  resBookDesigCode: 'Y',
  status: '30',
  ...(rph !== undefined && { rph }),
});
const option = (rph: string | undefined, ...flightSegment: Wire[]): Wire => ({ ...(rph && { rph }), flightSegment });
const itinerary = (...options: Wire[]) => ({ originDestinationOptions: { originDestinationOption: options } });

const money = (amount: number) => ({ currencyCode: 'SAR', amount });
const fare = (amount: number) => ({ baseFare: money(amount), totalFare: money(amount) });
const rows = (...codes: string[]) =>
  codes.map((value, i) => ({
    passengerTypeQuantity: { code: 'ADT', quantity: 1 },
    fareBasisCodes: { fareBasisCode: [{ value }] },
    passengerFare: [fare(100)],
    flightRefNumberRPHList: [String(i + 1)],
  }));
const pricing = (...codes: string[]) => ({
  itinTotalFare: [fare(100 * codes.length)],
  ptcfareBreakdowns: { ptcfareBreakdown: rows(...codes) },
});

const fares = (options: readonly SegmentOption[]) =>
  options.flatMap(({ segments }) => segments.map(({ ref, fareBasis }) => [ref, fareBasis]));

function found(options: Wire[], ...codes: string[]) {
  const reply = decodeFareSearchReply({
    success: {},
    pricedItineraries: {
      pricedItinerary: [{ airItinerary: itinerary(...options), airItineraryPricingInfo: pricing(...codes) }],
    },
  });
  const [offer] = reply.offers;
  return offer?.options ?? [];
}

function read(options: Wire[], ...codes: string[]): Booking {
  return decodeReadReply({
    airReservation: {
      airItinerary: itinerary(...options),
      priceInfo: pricing(...codes),
      ticketing: [{ ticketDocumentNbr: '3090000000001', flightSegmentRefNumber: ['1'], travelerRefNumber: ['1'] }],
      bookingReferenceID: [{ id: 'K7PL2M', type: '14' }],
    },
  }) as Booking;
}

const CONNECTION = [option('1', segment('AAA', 'CCC'), segment('CCC', 'BBB')), option('2', segment('BBB', 'AAA'))];
const SHARED = [option('1', segment('AAA', 'BBB', '1')), option('2', segment('BBB', 'AAA', '1'))];
const THREE = [
  ['1', 'FA'],
  ['2', 'FB'],
  ['3', 'FC'],
];

describe('pointers in a search', () => {
  test('counts segments without pointers through options that have some in a search', () => {
    expect(fares(found(CONNECTION, 'FA', 'FB', 'FC'))).toEqual(THREE);
  });

  test('counts segments in a search if two share a pointer', () => {
    expect(fares(found(SHARED, 'FA', 'FB'))).toEqual([
      ['1', 'FA'],
      ['2', 'FB'],
    ]);
  });

  test('counts segments in a search if some have no pointer', () => {
    const part = [option('1', segment('AAA', 'CCC', '2'), segment('CCC', 'BBB')), option('2', segment('BBB', 'AAA'))];
    expect(fares(found(part, 'FA', 'FB', 'FC'))).toEqual(THREE);
  });

  test('counts options in a search if they would share a pointer', () => {
    const bare = [option(undefined, segment('AAA', 'BBB', '1')), option(undefined, segment('BBB', 'AAA', '1'))];
    expect(found(bare, 'FA', 'FB').map(({ ref }) => ref)).toEqual(['1', '2']);
    expect(found(CONNECTION, 'FA', 'FB', 'FC').map(({ ref }) => ref)).toEqual(['1', '2']);
  });

  test('keeps the pointers of a search if all are present and different', () => {
    const own = [option('1', segment('AAA', 'BBB', '2')), option('2', segment('BBB', 'AAA', '1'))];
    expect(fares(found(own, 'FA', 'FB'))).toEqual([
      ['2', 'FB'],
      ['1', 'FA'],
    ]);
  });
});

describe('pointers in a booking', () => {
  test('counts segments without pointers through options that have some in a booking', () => {
    expect(fares(read(CONNECTION, 'FA', 'FB', 'FC').options)).toEqual(THREE);
  });

  test('keeps a shared pointer of a booking, and gives neither segment a fare from its rows', () => {
    const booking = read(SHARED, 'FA', 'FB');
    expect(fares(booking.options)).toEqual([
      ['1', undefined],
      ['1', undefined],
    ]);
  });

  test('allows no cancellation of two flights with the same pointer', () => {
    const { allowed } = viewBooking(read(SHARED, 'FA', 'FB'), { now: 0 });
    const why = expect.stringContaining('two segments have the pointer 1,');
    expect(allowed.cancel_segment).toEqual({ ok: false, why });
  });

  test('never fills a missing pointer with one that the airline gave', () => {
    const refs = (...options: Wire[]) => fares(readOptions(itinerary(...options))).map(([ref]) => ref);
    const [out, back] = [segment('AAA', 'CCC'), segment('CCC', 'BBB', '1')];
    expect(refs(option('1', out, back))).toEqual(['2', '1']);
    expect(refs(option('1', segment('AAA', 'CCC', '2'), segment('CCC', 'BBB')))).toEqual(['2', '1']);
    expect(refs(option('1', segment('AAA', 'CCC', '1')), option('7', segment('CCC', 'BBB')))).toEqual(['1', '7']);
    expect(refs(option('1', segment('AAA', 'CCC')), option('1', segment('CCC', 'BBB')))).toEqual(['1', '2']);
    expect(refs(option('5', segment('AAA', 'CCC')), option('7', segment('CCC', 'BBB')))).toEqual(['5', '7']);
  });
});
