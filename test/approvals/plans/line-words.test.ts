import { describe, expect, test } from 'vitest';
import {
  finalLines,
  lineCount,
  lineMoney,
  lineOfPlan,
  moneyWords,
  movedWords,
  rangeWords,
  sumWords,
  totalsMoved,
} from '../../../src/approvals/plans/line-words.ts';
import { releaseOf, releaseWords } from '../../../src/approvals/plans/release-words.ts';
import { lineView, moveLine } from '../../server/approval-page/support/plan-on-page.ts';
import { sar } from '../../support/bookings.ts';

describe('what a step moved, in words', () => {
  test('says what was paid and came back, or that the airline did not state it', () => {
    expect(movedWords({})).toBeUndefined();
    expect(movedWords({ moved: {} })).toBeUndefined();
    expect(movedWords({ moved: { paid: sar(100) } })).toBe('SAR 1.00 was paid');
    expect(movedWords({ moved: { paid: sar(100), refunded: sar(50) } })).toBe('SAR 1.00 was paid, SAR 0.50 came back');
    expect(movedWords({ moved: { unstated: 'charge' } })).toBe('the airline did not state what it charged');
    expect(movedWords({ moved: { unstated: 'refund' } })).toBe('the airline did not state what came back');
  });

  test('adds up what was paid and came back in each currency', () => {
    const lines = [{ steps: [{ moved: { paid: sar(100) } }, { moved: { refunded: sar(30) } }, {}] }] as never;
    expect(totalsMoved({ state: 'running', lines })).toEqual(['So far SAR 1.00 was paid, and SAR 0.30 came back.']);
    expect(totalsMoved({ state: 'stopped', lines })).toEqual(['In all SAR 1.00 was paid, and SAR 0.30 came back.']);
  });
});

describe('what a step moves, in words', () => {
  test('says what is paid, and where it is a limit or not known', () => {
    expect(moneyWords({})).toBeUndefined();
    expect(moneyWords({ money: { direction: 'payment', amount: sar(100) } })).toBe('pays SAR 1.00');
    expect(moneyWords({ money: { direction: 'payment', amount: sar(100), whole: true } })).toBe(
      'pays at most SAR 1.00',
    );
    expect(moneyWords({ money: { direction: 'payment' } })).toBe('pays what is not known yet');
    expect(lineMoney(lineView(1))).toEqual(['about SAR 86.25 comes back']);
    const done = lineView(1).steps.map((step) => ({ ...step, state: 'done' as const }));
    expect(lineMoney({ steps: done })).toEqual(['about SAR 86.25 comes back']);
    const free = lineView(1).steps.map(({ money: _, ...step }) => step);
    expect(lineMoney({ steps: free })).toEqual([]);
  });

  test('says what comes back: the estimate, its bounds, the most, or that it is not known', () => {
    const money = { direction: 'refund' as const, amount: sar(100), whole: true as const };
    expect(moneyWords({ money, estimate: { amount: sar(50) } })).toBe('about SAR 0.50 comes back');
    expect(moneyWords({ money, estimate: { amount: sar(0) } })).toBe('nothing comes back');
    expect(moneyWords({ money, estimate: { bounds: { atLeast: sar(10), atMost: sar(90) } } })).toBe(
      'between SAR 0.10 and SAR 0.90 comes back',
    );
    const bounds = { atLeast: sar(0), atMost: sar(90) };
    expect(moneyWords({ money, estimate: { bounds, rule: 'The airline sent words only.' } as never })).toBe(
      'the airline sent words only; between SAR 0.00 and SAR 0.90 comes back',
    );
    expect(moneyWords({ money, estimate: {} })).toBe('what comes back is not known');
    expect(moneyWords({ money: { direction: 'refund' } })).toBe('what comes back is not known');
  });

  test('adds up a plan, and says where an amount is missing from the sum', () => {
    expect(sumWords({ paid: sar(0), comesBack: sar(100) })).toBe('nothing is paid; about SAR 1.00 comes back');
    expect(sumWords({ paid: sar(100), comesBack: sar(0) })).toBe('SAR 1.00 is paid; nothing comes back');
    expect(sumWords({ paid: sar(100), comesBack: sar(0), atLeast: true })).toBe(
      'SAR 1.00 is paid; what comes back is not known yet',
    );
    expect(sumWords({ paid: sar(0), comesBack: sar(0), comesBackAtMost: sar(100), atLeast: true })).toBe(
      'nothing is paid; between SAR 0.00 and SAR 1.00 comes back, and an amount that is not known yet',
    );
    expect(sumWords({ paid: sar(0), comesBack: sar(100), paidUnknown: true })).toBe(
      'what is paid is not known yet; about SAR 1.00 comes back',
    );
    expect(sumWords({ paid: sar(100), comesBack: sar(0), paidUnknown: true, paidAtMost: true })).toBe(
      'at most SAR 1.00, and an amount that is not known yet, is paid; nothing comes back',
    );
    expect(sumWords({ paid: sar(0), comesBack: sar(100), atLeast: true })).toBe(
      'nothing is paid; about SAR 1.00 comes back, and an amount that is not known yet',
    );
  });
});

describe('lines in words', () => {
  test('joins neighbours to a range, and counts', () => {
    expect(rangeWords([])).toBe('');
    expect(rangeWords([1, 2, 3, 5, 7, 8])).toBe('1-3, 5, 7-8');
    expect([lineCount(1), lineCount(2)]).toEqual(['1 line', '2 lines']);
  });

  test('names the lines that nothing takes back', () => {
    const steps = lineView(2).steps.map((step) => ({ ...step, nature: 'payment' as const }));
    expect(finalLines({ lines: [lineView(1), lineView(2, { steps })] })).toEqual([1]);
  });
});

test('a line whose payment may fail says that its hold is released, unless only its rest is asked', () => {
  const pay = { tool: 'pay_booking', args: {} };
  const lines = [
    { title: '1', steps: [pay] },
    { title: '2', steps: [pay, { ...pay, insteadOf: 0 }] },
  ];
  const releases = releaseWords(lines);
  expect(releaseOf(moveLine(1), releases)).toEqual([]);
  expect(releaseOf(moveLine(2), releases)).toHaveLength(1);
  expect(releaseOf(lineView(2), releases)).toEqual([]);
});

test('a step that is asked by itself names its line and plan', () => {
  const part = { plan: 'pl_1', question: 'q', line: 3, step: 2 };
  expect(lineOfPlan({ part })).toBe('Line 3 of plan pl_1');
  expect(lineOfPlan({ part: { ...part, line: 0 } })).toBeUndefined();
  expect(lineOfPlan({})).toBeUndefined();
});
