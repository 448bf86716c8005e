import { describe, expect, test } from 'vitest';
import { boundOf } from '../../../src/approvals/plans/bound.ts';
import { at, known } from '../../../src/approvals/plans/parts.ts';
import { whyNot } from '../../../src/approvals/plans/propose.ts';
import { sumLines, wordsOfYes } from '../../../src/approvals/plans/question.ts';
import { stakeOf, sumsOf } from '../../../src/approvals/plans/sums.ts';
import { payTerms } from '../harness.ts';
import { SAR } from './plan-harness.ts';

const EUR = (minor: number) => ({ minor, currency: 'EUR' });
const pays = (amount = SAR(100)) => ({ money: { direction: 'payment' as const, amount } });
const returns = (amount = SAR(100), back?: number) => ({
  money: { direction: 'refund' as const, amount },
  ...(back !== undefined && { estimate: { amount: SAR(back) } }),
});

describe('the sums of a plan', () => {
  test('are one for each currency, and a least where an amount is not known', () => {
    expect(sumsOf([])).toEqual([]);
    expect(sumsOf([{}, { money: { direction: 'payment' } }])).toEqual([]);
    expect(sumsOf([pays(), pays(EUR(5)), returns(SAR(100), 40)])).toEqual([
      { paid: SAR(100), comesBack: SAR(40) },
      { paid: EUR(5), comesBack: EUR(0) },
    ]);
    expect(sumsOf([returns()])).toEqual([{ paid: SAR(0), comesBack: SAR(0), atLeast: true }]);
    const bounds = { atLeast: SAR(10), atMost: SAR(90) };
    expect(sumsOf([returns(SAR(100), 40), { ...returns(), estimate: { bounds } }])).toEqual([
      { paid: SAR(0), comesBack: SAR(50), comesBackAtMost: SAR(130) },
    ]);
    const unknown = { money: { direction: 'payment' as const } };
    expect(sumsOf([pays(), unknown, { money: { direction: 'refund' } }])).toEqual([
      { paid: SAR(100), comesBack: SAR(0), paidUnknown: true, atLeast: true },
    ]);
    expect(sumLines([pays(), unknown])).toEqual(['Paid in all: SAR 1.00, and an amount that is not known.']);
    expect(sumLines([returns(), unknown])[0]).toBe('Paid in all: SAR 0.00, and an amount that is not known.');
    expect(sumLines([{ money: { direction: 'payment', amount: SAR(100), whole: true } }])).toEqual([
      'Paid in all: at most SAR 1.00.',
    ]);
    expect(sumLines([returns(SAR(100), 40), { ...returns(), estimate: { bounds } }])).toEqual([
      'Comes back, estimated: SAR 0.50 to SAR 1.30.',
    ]);
    expect(sumLines([returns()])).toEqual(['What comes back is not known.']);
    expect(sumLines([pays()])).toEqual(['Paid in all: SAR 1.00.']);
    expect(sumLines([returns(SAR(100), 40), { money: { direction: 'refund' } }])).toEqual([
      'Comes back, estimated: at least SAR 0.40.',
    ]);
  });

  test('count payments and refunds alike for limits, and are unknown where one amount is', () => {
    expect(stakeOf([{}])).toBeUndefined();
    expect(stakeOf([returns(), pays()])).toEqual({ direction: 'payment', amount: SAR(200) });
    expect(stakeOf([returns()])).toEqual({ direction: 'refund', amount: SAR(100) });
    expect(stakeOf([pays(), { money: { direction: 'refund' } }])).toEqual({ direction: 'payment' });
    expect(stakeOf([pays(), pays(EUR(1))])).toEqual({ direction: 'payment' });
    const whole = { money: { direction: 'refund' as const, amount: SAR(100), whole: true as const } };
    expect(stakeOf([whole])).toEqual({ direction: 'refund', amount: SAR(100), whole: true });
    expect(stakeOf([{ money: { direction: 'refund' } }])).toEqual({ direction: 'refund' });
  });

  test('stand in the words of the yes', () => {
    const line = (...terms: Parameters<typeof sumsOf>[0]) => ({ line: 1, terms: terms as never });
    expect(wordsOfYes([line()])).toBe('Carry out this line');
    expect(wordsOfYes([line(pays()), line(returns(SAR(100), 40))])).toBe(
      'Carry out these 2 lines: SAR 1.00 is paid; about SAR 0.40 comes back',
    );
    expect(wordsOfYes([line({ money: { direction: 'payment', amount: SAR(100), whole: true } })])).toBe(
      'Carry out this line: at most SAR 1.00 is paid; nothing comes back',
    );
  });
});

test('a place that a plan does not have is a mistake of this program', () => {
  expect(() => at([], 0)).toThrow('there is no such place in the plan');
  expect(() => known(undefined, 'store')).toThrow('there is no store');
  expect(at(['a'], 0)).toBe('a');
});

test('a mistake of this program is no reason to leave a line out', () => {
  expect(() => whyNot(new TypeError('a mistake'))).toThrow('a mistake');
});

test('terms without a booking bind their act and money', () => {
  const { locator: _, ...terms } = payTerms();
  expect(boundOf(terms)).toEqual({ act: 'Pay SAR 172.50', nature: 'payment', money: terms.money, facts: undefined });
});
