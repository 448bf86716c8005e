import { describe, expect, it } from 'vitest';
import { SCOPES, scopeOf, scopesOf } from '../../src/approvals/scopes.ts';
import { CATALOG } from '../../src/tools/index.ts';

const of = (name: string) => CATALOG.filter((tool) => tool.name === name).map(scopeOf)[0];

describe('scopes', () => {
  it('assigns a scope to each tool of the catalog', () => {
    expect(Object.fromEntries(CATALOG.map((tool) => [tool.name, scopeOf(tool)]))).toMatchObject({
      search_fares: 'air:read',
      read_booking: 'air:read',
      list_bookings: 'air:read',
      create_booking: 'air:book',
      pay_booking: 'air:pay',
      cancel_segment: 'air:refund',
      cancel_passenger: 'air:refund',
      cancel_booking: 'air:refund',
      change_names: 'air:names',
    });
    expect(of('pay_booking')).toBe('air:pay');
  });

  it('requires air:read for reading tools only', () => {
    for (const tool of CATALOG) expect(scopeOf(tool) === 'air:read').toBe(tool.effect === 'read');
  });

  it('requires air:pay for an unlisted commit tool', () => {
    expect(scopeOf({ name: 'brand_new', effect: 'commit' })).toBe('air:pay');
    expect(scopeOf({ name: 'constructor', effect: 'commit' })).toBe('air:pay');
    expect(scopeOf({ name: 'pay_booking', effect: 'read' })).toBe('air:read');
  });

  it('lists the scopes in a fixed order', () => {
    expect(scopesOf(CATALOG)).toEqual(SCOPES);
    expect(scopesOf(CATALOG.filter(({ effect }) => effect === 'read'))).toEqual(['air:read']);
    expect(scopesOf([])).toEqual([]);
  });
});
