/**
 * Asking for a yes through every channel, and carrying it out.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { personDigest } from '../../src/approvals/digest.ts';
import { error } from '../journal/harness.ts';
import {
  type Answer,
  accept,
  CallHarness,
  idOf,
  payTerms,
  refusal,
  replacing,
  SAR,
  statusOf,
  type Terms,
  textOf,
  YES,
} from './harness.ts';

const NO = accept('no');

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});

describe('the dialog', () => {
  test('carries out a yes once, and reports it as done before afterwards', async () => {
    desk.terms = payTerms({ estimate: { rule: 'free', amount: SAR(1) }, fingerprint: 'f', supersedes: 'op-0' });
    const asked = await desk.ask();
    expect(asked).toEqual({
      ...{ kind: 'ask', askedAt: desk.clock.now(), handle: expect.stringMatching(/^ap_[\w-]{27}$/) },
      message: [
        ...['Pay SAR 172.50 for booking ABC123', 'RUH-JED', 'Asked by an assistant for ann.'],
        'Answer by 00:26 (UTC). Without an answer, nothing happens.',
        'Before anything is sent, the booking is read again. If anything shown here has changed by then, nothing is sent.',
      ].join('\n'),
      form: {
        type: 'object',
        properties: { decision: { type: 'string', title: 'Your decision', enum: ['no', 'Pay SAR 172.50'] } },
        required: ['decision'],
      },
    });
    const kept = await desk.waiting();
    const now = desk.clock.now();
    expect(kept).toMatchObject({ locator: 'ABC123', decision: 'pending', createdAt: now, expiresAt: now + 600_000 });
    expect(kept).not.toHaveProperty('decidedAt');
    expect(JSON.stringify(kept)).not.toContain(asked.handle);
    const done = await desk.answer(asked.handle);
    expect(done).toMatchObject({ text: 'Paid.', structured: { status: 'done', booking: { locator: 'ABC123' } } });
    expect(done).toMatchObject({ isError: false });
    expect(desk.done[0]).toMatchObject({ terms: desk.terms, evidence: { receipt: { locator: 'ABC123' } } });
    const again = await desk.result({}, asked.handle);
    expect(again.structured.status).toBe('already_done');
    expect(again.text).toBe('Already done before, so nothing was sent now.\nPaid.');
    expect(desk.sends).toBe(1);
    const { subject, estimate } = desk.terms as ReturnType<typeof payTerms>;
    expect(await desk.newest()).toMatchObject({
      ...{ id: kept?.operationId, tenant: 't', caller: 'ann', tool: 'pay_booking', locator: 'ABC123' },
      ...{ argsDigest: kept?.argsDigest, termsDigest: kept?.termsDigest, assurance: 'person', subject },
      ...{ amount: SAR(17250), direction: 'payment', fingerprint: 'f', supersedes: 'op-0', outcome: { estimate } },
    });
  });

  test('keeps the people of the terms with the operation, and does not bind them', async () => {
    const people = (name: string) => ({
      asked: (digestOf: (text: string) => string) => ({ passengers: [{ names: [digestOf(name)] }] }),
    });
    const { money: _, ...free } = payTerms(people('AMAL/HADDAD'));
    desk.terms = free;
    const asked = await desk.ask();
    desk.terms = { ...free, ...people('SARA/HADDAD') };
    expect(await desk.answer(asked.handle)).toMatchObject({ structured: { status: 'done' } });
    const { id = '' } = (await desk.newest()) ?? {};
    const { salt = '', people: kept } = (await desk.state.operations.askedPeople([id])).get(id) ?? {};
    const name = personDigest(desk.state.digestKey, salt)('AMAL/HADDAD');
    expect(kept).toEqual({ passengers: [{ names: [name] }] });
    expect(JSON.stringify([await desk.newest(), await desk.state.approvals.byOperation(id)])).not.toContain(name);
  });

  test('keeps the reason of the terms with the operation, and in nothing else that stays', async () => {
    desk.terms = payTerms({ reason: 'a wedding' });
    const { handle } = await desk.ask();
    expect(await desk.answer(handle)).toMatchObject({ structured: { status: 'done' } });
    const { id = '' } = (await desk.newest()) ?? {};
    expect(await desk.state.operations.reasons([id])).toEqual(new Map([[id, 'a wedding']]));
    expect(JSON.stringify([await desk.newest(), await desk.state.approvals.byOperation(id)])).not.toContain('wedding');
  });

  const UNSEEN = 'without a choice';
  test.each<[unknown, string]>([
    [YES, 'done'],
    [NO, 'E_APPROVAL_DECLINED'],
    [{ action: 'decline' }, 'E_APPROVAL_DECLINED'],
    [{ ...YES, action: 'decline' }, 'E_APPROVAL_DECLINED'],
    [{ action: 'cancel' }, 'a page will ask'],
    [{ action: 'accept' }, UNSEEN],
    [{ action: 'accept', content: {} }, UNSEEN],
    [{ action: 'accept', content: null }, UNSEEN],
    [accept('Pay SAR 9,999.00'), UNSEEN],
    [accept(true as never), UNSEEN],
    [{ action: 'accept', content: { confirm: true } }, UNSEEN],
    [{ action: 'accept', content: ['Pay SAR 172.50'] }, UNSEEN],
    [{ content: YES.content }, UNSEEN],
    ['Pay SAR 172.50', UNSEEN],
    [undefined, UNSEEN],
    [null, UNSEEN],
  ])('reads the answer %j as %s; a no is final', async (raw, meaning) => {
    desk.set({ canUseTerminal: true });
    const { handle } = await desk.ask();
    const operationId = (await desk.waiting())?.operationId ?? '';
    const answer = await desk.call({ dialog: { handle, raw } }).catch(({ code }) => code);
    const said = typeof answer === 'string' ? answer : statusOf(answer as Answer);
    expect(said === 'approval_required' ? textOf(answer as Answer) : said).toContain(meaning);
    expect(desk.sends).toBe(meaning === 'done' ? 1 : 0);
    if (meaning !== 'E_APPROVAL_DECLINED') return;
    expect(await refusal(desk.answer(handle))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    const kept = await desk.state.approvals.byOperation(operationId);
    expect(kept).toMatchObject({ decision: 'declined', assurance: 'person' });
  });

  test('is asked anew after it was closed if there is no page', async () => {
    const { handle } = await desk.ask();
    expect(textOf(await desk.answer(handle, { action: 'cancel' }))).toContain(
      'again without approval_id, which asks again',
    );
    expect(textOf(await desk.result({}, handle))).toContain('tell the person to use a client with dialogs');
  });

  test.each<[string, Partial<Terms>, number]>([
    ['for any amount', {}, 1],
    ['for an amount that is not known', { money: { direction: 'refund' } }, 100_000],
  ])('gives way to the page once the operator requires it %s', async (_, over, above) => {
    desk.terms = payTerms(over);
    const { handle } = await desk.ask();
    desk.set({ pageAbove: SAR(above), canUseTerminal: true });
    expect(statusOf(await desk.during(2_000, desk.answer(handle)))).toBe('approval_required');
    expect(await desk.waiting()).toMatchObject({ decision: 'pending' });
    expect(desk.sends).toBe(0);
    // The page takes the yes.
    expect((await desk.decide(true)).kind).toBe('done');
  });

  test('carries nothing out after the clock was set back behind the question, or behind the yes', async () => {
    const { handle } = await desk.ask();
    const operationId = (await desk.waiting())?.operationId ?? '';
    desk.clock.time -= 100 * 60_000;
    expect(await desk.waiting()).toBeUndefined();
    expect(await refusal(desk.answer(handle))).toMatchObject({
      code: 'E_APPROVAL_EXPIRED',
      message: 'The clock was set back after the question was asked. Nothing was sent.',
    });
    expect(await desk.decide(true, { operationId })).toMatchObject({ kind: 'failed', title: 'Too late to answer' });
    // A small correction of the clock changes nothing.
    desk.clock.time += 100 * 60_000 - 5_000;
    await desk.granted();
    desk.clock.time -= 100 * 60_000;
    expect(await refusal(desk.call({}, handle))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    expect(await desk.decide(true, { operationId })).toMatchObject({ kind: 'failed' });
    expect(desk.sends).toBe(0);
    desk.clock.time += 100 * 60_000;
    expect(await desk.decide(true, { operationId })).toMatchObject({ kind: 'done' });
  });

  test('is refused if the approval, or what it carried, was lost meanwhile', async () => {
    const erased = await desk.ask();
    await desk.state.approvals.erase((await desk.waiting())?.handleHash ?? '');
    expect(await refusal(desk.answer(erased.handle, YES))).toMatchObject({ code: 'E_APPROVAL_INVALID' });
    const { handle } = await desk.ask();
    const pending = await desk.waiting();
    replacing(desk.state.approvals, 'get').mockResolvedValueOnce(pending).mockResolvedValueOnce(undefined);
    replacing(desk.state.approvals, 'decide').mockResolvedValueOnce(false);
    expect(await refusal(desk.answer(handle))).toMatchObject({ code: 'E_APPROVAL_INVALID' });
  });
});

describe('a no to a yes that was given elsewhere', () => {
  test('takes it back', async () => {
    const { handle } = await desk.ask();
    await desk.granted();
    expect(await refusal(desk.answer(handle, NO))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(await refusal(desk.call({}, handle))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(desk.sends).toBe(0);
  });

  test('shows the operation if it was already carried out', async () => {
    const { handle } = await desk.ask();
    await desk.granted();
    const operation = await desk.operation('op', 'succeeded', {}, { outcome: { basis: 'reply' } });
    replacing(desk.state.operations, 'get').mockResolvedValueOnce(undefined).mockResolvedValue(operation);
    expect(statusOf(await desk.answer(handle, NO))).toBe('done');
  });
});

describe('the echo mode', () => {
  beforeEach(() => desk.set({ approval: 'echo', environment: 'sandbox' }));

  test("takes the second call as the model's confirmation", async () => {
    const first = await desk.result();
    expect(first.structured).toMatchObject({
      environment: 'sandbox',
      approval: { terms: ['Pay SAR 172.50 for booking ABC123', 'RUH-JED'], expires_at: '1970-01-01T00:26Z' },
      booking: { locator: 'ABC123' },
    });
    expect(statusOf(await desk.result({}, idOf(first)))).toBe('done');
    expect((await desk.newest())?.assurance).toBe('caller_confirmed');
  });
  test('accepts a no from a dialog, but no yes', async () => {
    expect(statusOf(await desk.answer(idOf(await desk.result())))).toBe('approval_required');
    expect(desk.sends).toBe(0);
    await desk.nextBooking();
    const no = desk.answer(idOf(await desk.result()), { action: 'decline' });
    expect(await refusal(no)).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
  });
});

test('carries out terms that need no question at once, with a handle and without an approver', async () => {
  desk.terms = payTerms({ ask: false });
  const done = await desk.result();
  expect(done.structured).toMatchObject({ status: 'done' });
  expect(done.meta).toMatchObject({ approval_id: expect.stringMatching(/^ap_/) });
  const operation = await desk.newest();
  expect(operation?.assurance).toBe('none');
  expect(operation).not.toHaveProperty('approvedBy');
  expect(await desk.state.approvals.byOperation(operation?.id ?? '')).toMatchObject({
    ...{ decision: 'granted', assurance: 'none', decidedAt: desk.clock.now() },
  });
});

describe('a failure', () => {
  const broken = new Error('the disk is full');
  const ours = Object.assign(error('E_INTERNAL', { effect: 'unknown' }), {
    message: 'The disk is full. Nobody knows.',
    what: 'The disk is full.',
  });
  const thrownBy = (call: Promise<unknown>) => call.then(String, (reason: unknown) => reason);

  test('of this program in a new call is marked as unsent, and that of a store says so', async () => {
    desk.terms = () => Promise.reject(broken);
    expect(await thrownBy(desk.call())).toMatchObject({ message: 'unsent', cause: broken });
    desk.terms = () => Promise.reject(ours);
    const told = { code: 'E_INTERNAL', message: 'The disk is full. Nothing was sent.', effect: 'none' };
    expect(await thrownBy(desk.call())).toMatchObject(told);
  });

  test.each([
    error('E_LIMIT'),
    error('E_INTERNAL', { effect: 'none' }),
    error('E_AIRLINE_DOWN', { effect: 'unknown' }),
  ])('stays as it is if it says itself what was done: %s', async (problem) => {
    desk.terms = () => Promise.reject(problem);
    expect(await thrownBy(desk.call())).toBe(problem);
  });

  test('stays as it is once sending began, and before the approval is known', async () => {
    desk.terms = payTerms({ ask: false });
    desk.tool = { show: () => Promise.reject(broken) };
    expect(await thrownBy(desk.call())).toBe(broken);
    expect(desk.sends).toBe(1);
    replacing(desk.state.approvals, 'get').mockRejectedValueOnce(broken);
    expect(await thrownBy(desk.call({}, 'ap_x'))).toBe(broken);
  });

  test('of a call with an approval is marked unless the journal may show its operation', async () => {
    const { handle } = await desk.ask();
    const id = await desk.granted();
    const insert = replacing(desk.state.operations, 'insert');
    insert.mockRejectedValueOnce(broken);
    expect(await thrownBy(desk.call({}, handle))).toMatchObject({ message: 'unsent', cause: broken });
    insert.mockRejectedValueOnce(ours);
    expect(await thrownBy(desk.call({}, handle))).toMatchObject({ message: 'The disk is full. Nothing was sent.' });
    const get = replacing(desk.state.operations, 'get').mockRejectedValue(broken);
    expect(await thrownBy(desk.call({}, handle))).toBe(broken);
    get.mockRestore();
    await desk.operation(id, 'succeeded', {}, { outcome: { basis: 'reply' } });
    desk.tool = { show: () => Promise.reject(broken) };
    expect(await thrownBy(desk.call({}, handle))).toBe(broken);
    expect(desk.sends).toBe(0);
  });
});
