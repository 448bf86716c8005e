/**
 * The refund of a cancellation, by the published arithmetic (docs/wire/notes.md, Money and rules). Without more words: one
 * adult out and back at SAR 690.00, of which the airline keeps SAR 172.50 per segment until Mon 30 Nov, then everything.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCounted, refundDoubts } from '../../../src/domain/refund/describe-refund.ts';
import { refundAtStake } from '../../../src/domain/refund/estimate-refund.ts';
import type { TripPart } from '../../../src/domain/refund/penalty-rules.ts';
import { bookingOf } from '../../ota/support/wire.ts';
import {
  BACK,
  type Booking,
  fare,
  fiveAdults,
  halfLost,
  NOW,
  type Order,
  OUT,
  option,
  type PenaltyRule,
  partlyCancelled,
  price,
  row,
  sar,
  segment,
  ticketed,
  rule as wordedRule,
} from '../../support/bookings.ts';
import { estimateAt, laterWindows } from '../../support/estimate.ts';
import { traveler } from '../../support/people.ts';
import { callsOf, openDesk } from '../../tools/support/desk.ts';

type Pricing = NonNullable<Booking['pricing']>;
interface Priced extends Partial<Omit<Pricing, 'total'>> {
  readonly total?: number;
  /** Of both fares. */
  readonly rules?: readonly PenaltyRule[];
  readonly rows?: Pricing['perType'];
}

/** Figures alone. */
const rule = (over: Partial<PenaltyRule> = {}) => wordedRule({ texts: [], ...over });

/** A paid booking with these prices and rules. */
function priced({ total = 69000, rules, rows, ...own }: Priced, over: Partial<Booking> = {}): Booking {
  const both = rules && { refundRules: rules };
  const fares = [fare('1', 'MED', 'JED', both), fare('2', 'JED', 'MED', both)];
  const perType = rows ?? [row('ADT', 1, sar(total))];
  return ticketed({ pricing: { total: price(sar(total)), refunds: [], fares, perType, ...own }, ...over });
}

/** Of everything, unless only some options or people go. */
function estimate(booking: Booking, options = booking.options, travelers = booking.travelers, at = NOW) {
  return estimateAt(booking, { options, travelers }, at);
}
const at = (booking: Booking, time: number) => estimate(booking, booking.options, booking.travelers, time);
/** Why the sum is not known. Parts are named by type and segments: `CHD 1 2`. */
const doubtsOf = (booking: Booking, options = booking.options) =>
  refundDoubts(estimate(booking, options), nameParts).join(' ');
const nameParts = (parts: readonly TripPart[]) =>
  parts.map(({ type, segmentRefs }) => [type, ...segmentRefs].join(' ')).join(', ');
const later = (booking: Booking, options = booking.options) =>
  laterWindows(booking, { options, travelers: booking.travelers }, NOW);
/** Until when the estimate of now holds. */
const untilOf = (booking: Booking) => later(booking).windows[0]?.from ?? later(booking).ends;
const hour = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();
const bounds = (least: number, most: number) => ({ atLeast: sar(least), atMost: sar(most) });
const paidBy = (minor: number): Order => ({ direction: 'PAYMENT', status: 'PAID', amount: sar(minor) });
const refundOf = (minor: number): Order => ({ direction: 'REFUND', status: 'PAID', amount: sar(minor) });
const BACK_GONE = option(...BACK.segments.map((each) => ({ ...each, statusCode: '16' })));
const [TURN, LEAVES] = ['2026-11-30T05:00:00Z', '2026-12-01T05:00:00Z'];

/** One way at SAR 345.00. */
const oneWay = (refundRules: readonly PenaltyRule[], cancelUntil = '2026-12-01T02:00:00Z') =>
  priced({ total: 34500, fares: [fare('1', 'MED', 'JED', { refundRules, cancelUntil })] }, { options: [OUT] });

const FOUR = ['1', '2', '3', '4'].map((ref) => traveler(ref, 'Amal', `Haddad${ref}`));
const CHILD = traveler('2', 'Noor', 'Haddad', { type: 'CHD' });
const CHEAP = rule({ base: sar(4000) });
/** A row of so many adults for each segment. */
const rowsOf = (count: number, ...totals: number[]) =>
  totals.map((minor, i) => row('ADT', count, sar(minor), { segmentRefs: [`${i + 1}`] }));
const ROWS = rowsOf(4, 72000, 80000);
/** Four adults at SAR 720.00 out and 800.00 back, with a row for each; the airline keeps SAR 46.00. */
const four = (own: Priced = {}, over: Partial<Booking> = {}) =>
  priced({ total: 152000, rules: [CHEAP], rows: ROWS, ...own }, { travelers: FOUR, orders: [paidBy(152000)], ...over });

describe('what comes back', () => {
  test('is the price less penalty and tax, per person and segment', () => {
    const found = estimate(fiveAdults());
    const line = { type: 'ADT', passengers: 5, each: sar(17250), tax: sar(2250), penalty: sar(86250) };
    expect(found).toMatchObject({
      lines: [
        { ...line, segmentRefs: ['1'] },
        { ...line, segmentRefs: ['2'] },
      ],
      ...{ amount: sar(172500), penalty: sar(172500) },
    });
    expect(isCounted(found, 5)).toBe(true);
    expect(later(fiveAdults()).windows[0]).toMatchObject({
      ...{ from: TURN, amount: sar(0), penalty: sar(345000) },
      assessment: { lines: ['1', '2'].map(() => ({ conditions: ['Refund not permitted.'] })) },
    });
    const dear = four({ rules: [rule({ base: sar(12000) })] });
    expect(estimate(dear)).toMatchObject({ amount: sar(152000 - 110400), penalty: sar(110400) });
    expect(estimate(four(), [OUT])).toMatchObject({ amount: sar(53600), penalty: sar(18400) });
    // A fourth of each row.
    const one = estimate(four(), [OUT, BACK], FOUR.slice(0, 1));
    expect(one).toMatchObject({ amount: sar(18000 - 4600 + 20000 - 4600), penalty: sar(9200) });
    expect(isCounted(one, 1)).toBe(false);
  });

  test('is zero, never less, if the penalty is above the price', () => {
    expect(estimate(priced({ total: 10000 }))).toMatchObject({ amount: sar(0), penalty: sar(10000) });
    const small = four({ rows: rowsOf(4, 10000, 142000) });
    expect(estimate(small).bounds).toEqual(bounds(152000 - 36800, 142000 - 18400));
    expect(doubtsOf(small)).toContain('A penalty is more than the price of its part');
  });

  test('is an amount only where price rows state that of the part', () => {
    expect(estimate(priced({ rows: rowsOf(1, 40000, 29000) }), [BACK])).toMatchObject({
      amount: sar(29000 - 17250),
      penalty: sar(17250),
    });
    const whole = estimate(ticketed(), [BACK]);
    expect(whole).toMatchObject({ penalty: sar(17250), bounds: bounds(0, 69000 - 17250) });
    expect(doubtsOf(ticketed(), [BACK])).toBe(
      'The price is not split by segment and passenger, so the amount is not known.',
    );
    expect(whole).not.toHaveProperty('amount');
    expect(refundAtStake(ticketed(), whole)).toEqual(sar(69000 - 17250));
    // Rows that do not add up to the total describe something else.
    expect(estimate(four({ rows: rowsOf(4, 70000, 80000) }), [OUT]).bounds).toEqual(bounds(0, 152000 - 18400));
  });

  test('of one passenger is a share of the row, between its roundings if it does not divide', () => {
    const first = (booking: Booking, options = booking.options) => {
      const { amount, bounds: between } = estimate(booking, options, booking.travelers.slice(0, 1));
      return [amount, between];
    };
    const { travelers } = fiveAdults();
    expect(first(fiveAdults())).toEqual([sar(69000 - 34500), undefined]);
    const uneven = priced({ total: 345001, rows: [row('ADT', 5, sar(345001))] }, { travelers });
    expect(first(uneven)).toEqual([undefined, bounds(34500, 34501)]);
    const usd = (minor: number) => ({ minor, currency: 'USD' });
    const orders = [{ ...paidBy(0), amount: usd(345000) }];
    expect(first(fiveAdults({ orders }))).toEqual([undefined, undefined]);
    // Rows in another currency than the payment, whose rules have it, are no share of it.
    const foreign = { total: 345000, rows: [row('ADT', 5, sar(345000))], rules: [rule({ base: usd(15000) })] };
    expect(first(priced(foreign, { travelers, orders }))[0]).toBeUndefined();
    // Equal rows of one passenger each are one row, and rows that name passengers are theirs.
    const single = ['1', '2'].flatMap((ref) => FOUR.map(() => row('ADT', 1, sar(19000), { segmentRefs: [ref] })));
    expect(first(four({ rows: single }), [OUT])[0]).toEqual(sar(19000 - 4600));
    const named = four({ rows: FOUR.map(({ ref }) => row('ADT', 1, sar(38000), { travelerRefs: [ref] })) });
    expect(first(named)[0]).toEqual(sar(38000 - 9200));
    expect(first(named, [OUT])[1]).toEqual(bounds(0, 38000 - 4600));
  });

  test('has bounds if an earlier change had fees, and stakes no more than was paid', () => {
    const rows = rowsOf(1, 45000);
    const paid = (...orders: Order[]) =>
      priced({ total: 45000, rows, fares: [fare('1', 'MED', 'JED')] }, { options: [OUT], orders });
    const changed = estimate(paid(paidBy(40000), paidBy(8000)));
    expect([changed.amount, changed.bounds]).toEqual([undefined, bounds(45000 - 17250, 48000 - 17250)]);
    expect(estimate(paid(paidBy(45000))).amount).toEqual(sar(45000 - 17250));
    const less = paid(paidBy(40000));
    expect(refundAtStake(less, estimate(less))?.minor).toBeLessThanOrEqual(40000);
  });

  test('is nothing for a part that is not refundable, even if its price is unknown', () => {
    const lost = estimate(halfLost(), [OUT]);
    expect(lost).toMatchObject({ amount: sar(0), penalty: undefined, lines: [{ rule: { refundable: false } }] });
    expect(refundAtStake(halfLost(), lost)).toEqual(sar(0));
    const other = estimate(halfLost(), [BACK]);
    expect([other.amount, other.bounds]).toEqual([undefined, bounds(0, 69000 - 17250)]);
    const rules = [rule(), rule({ passengerType: 'CHD', refundable: false })];
    const rows = [row('ADT', 1, sar(60000)), row('CHD', 1, sar(40000))];
    const travelers = [traveler('1', 'Amal', 'Haddad'), CHILD];
    expect(estimate(priced({ total: 100000, rules, rows }, { travelers }))).toMatchObject({
      amount: sar(60000 - 34500),
      penalty: sar(100000 - 25500),
    });
  });
});

describe('after an earlier cancellation', () => {
  const refunds = [{ amount: sar(61600), penalty: sar(16000), vat: sar(2400) }];
  const backGone = { options: [OUT, BACK_GONE], orders: [paidBy(152000), refundOf(61600)] };

  test('counts only what is left, in rows of everything that was sold or of what is left, or by the refund order alone', () => {
    const left = { refunds, rows: ROWS.slice(0, 1) };
    for (const own of [{ refunds }, { ...left, total: 72000 }, { ...left, total: 152000 }, {}])
      expect(estimate(four(own, backGone), [OUT]).amount).toEqual(sar(53600));
    // The one row covers both legs: the rest of the price is unknown.
    const part = estimate(partlyCancelled(), [OUT]);
    expect([part.amount, part.bounds]).toEqual([undefined, bounds(0, 69000 - 34500 - 17250)]);
    expect(part.lines).toMatchObject([{ segmentRefs: ['1'], penalty: sar(17250) }]);
    expect(estimate(four({ refunds, rows: [] }, backGone), [OUT]).bounds).toEqual(bounds(0, 152000 - 80000 - 18400));
  });

  test('counts for each passenger who is left a fourth of a row for four, and no rows that were counted anew', () => {
    const gone = { refunds: [{ amount: sar(28800), penalty: sar(8000), vat: sar(1200) }] };
    const three = { travelers: FOUR.slice(1), orders: [paidBy(152000), refundOf(28800)] };
    expect(estimate(four(gone, three)).amount).toEqual(sar(3 * (18000 + 20000 - 9200)));
    const recounted = estimate(four({ ...gone, rows: ROWS.map((each) => ({ ...each, count: 3 })) }, three));
    // All that is left may be of one flight: then the other's penalty has nothing to take.
    expect([recounted.amount, recounted.bounds]).toEqual([undefined, bounds(0, 152000 - 38000 - 13800)]);
    const orders = [paidBy(138000), refundOf(34500)];
    expect(estimate(priced({ refunds: [{ amount: sar(34500) }] }, { orders })).amount).toEqual(sar(69000 - 34500));
  });
});

describe('which rule counts', () => {
  test('is the one in force, from the instant its window begins', () => {
    const turn = Date.parse(TURN);
    expect(at(ticketed(), turn - 1).amount).toEqual(sar(69000 - 2 * 17250));
    expect(at(ticketed(), turn).amount).toEqual(sar(0));
    const { from: _, until: __, ...open } = rule();
    expect(estimate(oneWay([open])).amount).toEqual(sar(34500 - 17250));
    expect(doubtsOf(oneWay([rule({ from: 'soon' })]))).toBe('No refund rule is in force for ADT 1.');
  });

  test('is exactly one for each type, else there is no amount, and the rule names the reason', () => {
    const noChild = ticketed({ travelers: [...FOUR.slice(0, 1), CHILD] });
    const none = priced({ fares: [], rows: [] });
    const doubled = priced({ rules: [rule(), rule({ base: sar(1) })], rows: [] });
    for (const [booking, words] of [
      [noChild, 'No refund rule is in force for CHD 1, CHD 2.'],
      [none, 'The airline sent no refund rule for ADT 1, ADT 2.'],
      [doubled, 'The refund rules for ADT 1, ADT 2 are unclear.'],
    ] as const) {
      expect([estimate(booking).amount, doubtsOf(booking)]).toEqual([undefined, words]);
    }
    expect(estimate(none).bounds).toEqual(bounds(0, 69000));
    // Of one segment alone.
    const [first] = four().pricing?.fares ?? [];
    const half = four({ fares: first ? [first] : [] });
    expect(estimate(half)).toMatchObject({
      ...{ bounds: bounds(0, 152000 - 18400), lines: [{ segmentRefs: ['1'], each: sar(4600), penalty: sar(18400) }] },
    });
    expect(doubtsOf(half)).toBe('The airline does not say which refund rule is for ADT 2.');
    expect(refundAtStake(half, estimate(half))).toEqual(sar(152000 - 18400));
  });

  test('follows from pointers, else from the order of the fares, for two flights between the same airports', () => {
    const twice = [OUT, option(segment('2', { departs: '2026-12-08T08:00:00.000+03:00' }))];
    const rows = rowsOf(1, 40000, 29000);
    const dear = (ref: string) => fare(ref, 'MED', 'JED', { refundRules: [rule({ base: sar(20000) })] });
    const second = (...fares: Pricing['fares']) =>
      estimate(priced({ rows, fares }, { options: twice }), twice.slice(1));
    expect(second(fare('a', 'MED', 'JED'), dear('b')).amount).toEqual(sar(6000));
    expect(second(dear('2'), fare('1', 'MED', 'JED')).amount).toEqual(sar(6000));
    expect(second(fare('a', 'MED', 'JED'))).toMatchObject({ lines: [], gaps: [{ why: 'not_placed' }] });
  });

  test('is quoted if it came as text only, and never reported as missing', () => {
    const worded = (one: typeof OUT, text: string) =>
      option(...one.segments.map((each) => ({ ...each, fareRules: [{ code: 'R1', text }] })));
    const options = [worded(OUT, 'Free.'), worded(BACK, 'Half.')];
    const booking = four({ rules: [] }, { options });
    expect(estimate(booking)).toMatchObject({
      gaps: [
        { segmentRefs: ['1'], why: 'in_words', words: ['Free.'] },
        { segmentRefs: ['2'], why: 'in_words', words: ['Half.'] },
      ],
      bounds: bounds(0, 152000),
    });
    expect(doubtsOf(booking)).toBe('The airline sent the refund rule for ADT 1, ADT 2 as text only.');
    expect(estimate(booking, options.slice(1)).gaps).toMatchObject([{ words: ['Half.'] }]);
    expect(doubtsOf(four({}, { options }))).toBe('');
  });
});

test('names an equal penalty once, else the passengers of each, and one sum', async () => {
  const travelers = [...FOUR.slice(0, 2), { ...CHILD, ref: '3' }];
  const rows = ['1', '2'].flatMap((ref) => [
    row('ADT', 2, sar(40000), { segmentRefs: [ref] }),
    row('CHD', 1, sar(10000), { segmentRefs: [ref] }),
  ]);
  const family = async (...rules: PenaltyRule[]) => {
    const booking = four({ rules, rows, total: 100000 }, { travelers, orders: [paidBy(100000)] });
    const { message } = await callsOf('cancel_booking').ask(booking);
    return message;
  };
  const child = (over: Partial<PenaltyRule> = {}) => ({ ...CHEAP, passengerType: 'CHD', ...over });
  const trains = 'trains HHR101 MED → JED and HHR202 JED → MED: SAR';
  const same = await family(CHEAP, child());
  expect(same).toContain('SAR 276.00 is given up, tax included.');
  expect(same.match(/kept per person and segment/g)).toHaveLength(2);
  const lost = await family(CHEAP, child({ refundable: false }));
  expect(lost).toContain(`2 adults, ${trains} 800.00 paid; SAR 46.00 kept per person and segment; SAR 616.00 back\n`);
  expect(lost).toContain(`1 child, ${trains} 200.00 paid; not refundable\n`);
  const free = rule({ base: sar(0) });
  expect(await family(CHEAP, { ...free, passengerType: 'CHD' })).toContain(
    `1 child, ${trains} 200.00 paid; nothing kept; SAR 200.00 back\n`,
  );
  expect(await family(free, { ...free, passengerType: 'CHD' })).toContain('SAR 1,000.00 comes back, nothing is kept.');
});

describe('what the airline keeps under a rule', () => {
  /** Total and tax, and whether its figures differ. */
  const kept = (one: PenaltyRule) => {
    const [line] = estimate(oneWay([{ ...one, from: '2026-11-01T00:00:00Z' }])).lines;
    return line && [line.each.minor, line.tax.minor, line.disagrees];
  };
  const stated = (base: number, tax: number, total: number, over: Partial<PenaltyRule> = {}) =>
    kept(rule({ base: sar(base), tax: sar(tax), total: sar(total), ...over }));

  test('is the total, which has the tax once; a tax that only a percentage states is added', () => {
    expect(stated(4000, 600, 4600)).toEqual([4600, 600, false]);
    expect(stated(4000, 0, 4000)).toEqual([4600, 600, false]);
    expect(stated(4000, 0, 4600)).toEqual([4600, 600, false]);
    expect(stated(4000, 0, 4000, { vatHundredths: 0 })).toEqual([4000, 0, false]);
    expect(stated(0, 0, 4600, { totalAlone: true })).toEqual([4600, 0, false]);
    expect(stated(0, 0, 0)).toEqual([0, 0, false]);
  });

  test('is the greater of two different figures, and the rule says so', () => {
    expect(stated(4000, 600, 5000)).toEqual([5000, 600, true]);
    expect(stated(4000, 600, 4000)).toEqual([4600, 600, true]);
    expect(stated(0, 0, 10000)).toEqual([10000, 0, true]);
    const odd = rule({ base: sar(4000), tax: sar(600), total: sar(5000) });
    expect(doubtsOf(oneWay([odd]))).toContain(
      "The airline's figures differ: base SAR 40.00, tax SAR 6.00, total SAR 50.00. SAR 50.00 counts.",
    );
  });

  test('is not known if an amount is negative or too large', () => {
    const huge = sar(Number.MAX_SAFE_INTEGER);
    for (const wrong of [{ base: sar(-4000) }, { vatHundredths: -1 }, { base: huge, tax: huge, total: huge }]) {
      const { amount, lines } = estimate(oneWay([{ ...rule(), ...wrong }]));
      expect([amount, lines]).toEqual([undefined, []]);
    }
  });

  test.each([
    [{ base: 0, tax: 0, total: 100 }, true],
    [{ base: 0, total: 100 }, true],
    [{ total: 100 }, false],
  ])('is the total if the airline sends %j', (amounts, disagrees) => {
    const penaltyRules = [{ passengerTypeCode: 'ADT', rules: [{ currency: 'SAR', refundable: true, ...amounts }] }];
    const fareInfo = [{ ruleInfo: { chargesRules: { voluntaryRefunds: { TPA_Extensions: { penaltyRules } } } } }];
    const total = { currencyCode: 'SAR', amount: 100 };
    const { pricing } = bookingOf({ priceInfo: { itinTotalFare: [{ totalFare: total }], fareInfos: { fareInfo } } });
    expect(kept(rule(pricing?.fares[0]?.refundRules[0]))).toEqual([10000, 0, disagrees]);
  });
});

describe('the time limit for cancelling', () => {
  const LIMIT = '2026-11-29T12:00:00Z';
  const { until: _, ...lasting } = rule();

  test('ends the estimate, shows no later rules, and after it there is no amount', () => {
    const booking = oneWay([rule(), rule({ refundable: false, from: TURN, until: LEAVES })], LIMIT);
    expect(estimate(booking).amount).toEqual(sar(17250));
    expect(later(booking)).toEqual({ windows: [], ends: LIMIT });
    expect(untilOf(oneWay([lasting], LIMIT))).toBe(LIMIT);
    for (const time of [Date.parse(LIMIT), Date.parse(LIMIT) + 1])
      expect(at(oneWay([rule()], LIMIT), time)).toEqual({
        ...{ lines: [], gaps: [] },
        tooLate: 'The time limit for cancelling passed on Sun 29 Nov 15:00 (UTC+3).',
      });
  });

  test('ends a rule without an end at the departure, and shows a later rule only before the limit', () => {
    expect(untilOf(oneWay([rule()], '2027-11-29T12:00:00Z'))).toBe(TURN);
    expect(untilOf(oneWay([lasting], '2027-11-29T12:00:00Z'))).toBe(LEAVES);
    const second = rule({ from: TURN, until: LEAVES });
    expect(later(oneWay([second], '2026-11-30T06:00:00Z')).windows).toMatchObject([{ from: TURN }]);
    expect(later(oneWay([second], LIMIT)).windows).toEqual([]);
  });
});

describe('later rules', () => {
  const [soon, then] = ['2026-11-29T10:00:00Z', '2026-11-30T10:00:00Z'];

  test('come next in an estimate: what comes back then, the same penalty once, and none of other passengers', () => {
    const windows = [CHEAP, rule({ base: sar(12000), from: TURN, until: LEAVES })];
    expect(later(four({ rules: windows }), [OUT]).windows).toMatchObject([{ from: TURN, amount: sar(72000 - 55200) }]);
    const fares = [
      fare('1', 'MED', 'JED'),
      fare('2', 'JED', 'MED', { refundRules: [rule({ until: '2026-12-04T15:00:00Z' })] }),
    ];
    expect(estimate(priced({ fares })).penalty).toEqual(sar(34500));
    expect(later(priced({ fares })).windows[0]).toMatchObject({
      ...{ from: TURN, bounds: bounds(0, 51750) },
      assessment: {
        lines: [
          { segmentRefs: ['1'], rule: { refundable: false }, conditions: ['Refund not permitted.'] },
          { segmentRefs: ['2'], each: sar(17250) },
        ],
      },
    });
    const child = { passengerType: 'CHD' };
    const own = [rule(), rule({ from: TURN, until: LEAVES, base: sar(30000) })];
    const theirs = [rule({ ...child, until: soon }), rule({ ...child, from: soon, until: LEAVES })];
    expect(later(oneWay([...own, ...theirs])).windows[0]).toMatchObject({ from: TURN, amount: sar(0) });
  });

  /** Each later window of a quote: from when, and what comes back. */
  const quoted = async (rules: readonly PenaltyRule[], cancelUntil?: string) => {
    const desk = await openDesk({ bookings: [oneWay(rules, cancelUntil)] });
    const { view } = await desk.read('quote_cancellation', { locator: 'ABC123' });
    const steps: { from: string; back?: string }[] = view.later ?? [];
    const inUtc = (time?: string) => time && new Date(time).toISOString().replace('.000', '');
    const windows = steps.map(({ from, back }) => [inUtc(from), back]);
    return { windows, ends: inUtc(view.cancel_until), last: steps.at(-1) };
  };

  test('follow each other in a quote without a gap until cancelling ends, also over a time without a rule', async () => {
    const END = '2026-12-01T02:00:00Z';
    const steps = [
      rule({ base: sar(1000), until: soon }),
      rule({ base: sar(2000), from: soon, until: then }),
      rule({ base: sar(3000), from: then, until: '2026-12-05T10:00:00Z' }),
    ];
    const { windows, last, ends } = await quoted(steps);
    expect(windows).toEqual([
      [soon, '322.00'],
      [then, '310.50'],
    ]);
    expect(last).toEqual({ from: '2026-11-30T13:00+03:00', back: '310.50', kept: '34.50' });
    expect(ends).toBe(END);
    const [first = rule(), , third = rule()] = steps;
    expect((await quoted([first, third])).windows).toEqual([
      [soon, undefined],
      [then, '310.50'],
    ]);
    expect(later(oneWay([first, third])).windows[1]).toMatchObject({ from: then, amount: sar(31050) });
    // Equal rules are one; a limit after the departure does not count.
    const same = rule({ base: sar(1000), from: soon, until: '2027-11-29T10:00:00Z' });
    expect(await quoted([first, same])).toMatchObject({ windows: [], ends: END });
    // A rule for all types pays after the last one of the own type.
    const any = rule({ base: sar(2000), passengerType: '', from: TURN, until: '2027-11-29T00:00:00Z' });
    const other = rule({ passengerType: 'CNN', until: '2027-12-24T00:00:00Z' });
    const late = await quoted([rule({ base: sar(1000) }), any, other], '2027-12-31T00:00:00Z');
    expect(late.windows.map(([, back]) => back)).toEqual(['322.00']);
    expect(late.ends).toBe('2027-11-29T00:00:00Z');
    expect((await quoted([rule()], '2026-11-28T00:00:00Z')).windows).toEqual([]);
  });

  const onFares = (...perFare: PenaltyRule[][]) => {
    const fares = perFare.map((refundRules, i) =>
      fare(String(i), 'MED', 'JED', { refundRules, cancelUntil: hour(1000) }),
    );
    return priced({ fares }, { options: perFare.map((_, i) => option(segment(String(i)))) });
  };

  test('are read only a few times, for any number of windows', () => {
    let reads = 0;
    const counted = (from: string, until: string) =>
      Object.defineProperty(rule({ until }), 'from', {
        get: () => {
          reads += 1;
          return from;
        },
      });
    const windows = Array.from({ length: 20 }, (_, i) => i);
    const perFare = windows.map((f) =>
      windows.map((i) => counted(hour(i * 24 - 1 + f / 60), hour(i * 24 + 23 + f / 60))),
    );
    expect(untilOf(onFares(...perFare))).toBe(`${hour(19 * 24 + 23).slice(0, 19)}Z`);
    expect(reads).toBeLessThan(10 * 20 * 20);
  });

  test('end and begin as an estimate at each moment says', () => {
    const window = fc
      .record({
        passengerType: fc.constantFrom('ADT', 'ADT', '', 'CHD'),
        from: fc.option(fc.integer({ min: -2, max: 8 }), { nil: undefined }),
        hours: fc.option(fc.integer({ min: -1, max: 5 }), { nil: undefined }),
        minor: fc.constantFrom(15000, 15000, 30000),
      })
      .map(({ passengerType, from, hours, minor }): PenaltyRule => {
        const { from: _, until: __, ...open } = rule({ passengerType, total: sar(minor) });
        const until = hours === undefined ? undefined : (from ?? 0) + hours;
        return {
          ...open,
          ...(from !== undefined && { from: hour(from) }),
          ...(until !== undefined && { until: hour(until) }),
        };
      });
    const rules = fc.array(window, { maxLength: 5 }).map((more) => [rule({ from: hour(-2), until: hour(1) }), ...more]);
    fc.assert(
      fc.property(rules, rules, (first, second) => {
        const booking = onFares(first, second);
        const now = estimate(booking);
        fc.pre(now.lines.length > 0);
        const moments = Array.from({ length: 20 }, (_, h) => at(booking, Date.parse(hour(h))));
        const said = ({ lines, gaps }: Pick<typeof now, 'lines' | 'gaps'>) =>
          JSON.stringify([lines.map(({ segmentRefs, penalty, disagrees }) => [segmentRefs, penalty, disagrees]), gaps]);
        const changes = moments.flatMap((then, h) =>
          said(then) === said(moments[h - 1] ?? now) ? [] : [[`${hour(h).slice(0, 19)}Z`, said(then)]],
        );
        const found = later(booking).windows.map(({ from, assessment }) => [from, said(assessment)]);
        expect(found).toEqual(changes);
      }),
    );
  });
});
