/** search_fares: what is asked, which offers are shown and kept, and the checks of their prices. */
import { describe, expect, test } from 'vitest';
import {
  BACK,
  fare,
  faresOf,
  held,
  NOW,
  OUT,
  option,
  price,
  pricing,
  rule,
  sar,
  segment,
  UNPRICED,
} from '../support/bookings.ts';
import {
  type Airline,
  callsOf,
  type DeskOptions,
  expectRefusals,
  expectTexts,
  offer,
  openDesk,
  placeName,
} from './support/desk.ts';

type Found = Awaited<ReturnType<Airline['searchFares']>>;
type Offer = Found['offers'][number];
const LEG = { from: 'med', to: 'JED', date: '2026-12-01' };
const HOME = { from: 'JED', to: 'MED', date: '2026-12-05' };
const ARGS = { legs: [LEG], passengers: { adults: 1 } };
const FULL = { detail: 'full' };

const found = (offers: readonly Offer[], over: Partial<Found> = {}): Found => ({
  ...{ form: 'itineraries', offers },
  ...over,
});
const open = (result: Found, { airline, ...options }: DeskOptions = {}) =>
  openDesk({ airline: { searchFares: async () => result, ...airline }, ...options });
async function search(result: Found, args: object = {}, options?: DeskOptions) {
  const desk = await open(result, options);
  return { ...(await desk.read('search_fares', { ...ARGS, ...args })), desk };
}
const refused = async (result: Found, args: object = {}) =>
  (await open(result)).refused('search_fares', { ...ARGS, ...args });
const cheap = (minor: number, over: Partial<Offer> = {}) => offer({ pricing: pricing(minor), ...over });
const withFares = (minor: number, fares: Offer['pricing']['fares'], over: Partial<Offer> = {}) =>
  offer({ pricing: pricing(minor, { fares, perType: [] }), ...over });
const of = (...segments: ReturnType<typeof segment>[]) => ({ options: [option(...segments)] });
const NOTHING = found([]);

const total = price(sar(69000), {
  ...{ base: sar(60000), taxes: sar(8000), fees: sar(1000), remarks: ['No *smoking*', ' '] },
  lines: [{ kind: 'tax', code: 'VAT', amount: sar(8000), vatHundredths: 1500 }],
});
const there = offer({
  ...{ options: [OUT, BACK], notes: ['Bring your *passport*'] },
  pricing: pricing(69000, { total, fares: faresOf(), quoteId: 'Q1' }),
});

test('searches with codes in upper case, and gives and keeps offers with all that is known of them', async () => {
  const legs = [
    { ...LEG, days_before: 2 },
    { ...HOME, days_after: 1 },
  ];
  const { view, desk } = await search(found([there]), { legs, ...FULL });
  expect(desk.asked[0]?.[1]).toEqual({
    legs: [
      { from: 'MED', to: 'JED', date: '2026-12-01', daysBefore: 2, daysAfter: 0 },
      { from: 'JED', to: 'MED', date: '2026-12-05', daysBefore: 0, daysAfter: 1 },
    ],
    ...{ passengers: { adults: 1, children: 0, infants: 0 }, bookingClasses: [], most: 10 },
  });
  expect(view.offers[0]).toMatchObject({
    ...{ total: '690.00', base: '600.00', taxes: '80.00', fees: '10.00', quote_id: 'Q1' },
    legs: [{ fare: { code: 'YOW' } }, { fare: { code: 'YOW' } }],
    refund: { kept_now: '345.00', valid_until: '2026-11-30T08:00+03:00', cancel_until: '2026-12-01T05:00+03:00' },
    airline_says: ['Bring your passport', 'No smoking'],
    ...{ pay_by: '2026-11-29T08:25+03:00', names_until: '2026-11-30T03:00+03:00' },
    price_lines: [{ kind: 'tax', code: 'VAT', amount: '80.00', vat: '15' }],
  });
  expect(desk.shelf.get('o000001')).toMatchObject({
    offer: { options: there.options, pricing: { total: { total: sar(69000) } } },
    ...{ passengers: { adults: 1 }, shownAt: NOW, refundNote: expect.stringMatching(/^A fee of SAR 172\.50/) },
  });
  const { view: concise } = await search(found([there]));
  for (const field of ['airline_says', 'base', 'price_lines', 'quote_id', 'fare_basis', 'per_type'])
    expect(concise.offers[0]).not.toHaveProperty(field);
});

/** One leg of two a record, in UTC and without a carrier. */
const [{ operating: _operating, ...bare } = segment('1')] = [segment('1')];
const AVAILABILITY: Found = {
  form: 'availability',
  offers: [20000, 21000]
    .map((minor) =>
      cheap(minor, {
        leg: 0,
        ...of({
          ...{ ...bare, departs: '2026-12-01T22:30:00Z', arrives: '2026-12-02T00:40:00Z', journeyDate: '2026-12-02' },
          availability: [
            { bookingClass: 'C', quantity: '2' },
            { bookingClass: 'Y', quantity: '9+' },
          ],
        }),
      }),
    )
    .concat(cheap(50000, { leg: 1, options: [BACK] })),
  validUntil: '2026-11-29T05:30:00Z',
};
const BOTH_LEGS = { legs: [LEG, HOME], max_results: 2 };

test('shows what a person chooses by', async () => {
  const connection = of(
    segment('1', { to: 'RUH', operating: { carrier: 'ZR', number: '7' }, marketing: { carrier: 'HHR' } }),
    segment('2', { from: 'RUH' }),
  );
  const fared = (fareBasis: string, fareName: string) => of(segment('1', { fareBasis, fareName }));
  const children = [rule(), rule({ passengerType: 'CHD', refundable: false })];
  await expectTexts('results/search_fares', {
    'There and back, with names of places': search(found([there]), { legs: [LEG, HOME] }, { airline: { placeName } }),
    'Two fares, and one with rules by passenger type': search(
      found([
        cheap(20000, fared('LOW1', 'Eco Light')),
        withFares(30000, [fare('1', 'MED', 'JED')], fared('FLEX1', 'Eco Flex')),
        withFares(40000, [fare('1', 'MED', 'JED', { refundRules: children })]),
      ]),
    ),
    'A connection by another operator, the first of many': search(found([cheap(20000, connection)], { unread: 41 }), {
      max_results: 1,
    }),
    'Availability by leg': search(AVAILABILITY, BOTH_LEGS),
    'One offer, and departures without enough seats': search(found([cheap(20000)], { soldOut: SOLD_OUT }), {
      include_sold_out: true,
    }),
  });
});

test('gives the cheapest first, without offers that have no price, and counts those that were not read', async () => {
  const unpriced = offer({ pricing: UNPRICED });
  const { view, desk } = await search(found([cheap(30000), unpriced, cheap(10000), cheap(20000)]), { max_results: 2 });
  expect(view.offers.map(({ total }: { total: string }) => total)).toEqual(['100.00', '200.00']);
  expect([view.total_found, desk.shelf.size]).toEqual([3, 2]);
  expect((await search(found([cheap(10000)], { unread: 41 }))).view.total_found).toBe(42);
});

test('says once what is equal for all offers, and with each what differs', async () => {
  const train = (fareBasis: string, over = {}) => segment('1', { fareBasis, bookingClass: 'Y', ...over });
  const low = withFares(20000, [], of(train('LOW1')));
  const { view: equal } = await search(found([low, withFares(30000, [], of(train('LOW1')))]));
  expect(equal.common).toEqual({
    ...{ legs: [{ from: 'MED', to: 'JED' }], class: 'Y', fare: { code: 'LOW1' }, baggage: '1 PC' },
    refund: { note: 'known once held; holding is free and expires by itself' },
  });
  const [first] = equal.offers;
  const times = { departs: '2026-12-01T08:00+03:00', arrives: '2026-12-01T10:10+03:00' };
  expect(first).toEqual({ offer_id: 'o000001', total: '200.00', legs: [{ ...times, flight: 'HHR101' }] });
  const { view: other } = await search(found([low, withFares(30000, [], of(train('FLEX1', { from: 'YNB' })))]));
  expect(other.common).toMatchObject({ class: 'Y' });
  expect(other.common).not.toHaveProperty('legs');
  expect(other.common).not.toHaveProperty('fare');
  expect(other.offers).toMatchObject([
    { legs: [{ from: 'MED', fare: { code: 'LOW1' } }] },
    { legs: [{ from: 'YNB', fare: { code: 'FLEX1' } }] },
  ]);
  // One offer alone says all that is known of it.
  const { view: alone } = await search(found([low]));
  expect(alone).not.toHaveProperty('common');
  expect(alone.offers[0]).toMatchObject({ baggage: '1 PC', legs: [{ from: 'MED', class: 'Y' }] });
});

test('says where a connection goes on from another airport, in the offer and in the question of its payment', async () => {
  const first = segment('1', { from: 'CDG', to: 'LHR', arrives: '2026-12-01T09:00:00.000+03:00' });
  const second = segment('2', { optionRef: '1', from: 'LGW', to: 'JFK', departs: '2026-12-01T12:00:00.000+03:00' });
  const { text } = await search(found([cheap(20000, of(first, second))]));
  expect(text).toContain('then from LGW, after arriving at LHR, HHR101');
  const trip = held({ options: [option(first, second)] });
  const airline = { settings: { dialect: 'airline' as const } };
  const { lines } = await callsOf('pay_booking').ask(trip, { payment: { type: 'invoice' } }, airline);
  expect(lines.filter((line: string) => line.includes('change of'))).toEqual([
    expect.stringMatching(/^Flight HHR101: LGW → JFK.*; change of airport: the flight before arrives at LHR$/),
  ]);
  const same = held({ options: [option(first, { ...second, from: 'LHR' })] });
  const { text: question } = await callsOf('pay_booking').ask(same, { payment: { type: 'invoice' } }, airline);
  expect(question).not.toContain('change of airport');
});

test('says what each segment of a connection is, and how long the whole leg takes', async () => {
  const change = [
    segment('1', { to: 'RUH', arrives: '2026-12-01T09:00:00.000+03:00', bookingClass: 'Y' }),
    segment('2', { from: 'RUH', departs: '2026-12-01T09:30:00.000+03:00', bookingClass: 'C' }),
  ];
  const { view, text } = await search(found([cheap(20000, of(...change))]));
  const [departs, arrives] = ['2026-12-01T08:00+03:00', '2026-12-01T10:10+03:00'];
  expect(view.offers[0].legs).toEqual([
    {
      ...{ from: 'MED', to: 'JED', departs, arrives, duration_minutes: 130, fare: { code: 'YOW' } },
      segments: [
        { from: 'MED', to: 'RUH', departs, arrives: '2026-12-01T09:00+03:00', flight: 'HHR101', class: 'Y' },
        { from: 'RUH', to: 'JED', departs: '2026-12-01T09:30+03:00', arrives, flight: 'HHR101', class: 'C' },
      ],
    },
  ]);
  expect(text).toContain('08:00-09:00 class Y then from RUH HHR101 Tue 1 Dec 09:30-10:10 class C (2h10)');
});

test('gives an availability record as one offer per leg, with local dates and the seats that are left', async () => {
  const { view, desk } = await search(AVAILABILITY, BOTH_LEGS);
  expect(view.offers).toMatchObject([
    {
      ...{ leg: 1, total: '200.00', notes: [expect.stringContaining('FARECLERK_CARRIER')] },
      legs: [{ departs: '2026-12-01T22:30Z', journey_date: '2026-12-02', seats_left: 9, flight: '101' }],
    },
    { leg: 2, total: '500.00' },
  ]);
  expect(view.offers[1]).not.toHaveProperty('notes');
  expect(view.valid_until).toBe('2026-11-29T05:30Z');
  expect(desk.shelf.get('o000001')?.validUntil).toBe('2026-11-29T05:30:00Z');
  const known = await search(AVAILABILITY, BOTH_LEGS, { settings: { carrier: 'HHR' } });
  expect(known.view.offers[0].legs[0].flight).toBe('HHR101');
  expect(known.view.offers[0]).not.toHaveProperty('notes');
  const { operating: _, ...sold } = segment('1', { marketing: { carrier: 'RR' } });
  expect((await search(found([cheap(20000, of(sold))]))).view.offers[0]).not.toHaveProperty('notes');
});

/** Departures without enough seats, the second in UTC: in economy no seat is left, in business one. */
const SOLD_OUT: Found['soldOut'] = [
  { leg: 0, segment: segment('9', { bookingClass: 'Y', availability: [{ bookingClass: 'Y', quantity: '0' }] }) },
  {
    leg: 0,
    segment: segment('10', {
      ...{ departs: '2026-12-01T22:30:00Z', arrives: '2026-12-02T00:40:00Z', journeyDate: '2026-12-02' },
      ...{ bookingClass: 'C', availability: [{ bookingClass: 'C', quantity: '1' }] },
    }),
  },
];

test('asks for what is sold out, and lists each class of a departure with the seats it has left', async () => {
  const desk = await open(found([cheap(20000)], { soldOut: SOLD_OUT }));
  const { view, text } = await desk.read('search_fares', { ...ARGS, include_sold_out: true });
  expect(desk.asked[0]?.[1]).toMatchObject({ includeSoldOut: true });
  expect(view.common.legs).toEqual([{ from: 'MED', to: 'JED' }]);
  expect(view.sold_out).toEqual([
    {
      departs: '2026-12-01T08:00+03:00',
      arrives: '2026-12-01T10:10+03:00',
      flight: 'HHR101',
      class: 'Y',
      seats_left: 0,
    },
    {
      ...{ departs: '2026-12-01T22:30Z', arrives: '2026-12-02T00:40Z', journey_date: '2026-12-02' },
      ...{ flight: 'HHR101', class: 'C', seats_left: 1 },
    },
  ]);
  expect(view.summary).toMatch(/ Sold out by departure and class: 2\.$/);
  expect(text).toMatch(
    /Sold out:\n {2}HHR101 Tue 1 Dec 08:00-10:10.* class Y\n {2}HHR101 .* class C {2}only 1 seat left/,
  );
});

test('lists what is sold out by the leg, the times and the classes of the call, and at most 50', async () => {
  const soldOut = async (args: object, flights = SOLD_OUT, legs: readonly object[] = [LEG]) => {
    const { view } = await search(found([cheap(20000)], { soldOut: flights }), {
      include_sold_out: true,
      legs,
      ...args,
    });
    return { summary: view.summary, classes: view.sold_out.map((flight: { class: string }) => flight.class), view };
  };
  expect((await soldOut({ booking_classes: ['Y'] })).classes).toEqual(['Y']);
  // Of a departure that is known in UTC alone, whether it fits is not known.
  const evening = await soldOut({}, SOLD_OUT, [{ ...LEG, departs_between: '18:00-' }]);
  expect([evening.classes, evening.summary]).toEqual([
    ['C'],
    expect.stringContaining('Of what fits, sold out by departure and class: 1.'),
  ]);
  const [flight = { leg: 0, segment: segment('1') }] = SOLD_OUT;
  const legs = [LEG, { ...HOME, departs_between: '18:00-' }];
  expect((await soldOut({}, [flight, { ...flight, leg: 1 }], legs)).view.sold_out).toMatchObject([{ leg: 1 }]);
  const many = await soldOut({}, Array(51).fill(flight));
  expect([many.classes.length, many.summary]).toEqual([50, expect.stringMatching(/: 51, 50 of them listed\.$/)]);
});

test('lists nothing as sold out unless it was asked for, and says where the airline lists none or does not say', async () => {
  const { view } = await search(found([cheap(20000)], { soldOut: SOLD_OUT }));
  expect(view).not.toHaveProperty('sold_out');
  const none = await search(found([cheap(20000)], { soldOut: [] }), { include_sold_out: true });
  expect([none.view.sold_out, none.view.summary]).toEqual([[], expect.stringMatching(/lists nothing as sold out\.$/)]);
  const silent = await search(found([cheap(20000)]), { include_sold_out: true });
  expect(silent.view).not.toHaveProperty('sold_out');
  expect(silent.view.summary).toMatch(/The airline did not say what is sold out\.$/);
});

test('answers with what is sold out where nothing is on sale', async () => {
  const { view } = await search(found([], { soldOut: SOLD_OUT }), { include_sold_out: true });
  expect(view).toMatchObject({
    ...{ offers: [], total_found: 0, sold_out: [{ class: 'Y' }, { class: 'C' }] },
    summary: 'Nothing is on sale for 1 adult. Sold out by departure and class: 2.',
    next: 'Call search_fares for another day or class.',
  });
});

test('names stops and the fare of each leg, and what is known of its refund', async () => {
  const stops = of(segment('1', { stops: 1 }), segment('2', { stops: 0 }), segment('3', { stops: 2 }));
  expect((await search(found([cheap(1, stops)]), FULL)).view.offers[0].notes).toEqual([
    'HHR101 stops once.',
    'HHR101 stops 2 times.',
  ]);
  const { fareBasis: _, ...unknown } = segment('1');
  const mixed = of(segment('1', { fareBasis: 'LOW1' }), segment('2', { fareBasis: 'FLEX1' }));
  const children = fare('1', 'MED', 'JED', {
    refundRules: [rule(), rule({ passengerType: 'CHD', refundable: false })],
  });
  const { view, desk } = await search(
    found([
      withFares(34500, [fare('1', 'MED', 'JED')], of(segment('1', { fareBasis: 'LOW1', fareName: 'Eco Light' }))),
      withFares(34600, [fare('1', 'MED', 'JED', { refundRules: [] })], mixed),
      withFares(34700, [children], of(unknown)),
    ]),
  );
  const [first, second, third] = view.offers;
  expect([first, second, third].map(({ legs }) => legs[0].fare)).toEqual([
    { code: 'LOW1', name: 'Eco Light' },
    { code: 'LOW1+FLEX1' },
    undefined,
  ]);
  expect(first.refund).toMatchObject({ kept_now: '172.50', valid_until: '2026-11-30T08:00+03:00' });
  expect(second.refund).toMatchObject({ note: 'known once held; holding is free and expires by itself' });
  // A rule for children has no bearing on a search for one adult.
  expect(third.refund).toMatchObject({ kept_now: '172.50' });
  expect(desk.shelf.get(second.offer_id)?.refundNote).toBeUndefined();
});

test('calls a rule that is only words neither refundable nor not, and quotes it', async () => {
  const worded = { passengerType: 'ADT', texts: [{ locale: 'en', text: 'Refund for a fee of SAR 46.00' }] };
  for (const one of [worded, { ...worded, refundable: true }]) {
    const fares = [fare('1', 'MED', 'JED', { refundRules: [one] })];
    const [shown] = (await search(found([withFares(34500, fares)]))).view.offers;
    expect(shown.refund).toMatchObject({ refund_condition: [{ says: 'Refund for a fee of SAR 46.00' }] });
    expect(shown.refund).not.toHaveProperty('refund_now');
  }
});

test.each([
  ['2026-11-29T15:00:00Z', { refund_now: '517.50', valid_until: '2026-11-29T18:00+03:00' }],
  ['2026-11-28T15:00:00Z', { refund_now: '0.00', note: expect.stringMatching(/^The time limit for cancelling/) }],
  ['2027-11-28T15:00:00Z', { refund_now: '517.50', valid_until: '2026-11-30T08:00+03:00' }],
])('ends the refund of an offer at the time limit for cancelling, %s', async (cancelUntil, wanted) => {
  const { view } = await search(found([withFares(69000, [fare('1', 'MED', 'JED', { cancelUntil })])]));
  expect(view.offers[0].refund).toMatchObject(wanted);
});

test('refuses what cannot be searched before it sends a request, and says where nothing was found', async () => {
  const party = (passengers: object) => refused(NOTHING, { passengers });
  const leg = (over: object) => refused(NOTHING, { legs: [{ ...LEG, ...over }] });
  await expectRefusals('search_fares', {
    'the same origin and destination': leg({ to: 'MED' }),
    'a past date': leg({ date: '2026-11-27' }),
    'a day that does not exist': leg({ date: '2026-02-30' }),
    'no place': leg({ from: ' ' }),
    'too many days around': leg({ days_before: 9 }),
    'legs out of order': refused(NOTHING, { legs: [LEG, { ...HOME, date: '2026-11-29' }] }),
    'no leg': refused(NOTHING, { legs: [] }),
    'more infants than adults': party({ adults: 1, infants: 2 }),
    'too many passengers': party({ adults: 8, children: 2 }),
    'a group of 11': party({ adults: 11 }),
    'no passengers': party({ adults: 0 }),
    'fewer than none': party({ adults: -1 }),
    'a child alone': party({ adults: 0, children: 1 }),
    'a child without a number of adults': party({ children: 1 }),
    'a class in words': refused(NOTHING, { booking_classes: ['first'] }),
    'too many results': refused(NOTHING, { max_results: 51 }),
    'no offer': refused(NOTHING),
    'no offer in this class': refused(NOTHING, { booking_classes: ['z'] }),
  });
});

test('says how many offers of the reply are left out, and why', async () => {
  const inEuros = offer({ pricing: { ...pricing(100), total: price({ minor: 100, currency: 'EUR' }) } });
  const leftOut = [
    { count: 1, why: 'priced for 2 adults, not for 1 adult' },
    { count: 1, why: 'priced for 2 adults, not for 1 adult' },
  ];
  const { view } = await search(found([there, offer({ pricing: UNPRICED }), inEuros], { leftOut }));
  expect(view.summary).toMatch(
    / Left out of the airline's reply: 2 offers priced for 2 adults, not for 1 adult, 1 without a price that can be read and 1 in another currency than SAR\.$/,
  );
  expect((await search(found([there]))).view.summary).not.toContain('Left out');
});

describe('filters and order', () => {
  const train = (ref: string, route: string, departs: string, arrives: string) => {
    const [from = '', to = ''] = route.split('-');
    const on = (clock: string) => `2026-12-01T${clock}:00+03:00`;
    return segment(ref, { from, to, departs: on(departs), arrives: on(arrives) });
  };
  const early = cheap(30000, of(train('1', 'MED-JED', '07:10', '09:00')));
  const late = cheap(50000, of(train('2', 'MED-JED', '18:05', '19:50')));
  const changing = cheap(20000, of(train('3', 'MED-RUH', '18:30', '19:30'), train('4', 'RUH-JED', '20:10', '22:40')));
  const ALL = found([early, late, changing]);
  const flights = ({ view }: Awaited<ReturnType<typeof search>>) =>
    view.offers.map(({ legs: [leg] }: { legs: { departs: string }[] }) => leg?.departs.slice(11, 16));
  const leg = (more: object) => ({ legs: [{ ...LEG, ...more }] });

  test.each([
    [leg({ departs_between: '18:00-19:00' }), ['18:30', '18:05'], 'departs 18:00-19:00'],
    [leg({ departs_between: '18:00-' }), ['18:30', '18:05'], 'departs 18:00-'],
    [leg({ departs_between: '-8:00' }), ['07:10'], 'departs -08:00'],
    [leg({ departs_between: '22:00-08:00' }), ['07:10'], 'departs 22:00-08:00'],
    [leg({ arrives_between: '09:00-20:00' }), ['07:10', '18:05'], 'arrives 09:00-20:00'],
    [{ direct_only: true }, ['07:10', '18:05'], 'direct'],
    [{ ...leg({ departs_between: '12:00-' }), direct_only: true }, ['18:05'], 'departs 12:00-, direct'],
  ])('%j shows %j, and says so', async (args, expected, words) => {
    const result = await search(ALL, args);
    expect(flights(result)).toEqual(expected);
    expect(result.view).toMatchObject({ total_found: 3, matching: expected.length });
    const { length } = expected;
    expect(result.view.summary).toContain(`${length} of ${length} offers for 1 adult that fit (${words}; 3 in all)`);
    // The cheapest alone may all be unwanted: the airline's whole reply is read.
    const query = result.desk.asked[0]?.[1] as { most?: number } | undefined;
    expect([query?.most, query === undefined]).toEqual([undefined, false]);
  });

  test.each([
    ['price', ['18:30', '07:10', '18:05'], 'cheapest first'],
    ['duration', ['18:05', '07:10', '18:30'], 'quickest first'],
    ['departure', ['07:10', '18:05', '18:30'], 'earliest first'],
  ])('in the order of %s', async (order, expected, words) => {
    const result = await search(ALL, { order_by: order });
    expect(flights(result)).toEqual(expected);
    expect(result.view.summary).toBe(`3 of 3 offers for 1 adult, ${words}, from SAR 200.00 in all.`);
    expect(result.view).not.toHaveProperty('matching');
  });

  test('an order is of all offers, and the cheapest come first among equals', async () => {
    const same = cheap(10000, of(train('9', 'MED-JED', '18:05', '19:50')));
    const result = await search(found([late, early, same]), { order_by: 'departure', max_results: 2 });
    expect(result.view.offers.map(({ total }: { total: string }) => total)).toEqual(['300.00', '100.00']);
    expect(result.view.summary).toBe('2 of 3 offers for 1 adult, earliest first, from SAR 100.00 in all.');
    const one = await search(found([late, early, same]), { order_by: 'departure', max_results: 1 });
    // The cheapest is named, though another one is shown.
    expect(one.view.offers).toMatchObject([{ total: '300.00' }]);
    expect(one.view.summary).toBe('1 of 3 offers for 1 adult, earliest first, from SAR 100.00 in all.');
  });

  test('none that fits is no error: the search says how many there are', async () => {
    const { view, text } = await search(ALL, leg({ departs_between: '10:00-12:00' }));
    expect(view).toMatchObject({ total_found: 3, matching: 0, offers: [] });
    expect(view.summary).toBe('None of the 3 offers for 1 adult fits: departs 10:00-12:00.');
    expect(text).toContain(
      'Call search_fares without departs_between, arrives_between and direct_only; else for another day.',
    );
  });

  test('an offer without the times that a filter needs is not counted as fitting, and is shown last: it may fit', async () => {
    const untimed = cheap(100, of(segment('1', { arrives: '' })));
    const { view } = await search(found([untimed, late, changing]), leg({ arrives_between: '-20:00' }));
    expect(view).toMatchObject({ matching: 1, offers: [{ total: '500.00' }, { total: '1.00' }] });
    expect(view.summary).toMatch(
      /^1 of 1 offers for 1 adult that fit \(arrives -20:00; 3 in all; 1 may, whose times the airline leaves out: they come last\), /,
    );
    const none = await search(found([untimed, untimed, changing]), leg({ arrives_between: '08:00-08:05' }));
    expect(none.view).toMatchObject({ matching: 0, offers: [{ total: '1.00' }, { total: '1.00' }] });
    expect(none.view.summary).toBe(
      'None of the 3 offers for 1 adult is known to fit: arrives 08:00-08:05. 2 may, whose times the airline leaves out: 2 of these, cheapest first.',
    );
    // What surely does not fit for another reason is not shown.
    const direct = await search(found([untimed]), { ...leg({ arrives_between: '-20:00', departs_between: '-01:00' }) });
    expect(direct.view).toMatchObject({ matching: 0, offers: [] });
  });

  test('each leg has its own times', async () => {
    const back = cheap(40000, {
      options: [option(train('1', 'MED-JED', '07:10', '09:00')), option(train('5', 'JED-MED', '20:00', '21:45'))],
    });
    const legs = [LEG, { ...HOME, departs_between: '19:00-' }];
    expect((await search(found([back]), { legs })).view).toMatchObject({ matching: 1 });
    const other = await search(found([back]), { legs: [LEG, { ...HOME, departs_between: '-19:00' }] });
    expect(other.view.summary).toBe('None of the 1 offers for 1 adult fits: leg 2 departs -19:00.');
  });

  test.each(['18-19', '25:00-26:00', '18:00', '-', 'evening'])('%s is refused with one that is right', async (span) => {
    const { words } = await refused(ALL, leg({ departs_between: span }));
    expect(words).toMatch(/^E_INPUT legs\[0\]\.departs_between: expected local times such as 18:00-23:30, 18:00-/);
  });
});

test('writes the same trains once, with what their fares share, and each fare below', async () => {
  const limits = faresOf({ refundRules: [] });
  const later = of(segment('1', { departs: '2026-12-01T18:00:00+03:00', arrives: '2026-12-01T20:10:00+03:00' }));
  const fared = (minor: number, code: string, over: Partial<Offer> = {}) =>
    withFares(minor, limits, { ...of(segment('1', { fareBasis: code })), ...over });
  const { lines } = await search(found([fared(10000, 'LOW1'), withFares(15000, [], later), fared(20000, 'FLEX1')]));
  const at = lines.findIndex((line) => line.startsWith('HHR101 '));
  expect(lines.slice(at, at + 5).map((line) => line.replace(/ until .*/, ' until …'))).toEqual([
    'HHR101 Tue 1 Dec 08:00-10:10 (2h10)',
    expect.stringMatching(/^ {4}pay by .*; names can be corrected until …$/),
    '  o000001  100.00  fare LOW1',
    '  o000003  200.00  fare FLEX1',
    'o000002  150.00  HHR101 Tue 1 Dec 18:00-20:10 (2h10) fare YOW',
  ]);
  expect(lines.filter((line) => line.includes('names can be corrected'))).toHaveLength(1);
});
