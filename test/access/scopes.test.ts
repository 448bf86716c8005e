import { expect, test } from 'vitest';
import { requiredScope, requiredScopes, SCOPES } from '../../src/access/scopes.ts';
import { CATALOG } from '../../src/tools/index.ts';

const NAMES: Record<string, string> = {
  'air:pay': 'pay_booking rebook_segment run_plan',
  'air:refund': 'cancel_segment cancel_passenger cancel_booking',
  'air:names': 'change_names update_contact update_passenger',
  'air:book': 'create_booking assign_seats split_booking request_service close_findings send_tickets',
};

test('assigns a scope to each tool, and air:pay to one that is no act', () => {
  const changing = CATALOG.filter(({ effect }) => effect !== 'read').map((tool) => [tool.name, requiredScope(tool)]);
  const expected = Object.entries(NAMES).flatMap(([scope, names]) => names.split(' ').map((name) => [name, scope]));
  expect(changing.sort()).toEqual(expected.sort());
  expect(CATALOG.filter(({ effect }) => effect === 'read').map(requiredScope)).toContain('air:read');
  expect(requiredScope({ effect: 'commit' })).toBe('air:pay');
});

test('lists the scopes in a fixed order', () => {
  expect(requiredScopes(CATALOG)).toEqual(SCOPES);
  expect(requiredScopes([])).toEqual([]);
});
