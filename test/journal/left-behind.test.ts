import { describe, expect, test } from 'vitest';
import { newOperation } from '../store/new-operation.ts';
import { booking, GAP, Harness, SETTLE } from './harness.ts';

const unpaid = booking();
const MINUTE = 60_000;

describe('what dead processes left', () => {
  test('an intent is given up when its lease is over', async () => {
    const h = new Harness();
    await h.open();
    expect(await h.journal.reconcile()).toEqual({ settled: 0, waiting: 1, needsPerson: 0 });
    await h.clock.pass(MINUTE);
    expect(await h.journal.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
    expect(await h.state()).toMatchObject({ state: 'not_executed', outcome: { error: { code: 'E_INTERRUPTED' } } });
  });

  test('or at once, where the process is known to be dead', async () => {
    const h = new Harness();
    const next = h.process('p2', { isGone: (owner) => owner === 'p1' });
    await h.open();
    expect(await next.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
  });

  test('a dispatch is in doubt, and read in the same pass', async () => {
    const h = new Harness();
    await h.open();
    await h.store.transition('a', ['intent'], 'dispatched', { dispatchedAt: h.clock.now() }, { now: 0, actor: 'p1' });
    await h.clock.pass(MINUTE);
    expect(await h.journal.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
    expect((await h.state()).outcome?.basis).toBe('read');
  });

  test('without its time of dispatch, the settle time runs from when it was entered', async () => {
    const h = new Harness();
    h.shown = unpaid;
    await h.open();
    await h.store.transition('a', ['intent'], 'in_doubt', { leaseUntil: 0 }, { now: h.clock.now(), actor: 'p1' });
    for (let spent = 0; spent < SETTLE + 3 * GAP; spent += GAP) {
      await h.journal.reconcile();
      await h.clock.pass(GAP);
    }
    expect((await h.state()).state).toBe('not_executed');
  });

  test('reports progress', async () => {
    const h = new Harness();
    for (const id of ['a', 'b', 'c']) await h.journal.open(newOperation(id, { locator: id }));
    const told: unknown[] = [];
    await h.journal.reconcile((progress) => told.push(progress));
    expect(told).toEqual([1, 2, 3].map((done) => ({ done, total: 3 })));
  });
});

describe('two processes', () => {
  test('read one at a time, and not oftener than one would', async () => {
    const h = new Harness();
    h.shown = unpaid;
    const other = h.process('p2');
    await h.doubt();
    for (let n = 0; n < 12; n++) {
      await Promise.all([h.journal.reconcile(), other.reconcile()]);
      await h.clock.pass(GAP / 2);
    }
    expect(h.reads).toBe(6);
  });

  test('one that holds the lease keeps the other from reading', async () => {
    const h = new Harness();
    h.shown = () => new Promise(() => {});
    await h.doubt();
    void h.journal.reconcile();
    await h.clock.pass(10);
    await h.process('p2').reconcile();
    expect(h.reads).toBe(1);
  });

  test('one that finds it read meanwhile gives the lease back', async () => {
    const h = new Harness();
    h.shown = unpaid;
    await h.doubt();
    const slow = h.process('p2', {
      store: Object.assign(Object.create(h.store) as typeof h.store, {
        lease: async (...given: Parameters<typeof h.store.lease>) => {
          if (given[2] > given[3]) await h.journal.reconcile();
          return await h.store.lease(...given);
        },
        get: h.store.get.bind(h.store),
        list: h.store.list.bind(h.store),
      }),
    });
    await slow.reconcile();
    expect(h.reads).toBe(1);
    expect(await h.state()).toMatchObject({ owner: 'p2', leaseUntil: h.clock.now() });
  });
});
