/** What one person takes of what all share, and what of an account forbids a payment. */
import { expect, test } from 'vitest';
import { assertAccountHolds, personKey, sharedPage } from '../../src/approvals/limits.ts';

const asked = (caller: string, count = 1, tenant = 't') => Array.from({ length: count }, () => ({ tenant, caller }));
const rows = (page: ReturnType<typeof sharedPage>) => page.people.map(({ shown, total }) => [shown.length, total]);

test('a person is the same in every application, and another one in another tenant', () => {
  const keys = ['oauth:ann', 'oauth:ann:desk', 'oauth:ann:phone'].map((caller) => personKey({ tenant: 't', caller }));
  expect(new Set(keys).size).toBe(1);
  expect(personKey({ tenant: 'u', caller: 'oauth:ann' })).not.toBe(keys[0]);
});

test('a page has some questions of each person, or a hundred of one alone', () => {
  expect(sharedPage([], 1)).toEqual({ people: [], later: 0 });
  expect(rows(sharedPage(asked('kim', 300), 1))).toEqual([[100, 300]]);
  expect(rows(sharedPage([...asked('kim', 300), ...asked('ann', 1), ...asked('kim', 1)], 1))).toEqual([
    [5, 301],
    [1, 1],
  ]);
});

test('a hundred people have one question each on the first page, and the next ones are on the second', () => {
  const all = Array.from({ length: 130 }, (_, i) => asked(`p${i}`, 3)).flat();
  const first = sharedPage(all, 1);
  expect([first.people.length, first.later, new Set(rows(first).map(String))]).toEqual([100, 30, new Set(['1,3'])]);
  const second = sharedPage(all, 2);
  expect([second.people.length, second.later, new Set(rows(second).map(String))]).toEqual([30, 0, new Set(['3,3'])]);
});

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
