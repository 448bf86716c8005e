/**
 * A cancellation in part, by the published arithmetic (docs/wire/notes.md, money and rules): four adults on two segments, a
 * row for each segment.
 */

import { describe, expect, test } from 'vitest';
import { estimateRefund, refundAtStake } from '../../../src/domain/pricing/estimate-refund.ts';
import {
  BACK,
  type Booking,
  fare,
  type Money,
  NOW,
  type Order,
  OUT,
  option,
  type PenaltyRule,
  price,
  row,
  rule,
  type StatedRefund,
  sar,
  segment,
  ticketed,
} from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

const FOUR = ['1', '2', '3', '4'].map((ref) => traveler(ref, 'Amal', `Haddad${ref}`));
const DEAR = [rule({ base: sar(12000), tax: sar(1800), total: sar(13800) })];
const CHEAP = [rule({ base: sar(4000), tax: sar(600), total: sar(4600) })];

interface Over {
  readonly rules?: readonly PenaltyRule[];
  readonly rows?: readonly ReturnType<typeof row>[];
  readonly refunds?: readonly StatedRefund[];
  readonly total?: Money;
  readonly orders?: readonly Order[];
  readonly booking?: Partial<Booking>;
}

const ROWS = [row('ADT', 4, sar(72000), { segmentRefs: ['1'] }), row('ADT', 4, sar(80000), { segmentRefs: ['2'] })];
const PAID: Order = { direction: 'PAYMENT', status: 'PAID', amount: sar(152000) };

function four({ rules = CHEAP, rows = ROWS, refunds = [], total = sar(152000), orders = [PAID], booking }: Over = {}) {
  const fares = [fare('1', 'MED', 'JED', { refundRules: rules }), fare('2', 'JED', 'MED', { refundRules: rules })];
  const pricing = { total: price(total), refunds, fares, perType: rows };
  return ticketed({ travelers: FOUR, pricing, orders, ...booking });
}

const estimate = (booking: Booking, options = booking.options, people = booking.travelers) =>
  estimateRefund(booking, { options, travelers: people }, NOW);

describe('the published examples', () => {
  test('keeps 1104.00 for four adults on two segments at 138.00 each', () => {
    const { amount, penalty, rule: words } = estimate(four({ rules: DEAR }));
    expect([amount, penalty]).toEqual([sar(152000 - 110400), sar(110400)]);
    expect(words).toBe(
      'The airline keeps SAR 138.00 per person and segment, tax included: SAR 1,104.00 in all. Counted per person and segment.',
    );
  });

  test('refunds 536.00 for four adults on one of two segments that cost 720.00', () => {
    expect(estimate(four(), [OUT])).toMatchObject({ amount: sar(53600), penalty: sar(18400) });
  });

  test('counts a fourth of each row for one of four passengers on both segments', () => {
    const one = estimate(four(), [OUT, BACK], FOUR.slice(0, 1));
    expect(one).toMatchObject({ amount: sar(18000 - 4600 + 20000 - 4600), penalty: sar(9200) });
    expect(one.rule).not.toContain('Counted per');
  });

  test('estimates the refund of each later window', () => {
    const windows = [...CHEAP, rule({ base: sar(12000), from: '2026-11-30T05:00:00Z', until: '2026-12-01T05:00:00Z' })];
    const { until, next } = estimate(four({ rules: windows }), [OUT]);
    expect(until).toBe('2026-11-30T05:00:00Z');
    expect(next).toMatchObject({ at: '2026-11-30T05:00:00Z', amount: sar(72000 - 55200) });
    expect(next?.rule).toContain('SAR 168.00 comes back then.');
  });
});

describe('text of a penalty', () => {
  const family = (rules: readonly PenaltyRule[]) => {
    const travelers = [...FOUR.slice(0, 2), traveler('3', 'Noor', 'Haddad', { type: 'CHD' })];
    const rows = ['1', '2'].flatMap((ref) => [
      row('ADT', 2, sar(40000), { segmentRefs: [ref] }),
      row('CHD', 1, sar(10000), { segmentRefs: [ref] }),
    ]);
    const orders = [{ ...PAID, amount: sar(100000) }];
    return estimate(four({ rules, rows, total: sar(100000), orders, booking: { travelers } })).rule;
  };
  const child = (over: Partial<PenaltyRule>) => rule({ ...CHEAP[0], passengerType: 'CHD', ...over });

  test('names an equal penalty of several types and segments once', () => {
    expect(family([...CHEAP, child({})])).toMatch(
      /^The airline keeps SAR 46\.00 per person and segment, tax included: SAR 276\.00 in all\./,
    );
  });

  test('names the passengers if penalties differ, and states one sum', () => {
    expect(family([...CHEAP, child({ refundable: false })])).toMatch(
      /^2 adults: SAR 46\.00 per person and segment, tax included; 1 child: not refundable\. The airline keeps SAR 184\.00 in all\./,
    );
    const free = child({ base: sar(0), tax: sar(0), total: sar(0) });
    expect(family([...CHEAP, free])).toContain('1 child: free.');
    expect(family([rule({ ...CHEAP[0], base: sar(0), tax: sar(0), total: sar(0) }), free])).toBe('Free cancellation.');
  });

  test('states that figures of the airline differ, and which one counts', () => {
    const odd = [rule({ base: sar(4000), tax: sar(600), total: sar(5000) })];
    expect(estimate(four({ rules: odd }), [OUT])).toMatchObject({
      amount: sar(72000 - 20000),
      rule: expect.stringContaining(
        "The airline's figures differ: base SAR 40.00, tax SAR 6.00, total SAR 50.00. SAR 50.00 counts.",
      ),
    });
  });
});

describe('rules that are only text', () => {
  const words = (ref: string) => ({ fareRules: [{ code: 'R1', text: `Refund until a day before, ${ref}` }] });
  const worded = (rules: readonly PenaltyRule[] = []) =>
    four({
      rules,
      booking: {
        options: [
          option(segment('1', words('out'))),
          option(...BACK.segments.map((s) => ({ ...s, ...words('back') }))),
        ],
      },
    });

  test('quotes rules that are only text and never reports them as missing', () => {
    const found = estimate(worded());
    expect(found).toMatchObject({
      rule: [
        'The airline sent the refund rule for segment 1 as text only: “Refund until a day before, out”.',
        'The airline sent the refund rule for segment 2 as text only: “Refund until a day before, back”.',
      ].join(' '),
      bounds: { atLeast: sar(0), atMost: sar(152000) },
    });
    expect(found.amount).toBeUndefined();
    expect(estimate(worded(), worded().options.slice(1)).rule).toBe(
      'The airline sent the refund rule as text only: “Refund until a day before, back”.',
    );
  });

  test('leaves out text rules if a rule with amounts was sent', () => {
    expect(estimate(worded(CHEAP)).rule).not.toContain('until a day before');
  });
});

describe('an unknown amount', () => {
  test('gives bounds for a rule on one of two segments, and names the other', () => {
    const booking = four();
    const [first] = booking.pricing?.fares ?? [];
    const half: Booking = {
      ...booking,
      pricing: { refunds: [], perType: ROWS, fares: first ? [first] : [], total: price(sar(152000)) },
    };
    const found = estimate(half);
    expect(found.bounds).toEqual({ atLeast: sar(0), atMost: sar(152000 - 18400) });
    expect(found.rule).toBe(
      'Segment 1: SAR 46.00 per person and segment, tax included. The airline keeps SAR 184.00 in all. The airline does not say which refund rule is for segment 2. Counted per person and segment.',
    );
    expect(refundAtStake(half, found)).toEqual(sar(152000 - 18400));
  });

  test('gives bounds for a penalty above the price of its part', () => {
    const rows = [
      row('ADT', 4, sar(10000), { segmentRefs: ['1'] }),
      row('ADT', 4, sar(142000), { segmentRefs: ['2'] }),
    ];
    expect(estimate(four({ rows }))).toMatchObject({
      bounds: { atLeast: sar(152000 - 36800), atMost: sar(142000 - 18400) },
      rule: expect.stringContaining('A penalty is more than the price of its part'),
    });
  });

  test('ignores rows that do not add up to the total', () => {
    const rows = [row('ADT', 4, sar(70000), { segmentRefs: ['1'] }), row('ADT', 4, sar(80000), { segmentRefs: ['2'] })];
    expect(estimate(four({ rows }), [OUT]).bounds).toEqual({ atLeast: sar(0), atMost: sar(152000 - 18400) });
  });
});

describe('after an earlier cancellation', () => {
  const backGone: Partial<Booking> = {
    options: [OUT, option(...BACK.segments.map((each) => ({ ...each, statusCode: '16' })))],
  };
  const refund = { amount: sar(61600), penalty: sar(16000), vat: sar(2400) };
  const orders: readonly Order[] = [PAID, { direction: 'REFUND', status: 'PAID', amount: sar(61600) }];

  test('finds the price of the remaining segment in rows of everything that was sold', () => {
    const booking = four({ refunds: [refund], orders, booking: backGone });
    expect(estimate(booking, [OUT])).toMatchObject({ amount: sar(53600), penalty: sar(18400) });
  });

  test('finds the price of the remaining segment in rows of what is left, with or without a new total', () => {
    const left = ROWS.slice(0, 1);
    for (const total of [sar(72000), sar(152000)]) {
      const booking = four({ refunds: [refund], orders, rows: left, total, booking: backGone });
      expect(estimate(booking, [OUT])).toMatchObject({ amount: sar(53600) });
    }
  });

  test('estimates after a cancelled segment from the refund order alone', () => {
    const booking = four({ orders, booking: backGone });
    expect(estimate(booking, [OUT])).toMatchObject({ amount: sar(53600) });
  });

  const threeLeft: Partial<Booking> = { travelers: FOUR.slice(1) };
  const passenger = { amount: sar(28800), penalty: sar(8000), vat: sar(1200) };
  const oneRefunded: readonly Order[] = [PAID, { direction: 'REFUND', status: 'PAID', amount: sar(28800) }];

  test('counts a fourth of a row for four for each passenger who is left', () => {
    const booking = four({ refunds: [passenger], orders: oneRefunded, booking: threeLeft });
    expect(estimate(booking)).toMatchObject({ amount: sar(3 * (18000 + 20000 - 9200)) });
  });

  test('ignores rows counted for three passengers but priced for four', () => {
    const rows = ROWS.map((each) => ({ ...each, count: 3 }));
    const found = estimate(four({ rows, refunds: [passenger], orders: oneRefunded, booking: threeLeft }));
    expect(found.amount).toBeUndefined();
    // All that is left may be of one flight: then the other's penalty has nothing to take.
    expect(found.bounds).toEqual({ atLeast: sar(0), atMost: sar(152000 - 38000 - 13800) });
  });

  test('limits the refund to what is left of the payment', () => {
    const booking = four({ rows: [], refunds: [refund], orders, booking: backGone });
    expect(estimate(booking, [OUT]).bounds).toEqual({ atLeast: sar(0), atMost: sar(152000 - 80000 - 18400) });
  });
});

test('adds equal rows of one passenger each into one row', () => {
  const single = ['1', '2'].flatMap((ref) => FOUR.map(() => row('ADT', 1, sar(19000), { segmentRefs: [ref] })));
  expect(estimate(four({ rows: single }), [OUT], FOUR.slice(0, 1))).toMatchObject({ amount: sar(19000 - 4600) });
  const named = FOUR.map(({ ref }) => row('ADT', 1, sar(38000), { travelerRefs: [ref] }));
  expect(estimate(four({ rows: named }), [OUT, BACK], FOUR.slice(0, 1))).toMatchObject({ amount: sar(38000 - 9200) });
  expect(estimate(four({ rows: named }), [OUT], FOUR.slice(0, 1)).bounds).toEqual({
    atLeast: sar(0),
    atMost: sar(38000 - 4600),
  });
});
