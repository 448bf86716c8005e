/**
 * What the journal reports: errors that say what happened, what did not and who acts next; log lines that name the
 * operation and the reason.
 */
import { describe, expect, test } from 'vitest';
import { asClerkError, neverSent, readBackUnchanged } from '../../src/journal/outcome.ts';
import type { OperationStore } from '../../src/journal/ports.ts';
import { MemoryOperations } from '../campaigns/sim/memory-operations.ts';
import { newOperation } from '../store/new-operation.ts';
import { act, booking, error, Harness, lost, REPLY, receipt, SETTLE } from './harness.ts';

const NEW_YES = 'Call the tool again without approval_id to ask for a new yes.';

test("includes the airline's own reference when a person must check", async () => {
  const h = new Harness();
  const { locator: _, ...create } = newOperation('a', { subject: { kind: 'create' }, fingerprint: 'f' });
  const opened = await h.journal.open(create);
  const airline = { status: 503, code: '448', correlationId: 'c-77' };
  const failing = act(() => Promise.reject(error('E_AIRLINE_DOWN', { effect: 'unknown', airline })));
  if (opened.kind === 'fresh') await h.journal.run(opened.operation, failing);
  await h.clock.pass(SETTLE);
  await h.journal.reconcile();
  const { state, outcome } = await h.state();
  expect(state).toBe('needs_person');
  expect(outcome?.check).toMatch(/\(operation a, the airline's reference c-77\)\.$/);
});

describe('errors', () => {
  test('reports a fault of the server with advice for the operator', () => {
    const cause = new Error('x');
    const told = asClerkError(cause, 'none');
    expect(told).toMatchObject({ code: 'E_INTERNAL', effect: 'none', cause });
    expect(told.message).toBe('The server failed while carrying this out.');
    expect(told.next).toMatch(/^Tell the operator; /);
  });

  test('says how to ask again after an operation that was never sent or not carried out', () => {
    expect(neverSent()).toEqual({
      code: 'E_INTERRUPTED',
      message: 'The server was interrupted before anything was sent. Nothing was done.',
      next: `The yes is spent. ${NEW_YES}`,
      effect: 'none',
      retry: 'never',
    });
    expect(readBackUnchanged(3)).toMatchObject({ next: NEW_YES, effect: 'none', retry: 'never' });
    expect(readBackUnchanged(3).message).toMatch(/read back 3 times .* it was not carried out\.$/);
  });

  test('reports that nothing was sent if the second reading does not come', async () => {
    const h = new Harness();
    const running = h.journal.run(
      await h.open(),
      act(
        async () => receipt(),
        () => new Promise(() => {}),
      ),
    );
    await h.clock.pass(60_000);
    const { error: told } = await running;
    expect(told?.message).toBe('The booking could not be read again in time. Nothing was sent.');
    expect(told?.next).toBe(NEW_YES);
  });

  test('reports an unknown outcome if the answer does not come', async () => {
    const h = new Harness({ sendMs: 1000 });
    const running = h.journal.run(
      await h.open(),
      act(() => new Promise(() => {})),
    );
    await h.clock.pass(1000);
    const { error: told } = await running;
    expect(told).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'unknown', retry: 'same_call' });
    expect(told?.message).toBe('The airline has not answered. What it did is not known yet.');
    expect(told?.next).toBe('Call the tool again with the same approval_id to follow it.');
  });

  test('reports an unknown operation with advice for the operator', async () => {
    const missing = new Harness().journal.follow('nobody', 0);
    await expect(missing).rejects.toMatchObject({
      code: 'E_INTERNAL',
      message: 'There is no operation nobody in the journal.',
      next: expect.stringMatching(/^Tell the operator; `fareclerk journal list` /),
    });
  });
});

/** Fails every named call while `armed`. */
function faulty(names: readonly (keyof OperationStore)[]) {
  const memory = new MemoryOperations();
  const at = { armed: false, calls: 0 };
  const store = new Proxy<OperationStore>(memory, {
    get(target, name: keyof OperationStore) {
      const call = target[name].bind(target) as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        if (at.armed && names.includes(name)) {
          at.calls += 1;
          throw new Error('disk full');
        }
        return await call(...given);
      };
    },
  });
  return { store, at };
}

interface Line {
  readonly fields: object;
  readonly message: string;
}

function logged(options: ConstructorParameters<typeof Harness>[0] = {}) {
  const lines: Line[] = [];
  const write = (fields: object, message: string) => void lines.push({ fields, message });
  return { h: new Harness({ ...options, log: { info: write, warn: write } }), lines };
}

const reason = expect.objectContaining({ message: 'disk full' });

describe('log lines', () => {
  test('logs every change of state with the operation and its state', async () => {
    const { h, lines } = logged();
    await h.journal.run(
      await h.open(),
      act(async () => receipt()),
    );
    expect(lines).toEqual([
      { fields: { operation: 'a', state: 'dispatched' }, message: 'operation moved' },
      { fields: { operation: 'a', state: 'succeeded' }, message: 'operation moved' },
    ]);
  });

  test('does not log a change of state that another process made first', async () => {
    const { h, lines } = logged();
    const operation = await h.open();
    const other = h.process('p2', { isGone: () => true });
    await other.reconcile();
    lines.length = 0;
    await h.journal.run(
      operation,
      act(async () => receipt()),
    );
    expect(lines).toEqual([]);
  });

  test('reports and logs a store that fails before the dispatch', async () => {
    const { store, at } = faulty(['transition']);
    const { h, lines } = logged({ store });
    const operation = await h.open();
    at.armed = true;
    const running = h.journal.run(
      operation,
      act(async () => receipt()),
    );
    await h.clock.pass(20_000);
    const { error: told } = await running;
    expect(told?.message).toBe('The state store could not be written. Nothing was sent.');
    expect(told?.next).toMatch(/^Tell the operator: `fareclerk doctor` /);
    expect(lines[0]).toEqual({
      fields: { operation: 'a', err: reason },
      message: 'the store failed before the dispatch: nothing is sent',
    });
    // However often it is tried again.
    expect(lines.slice(1)).toEqual([
      { fields: { operation: 'a', state: 'not_executed', err: reason }, message: 'the store could not be written' },
    ]);
  });

  test('tries a store that is down after the reply again after longer and longer waits, of two seconds at most', async () => {
    const { store, at } = faulty(['transition']);
    const { h, lines } = logged({ store });
    const operation = await h.open();
    const sending = act(async () => {
      at.armed = true;
      return receipt();
    });
    const running = h.journal.run(operation, sending);
    const tries: number[] = [];
    for (let ms = 0; ms < 10_000; ms += 100) {
      await h.clock.pass(100);
      if (at.calls > tries.length) tries.push(ms + 100);
    }
    expect(tries).toEqual([100, 400, 1_200, 2_800, 4_800, 6_800, 8_800]);
    at.armed = false;
    await h.clock.pass(2_000);
    expect((await running).operation.state).toBe('succeeded');
    expect(lines.filter(({ message }) => message === 'the store could not be written')).toHaveLength(1);
  });

  test('logs a reply not kept, evidence not judged and a lease not renewed', async () => {
    const { store, at } = faulty(['keepReply', 'lease']);
    const rules = {
      reply: () => {
        throw new Error('disk full');
      },
      reading: () => 'void' as const,
    };
    const { h, lines } = logged({ store, rules, leaseMs: 30_000 });
    const operation = await h.open();
    const sending = act(async (dispatch) => {
      at.armed = true;
      await dispatch.keep(REPLY);
      await h.clock.sleep(10_000);
      return receipt();
    });
    const running = h.journal.run(operation, sending);
    await h.clock.pass(10_000);
    await running;
    const fields = { operation: 'a', err: reason };
    expect(lines).toContainEqual({ fields, message: 'the raw reply could not be kept' });
    expect(lines).toContainEqual({ fields, message: 'the lease could not be renewed' });
    expect(lines).toContainEqual({ fields, message: 'the evidence could not be judged' });
  });

  test('logs a late confirmation of an operation settled as not carried out', async () => {
    const { h, lines } = logged({ sendMs: 1000 });
    h.shown = booking();
    let answer = (_: ReturnType<typeof receipt>): void => undefined;
    const running = h.journal.run(
      await h.open(),
      act(
        () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
      ),
    );
    await h.clock.pass(1000);
    await running;
    const following = h.journal.follow('a', 2 * SETTLE);
    await h.clock.pass(2 * SETTLE);
    expect((await following).state).toBe('not_executed');
    answer(receipt());
    await h.clock.pass(0);
    expect(lines).toContainEqual({
      fields: { operation: 'a' },
      message: 'a settled operation is contradicted by a late reply',
    });
    expect((await h.state()).state).toBe('needs_person');
  });

  test('logs a settling step and a reconciliation that fail', async () => {
    const { store, at } = faulty(['lease', 'list']);
    const { h, lines } = logged({ store });
    await h.doubt();
    at.armed = true;
    await h.journal.follow('a', 0);
    const following = h.journal.follow('a', 600);
    const stop = new AbortController();
    const tending = h.journal.tend(stop.signal);
    await h.clock.pass(600);
    await following;
    stop.abort();
    await tending;
    expect(lines).toContainEqual({ fields: { operation: 'a', err: reason }, message: 'a settling step failed' });
    expect(lines).toContainEqual({ fields: { err: reason }, message: 'reconciliation failed' });
  });
});

test('keeps an operation settled as not carried out after a late refusal', async () => {
  const h = new Harness({ sendMs: 1000 });
  h.shown = booking();
  let refuse = (_: Error): void => undefined;
  const running = h.journal.run(
    await h.open(),
    act(
      () =>
        new Promise((_, reject) => {
          refuse = reject;
        }),
    ),
  );
  await h.clock.pass(1000);
  await running;
  const following = h.journal.follow('a', 2 * SETTLE);
  await h.clock.pass(2 * SETTLE);
  await following;
  refuse(error('E_TOO_LATE', { airline: { status: 422 } }));
  await h.clock.pass(0);
  expect((await h.state()).state).toBe('not_executed');
});

test('counts an error with status 499 as a refusal, but not one with 500', async () => {
  for (const [status, state] of [
    [499, 'refused'],
    [500, 'in_doubt'],
  ] as const) {
    const h = new Harness();
    await h.journal.run(
      await h.open(),
      act(() => Promise.reject(error('E_AIRLINE_DOWN', { airline: { status } }))),
    );
    expect((await h.state()).state).toBe(state);
  }
});

test('frees the lease at once when an operation is in doubt', async () => {
  const h = new Harness();
  await h.journal.run(
    await h.open(),
    act(() => Promise.reject(lost())),
  );
  expect((await h.state()).leaseUntil).toBe(h.clock.now());
});
