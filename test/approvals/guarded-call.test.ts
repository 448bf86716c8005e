/**
 * Asking for a yes, through every channel, and what becomes of it.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageOpener } from '../../src/approvals/call.ts';
import { ANN, accept, CallHarness, payTerms, refusal, replacing, SAR, statusOf } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});
afterEach(() => desk.state.close());

const YES = accept('Pay SAR 172.50');

function page(over: Partial<Awaited<ReturnType<PageOpener['open']>>> = {}, canOpen = true): PageOpener {
  return { canOpen: () => canOpen, open: async () => ({ opened: true, ...over }) };
}

function idOf(answer: { readonly structured: Readonly<Record<string, unknown>> }): string {
  return (answer.structured.approval as { id: string }).id;
}

describe('the dialog', () => {
  test('asks with the terms, and its yes is carried out once and then told as done before', async () => {
    const asked = await desk.ask();
    expect(asked.message).toBe('Pay SAR 172.50 for booking ABC123\nRUH-JED');
    expect(asked.form.properties.decision.enum).toEqual(['no', 'Pay SAR 172.50']);
    const done = await desk.answer(asked.handle, YES);
    expect(done).toMatchObject({ text: 'Paid.', structured: { status: 'done', booking: { locator: 'ABC123' } } });
    const again = await desk.result({}, asked.handle);
    expect(again.structured.status).toBe('already_done');
    expect(again.text).toBe('Already done before; nothing was sent now.\nPaid.');
    expect(desk.sends).toBe(1);
    const [operation] = await desk.state.operations.list({});
    expect(operation).toMatchObject({ assurance: 'person', amount: SAR(17250), direction: 'payment' });
  });

  test.each([{ action: 'decline' }, accept('no')])('takes %j for a no, which is final', async (raw) => {
    const asked = await desk.ask();
    expect(await refusal(desk.answer(asked.handle, raw))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(desk.sends).toBe(0);
  });

  test('closed without an answer, the next call asks on the page', async () => {
    desk.settings = { ...desk.settings, canUseTerminal: true };
    const asked = await desk.ask();
    const closed = await desk.answer(asked.handle, { action: 'cancel' });
    expect(closed).toMatchObject({ text: expect.stringContaining('a page will ask') });
    expect(await desk.waiting()).toMatchObject({ askedBy: 'page' });
    // It is no dialog's to answer any more, and a closed one moves nothing.
    expect(statusOf(await desk.answer(asked.handle, { action: 'cancel' }))).toBe('approval_required');
    expect(statusOf(await desk.during(2_000, desk.answer(asked.handle, YES)))).toBe('approval_required');
    expect(desk.sends).toBe(0);
  });

  test('closed where there is no page, says to ask anew', async () => {
    const asked = await desk.ask();
    const closed = await desk.answer(asked.handle, undefined);
    expect(closed).toMatchObject({ text: expect.stringContaining('again without approval_id: it asks anew') });
    expect(await desk.result({}, asked.handle)).toMatchObject({ text: expect.stringContaining('it asks anew') });
  });

  test('is put again when the call comes without its answer', async () => {
    const asked = await desk.ask();
    expect(await desk.call({ canElicit: true }, asked.handle)).toEqual(asked);
  });

  test('moves to the page for a client that shows no dialog any more', async () => {
    const asked = await desk.ask();
    desk.settings = { ...desk.settings, canUseTerminal: true };
    const later = await desk.during(2_000, desk.result({}, asked.handle));
    expect(later.text).toContain('fareclerk approve');
  });

  test('is not believed once the operator wants the page', async () => {
    const asked = await desk.ask();
    desk.settings = { ...desk.settings, pageAbove: SAR(1), canUseTerminal: true };
    expect(statusOf(await desk.during(2_000, desk.answer(asked.handle, YES)))).toBe('approval_required');
    expect(await desk.waiting()).toMatchObject({ askedBy: 'page' });
  });

  test('expires after ten minutes', async () => {
    const asked = await desk.ask();
    desk.clock.jump(600_000);
    expect(await refusal(desk.answer(asked.handle, YES))).toMatchObject({ code: 'E_APPROVAL_EXPIRED' });
  });

  test('carries out a yes that another gave first', async () => {
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

  test('of an approval that was lost meanwhile, throws that it does not fit', async () => {
    const asked = await desk.ask();
    const get = replacing(desk.state.approvals, 'get');
    const pending = await desk.waiting();
    get.mockResolvedValueOnce(pending).mockResolvedValueOnce(undefined);
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

  test('takes it back', async () => {
    const { handle } = await granted();
    expect(await refusal(desk.answer(handle, { action: 'decline' }))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(await refusal(desk.call({}, handle))).toMatchObject({
      code: 'E_APPROVAL_EXPIRED',
      message: 'The yes could not be carried out, and is spent. Nothing was sent.',
    });
    expect(desk.sends).toBe(0);
  });

  test('tells the operation that the yes became meanwhile', async () => {
    const { handle, pending } = await granted();
    const operation = await desk.operation('op', 'succeeded', {}, { outcome: { basis: 'reply' } });
    replacing(desk.state.operations, 'get').mockResolvedValueOnce(undefined).mockResolvedValue(operation);
    expect(pending).toBeDefined();
    expect(statusOf(await desk.answer(handle, { action: 'decline' }))).toBe('done');
  });
});

describe('the echo', () => {
  beforeEach(() => {
    desk.settings = { ...desk.settings, approval: 'echo', environment: 'sandbox' };
  });

  test("takes the second call for the model's word", async () => {
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

  test('does not count once the operator wants the page', async () => {
    const first = await desk.result();
    desk.settings = { ...desk.settings, approval: 'page', canUseTerminal: true };
    expect(statusOf(await desk.during(2_000, desk.result({}, idOf(first))))).toBe('approval_required');
    expect(desk.sends).toBe(0);
  });

  test('a dialog that declines is a no there too, and one that accepts is nothing', async () => {
    const first = await desk.result();
    expect(statusOf(await desk.answer(idOf(first), YES))).toBe('approval_required');
    expect(desk.sends).toBe(0);
    const second = await desk.result();
    const no = desk.answer(idOf(second), { action: 'decline' });
    expect(await refusal(no)).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
  });
});

describe('the page', () => {
  const onPage = (open: PageOpener) => {
    desk.settings = { ...desk.settings, approval: 'page', page: open };
  };

  test('is opened here, and the call says to come again', async () => {
    onPage(page());
    expect(await desk.result()).toMatchObject({ text: expect.stringContaining('A page has opened') });
  });

  test('that could not be opened leaves the terminal', async () => {
    onPage(page({ opened: false }));
    expect((await desk.result()).text).toMatch(/A person must run `fareclerk approve 0{8}-0000-4000-8000-0{11}1`/);
  });

  test('with a public address is told by it', async () => {
    onPage(page({ publicUrl: 'https://desk.example/approve/1' }));
    const asked = await desk.result();
    expect(asked.structured.approval).toMatchObject({ url: 'https://desk.example/approve/1' });
    expect(asked.text).toContain('must open the address in approval.url');
  });

  test('is opened by a client that opens URLs; its accept means only that it was opened', async () => {
    onPage(page({ url: 'http://127.0.0.1/secret' }, false));
    const asked = await desk.call({ canOpenUrls: true });
    expect(asked).toMatchObject({
      kind: 'ask_url',
      url: 'http://127.0.0.1/secret',
      message: 'Please decide on the page: Pay SAR 172.50',
    });
    const handle = asked.kind === 'ask_url' ? asked.handle : '';
    const opened = desk.answer(handle, { action: 'accept' }, { canOpenUrls: true });
    const waited = await desk.during(2_000, opened);
    expect(statusOf(waited)).toBe('approval_required');
    expect(JSON.stringify(waited)).not.toContain('secret');
  });

  test('of a client that opens no URLs keeps its secret', async () => {
    onPage(page({ url: 'http://127.0.0.1/secret' }));
    expect(JSON.stringify(await desk.result())).not.toContain('secret');
  });

  test('a waiting call tells the outcome as soon as the person decided', async () => {
    onPage(page());
    desk.settings = { ...desk.settings, waitMs: 60_000 };
    const asked = await desk.result();
    const waiting = desk.result({}, idOf(asked));
    await desk.clock.pass(500);
    expect((await desk.decide(true)).kind).toBe('done');
    expect(statusOf(await desk.during(500, waiting))).toBe('done');
    expect(desk.sends).toBe(1);
  });

  test('a waiting call carries out a yes that nobody entered in the journal', async () => {
    onPage(page());
    desk.settings = { ...desk.settings, waitMs: 60_000 };
    const asked = await desk.result();
    const pending = await desk.waiting();
    const waiting = desk.result({}, idOf(asked));
    await desk.clock.pass(500);
    await desk.state.approvals.decide(pending?.handleHash ?? '', 'granted', 'page', desk.clock.now());
    await desk.clock.pass(1_900);
    expect(desk.sends).toBe(0);
    expect(statusOf(await desk.during(1_000, waiting))).toBe('done');
  });

  test('a yes without a time is overdue', async () => {
    onPage(page());
    const asked = await desk.result();
    const pending = await desk.waiting();
    const get = replacing(desk.state.approvals, 'get');
    get.mockResolvedValueOnce(pending);
    get.mockResolvedValueOnce(pending && { ...pending, decision: 'granted' });
    expect(statusOf(await desk.result({}, idOf(asked)))).toBe('done');
  });

  test('a waiting call ends with the no', async () => {
    onPage(page());
    const asked = await desk.result();
    const waiting = desk.result({}, idOf(asked));
    await desk.clock.pass(100);
    await desk.decide(false);
    expect(await refusal(desk.during(500, waiting))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
  });

  test('a waiting call stops when its caller leaves, and an approval that is lost meanwhile is told as it was', async () => {
    onPage(page());
    const asked = await desk.result();
    const left = AbortSignal.abort();
    expect(statusOf(await desk.result({ signal: left }, idOf(asked)))).toBe('approval_required');
    const pending = await desk.waiting();
    replacing(desk.state.approvals, 'get').mockResolvedValueOnce(pending).mockResolvedValue(undefined);
    expect(statusOf(await desk.during(2_000, desk.result({}, idOf(asked))))).toBe('approval_required');
  });

  test('a call waits 25 seconds for the person where nothing else is set', async () => {
    onPage(page());
    const { waitMs: _, ...settings } = desk.settings;
    desk.settings = settings;
    const asked = await desk.result();
    let ended = false;
    const waiting = desk.result({}, idOf(asked)).finally(() => {
      ended = true;
    });
    await desk.clock.pass(24_000);
    expect(ended).toBe(false);
    expect(statusOf(await desk.during(1_500, waiting))).toBe('approval_required');
  });
});

describe('terms that need no question', () => {
  test('are carried out at once, and have a handle', async () => {
    desk.terms = payTerms({ ask: false });
    const done = await desk.result();
    expect(done.structured).toMatchObject({ status: 'done', approval: { id: expect.stringMatching(/^ap_/) } });
    const [operation] = await desk.state.operations.list({});
    expect(operation?.assurance).toBe('none');
  });
});

describe('before anybody is asked', () => {
  test('a limit refuses', async () => {
    desk.settings = { ...desk.settings, limits: { perAction: SAR(100) } };
    expect(await refusal(desk.call({ canElicit: true }))).toMatchObject({ code: 'E_LIMIT' });
    expect(await desk.waiting()).toBeUndefined();
  });

  test('the day refuses what it has no room for, and takes the rest', async () => {
    desk.settings = { ...desk.settings, limits: { perDay: SAR(20000) } };
    const spent = { locator: 'OTHER1', caller: ANN.id, amount: SAR(2751) };
    const now = desk.clock.now();
    await desk.operation('earlier', 'succeeded', spent);
    const over = await refusal(desk.call({ canElicit: true }));
    expect(over.message).toMatch(/^SAR 27\.51 was moved in the last 24 hours; .* SAR 0\.01 over the limit/);
    desk.clock.time = now + 24 * 3_600_000 + 1;
    expect((await desk.ask()).kind).toBe('ask');
  });

  test.each([
    ['nothing moves', { money: { direction: 'payment', amount: SAR(0) } }],
    ['no money is at stake', { money: undefined }],
  ] as const)('the day does not matter where %s', async (_, over) => {
    desk.settings = { ...desk.settings, limits: { perDay: SAR(1) } };
    const { money: __, ...terms } = payTerms();
    desk.terms = over.money === undefined ? terms : { ...terms, money: over.money };
    expect((await desk.ask()).kind).toBe('ask');
  });

  test('a pause refuses', async () => {
    await desk.state.chain.pause('audit', 'ops', desk.clock.now());
    expect(await refusal(desk.call({ canElicit: true }))).toMatchObject({ code: 'E_NOT_PERMITTED' });
  });

  test("another tenant's operation on the booking refuses, and only says that it exists", async () => {
    await desk.operation('theirs', 'dispatched', { tenant: 'other', tool: 'cancel_booking' });
    const busy = await refusal(desk.call({ canElicit: true }));
    expect(busy).toMatchObject({ code: 'E_BOOKING_BUSY', retry: 'after_s:30' });
    expect(busy.message).toBe('Another operation on ABC123 is under way. Nothing was sent.');
  });

  test('an own open operation on the booking refuses', async () => {
    await desk.operation('open', 'dispatched', {}, { dispatchedAt: desk.clock.now() });
    const busy = await refusal(desk.during(3_000, desk.call({ canElicit: true })));
    expect(busy.message).toBe(
      'ABC123 has an operation whose outcome is not known yet (pay_booking). Nothing else is sent meanwhile.',
    );
  });

  test('an own operation that a reading settles is told, to decide again', async () => {
    const now = desk.clock.now();
    await desk.operation('open', 'in_doubt', {}, { dispatchedAt: now, leaseUntil: now });
    const settled = await refusal(desk.during(3_000, desk.call({ canElicit: true })));
    expect(settled).toMatchObject({ code: 'E_BOOKING_BUSY', retry: 'same_call' });
    expect(settled.message).toMatch(/^An earlier pay_booking of ABC123 has just been settled \(succeeded\)\./);
  });
});

describe('fresh terms', () => {
  test('caution of an earlier operation that was never settled', async () => {
    await desk.operation('left', 'needs_person');
    const asked = await desk.ask();
    expect(asked.message.split('\n')[1]).toMatch(
      /^Caution: an earlier pay_booking of this booking \(.*\) was never settled\. It may have been done: ask the airline/,
    );
  });

  test('name the receipt that contradicted it, and when it was sent', async () => {
    const outcome = { receipt: { stated: SAR(20000) } };
    await desk.operation('left', 'needs_person', {}, { outcome, dispatchedAt: 0 });
    const line = (await desk.ask()).message.split('\n')[1];
    expect(line).toContain('(1970-01-01');
    expect(line).toContain("was handed to a person. The airline's receipt names SAR 200.00; SAR 172.50 was approved:");
  });

  test('forget it after thirty days', async () => {
    await desk.operation('left', 'needs_person');
    desk.clock.jump(30 * 24 * 3_600_000 + 1);
    expect((await desk.ask()).message).not.toContain('Caution');
  });

  test('need no first line', async () => {
    await desk.operation('left', 'needs_person');
    desk.terms = payTerms({ lines: [] });
    expect((await desk.ask()).message).toMatch(/^\nCaution/);
  });
});
