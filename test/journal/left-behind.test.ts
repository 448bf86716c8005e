import { describe, expect } from 'vitest';
import { newOperation } from '../store/new-operation.ts';
import { booking, GAP, Harness, MINUTE, SETTLE, test } from './harness.ts';

describe('operations of dead processes', () => {
  test('gives up an unsent operation of a dead process when its lease is over, or at once if that is known', async () => {
    const [h, other] = [await Harness.open(), await Harness.open()];
    await h.open();
    expect(await h.journal.reconcile()).toEqual({ settled: 0, waiting: 1, needsPerson: 0 });
    await h.clock.pass(MINUTE);
    expect(await h.journal.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
    expect(await h.entry()).toMatchObject({ state: 'not_executed', outcome: { error: { code: 'E_INTERRUPTED' } } });
    await other.open();
    const next = other.process('p2', { isGone: (owner) => owner === 'p1' });
    expect(await next.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
  });

  test('puts a dispatched operation of a dead process in doubt, and reads it in the same pass', async ({ h }) => {
    await h.open();
    await h.move('intent', 'dispatched', { dispatchedAt: h.clock.now() });
    await h.clock.pass(MINUTE);
    expect(await h.journal.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
    expect((await h.entry()).outcome?.basis).toBe('read');
  });

  test('counts the settle time from the creation if the time of dispatch is missing', async ({ h }) => {
    h.shown = booking();
    await h.open();
    await h.move('intent', 'in_doubt', { leaseUntil: 0 });
    await h.tend(SETTLE + 3 * GAP);
    expect((await h.entry()).state).toBe('not_executed');
  });

  test('reports progress while reconciling', async ({ h }) => {
    for (const id of ['a', 'b', 'c']) await h.journal.open(newOperation(id, { locator: id }));
    const told: unknown[] = [];
    await h.journal.reconcile((progress) => told.push(progress));
    expect(told).toEqual([1, 2, 3].map((done) => ({ done, total: 3 })));
  });
});

describe('two processes', () => {
  test('read no more often than one', async ({ h }) => {
    h.shown = booking();
    const other = h.process('p2');
    await h.doubt();
    for (let n = 0; n < 12; n++) {
      await Promise.all([h.journal.reconcile(), other.reconcile()]);
      await h.clock.pass(GAP / 2);
    }
    expect(h.reads).toBe(6);
  });

  test('do not read while the other one holds the lease', async ({ h }) => {
    h.shown = () => new Promise(() => {});
    await h.doubt();
    void h.journal.reconcile();
    await h.clock.pass(10);
    await h.process('p2').reconcile();
    expect(h.reads).toBe(1);
  });

  test('return the lease without reading if the other one has just read', async ({ h }) => {
    h.shown = booking();
    await h.doubt();
    const lease: typeof h.store.lease = async (...given) => {
      if (given[2] > given[3]) await h.journal.reconcile();
      return await h.store.lease(...given);
    };
    const { store } = h;
    const slow = { get: store.get.bind(store), list: store.list.bind(store), lease } as typeof store;
    await h.process('p2', { store: slow }).reconcile();
    expect(h.reads).toBe(1);
    expect(await h.entry()).toMatchObject({ owner: 'p2', leaseUntil: h.clock.now() });
  });
});
