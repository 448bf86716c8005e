/**
 * Price rows of search results, one for each passenger type and segment, as services of both dialects write them
 * (docs/wire/notes.md, fares and prices). All values are made up.
 */
import { describe, expect, test } from 'vitest';
import { totalsByType } from '../../../src/domain/pricing/total-per-passenger-type.ts';
import { ClerkError } from '../../../src/errors.ts';
import { decodeFareSearchReply } from '../../../src/ota/messages/fare-search.ts';

type Wire = Record<string, unknown>;

const money = (amount: number) => ({ currencyCode: 'SAR', amount });
const fareOf = (amount: number) => ({ baseFare: money(amount), totalFare: money(amount) });

const segment = (rph: string, bookingClass = 'Y', over: Wire = {}) => ({
  departureAirport: { locationCode: rph === '1' ? 'AAA' : 'BBB' },
  arrivalAirport: { locationCode: rph === '1' ? 'BBB' : 'CCC' },
  operatingAirline: { code: 'RR', flightNumber: `041${rph}` },
  flightNumber: `041${rph}`,
  departureDateTime: `2031-05-0${rph}T08:10:00.000+03:00`,
  arrivalDateTime: `2031-05-0${rph}T09:02:00.000+03:00`,
  rph,
  resBookDesigCode: bookingClass,
  ...over,
});

interface RowOf {
  readonly type?: string;
  readonly count?: number;
  readonly segment: string;
  readonly amount: number;
  readonly bookingClass?: string;
  readonly fare?: string;
  readonly over?: Wire;
}

const row = ({ type = 'ADT', count = 1, segment: ref, amount, bookingClass, fare = 'LOW', over }: RowOf): Wire => ({
  passengerTypeQuantity: { code: type, quantity: count },
  fareBasisCodes: { fareBasisCode: [{ value: fare }] },
  passengerFare: [fareOf(amount)],
  flightRefNumberRPHList: [ref],
  fareInfo: bookingClass === undefined ? [] : [{ fareReference: [{ resBookDesigCode: bookingClass }] }],
  ...over,
});

function reply(itinTotalFare: unknown, rows: readonly Wire[], segments: readonly Wire[], info: Wire = {}): Wire {
  const originDestinationOption = segments.map((one) => ({ rph: one.rph, flightSegment: [one] }));
  return {
    success: {},
    pricedItineraries: {
      pricedItinerary: [
        {
          airItinerary: { originDestinationOptions: { originDestinationOption } },
          airItineraryPricingInfo: { itinTotalFare, ptcfareBreakdowns: { ptcfareBreakdown: rows }, ...info },
        },
      ],
    },
  };
}

function offerOf(wire: Wire) {
  const [offer] = decodeFareSearchReply(wire).offers;
  if (offer === undefined) throw new Error('no offer');
  return offer;
}

const TWO = [segment('1'), segment('2')];

describe('price rows', () => {
  test('keeps the rows of each type and segment apart, and shows one sum per type', () => {
    const rows = [
      row({ count: 4, segment: '1', amount: 400 }),
      row({ type: 'CHD', segment: '1', amount: 60 }),
      row({ count: 4, segment: '2', amount: 320 }),
      row({ type: 'CHD', segment: '2', amount: 40 }),
    ];
    const { perType } = offerOf(reply([fareOf(820)], rows, TWO)).pricing;
    expect(perType.map(({ type, segmentRefs }) => [type, segmentRefs])).toEqual([
      ['ADT', ['1']],
      ['CHD', ['1']],
      ['ADT', ['2']],
      ['CHD', ['2']],
    ]);
    expect(totalsByType(perType)).toEqual([
      { type: 'ADT', count: 4, total: { minor: 72000, currency: 'SAR' } },
      { type: 'CHD', count: 1, total: { minor: 10000, currency: 'SAR' } },
    ]);
  });

  test('counts rows of one traveller each by traveller, as in the airline dialect', () => {
    const of = (traveler: string, ref: string, amount: number) =>
      row({
        segment: ref,
        amount,
        over: {
          travelerRefNumber: [{ rph: traveler }],
          ticketDesignators: { ticketDesignator: [{ flightRefRPH: ref }] },
        },
      });
    const rows = [of('1', '1', 50), of('2', '1', 50), of('1', '2', 60), of('2', '2', 60)];
    const { perType } = offerOf(reply([fareOf(220)], rows, TWO)).pricing;
    expect(totalsByType(perType)).toEqual([{ type: 'ADT', count: 2, total: { minor: 22000, currency: 'SAR' } }]);
  });

  test('ignores price rows of another class and their fares', () => {
    const rows = [
      row({ segment: '1', amount: 100, bookingClass: 'Y', fare: 'ECO' }),
      row({ segment: '1', amount: 300, bookingClass: 'C', fare: 'BUSI' }),
      row({ segment: '2', amount: 110, bookingClass: 'Y', fare: 'ECO' }),
      row({ segment: '2', amount: 310, bookingClass: 'C', fare: 'BUSI' }),
    ];
    const economy = offerOf(reply([fareOf(210)], rows, TWO));
    expect(totalsByType(economy.pricing.perType)[0]?.total.minor).toBe(21000);
    expect(economy.options.flatMap(({ segments }) => segments.map(({ fareBasis }) => fareBasis))).toEqual([
      'ECO',
      'ECO',
    ]);
    const business = offerOf(reply([fareOf(610)], rows, [segment('1', 'C'), segment('2', 'C')]));
    expect(totalsByType(business.pricing.perType)[0]?.total.minor).toBe(61000);
    expect(business.options[0]?.segments[0]?.fareBasis).toBe('BUSI');
  });

  test('shows no prices by type if the rows do not add up to the total', () => {
    const { pricing } = offerOf(reply([fareOf(500)], [row({ segment: '1', amount: 100 })], [segment('1')]));
    expect(pricing.total?.total.minor).toBe(50000);
    expect(pricing.perType).toEqual([]);
  });

  test("takes only the first total as the party's price, and a refund as a refund", () => {
    const refund = { usage: 'refund', totalFare: money(70) };
    const rows = [row({ segment: '1', amount: 100 })];
    const { pricing } = offerOf(reply([fareOf(100), fareOf(900), refund], rows, [segment('1')]));
    expect(pricing.total?.total.minor).toBe(10000);
    expect(pricing.refunds).toEqual([{ amount: { minor: 7000, currency: 'SAR' } }]);
    expect(pricing.perType).toHaveLength(1);
  });
});

describe('the name of a fare family', () => {
  const rows = [row({ segment: '1', amount: 100 })];

  test.each([
    [
      'on the segment',
      reply([fareOf(100)], rows, [segment('1', 'Y', { tpaextensions: { priceGroup: 'Flexi', fareBasis: 'FLX' } })]),
      'FLX',
    ],
    [
      'in the fare infos',
      reply([fareOf(100)], rows, [segment('1')], {
        fareInfos: {
          fareInfo: [
            {
              departureAirport: { locationCode: 'AAA' },
              arrivalAirport: { locationCode: 'BBB' },
              fareReference: [{ value: 'LOW' }],
              tpaExtensions: { priceGroup: 'Flexi' },
            },
          ],
        },
      }),
      'LOW',
    ],
    [
      'in its price row',
      reply(
        [fareOf(100)],
        [row({ segment: '1', amount: 100, over: { fareInfo: [{ tpaExtensions: { priceGroup: 'Flexi' } }] } })],
        [segment('1')],
      ),
      'LOW',
    ],
  ])('reads the name of a fare family %s', (_, wire, fareBasis) => {
    expect(offerOf(wire).options[0]?.segments[0]).toMatchObject({ fareName: 'Flexi', fareBasis });
  });
});

describe("the airline's own words of a fare rule", () => {
  const ruleOf = (fareRule: unknown) =>
    offerOf(
      reply([fareOf(100)], [row({ segment: '1', amount: 100 })], [segment('1', 'Y', { tpaextensions: { fareRule } })]),
    ).options[0]?.segments[0]?.fareRules;

  test('reads the words of a fare rule with code and name, on one line', () => {
    const rule = { code: 'RFD', name: 'Refund', value: 'Refund until departure.\r\nFee 10 EUR.' };
    expect(ruleOf(rule)).toEqual([
      { code: 'RFD', name: 'Refund', text: expect.stringMatching(/^Refund until departure\. +Fee 10 EUR\.$/) },
    ]);
    expect(ruleOf([rule, { value: 'No refund.' }])).toHaveLength(2);
  });

  test('leaves out the name of a fare rule that was never filled in', () => {
    expect(ruleOf({ name: '$\u007bfare.rule.refund}', value: 'No refund.' })).toEqual([{ text: 'No refund.' }]);
  });
});

describe('a search reply that cannot be understood', () => {
  const unreadable = { ...reply([{ totalFare: { amount: 'much' } }], [], [segment('1')]) };

  test.each([
    ['itineraries without a price', unreadable],
    ['itineraries without flights', reply([fareOf(100)], [], [])],
    ['itineraries that are no objects', { success: {}, pricedItineraries: { pricedItinerary: ['sold'] } }],
    ['a word in place of the itineraries', { success: {}, pricedItineraries: 'none' }],
    [
      'a record of fares without prices',
      {
        availability: {
          segments: [{ offers: [{ transport: {}, pricing: [{ class: 'T', currency: 'SAR', fares: [{ id: 'X' }] }] }] }],
        },
      },
    ],
  ])('rejects a search reply instead of finding nothing on offer: %s', (_, wire) => {
    expect(() => decodeFareSearchReply(wire)).toThrow(ClerkError);
    expect(() => decodeFareSearchReply(wire)).toThrow(/could not be (?:understood|read)/);
  });

  test.each([
    ['an empty list', { success: {}, pricedItineraries: { pricedItinerary: [] } }],
    ['no list', { success: {} }],
    ['a null list', { success: {}, pricedItineraries: null }],
  ])('finds no offers in success with %s', (_, wire) => {
    expect(decodeFareSearchReply(wire).offers).toEqual([]);
  });
});
