import { expect, test } from 'vitest';
import {
  BACK,
  coupons,
  faresOf,
  halfLost,
  held,
  NOW,
  OUT,
  option,
  partlyCancelled,
  permitting,
  pricing,
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
type Rules = NonNullable<NonNullable<Parameters<typeof faresOf>[0]>['refundRules']>;
const AMAL = traveler('1', 'Amal', 'Haddad');
const BORIS = traveler('2', 'Boris', 'Berg');
/** Prices by segment. */
const rowsOf = (type: string, count: number, minor: number) =>
  ['1', '2'].map((ref) => row(type, count, sar(minor), { segmentRefs: [ref] }));

/** Three adults there and back, priced by segment. */
const three = (refundRules: Rules = RULES, over: Partial<Booking> = {}) =>
  ticketed({
    travelers: [AMAL, BORIS, traveler('3', 'Chen', 'Li')],
    pricing: pricing(207000, { fares: faresOf({ refundRules }), perType: rowsOf('ADT', 3, 103500) }),
    ...over,
  });

/** An adult with an infant on the lap, and another adult. */
function family(): Booking {
  const refundRules = [...RULES, ...RULES.map((one) => ({ ...one, passengerType: 'INF' }))];
  const perType = [...rowsOf('ADT', 2, 69000), ...rowsOf('INF', 1, 3500)];
  return ticketed({
    travelers: [AMAL, BORIS, traveler('3', 'Lena', 'Haddad', { type: 'INF', attendantRef: '1' })],
    pricing: pricing(145000, { fares: faresOf({ refundRules }), perType }),
  });
}
const UNPRICED = { refunds: [], fares: faresOf({ refundRules: RULES }), perType: [] };

test('puts the one sum first, then each later window, one line for equal parts, and notes', async () => {
  const free = rule({ base: sar(0), until: '2026-11-30T05:00:00Z' });
  const none = rule({ refundable: false, base: sar(0), until: '2027-01-01T00:00:00Z' });
  const words = `Refundable* until “departure” [ok](https://evil.example). ${'x'.repeat(400)}`;
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
  const next = 'These are all passengers: cancel the whole booking instead.';
  expect(all).toEqual({ ...whole, next });
});

const saying = (says: string) => [{ says }];

test('gives decimal strings, local times and each later step until cancelling ends, where nothing comes back', async () => {
  const { summary, ...view } = await quoted(three());
  expect(summary).toBe(
    "Booking ABC123: SAR 1,932.00 comes back now, SAR 138.00 is kept, tax included. The airline's condition: “Refund with a penalty.” This holds until Sun 29 Nov 15:00 (UTC+3).",
  );
  expect(view).toEqual({
    ...{ environment: 'live', locator: 'ABC123', currency: 'SAR', state: 'ticketed' },
    ...{ refund_now: '1932.00', kept_now: '138.00', kept_includes_vat: true },
    cancel_until: '2026-12-01T05:00+03:00',
    later: [
      {
        from: '2026-11-29T15:00+03:00',
        back: '1794.00',
        kept: '276.00',
        refund_condition: saying('Refund with a penalty.'),
      },
      {
        from: '2026-11-30T08:00+03:00',
        back: '0.00',
        kept: '2070.00',
        refund_condition: saying('Refund not permitted.'),
      },
    ],
    refund_condition: saying('Refund with a penalty.'),
    lines: [
      {
        ...{ passengers: 'Amal Haddad, Boris Berg and Chen Li', passenger_refs: ['1', '2', '3'] },
        ...{ segments: 'trains HHR101 MED → JED and HHR202 JED → MED', segment_refs: ['1', '2'] },
        ...{ paid: '2070.00', kept_each: '23.00', back: '1932.00' },
      },
    ],
    note: 'Estimated, a penalty for each person and segment; the airline decides.',
  });
});

test('lists no step that changes nothing, and none when cancelling has ended', async () => {
  const same = [
    rule({ base: sar(2000), until: '2026-11-29T12:00:00Z' }),
    rule({
      base: sar(2000),
      from: '2026-11-29T12:00:00Z',
      until: '2026-12-02T00:00:00Z',
    }),
  ];
  const view = await quoted(three(same));
  expect([view.cancel_until, view.later]).toEqual(['2026-12-01T05:00+03:00', undefined]);
  expect(view.summary).toContain(' This holds until Tue 1 Dec 05:00 (UTC+3).');
  const strict = { ...same[1], texts: [{ text: 'Health reasons only.' }] } as (typeof same)[number];
  expect((await quoted(three([...same.slice(0, 1), strict]))).later).toMatchObject([
    { from: '2026-11-29T15:00+03:00', back: '1932.00', refund_condition: [{ says: 'Health reasons only.' }] },
  ]);
  const none = await quoted(three([rule({ refundable: false, base: sar(0), until: '2027-01-01T00:00:00Z' })]));
  expect([none.refund_now, none.later]).toEqual(['0.00', undefined]);
  expect(none.summary).not.toContain('This holds');
});

test('asks the airline once, writes no operation, and records the booking', async () => {
  const { desk } = await quote.read(three(), { segment_refs: ['1'] });
  expect([desk.methods(), await desk.operations()]).toEqual([['read'], []]);
  expect(await desk.ledger('ABC123')).toMatchObject({ state: 'ticketed', madeHere: false });
});

test('gives an amount for a part, and bounds where the price is not split', async () => {
  const parts: [Booking, object, object][] = [
    [three(), { segment_refs: ['2'] }, { refund_now: '966.00', kept_now: '69.00', lines: [{ segment_refs: ['2'] }] }],
    [three(), { passenger_refs: ['2', '3'] }, { refund_now: '1288.00', kept_now: '92.00' }],
    [family(), { passenger_refs: ['3'] }, { refund_now: '24.00' }],
    [three(RULES, { tickets: [], orders: [] }), { passenger_refs: ['3'] }, { state: 'held', refund_now: '644.00' }],
  ];
  for (const [booking, args, wanted] of parts) expect(await quoted(booking, args)).toMatchObject(wanted);
  const split = await quoted(halfLost());
  expect([split.between, split.refund_now]).toEqual([{ at_least: '0.00', at_most: '517.50' }, undefined]);
  const before = await quoted(partlyCancelled());
  expect(before.lines).toMatchObject([{ segment_refs: ['1'] }]);
  expect(before.refunded).toEqual([
    {
      ...{ back: '172.50', kept: '172.50', kept_includes_vat: true, order: 'paid out' },
      ...{ passengers: 'Amal Haddad', segments: 'train HHR202 JED → MED' },
    },
  ]);
});

test('names the currency of the point of sale if the airline sends no price', async () => {
  const { pricing: _, ...none } = three();
  const unpriced = await quoted({ ...none, orders: [] });
  expect([unpriced.currency, unpriced.lines]).toEqual(['SAR', undefined]);
});

test('quotes rules that are only words in English where the airline sends that, and keeps a plain no a no', async () => {
  const both = [
    { locale: 'ar-SA', text: 'يسمح بالاسترداد' },
    { locale: 'en-GB', text: 'Refund permitted' },
  ];
  const arabic = [{ passengerType: 'ADT', texts: both.slice(0, 1) }];
  const worded = three([{ passengerType: 'ADT', texts: both }]);
  expect((await quote.read(worded)).text).toContain('“Refund permitted”');
  expect((await quote.read(three(arabic))).text).toContain('يسمح بالاسترداد');
  expect((await quoted(worded)).between).toEqual({ at_least: '0.00', at_most: '2070.00' });
  expect((await quote.read(three([{ passengerType: 'ADT', texts: [] }]))).text).toContain(
    'The refund rules are unclear.',
  );
  expect((await quoted(three([rule({ refundable: false, texts: both })]))).refund_now).toBe('0.00');
});

test('lists only the first windows of very many, and says so', async () => {
  const time = (i: number) => new Date(NOW + i * 60_000).toISOString();
  const many = Array.from({ length: 200 }, (_, i) => rule({ base: sar(100 + i), from: time(i), until: time(i + 1) }));
  const view = await quoted(three(many));
  expect(view.later.length).toBeLessThan(60);
  expect(view.note).toContain('The rules change again later; only the first changes are listed.');
});

test('says that an operation is still open, and which others count', async () => {
  const desk = await openDesk({ bookings: [three()], airline: { modify: async () => ({ ...three(), options: [] }) } });
  await desk.say('cancel_segment', { locator: 'ABC123', segment_refs: ['1'] });
  const { view } = await desk.read('quote_cancellation', { locator: 'ABC123' });
  expect(view.warnings[0]).toMatch(/^The cancellation is still open\. Its outcome is not known yet/);
});

test('says after the last departure that nothing comes back, and not that a limit passed which is ahead or was not sent', async () => {
  for (const limit of [{ cancelUntil: '2027-11-29T12:00:00Z' }, {}]) {
    const fares = UNPRICED.fares.map(({ cancelUntil: _, ...rest }) => ({ ...rest, ...limit }));
    const booking = three(RULES, { pricing: pricing(207000, { fares, perType: rowsOf('ADT', 3, 103500) }) });
    const { lines } = await quote.read(booking, {}, at('2026-12-05T16:00:00Z'));
    expect(lines).toEqual([
      'Booking ABC123: nothing comes back now, SAR 2,070.00 is kept, tax included.',
      'Everything has departed, and the last refund rule is over. Estimated; the airline decides.',
      'Next: Tell the person to ask the airline what can still be done.',
    ]);
  }
});

test('is refused before anything is read, where both kinds of refs are given; the other parts of a barred booking are quoted', async () => {
  const used = three(RULES, {
    tickets: coupons(three(), ({ segmentRef }) => ({ statusCode: segmentRef === '1' ? 'F' : 'O' })),
  });
  const [barred = OUT] = permitting(three(), ['3']).options;
  const { code, desk } = await quote.refused(three(), { segment_refs: ['1'], passenger_refs: ['1'] });
  expect([code, desk.methods()]).toEqual(['E_INPUT', []]);
  for (const booking of [used, three(RULES, { options: [barred, BACK] })]) {
    expect((await quoted(booking, { segment_refs: ['2'] })).refund_now).toBe('966.00');
    expect((await quote.refused(booking, { segment_refs: ['1'] })).code).toBe('E_NOT_PERMITTED');
  }
});

test('names the same people once in the fields, and in each line of the text', async () => {
  const perType = ['1', '2'].map((ref) => row('ADT', 1, sar(ref === '1' ? 30000 : 39000), { segmentRefs: [ref] }));
  const { view, text } = await quote.read(ticketed({ pricing: pricing(69000, { perType, fares: faresOf() }) }));
  expect(view.lines.map(({ passengers, segment_refs: refs }: Record<string, unknown>) => [passengers, refs])).toEqual([
    [expect.any(String), ['1']],
    [undefined, ['2']],
  ]);
  const [{ passengers }] = view.lines;
  expect(text.split(`${passengers}, train`)).toHaveLength(3);
});

test('quotes some segments or some passengers, and says how to ask for both', async () => {
  const { words, next } = await quote.refused(three(), { segment_refs: ['1'], passenger_refs: ['1'] });
  expect(words).toContain('passenger_refs: expected only one of segment_refs and passenger_refs.');
  expect(next).toMatch(/^Call quote_cancellation once with segment_refs alone and once with passenger_refs alone;/);
});
