import { describe, expect, test } from 'vitest';
import { createJournal } from '../../src/journal/journal.ts';
import type { Evidence, OperationStore } from '../../src/journal/ports.ts';
import { MemoryOperations } from '../campaigns/sim/memory-operations.ts';
import { newOperation, SAR } from '../store/new-operation.ts';
import { act, Harness, REPLY, receipt, SETTLE } from './harness.ts';

/** A store whose named calls fail the given number of times. */
function failing(store: OperationStore, faults: Partial<Record<keyof OperationStore, number>>): OperationStore {
  return new Proxy(store, {
    get(target, name: keyof OperationStore) {
      const call = target[name].bind(target) as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        const left = faults[name] ?? 0;
        if (left > 0) {
          faults[name] = left - 1;
          throw new Error('disk full');
        }
        return await call(...given);
      };
    },
  });
}

/** A store that takes the dispatch, then loses its answer and stays down. */
function takenThenFailing(store: OperationStore, armed: Partial<Record<keyof OperationStore, number>>): OperationStore {
  return new Proxy(store, {
    get(target, name: keyof OperationStore) {
      const call = target[name].bind(target) as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        const answer = await call(...given);
        if (name !== 'transition' || given[2] !== 'dispatched') return answer;
        armed.transition = 999_999;
        throw new Error('disk full');
      };
    },
  });
}

/** The store goes down while the airline answers. */
async function answeredWhileDown(evidence: Evidence = receipt()) {
  const armed: Partial<Record<keyof OperationStore, number>> = {};
  const h = new Harness({ store: failing(new MemoryOperations(), armed) });
  const sending = act(async () => {
    armed.transition = 999_999;
    return evidence;
  });
  const running = h.journal.run(await h.open(), sending);
  await h.clock.pass(20_000);
  return { h, running, armed };
}

const hang = () => new Promise<Evidence>(() => {});

describe('a store that fails', () => {
  const run = async (faults: Partial<Record<keyof OperationStore, number>>, sending = act(async () => receipt())) => {
    const memory = new MemoryOperations();
    const armed: Partial<Record<keyof OperationStore, number>> = {};
    const h = new Harness({ store: failing(memory, armed) });
    const operation = await h.open();
    Object.assign(armed, faults);
    const running = h.journal.run(operation, sending);
    await h.clock.pass(20_000);
    return { h, memory, sending, ran: await running };
  };

  test('sends nothing if the store fails before the dispatch', async () => {
    const { ran, sending, h } = await run({ transition: 1 });
    expect(sending.sends).toBe(0);
    expect(ran.operation.state).toBe('not_executed');
    expect(ran.error).toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    expect(h.warnings).toContain('the store failed before the dispatch: nothing is sent');
  });

  test('sends nothing and leaves the operation unchanged if the store stays down before the dispatch', async () => {
    const { ran, sending } = await run({ transition: 99 });
    expect(sending.sends).toBe(0);
    expect(ran).toMatchObject({ operation: { state: 'intent' }, error: { effect: 'none' } });
  });

  test('keeps nothing of an operation that was given up before its dispatch: another process gives it up too', async () => {
    const failed = async () => {
      throw new Error('the terms differ');
    };
    const { ran, sending, h } = await run(
      { transition: 99 },
      act(async () => receipt(), failed),
    );
    expect(sending.sends).toBe(0);
    expect(ran).toMatchObject({ operation: { state: 'intent' }, error: { effect: 'none' } });
    expect(h.ends.all()).toEqual([]);
  });

  test('a reading that fails before the dispatch gives up nothing that another process has sent', async () => {
    const memory = new MemoryOperations();
    const h = new Harness({ store: memory });
    const operation = await h.open();
    const recheck = async () => {
      await h.store.transition('a', ['intent'], 'dispatched', { dispatchedAt: 1 }, { now: 1, actor: 'p2' });
      throw new Error('away');
    };
    const sending = act(async () => receipt());
    const ran = await h.journal.run(operation, { ...sending, recheck });
    expect(ran).toMatchObject({ operation: { state: 'dispatched' }, error: { effect: 'none' } });
    expect(sending.sends).toBe(0);
  });

  test('records the outcome of a reply in a store that works', async () => {
    let left = 0;
    const { ran, memory } = await run(
      {},
      act(async () => {
        left++;
        return receipt();
      }),
    );
    expect(left).toBe(1);
    expect(ran.operation.state).toBe('succeeded');
    expect((await memory.get('a'))?.state).toBe('succeeded');
  });

  test('records the outcome after the store failed a few times', async () => {
    const memory = new MemoryOperations();
    const armed: Partial<Record<keyof OperationStore, number>> = {};
    const h = new Harness({ store: failing(memory, armed) });
    const running = h.journal.run(
      await h.open(),
      act(async () => {
        armed.transition = 4;
        return receipt();
      }),
    );
    await h.clock.pass(20_000);
    expect((await running).operation.state).toBe('succeeded');
  });

  test('stores the outcome of a reply however long the store stays down, and tells it then', async () => {
    const { h, running, armed } = await answeredWhileDown();
    await h.clock.pass(3_600_000);
    armed.transition = 0;
    await h.clock.pass(2_000);
    expect(await running).toMatchObject({ operation: { state: 'succeeded', outcome: { basis: 'reply' } } });
    expect(h.ends.all()).toEqual([]);
  });

  test('reports the outcome as unknown if the process ends while the store is down, and the next one has it', async () => {
    const { h, running, armed } = await answeredWhileDown();
    h.ending.abort();
    await h.clock.pass(2_000);
    expect(await running).toMatchObject({
      operation: { state: 'dispatched' },
      error: { code: 'E_INTERNAL', effect: 'unknown' },
    });
    armed.transition = 0;
    expect(h.ends.all()).toMatchObject([{ id: 'a', state: 'succeeded' }]);
    await h.process('p2', { ending: new AbortController().signal }).reconcile();
    expect(await h.state()).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
    expect(h.ends.all()).toEqual([]);
  });

  test('the end of a dead process corrects what readings settled without it', async () => {
    const { h, armed } = await answeredWhileDown();
    h.ending.abort();
    await h.clock.pass(2_000);
    armed.transition = 0;
    await h.store.transition('a', ['dispatched'], 'not_executed', {}, { now: h.clock.now(), actor: 'p3' });
    await h.process('p2', { ending: new AbortController().signal }).reconcile();
    expect(await h.state()).toMatchObject({ state: 'needs_person' });
    expect((await h.state()).outcome?.check).toContain('The airline confirmed it after it had been settled');
    expect(h.ends.all()).toEqual([]);
  });

  test('the receipt of a dead process that settles nothing is not lost', async () => {
    const { h, armed } = await answeredWhileDown(receipt('99.00'));
    h.ending.abort();
    await h.clock.pass(2_000);
    armed.transition = 0;
    const next = h.process('p2', { ending: new AbortController().signal });
    h.shown = hang as never;
    void next.reconcile();
    await h.clock.pass(0);
    expect(await h.state()).toMatchObject({ state: 'in_doubt', outcome: { receipt: { stated: SAR(9900) } } });
    expect(h.ends.all()).toEqual([]);
  });

  test('nothing that a dead process knew to be unsent is in doubt', async () => {
    const armed: Partial<Record<keyof OperationStore, number>> = {};
    const memory = new MemoryOperations();
    const h = new Harness({ store: takenThenFailing(failing(memory, armed), armed) });
    const running = h.journal.run(
      await h.open(),
      act(async () => receipt()),
    );
    await h.clock.pass(20_000);
    expect(await running).toMatchObject({ error: { code: 'E_INTERNAL', effect: 'none' } });
    expect(await h.state()).toMatchObject({ state: 'dispatched' });
    h.ending.abort();
    await h.clock.pass(2_000);
    armed.transition = 0;
    await h.process('p2', { ending: new AbortController().signal }).reconcile();
    expect(await h.state()).toMatchObject({ state: 'not_executed', outcome: { error: { effect: 'none' } } });
    expect(h.ends.all()).toEqual([]);
  });

  test('keeps no doubt in the place of a proof that comes late', async () => {
    const armed: Partial<Record<keyof OperationStore, number>> = {};
    const h = new Harness({ store: failing(new MemoryOperations(), armed) });
    const answer = Promise.withResolvers<Evidence>();
    void h.journal.run(
      await h.open(),
      act(() => {
        armed.transition = 999_999;
        return answer.promise;
      }),
    );
    await h.clock.pass(200_000);
    expect(h.ends.all()).toEqual([]);
    answer.resolve(receipt());
    await h.clock.pass(20_000);
    expect(h.ends.all()).toMatchObject([{ state: 'succeeded' }]);
    h.ending.abort();
    await h.clock.pass(20_000);
  });

  test('keeps an end whose operation an older copy of the journal lacks', async () => {
    const h = new Harness();
    h.ends.keep({ id: 'gone', state: 'succeeded', outcome: { locator: 'HOLD01' } });
    await h.journal.reconcile();
    expect(h.ends.all()).toHaveLength(1);
  });

  test('keeps the end of a store that hangs after a second, and forgets it once that is stored', async () => {
    const memory = new MemoryOperations();
    const hanging = Promise.withResolvers<void>();
    const h = new Harness({
      store: new Proxy(memory, {
        get(target, name: keyof OperationStore) {
          const call = target[name].bind(target) as (...given: unknown[]) => Promise<unknown>;
          const isSlow = (given: unknown[]) => name === 'keepReply' || given[2] === 'succeeded';
          return async (...given: unknown[]) => {
            if (isSlow(given)) await hanging.promise;
            return await call(...given);
          };
        },
      }),
    });
    const running = h.journal.run(
      await h.open(),
      act(async (dispatch) => {
        await dispatch.keep(REPLY);
        return receipt();
      }),
    );
    await h.clock.pass(1_500);
    expect(h.ends.all()).toEqual([]);
    await h.clock.pass(500);
    expect(h.ends.all()).toMatchObject([{ id: 'a', state: 'succeeded' }]);
    hanging.resolve();
    expect((await running).operation.state).toBe('succeeded');
    expect(h.ends.all()).toEqual([]);
  });

  test('judges a reply that could not be kept', async () => {
    const { ran, h } = await run(
      { keepReply: 1 },
      act(async (dispatch) => {
        await dispatch.keep(REPLY);
        return receipt();
      }),
    );
    expect(ran.operation.state).toBe('succeeded');
    expect(h.warnings).toEqual(['the raw reply could not be kept']);
  });

  test('continues sending after the lease could not be renewed', async () => {
    const armed: Partial<Record<keyof OperationStore, number>> = { lease: 1 };
    const h = new Harness({ store: failing(new MemoryOperations(), armed) });
    void h.journal.run(await h.open(), act(hang));
    await h.clock.pass(50_000);
    expect(h.warnings).toEqual(['the lease could not be renewed']);
    expect((await h.state()).leaseUntil).toBe(h.clock.now() - 10_000 + 60_000);
  });

  test('returns the operation as dispatched if the store has lost it', async () => {
    const h = new Harness();
    const operation = await h.open();
    h.store.get = async () => undefined;
    const ran = await h.journal.run(
      operation,
      act(async () => receipt()),
    );
    expect(ran.operation).toMatchObject({ id: 'a', state: 'dispatched' });
    expect(ran.error).toMatchObject({ effect: 'unknown' });
  });

  test('works without a log when the store fails', async () => {
    const h = new Harness();
    const quietly = createJournal({
      store: failing(h.store, { keepReply: 1 }),
      clock: h.clock,
      reader: { read: hang as never },
      owner: 'p9',
      digest: (text) => text,
      settleMs: SETTLE,
    });
    const opened = await quietly.open(newOperation('a'));
    if (opened.kind !== 'fresh') throw new Error(opened.kind);
    const ran = await quietly.run(
      opened.operation,
      act(async (dispatch) => {
        await dispatch.keep(REPLY);
        return receipt();
      }),
    );
    expect(ran.operation.state).toBe('succeeded');
  });

  test('returns the given operation if the store cannot be read after another process was first', async () => {
    const armed: Partial<Record<keyof OperationStore, number>> = {};
    const h = new Harness({ store: failing(new MemoryOperations(), armed) });
    const operation = await h.open();
    await h.store.transition('a', ['intent'], 'not_executed', {}, { now: 0, actor: 'p2' });
    armed.get = 1;
    expect(await h.journal.run(operation, act(hang))).toEqual({ operation });
  });
});
