/**
 * Search replies beside the published ones: price rows, one for each passenger type and segment, pointers that are missing
 * or shared, and replies that cannot be understood (docs/wire/notes.md, Fares and prices).
 */
import { describe, expect, test } from 'vitest';
import { ClerkError } from '../../../src/core/errors.ts';
import { searched } from '../support/asked.ts';
import { shown } from '../support/shown.ts';
import { between, bookingOf, fare, flight, itinerary, option, searchOf, type Wire } from '../support/wire.ts';
import { sar } from './support/values.ts';

interface RowOf {
  readonly type?: string;
  readonly count?: number;
  readonly segment: string;
  readonly amount: number;
  readonly over?: Wire;
}

const row = ({ type = 'ADT', count = 1, segment, amount, over }: RowOf): Wire => ({
  passengerTypeQuantity: { code: type, quantity: count },
  fareBasisCodes: { fareBasisCode: [{ value: 'LOW' }] },
  passengerFare: [fare(amount)],
  flightRefNumberRPHList: [segment],
  ...over,
});

const pricing = (itinTotalFare: unknown, ptcfareBreakdown: readonly Wire[], info: Wire = {}): Wire => ({
  ...{ itinTotalFare, ptcfareBreakdowns: { ptcfareBreakdown } },
  ...info,
});

async function offerOf(wire: Wire) {
  const [offer] = (await searched(wire)).offers;
  if (offer === undefined) throw new Error('no offer');
  return offer;
}

const FLEXI = { tpaExtensions: { priceGroup: 'Flexi' } };
const ONE = itinerary(option('1', flight({ rph: '1' })));
const TWO = itinerary(option('1', flight({ rph: '1' })), option('2', flight({ ...between('BBB', 'CCC'), rph: '2' })));

const perTypeOf = (priceInfo: Wire) => shown(bookingOf({ airItinerary: TWO, priceInfo })).price?.per_type;

describe('price rows', () => {
  test('keeps the rows of each type and segment apart, and shows one sum per type', async () => {
    const rows = [
      row({ count: 4, segment: '1', amount: 400 }),
      row({ type: 'CHD', segment: '1', amount: 60 }),
      row({ count: 4, segment: '2', amount: 320 }),
      row({ type: 'CHD', segment: '2', amount: 40 }),
    ];
    const { perType } = (await offerOf(searchOf([TWO, pricing([fare(820)], rows)]))).pricing;
    expect(perType.map(({ type, count, segmentRefs, price }) => [type, count, ...segmentRefs, price?.total])).toEqual([
      ['ADT', 4, '1', sar(40_000)],
      ['CHD', 1, '1', sar(6_000)],
      ['ADT', 4, '2', sar(32_000)],
      ['CHD', 1, '2', sar(4_000)],
    ]);
    expect(perTypeOf(pricing([fare(820)], rows))).toEqual([
      { type: 'ADT', count: 4, total: '720.00' },
      { type: 'CHD', count: 1, total: '100.00' },
    ]);
  });

  test('counts rows of one traveller each by traveller, as in the airline dialect', () => {
    const rows = ['1', '2'].flatMap((segment) =>
      ['1', '2'].map((rph) => {
        const ticketDesignators = { ticketDesignator: [{ flightRefRPH: segment }] };
        return row({ segment, amount: 55, over: { travelerRefNumber: [{ rph }], ticketDesignators } });
      }),
    );
    expect(perTypeOf(pricing([fare(220)], rows))).toEqual([{ type: 'ADT', count: 2, total: '220.00' }]);
  });

  test('shows no prices by type if the rows do not add up to the total', async () => {
    const offer = await offerOf(searchOf([ONE, pricing([fare(500)], [row({ segment: '1', amount: 100 })])]));
    expect(offer.pricing).toMatchObject({ total: { total: sar(50000) }, perType: [] });
  });

  test("counts only the rows of the segment's class, and no second total without usage", async () => {
    const inClass = (resBookDesigCode: string, amount: number) =>
      row({ segment: '1', amount, over: { fareInfo: [{ fareReference: [{ resBookDesigCode }] }] } });
    const rows = [inClass('C', 575), inClass('Y', 230)];
    const { pricing: found } = await offerOf(searchOf([ONE, pricing([fare(230), fare(115)], rows)]));
    expect(found).toMatchObject({
      total: { total: sar(23_000) },
      refunds: [],
      perType: [{ price: { total: sar(23_000) } }],
    });
    expect(found.perType).toHaveLength(1);
  });

  test.each<[string, Wire, Wire]>([
    ['in the fare infos of the stations', {}, { ...between('AAA', 'BBB'), fareReference: [{ value: 'LOW' }] }],
    ['in the row', { fareInfo: [{ fareReference: [{ value: 'LOW' }], ...FLEXI }] }, {}],
  ])('finds the name of a fare family %s', async (_, over, info) => {
    const fareInfos = { fareInfo: [{ ...info, ...FLEXI }] };
    const rows = [row({ segment: '1', amount: 100, over })];
    const segment = (await offerOf(searchOf([ONE, pricing([fare(100)], rows, { fareInfos })]))).options[0]?.segments[0];
    expect(segment).toMatchObject({ fareName: 'Flexi', fareBasis: 'LOW' });
  });

  test('reads several fare rules of a segment', async () => {
    const fareRule = [{ name: 'Refund', value: 'Until departure.\r\nFee 10 EUR.' }, { value: 'No refund.' }];
    const ruled = itinerary(option('1', flight({ rph: '1', tpaextensions: { fareRule } })));
    expect((await offerOf(searchOf([ruled, pricing([fare(100)], [])]))).options[0]?.segments[0]?.fareRules).toEqual([
      { name: 'Refund', text: expect.stringMatching(/^Until departure\. +Fee 10 EUR\.$/) },
      { text: 'No refund.' },
    ]);
  });
});

describe('pointers in a search', () => {
  const CONNECTION = [
    option('1', flight(between('AAA', 'CCC')), flight(between('CCC', 'BBB'))),
    option('2', flight(between('BBB', 'AAA'))),
  ];

  /** The segments' pointers and fares; the fare of the row for place 1 is F1. */
  async function fares(...options: Wire[]): Promise<string[]> {
    const rows = [1, 2, 3].slice(0, options.flatMap((one) => one.flightSegment).length);
    const rowOf = (place: number) =>
      row({
        segment: `${place}`,
        amount: 100,
        over: { fareBasisCodes: { fareBasisCode: [{ value: `F${place}` }] } },
      });
    const offer = await offerOf(searchOf([itinerary(...options), pricing([fare(100 * rows.length)], rows.map(rowOf))]));
    return offer.options.flatMap((one) => one.segments.map(({ ref, fareBasis }) => `${one.ref}/${ref} ${fareBasis}`));
  }

  const leg = (from: string, to: string, rph?: string) => flight({ ...between(from, to), ...(rph && { rph }) });

  test.each<[string, Wire[], string[]]>([
    ['counted through options if none is given', CONNECTION, ['1/1 F1', '1/2 F2', '2/3 F3']],
    [
      'counted if two segments share one',
      [option('1', leg('AAA', 'BBB', '1')), option('2', leg('BBB', 'AAA', '1'))],
      ['1/1 F1', '2/2 F2'],
    ],
    [
      'counted if some are missing',
      [option('1', leg('AAA', 'CCC', '2'), leg('CCC', 'BBB')), option('2', leg('BBB', 'AAA'))],
      ['1/1 F1', '1/2 F2', '2/3 F3'],
    ],
    [
      'counted for options that would share one',
      [option(undefined, leg('AAA', 'BBB', '1')), option(undefined, leg('BBB', 'AAA', '1'))],
      ['1/1 F1', '2/2 F2'],
    ],
    [
      'kept if all are present and different',
      [option('1', leg('AAA', 'BBB', '2')), option('2', leg('BBB', 'AAA', '1'))],
      ['1/2 F2', '2/1 F1'],
    ],
  ])('are %s', async (_, options, due) => {
    expect(await fares(...options)).toEqual(due);
  });
});

describe('a search reply', () => {
  const listed = (pricedItineraries: unknown): Wire => ({ success: {}, pricedItineraries });
  const record = (offer: Wire): Wire => ({ availability: { segments: [{ offers: [{ transport: {}, ...offer }] }] } });

  test.each<[string, Wire]>([
    ['itineraries without a price', searchOf([ONE, pricing([{ totalFare: { amount: 'much' } }], [])])],
    ['itineraries without flights', searchOf([itinerary(), pricing([fare(100)], [])])],
    [
      'itineraries of a cancelled flight',
      searchOf([itinerary(option('1', flight({ rph: '1', status: 'UN' }))), pricing([fare(100)], [])]),
    ],
    ['itineraries that are no objects', listed({ pricedItinerary: ['sold'] })],
    ['a word in place of the list', listed('none')],
    ['a word in place of the itineraries', listed({ pricedItinerary: 'none' })],
    ['a list under another name', listed({ itineraries: [{ sequenceNumber: 1 }] })],
    ['a record of fares without prices', record({ pricing: [{ class: 'T', currency: 'SAR', fares: [{ id: 'X' }] }] })],
    ['a record of fares without a currency', record({ pricing: [{ class: 'T', fares: [{ id: 'F', total: 100 }] }] })],
  ])('is an error, never no offers, with %s', async (_, wire) => {
    await expect(searched(wire)).rejects.toThrow(ClerkError);
    await expect(searched(wire)).rejects.toThrow(/could not be (?:understood|read)|every fare/);
  });

  test('offers the cheapest that runs, whichever the airline sends as cancelled', async () => {
    const gone = itinerary(option('1', flight({ rph: '1', status: 'XX' })));
    const prices = async (...all: [wire: Wire, amount: number][]) => {
      const { offers, unread, leftOut } = await searched(
        searchOf(...all.map(([wire, amount]): [Wire, Wire] => [wire, pricing([fare(amount)], [])])),
        1,
      );
      return [...offers.map(({ pricing: { total } }) => total?.total.minor), unread, leftOut];
    };
    const cancelled = (count: number) => [{ count, why: 'with a cancelled flight' }];
    expect(await prices([gone, 10], [ONE, 20], [gone, 15], [ONE, 30])).toEqual([2_000, 1, cancelled(2)]);
    expect(await prices([ONE, 10], [gone, 20])).toEqual([1_000, 1, undefined]);
    await expect(prices([gone, 10], [gone, 20])).rejects.toThrow(/could not be understood/);
  });

  test.each([undefined, null, {}, [], { pricedItinerary: [] }, { pricedItinerary: null }])(
    'is no offers if success comes with %j',
    async (list) => {
      expect(await searched(listed(list))).toEqual({ form: 'itineraries', offers: [] });
    },
  );
});
