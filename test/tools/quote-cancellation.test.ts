import { describe, expect, test } from 'vitest';
import {
  BACK,
  coupons,
  fare,
  halfLost,
  held,
  NOW,
  OUT,
  option,
  partlyCancelled,
  permitting,
  price,
  row,
  rule,
  sar,
  segment,
  ticketed,
} from '../support/bookings.ts';
import { bareTraveler, traveler } from '../support/people.ts';
import { type Booking, callsOf, expectTexts, openDesk, placeName } from './support/desk.ts';

const quote = callsOf('quote_cancellation', { locator: 'abc123' });
const at = (time: string) => ({ now: Date.parse(time) });
const quoted = async (...args: Parameters<typeof quote.read>) => (await quote.read(...args)).view;

/** 23.00 with tax, later 46.00, then nothing; 345.00 a person and segment. */
const RULES = [
  rule({ base: sar(2000), until: '2026-11-29T12:00:00Z' }),
  rule({ base: sar(4000), from: '2026-11-29T12:00:00Z', until: '2026-11-30T05:00:00Z' }),
  rule({ refundable: false, base: sar(0), from: '2026-11-30T05:00:00Z', until: '2026-12-05T15:00:00Z' }),
];
type Rules = readonly (typeof RULES)[number][];
const faresOf = (there: Rules, home = there) => [
  fare('1', 'MED', 'JED', { refundRules: there }),
  fare('2', 'JED', 'MED', { refundRules: home }),
];
const THREE = [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Boris', 'Berg'), traveler('3', 'Chen', 'Li')];

/** Three adults there and back, priced by segment. */
function three(refundRules: Rules = RULES, over: Partial<Booking> = {}, home = refundRules): Booking {
  const perType = ['1', '2'].map((ref) => row('ADT', 3, sar(103500), { segmentRefs: [ref] }));
  return ticketed({
    travelers: THREE,
    pricing: { total: price(sar(207000)), refunds: [], fares: faresOf(refundRules, home), perType },
    ...over,
  });
}

/** An adult with an infant on the lap, and another adult. */
function family(infants: Rules = RULES): Booking {
  const rules = [...RULES, ...infants.map((one) => ({ ...one, passengerType: 'INF' }))];
  const [amal, boris] = THREE;
  return three(rules, {
    travelers: [
      amal ?? bareTraveler('1'),
      boris ?? bareTraveler('2'),
      traveler('3', 'Lena', 'Haddad', { type: 'INF', attendantRef: '1' }),
    ],
    pricing: {
      ...{ total: price(sar(145000)), refunds: [], fares: faresOf(rules) },
      perType: ['1', '2'].flatMap((ref) => [
        row('ADT', 2, sar(69000), { segmentRefs: [ref] }),
        row('INF', 1, sar(3500), { segmentRefs: [ref] }),
      ]),
    },
  });
}
const { pricing: PRICING = { refunds: [], fares: [], perType: [] } } = three();
const { total: _total, ...UNPRICED } = { ...PRICING, perType: [] };

test('puts the one sum first, then each later window, one line for equal parts, and notes', async () => {
  const free = rule({ base: sar(0), until: '2026-11-30T05:00:00Z' });
  const none = rule({ refundable: false, base: sar(0), until: '2027-01-01T00:00:00Z' });
  const words = `Refundable* until “departure” [ok](https://evil.example) ${'x'.repeat(400)}`;
  const worded = three([], {
    options: [option(segment('1', { fareRules: [{ name: 'Refunds', text: words }] })), BACK],
  });
  const unnamed = held({ travelers: [bareTraveler('1'), traveler('2', 'Boris', 'Berg')] });
  await expectTexts('results/quote_cancellation', {
    'Three adults, with names of places': quote.read(three(), {}, { airline: { placeName } }),
    'Other figures for an infant, on flights': quote.read(family(), {}, { settings: { dialect: 'airline' } }),
    'Nothing is kept': quote.read(three([free])),
    'Nothing comes back': quote.read(three([none])),
    'The price is not split': quote.read(halfLost()),
    'The rule is words alone': quote.read(worded, { segment_refs: ['1'] }),
    'What was paid is not known': quote.read(three(RULES, { orders: [], pricing: UNPRICED })),
    'A hold with a passenger without a name': quote.read(unnamed),
    'A hold that lapsed': quote.read(held(), {}, at('2026-11-30T05:00:00Z')),
    'A cancelled booking': quote.read({ ...partlyCancelled(), cancelled: true }),
    'After the time limit': quote.read(three(), {}, at('2026-12-01T03:00:00Z')),
  });
  const [whole, all] = [await quoted(three()), await quoted(three(), { passenger_refs: ['1', '2', '3'] })];
  const note = 'These are all passengers: cancel_booking cancels the whole booking.';
  expect(all).toEqual({ ...whole, notes: [note, ...whole.notes] });
});

test('gives decimal strings, UTC times and every later window with its sum', async () => {
  const view = await quoted(three());
  expect(view).toMatchObject({
    ...{ locator: 'ABC123', currency: 'SAR', state: 'ticketed', refund_now: '1932.00', kept_now: '138.00' },
    ...{ valid_until: '2026-11-29T12:00:00Z', cancel_ends: '2026-12-01T02:00:00Z', departs: OUT.segments[0]?.departs },
    later: [
      { from: '2026-11-29T12:00:00Z', until: '2026-11-30T05:00:00Z', refund: '1794.00', kept: '276.00' },
      { from: '2026-11-30T05:00:00Z', until: '2026-12-01T02:00:00Z', refund: '0.00', kept: '2070.00' },
      { from: '2026-12-01T02:00:00Z', refund: '0.00', kept: '2070.00' },
    ],
  });
  expect(view.lines).toEqual(
    ['1', '2'].map((ref) => ({
      ...{ segment_ref: ref, passenger_refs: ['1', '2', '3'], passengers: 'Amal Haddad, Boris Berg and Chen Li' },
      segment: ref === '1' ? 'train HHR101 MED → JED' : 'train HHR202 JED → MED',
      ...{ paid: '1035.00', kept_each: '23.00', refund: '966.00', refundable: true },
    })),
  );
  expect(view).not.toHaveProperty('bounds');
});

test('asks the airline once, writes no operation, and records the booking', async () => {
  const { desk } = await quote.read(three(), { segment_refs: ['1'] });
  expect([desk.methods(), await desk.operations()]).toEqual([['read'], []]);
  expect(await desk.ledger('ABC123')).toMatchObject({ state: 'ticketed', madeHere: false });
});

const unpaid = (over: Partial<Booking> = {}): Booking => ({ ...three(), tickets: [], orders: [], ...over });
test.each<[string, Booking, object, object]>([
  [
    'some segments for everybody',
    three(),
    { segment_refs: ['2'] },
    { refund_now: '966.00', kept_now: '69.00', lines: [{ segment_ref: '2' }] },
  ],
  [
    'some passengers on every segment',
    three(),
    { passenger_refs: ['2', '3'] },
    { refund_now: '1288.00', kept_now: '92.00' },
  ],
  [
    'types of other figures in lines of their own',
    family(),
    {},
    {
      refund_now: '1312.00',
      lines: ['644.00', '644.00', '12.00', '12.00'].map((refund) => ({ refund, kept_each: '23.00' })),
    },
  ],
  ['an infant alone', family(), { passenger_refs: ['3'] }, { refund_now: '24.00' }],
  [
    'a rule that permits nothing',
    three([rule({ refundable: false, base: sar(0), until: '2027-01-01T00:00:00Z' })]),
    {},
    { refund_now: '0.00', lines: [{ refundable: false, kept_each: '345.00', refund: '0.00' }, {}] },
  ],
  [
    'bounds where the price is not split',
    halfLost(),
    {},
    {
      bounds: { at_least: '0.00', at_most: '517.50' },
      later: [{ from: '2026-11-30T05:00:00Z', until: '2026-12-01T02:00:00Z' }, {}],
    },
  ],
  [
    'bounds where a segment has no rule, which is in no line',
    three(RULES, {}, []),
    {},
    {
      ...{ bounds: { at_least: '0.00', at_most: '2001.00' }, lines: [{ segment_ref: '1' }] },
      notes: expect.arrayContaining(['The airline sent no refund rule for train HHR202 JED → MED.']),
    },
  ],
  [
    'no refund of a part whose penalty is above its price',
    family([rule({ base: sar(9000), until: '2026-11-30T05:00:00Z' })]),
    {},
    {
      bounds: { at_least: '1151.00', at_most: '1288.00' },
      notes: expect.arrayContaining(['A penalty is more than the price of its part, so the amount is not known.']),
    },
  ],
  [
    'a time without a rule in bounds',
    three([rule({ base: sar(2000), until: '2026-11-29T12:00:00Z' })]),
    {},
    { notes: expect.arrayContaining(['From Sun 29 Nov 15:00 (UTC+3): between SAR 0.00 and SAR 2,070.00 comes back.']) },
  ],
  [
    'the rule alone where what was paid is not known',
    three(RULES, { orders: [], pricing: UNPRICED }),
    {},
    { lines: [{ kept_each: '23.00', refundable: true }, {}] },
  ],
  ['a hold as after payment', held(), {}, { state: 'held', refund_now: '345.00', kept_now: '345.00' }],
  [
    'a part of a hold as after payment',
    unpaid(),
    { passenger_refs: ['3'] },
    { state: 'held', refund_now: '644.00', kept_now: '46.00' },
  ],
  [
    'an unnamed group without refs that do not exist',
    held({ travelers: [] }),
    {},
    { refund_now: '345.00', lines: [{ passenger_refs: [] }, {}] },
  ],
  [
    'nothing that was refunded before',
    partlyCancelled(),
    {},
    {
      lines: [{ segment_ref: '1' }],
      notes: expect.arrayContaining([expect.stringContaining('SAR 172.50 was refunded before')]),
    },
  ],
])('quotes %s', async (_title, booking, part, wanted) => {
  const view = await quoted(booking, part);
  expect(view).toMatchObject(wanted);
  expect('bounds' in wanted && 'refund_now' in view).toBe(false);
});

test('names the currency of the point of sale if the airline sends no price, and no sum of an unknown one', async () => {
  const { pricing: _, ...none } = three();
  expect(await quoted({ ...none, orders: [] })).toMatchObject({ currency: 'SAR', lines: [] });
  const unknown = await quoted(three(RULES, { orders: [], pricing: UNPRICED }));
  expect([unknown.refund_now, unknown.bounds]).toEqual([undefined, undefined]);
});

test('lists only the first windows of very many, and says so', async () => {
  const time = (i: number) => new Date(NOW + i * 60_000).toISOString();
  const many = Array.from({ length: 200 }, (_, i) => rule({ base: sar(100 + i), from: time(i), until: time(i + 1) }));
  const view = await quoted(three(many));
  expect(view.later.length).toBeLessThan(60);
  expect(view.notes).toContain('The rules change again later; only the first changes are listed.');
  expect(view.later.every(({ until }: { until?: string }) => until !== undefined)).toBe(true);
});

test('says that an operation is still open, and which others count', async () => {
  const desk = await openDesk({ bookings: [three()], airline: { modify: async () => ({ ...three(), options: [] }) } });
  await desk.say('cancel_segment', { locator: 'ABC123', segment_refs: ['1'] });
  const { view } = await desk.read('quote_cancellation', { locator: 'ABC123' });
  expect(view.notes[0]).toMatch(/^cancel_segment is still open: its outcome is not known yet/);
});

test('says after the last departure that nothing comes back, and not that a limit passed which is ahead or was not sent', async () => {
  for (const limit of [{ cancelUntil: '2027-11-29T12:00:00Z' }, {}]) {
    const fares = faresOf(RULES).map(({ cancelUntil: _, ...rest }) => ({ ...rest, ...limit }));
    const { lines } = await quote.read(
      three(RULES, { pricing: { ...PRICING, fares } }),
      {},
      at('2026-12-05T16:00:00Z'),
    );
    expect(lines).toEqual([
      'Nothing comes back now, SAR 2,070.00 is kept.',
      'Everything has departed, and the last refund rule is over. A person must ask the airline what can still be done.',
    ]);
  }
});

describe('what the cancelling tools refuse', () => {
  const connection = ticketed({
    options: [option(segment('1', { to: 'RUH' }), segment('2', { optionRef: '1', from: 'RUH' })), BACK],
  });
  const used = {
    ...three(),
    tickets: coupons(three(), ({ segmentRef }) => ({ statusCode: segmentRef === '1' ? 'F' : 'O' })),
  };
  const [barred = OUT] = permitting(three(), ['3']).options;
  const noLimit = [fare('1', 'MED', 'JED')].map(({ payBy: _, ...rest }) => rest);
  const unclear = held({ pricing: { total: price(sar(69000)), refunds: [], fares: noLimit, perType: [] } });
  const one = { segment_refs: ['1'] };

  test.each<[string, string, Booking, object, string]>([
    ['a booking of which nobody knows whether it is paid', 'cancel_booking', unclear, {}, 'E_NOT_PERMITTED'],
    [
      'an adult without the infant on the lap',
      'cancel_passenger',
      family(),
      { passenger_refs: ['1'] },
      'E_NOT_PERMITTED',
    ],
    ['an unknown passenger', 'cancel_passenger', three(), { passenger_refs: ['9'] }, 'E_INPUT'],
    ['half an option', 'cancel_segment', connection, one, 'E_INPUT'],
    ['a cancelled segment', 'cancel_segment', partlyCancelled(), { segment_refs: ['2'] }, 'E_ALREADY_DONE'],
    ['a used coupon', 'cancel_segment', used, one, 'E_NOT_PERMITTED'],
    [
      'what the airline does not permit',
      'cancel_segment',
      three(RULES, { options: [barred, BACK] }),
      one,
      'E_NOT_PERMITTED',
    ],
    ['an unknown segment', 'cancel_segment', three(), { segment_refs: ['9'] }, 'E_INPUT'],
  ])('is refused in their words: %s', async (_title, tool, booking, part, code) => {
    const own = await quote.refused(booking, part);
    const theirs = await callsOf(tool).refused(booking, part);
    expect([own.code, own.message]).toEqual([code, theirs.message]);
    expect(own.next).toBe(
      theirs.next.replaceAll(tool, own.next.includes('quote_cancellation') ? 'quote_cancellation' : tool),
    );
  });

  test('is refused before anything is read, where both kinds of refs are given; the other parts are quoted', async () => {
    const { code, desk } = await quote.refused(three(), { ...one, passenger_refs: ['1'] });
    expect([code, desk.methods()]).toEqual(['E_INPUT', []]);
    for (const booking of [used, three(RULES, { options: [barred, BACK] })])
      expect((await quoted(booking, { segment_refs: ['2'] })).refund_now).toBe('966.00');
  });
});
