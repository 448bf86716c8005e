import { describe, expect, test } from 'vitest';
import { newOperation } from '../store/new-operation.ts';
import { booking, GAP, Harness, SETTLE } from './harness.ts';

const unpaid = booking();
const MINUTE = 60_000;

describe('operations of dead processes', () => {
  test('gives up an unsent operation of a dead process when its lease is over', async () => {
    const h = new Harness();
    await h.open();
    expect(await h.journal.reconcile()).toEqual({ settled: 0, waiting: 1, needsPerson: 0 });
    await h.clock.pass(MINUTE);
    expect(await h.journal.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
    expect(await h.state()).toMatchObject({ state: 'not_executed', outcome: { error: { code: 'E_INTERRUPTED' } } });
  });

  test('gives up an unsent operation at once if its process is known to be dead', async () => {
    const h = new Harness();
    const next = h.process('p2', { isGone: (owner) => owner === 'p1' });
    await h.open();
    expect(await next.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
  });

  test('puts a dispatched operation of a dead process in doubt, and reads it in the same pass', async () => {
    const h = new Harness();
    await h.open();
    await h.store.transition('a', ['intent'], 'dispatched', { dispatchedAt: h.clock.now() }, { now: 0, actor: 'p1' });
    await h.clock.pass(MINUTE);
    expect(await h.journal.reconcile()).toEqual({ settled: 1, waiting: 0, needsPerson: 0 });
    expect((await h.state()).outcome?.basis).toBe('read');
  });

  test('counts the settle time from the creation if the time of dispatch is missing', async () => {
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

  test('reports progress while reconciling', async () => {
    const h = new Harness();
    for (const id of ['a', 'b', 'c']) await h.journal.open(newOperation(id, { locator: id }));
    const told: unknown[] = [];
    await h.journal.reconcile((progress) => told.push(progress));
    expect(told).toEqual([1, 2, 3].map((done) => ({ done, total: 3 })));
  });
});

describe('two processes', () => {
  test('reads with two processes no more often than with one', async () => {
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

  test('does not read while another process holds the lease', async () => {
    const h = new Harness();
    h.shown = () => new Promise(() => {});
    await h.doubt();
    void h.journal.reconcile();
    await h.clock.pass(10);
    await h.process('p2').reconcile();
    expect(h.reads).toBe(1);
  });

  test('returns the lease without reading if another process has just read', async () => {
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
