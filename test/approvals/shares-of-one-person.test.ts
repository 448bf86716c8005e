/** What one person takes of what all share. */
import { expect, test } from 'vitest';
import { personKey, sharedPage } from '../../src/approvals/shares-of-one-person.ts';

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
