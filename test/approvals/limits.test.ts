import { describe, expect, test } from 'vitest';
import { assertWithinLimits, dayExceeded, dayLimit, isAbove } from '../../src/approvals/limits.ts';
import type { MoneyAtStake } from '../../src/approvals/terms.ts';
import type { Money } from '../../src/domain/pricing/money.ts';

const sar = (minor: number) => ({ minor, currency: 'SAR' });
const paying = (amount: Money): MoneyAtStake => ({ direction: 'payment', amount });

describe('limits', () => {
  test('accepts any action without a limit, without money or with a zero amount', () => {
    assertWithinLimits({}, paying(sar(1_000_000)));
    assertWithinLimits({ perAction: sar(100) }, undefined);
    assertWithinLimits({ perAction: sar(100) }, paying({ minor: 0, currency: 'EUR' }));
  });

  test('accepts an amount at the limit, and refuses one minor unit more', () => {
    assertWithinLimits({ perAction: sar(10_000) }, paying(sar(10_000)));
    expect(() => assertWithinLimits({ perAction: sar(10_000) }, paying(sar(10_001)))).toThrow(
      'SAR 100.01 is SAR 0.01 over the limit of SAR 100.00 for an action. Nothing was sent.',
    );
    expect(() => assertWithinLimits({ perDay: sar(10_000) }, paying(sar(10_001)))).toThrow(/a caller's day/);
  });

  test('says that the whole price counts if the refund or cost is unknown', () => {
    const counted = (direction: 'refund' | 'payment') => () =>
      assertWithinLimits({ perAction: sar(60_000) }, { direction, amount: sar(66_400), whole: true });
    expect(counted('refund')).toThrow(
      'SAR 664.00 is SAR 64.00 over the limit of SAR 600.00 for an action: the most that can move counts, because the refund is not known. Nothing was sent.',
    );
    expect(counted('payment')).toThrow(/the most that can move counts, because the cost is not known/);
  });

  test('refuses an amount in another currency than the limit', () => {
    expect(() => assertWithinLimits({ perDay: sar(10_000) }, paying({ minor: 1, currency: 'EUR' }))).toThrow(
      /limit in SAR/,
    );
  });

  test('refuses an unknown amount if there is a limit', () => {
    assertWithinLimits({}, { direction: 'refund' });
    for (const limits of [{ perAction: sar(10_000) }, { perDay: sar(10_000) }]) {
      expect(() => assertWithinLimits(limits, { direction: 'refund' })).toThrow(/unknown.*Nothing was sent/);
    }
  });

  test('counts a higher amount, another currency or an unknown amount as above the mark', () => {
    expect(isAbove(paying(sar(100)), sar(100))).toBe(false);
    expect(isAbove(paying(sar(101)), sar(100))).toBe(true);
    expect(isAbove(paying({ minor: 1, currency: 'EUR' }), sar(100))).toBe(true);
    expect(isAbove({ direction: 'refund' }, sar(100))).toBe(true);
    expect(isAbove({ direction: 'refund' }, undefined)).toBe(false);
    expect(isAbove(undefined, sar(100))).toBe(false);
  });

  test('counts the last 24 hours for the daily limit', () => {
    expect(dayLimit({ perDay: sar(5) }, 100_000_000)).toEqual({ perDay: sar(5), since: 13_600_000 });
    expect(dayLimit({ perAction: sar(5) }, 1)).toBeUndefined();
    const error = dayExceeded({ perDay: sar(10_000), since: 0 }, sar(9_000), sar(2_000));
    expect(error.code).toBe('E_LIMIT');
    expect(error.message).toContain('SAR 10.00 over the limit of SAR 100.00');
  });
});
