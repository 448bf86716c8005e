/**
 * Claims in memory, of the ledger and of one call: tries are counted per caller within a time window, and each can be taken back.
 */
import { describe, expect, test } from 'vitest';
import { claimsInCall, claimsWithLedger, memoryClaims, writtenInCall } from '../../src/approvals/claims.ts';
import type { Ledger } from '../../src/domain/booking/booking-ledger.ts';

const ann = { tenant: 't', id: 'ann' };
const bob = { tenant: 't', id: 'bob' };
const limit = (since: number, max = 2) => ({ since, max });

describe('tries', () => {
  test('counts tries of a caller up to the limit, then reports the oldest', async () => {
    const claims = memoryClaims();
    expect(await claims.begin(ann, 10, limit(0))).toMatchObject({ kind: 'counted', id: expect.any(String) });
    expect(await claims.begin(ann, 20, limit(0))).toMatchObject({ kind: 'counted' });
    expect(await claims.begin(ann, 30, limit(0))).toEqual({ kind: 'too_many', oldest: 10 });
    expect(await claims.begin(bob, 30, limit(0))).toMatchObject({ kind: 'counted' });
  });

  test('does not count tries before the window', async () => {
    const claims = memoryClaims();
    await claims.begin(ann, 10, limit(0));
    await claims.begin(ann, 20, limit(0));
    expect(await claims.begin(ann, 30, limit(10))).toMatchObject({ kind: 'counted' });
    expect(await claims.begin(ann, 40, limit(10))).toEqual({ kind: 'too_many', oldest: 20 });
  });

  test('counts a first try even if the limit is zero', async () => {
    // Without an earlier try there is no oldest to report: the limit is at least one.
    expect(await memoryClaims().begin(ann, 10, limit(0, 0))).toMatchObject({ kind: 'counted' });
  });

  test('takes back only the given try of the caller', async () => {
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

  test('does not search the ledger for a claimed booking', async () => {
    const claims = memoryClaims();
    await claims.add(ann, ['ABC123'], 0);
    const { asked, ledger: empty } = ledger(0);
    expect(await claimsWithLedger(claims, empty).has(ann, 'ABC123')).toBe(true);
    expect(asked).toEqual([]);
  });

  test('counts a booking as claimed only if the ledger lists it for the caller', async () => {
    const { asked, ledger: one } = ledger(1);
    expect(await claimsWithLedger(memoryClaims(), one).has(ann, 'ABC123')).toBe(true);
    expect(asked).toEqual([[ann, { locators: ['ABC123'], limit: 1 }]]);
    expect(await claimsWithLedger(memoryClaims(), ledger(0).ledger).has(ann, 'ABC123')).toBe(false);
  });
});

test('asks once in a call for a booking that is theirs, and again for one that is not yet', async () => {
  const written = memoryClaims();
  const asked: string[] = [];
  const claims = claimsInCall({
    ...written,
    has: (caller, locator) => {
      asked.push(locator);
      return written.has(caller, locator);
    },
  });
  expect(await claims.has(ann, 'ABC123')).toBe(false);
  await claims.add(ann, ['ABC123'], 0);
  expect([await claims.has(ann, 'ABC123'), await claims.has(ann, 'ABC123')]).toEqual([true, true]);
  expect(asked).toEqual(['ABC123', 'ABC123']);
});

test('writes in a call only claims that it has not seen written', async () => {
  const stored = memoryClaims();
  await stored.add(ann, ['ABC123'], 0);
  const written: (readonly string[])[] = [];
  const claims = writtenInCall({
    ...stored,
    add: async (caller, locators, now) => {
      written.push(locators);
      await stored.add(caller, locators, now);
    },
  });
  expect(await claims.has(ann, 'ABC123')).toBe(true);
  expect(await claims.has(ann, 'DEF456')).toBe(false);
  await claims.add(ann, ['ABC123'], 1);
  await claims.add(ann, ['ABC123', 'DEF456'], 1);
  expect(written).toEqual([['DEF456']]);
  expect(await claims.has(ann, 'DEF456')).toBe(true);
});
