import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectCancelledSegments } from '../../../src/domain/booking/expected-change.ts';
import { estimateRefund, refundAtStake } from '../../../src/domain/pricing/estimate-refund.ts';
import { formatMoney } from '../../../src/domain/pricing/money.ts';
import { inForce } from '../../../src/domain/pricing/penalty-rules.ts';
import { statedRefund } from '../../../src/domain/pricing/stated-refund.ts';
import {
  BACK,
  fare,
  fiveAdults,
  halfLost,
  held,
  NOW,
  OUT,
  option,
  type PenaltyRule,
  partlyCancelled,
  price,
  row,
  rule,
  sar,
  segment,
  ticketed,
} from '../../support/bookings.ts';
import { traveler } from '../../support/people.ts';

const everything = (booking: ReturnType<typeof ticketed>) => ({
  options: booking.options,
  travelers: booking.travelers,
});

describe('estimate of a refund', () => {
  test('keeps 1500.00 penalty and 225.00 tax for five adults on two segments', () => {
    const booking = fiveAdults();
    const estimate = estimateRefund(booking, everything(booking), NOW);
    const line = { type: 'ADT', passengers: 5, each: sar(17250), tax: sar(2250), penalty: sar(86250) };
    expect(estimate.lines).toMatchObject([
      { ...line, segmentRefs: ['1'] },
      { ...line, segmentRefs: ['2'] },
    ]);
    expect(estimate.penalty && formatMoney(estimate.penalty)).toBe('1725.00');
    expect(estimate.amount && formatMoney(estimate.amount)).toBe('1725.00');
    expect(estimate.rule).toBe(
      'The airline keeps SAR 172.50 per person and segment, tax included: SAR 1,725.00 in all. Counted per person and segment.',
    );
    expect(estimate.until).toBe('2026-11-30T05:00:00Z');
    expect(estimate.next).toEqual({
      at: '2026-11-30T05:00:00Z',
      amount: sar(0),
      penalty: sar(345000),
      rule: 'Not refundable. SAR 0.00 comes back then.',
    });
  });

  test('describes the same penalty in two windows once, until the earlier end', () => {
    const later = rule({ until: '2026-12-04T15:00:00Z' });
    const booking = ticketed({
      pricing: {
        total: price(sar(69000)),
        refunds: [],
        fares: [fare('1', 'MED', 'JED'), fare('2', 'JED', 'MED', { refundRules: [later] })],
        perType: [row('ADT', 1, sar(69000))],
      },
    });
    const estimate = estimateRefund(booking, everything(booking), NOW);
    expect(estimate.rule).toBe('The airline keeps SAR 172.50 per person and segment, tax included: SAR 345.00 in all.');
    expect(estimate.until).toBe('2026-11-30T05:00:00Z');
    expect(estimate.next?.rule).toBe(
      'Segment 1: not refundable; segment 2: SAR 172.50 per person and segment, tax included. Between SAR 0.00 and SAR 517.50 comes back then.',
    );
  });

  test('gives only bounds if an earlier change had fees', () => {
    const paid = (minor: number) => ({ direction: 'PAYMENT', status: 'PAID', amount: sar(minor) });
    const booking = (...orders: ReturnType<typeof paid>[]) =>
      ticketed({
        options: [OUT],
        pricing: {
          total: price(sar(45000)),
          refunds: [],
          fares: [fare('1', 'MED', 'JED')],
          perType: [row('ADT', 1, sar(45000), { segmentRefs: ['1'] })],
        },
        orders,
      });
    const changed = booking(paid(40000), paid(8000));
    const estimate = estimateRefund(changed, everything(changed), NOW);
    expect(estimate).not.toHaveProperty('amount');
    expect(estimate.bounds).toEqual({ atLeast: sar(45000 - 17250), atMost: sar(48000 - 17250) });
    const plain = booking(paid(45000));
    expect(estimateRefund(plain, everything(plain), NOW).amount).toEqual(sar(45000 - 17250));
    const less = booking(paid(40000));
    expect(refundAtStake(less, estimateRefund(less, everything(less), NOW))?.minor).toBeLessThanOrEqual(40000);
  });

  describe('the time limit for cancelling', () => {
    const LIMIT = '2026-11-29T12:00:00Z';
    const booked = (cancelUntil: string, refundRules: PenaltyRule[] = [rule({ until: '2026-11-30T05:00:00Z' })]) =>
      ticketed({
        options: [OUT],
        pricing: {
          total: price(sar(40000)),
          refunds: [],
          fares: [fare('1', 'MED', 'JED', { cancelUntil, refundRules })],
          perType: [row('ADT', 1, sar(40000))],
        },
      });
    const estimated = (booking: ReturnType<typeof ticketed>, at = NOW) =>
      estimateRefund(booking, everything(booking), at);

    test('ends the estimate at the time limit, and shows no later rules', () => {
      const booking = booked(LIMIT, [
        rule({ until: '2026-11-30T05:00:00Z' }),
        rule({ refundable: false, from: '2026-11-30T05:00:00Z', until: '2026-12-01T05:00:00Z' }),
      ]);
      expect(estimated(booking)).toMatchObject({ amount: sar(22750), until: LIMIT });
      expect(estimated(booking)).not.toHaveProperty('next');
      const { until: _, ...lasting } = rule();
      expect(estimated(booked(LIMIT, [lasting])).until).toBe(LIMIT);
    });

    test('estimates no amount after the time limit', () => {
      for (const at of [Date.parse(LIMIT), Date.parse(LIMIT) + 1]) {
        expect(estimated(booked(LIMIT), at)).toEqual({
          tooLate: true,
          lines: [],
          gaps: [],
          rule: 'The time limit for cancelling passed on Sun 29 Nov 15:00 (UTC+3).',
        });
      }
    });

    test('ends a rule without an end at the departure, and shows a later rule only before the limit', () => {
      expect(estimated(booked('2027-11-29T12:00:00Z')).until).toBe('2026-11-30T05:00:00Z');
      const { until: _, ...lasting } = rule();
      expect(estimated(booked('2027-11-29T12:00:00Z', [lasting])).until).toBe('2026-12-01T05:00:00Z');
      const later = rule({ from: '2026-11-30T05:00:00Z', until: '2026-12-01T05:00:00Z' });
      expect(estimated(booked('2026-11-30T06:00:00Z', [later])).next?.at).toBe('2026-11-30T05:00:00Z');
      const beyond = estimated(booked(LIMIT, [later]));
      expect([beyond.until, beyond.next]).toEqual([undefined, undefined]);
    });

    test('uses the earliest time limit of the cancelled flights', () => {
      const fares = [fare('1', 'MED', 'JED', { cancelUntil: LIMIT }), fare('2', 'JED', 'MED')];
      const booking = ticketed({ pricing: { refunds: [], fares, perType: [], total: price(sar(69000)) } });
      const at = Date.parse(LIMIT);
      expect(estimateRefund(booking, everything(booking), at).tooLate).toBe(true);
      const back = { options: [BACK], travelers: booking.travelers };
      expect(estimateRefund(booking, back, at)).not.toHaveProperty('tooLate');
    });
  });

  describe('the next rule', () => {
    const [soon, then, last] = ['2026-11-29T12:00:00Z', '2026-11-30T05:00:00Z', '2026-12-01T05:00:00Z'];
    const next = (...refundRules: ReturnType<typeof rule>[]) => {
      const fares = [fare('1', 'MED', 'JED', { refundRules })];
      const pricing = { total: price(sar(69000)), refunds: [], fares, perType: [row('ADT', 1, sar(69000))] };
      const booking = ticketed({ options: [OUT], pricing });
      const { until, next } = estimateRefund(booking, everything(booking), NOW);
      return { until, at: next?.at, rule: next?.rule };
    };
    const dearer = 'The airline keeps SAR 345.00, tax included. SAR 345.00 comes back then.';

    test('ignores a later rule for other passengers', () => {
      const child = { passengerType: 'CHD' };
      const own = [rule({ until: then }), rule({ from: then, until: last, base: sar(30000) })];
      const theirs = [rule({ ...child, until: soon }), rule({ ...child, from: soon, until: last })];
      expect(next(...own, ...theirs)).toEqual({ until: then, at: then, rule: expect.stringContaining(dearer) });
    });
  });

  describe('many rules', () => {
    const hour = (h: number) => new Date(NOW + h * 3_600_000).toISOString();
    const onFares = (...perFare: PenaltyRule[][]) => {
      const fares = perFare.map((refundRules, i) =>
        fare(String(i), 'MED', 'JED', { refundRules, cancelUntil: hour(1000) }),
      );
      const options = perFare.map((_, i) => option(segment(String(i))));
      return ticketed({
        options,
        pricing: { total: price(sar(69000)), refunds: [], fares, perType: [row('ADT', 1, sar(69000))] },
      });
    };
    const estimated = (booking: ReturnType<typeof ticketed>, at = NOW) =>
      estimateRefund(booking, everything(booking), at);

    test('reads each rule only a few times, for any number of windows', () => {
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
      expect(estimated(onFares(...perFare)).until).toBe(`${hour(19 * 24 + 23).slice(0, 19)}Z`);
      expect(reads).toBeLessThan(10 * 20 * 20);
    });

    test('finds the same end and next rule as an estimate at each moment', () => {
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
      const own = rule({ from: hour(-2), until: hour(1) });
      const rules = fc.array(window, { maxLength: 5 }).map((more) => [own, ...more]);
      fc.assert(
        fc.property(rules, rules, (first, second) => {
          const booking = onFares(first, second);
          const now = estimated(booking);
          fc.pre(now.lines.length > 0);
          const later = Array.from({ length: 20 }, (_, h) => estimated(booking, Date.parse(hour(h))));
          const other = later.findIndex((then) => then.rule !== now.rule);
          const next = later.findIndex((then) => then.rule !== now.rule && then.lines.length > 0);
          const moment = (h: number) => (h < 0 ? undefined : `${hour(h).slice(0, 19)}Z`);
          expect([now.until, now.next?.at]).toEqual([moment(other), moment(next)]);
          const words = (text = '') =>
            text
              .split(/ (?:SAR [\d.,]+|Between [^.]+\.\d\d and SAR [\d.,]+) comes back then|The price is not split/)[0]
              ?.trim();
          expect(words(now.next?.rule)).toBe(words(later[next]?.rule));
        }),
      );
    });
  });

  test('adds nothing for a part that is not refundable, even if its price is unknown', () => {
    const booking = halfLost();
    const first = estimateRefund(booking, { options: [OUT], travelers: booking.travelers }, NOW);
    expect(first).toMatchObject({ amount: sar(0), rule: 'Not refundable.' });
    expect(first).not.toHaveProperty('penalty');
    expect(refundAtStake(booking, first)).toEqual(sar(0));
    const second = estimateRefund(booking, { options: [BACK], travelers: booking.travelers }, NOW);
    expect(second.amount).toBeUndefined();
    expect(second.bounds).toEqual({ atLeast: sar(0), atMost: sar(69000 - 17250) });
    expect(second.rule).toContain('The price is not split by segment and passenger');
  });

  test('applies a rule from the instant its window begins, and not the earlier one', () => {
    const booking = ticketed();
    const at = Date.parse('2026-11-30T05:00:00Z');
    expect(estimateRefund(booking, everything(booking), at - 1).amount).toEqual(sar(69000 - 2 * 17250));
    expect(estimateRefund(booking, everything(booking), at).amount).toEqual(sar(0));
  });

  test('estimates one leg of two if rows state the price of each leg', () => {
    const booking = ticketed({
      pricing: {
        total: price(sar(69000)),
        refunds: [],
        fares: [fare('1', 'MED', 'JED'), fare('2', 'JED', 'MED')],
        perType: [row('ADT', 1, sar(40000), { segmentRefs: ['1'] }), row('ADT', 1, sar(29000), { segmentRefs: ['2'] })],
      },
    });
    const estimate = estimateRefund(booking, { options: [BACK], travelers: booking.travelers }, NOW);
    expect(estimate.amount).toEqual(sar(29000 - 17250));
    expect(estimate.penalty).toEqual(sar(17250));
  });

  test('gives bounds for one leg of two if a row covers both', () => {
    const booking = ticketed();
    const estimate = estimateRefund(booking, { options: [BACK], travelers: booking.travelers }, NOW);
    expect(estimate.amount).toBeUndefined();
    expect(estimate.penalty).toEqual(sar(17250));
    expect(estimate.bounds).toEqual({ atLeast: sar(0), atMost: sar(69000 - 17250) });
    expect(estimate.rule).toBe(
      'The airline keeps SAR 172.50, tax included. The price is not split by segment and passenger, so the amount is not known.',
    );
    expect(refundAtStake(booking, estimate)).toEqual(sar(69000 - 17250));
  });

  test('counts a fifth for one passenger of five, or bounds if the price does not divide', () => {
    const booking = fiveAdults();
    const one = { options: booking.options, travelers: booking.travelers.slice(0, 1) };
    expect(estimateRefund(booking, one, NOW).amount).toEqual(sar(69000 - 34500));
    const uneven = fiveAdults({
      pricing: {
        total: price(sar(345001)),
        refunds: [],
        fares: [fare('1', 'MED', 'JED'), fare('2', 'JED', 'MED')],
        perType: [row('ADT', 5, sar(345001))],
      },
    });
    const first = { options: uneven.options, travelers: uneven.travelers.slice(0, 1) };
    expect(estimateRefund(uneven, first, NOW).amount).toBeUndefined();
    expect(estimateRefund(uneven, first, NOW).bounds).toEqual({ atLeast: sar(34500), atMost: sar(34501) });
  });

  test('refunds zero, never less, if the penalty is above the price', () => {
    const booking = ticketed({
      pricing: {
        total: price(sar(10000)),
        refunds: [],
        fares: [fare('1', 'MED', 'JED'), fare('2', 'JED', 'MED')],
        perType: [row('ADT', 1, sar(10000))],
      },
    });
    const estimate = estimateRefund(booking, everything(booking), NOW);
    expect(estimate).toMatchObject({ amount: sar(0), penalty: sar(10000) });
  });

  test("keeps a child's share if the child is not refundable and rows state it", () => {
    const rules = [rule(), rule({ passengerType: 'CHD', refundable: false })];
    const booking = ticketed({
      travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad', { type: 'CHD' })],
      pricing: {
        total: price(sar(100000)),
        refunds: [],
        fares: [fare('1', 'MED', 'JED', { refundRules: rules }), fare('2', 'JED', 'MED', { refundRules: rules })],
        perType: [row('ADT', 1, sar(60000)), row('CHD', 1, sar(40000))],
      },
    });
    const estimate = estimateRefund(booking, everything(booking), NOW);
    expect(estimate).toMatchObject({ amount: sar(60000 - 34500), penalty: sar(100000 - 25500) });
    expect(estimate.rule).toContain('1 child: not refundable');
    expect(estimate.rule).toContain('1 adult: SAR 172.50 per person and segment, tax included');
    expect(estimate.rule).toContain('The airline keeps SAR 345.00 in all.');
  });

  test('estimates no amount without exactly one rule for each type, and gives the reason', () => {
    const noChild = ticketed({
      travelers: [traveler('1', 'Amal', 'Haddad'), traveler('2', 'Noor', 'Haddad', { type: 'CHD' })],
    });
    const childless = estimateRefund(noChild, everything(noChild), NOW);
    expect(childless.amount).toBeUndefined();
    expect(childless.rule).toContain('No refund rule is in force for 1 child.');
    const none = ticketed({ pricing: { total: price(sar(69000)), refunds: [], fares: [], perType: [] } });
    expect(estimateRefund(none, everything(none), NOW)).toMatchObject({
      rule: 'The airline sent no refund rule.',
      bounds: { atLeast: sar(0), atMost: sar(69000) },
    });
    const doubled = [rule(), rule({ base: sar(1) })];
    const both = ticketed({
      pricing: {
        total: price(sar(69000)),
        refunds: [],
        fares: [fare('1', 'MED', 'JED', { refundRules: doubled }), fare('2', 'JED', 'MED', { refundRules: doubled })],
        perType: [],
      },
    });
    expect(estimateRefund(both, everything(both), NOW)).toMatchObject({ rule: 'The refund rules are unclear.' });
    expect(estimateRefund(both, everything(both), NOW).amount).toBeUndefined();
  });

  test('does not count an earlier cancellation again', () => {
    const booking = partlyCancelled();
    const estimate = estimateRefund(booking, { options: [OUT], travelers: booking.travelers }, NOW);
    // The one row covers both legs, and one of them is cancelled: the rest of the price is unknown.
    expect(estimate.amount).toBeUndefined();
    expect(estimate.lines).toMatchObject([{ segmentRefs: ['1'], penalty: sar(17250) }]);
    expect(estimate.bounds).toEqual({ atLeast: sar(0), atMost: sar(69000 - 34500 - 17250) });
  });

  test('uses the remaining rows after a cancelled passenger', () => {
    const booking = ticketed({
      pricing: {
        total: price(sar(69000)),
        refunds: [{ amount: sar(34500) }],
        fares: [fare('1', 'MED', 'JED'), fare('2', 'JED', 'MED')],
        perType: [row('ADT', 1, sar(69000))],
      },
      orders: [
        { direction: 'PAYMENT', status: 'PAID', amount: sar(138000) },
        { direction: 'REFUND', status: 'PAID', amount: sar(34500) },
      ],
    });
    expect(estimateRefund(booking, everything(booking), NOW).amount).toEqual(sar(69000 - 34500));
  });

  test('assigns rules by the order of the fares for two flights between the same airports', () => {
    const twice = [OUT, option(segment('2', { departs: '2026-12-08T08:00:00.000+03:00' }))];
    const with_ = (...fares: ReturnType<typeof fare>[]) =>
      ticketed({
        options: twice,
        pricing: {
          total: price(sar(69000)),
          refunds: [],
          fares,
          perType: [
            row('ADT', 1, sar(40000), { segmentRefs: ['1'] }),
            row('ADT', 1, sar(29000), { segmentRefs: ['2'] }),
          ],
        },
      });
    const dear = [rule({ base: sar(20000) })];
    const ordered = with_(fare('a', 'MED', 'JED'), fare('b', 'MED', 'JED', { refundRules: dear }));
    const second = twice.slice(1);
    expect(estimateRefund(ordered, { options: second, travelers: ordered.travelers }, NOW).amount).toEqual(sar(6000));
    const pointed = with_(fare('2', 'MED', 'JED', { refundRules: dear }), fare('1', 'MED', 'JED'));
    expect(estimateRefund(pointed, { options: second, travelers: pointed.travelers }, NOW).amount).toEqual(sar(6000));
    const alone = with_(fare('a', 'MED', 'JED'));
    expect(estimateRefund(alone, { options: second, travelers: alone.travelers }, NOW)).toMatchObject({
      lines: [],
      rule: 'The airline does not say which refund rule is for which segment.',
    });
  });

  test('adds refund and penalty up to what was paid, whatever the numbers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (paid, penalty, vat) => {
          const rules = [rule({ base: sar(penalty), vatHundredths: vat })];
          const booking = ticketed({
            pricing: {
              total: price(sar(paid)),
              refunds: [],
              fares: [fare('1', 'MED', 'JED', { refundRules: rules }), fare('2', 'JED', 'MED', { refundRules: rules })],
              perType: [row('ADT', 1, sar(paid))],
            },
          });
          const { amount, penalty: kept } = estimateRefund(booking, everything(booking), NOW);
          expect((amount?.minor ?? Number.NaN) + (kept?.minor ?? Number.NaN)).toBe(paid);
          expect(amount?.minor).toBeGreaterThanOrEqual(0);
          expect(Number.isInteger(amount?.minor)).toBe(true);
        },
      ),
    );
  });
});

describe('rules in force', () => {
  test('treats a rule with an open bound as in force, and one with an unreadable bound never', () => {
    expect(inForce({ ...rule(), from: undefined, until: undefined } as never, NOW)).toBe(true);
    expect(inForce(rule({ from: 'soon' }), NOW)).toBe(false);
  });
});

describe('refund as stated', () => {
  test('reports the new refund entry with its order', () => {
    const booking = partlyCancelled();
    const told = { amount: sar(17250), penalty: sar(15000), vat: sar(2250), orderStatus: 'PAID' };
    expect(statedRefund(booking, 0)).toEqual(told);
    expect(statedRefund(booking, 1)).toBeUndefined();
  });

  test('uses the refund order if the reply has no price', () => {
    const { pricing: _, ...emptied } = partlyCancelled();
    expect(statedRefund({ ...emptied, options: [] }, 0)).toEqual({ amount: sar(17250), orderStatus: 'PAID' });
  });

  test('does not count an earlier refund order again in replies without a price', () => {
    const { pricing: _, ...before } = partlyCancelled();
    const { refundsBefore } = expectCancelledSegments(before, ['1']) as { refundsBefore: number };
    const own = { direction: 'REFUND', status: 'PENDING', amount: sar(5000) };
    const after = { ...before, orders: [...before.orders, own] };
    expect(statedRefund(after, refundsBefore)).toEqual({ amount: sar(5000), orderStatus: 'PENDING' });
  });

  test('does not add refunds in two currencies', () => {
    const refunds = [{ amount: sar(1) }, { amount: { minor: 1, currency: 'EUR' } }];
    expect(statedRefund(held({ pricing: { refunds, fares: [], perType: [] } }), 0)).toBeUndefined();
  });
});
