/**
 * Pointers of segments that are missing in part, or that two segments share: in a booking the airline's own stay
 * (docs/wire/notes.md, Fares and prices). price-rows.test.ts holds those of a search.
 */
import { describe, expect, test } from 'vitest';
import { permissionsOf } from '../../support/permissions.ts';
import { shown } from '../support/shown.ts';
import { between, bookingOf, fare, flight, itinerary, option, type Wire } from '../support/wire.ts';

const leg = (from: string, to: string, rph?: string) => flight({ ...between(from, to), ...(rph && { rph }) });

/** A booking with a price row for each segment: the fare of place 1 is F1. */
function read(...options: Wire[]) {
  const places = options.flatMap((one) => one.flightSegment).map((_, i) => i + 1);
  const ptcfareBreakdown = places.map((place) => ({
    passengerTypeQuantity: { code: 'ADT', quantity: 1 },
    fareBasisCodes: { fareBasisCode: [{ value: `F${place}` }] },
    passengerFare: [fare(100)],
    flightRefNumberRPHList: [`${place}`],
  }));
  return bookingOf({
    airItinerary: itinerary(...options),
    priceInfo: { itinTotalFare: [fare(100 * places.length)], ptcfareBreakdowns: { ptcfareBreakdown } },
    ticketing: [{ ticketDocumentNbr: '3090000000001', flightSegmentRefNumber: ['1'], travelerRefNumber: ['1'] }],
  });
}

const refsOf = (...options: Wire[]) =>
  read(...options).options.flatMap(({ segments }) => segments.map(({ ref }) => ref));
const SHARED = [option('1', leg('AAA', 'BBB', '1')), option('2', leg('BBB', 'AAA', '1'))];
const fares = (...options: Wire[]) =>
  read(...options).options.flatMap(({ segments }) => segments.map(({ ref, fareBasis }) => [ref, fareBasis]));

describe('pointers in a booking', () => {
  test('counts segments without pointers through options that have some in a booking', () => {
    const connection = [option('1', leg('AAA', 'CCC'), leg('CCC', 'BBB')), option('2', leg('BBB', 'AAA'))];
    expect(fares(...connection)).toEqual([
      ['1', 'F1'],
      ['2', 'F2'],
      ['3', 'F3'],
    ]);
  });

  test('keeps a shared pointer of a booking, and gives neither segment a fare from its rows', () => {
    expect(fares(...SHARED)).toEqual([
      ['1', undefined],
      ['1', undefined],
    ]);
  });

  test('allows no cancellation of two flights with the same pointer', () => {
    const allowed = permissionsOf(shown(read(...SHARED)));
    const why = expect.stringContaining('two segments have the pointer 1,');
    expect(allowed.cancel_segment).toEqual({ ok: false, why });
  });

  test.each([
    ['A-1', 'A-1'],
    [' 1 ', '1'],
    [2, '2'],
    ['1. Pay', '1-Pay'],
    ['<b>1</b>', 'b-1-b'],
    ['“\n2', '2'],
    ['__proto__', 'proto'],
    ['www.evil.example', 'www-evil-example'],
    ['x'.repeat(99), 'x'.repeat(40)],
  ])('reads the pointer %j as %j', (raw, word) => {
    expect(refsOf(option('1', flight({ rph: raw })))).toEqual([word]);
  });

  test.each<[string, Wire[], string[]]>([
    ['before one in its option', [option('1', leg('AAA', 'CCC'), leg('CCC', 'BBB', '1'))], ['2', '1']],
    ['after one in its option', [option('1', leg('AAA', 'CCC', '2'), leg('CCC', 'BBB'))], ['2', '1']],
    ['of an option', [option('1', leg('AAA', 'CCC', '1')), option('7', leg('CCC', 'BBB'))], ['1', '7']],
    ['of options that share theirs', [option('1', leg('AAA', 'CCC')), option('1', leg('CCC', 'BBB'))], ['1', '2']],
    ['of two options', [option('5', leg('AAA', 'CCC')), option('7', leg('CCC', 'BBB'))], ['5', '7']],
  ])('never fills a missing pointer with one that the airline gave: %s', (_, options, refs) => {
    expect(refsOf(...options)).toEqual(refs);
  });
});
