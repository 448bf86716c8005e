/**
 * What any store of operations must do; the simulation's own passes it too.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { newOperation, SAR } from './new-operation.ts';
import type { NewOperation, OperationState, OperationStore } from './support/ports.ts';

const META = { now: 1000, owner: 'p1', leaseUntil: 61_000 };

export function describeOperations(name: string, open: () => Promise<OperationStore>): void {
  let store: OperationStore;
  beforeEach(async () => {
    store = await open();
  });

  const insert = (id: string, changes: Partial<NewOperation> = {}, meta = META) =>
    store.insert(newOperation(id, changes), meta);
  const to = (id: string, state: OperationState, from: readonly OperationState[] = ['intent'], patch = {}) =>
    store.transition(id, from, state, patch, { now: 2000, actor: 'p1' });

  describe(`${name}: entering an operation`, () => {
    test('inserts a new operation in state intent, leased to its process, with all its fields', async () => {
      const outcome = { estimate: { amount: SAR(1), penalty: SAR(2), rule: 'r' } };
      const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      const given = { supersedes: 'z', outcome, fingerprint: 'f', approvedBy: 'oauth:boss:page', trace };
      const result = await insert('a', given);
      const entered = {
        state: 'intent',
        createdAt: 1000,
        updatedAt: 1000,
        owner: 'p1',
        leaseUntil: 61_000,
        negatives: 0,
      };
      const expected = { ...newOperation('a', given), ...entered };
      expect(result).toEqual({ kind: 'inserted', operation: expected });
      expect(await store.get('a')).toEqual(expected);
      expect(await store.get('b')).toBeUndefined();
    });

    test('leaves optional fields absent that are not given', async () => {
      const { locator: _, amount: __, direction: ___, ...bare } = newOperation('a');
      await store.insert(bare, META);
      const keys = Object.keys((await store.get('a')) ?? {});
      for (const key of [
        'locator',
        'amount',
        'direction',
        'outcome',
        'approvedBy',
        'trace',
        'dispatchedAt',
        'lastReadAt',
        'failingSince',
      ]) {
        expect(keys).not.toContain(key);
      }
    });

    test('returns the known operation if its id is inserted again', async () => {
      await insert('a');
      await to('a', 'succeeded');
      const again = await insert('a', { locator: 'OTHER1' });
      expect(again).toMatchObject({ kind: 'exists', operation: { id: 'a', locator: 'ABC123', state: 'succeeded' } });
    });

    test.each(['succeeded', 'refused', 'not_executed', 'needs_person'] as const)(
      'accepts a new operation on a booking after %s',
      async (state) => {
        await insert('a');
        await to('a', state);
        expect((await insert('b')).kind).toBe('inserted');
      },
    );

    test.each(['intent', 'dispatched', 'in_doubt'] as const)(
      'refuses a second operation of any tenant on a booking with one in %s',
      async (state) => {
        await insert('a');
        if (state !== 'intent') await to('a', state);
        expect(await insert('b', { tenant: 'u' })).toMatchObject({ kind: 'busy', operation: { id: 'a', tenant: 't' } });
        expect(await store.get('b')).toBeUndefined();
        await to('a', 'not_executed', [state]);
        expect((await insert('b', { tenant: 'u' })).kind).toBe('inserted');
        expect(await store.list({ locator: 'ABC123', states: ['intent', 'dispatched', 'in_doubt'] })).toMatchObject([
          { id: 'b' },
        ]);
      },
    );

    test('refuses a second create with the same fingerprint, but not one without a fingerprint', async () => {
      const create = (id: string, fingerprint?: string, changes: Partial<NewOperation> = {}) => {
        const { locator: _, ...bare } = newOperation(id, { subject: { kind: 'create' }, ...changes });
        return store.insert({ ...bare, ...(fingerprint !== undefined && { fingerprint }) }, META);
      };
      expect((await create('a', 'f')).kind).toBe('inserted');
      expect(await create('b', 'f')).toMatchObject({ kind: 'busy', operation: { id: 'a' } });
      expect((await create('c', 'g')).kind).toBe('inserted');
      expect((await create('u', 'f', { tenant: 'u' })).kind).toBe('inserted');
      expect((await create('d')).kind).toBe('inserted');
      expect((await create('e')).kind).toBe('inserted');
    });

    test('accepts one of many operations that are inserted at once', async () => {
      const same = await Promise.all(Array.from({ length: 50 }, () => insert('a')));
      expect(same.filter((result) => result.kind === 'inserted')).toHaveLength(1);
      const others = await Promise.all(
        Array.from({ length: 50 }, (_, i) => insert(`b${i}`, { locator: 'XYZ789', tenant: `t${i % 3}` })),
      );
      expect(others.filter((result) => result.kind === 'inserted')).toHaveLength(1);
      expect(others.filter((result) => result.kind === 'busy')).toHaveLength(49);
    });
  });

  describe(`${name}: the daily limit`, () => {
    const limit = { perDay: SAR(20_000), since: 500 };
    const pay = (id: string, minor: number, changes: Partial<NewOperation> = {}, now = 1000) =>
      store.insert(newOperation(id, { locator: `L${id}`, amount: SAR(minor), ...changes }), { ...META, now }, limit);

    test('accepts payments up to the daily limit and none above it', async () => {
      expect((await pay('a', 15_000)).kind).toBe('inserted');
      expect(await pay('b', 5001)).toEqual({ kind: 'over_limit', spent: SAR(15_000) });
      expect(await store.get('b')).toBeUndefined();
      expect((await pay('c', 5000)).kind).toBe('inserted');
      expect((await pay('d', 1)).kind).toBe('over_limit');
    });

    test('counts refunds like payments against the daily limit, also in doubt or with a person', async () => {
      await pay('a', 10_000, { direction: 'refund' });
      await to('a', 'needs_person');
      await pay('b', 10_000);
      await to('b', 'in_doubt');
      expect(await pay('c', 1)).toEqual({ kind: 'over_limit', spent: SAR(20_000) });
    });

    test.each(['not_executed', 'refused'] as const)('does not count what ended as %s as spent', async (state) => {
      await pay('a', 20_000);
      await to('a', state);
      expect((await pay('b', 20_000)).kind).toBe('inserted');
    });

    test('applies the daily limit to one caller, one currency and one window', async () => {
      await pay('a', 20_000, { caller: 'other' });
      await pay('b', 20_000, { tenant: 'u' });
      await store.insert(newOperation('c', { locator: 'Lc', amount: { minor: 20_000, currency: 'EUR' } }), META);
      await pay('d', 20_000, {}, 499);
      expect((await pay('e', 20_000)).kind).toBe('inserted');
    });

    test('counts what is dated ahead, after the clock was set back', async () => {
      await pay('a', 20_000, {}, 1000 + 25 * 60 * 60_000);
      expect(await pay('b', 1)).toEqual({ kind: 'over_limit', spent: SAR(20_000) });
      expect(await store.spent('t', 'me', limit)).toEqual(SAR(20_000));
    });

    test('refuses another currency than that of the daily limit, and accepts an operation without money', async () => {
      const eur = { amount: { minor: 1, currency: 'EUR' } };
      expect(await pay('a', 1, eur)).toEqual({ kind: 'over_limit', spent: SAR(0) });
      expect((await pay('b', 0, { amount: { minor: 0, currency: 'EUR' } })).kind).toBe('inserted');
      const { amount: _, ...free } = newOperation('c', { locator: 'Lc' });
      expect((await store.insert(free, META, limit)).kind).toBe('inserted');
    });

    test('returns a known operation before it checks the daily limit', async () => {
      await pay('a', 20_000);
      expect((await pay('a', 20_000)).kind).toBe('exists');
      expect((await pay('b', 20_000, { locator: 'La' })).kind).toBe('busy');
    });

    test('returns the sum of a day as the limit counts it', async () => {
      const spent = (by = limit) => store.spent('t', 'me', by);
      expect(await spent()).toEqual(SAR(0));
      await pay('a', 9000, { direction: 'refund' });
      await pay('b', 1000, {}, 500);
      await pay('c', 5000, {}, 499);
      await pay('d', 2000, { caller: 'other' });
      await pay('e', 2000, { tenant: 'u' });
      await pay('f', 0);
      await store.insert(newOperation('g', { locator: 'Lg', amount: { minor: 700, currency: 'EUR' } }), META);
      expect(await spent()).toEqual(SAR(10_000));
      expect(await spent({ perDay: { minor: 1, currency: 'EUR' }, since: 0 })).toEqual({ minor: 700, currency: 'EUR' });
      await to('a', 'in_doubt');
      await to('b', 'refused');
      expect(await spent()).toEqual(SAR(9000));
    });

    test('keeps the daily limit under many operations at once', async () => {
      const results = await Promise.all(Array.from({ length: 40 }, (_, i) => pay(`x${i}`, 3000)));
      expect(results.filter((result) => result.kind === 'inserted')).toHaveLength(6);
    });
  });

  describe(`${name}: moving an operation`, () => {
    test('moves an operation once, and only from a given state', async () => {
      await insert('a');
      expect(await to('a', 'succeeded', ['dispatched'])).toBe(false);
      expect(await to('b', 'dispatched')).toBe(false);
      const moves = await Promise.all([to('a', 'dispatched'), to('a', 'dispatched'), to('a', 'dispatched')]);
      expect(moves.filter((moved) => moved)).toHaveLength(1);
      expect(await store.get('a')).toMatchObject({ state: 'dispatched', updatedAt: 2000 });
    });

    test('sets only the given fields in a transition', async () => {
      await insert('a');
      const before = await store.get('a');
      const patch = {
        dispatchedAt: 1500,
        leaseUntil: 90_000,
        owner: 'p2',
        negatives: 1,
        lastReadAt: 1600,
        locator: 'NEW123',
      };
      await to('a', 'in_doubt', ['intent'], { ...patch, outcome: { basis: 'read', check: 'look' } });
      const changed = { ...patch, outcome: { basis: 'read', check: 'look' }, state: 'in_doubt', updatedAt: 2000 };
      expect(await store.get('a')).toEqual({ ...before, ...changed });
      await to('a', 'needs_person', ['in_doubt']);
      expect(await store.get('a')).toEqual({ ...before, ...changed, state: 'needs_person' });
    });

    test('does not keep a truncated reply, since it may look like a refusal', async () => {
      await insert('a');
      await store.keepReply('a', { status: 429, body: '', truncated: true });
      expect(await store.reply('a')).toBeUndefined();
    });

    test('keeps the raw reply while its operation is active, and erases it when it is settled', async () => {
      await insert('a');
      await store.keepReply('a', { status: 200, body: '{"x":1}' });
      expect(await store.reply('a')).toEqual({ status: 200, body: '{"x":1}' });
      await store.keepReply('a', { status: 502, body: '' });
      expect(await store.reply('a')).toEqual({ status: 502, body: '' });
      await to('a', 'in_doubt');
      expect(await store.reply('a')).toBeDefined();
      await to('a', 'succeeded', ['in_doubt']);
      expect(await store.reply('a')).toBeUndefined();
      await store.keepReply('a', { status: 200, body: 'late' });
      expect(await store.reply('a')).toBeUndefined();
      await store.keepReply('nobody', { status: 200, body: '' });
      expect(await store.reply('nobody')).toBeUndefined();
    });
  });

  describe(`${name}: leases and readings`, () => {
    test('lets the owner renew a lease, and another take it once it has expired', async () => {
      await insert('a');
      expect(await store.lease('a', 'p2', 99_000, 60_999)).toBe(false);
      expect(await store.lease('a', 'p1', 70_000, 2000)).toBe(true);
      expect(await store.lease('a', 'p2', 99_000, 69_999)).toBe(false);
      expect(await store.lease('a', 'p2', 99_000, 70_000)).toBe(true);
      expect(await store.get('a')).toMatchObject({ owner: 'p2', leaseUntil: 99_000, updatedAt: 1000 });
      expect(await store.lease('a', 'p1', 99_000, 80_000)).toBe(false);
    });

    test('gives the lease to one of many that try', async () => {
      await insert('a');
      const tries = Array.from({ length: 20 }, (_, i) => store.lease('a', `q${i}`, 99_000, 61_000));
      expect((await Promise.all(tries)).filter((won) => won)).toHaveLength(1);
    });

    test('keeps no lease of a settled operation', async () => {
      await insert('a');
      await to('a', 'succeeded');
      expect(await store.lease('a', 'p1', 99_000, 99_000)).toBe(false);
      expect(await store.lease('b', 'p1', 99_000, 99_000)).toBe(false);
    });

    test('counts a reading in doubt only from the holder of the lease, and then ends the lease', async () => {
      await insert('a');
      const reading = { negatives: 1, lastReadAt: 5000, failingSince: 4000 };
      expect(await store.note('a', 'p1', reading)).toBe(false);
      await to('a', 'in_doubt');
      expect(await store.note('a', 'p2', reading)).toBe(false);
      expect(await store.note('a', 'p1', reading)).toBe(true);
      expect(await store.get('a')).toMatchObject({ ...reading, state: 'in_doubt', leaseUntil: 5000, updatedAt: 2000 });
      expect(await store.note('a', 'p1', { negatives: 2, lastReadAt: 6000 })).toBe(true);
      expect(await store.get('a')).toMatchObject({ negatives: 2, lastReadAt: 6000 });
      expect(Object.keys((await store.get('a')) ?? {})).not.toContain('failingSince');
    });
  });

  describe(`${name}: lists`, () => {
    beforeEach(async () => {
      await insert('a', { locator: 'L1', fingerprint: 'f' }, { ...META, now: 1000 });
      await insert('b', { locator: 'L2', caller: 'you' }, { ...META, now: 2000 });
      await to('b', 'succeeded');
      await insert('c', { locator: 'L2', tenant: 'u', fingerprint: 'f' }, { ...META, now: 3000 });
    });
    const ids = async (filter: Parameters<OperationStore['list']>[0]) =>
      (await store.list(filter)).map((one) => one.id);

    test('lists operations newest first, by any of the filters', async () => {
      expect(await ids({})).toEqual(['c', 'b', 'a']);
      expect(await ids({ limit: 2 })).toEqual(['c', 'b']);
      expect(await ids({ tenant: 't' })).toEqual(['b', 'a']);
      expect(await ids({ tenant: 't', caller: 'you' })).toEqual(['b']);
      expect(await ids({ locator: 'L2' })).toEqual(['c', 'b']);
      expect(await ids({ tenant: 't', locator: 'L2' })).toEqual(['b']);
      expect(await ids({ states: ['intent'] })).toEqual(['c', 'a']);
      expect(await ids({ states: [] })).toEqual([]);
      expect(await ids({ states: ['succeeded', 'refused'] })).toEqual(['b']);
      expect(await ids({ from: 2000, to: 3000 })).toEqual(['b']);
      expect(await ids({ from: 3001 })).toEqual([]);
    });

    test('lists operations of a fingerprint by tenant, newest first, in any state', async () => {
      const same = async (...of: Parameters<OperationStore['byFingerprint']>) =>
        (await store.byFingerprint(...of)).map((one) => one.id);
      expect(await same('t', 'f')).toEqual(['a']);
      expect(await same('u', 'f')).toEqual(['c']);
      expect(await same('t', 'g')).toEqual([]);
      await to('a', 'not_executed');
      await insert('d', { locator: 'L9', fingerprint: 'f' }, { ...META, now: 4000 });
      expect(await same('t', 'f')).toEqual(['d', 'a']);
      expect(await same('t', 'f', 'd')).toEqual(['a']);
    });
  });

  describe(`${name}: events`, () => {
    test('records every change of an operation as an event in a chain that verifies', async () => {
      await insert('a');
      await insert('b', { locator: 'XYZ789' });
      await to('a', 'dispatched', ['intent'], { dispatchedAt: 1999 });
      await to('b', 'not_executed');
      await to('a', 'succeeded', ['dispatched'], { outcome: { basis: 'reply' } });
      await to('a', 'refused', ['dispatched']);
      const events = await store.events('a');
      expect(events.map(({ seq, from, to, at, actor }) => [seq, from, to, at, actor])).toEqual([
        [1, '', 'intent', 1000, 'p1'],
        [2, 'intent', 'dispatched', 2000, 'p1'],
        [3, 'dispatched', 'succeeded', 2000, 'p1'],
      ]);
      for (const { hash } of events) expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(await store.events('c')).toEqual([]);
      expect(await store.verify()).toBeUndefined();
    });

    test('records a later reading as an event without changing the state', async () => {
      await insert('a');
      await to('a', 'not_executed', ['intent'], { outcome: { looks: 1 } });
      const again = { now: 3000, actor: 'p2' };
      expect(await store.transition('a', ['not_executed'], 'not_executed', { outcome: { looks: 2 } }, again)).toBe(
        true,
      );
      expect(await store.get('a')).toMatchObject({ state: 'not_executed', updatedAt: 3000, outcome: { looks: 2 } });
      const last = (await store.events('a')).at(-1);
      expect(last).toMatchObject({ seq: 3, from: 'not_executed', to: 'not_executed', at: 3000, actor: 'p2' });
      expect(await store.verify()).toBeUndefined();
    });
  });
}
