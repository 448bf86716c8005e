/**
 * Asking for a yes through every channel, and carrying it out.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accept, CallHarness, payTerms, refusal, replacing, SAR, statusOf } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});
afterEach(() => desk.state.close());

const YES = accept('Pay SAR 172.50');

function idOf(answer: { readonly structured: Readonly<Record<string, unknown>> }): string {
  return (answer.structured.approval as { id: string }).id;
}

describe('the dialog', () => {
  test('carries out a yes in the dialog once, and reports it as done before afterwards', async () => {
    const asked = await desk.ask();
    expect(asked.message).toBe('Pay SAR 172.50 for booking ABC123\nRUH-JED');
    expect(asked.form.properties.decision.enum).toEqual(['no', 'Pay SAR 172.50']);
    const done = await desk.answer(asked.handle, YES);
    expect(done).toMatchObject({ text: 'Paid.', structured: { status: 'done', booking: { locator: 'ABC123' } } });
    expect(done).toMatchObject({ isError: false });
    expect(desk.done[0]).toMatchObject({ terms: payTerms(), evidence: { receipt: { locator: 'ABC123' } } });
    const again = await desk.result({}, asked.handle);
    expect(again.structured.status).toBe('already_done');
    expect(again.text).toBe('Already done before; nothing was sent now.\nPaid.');
    expect(desk.sends).toBe(1);
    const [operation] = await desk.state.operations.list({});
    expect(operation).toMatchObject({ assurance: 'person', amount: SAR(17250), direction: 'payment' });
  });

  test.each([{ action: 'decline' }, accept('no')])('takes %j in the dialog for a final no', async (raw) => {
    const asked = await desk.ask();
    expect(await refusal(desk.answer(asked.handle, raw))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(desk.sends).toBe(0);
  });

  test('asks on the page after a dialog was closed without an answer', async () => {
    desk.settings = { ...desk.settings, canUseTerminal: true };
    const asked = await desk.ask();
    const closed = await desk.answer(asked.handle, { action: 'cancel' });
    expect(closed).toMatchObject({ text: expect.stringContaining('a page will ask') });
    expect(await desk.waiting()).toMatchObject({ askedBy: 'page' });
    // The dialog can no longer answer it, and closing it again changes nothing.
    expect(statusOf(await desk.answer(asked.handle, { action: 'cancel' }))).toBe('approval_required');
    expect(statusOf(await desk.during(2_000, desk.answer(asked.handle, YES)))).toBe('approval_required');
    expect(desk.sends).toBe(0);
  });

  test('says to ask again after a closed dialog if there is no page', async () => {
    const asked = await desk.ask();
    const closed = await desk.answer(asked.handle, { action: 'cancel' });
    expect(closed).toMatchObject({ text: expect.stringContaining('again without approval_id: it asks anew') });
    expect(await desk.result({}, asked.handle)).toMatchObject({ text: expect.stringContaining('it asks anew') });
  });

  test('shows the dialog again if a call comes without its answer', async () => {
    const asked = await desk.ask();
    desk.clock.jump(5_000);
    expect(await desk.call({ canElicit: true }, asked.handle)).toEqual(asked);
    expect(await desk.waiting()).toMatchObject({ askedBy: 'elicit', askedAt: desk.clock.now() });
  });

  test('moves the question to the page if the client no longer shows dialogs', async () => {
    const asked = await desk.ask();
    desk.settings = { ...desk.settings, canUseTerminal: true };
    const later = await desk.during(2_000, desk.result({}, asked.handle));
    expect(later.text).toContain('fareclerk approve');
  });

  test('does not accept a yes in the dialog once the operator requires the page', async () => {
    const asked = await desk.ask();
    desk.settings = { ...desk.settings, pageAbove: SAR(1), canUseTerminal: true };
    expect(statusOf(await desk.during(2_000, desk.answer(asked.handle, YES)))).toBe('approval_required');
    expect(await desk.waiting()).toMatchObject({ askedBy: 'page' });
  });

  test('accepts the answer of a dialog even if the client no longer offers dialogs', async () => {
    const asked = await desk.ask();
    expect(statusOf(await desk.answer(asked.handle, YES, { canElicit: false }))).toBe('done');
  });

  test('keeps a yes given elsewhere when the dialog is closed', async () => {
    const asked = await desk.ask();
    const pending = await desk.waiting();
    await desk.state.approvals.decide(pending?.handleHash ?? '', 'granted', 'page', desk.clock.now());
    expect(statusOf(await desk.answer(asked.handle, { action: 'cancel' }))).toBe('done');
  });

  test('refuses a yes in the dialog after ten minutes', async () => {
    const asked = await desk.ask();
    desk.clock.jump(600_000);
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  });

  test('carries nothing out after the clock was set back behind the question', async () => {
    const asked = await desk.ask();
    const operationId = (await desk.waiting())?.operationId ?? '';
    desk.clock.time -= 100 * 60_000;
    expect(await desk.waiting()).toBeUndefined();
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({
      code: 'E_APPROVAL_EXPIRED',
      message: 'The clock was set back after the question was asked. Nothing was sent.',
    });
    expect(await desk.decide(true, { operationId })).toMatchObject({ kind: 'failed', title: 'Too late to answer' });
    expect(desk.sends).toBe(0);
    // A small correction of the clock changes nothing.
    desk.clock.time += 100 * 60_000 - 5_000;
    expect(await desk.decide(true, { operationId })).toMatchObject({ kind: 'done' });
  });

  test('carries out no yes after the clock was set back behind it', async () => {
    const asked = await desk.ask();
    const pending = await desk.waiting();
    await desk.state.approvals.decide(pending?.handleHash ?? '', 'granted', 'page', desk.clock.now());
    desk.clock.time -= 100 * 60_000;
    expect(await refusal(desk.call({}, asked.handle))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
    expect(desk.sends).toBe(0);
  });

  test("carries out a yes given on the page before the dialog's yes", async () => {
    const asked = await desk.ask();
    const get = replacing(desk.state.approvals, 'get');
    const pending = await desk.waiting();
    if (pending === undefined) throw new Error('none');
    get.mockResolvedValueOnce(pending);
    await desk.state.approvals.decide(pending.handleHash, 'granted', 'page', desk.clock.now());
    expect(statusOf(await desk.answer(asked.handle, YES))).toBe('done');
    const [operation] = await desk.state.operations.list({});
    expect(operation?.assurance).toBe('page');
  });

  test('refuses a yes in the dialog if the approval was lost meanwhile', async () => {
    const asked = await desk.ask();
    const get = replacing(desk.state.approvals, 'get');
    const pending = await desk.waiting();
    get.mockResolvedValueOnce(pending).mockResolvedValueOnce(undefined);
    replacing(desk.state.approvals, 'decide').mockResolvedValueOnce(false);
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({ code: 'E_APPROVAL_INVALID' });
  });
});

describe('a no to a yes that was given elsewhere', () => {
  async function granted() {
    const asked = await desk.ask();
    const pending = await desk.waiting();
    await desk.state.approvals.decide(pending?.handleHash ?? '', 'granted', 'page', desk.clock.now());
    return { handle: asked.handle, pending };
  }

  test('takes back a yes given elsewhere', async () => {
    const { handle } = await granted();
    expect(await refusal(desk.answer(handle, { action: 'decline' }))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(await refusal(desk.call({}, handle))).toMatchObject({
      code: 'E_APPROVAL_EXPIRED',
      message: 'The yes could not be carried out, and is spent. Nothing was sent.',
    });
    expect(desk.sends).toBe(0);
  });

  test('shows the operation if the yes was already carried out', async () => {
    const { handle, pending } = await granted();
    const operation = await desk.operation('op', 'succeeded', {}, { outcome: { basis: 'reply' } });
    replacing(desk.state.operations, 'get').mockResolvedValueOnce(undefined).mockResolvedValue(operation);
    expect(pending).toBeDefined();
    expect(statusOf(await desk.answer(handle, { action: 'decline' }))).toBe('done');
  });
});

describe('the echo mode', () => {
  beforeEach(() => {
    desk.settings = { ...desk.settings, approval: 'echo', environment: 'sandbox' };
  });

  test("takes the second call as the model's confirmation", async () => {
    const first = await desk.result();
    expect(first.text).toMatch(/^\[sandbox\] APPROVAL REQUIRED\. Nothing was sent\. The terms:\n {2}Pay SAR 172\.50/);
    expect(first.text).toContain(`Only if they agree, call pay_booking again with the same arguments and approval_id`);
    expect(first.structured).toMatchObject({
      environment: 'sandbox',
      approval: { terms: ['Pay SAR 172.50 for booking ABC123', 'RUH-JED'], expires_at: '1970-01-01T00:26:40.000Z' },
      booking: { locator: 'ABC123', state: 'unknown', changed: [] },
    });
    expect(statusOf(await desk.result({}, idOf(first)))).toBe('done');
    const [operation] = await desk.state.operations.list({});
    expect(operation?.assurance).toBe('caller_confirmed');
  });

  test('does not accept the second call once the operator requires the page', async () => {
    const first = await desk.result();
    desk.settings = { ...desk.settings, approval: 'page', canUseTerminal: true };
    expect(statusOf(await desk.during(2_000, desk.result({}, idOf(first))))).toBe('approval_required');
    expect(desk.sends).toBe(0);
  });

  test('accepts a no from a dialog in echo mode, but no yes', async () => {
    const first = await desk.result();
    expect(statusOf(await desk.answer(idOf(first), YES))).toBe('approval_required');
    expect(desk.sends).toBe(0);
    const second = await desk.result();
    const no = desk.answer(idOf(second), { action: 'decline' });
    expect(await refusal(no)).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
  });
});

describe('terms that need no question', () => {
  test('carries out terms that need no question at once, with a handle', async () => {
    desk.terms = payTerms({ ask: false });
    const done = await desk.result();
    expect(done.structured).toMatchObject({ status: 'done', approval: { id: expect.stringMatching(/^ap_/) } });
    const [operation] = await desk.state.operations.list({});
    expect(operation?.assurance).toBe('none');
  });
});
