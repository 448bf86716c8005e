/**
 * Claims in memory: tries are counted per caller within a window, and can be taken back one by one.
 */
import { describe, expect, test } from 'vitest';
import { claimsWithLedger, memoryClaims } from '../../src/approvals/claims.ts';
import type { Ledger } from '../../src/domain/booking/booking-ledger.ts';

const ann = { tenant: 't', id: 'ann' };
const bob = { tenant: 't', id: 'bob' };
const limit = (since: number, max = 2) => ({ since, max });

describe('tries', () => {
  test('are counted from the first, up to the most, and give the oldest', async () => {
    const claims = memoryClaims();
    expect(await claims.begin(ann, 10, limit(0))).toMatchObject({ kind: 'counted', id: expect.any(String) });
    expect(await claims.begin(ann, 20, limit(0))).toMatchObject({ kind: 'counted' });
    expect(await claims.begin(ann, 30, limit(0))).toEqual({ kind: 'too_many', oldest: 10 });
    expect(await claims.begin(bob, 30, limit(0))).toMatchObject({ kind: 'counted' });
  });

  test('of before the window do not count', async () => {
    const claims = memoryClaims();
    await claims.begin(ann, 10, limit(0));
    await claims.begin(ann, 20, limit(0));
    expect(await claims.begin(ann, 30, limit(10))).toMatchObject({ kind: 'counted' });
    expect(await claims.begin(ann, 40, limit(10))).toEqual({ kind: 'too_many', oldest: 20 });
  });

  test('none are allowed where the most is none', async () => {
    // There is no oldest to tell: the limit is at least one.
    expect(await memoryClaims().begin(ann, 10, limit(0, 0))).toMatchObject({ kind: 'counted' });
  });

  test('taken back, only that one is free again', async () => {
    const claims = memoryClaims();
    const first = await claims.begin(ann, 10, limit(0));
    await claims.begin(ann, 20, limit(0));
    if (first.kind !== 'counted') throw new Error('not counted');
    await claims.forget(bob, first.id);
    await claims.forget(ann, 'another');
    expect(await claims.begin(ann, 30, limit(0))).toMatchObject({ kind: 'too_many' });
    await claims.forget(ann, first.id);
    expect(await claims.begin(ann, 40, limit(0))).toMatchObject({ kind: 'counted' });
    expect(await claims.begin(ann, 50, limit(0))).toEqual({ kind: 'too_many', oldest: 20 });
  });
});

describe('with the ledger', () => {
  const ledger = (total: number) => {
    const asked: unknown[] = [];
    const find: Ledger['find'] = async (caller, query) => {
      asked.push([caller, query]);
      return { entries: [], total };
    };
    return { asked, ledger: { find } as Ledger };
  };

  test('a claim needs no look at it', async () => {
    const claims = memoryClaims();
    await claims.add(ann, ['ABC123'], 0);
    const { asked, ledger: empty } = ledger(0);
    expect(await claimsWithLedger(claims, empty).has(ann, 'ABC123')).toBe(true);
    expect(asked).toEqual([]);
  });

  test('what the caller read before is claimed; what is not there is not', async () => {
    const { asked, ledger: one } = ledger(1);
    expect(await claimsWithLedger(memoryClaims(), one).has(ann, 'ABC123')).toBe(true);
    expect(asked).toEqual([[ann, { locators: ['ABC123'], limit: 1 }]]);
    expect(await claimsWithLedger(memoryClaims(), ledger(0).ledger).has(ann, 'ABC123')).toBe(false);
  });
});
