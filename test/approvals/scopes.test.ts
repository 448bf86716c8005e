import { expect, test } from 'vitest';
import { SCOPES, scopeOf, scopesOf } from '../../src/approvals/scopes.ts';

const NAMES: Record<string, string> = {
  'air:pay': 'pay_booking rebook_segment brand_new constructor',
  'air:refund': 'cancel_segment cancel_passenger cancel_booking',
  'air:names': 'change_names update_contact update_passenger',
  'air:book': 'assign_seats split_booking',
};
const COMMITS = Object.entries(NAMES).flatMap(([scope, names]) => names.split(' ').map((name) => ({ scope, name })));

test('assigns a scope to each tool, and air:pay to one that is not listed', () => {
  expect(COMMITS.map(({ name }) => scopeOf({ name, effect: 'commit' }))).toEqual(COMMITS.map(({ scope }) => scope));
  expect(scopeOf({ name: 'pay_booking', effect: 'read' })).toBe('air:read');
  expect(scopeOf({ name: 'create_booking', effect: 'hold' })).toBe('air:book');
});

test('lists the scopes in a fixed order', () => {
  const tools = COMMITS.map(({ name }) => ({ name, effect: 'commit' as const }));
  expect(scopesOf([...tools, { name: 'read_booking', effect: 'read' }])).toEqual(SCOPES);
  expect(scopesOf([])).toEqual([]);
});
