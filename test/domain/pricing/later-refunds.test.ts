import { describe, expect, test } from 'vitest';
import { estimateRefund } from '../../../src/domain/pricing/estimate-refund.ts';
import { laterRefunds, MOST_WINDOWS, nothingBack } from '../../../src/domain/pricing/later-refunds.ts';
import { fare, NOW, OUT, type PenaltyRule, price, row, rule, sar, ticketed } from '../../support/bookings.ts';

const LIMIT = '2026-12-01T02:00:00Z';

/** One adult, one way at 345.00. */
const oneWay = (refundRules: readonly PenaltyRule[], cancelUntil = LIMIT) =>
  ticketed({
    options: [OUT],
    pricing: {
      total: price(sar(34500)),
      refunds: [],
      fares: [fare('1', 'MED', 'JED', { refundRules, cancelUntil })],
      perType: [row('ADT', 1, sar(34500), { segmentRefs: ['1'] })],
    },
  });

const later = (refundRules: readonly PenaltyRule[], cancelUntil?: string) => {
  const booking = oneWay(refundRules, cancelUntil);
  const given = { options: booking.options, travelers: booking.travelers };
  return { ...laterRefunds(booking, given, NOW), booking, given };
};

const sums = ({ windows }: ReturnType<typeof later>) => windows.map(({ from, amount }) => [from, amount?.minor]);

describe('the refunds of later windows', () => {
  test('follow each other without a gap, and end at the time limit for cancelling', () => {
    const found = later([
      rule({ base: sar(1000), until: '2026-11-29T10:00:00Z' }),
      rule({ base: sar(2000), from: '2026-11-29T10:00:00Z', until: '2026-11-30T10:00:00Z' }),
      rule({ base: sar(3000), from: '2026-11-30T10:00:00Z', until: '2026-12-05T10:00:00Z' }),
    ]);
    expect(sums(found)).toEqual([
      ['2026-11-29T10:00:00Z', 32200],
      ['2026-11-30T10:00:00Z', 31050],
      [LIMIT, 0],
    ]);
    expect(found.windows.map(({ until }) => until)).toEqual(['2026-11-30T10:00:00Z', LIMIT, undefined]);
    expect(found.windows.map(({ closed }) => closed)).toEqual([undefined, undefined, true]);
    expect(found.more).toBe(false);
  });

  test('are the estimates of those moments', () => {
    const { windows, booking, given } = later([
      rule({ base: sar(1000), until: '2026-11-29T10:00:00Z' }),
      rule({ refundable: false, base: sar(0), from: '2026-11-29T10:00:00Z', until: '2026-12-05T10:00:00Z' }),
    ]);
    const [first] = windows;
    const then = estimateRefund(booking, given, Date.parse(first?.from ?? ''));
    expect([first?.amount, first?.penalty]).toEqual([then.amount, then.penalty]);
    expect(estimateRefund(booking, given, NOW).until).toBe(first?.from);
  });

  test('show a time without a rule, and the rule that returns after it', () => {
    const found = later([
      rule({ base: sar(1000), until: '2026-11-29T10:00:00Z' }),
      rule({ base: sar(1000), from: '2026-11-29T12:00:00Z', until: '2026-12-05T10:00:00Z' }),
    ]);
    expect(sums(found)).toEqual([
      ['2026-11-29T10:00:00Z', undefined],
      ['2026-11-29T12:00:00Z', 33350],
      [LIMIT, 0],
    ]);
    const { next } = estimateRefund(found.booking, found.given, NOW);
    expect(next).toMatchObject({ at: '2026-11-29T12:00:00Z', amount: sar(33350) });
  });

  test('ignore rules that say the same, and end at a time limit after the departure', () => {
    const same = [
      rule({ base: sar(1000), until: '2026-11-29T10:00:00Z' }),
      rule({ base: sar(1000), from: '2026-11-29T10:00:00Z', until: '2027-11-29T10:00:00Z' }),
    ];
    expect(sums(later(same))).toEqual([[LIMIT, 0]]);
    expect(sums(later(same, '2027-06-01T00:00:00Z'))).toEqual([['2027-06-01T00:00:00Z', 0]]);
  });

  test('do not end while a rule for all passenger types pays, after the last one for the own type', () => {
    const { windows, ends, booking, given } = later(
      [
        rule({ base: sar(1000), until: '2026-11-30T05:00:00Z' }),
        rule({ base: sar(2000), passengerType: '', from: '2026-11-30T05:00:00Z', until: '2027-11-29T00:00:00Z' }),
        rule({ passengerType: 'CNN', until: '2027-12-24T00:00:00Z' }),
      ],
      '2027-12-31T00:00:00Z',
    );
    expect(ends).toBe('2027-11-29T00:00:00Z');
    expect(windows.map(({ amount }) => amount)).toEqual([sar(32200), sar(0)]);
    expect(estimateRefund(booking, given, Date.parse('2026-12-05T00:00:00Z')).amount).toEqual(sar(32200));
  });

  test('are none after the time limit, and at most so many', () => {
    expect(later([rule()], '2026-11-28T00:00:00Z').windows).toEqual([]);
    const at = (i: number) => new Date(NOW + i * 60_000).toISOString();
    const many = (count: number) =>
      later(Array.from({ length: count }, (_, i) => rule({ base: sar(100 + i), from: at(i), until: at(i + 1) })));
    expect(many(500)).toMatchObject({ more: true });
    expect(many(500).windows).toHaveLength(MOST_WINDOWS);
    // The rules that follow, a time without a rule, and the time limit.
    expect(many(MOST_WINDOWS - 1)).toMatchObject({ more: false });
    expect(many(MOST_WINDOWS - 1).windows).toHaveLength(MOST_WINDOWS);
  });

  test('keep everything after the time limit', () => {
    const { booking, given } = later([rule()]);
    expect(nothingBack(booking, given)).toEqual({ amount: sar(0), penalty: sar(34500) });
    const { pricing: _, ...unpriced } = booking;
    expect(nothingBack({ ...unpriced, orders: [] }, given)).toEqual({});
  });
});
