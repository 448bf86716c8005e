/** Claims in memory, of the ledger and of the journal. */
import { expect, test, vi } from 'vitest';
import { claimsWithJournal, claimsWithLedger, memoryClaims } from '../../src/access/booking-access.ts';
import { Harness } from '../journal/harness.ts';
import { newOperation } from '../store/support/new-operation.ts';

const ann = { tenant: 't', id: 'ann' };
const bob = { tenant: 't', id: 'bob' };

test('keeps claims apart for callers whose joined names are equal, and forgets no try that was not made', async () => {
  const claims = memoryClaims();
  await claims.takeBackTry(ann, 'none');
  await claims.add({ tenant: 'a', id: 'b"c' }, ['X'], 0);
  expect(await claims.has({ tenant: 'a"b', id: 'c' }, 'X')).toBe(false);
  expect(await claims.has({ tenant: 'a', id: 'b"c' }, 'X')).toBe(true);
});

test('counts a booking as claimed if the ledger lists it for the caller, and asks it for no other', async () => {
  const claims = memoryClaims();
  await claims.add(ann, ['ABC123'], 0);
  const find = vi.fn(async () => ({ entries: [], total: 1 }));
  const both = claimsWithLedger(claims, { find });
  expect(await both.has(ann, 'ABC123')).toBe(true);
  expect(find).not.toHaveBeenCalled();
  expect(await both.has(ann, 'XYZ789')).toBe(true);
  expect(find).toHaveBeenCalledWith(ann, { locators: ['XYZ789'], limit: 1 });
  find.mockResolvedValue({ entries: [], total: 0 });
  expect(await both.has(ann, 'XYZ789')).toBe(false);
});

test('counts a booking as claimed if the journal shows that the caller made it', async () => {
  const { store, move } = await Harness.open().then((h) => ({ store: h.store, move: h.move.bind(h) }));
  const claims = memoryClaims();
  const both = claimsWithJournal(claims, store);
  const enter = async (id: string, to: 'succeeded' | 'refused', patch: object, over = {}) => {
    const { locator: _, ...unplaced } = newOperation(id, { caller: 'ann', tool: 'create_booking', ...over });
    await store.insert(unplaced, { now: 1, owner: 'p', leaseUntil: 2 });
    await move('intent', to, patch, id);
  };
  await enter('a', 'succeeded', { locator: 'XYZ789' });
  await enter('b', 'refused', { locator: 'FAILED' });
  await enter('c', 'succeeded', { outcome: { newLocator: 'SPLIT9' } });
  await both.add(ann, ['WRITTEN'], 1);
  const has = (caller: typeof ann, ...locators: string[]) => Promise.all(locators.map((one) => both.has(caller, one)));
  expect(await has(ann, 'WRITTEN', 'XYZ789', 'SPLIT9', 'FAILED', 'OTHER1')).toEqual([true, true, true, false, false]);
  expect(await has(bob, 'WRITTEN', 'XYZ789', 'SPLIT9')).toEqual([false, false, false]);
});
