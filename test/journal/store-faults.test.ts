import { describe, expect, test } from 'vitest';
import { createJournal } from '../../src/journal/journal.ts';
import type { Evidence, OperationStore } from '../../src/journal/ports.ts';
import { MemoryOperations } from '../campaigns/sim/memory-operations.ts';
import { newOperation } from '../store/new-operation.ts';
import { act, Harness, paidBooking, REPLY, receipt, SETTLE } from './harness.ts';

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

  test('reports the outcome as unknown if the store stays down after the reply', async () => {
    const memory = new MemoryOperations();
    const armed: Partial<Record<keyof OperationStore, number>> = {};
    const h = new Harness({ store: failing(memory, armed) });
    const running = h.journal.run(
      await h.open(),
      act(async () => {
        armed.transition = 5;
        return receipt();
      }),
    );
    await h.clock.pass(20_000);
    expect(await running).toMatchObject({
      operation: { state: 'dispatched' },
      error: { code: 'E_INTERNAL', effect: 'unknown' },
    });
    await h.clock.pass(60_000);
    h.shown = paidBooking();
    await h.journal.reconcile();
    expect(await h.state()).toMatchObject({ state: 'succeeded', outcome: { basis: 'read' } });
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
