/**
 * One case for each item of docs/wire/notes.md, Tolerate on read.
 */
import { describe, expect, test } from 'vitest';
import { hear } from '../support/asked.ts';
import type { Booking, Reading } from '../support/port.ts';
import { readingOf, type Wire } from '../support/wire.ts';
import { fixture } from './fixture.ts';
import { isObject, put, renamed, rewrite } from './support/rewrite.ts';
import { sar } from './support/values.ts';

type Key = string | number;

const READ = fixture('read-reply');
const RESERVATION = READ.airReservation as Record<'airItinerary' | 'priceInfo' | 'travelerInfo', Wire> & Wire;
const PERSON = 'travelerInfo.airTraveler.1';
const OPTIONS = 'airItinerary.originDestinationOptions.originDestinationOption';
const SEGMENT = `${OPTIONS}.0.flightSegment.0`;
const TOTALS = 'priceInfo.itinTotalFare';

const keys = (path: string): Key[] => path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
/** The published reading with these branches of its reservation replaced, or dropped where the value is undefined. */
const readWith = (...changes: [path: string, value: unknown][]): Wire =>
  changes.reduce<Wire>((wire, [path, value]) => put(wire, ['airReservation', ...keys(path)], value), READ);

function read(wire: unknown): Omit<Reading, 'source'> {
  const { source: _, ...booking } = readingOf(wire).reading;
  return booking;
}
const { success: _success, ...UNSUCCESSFUL } = READ;
const { bookingReferenceID, ...NAMELESS } = RESERVATION;
const { ptcfareBreakdowns, ...PRICE } = RESERVATION.priceInfo;
const priced = (over: Wire): Wire => ({ ...READ, airReservation: { ...RESERVATION, ...over } });
const DOCUMENT = [
  { birthDate: '1990-04-02' },
  { docID: 'A1234567', docType: '2', docHolderNationality: 'SA', expireDate: '2030-05-01' },
];
const DOCUMENT_AT_MIDNIGHT = [
  { birthDate: '1990-04-02T00:00:00' },
  { ...DOCUMENT[1], expireDate: '2030-05-01T00:00:00.000Z' },
];
const FARE_INFO = (PRICE.fareInfos as Wire).fareInfo;
const PENALTY =
  'priceInfo.fareInfos.fareInfo.0.ruleInfo.chargesRules.voluntaryRefunds.TPA_Extensions.penaltyRules.0.rules.0';

describe('a booking that means the same in another form', () => {
  test.each<[string, unknown]>([
    ['without the airItinerary wrapper', readWith(['airItinerary', RESERVATION.airItinerary.originDestinationOptions])],
    ['with a version as text and without success', { version: '2.001', ...UNSUCCESSFUL }],
    ['in a list of one', { airReservation: [RESERVATION] }],
    ['with its reference beside the reservation', { airReservation: NAMELESS, bookingReferenceID }],
    ['with a price that is called airItineraryPricingInfo', renamed(READ, { priceInfo: 'airItineraryPricingInfo' })],
    [
      'with ptcfareBreakdowns in airItineraryPricingInfo',
      priced({ priceInfo: PRICE, airItineraryPricingInfo: { ptcfareBreakdowns } }),
    ],
    ['with ptcfareBreakdowns beside the price', priced({ priceInfo: PRICE, ptcfareBreakdowns })],
    ['with a document split over two items', readWith([`${PERSON}.document`, DOCUMENT])],
    ['with the same in the other order', readWith([`${PERSON}.document`, DOCUMENT.toReversed()])],
    ['with dates at midnight', readWith([`${PERSON}.document`, DOCUMENT_AT_MIDNIGHT])],
    ['with a gender of one letter', readWith([`${PERSON}.gender`, 'f'])],
    ['with a gender in capitals', readWith([`${PERSON}.gender`, 'FEMALE'])],
    ['with a class that ends with a blank', readWith([`${SEGMENT}.resBookDesigCode`, 'Y '])],
    ['with a station in small letters', readWith([`${SEGMENT}.departureAirport.locationCode`, 'mkx'])],
    [
      'with an option and its segment without pointers',
      readWith([`${OPTIONS}.1.rph`, undefined], [`${OPTIONS}.1.flightSegment.0.rph`, undefined]),
    ],
    ['with a refund that only its fee shows', readWith([`${TOTALS}.1.usage`, undefined])],
    ['with float noise in its total', readWith([`${TOTALS}.0.totalFare.amount`, 377.99999999999994])],
    ['with a currency in small letters', readWith([`${TOTALS}.0.totalFare.currencyCode`, 'sar'])],
    [
      'with currencies that are none',
      readWith([`${TOTALS}.0.totalFare.currencyCode`, 5], [`${TOTALS}.0.fees.currencyCode`, '']),
    ],
    [
      'with fare rules only in the rows by passenger type',
      readWith(
        ['priceInfo.ptcfareBreakdowns.ptcfareBreakdown.0.fareInfo', FARE_INFO],
        ['priceInfo.fareInfos', undefined],
      ),
    ],
  ])('is read the same: %s', (_, wire) => {
    expect(read(wire)).toEqual(read(READ));
  });
});

describe('a booking in unusual forms', () => {
  const first = ({ travelers: [traveler] }: Pick<Booking, 'travelers'>) => traveler;
  const segment = ({ options: [option] }: Pick<Booking, 'options'>) => option?.segments[0];
  const refs = (booking: Pick<Booking, 'options'>) =>
    booking.options.map((option) => [option.ref, option.segments.map(({ ref }) => ref)]);
  const bare = { travelerRefs: [], segmentRefs: [], coupons: [], links: [] };
  const A1 = { number: 'A1', docType: '2' };
  const total = ({ pricing }: Pick<Booking, 'pricing'>) => pricing?.total;
  const kwd = (minor: number) => ({ minor, currency: 'KWD' });

  test.each<[string, Wire, (booking: Omit<Reading, 'source'>) => unknown, unknown]>([
    ['namePrefix [null]', readWith([`${PERSON}.personName.namePrefix`, [null]]), (b) => first(b)?.name?.prefix, []],
    ...[undefined, null, {}, { givenName: [''], surname: '' }].map((name): [string, Wire, typeof first, unknown] => [
      `a traveller named ${JSON.stringify(name)}`,
      readWith([`${PERSON}.personName`, name]),
      (b) => [first(b)?.ref, first(b)?.name] as never,
      ['1', undefined],
    ]),
    [
      'the contact last',
      readWith(['travelerInfo.airTraveler', (RESERVATION.travelerInfo.airTraveler as unknown[]).toReversed()]),
      (b) => [b.contact, b.travelers.map(({ ref }) => ref)],
      [read(READ).contact, ['2', '1']],
    ],
    [
      'two documents, of which the first is kept whole',
      readWith([
        `${PERSON}.document`,
        [
          { docID: 'A1', docType: '2' },
          { docID: 'B2', docType: '5', docHolderNationality: 'SA', birthDate: '1990-04-02' },
        ],
      ]),
      (b) => [first(b)?.document, first(b)?.birthDate, first(b)?.otherDocuments],
      [A1, '1990-04-02', [{ number: 'B2', docType: '5', nationality: 'SA' }]],
    ],
    [
      'one document in three forms',
      readWith([
        `${PERSON}.document`,
        [{ docID: 'A1', docType: '2' }, { docID: 'a 1' }, { docID: '1' }, { docID: '**1', docType: '5' }],
      ]),
      (b) => [first(b)?.document, first(b)?.otherDocuments],
      [A1, undefined],
    ],
    [
      'one document with another expiry beside it',
      readWith([
        `${PERSON}.document`,
        [{ docID: 'A1', docType: '2' }, { expireDate: '2036-02-28' }, { expireDate: '2036-02-29' }],
      ]),
      (b) => [first(b)?.document, first(b)?.otherDocuments],
      [{ ...A1, expires: '2036-02-28' }, [{ number: 'A1', expires: '2036-02-29' }]],
    ],
    [
      'one document twice',
      readWith([
        `${PERSON}.document`,
        [
          { docID: 'A1', docType: '2' },
          { docID: 'A1', docType: '5' },
        ],
      ]),
      (b) => first(b)?.document,
      A1,
    ],
    [
      'ticketing rows that have only a time limit',
      readWith(['ticketing', [{ ticketTimeLimit: '2026-11-20T12:30:00.000+03:00', ticketType: 'E_TICKET' }]]),
      (b) => b.tickets,
      [{ ...bare, number: '', ticketType: 'E_TICKET', timeLimit: '2026-11-20T12:30:00.000+03:00' }],
    ],
    ['a pointer on the option alone', readWith([OPTIONS, [{ rph: '7', flightSegment: [{}] }]]), refs, [['7', ['7']]]],
    ['a pointer on the segment alone', readWith([OPTIONS, [{ flightSegment: [{ rph: 5 }] }]]), refs, [['5', ['5']]]],
    ...['16', 16, 'HX', 'something new'].map(
      (status): [string, Wire, (b: Omit<Reading, 'source'>) => unknown, string] => [
        `the segment status ${JSON.stringify(status)}`,
        readWith([`${SEGMENT}.status`, status]),
        (b) => segment(b)?.statusCode,
        String(status),
      ],
    ),
    ['no permitted operation', readWith([`${SEGMENT}.tpaextensions.operations`, []]), (b) => segment(b)?.permitted, []],
    [
      'no word about operations',
      readWith([`${SEGMENT}.tpaextensions.operations`, undefined]),
      (b) => segment(b)?.permitted,
      undefined,
    ],
    [
      'class availability of any letter and quantity',
      readWith([
        `${SEGMENT}.bookingClassAvails`,
        [{ bookingClassAvail: [{ resBookDesigCode: 'Q', resBookDesigQuantity: '9+', resBookDesigStatusCode: 'L' }] }],
      ]),
      (b) => segment(b)?.availability,
      [{ bookingClass: 'Q', quantity: '9+' }],
    ],
    [
      'an amount whose currency only its siblings give',
      readWith([
        TOTALS,
        [
          {
            baseFare: { amount: 100 },
            taxes: { tax: [{ taxCode: 'VAT', currencyCode: 'KWD', amount: '1.125' }], amount: 1.125 },
            totalFare: { amount: 101.125 },
          },
        ],
      ]),
      (b) => [total(b)?.base, total(b)?.taxes, total(b)?.fees, total(b)?.total],
      [kwd(100000), kwd(1125), kwd(0), kwd(101125)],
    ],
    [
      'a sum that only its lines give, and a total that only its parts give',
      readWith([
        TOTALS,
        [
          {
            baseFare: { currencyCode: 'SAR', amount: 100 },
            taxes: { tax: [{ taxCode: 'VAT', amount: 15 }] },
            fees: { fee: [{ feeCode: 'FE1', amount: 5 }] },
          },
        ],
      ]),
      (b) => [total(b)?.taxes, total(b)?.fees, total(b)?.total],
      [sar(1500), sar(500), sar(12000)],
    ],
    [
      'a penalty that only base and tax give, in the currency of the price',
      readWith([`${PENALTY}.total`, undefined], [`${PENALTY}.currency`, undefined]),
      (b) => b.pricing?.fares[0]?.refundRules[0],
      expect.objectContaining({ total: sar(5750) }),
    ],
    [
      'an order amount that is a number',
      readWith(['offer.priced.0.tpaExtensions.orderInfo.totalAmount', 378.5]),
      (b) => b.orders[0]?.amount,
      sar(37850),
    ],
  ])('is read with %s', (_, wire, look, due) => {
    expect(look(read(wire))).toEqual(due);
  });

  test('takes the reference of the reservation system as the locator, wherever it is', () => {
    const operator = { companyName: { code: 'HHR' }, type: '14', id: '05D1C8E42' };
    const group = { type: '9', id: 'TRIP01' };
    for (const id of ['K7M4QX', 'IO01AB', '10IOZZ']) {
      const own = { type: '14', id };
      for (const references of [[operator, own], [group, own, operator], own]) {
        expect(read(readWith(['bookingReferenceID', references])).locator).toBe(id);
      }
    }
    const foreign = read(readWith(['bookingReferenceID', [operator]]));
    expect([foreign.locator, foreign.references.length]).toEqual(['05D1C8E42', 1]);
  });

  test('reads a fully cancelled booking that has only its reference', () => {
    const { references } = read(READ);
    const nothing = { options: [], travelers: [], tickets: [], orders: [], services: [], emds: [] };
    const wire = { success: {}, airReservation: { bookingReferenceID } };
    expect(read(wire)).toEqual({ locator: 'K7M4QX', references, ...nothing });
  });

  test('reads a rule without the word refundable, or without sums, as text: unknown is not no', () => {
    const ruleOf = (...fields: string[]) =>
      read(readWith(...fields.map((field): [string, undefined] => [`${PENALTY}.${field}`, undefined]))).pricing
        ?.fares[0]?.refundRules[0];
    const texts = ruleOf()?.texts;
    expect(texts).not.toEqual([]);
    expect(ruleOf('refundable')).toMatchObject({ texts });
    expect(ruleOf('refundable')?.refundable).toBeUndefined();
    expect(ruleOf('refundable')).not.toHaveProperty('total');
    expect(ruleOf('base', 'tax', 'total')).toMatchObject({ refundable: true, texts });
    expect(ruleOf('base', 'tax', 'total')).not.toHaveProperty('total');
  });

  test('reads a booking without any currency, but no price', () => {
    const wire = rewrite(READ, (value) => {
      if (!isObject(value)) return value;
      const { currencyCode: _, currency: __, ...rest } = value;
      return rest;
    });
    const booking = read(wire);
    expect(booking.pricing?.total).toBeUndefined();
    expect(booking.orders.map(({ amount }) => amount)).toEqual([undefined, undefined]);
    expect(booking.locator).toBe('K7M4QX');
  });
});

describe('other replies in unusual forms', () => {
  const paid = async (path: string, value: unknown) =>
    (await hear('ticket', put(fixture('ticket-reply'), keys(`ticketItemInfo.0.${path}`), value))).items[0];
  const TRANSPORT = 'availability.segments.0.offers.0.transport';
  const changed = (name: string, changes: [path: string, value: unknown][]) =>
    changes.reduce<Wire>((wire, [path, value]) => put(wire, keys(path), value), fixture(name));
  const found = async (...changes: [path: string, value: unknown][]) =>
    (await hear('availability', changed('availability-reply', changes))).offers;

  test('reads another payment type in the payment reply than was sent, and links, urls and url', async () => {
    expect((await paid('paymentType', 4))?.paymentType).toBe('4');
    const extension = { urls: 'https://a.example/1  https://a.example/2', url: 'https://a.example/3' };
    const hrefs = (await paid('passengerName.tpaextensions', extension))?.links.map(({ href }) => href);
    expect(hrefs).toEqual(['https://a.example/1', 'https://a.example/2', 'https://a.example/3']);
  });

  test('reads availability times without a zone as UTC', async () => {
    const [offer] = await found([`${TRANSPORT}.departureTime`, '2026-11-30T22:35:00']);
    const times = { departs: '2026-11-30T22:35:00.000Z', journeyDate: '2026-12-01' };
    expect(offer?.options[0]?.segments[0]).toMatchObject(times);
  });

  test('takes an availability record without a party as one for one passenger', async () => {
    const one = await found(['availability.travellers', undefined], [`${TRANSPORT}.categories.0.availableQty`, 1]);
    expect(one).toHaveLength(1);
  });

  test('offers a class whose seats the availability record does not count', async () => {
    const offers = await found([`${TRANSPORT}.categories`, undefined]);
    expect(offers.map(({ options }) => options[0]?.segments[0]?.availability)).toEqual([undefined]);
  });

  test('reads a cancel reply whose uniqueID is an object and whose status is missing', async () => {
    const wire = { success: {}, uniqueID: { type: '14', id: 'K7M4QX' } };
    expect(await hear('cancel', wire)).toEqual({ locator: 'K7M4QX' });
  });

  test('reports a seat as free only if the airline says so', async () => {
    const CABIN = 'seatMapResponses.seatMapResponse.0.seatMapDetails.0.cabinClass.0';
    const SEAT = `${CABIN}.rowInfo.0.seatInfo.1`;
    const statusWith = async (...changes: [path: string, value: unknown][]) =>
      (await hear('seat-map', changed('seat-map-reply', changes)))[0]?.cabins[0]?.rows[0]?.seats[1]?.status;
    const wordless: [string, unknown][] = [
      [`${SEAT}.status`, []],
      [`${SEAT}.availability`, {}],
    ];
    expect(await statusWith()).toBe('free');
    expect(await statusWith([`${SEAT}.status`, [{ value: 'BOOKED' }]])).toBe('taken');
    expect(await statusWith(...wordless)).toBe('free');
    const unlisted: [string, unknown][] = [
      [`${SEAT}.summary`, { seatNumber: '143' }],
      [`${CABIN}.availabilityList`, []],
    ];
    expect(await statusWith(...wordless, ...unlisted)).toBe('taken');
  });
});

test.each([
  ['a@x.example, b@y.example', ['a@x.example', 'b@y.example']],
  ['a@x.example;b@y.example;', ['a@x.example', 'b@y.example']],
  ['Jo Berg <jo@x.example>', ['Jo Berg <jo@x.example>']],
  [' ', []],
])('the e-mail %j is %j', (value, emails) => {
  const { travelers } = read(readWith([`${PERSON}.email`, [{ value }]]));
  expect(travelers.map((one) => one.emails)).toContainEqual(emails);
});
