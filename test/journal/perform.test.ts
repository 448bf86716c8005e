import { describe, expect, vi } from 'vitest';
import { newOperation, SAR } from '../store/support/new-operation.ts';
import { booking, CREATE, type Evidence, error, lost, NAMED, paidBooking, receipt, unsent } from './answers.ts';
import { Harness, type Options, test } from './harness.ts';

const hang = () => new Promise<Evidence>(() => {});
const judging = (reply: NonNullable<Options['rules']>['reply']): Options => ({
  rules: { reply, reading: () => 'void' },
});

describe('opening', () => {
  test('opens an operation once, and refuses another one on the same booking', async () => {
    const { journal } = await Harness.open();
    const open = (id: string, over = {}) => journal.open(newOperation(id, over));
    expect(await open('a')).toMatchObject({ kind: 'inserted', operation: { state: 'intent', owner: 'p1' } });
    expect(await open('a')).toMatchObject({ kind: 'exists', operation: { id: 'a' } });
    expect(await open('b')).toMatchObject({ kind: 'busy', operation: { id: 'a' } });
    expect(await open('c', { tenant: 'u' })).toMatchObject({ kind: 'busy', operation: { id: 'a' } });
    expect(await journal.openOn('ABC123')).toMatchObject({ id: 'a' });
    expect(await journal.openOn('XYZ789')).toBeUndefined();
  });

  test('reads a booking on behalf of the caller of the operation', async ({ h }) => {
    const read = async (locator: string) => booking({ locator });
    const readerFor = vi.fn(() => ({ read }));
    const operation = await h.open({ caller: 'ann' });
    expect(await h.process('p2', { readerFor }).bookingOf(operation, 'XYZ789')).toMatchObject({ locator: 'XYZ789' });
    expect(readerFor).toHaveBeenCalledWith(expect.objectContaining({ caller: 'ann' }));
  });

  test('applies the daily limit when opening an operation', async () => {
    const { journal } = await Harness.open();
    const limit = { perDay: SAR(100), since: 0 };
    expect(await journal.open(newOperation('a'), limit)).toEqual({ kind: 'over_limit', spent: SAR(0) });
  });

  test('replaces an unsent operation of a dead process when its lease is over', async ({ h }) => {
    await h.open();
    const other = h.process('p2');
    await h.clock.pass(59_999);
    expect((await other.open(newOperation('b'))).kind).toBe('busy');
    await h.clock.pass(1);
    expect((await other.open(newOperation('b'))).kind).toBe('inserted');
    const error = { code: 'E_INTERRUPTED', effect: 'none' };
    expect(await h.entry('a')).toMatchObject({ state: 'not_executed', outcome: { error } });
  });

  test('does not replace a dispatched operation of a dead process', async ({ h }) => {
    await h.open();
    await h.move('intent', 'dispatched', { dispatchedAt: h.clock.now() });
    await h.clock.pass(100_000);
    expect((await h.process('p2').open(newOperation('b'))).kind).toBe('busy');
  });
});

describe('running', () => {
  test('shows an operation to all who ask as its move left it, and reads it for nobody', async () => {
    const seen: unknown[] = [];
    const moved: Options['moved'] = async (read, from, to) => {
      if (to !== 'dispatched') seen.push(from, (await read())?.state);
    };
    const h = await Harness.open({ moved });
    const get = vi.spyOn(h.store, 'get');
    await h.send();
    expect(seen).toEqual([expect.arrayContaining(['dispatched']), 'succeeded']);
    expect(get).not.toHaveBeenCalled();
  });

  test('keeps nothing of a reply that names no booking', async ({ h }) => {
    const keepNamed = vi.spyOn(h.store, 'keepNamed');
    const ran = await h.send(async (dispatch) => {
      await dispatch.keep([]);
      return receipt();
    });
    expect([ran.operation.state, keepNamed.mock.calls]).toEqual(['succeeded', []]);
  });

  test('records the dispatch before the first byte, and the success after a good reply', async ({ h }) => {
    const estimate = { amount: SAR(1), penalty: SAR(2), rule: 'r' };
    const answer = async (dispatch: Parameters<ReturnType<Harness['act']>['sendConfirmed']>[0]) => {
      expect(await h.entry()).toMatchObject({ state: 'dispatched', dispatchedAt: h.clock.now() });
      await dispatch.keep(NAMED);
      expect(await h.store.named('a')).toEqual(NAMED);
      return receipt();
    };
    const ran = await h.send(answer, { outcome: { estimate } });
    expect(ran).toMatchObject({ operation: { state: 'succeeded' }, evidence: receipt() });
    expect(ran.operation.leaseUntil).toBeGreaterThan(h.clock.now());
    expect(ran.error).toBeUndefined();
    const tickets = [{ number: '9000000001', total: '172.50' }];
    expect(ran.operation.outcome).toEqual({ basis: 'reply', estimate, tickets });
    expect(await h.store.named('a')).toEqual([]);
    expect(h.clock.sleepers).toBe(0);
  });

  test('sends nothing if the recheck finds other terms', async ({ h }) => {
    const ran = await h.send(hang, {}, () => Promise.reject(error('E_APPROVAL_STALE', { changed: ['new'] })));
    expect(h.sends).toBe(0);
    expect(ran).toMatchObject({ operation: { state: 'not_executed' }, error: { code: 'E_APPROVAL_STALE' } });
    const told = { message: 'what happened', next: 'do this', effect: 'none', retry: 'never' };
    expect(ran.operation.outcome?.error).toEqual({ code: 'E_APPROVAL_STALE', ...told });
  });

  test('sends nothing if the recheck fails, hangs or is followed by a sleep, and names no cause', async () => {
    const cause = new TypeError('x of undefined');
    const h = await Harness.open();
    const failed = await h.send(hang, {}, () => Promise.reject(cause));
    expect(failed.error).toMatchObject({ code: 'E_INTERNAL', effect: 'none', cause });
    expect(JSON.stringify(failed.operation)).not.toContain('x of undefined');
    const hanging = await Harness.open();
    const running = hanging.send(hang, {}, () => new Promise(() => {}));
    await hanging.clock.pass(30_000);
    expect((await running).error).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'none' });
    const slept = await Harness.open();
    const late = await slept.send(hang, {}, async () => slept.clock.jump(30_001));
    for (const ran of [failed, await running, late]) expect(ran.operation.state).toBe('not_executed');
    expect([h.sends, hanging.sends, slept.sends]).toEqual([0, 0, 0]);
  });

  test.each([
    ['with a status', { status: 422, code: '167' }],
    ['with the last status of a refusal', { status: 499 }],
    ['in a reply with a good HTTP status', { code: '73' }],
  ])("records the airline's refusal as final: %s", async (_what, airline) => {
    const h = await Harness.open();
    const ran = await h.send(error('E_TOO_LATE', { airline }));
    expect(ran).toMatchObject({
      operation: { state: 'refused', outcome: { error: { code: 'E_TOO_LATE', airline } } },
      error: { code: 'E_TOO_LATE' },
    });
  });

  test.each<[string, Error]>([
    ['a lost answer', lost()],
    ['a failure of our own', new Error('bug')],
    ['an error that says `none` by default, though the byte had left', error('E_AIRLINE_REPLY')],
    ['a 500 taken for a refusal', error('E_AIRLINE_DOWN', { airline: { status: 500 } })],
    ['a 408 taken for a refusal', error('E_AIRLINE_TIMEOUT', { airline: { status: 408 } })],
    ['a 4xx without an effect', error('E_AIRLINE_REPLY', { effect: 'unknown', airline: { status: 418 } })],
  ])('puts an operation in doubt and frees its lease after %s', async (_what, thrown) => {
    const h = await Harness.open();
    const ran = await h.send(thrown);
    expect(ran.operation).toMatchObject({ state: 'in_doubt', leaseUntil: h.clock.now() });
    expect(ran.error).toMatchObject('code' in thrown ? {} : { code: 'E_INTERNAL', effect: 'unknown' });
    expect(ran.operation.outcome?.error).toBeUndefined();
  });

  test.each<[string, Evidence, Options]>([
    ["somebody else's receipt", receipt('172.50', 'XYZ789'), {}],
    ['nothing', {}, {}],
    ['a booking that contradicts it', { booking: booking() }, judging(() => 'contradicted')],
  ])('puts an operation in doubt after a good reply with %s', async (_what, evidence, options) => {
    const h = await Harness.open(options);
    expect(await h.send(evidence)).toMatchObject({ operation: { state: 'in_doubt' }, evidence });
  });

  test('reads the booking at once after a receipt that says nothing', async ({ h }) => {
    h.shown = paidBooking();
    const { operation } = await h.send({ receipt: { locator: 'ABC123', references: [], items: [] } });
    expect(operation).toMatchObject({ state: 'succeeded', outcome: { basis: 'read' } });
  });

  test('keeps a receipt above the approved amount, and waits for a reading', async ({ h }) => {
    const { operation } = await h.send(receipt('999.00'));
    expect(operation).toMatchObject({
      state: 'in_doubt',
      outcome: { receipt: { stated: SAR(99900) }, tickets: [{ number: '9000000001', total: '999.00' }] },
    });
    expect(operation.outcome).not.toHaveProperty('check');
  });

  test('puts an operation in doubt if its evidence cannot be understood, or breaks a rule', async () => {
    const h = await Harness.open(judging(() => 'done'));
    const broken = (item: unknown) => ({ receipt: { locator: 'ABC123', items: [item] } }) as unknown as Evidence;
    const ran = await h.send(broken({}));
    expect(ran).toMatchObject({ operation: { state: 'in_doubt' }, error: { code: 'E_INTERNAL', effect: 'unknown' } });
    expect(h.warnings).toContain('an answer could not be made sense of');
    const other = await Harness.open();
    expect((await other.send(broken(null))).operation.state).toBe('in_doubt');
    expect(other.warnings).toContain('the evidence could not be judged');
  });

  test.each([
    ['a lost answer', lost(), 'E_AIRLINE_TIMEOUT', 'It failed before anything was sent. Nothing was done.'],
    ['a request that was not sent', unsent(), 'E_AIRLINE_DOWN', 'what happened'],
  ])(
    'reports %s before the first byte as not carried out, without a second try',
    async (_what, thrown, code, message) => {
      const h = await Harness.open();
      const send = vi.fn(() => Promise.reject(thrown));
      const ran = await h.journal.execute(await h.open(), { recheck: async () => {}, sendConfirmed: send });
      expect(send).toHaveBeenCalledTimes(1);
      const error = { code, effect: 'none' };
      expect(ran).toMatchObject({
        operation: { state: 'not_executed', outcome: { error } },
        error: { ...error, message },
      });
    },
  );

  test('records the locator of the booking that a create made', async ({ h }) => {
    const { operation } = await h.send({ booking: booking({ locator: 'NEW123' }) }, CREATE);
    expect(operation).toMatchObject({ state: 'succeeded', locator: 'NEW123', outcome: { locator: 'NEW123' } });
  });
});

describe('a recheck that is worth another one', () => {
  const busy = () => error('E_AIRLINE_BUSY');

  test('is made again after its wait, and keeps the lease meanwhile', async () => {
    const h = await Harness.open({ ending: undefined });
    let rechecks = 0;
    const act = {
      ...h.act(async () => receipt()),
      async recheck() {
        if (++rechecks < 3) throw busy();
      },
      waitMs: async () => 90_000,
    };
    const running = h.journal.execute(await h.open(), act);
    await h.clock.pass(179_999);
    await h.process('p2').reconcile();
    expect([rechecks, (await h.entry()).state]).toEqual([2, 'intent']);
    await h.clock.pass(1);
    expect([rechecks, (await running).operation.state]).toEqual([3, 'succeeded']);
  });

  test('is given up when the process ends', async () => {
    const ending = new AbortController();
    const h = await Harness.open({ ending: ending.signal });
    const act = {
      ...h.act(async () => receipt()),
      recheck: () => Promise.reject(busy()),
      waitMs: async () => 90_000,
    };
    const running = h.journal.execute(await h.open(), act);
    await h.clock.pass(1_000);
    ending.abort();
    const { operation, error: told } = await running;
    expect([operation.state, told?.code]).toEqual(['not_executed', 'E_AIRLINE_BUSY']);
  });
});
