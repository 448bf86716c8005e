/** What of an account forbids a payment that was granted. */
import { expect, test } from 'vitest';
import { assertAccountHolds } from '../../src/approvals/recheck-and-send.ts';

test('an account that was as it is, or could not be read, forbids nothing; one with a new fault is named with both values', () => {
  const name = 'desk';
  const listed = (minor: number | undefined, isShort = false, isActive = true) => ({
    name,
    listed: { available: minor === undefined ? undefined : { minor, currency: 'SAR' }, isActive, isShort },
  });
  const unknown = { name, isUnknown: true } as const;
  const [enough, little, shut, unsaid] = [
    listed(9000),
    listed(100, true),
    listed(9000, false, false),
    listed(undefined),
  ];
  for (const [asked, now] of [
    [undefined, undefined],
    [enough, undefined],
    [undefined, enough],
    [enough, listed(8000)],
    [enough, unknown],
    [enough, unsaid],
    [little, listed(50, true)],
    [little, enough],
    [{ name }, { name }],
    [shut, shut],
  ]) {
    expect(() => assertAccountHolds(asked, now)).not.toThrow();
  }
  const words = (asked: Parameters<typeof assertAccountHolds>[0], now: typeof asked) => {
    try {
      assertAccountHolds(asked, now);
    } catch (error) {
      return /When .*?(?= Nothing)/.exec(String(error))?.[0];
    }
    return undefined;
  };
  expect(words(enough, little)).toBe(
    'When the person was asked: SAR 90.00 available. Now: SAR 1.00 available, less than the payment.',
  );
  expect(words(undefined, { name })).toBe(
    'When the person was asked: what the airline says of it was not known. Now: the airline lists no such account.',
  );
  expect(words(unknown, little)).toMatch(
    /^When the person was asked: what the airline says of it was not known\. Now: SAR 1\.00/,
  );
  expect(words({ name }, shut)).toBe(
    'When the person was asked: the airline lists no such account. Now: SAR 90.00 available, not active.',
  );
  expect(words(unsaid, shut)).toMatch(/^When the person was asked: what is available is not said\./);
  expect(words(little, listed(50, true, false))).toContain(
    'Now: SAR 0.50 available, less than the payment, not active.',
  );
});
