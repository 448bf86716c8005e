import { describe, expect, test, vi } from 'vitest';
import type { Context } from '../../src/journal/context.ts';
import { evidenceRules } from '../../src/journal/evidence/evidence.ts';
import type { Evidence } from '../../src/journal/ports.ts';
import { newOperation, SAR } from '../store/new-operation.ts';
import { act, booking, error, Harness, lost, REPLY, receipt, refused, unsent } from './harness.ts';

const hang = () => new Promise<Evidence>(() => {});

describe('opening', () => {
  test('opens an operation once, and refuses another one on the same booking', async () => {
    const { journal } = new Harness();
    expect(await journal.open(newOperation('a'))).toMatchObject({
      kind: 'fresh',
      operation: { state: 'intent', owner: 'p1' },
    });
    expect(await journal.open(newOperation('a'))).toMatchObject({ kind: 'exists', operation: { id: 'a' } });
    expect(await journal.open(newOperation('b'))).toMatchObject({ kind: 'busy', operation: { id: 'a' } });
    expect(await journal.open(newOperation('c', { tenant: 'u' }))).toMatchObject({
      kind: 'busy',
      operation: { id: 'a' },
    });
    expect(await journal.openOn('ABC123')).toMatchObject({ id: 'a' });
    expect(await journal.openOn('XYZ789')).toBeUndefined();
  });

  test('reads a booking on behalf of the caller of the operation', async () => {
    const h = new Harness();
    const asked: string[] = [];
    const journal = h.process('p2', {
      readerFor: ({ caller }) => ({
        async read(locator) {
          asked.push(`${caller} ${locator}`);
          return booking({ locator });
        },
      }),
    });
    expect(await journal.bookingOf(await h.open({ caller: 'ann' }), 'XYZ789')).toMatchObject({ locator: 'XYZ789' });
    expect(asked).toEqual(['ann XYZ789']);
  });

  test('applies the daily limit when opening an operation', async () => {
    const { journal } = new Harness();
    const limit = { perDay: SAR(100), since: 0 };
    expect(await journal.open(newOperation('a'), limit)).toEqual({ kind: 'over_limit', spent: SAR(0) });
  });

  test('replaces an unsent operation of a dead process when its lease is over', async () => {
    const h = new Harness();
    await h.open();
    const other = h.process('p2');
    await h.clock.pass(59_999);
    expect((await other.open(newOperation('b'))).kind).toBe('busy');
    await h.clock.pass(1);
    expect((await other.open(newOperation('b'))).kind).toBe('fresh');
    const gone = await h.state('a');
    expect(gone.state).toBe('not_executed');
    expect(gone.outcome?.error).toMatchObject({ code: 'E_INTERRUPTED', effect: 'none' });
  });

  test('does not replace a dispatched operation of a dead process', async () => {
    const h = new Harness();
    await h.open();
    await h.store.transition('a', ['intent'], 'dispatched', { dispatchedAt: h.clock.now() }, { now: 0, actor: 'p1' });
    await h.clock.pass(100_000);
    expect((await h.process('p2').open(newOperation('b'))).kind).toBe('busy');
  });
});

describe('running', () => {
  test('reads a settled operation once for all who ask', async () => {
    const seen: unknown[] = [];
    const moved: Context['moved'] = async (read, from, to) => {
      if (to !== 'dispatched') seen.push(from, (await read())?.state);
    };
    const h = new Harness({ moved });
    const operation = await h.open();
    const get = vi.spyOn(h.store, 'get');
    const ran = await h.journal.run(
      operation,
      act(async () => receipt()),
    );
    expect(ran.operation.state).toBe('succeeded');
    expect(seen).toEqual([expect.arrayContaining(['dispatched']), 'succeeded']);
    expect(get).toHaveBeenCalledTimes(1);
  });

  test('records the dispatch before the first byte, and the success after a good reply', async () => {
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

  test('sends nothing if the recheck finds other terms', async () => {
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
    expect(ran.operation.outcome?.error).toEqual(told);
  });

  test('reports a failing recheck as an internal error without its cause', async () => {
    const h = new Harness();
    const ran = await h.journal.run(
      await h.open(),
      act(hang, () => Promise.reject(new TypeError('x of undefined'))),
    );
    expect(ran.operation.state).toBe('not_executed');
    expect(ran.error).toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    expect(JSON.stringify(ran.operation)).not.toContain('x of undefined');
  });

  test('sends nothing if the recheck hangs', async () => {
    const h = new Harness();
    const running = h.journal.run(
      await h.open(),
      act(hang, () => new Promise(() => {})),
    );
    await h.clock.pass(30_000);
    expect((await running).operation.state).toBe('not_executed');
    expect((await running).error).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'none' });
  });

  test('sends nothing if the process slept after the recheck', async () => {
    const h = new Harness();
    const sent = act(hang, async () => h.clock.jump(30_001));
    const ran = await h.journal.run(await h.open(), sent);
    expect(sent.sends).toBe(0);
    expect(ran.operation.state).toBe('not_executed');
  });

  test("records the airline's refusal as final", async () => {
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

  test('accepts a refusal in a reply with a good HTTP status', async () => {
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
    ['a 4xx without an effect', error('E_AIRLINE_REPLY', { effect: 'unknown', airline: { status: 418 } })],
  ])('puts an operation in doubt and frees its lease after %s', async (_what, thrown) => {
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
    ["somebody else's receipt", receipt('172.50', 'XYZ789')],
    ['nothing', {}],
  ])('puts an operation in doubt after a good reply with %s', async (_what, evidence) => {
    const h = new Harness();
    const ran = await h.journal.run(
      await h.open(),
      act(async () => evidence),
    );
    expect(ran.operation.state).toBe('in_doubt');
    expect(ran.evidence).toBe(evidence);
  });

  test('keeps a receipt above the approved amount, and waits for a reading', async () => {
    const h = new Harness();
    const ran = await h.journal.run(
      await h.open(),
      act(async () => receipt('999.00')),
    );
    expect(ran.operation).toMatchObject({
      state: 'in_doubt',
      outcome: { receipt: { stated: SAR(99900) }, tickets: [{ number: '9000000001', total: '999.00' }] },
    });
    expect(ran.operation.outcome).not.toHaveProperty('check');
  });

  test('waits for a reading if a reply without a receipt contradicts the operation', async () => {
    const h = new Harness({ rules: { ...evidenceRules, reply: () => 'contradicted' } });
    const ran = await h.journal.run(
      await h.open(),
      act(async () => ({ booking: booking() })),
    );
    expect(ran.operation.state).toBe('in_doubt');
  });

  test('puts an operation in doubt if its evidence cannot be understood', async () => {
    const h = new Harness({ rules: { ...evidenceRules, reply: () => 'done' } });
    const broken = { receipt: { locator: 'ABC123', items: [{}] } } as unknown as Evidence;
    const ran = await h.journal.run(
      await h.open(),
      act(async () => broken),
    );
    expect(ran).toMatchObject({ operation: { state: 'in_doubt' }, error: { code: 'E_INTERNAL', effect: 'unknown' } });
    expect(h.warnings).toContain('an answer could not be made sense of');
  });

  test('reports a failure before the first byte as not carried out', async () => {
    const h = new Harness();
    const sending = { recheck: async () => {}, send: () => Promise.reject(lost()) };
    const ran = await h.journal.run(await h.open(), sending);
    expect(ran).toMatchObject({
      operation: { state: 'not_executed', outcome: { error: { effect: 'none' } } },
      error: { code: 'E_AIRLINE_TIMEOUT', effect: 'none' },
    });
    expect(ran.error?.message).toContain('before anything was sent');
  });

  test('puts an operation in doubt if the evidence breaks a rule', async () => {
    const h = new Harness();
    const broken = { receipt: { locator: 'ABC123', items: [null] } } as unknown as Evidence;
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

  test('ends an operation whose request was never sent, without a second try', async () => {
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

  test('records the locator of the booking that a create made', async () => {
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
