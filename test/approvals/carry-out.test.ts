/**
 * From the yes to the airline: sends once, on the approved terms, and reports only what is known.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { isConfirmed } from '../../src/approvals/confirmed.ts';
import { handleHash } from '../../src/approvals/digest.ts';
import { type SaidPart, saidLimit } from '../../src/domain/facts/said.ts';
import { receipt } from '../journal/answers.ts';
import { error, lost, refused } from '../journal/harness.ts';
import { expectGolden } from '../support/golden.ts';
import {
  ANN,
  CallHarness,
  errorText,
  idOf,
  listed,
  page,
  payTerms,
  refusal,
  replacing,
  SAR,
  statusOf,
  textOf,
  YES,
} from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});

/** Asks and says yes in the dialog. */
async function pay() {
  const { handle } = await desk.ask();
  return { handle, paid: desk.answer(handle, YES) };
}

describe('a question that an earlier version asked', () => {
  /** It does not keep what a yes binds. */
  function asKeptBefore() {
    const { approvals } = desk.state;
    const get = approvals.get.bind(approvals);
    replacing(approvals, 'get').mockImplementation(async (hash) => {
      const found = await get(hash);
      return found?.carried === undefined
        ? found
        : { ...found, carried: { ...(found.carried as object), bound: undefined } };
    });
  }

  test.each(['before the update', 'after it'])('is not carried out by a yes that came %s', async (when) => {
    const { handle } = await desk.ask();
    if (when === 'after it') asKeptBefore();
    const hash = handleHash(handle);
    if (when === 'before the update') {
      await desk.state.approvals.decide(hash, { decision: 'granted', assurance: 'person' }, desk.clock.now());
      asKeptBefore();
    }
    const answered = when === 'after it' ? desk.answer(handle, YES) : desk.call({}, handle);
    const { code, changed } = await refusal(answered);
    expect([code, changed]).toEqual(['E_APPROVAL_STALE', [expect.stringContaining('earlier version')]]);
    expect(desk.sends).toBe(0);
  });
});

describe('what a reading left out before a send', () => {
  const LIMIT = saidLimit('until when it can be cancelled', '2026-12-01T08:00:00Z');

  const termsWith = (...said: readonly SaidPart[]) => {
    const { sections, ...terms } = payTerms();
    return {
      ...terms,
      sections: [
        ...sections,
        { kind: 'note' as const, lines: said.map(({ as }) => as), said: said.map((part) => [part]) },
      ],
    };
  };

  /** Asks with the limit, and says yes when it is missing. */
  async function refuseOnce() {
    desk.terms = termsWith(LIMIT);
    const { handle } = await desk.ask();
    desk.terms = termsWith();
    expect(await refusal(desk.answer(handle, YES))).toMatchObject({ code: 'E_APPROVAL_STALE' });
    expect(desk.sends).toBe(0);
  }

  test.each<[string, SaidPart[], SaidPart[]]>([
    ['is there again', [], [LIMIT]],
    ['is missing again', [LIMIT], []],
  ])('is said by the next question, whose yes counts where it %s', async (_, asked, now) => {
    await refuseOnce();
    desk.terms = termsWith(...asked);
    const { handle, message } = await desk.ask();
    expect(message).toContain("The airline's reading before the last send left out until when it can be cancelled.");

    desk.terms = termsWith(...now);
    await desk.during(10, desk.answer(handle, YES));
    expect(desk.sends).toBe(1);
  });

  test('is no excuse for another limit', async () => {
    await refuseOnce();
    desk.terms = termsWith(LIMIT);
    const { handle } = await desk.ask();
    desk.terms = termsWith({ ...LIMIT, value: '2026-11-30T08:00:00Z' } as SaidPart);
    expect(await refusal(desk.answer(handle, YES))).toMatchObject({ code: 'E_APPROVAL_STALE' });
  });

  test('is forgotten after an hour', async () => {
    await refuseOnce();
    desk.terms = termsWith(LIMIT);
    await desk.clock.pass(2 * 60 * 60_000);
    expect((await desk.ask()).message).not.toContain('left out');
  });
});

describe('sending', () => {
  test('sends the approved terms, sealed, under the operation of the approval', async () => {
    const confirmed: unknown[] = [];
    desk.tool = {
      commit: async (given) => {
        given.dispatch.mayStart();
        confirmed.push(given);
        return { receipt: { locator: 'ABC123', references: [], items: [] } };
      },
    };
    await desk.during(10, (await pay()).paid);
    expect(confirmed).toMatchObject([{ send: { order: 1 }, operationId: (await desk.newest())?.id }]);
    const [real] = confirmed as [{ operationId: string; constructor: new (...args: unknown[]) => unknown }];
    expect(isConfirmed(real)).toBe(true);
    // Nothing else is: no copy, no look-alike, and nobody else can make one.
    const kind = Object.getPrototypeOf(real);
    const fields = { send: { order: 1 }, operationId: 'op' };
    const fakes = [{ ...real }, structuredClone(fields), Object.create(kind), Object.setPrototypeOf(fields, kind)];
    for (const value of [...fakes, new Proxy(real, {}), undefined, null, 1, 'op', {}, []])
      expect(isConfirmed(value)).toBe(false);
    expect(() => Object.assign(real, { operationId: 'other' })).toThrow(TypeError);
    expect(() => new real.constructor(Symbol('mint'), {}, 'op', {})).toThrow('only approvals confirm');
    expect(() => Reflect.construct(real.constructor, [{}, 'op', {}])).toThrow('only approvals confirm');
  });

  test('keeps track of a slow send until it ends, and reports it as pending', async () => {
    const sent = Promise.withResolvers<void>();
    desk.reply = async () => {
      await sent.promise;
      throw lost();
    };
    desk.set({ answerMs: 100 });
    const { paid, handle } = await pay();
    const pending = await desk.during(200, paid);
    expect(pending).toMatchObject({
      structured: { status: 'pending', approval: { id: handle }, booking: { locator: 'ABC123' } },
    });
    expect(textOf(pending)).toContain(`and approval_id ${handle}, then once a minute. Nothing is sent twice.`);
    expect(desk.runtime.inFlight.size).toBe(1);
    sent.resolve();
    await desk.clock.pass(1);
    expect(desk.runtime.inFlight.size).toBe(0);
    const doubt = await desk.during(2_000, desk.result({}, handle));
    expect(doubt.text).toMatch(/^OUTCOME NOT KNOWN YET: no answer of the airline settles it|^No answer settled it/);
    expect(desk.sends).toBe(1);
  });

  test('says of a slow send that it may be done if the store cannot be read', async () => {
    desk.reply = () => new Promise(() => undefined);
    desk.set({ answerMs: 100 });
    const { paid } = await pay();
    void paid.catch(() => undefined);
    await desk.clock.pass(50);
    replacing(desk.state.operations, 'get').mockRejectedValue(new Error('the store is away'));
    const pending = await desk.during(100, paid);
    expect(statusOf(pending)).toBe('pending');
    expect(textOf(pending)).toMatch(/^OUTCOME NOT KNOWN YET: the airline has not answered/);
  });

  test('says of an answer that the store does not take that it cannot be recorded now, and not that there is none', async () => {
    const answered = Promise.withResolvers<void>();
    desk.reply = async () => {
      await answered.promise;
      return receipt();
    };
    desk.set({ answerMs: 5_000 });
    const { paid, handle } = await pay();
    void paid.catch(() => undefined);
    await desk.clock.pass(50);
    const { operations } = desk.state;
    const away = [replacing(operations, 'get'), replacing(operations, 'transition')];
    for (const one of away) one.mockRejectedValue(new Error('the store is away'));
    answered.resolve();
    const pending = await desk.during(6_000, paid);
    expect(statusOf(pending)).toBe('pending');
    expect(textOf(pending)).toMatch(
      /^OUTCOME NOT KNOWN YET: the airline is done with it, and the outcome cannot be recorded now/,
    );
    for (const one of away) one.mockRestore();
    expect(statusOf(await desk.during(3_000, desk.result({}, handle)))).toBe('done');
    expect(desk.sends).toBe(1);
  });

  test('keeps no caller waiting for a store that hangs', async () => {
    desk.reply = () => new Promise(() => undefined);
    desk.set({ answerMs: 100 });
    const { paid } = await pay();
    void paid.catch(() => undefined);
    await desk.clock.pass(50);
    replacing(desk.state.operations, 'get').mockImplementation(() => new Promise(() => undefined));
    expect(statusOf(await desk.during(1_200, paid))).toBe('pending');
  });

  test('says that nothing was sent if the store goes away before the dispatch and stays away', async () => {
    const { paid } = await pay();
    replacing(desk.state.operations, 'transition').mockRejectedValue(new Error('the store is away'));
    expect(await refusal(desk.during(8_000, paid))).toMatchObject({ code: 'E_STATE_DOWN', effect: 'none' });
    expect(desk.sends).toBe(0);
  });

  test("throws the airline's refusal, also to the next call", async () => {
    desk.reply = () => Promise.reject(refused());
    const { paid, handle } = await pay();
    const told = { code: 'E_PAYMENT_DECLINED', message: 'what happened', effect: 'none' };
    expect(await refusal(paid)).toMatchObject(told);
    expect(await refusal(desk.call({}, handle))).toMatchObject(told);
    expect((await desk.state.approvals.byOperation((await desk.newest())?.id ?? ''))?.carried).toBeUndefined();
  });

  test('sends nothing before the terms were read again', async () => {
    replacing(desk.runtime.journal, 'execute').mockImplementation(async (operation, act) => {
      await act.sendConfirmed({ mayStart: () => true, keep: async () => undefined });
      return { operation };
    });
    await expect((await pay()).paid).rejects.toThrow('sent before the terms were read again');
    expect(desk.sends).toBe(0);
  });
});

describe('the second reading', () => {
  test('sends nothing if the limit is lower by now', async () => {
    const { handle } = await desk.ask();
    desk.set({ limits: { perAction: SAR(1) } });
    expect(await refusal(desk.answer(handle, YES))).toMatchObject({ code: 'E_LIMIT' });
    expect(desk.sends).toBe(0);
  });

  test.each<[string, (handleHash: string) => Promise<unknown>, string]>([
    [
      'a no took back the yes',
      (hash) => desk.state.approvals.takeBack(hash, { assurance: 'person' }, desk.clock.now()),
      'E_APPROVAL_DECLINED',
    ],
    ['the yes was spent', (hash) => desk.state.approvals.makeVoid(hash, 'not_done'), 'E_APPROVAL_EXPIRED'],
  ])('sends nothing after %s', async (_, change, code) => {
    const { handle } = await desk.ask();
    const { journal } = desk.runtime;
    const { execute } = journal;
    replacing(journal, 'execute').mockImplementation(async (operation, act) => {
      await change((await desk.state.approvals.byOperation(operation.id))?.handleHash ?? '');
      return execute(operation, act);
    });
    expect(await refusal(desk.answer(handle, YES))).toMatchObject({ code, effect: 'none' });
    expect(desk.sends).toBe(0);
  });
});

describe('a yes that the journal does not accept', () => {
  test.each<[string, (handle: string) => unknown, RegExp]>([
    [
      'another operation of the booking is open',
      () => desk.operation('other', 'dispatched', { caller: 'bob', tool: 'cancel_segment' }),
      /outcome is not known yet \(cancellation\)/,
    ],
    [
      'the daily limit would be exceeded',
      () => {
        desk.set({ limits: { perDay: SAR(20000) } });
        return desk.operation('earlier', 'succeeded', { locator: 'OTHER1', caller: ANN.id, amount: SAR(17250) });
      },
      /^SAR 172\.50 was moved in the last 24/,
    ],
    ['sending is paused', () => desk.state.chain.pause('audit', 'ops', desk.clock.now()), /paused sending/],
  ])('is spent if %s', async (_, prepare, message) => {
    const { handle } = await desk.ask();
    await prepare(handle);
    expect((await refusal(desk.answer(handle, YES))).message).toMatch(message);
    await desk.state.chain.resume('ops', desk.clock.now());
    desk.set({ limits: {} });
    expect(await refusal(desk.call({}, handle))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    expect(desk.sends).toBe(0);
  });

  test('is kept if the store cannot enter it', async () => {
    const { handle } = await desk.ask();
    const insert = replacing(desk.state.operations, 'insert').mockRejectedValueOnce(
      error('E_INTERNAL', { effect: 'none' }),
    );
    expect(await refusal(desk.answer(handle, YES))).toMatchObject({ code: 'E_INTERNAL' });
    insert.mockRejectedValueOnce(new Error('broken'));
    await expect(desk.call({}, handle)).rejects.toThrow('unsent');
    expect(statusOf(await desk.call({}, handle))).toBe('done');
  });

  test('returns the outcome if another process carried it out', async () => {
    const { handle } = await desk.ask();
    const approval = await desk.waiting();
    await desk.operation(approval?.operationId ?? '', 'succeeded', {}, { outcome: { basis: 'reply' } });
    // The other process enters it after this call checked and before it enters its own.
    replacing(desk.state.operations, 'get').mockResolvedValueOnce(undefined);
    expect(statusOf(await desk.answer(handle, YES))).toBe('done');
    expect(desk.sends).toBe(0);
  });

  test('returns the outcome of one spent meanwhile, or refuses the approval as invalid', async () => {
    const { handle } = await desk.ask();
    const approval = await desk.waiting();
    if (approval === undefined) throw new Error('none');
    const { carried: _, ...spent } = { ...approval, decision: 'granted' as const };
    const approvals = replacing(desk.state.approvals, 'get').mockResolvedValueOnce(spent);
    expect(await refusal(desk.call({}, handle))).toMatchObject({ code: 'E_APPROVAL_INVALID' });
    approvals.mockResolvedValueOnce(spent);
    await desk.operation(approval.operationId, 'succeeded', {}, { outcome: { basis: 'reply' } });
    replacing(desk.state.operations, 'get').mockResolvedValueOnce(undefined);
    expect(statusOf(await desk.call({}, handle))).toBe('done');
  });
});

type Entered = Parameters<CallHarness['operation']> extends [string, ...infer R] ? R : never;

/** Asks, and another process moves the operation to a state. What the next call answers. */
async function ended(it: CallHarness, ...entered: Entered): Promise<string> {
  const { handle } = await it.ask();
  await it.operation((await it.waiting())?.operationId ?? '', ...entered);
  return it.call({}, handle).then((answer) => textOf(answer).replaceAll(handle, 'ap_1'), errorText);
}

test('shows an operation that succeeded without the booking if that cannot be read', async () => {
  desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
  const text = await ended(desk, 'succeeded', {}, { outcome: { basis: 'reply' } });
  expect(text).toBe('Booking ABC123 could not be read back just now.\nPaid.');
  expect([desk.remembered, desk.done[0]?.booking]).toEqual([[], undefined]);
});

test('tells the caller in words what became of an operation', async () => {
  const cases: Record<string, string> = {};
  const end = async (title: string, ...entered: Entered) => {
    const it = await CallHarness.open();
    const tool = entered[1]?.tool;
    it.tool = { tool: tool ?? 'pay_booking', effect: tool ? 'hold' : 'commit' };
    it.set({ waitMs: 0 });
    cases[title] = await ended(it, ...entered);
  };
  const dispatchedAt = desk.clock.now();
  const stale = { code: 'E_APPROVAL_STALE', message: 'm', next: 'n', effect: 'none', retry: 'never' };
  await end('entered', 'intent');
  await end('sent', 'dispatched', {}, { dispatchedAt });
  await end('in doubt', 'in_doubt', {}, { dispatchedAt, lastReadAt: dispatchedAt });
  const inPart = { dispatchedAt, outcome: { shows: 'It is paid, and not all its tickets are issued yet.' } };
  await end('done in part', 'in_doubt', {}, inPart);
  await end('a person must check', 'needs_person', {}, { outcome: { check: 'Look at the tickets.' } });
  await end('a person must check, and the journal says no more', 'needs_person');
  await end('closed by a person', 'resolved');
  await end('closed by a person at a time', 'resolved', {}, { outcome: { resolved: { by: 'ops', at: 0, note: '' } } });
  await end('a create that was closed by a person', 'resolved', { tool: 'create_booking' });
  await end('not carried out', 'not_executed');
  await end('a hold that was not carried out', 'not_executed', { tool: 'create_booking' });
  await end('not carried out, because the terms changed', 'not_executed', {}, { outcome: { error: stale } });
  const scenes: Record<string, string> = { 'an operation, by its state': listed(cases) };
  const ask = async (title: string, settings: Partial<CallHarness['settings']>) => {
    const it = await CallHarness.open();
    it.set(settings);
    const asked = await it.call();
    scenes[title] = textOf(asked).replace(idOf(asked), 'ap_1');
    return async () => textOf(await it.call({}, idOf(asked)));
  };
  await ask('asked on a page here', { page: page() });
  await ask('asked on a page that anybody may open', { page: page({ publicUrl: 'https://desk.example/approve/1' }) });
  await ask('asked in a terminal, because no page opened', { page: page({ opened: false }) });
  const echo = await ask('asked by nobody in the sandbox', { environment: 'sandbox' });
  const live = await ask('asked by nobody on a live airline', { approval: 'echo' });
  scenes['done by the word of the assistant'] = `${await echo()}\n${await live()}`;
  await expectGolden('results/approvals', scenes);
});
