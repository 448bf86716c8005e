import { describe, expect, test } from 'vitest';
import type { Dispatch } from '../../src/domain/airline.ts';
import { createJournal } from '../../src/journal/journal.ts';
import type { Evidence, OperationStore, Patch } from '../../src/journal/ports.ts';
import { MemoryOperations } from '../sim/memory-operations.ts';
import { newOperation, SAR } from '../store/new-operation.ts';
import {
  act,
  booking,
  error,
  Harness,
  lost,
  paidBooking,
  quiet,
  REPLY,
  receipt,
  refused,
  SETTLE,
  unsent,
} from './harness.ts';

/** A store whose named calls fail as often as said. */
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

describe('opening', () => {
  test('a new operation is fresh, the same again exists, another of the booking is busy', async () => {
    const { journal } = new Harness();
    expect(await journal.open(newOperation('a'))).toMatchObject({
      kind: 'fresh',
      operation: { state: 'intent', owner: 'p1' },
    });
    expect(await journal.open(newOperation('a'))).toMatchObject({ kind: 'exists', operation: { id: 'a' } });
    expect(await journal.open(newOperation('b'))).toMatchObject({ kind: 'busy', operation: { id: 'a' } });
    expect(await journal.openOn('t', 'ABC123')).toMatchObject({ id: 'a' });
    expect(await journal.openOn('t', 'XYZ789')).toBeUndefined();
    expect(await journal.openOn('u', 'ABC123')).toBeUndefined();
  });

  test('the limit of a day is passed on', async () => {
    const { journal } = new Harness();
    const limit = { perDay: SAR(100), since: 0 };
    expect(await journal.open(newOperation('a'), limit)).toEqual({ kind: 'over_limit', spent: SAR(0) });
  });

  test('an intent whose process died makes way at once when its lease is over', async () => {
    const h = new Harness();
    await h.open();
    const other = h.process('p2');
    await h.clock.pass(59_999);
    expect((await other.open(newOperation('b'))).kind).toBe('busy');
    await h.clock.pass(1);
    expect((await other.open(newOperation('b'))).kind).toBe('fresh');
    const gone = await h.state('a');
    expect(gone.state).toBe('not_executed');
    expect(gone.outcome?.error).toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
  });

  test('a dispatch whose process died does not', async () => {
    const h = new Harness();
    await h.open();
    await h.store.transition('a', ['intent'], 'dispatched', { dispatchedAt: h.clock.now() }, { now: 0, actor: 'p1' });
    await h.clock.pass(100_000);
    expect((await h.process('p2').open(newOperation('b'))).kind).toBe('busy');
  });
});

describe('running', () => {
  test('is on record as dispatched before the first byte, and succeeded after a good reply', async () => {
    const h = new Harness();
    const operation = await h.open({ outcome: { estimate: { amount: SAR(1), penalty: SAR(2), rule: 'r' } } });
    const ran = await h.journal.run(
      operation,
      act(async (dispatch) => {
        expect(await h.state()).toMatchObject({ state: 'dispatched', dispatchedAt: h.clock.now() });
        await dispatch.keep(REPLY);
        expect(await h.store.reply('a')).toEqual(REPLY);
        return receipt();
      }),
    );
    expect(ran.operation.state).toBe('succeeded');
    expect(ran.evidence).toEqual(receipt());
    expect(ran.error).toBeUndefined();
    expect(ran.operation.outcome).toEqual({
      basis: 'reply',
      estimate: { amount: SAR(1), penalty: SAR(2), rule: 'r' },
      tickets: [{ number: '9000000001', total: '172.50' }],
    });
    expect(await h.store.reply('a')).toBeUndefined();
    expect(h.clock.sleepers).toBe(0);
  });

  test('a recheck that finds other terms ends it unsent', async () => {
    const h = new Harness();
    const never = act(hang, () => Promise.reject(error('E_APPROVAL_STALE', { terms: ['new'] })));
    const ran = await h.journal.run(await h.open(), never);
    expect(never.sends).toBe(0);
    expect(ran.operation.state).toBe('not_executed');
    expect(ran.error).toMatchObject({ code: 'E_APPROVAL_STALE' });
    const told = {
      code: 'E_APPROVAL_STALE',
      message: 'what happened',
      next: 'do this',
      effect: 'none',
      retry: 'never',
    };
    expect(ran.operation.outcome?.error).toEqual({ ...told, terms: ['new'] });
  });

  test('a recheck that breaks is an internal error, told without its cause', async () => {
    const h = new Harness();
    const ran = await h.journal.run(
      await h.open(),
      act(hang, () => Promise.reject(new TypeError('x of undefined'))),
    );
    expect(ran.operation.state).toBe('not_executed');
    expect(ran.error).toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    expect(JSON.stringify(ran.operation)).not.toContain('x of undefined');
  });

  test('a recheck that hangs ends it unsent', async () => {
    const h = new Harness();
    const running = h.journal.run(
      await h.open(),
      act(hang, () => new Promise(() => {})),
    );
    await h.clock.pass(30_000);
    expect((await running).operation.state).toBe('not_executed');
    expect((await running).error).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'none' });
  });

  test('a recheck that was fresh before the process slept is not', async () => {
    const h = new Harness();
    const sent = act(hang, async () => h.clock.jump(30_001));
    const ran = await h.journal.run(await h.open(), sent);
    expect(sent.sends).toBe(0);
    expect(ran.operation.state).toBe('not_executed');
  });

  test("the airline's refusal is final", async () => {
    const h = new Harness();
    const ran = await h.journal.run(
      await h.open(),
      act(() => Promise.reject(refused())),
    );
    expect(ran.operation.state).toBe('refused');
    expect(ran.operation.outcome?.error).toMatchObject({
      code: 'E_PAYMENT_DECLINED',
      airline: { status: 422, code: '167' },
    });
    expect(ran.error?.code).toBe('E_PAYMENT_DECLINED');
  });

  test('a refusal in a good HTTP status is one too', async () => {
    const h = new Harness();
    const told = error('E_TOO_LATE', { airline: { code: '73' } });
    expect(
      (
        await h.journal.run(
          await h.open(),
          act(() => Promise.reject(told)),
        )
      ).operation.state,
    ).toBe('refused');
  });

  test.each<[string, unknown]>([
    ['a lost answer', lost()],
    ['a failure of our own', new Error('bug')],
    ['an error that says `none` by default, though the byte had left', error('E_AIRLINE_REPLY')],
    ['a 503 taken for a refusal', error('E_AIRLINE_DOWN', { airline: { status: 503 } })],
    ['a 408 taken for a refusal', error('E_AIRLINE_TIMEOUT', { airline: { status: 408 } })],
    [
      'a 4xx that says nothing of the effect',
      error('E_AIRLINE_REPLY', { effect: 'unknown', airline: { status: 418 } }),
    ],
  ])('%s leaves it in doubt, and the lease free', async (_what, thrown) => {
    const h = new Harness();
    const ran = await h.journal.run(
      await h.open(),
      act(() => Promise.reject(thrown)),
    );
    expect(ran.operation).toMatchObject({ state: 'in_doubt', leaseUntil: h.clock.now() });
    expect(ran.error).toMatchObject(
      thrown instanceof Error && 'code' in thrown ? {} : { code: 'E_INTERNAL', effect: 'unknown' },
    );
    expect(ran.operation.outcome?.error).toBeUndefined();
  });

  test.each<[string, Evidence]>([
    ['another amount', receipt('1.00')],
    ["somebody else's receipt", receipt('172.50', 'XYZ789')],
    ['nothing', {}],
  ])('a good reply with %s is in doubt', async (_what, evidence) => {
    const h = new Harness();
    const ran = await h.journal.run(
      await h.open(),
      act(async () => evidence),
    );
    expect(ran.operation.state).toBe('in_doubt');
    expect(ran.evidence).toBe(evidence);
  });

  test('a rule that breaks on the evidence proves nothing', async () => {
    const h = new Harness();
    const broken = { receipt: { locator: 'ABC123' } } as unknown as Evidence;
    expect(
      (
        await h.journal.run(
          await h.open(),
          act(async () => broken),
        )
      ).operation.state,
    ).toBe('in_doubt');
    expect(h.warnings).toContain('the evidence could not be judged');
  });

  test('a request that never left ends it, with no second try', async () => {
    const h = new Harness();
    let sends = 0;
    const send = async () => {
      sends++;
      throw unsent();
    };
    const ran = await h.journal.run(await h.open(), { recheck: async () => {}, send });
    expect(sends).toBe(1);
    expect(ran.operation.state).toBe('not_executed');
    expect(ran.operation.outcome?.error?.code).toBe('E_AIRLINE_DOWN');
  });

  test('what it made is on record: the locator of a create', async () => {
    const h = new Harness();
    const { locator: _, ...create } = newOperation('a', { subject: { kind: 'create' }, fingerprint: 'f' });
    const opened = await h.journal.open(create);
    if (opened.kind !== 'fresh') throw new Error(opened.kind);
    const ran = await h.journal.run(
      opened.operation,
      act(async () => ({ booking: booking({ locator: 'NEW123' }) })),
    );
    expect(ran.operation).toMatchObject({ state: 'succeeded', locator: 'NEW123', outcome: { locator: 'NEW123' } });
  });
});

describe('the fence', () => {
  async function asked(meanwhile: (h: Harness) => void | Promise<void>, options = {}) {
    const h = new Harness(options);
    let dispatch: Dispatch | undefined;
    const ran = await h.journal.run(await h.open(), {
      recheck: async () => {},
      async send(given) {
        dispatch = given;
        await meanwhile(h);
        if (!given.mayStart()) throw unsent();
        return receipt();
      },
    });
    return { h, ran, again: dispatch?.mayStart() };
  }

  test('opens once', async () => {
    const { ran, again } = await asked(() => {});
    expect(ran.operation.state).toBe('succeeded');
    expect(again).toBe(false);
  });

  test('is open for five seconds after the dispatch', async () => {
    expect((await asked((h) => h.clock.jump(5000))).ran.operation.state).toBe('succeeded');
    expect((await asked((h) => h.clock.jump(5001))).ran.operation.state).toBe('not_executed');
  });

  test('is closed to a clock that went back', async () => {
    expect((await asked((h) => h.clock.jump(-1))).ran.operation.state).toBe('not_executed');
  });

  test('is closed when the lease is over', async () => {
    const slept = await asked((h) => h.clock.jump(900), { leaseMs: 900 });
    expect(slept.ran.operation.state).toBe('not_executed');
  });

  test('a sleeper that was taken for dead cannot send, and says so', async () => {
    const { h, ran } = await asked(async (h) => {
      h.clock.jump(61_000);
      h.shown = booking();
      await h.process('p2').reconcile();
      expect((await h.state()).state).toBe('in_doubt');
    });
    expect(ran.operation.state).toBe('not_executed');
    expect(ran.operation.outcome?.error?.code).toBe('E_AIRLINE_DOWN');
    expect(h.warnings).toEqual([]);
  });

  test('an operation given up by another process is not dispatched', async () => {
    const h = new Harness();
    const operation = await h.open();
    const late = act(async () => receipt());
    await h.store.transition('a', ['intent'], 'not_executed', {}, { now: 0, actor: 'p2' });
    const ran = await h.journal.run(operation, late);
    expect(late.sends).toBe(0);
    expect(ran).toEqual({ operation: await h.state() });
  });
});

describe('a slow airline', () => {
  test('leaves it in doubt after the time to wait, and its late reply settles it', async () => {
    const h = new Harness();
    let answer: (evidence: Evidence) => void = () => {};
    const running = h.journal.run(
      await h.open(),
      act(() => new Promise((resolve) => (answer = resolve))),
    );
    await h.clock.pass(179_999);
    expect(await h.state()).toMatchObject({ state: 'dispatched', owner: 'p1' });
    await h.clock.pass(1);
    const ran = await running;
    expect(ran.operation.state).toBe('in_doubt');
    expect(ran.error).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'unknown', retry: 'same_call' });
    answer(receipt());
    await quiet();
    expect(await h.state()).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  });

  test('its late refusal settles it too', async () => {
    const h = new Harness();
    let answer: (thrown: unknown) => void = () => {};
    void h.journal.run(
      await h.open(),
      act(() => new Promise((_, reject) => (answer = reject))),
    );
    await h.clock.pass(180_000);
    answer(refused());
    await quiet();
    expect((await h.state()).state).toBe('refused');
  });

  test('nothing may leave any more once it was given up', async () => {
    const h = new Harness({ sendMs: 1000, fenceMs: 600_000 });
    let dispatch: Dispatch | undefined;
    const running = h.journal.run(await h.open(), {
      recheck: async () => {},
      send: (given) => {
        dispatch = given;
        return hang();
      },
    });
    await h.clock.pass(1000);
    await running;
    expect(dispatch?.mayStart()).toBe(false);
  });

  test('the lease is renewed while it runs, and left alone once another has it', async () => {
    const h = new Harness();
    void h.journal.run(await h.open(), act(hang));
    await h.clock.pass(110_000);
    expect((await h.state()).leaseUntil).toBe(h.clock.now() + 50_000);
    h.clock.jump(61_000);
    await h.store.lease('a', 'p2', h.clock.now() + 500_000, h.clock.now());
    await h.clock.pass(60_000);
    expect((await h.state()).owner).toBe('p2');
  });
});

describe('a reply that contradicts what was settled', () => {
  async function lateReply(
    end: 'not_executed' | 'needs_person' | 'succeeded',
    patch: Patch = { outcome: { check: 'old' } },
  ) {
    const h = new Harness();
    let answer: (evidence: Evidence) => void = () => {};
    void h.journal.run(
      await h.open(),
      act(() => new Promise((resolve) => (answer = resolve))),
    );
    await h.clock.pass(SETTLE);
    await h.store.transition('a', ['in_doubt'], end, patch, { now: 0, actor: 'p2' });
    answer(receipt());
    await quiet();
    return { h, state: await h.state() };
  }

  test('not executed, and yet confirmed: a person is called', async () => {
    const { h, state } = await lateReply('not_executed');
    expect(state.state).toBe('needs_person');
    expect(state.outcome?.check).toContain('after it had been settled as not carried out');
    expect(h.warnings).toContain('a settled operation is contradicted by a late reply');
  });

  test('its words replace those of the failure', async () => {
    const told = { code: 'E_AIRLINE_TIMEOUT', message: 'm', next: 'n', effect: 'none', retry: 'never' } as const;
    const estimate = { amount: SAR(1), penalty: SAR(2), rule: 'r' };
    const { state } = await lateReply('not_executed', { outcome: { error: told, estimate } });
    expect(state.outcome).toEqual({ estimate, check: expect.any(String) });
    expect((await lateReply('not_executed', {})).state.outcome).toEqual({ check: expect.any(String) });
  });

  test('handed to a person, and then confirmed: done', async () => {
    expect((await lateReply('needs_person')).state).toMatchObject({ state: 'succeeded', outcome: { basis: 'reply' } });
  });

  test('known already: as it is', async () => {
    expect((await lateReply('succeeded')).state).toMatchObject({ state: 'succeeded', outcome: { check: 'old' } });
  });
});

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

  test('before the dispatch: nothing is sent', async () => {
    const { ran, sending, h } = await run({ transition: 1 });
    expect(sending.sends).toBe(0);
    expect(ran.operation.state).toBe('not_executed');
    expect(ran.error).toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    expect(h.warnings).toContain('the store failed before the dispatch: nothing is sent');
  });

  test('for good before the dispatch: nothing is sent, and it is as it was', async () => {
    const { ran, sending } = await run({ transition: 99 });
    expect(sending.sends).toBe(0);
    expect(ran).toMatchObject({ operation: { state: 'intent' }, error: { effect: 'none' } });
  });

  test('for a moment after the reply: the outcome is not lost', async () => {
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

  test('for a few tries after the reply, it is written all the same', async () => {
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

  test('for good after the reply: the outcome is unknown, not guessed', async () => {
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

  test('when the reply is kept: it is judged all the same', async () => {
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

  test('when the lease is renewed: it goes on', async () => {
    const armed: Partial<Record<keyof OperationStore, number>> = { lease: 1 };
    const h = new Harness({ store: failing(new MemoryOperations(), armed) });
    void h.journal.run(await h.open(), act(hang));
    await h.clock.pass(50_000);
    expect(h.warnings).toEqual(['the lease could not be renewed']);
    expect((await h.state()).leaseUntil).toBe(h.clock.now() - 10_000 + 60_000);
  });

  test('and has lost the operation: it is told as it was', async () => {
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

  test('and a journal without a log is silent', async () => {
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

  test('and cannot even be read when somebody else was first', async () => {
    const armed: Partial<Record<keyof OperationStore, number>> = {};
    const h = new Harness({ store: failing(new MemoryOperations(), armed) });
    const operation = await h.open();
    await h.store.transition('a', ['intent'], 'not_executed', {}, { now: 0, actor: 'p2' });
    armed.get = 1;
    expect(await h.journal.run(operation, act(hang))).toEqual({ operation });
  });
});
