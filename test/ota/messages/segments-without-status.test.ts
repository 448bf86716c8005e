/**
 * Holds of the rail dialect send no status with a segment (docs/wire/notes.md, replies: what else they hold). Other
 * records send any of the codes, and can list a moved segment twice.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { couponsDue } from '../../../src/tools/acts/payment-evidence.ts';
import { SEGMENT_CODES, WITH_UNKNOWN } from '../../support/segment-codes.ts';
import { hear } from '../support/asked.ts';
import type { Booking } from '../support/port.ts';
import { shown } from '../support/shown.ts';
import { between, bookingOf, fare, flight, itinerary, option, readingOf, type Wire } from '../support/wire.ts';
import { golden } from './golden.ts';

const held = await hear('hold', golden('replies', 'hold-rail'));

/** Two segments without a status, and the coupons given. */
function reading(coupons: readonly string[], status?: string): Booking {
  const leg = (rph: string, from: string, to: string) =>
    option(rph, flight({ ...between(from, to), rph, status: undefined }));
  return bookingOf({
    airItinerary: itinerary(leg('1', 'AAA', 'BBB'), leg('2', 'BBB', 'AAA')),
    ticketing: coupons.map(([flightRefRPH, letter], i) => ({
      ticketDocumentNbr: `309000000000${i}`,
      travelerRefNumber: ['1'],
      flightSegmentRefNumber: [flightRefRPH],
      tpaextensions: { couponInfos: [{ flightRefRPH, number: '1', status: letter }] },
    })),
    status,
  });
}

const active = (booking: Booking) =>
  shown(booking).segments.flatMap(({ ref, status }) => (status === undefined ? [ref] : []));

describe('a segment without a status', () => {
  test('treats a segment without a status as active in a hold, with a coupon due for each passenger', () => {
    expect(active(held)).toEqual(['1', '2']);
    expect(couponsDue(held)).toBe(2 * held.travelers.length);
  });

  test.each<[string, string[], string | undefined, string[]]>([
    ['no coupon', [], undefined, ['1', '2']],
    ['one coupon refunded of two', ['1R', '1O'], undefined, ['1', '2']],
    ['every coupon refunded', ['1R', '1R', '2O'], undefined, ['2']],
    ['an exchanged coupon', ['1E'], undefined, ['1', '2']],
    ['a cancelled booking', [], 'CANCELLED', []],
  ])('decides which segments without a status are active, with %s', (_what, coupons, status, refs) => {
    expect(active(reading(coupons, status))).toEqual(refs);
  });
});

describe('a segment with a status', () => {
  test('has a source for what its code says', () => {
    const notes = readFileSync(new URL('../../../docs/wire/notes.md', import.meta.url), 'utf8');
    const [, section = ''] = notes.split('### Segment status codes');
    const told: Record<string, string> = {};
    for (const [codes = '', , countsAs = '', source = ''] of tableRows(section)) {
      expect(source).not.toBe('');
      for (const code of codes.split(', ')) told[code] = countsAs;
    }
    const words = {
      ...{ confirmed: 'confirmed', moved: 'confirmed, moved', waiting: 'not confirmed yet', lost: 'lost' },
      ...{ flown: 'flown', no_show: 'no-show', unknown: '' },
    };
    expect(told).toEqual(Object.fromEntries(SEGMENT_CODES.map(({ code, meaning }) => [code, words[meaning]])));
  });

  test.each(['hold-rail', 'hold-airline', 'read-rail-paid', 'read-airline-paid'])(
    'keeps each code as the airline sent it: %s',
    async (name) => {
      for (const { code, meaning } of WITH_UNKNOWN) {
        const reply = withStatus(golden('replies', name), code);
        const booking = name.startsWith('hold') ? await hear('hold', reply) : readingOf(reply);
        const codes = booking.options.flatMap(({ segments }) => segments.map(({ statusCode }) => statusCode));
        expect(new Set(codes)).toEqual(new Set([code]));
        const isDue = ['confirmed', 'moved', 'unknown'].includes(meaning);
        if (name.startsWith('hold')) expect(couponsDue(booking) > 0).toBe(isDue);
      }
    },
  );
});

/** The message with this status in each of its segments. */
function withStatus(message: unknown, status: string): unknown {
  return JSON.parse(JSON.stringify(message), (key, value) =>
    key === 'flightSegment' && Array.isArray(value) ? value.map((segment) => ({ ...segment, status })) : value,
  );
}

describe('a moved segment that is listed twice', () => {
  const OLD = flight({ rph: '1' });
  const NEW = flight({ rph: '3', departureDateTime: '2031-05-04T10:10:00.000+03:00', status: 'TK' });
  const BACK = flight({ ...between('BBB', 'AAA'), rph: '2', departureDateTime: '2031-05-08T10:10:00.000+03:00' });
  const ticket = (refs: readonly string[]) => ({
    ticketDocumentNbr: '3090000000001',
    travelerRefNumber: ['1'],
    flightSegmentRefNumber: refs,
    tpaextensions: { couponInfos: refs.map((flightRefRPH, i) => ({ flightRefRPH, number: `${i + 1}`, status: 'O' })) },
  });
  const priced = (refs: readonly string[]) => ({
    itinTotalFare: [fare(200)],
    ptcfareBreakdowns: {
      ptcfareBreakdown: refs.map((ref) => ({
        passengerTypeQuantity: { code: 'ADT', quantity: 1 },
        passengerFare: [fare(200 / refs.length)],
        ticketDesignators: { ticketDesignator: [{ flightRefRPH: ref }] },
      })),
    },
  });
  const listed = (segments: readonly Wire[], over: Wire = {}) =>
    bookingOf({
      airItinerary: itinerary(...segments.map((each) => option(String(each.rph), each))),
      ticketing: [ticket(['1', '2'])],
      priceInfo: priced(['1', '2']),
      ...over,
    });
  const refs = (booking: Booking) => booking.options.flatMap(({ segments }) => segments.map(({ ref }) => ref));

  test.each(['UN', 'WK', '31'])('is read as one, with coupons and price, if the old form has %s', (status) => {
    const booking = listed([{ ...OLD, status }, BACK, NEW]);
    expect(refs(booking)).toEqual(['3', '2']);
    expect(booking.tickets[0]?.coupons.map(({ segmentRef }) => segmentRef)).toEqual(['3', '2']);
    expect(booking.tickets[0]?.segmentRefs).toEqual(['3', '2']);
    expect(booking.options.flatMap(({ segments }) => segments.map(({ owed }) => owed))).toEqual([undefined, undefined]);
    expect(shown(booking)).toMatchObject({ state: 'ticketed', segments: [{ status: 'schedule change' }, {}] });
  });

  test.each<[string, Booking, string[]]>([
    ['we cancelled the old form', listed([{ ...OLD, status: '16' }, BACK, NEW]), ['1', '2', '3']],
    ['we cancelled the old form, in small letters', listed([{ ...OLD, status: ' xx' }, BACK, NEW]), ['1', '2', '3']],
    [
      'the new form has a coupon',
      listed([{ ...OLD, status: 'UN' }, BACK, NEW], { ticketing: [ticket(['1', '2', '3'])] }),
      ['1', '2', '3'],
    ],
    [
      'the new form has a price',
      listed([{ ...OLD, status: 'UN' }, BACK, NEW], { priceInfo: priced(['1', '2', '3']) }),
      ['1', '2', '3'],
    ],
    [
      'the new form is not marked as moved',
      listed([{ ...OLD, status: 'UN' }, BACK, { ...NEW, status: 'HK' }]),
      ['1', '2', '3'],
    ],
    [
      'the new form is two days away',
      listed([{ ...OLD, status: 'UN' }, BACK, { ...NEW, departureDateTime: '2031-05-06T10:10:00.000+03:00' }]),
      ['1', '2', '3'],
    ],
    [
      'a departure is not known',
      listed([{ ...OLD, status: 'UN', departureDateTime: undefined }, BACK, NEW]),
      ['1', '2', '3'],
    ],
    [
      'there are two new forms',
      listed([{ ...OLD, status: 'UN' }, BACK, NEW, { ...NEW, rph: '4' }]),
      ['1', '2', '3', '4'],
    ],
    [
      'the new form stands for another one already',
      listed([{ ...OLD, status: 'UN' }, { ...OLD, rph: '2', status: 'UN' }, NEW]),
      ['3', '2'],
    ],
  ])('stays two if %s', (_what, booking, expected) => expect(refs(booking)).toEqual(expected));

  test('in a connection keeps the order of travel', () => {
    const onward = flight({ ...between('BBB', 'CCC'), rph: '2', departureDateTime: '2031-05-04T12:10:00.000+03:00' });
    const airItinerary = itinerary(option('1', { ...OLD, status: 'WK' }, onward), option('3', NEW));
    expect(refs(bookingOf({ airItinerary }))).toEqual(['3', '2']);
    const together = itinerary(option('1', { ...OLD, status: 'WK' }, onward, NEW));
    expect(refs(bookingOf({ airItinerary: together }))).toEqual(['2', '3']);
  });
});

/** The cells of the rows of the first table of a text. */
function tableRows(text: string): readonly (readonly string[])[] {
  const [table = ''] = /(?:^\|.*\n)+/m.exec(text) ?? [];
  const lines = table.trim().split('\n');
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
