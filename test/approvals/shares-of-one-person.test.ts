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

test('a page has some questions of each person, first of who has few, or a hundred of one alone', () => {
  expect(sharedPage([])).toEqual({ people: [], later: 0 });
  expect(rows(sharedPage(asked('kim', 300)))).toEqual([[100, 300]]);
  expect(rows(sharedPage([...asked('kim', 300), ...asked('ann', 1), ...asked('kim', 1)]))).toEqual([
    [1, 1],
    [50, 301],
  ]);
});

test('a hundred people have one question each, and the next ones come later', () => {
  const page = sharedPage(Array.from({ length: 130 }, (_, i) => asked(`p${i}`, 3)).flat());
  expect([page.people.length, page.later, new Set(rows(page).map(String))]).toEqual([100, 30, new Set(['1,3'])]);
});
