import { describe, expect, test } from 'vitest';
import { assertWithinLimits, dayExceeded, dayLimit } from '../../src/guard/limits.ts';

const sar = (minor: number) => ({ minor, currency: 'SAR' });

describe('limits', () => {
  test('none set, no amount, or nothing moved: nothing said', () => {
    assertWithinLimits({}, sar(1_000_000));
    assertWithinLimits({ perAction: sar(100) }, undefined);
    assertWithinLimits({ perAction: sar(100) }, { minor: 0, currency: 'EUR' });
  });

  test('at the limit passes, one minor unit over is refused and says by how much', () => {
    assertWithinLimits({ perAction: sar(10_000) }, sar(10_000));
    expect(() => assertWithinLimits({ perAction: sar(10_000) }, sar(10_001))).toThrow(
      'SAR 100.01 is SAR 0.01 over the limit of SAR 100.00 for an action. Nothing was sent.',
    );
    expect(() => assertWithinLimits({ perDay: sar(10_000) }, sar(10_001))).toThrow(/a caller's day/);
  });

  test('another currency cannot be held against the limit', () => {
    expect(() => assertWithinLimits({ perDay: sar(10_000) }, { minor: 1, currency: 'EUR' })).toThrow(/limit in SAR/);
  });

  test('the day is the last 24 hours', () => {
    expect(dayLimit({ perDay: sar(5) }, 100_000_000)).toEqual({ perDay: sar(5), since: 13_600_000 });
    expect(dayLimit({ perAction: sar(5) }, 1)).toBeUndefined();
    const error = dayExceeded({ perDay: sar(10_000), since: 0 }, sar(9_000), sar(2_000));
    expect(error.code).toBe('E_LIMIT');
    expect(error.message).toContain('SAR 10.00 over the limit of SAR 100.00');
  });
});
