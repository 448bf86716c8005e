/**
 * From the yes to the airline: sends once, on the approved terms, and reports only what is known.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isConfirmed } from '../../src/approvals/confirmed.ts';
import { ClerkError } from '../../src/errors.ts';
import { error, lost, refused, SETTLE } from '../journal/harness.ts';
import { ANN, accept, booking, CallHarness, payTerms, refusal, replacing, SAR, statusOf } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});
afterEach(() => desk.state.close());

const YES = accept('Pay SAR 172.50');

/** Asks and says yes in the dialog. */
async function pay() {
  const asked = await desk.ask();
  return { handle: asked.handle, paid: desk.answer(asked.handle, YES) };
}

describe('sending', () => {
  test('sends the approved terms, sealed, under the operation of the approval', async () => {
    const confirmed: unknown[] = [];
    desk.tool = {
      send: async (given) => {
        given.dispatch.mayStart();
        confirmed.push(given);
        return { receipt: { locator: 'ABC123', references: [], items: [] } };
      },
    };
    await desk.during(10, (await pay()).paid);
    const [operation] = await desk.state.operations.list({});
    expect(confirmed).toMatchObject([{ terms: { order: 1 }, operationId: operation?.id }]);
    expect(isConfirmed(confirmed[0])).toBe(true);
  });

  test('keeps track of a slow send until it ends, and reports it as pending', async () => {
    const sent = Promise.withResolvers<void>();
    desk.reply = async () => {
      await sent.promise;
      throw lost();
    };
    desk.settings = { ...desk.settings, answerMs: 100 };
    const { paid, handle } = await pay();
    const pending = await desk.during(200, paid);
    expect(pending).toMatchObject({
      structured: { status: 'pending', booking: { locator: 'ABC123', state: 'unknown' } },
      text: expect.stringMatching(/^OUTCOME NOT KNOWN YET: the airline has not answered\./),
    });
    expect(pending.kind === 'result' && pending.text).toContain(
      `and approval_id ${handle}; it will not be sent twice.`,
    );
    expect(pending.kind === 'result' && pending.text).toMatch(/\nOperation 0.*1 on ABC123\.$/);
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
    desk.settings = { ...desk.settings, answerMs: 100 };
    const { paid } = await pay();
    const get = desk.state.operations.get.bind(desk.state.operations);
    let blind = false;
    replacing(desk.state.operations, 'get').mockImplementation(async (id) => {
      if (blind) throw new Error('the store is away');
      return get(id);
    });
    void paid.catch(() => undefined);
    await desk.clock.pass(50);
    blind = true;
    expect(await desk.during(100, paid)).toMatchObject({
      structured: { status: 'pending' },
      text: expect.stringMatching(/^OUTCOME NOT KNOWN YET: /),
    });
  });

  test('says that nothing was sent if the store goes away before the dispatch and stays away', async () => {
    const { paid } = await pay();
    replacing(desk.state.operations, 'transition').mockRejectedValue(new Error('the store is away'));
    expect(await refusal(desk.during(8_000, paid))).toMatchObject({ code: 'E_INTERNAL', effect: 'none' });
    expect(desk.sends).toBe(0);
  });

  test('settles an operation without an answer by reading, and says so', async () => {
    desk.reply = () => Promise.reject(lost());
    const { paid, handle } = await pay();
    expect(statusOf(await paid)).toBe('pending');
    const done = await desk.during(2_000, desk.result({}, handle));
    expect(done).toMatchObject({ structured: { status: 'done' } });
    expect(done.text).toBe('No answer settled it; the booking read back shows it was done.\nPaid.');
  });

  test("throws the airline's refusal, also to the next call", async () => {
    desk.reply = () => Promise.reject(refused());
    const { paid, handle } = await pay();
    expect(await refusal(paid)).toMatchObject({ code: 'E_PAYMENT_DECLINED', effect: 'none' });
    expect(await refusal(desk.call({}, handle))).toMatchObject({
      code: 'E_PAYMENT_DECLINED',
      message: 'what happened',
    });
    expect((await desk.state.approvals.byOperation((await desk.state.operations.list({}))[0]?.id ?? ''))?.carried).toBe(
      undefined,
    );
  });

  test('reports a payment that readings show was not carried out', async () => {
    desk.reply = () => Promise.reject(lost());
    desk.shown = async () => booking();
    const { paid, handle } = await pay();
    await paid;
    desk.settings = { ...desk.settings, waitMs: 2 * SETTLE };
    const failed = await refusal(desk.during(2 * SETTLE, desk.call({}, handle)));
    expect(failed).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', effect: 'none' });
  });

  test('throws the original error if something fails after the send', async () => {
    desk.terms = payTerms({ ask: false });
    const broken = new Error('no words');
    desk.tool = { show: () => Promise.reject(broken) };
    await expect(desk.call()).rejects.toBe(broken);
    expect(desk.sends).toBe(1);
  });

  test('sends nothing before the terms were read again', async () => {
    const { journal } = desk.runtime;
    const run = replacing(journal, 'run');
    run.mockImplementation(async (operation, act) => {
      await act.send({ mayStart: () => true, keep: async () => undefined });
      return { operation };
    });
    const { paid } = await pay();
    await expect(paid).rejects.toThrow('sent before the terms were read again');
    expect(desk.sends).toBe(0);
  });
});

describe('the second reading', () => {
  test('sends nothing if the terms changed, and shows the new ones', async () => {
    const asked = await desk.ask();
    desk.terms = payTerms({ sections: [{ kind: 'act', lines: ['Pay SAR 999.00'] }], act: 'Pay SAR 999.00' });
    const stale = await refusal(desk.answer(asked.handle, YES));
    expect(stale).toMatchObject({ code: 'E_APPROVAL_STALE', terms: ['Pay SAR 999.00'] });
    expect(await refusal(desk.call({}, asked.handle))).toMatchObject({
      code: 'E_APPROVAL_STALE',
      terms: ['Pay SAR 999.00'],
    });
    expect(desk.sends).toBe(0);
  });

  test('sends nothing if the limit is lower by now', async () => {
    const asked = await desk.ask();
    desk.settings = { ...desk.settings, limits: { perAction: SAR(1) } };
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({ code: 'E_LIMIT' });
    expect(desk.sends).toBe(0);
  });

  test('sends nothing after a no took back the yes', async () => {
    const asked = await desk.ask();
    const { journal } = desk.runtime;
    const run = journal.run;
    replacing(journal, 'run').mockImplementation(async (operation, act) => {
      const approval = await desk.state.approvals.byOperation(operation.id);
      await desk.state.approvals.revoke(approval?.handleHash ?? '');
      return run(operation, act);
    });
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    expect(desk.sends).toBe(0);
  });
});

describe('a yes that the journal does not accept', () => {
  test('spends a yes if another operation of the booking is open', async () => {
    const asked = await desk.ask();
    await desk.operation('other', 'dispatched', { caller: 'bob', tool: 'cancel_segment' });
    const busy = await refusal(desk.answer(asked.handle, YES));
    expect(busy.message).toContain('outcome is not known yet (cancel_segment)');
    expect(await refusal(desk.call({}, asked.handle))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  });

  test('spends a yes if the daily limit would be exceeded', async () => {
    const asked = await desk.ask();
    desk.settings = { ...desk.settings, limits: { perDay: SAR(20000) } };
    await desk.operation('earlier', 'succeeded', { locator: 'OTHER1', caller: ANN.id, amount: SAR(17250) });
    expect((await refusal(desk.answer(asked.handle, YES))).message).toMatch(/^SAR 172\.50 was moved in the last 24/);
    expect(await refusal(desk.call({}, asked.handle))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  });

  test('spends a yes that comes while sending is paused', async () => {
    const asked = await desk.ask();
    await desk.state.chain.pause('audit', 'ops', desk.clock.now());
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({ code: 'E_NOT_PERMITTED' });
    await desk.state.chain.resume('ops', desk.clock.now());
    expect(await refusal(desk.call({}, asked.handle))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    expect(desk.sends).toBe(0);
  });

  test('keeps a yes if the store cannot say whether sending is stopped', async () => {
    const asked = await desk.ask();
    const status = replacing(desk.state.chain, 'status');
    status.mockRejectedValueOnce(new ClerkError('E_INTERNAL', 'The file is gone.', { next: 'x', effect: 'none' }));
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({ code: 'E_INTERNAL' });
    status.mockRejectedValueOnce(new Error('broken'));
    await expect(desk.call({}, asked.handle)).rejects.toThrow('unsent');
    expect(statusOf(await desk.call({}, asked.handle))).toBe('done');
  });

  test('returns the outcome if another process carried out the yes', async () => {
    const asked = await desk.ask();
    const approval = await desk.waiting();
    await desk.operation(approval?.operationId ?? '', 'succeeded', {}, { outcome: { basis: 'reply' } });
    // The other process enters it after this call checked and before it enters its own.
    replacing(desk.state.operations, 'get').mockResolvedValueOnce(undefined);
    expect(statusOf(await desk.answer(asked.handle, YES))).toBe('done');
    expect(desk.sends).toBe(0);
  });

  test('returns the outcome of a yes spent meanwhile, or refuses the approval as invalid', async () => {
    const asked = await desk.ask();
    const approval = await desk.waiting();
    if (approval === undefined) throw new Error('none');
    const { carried: _, ...spent } = { ...approval, decision: 'granted' as const };
    const approvals = replacing(desk.state.approvals, 'get');
    approvals.mockResolvedValueOnce(spent);
    expect(await refusal(desk.call({}, asked.handle))).toMatchObject({ code: 'E_APPROVAL_INVALID' });
    approvals.mockResolvedValueOnce(spent);
    await desk.operation(approval.operationId, 'succeeded', {}, { outcome: { basis: 'reply' } });
    replacing(desk.state.operations, 'get').mockResolvedValueOnce(undefined);
    expect(statusOf(await desk.call({}, asked.handle))).toBe('done');
  });
});

describe('an operation with another end', () => {
  /** An approval whose operation another process moved to a state. */
  async function ended(
    ...[to, over, patch]: Parameters<CallHarness['operation']> extends [string, ...infer R] ? R : never
  ) {
    const asked = await desk.ask();
    const approval = await desk.waiting();
    await desk.operation(approval?.operationId ?? '', to, over, patch);
    return { handle: asked.handle, id: approval?.operationId ?? '' };
  }

  test("says STOP if a person must check, with the journal's instruction or a general one", async () => {
    const { handle, id } = await ended('needs_person', {}, { outcome: { check: 'Look at the tickets.' } });
    const stop = await desk.result({}, handle);
    expect(stop.structured).toMatchObject({ status: 'needs_person', operation_id: id });
    expect(stop.text).toMatch(/^STOP: a person must check\..*\nLook at the tickets\.\nTell the user exactly this\. Op/);
    const other = await CallHarness.open();
    const asked = await other.ask();
    const approval = await other.waiting();
    await other.operation(approval?.operationId ?? '', 'needs_person');
    expect((await other.result({}, asked.handle)).text).toContain('\nCheck the booking at the airline before');
    await other.state.close();
  });

  test.each([
    [{}, /^A person checked this pay_booking with the airline and closed it\. Nothing/],
    [{ resolved: { by: 'ops', at: 0, note: '' } }, /closed it at 1970-01-01.*Nothing was sent now\.$/],
  ])('reports an operation that a person closed: %j', async (outcome, message) => {
    const { handle } = await ended('resolved', {}, { outcome });
    const closed = await refusal(desk.call({}, handle));
    expect(closed).toMatchObject({ code: 'E_ALREADY_DONE', message: expect.stringMatching(message) });
    expect(closed.next).toMatch(/^Call read_booking to see/);
  });

  test('names again_after after a create that a person closed', async () => {
    const { handle, id } = await ended('resolved', { tool: 'create_booking' });
    expect((await refusal(desk.call({}, handle))).next).toContain(`call create_booking with again_after ${id}.`);
  });

  test.each([
    ['commit', 'Checked with the airline: pay_booking was not carried out. A new attempt needs a new approval.'],
    ['hold', 'Checked with the airline: pay_booking was not carried out.'],
  ] as const)('reports an operation not carried out without a stored error (%s)', async (effect, message) => {
    desk.tool = { effect };
    const { handle } = await ended('not_executed');
    const failed = await refusal(desk.call({}, handle));
    expect(failed).toMatchObject({ code: 'E_AIRLINE_TIMEOUT', message });
    expect(failed.next).toBe('Call pay_booking again without approval_id if it is still wanted.');
  });

  test('reports changed terms without lines if only the journal knows of them', async () => {
    const kept = { code: 'E_APPROVAL_STALE', message: 'm', next: 'n', effect: 'none', retry: 'never' } as const;
    const { handle } = await ended('not_executed', {}, { outcome: { error: kept } });
    expect(await refusal(desk.call({}, handle))).toMatchObject({ code: 'E_APPROVAL_STALE', terms: [] });
  });

  test('shows a finished operation without the booking if it cannot be read', async () => {
    const { handle } = await ended('succeeded', {}, { outcome: { basis: 'reply' } });
    desk.shown = () => Promise.reject(error('E_AIRLINE_DOWN'));
    const done = await desk.result({}, handle);
    expect(done.text).toBe('Booking ABC123 could not be read back just now.\nPaid.');
    expect(done.structured.booking).toEqual({ locator: 'ABC123', state: 'unknown', changed: [] });
    expect(desk.remembered).toEqual([]);
  });

  test('records the booking of a finished operation in the ledger', async () => {
    const { handle } = await ended('succeeded', {}, { outcome: { basis: 'reply' } });
    await desk.result({}, handle);
    expect(desk.remembered).toHaveLength(1);
  });
});
