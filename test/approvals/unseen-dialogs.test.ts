/**
 * Dialogs that no person can have seen: answered too fast, without a choice, or not at all.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../../src/approvals/answer.ts';
import type { Asker, PageOpener } from '../../src/approvals/call-types.ts';
import { accept, CallHarness, refusal, replacing, SAR, statusOf } from './harness.ts';

const YES = accept('Pay SAR 172.50');
const HOST: Partial<Asker> = { canElicit: true, client: { name: 'some-ide', version: '1.2' } };
const DAY = 24 * 60 * 60_000;

let desk: CallHarness;
let opened: boolean[];
beforeEach(async () => {
  desk = await CallHarness.open();
  opened = [];
  const page: PageOpener = {
    canOpen: () => true,
    async open(_approval, _clientOpensUrls, unseen = false) {
      opened.push(unseen);
      return { opened: true };
    },
  };
  desk.settings = { ...desk.settings, dialogFloorMs: 1_500, page };
});
afterEach(async () => {
  // No clock of a test outlives its state.
  await desk.clock.pass(60_000);
  await desk.state.close();
});

const withoutPage = () => {
  const { page: _page, ...settings } = desk.settings;
  desk.settings = settings;
};

async function ask(how: Partial<Asker> = HOST) {
  const answer = await desk.call(how);
  if (answer.kind !== 'ask') throw new Error(`no dialog: ${JSON.stringify(answer)}`);
  return answer;
}

/** Asks, and answers after that time. */
async function answerAfter(ms: number, raw: unknown, how: Partial<Asker> = HOST): Promise<Answer> {
  const { handle } = await ask(how);
  desk.clock.jump(ms);
  return desk.answer(handle, raw, how);
}

const textOf = (answer: Answer) => (answer.kind === 'result' ? answer.text : '');

describe('an answer before a person can have read the question', () => {
  test.each([
    ['a decline', { action: 'decline' }],
    ['a cancel', { action: 'cancel' }],
    ['an empty accept', { action: 'accept', content: {} }],
    ['an accept with the act', YES],
    ['an accept with no', accept('no')],
    ['nothing', undefined],
  ])('does not count %s, opens the page at once, and leaves the question open', async (_, raw) => {
    const moved = await answerAfter(3, raw);
    expect(textOf(moved)).toContain('The dialog was answered in 3 ms, before a person can have read it');
    expect(textOf(moved)).toContain('  Pay SAR 172.50 for booking ABC123\n  RUH-JED\n');
    expect(textOf(moved)).toContain('A page has opened');
    expect(opened).toEqual([true]);
    expect(await desk.waiting()).toMatchObject({ askedBy: 'page', client: HOST.client });
    expect(desk.sends).toBe(0);
    expect((await desk.decide(true)).kind).toBe('done');
    expect(desk.sends).toBe(1);
  });

  test.each([
    ['a decline', { action: 'decline' }],
    ['an accept', YES],
  ])('does not count %s that the host repeats later', async (_, raw) => {
    const { handle } = await ask();
    desk.clock.jump(3);
    await desk.answer(handle, { action: 'decline' }, HOST);
    desk.clock.jump(5_000);
    expect(statusOf(await desk.during(2_000, desk.answer(handle, raw, HOST)))).toBe('approval_required');
    expect(await desk.waiting()).toMatchObject({ decision: 'pending' });
    expect(desk.sends).toBe(0);
  });

  test('says how long a slower one took', async () => {
    expect(textOf(await answerAfter(1_240, { action: 'decline' }))).toContain(
      'The dialog was answered in 1.2 s, before',
    );
  });

  test('counts the answer of a person', async () => {
    expect(statusOf(await answerAfter(1_500, YES))).toBe('done');
    expect(desk.sends).toBe(1);
    expect(await refusal(answerAfter(1_500, accept('no')))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
  });

  test("measures by this process's clock if the answer came to the process that asked", async () => {
    const { handle } = await ask();
    desk.clock.jump(5_000);
    const raw = { action: 'decline' };
    const moved = await desk.call({ ...HOST, dialog: { handle, raw, tookMs: 2 } });
    expect(textOf(moved)).toContain('answered in 2 ms');
  });

  test('measures from when the dialog was shown again', async () => {
    const { handle } = await ask();
    desk.clock.jump(5_000);
    expect((await desk.call(HOST, handle)).kind).toBe('ask');
    desk.clock.jump(10);
    expect(textOf(await desk.answer(handle, YES, HOST))).toContain('answered in 10 ms');
    expect(desk.sends).toBe(0);
  });

  test('measures a no from when the dialog was shown first, because that one may still be open', async () => {
    const { handle } = await ask();
    for (const ms of [5_000, 5_000]) {
      desk.clock.jump(ms);
      expect((await desk.call(HOST, handle)).kind).toBe('ask');
    }
    desk.clock.jump(10);
    expect(await refusal(desk.answer(handle, accept('no'), HOST))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(desk.sends).toBe(0);
  });

  test('measures a no from the showing after one that a host answered at once', async () => {
    withoutPage();
    const { handle } = await ask();
    desk.clock.jump(3);
    await desk.answer(handle, { action: 'decline' }, HOST);
    desk.clock.jump(5_000);
    expect((await desk.call(HOST, handle)).kind).toBe('ask');
    desk.clock.jump(4);
    expect(textOf(await desk.answer(handle, { action: 'decline' }, HOST))).toContain('answered in 4 ms');
  });

  test.each([
    ['a decline', { action: 'decline' }],
    ['an accept with no', accept('no')],
  ])('counts %s of a person whose question has moved to the page meanwhile', async (_, raw) => {
    const { handle } = await ask();
    desk.clock.jump(5_000);
    await desk.during(2_000, desk.call({ ...HOST, canElicit: false }, handle));
    expect(await desk.waiting()).toMatchObject({ askedBy: 'page' });
    expect(await refusal(desk.answer(handle, raw, HOST))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
    expect(desk.sends).toBe(0);
  });

  test('accepts no yes of a dialog whose question has moved to the page meanwhile', async () => {
    const { handle } = await ask();
    desk.clock.jump(5_000);
    await desk.during(2_000, desk.call({ ...HOST, canElicit: false }, handle));
    expect(statusOf(await desk.during(2_000, desk.answer(handle, YES, HOST)))).toBe('approval_required');
    expect(await desk.waiting()).toMatchObject({ decision: 'pending', askedBy: 'page' });
    expect(desk.sends).toBe(0);
  });

  test('accepts every answer if the operator turned the limit off', async () => {
    desk.settings = { ...desk.settings, dialogFloorMs: 0 };
    expect(statusOf(await answerAfter(0, YES))).toBe('done');
    for (let i = 0; i < 2; i++) expect(textOf(await answerAfter(3_000, accept('Pay')))).toContain('without a choice');
    expect((await desk.call(HOST)).kind).toBe('ask');
  });

  test('keeps a yes that was given elsewhere', async () => {
    const { handle } = await ask();
    const pending = await desk.waiting();
    await desk.state.approvals.decide(pending?.handleHash ?? '', 'granted', 'page', desk.clock.now());
    expect(statusOf(await desk.answer(handle, { action: 'decline' }, HOST))).toBe('done');
  });

  test('does not count an accept without its choice, however slow', async () => {
    const moved = await answerAfter(3_000, { action: 'accept', content: {} });
    expect(textOf(moved)).toContain('The dialog came back without a choice: that does not count as an answer.');
    expect(opened).toEqual([true]);
  });

  test('names the terminal if there is no page', async () => {
    withoutPage();
    desk.settings = { ...desk.settings, canUseTerminal: true };
    expect(textOf(await answerAfter(3, { action: 'decline' }))).toContain('`fareclerk approve');
  });

  test('keeps the question in the dialog if nothing else can ask', async () => {
    withoutPage();
    const { handle } = await ask();
    const moved = await desk.answer(handle, { action: 'decline' }, HOST);
    expect(textOf(moved)).toContain('No page and no terminal can ask.');
    expect(textOf(moved)).toContain(`approval_id ${handle} to show the dialog again`);
    desk.clock.jump(4_000);
    const repeated = await desk.answer(handle, { action: 'decline' }, HOST);
    expect(textOf(repeated)).toContain('to show the dialog again');
    expect((await desk.call(HOST, handle)).kind).toBe('ask');
    desk.clock.jump(4_000);
    expect(statusOf(await desk.answer(handle, YES, HOST))).toBe('done');
  });
});

describe('an address that the client opens', () => {
  const OPENS: Partial<Asker> = { canOpenUrls: true, client: { name: 'opener', version: '1' } };
  beforeEach(() => {
    const page: PageOpener = {
      canOpen: () => true,
      async open(_approval, clientOpensUrls, unseen = false) {
        opened.push(unseen);
        return clientOpensUrls ? { opened: false, url: 'http://127.0.0.1/secret' } : { opened: true };
      },
    };
    desk.settings = { ...desk.settings, approval: 'page', page };
  });

  async function askUrl() {
    const answer = await desk.call(OPENS);
    if (answer.kind !== 'ask_url') throw new Error(`no address: ${JSON.stringify(answer)}`);
    return answer.handle;
  }

  test.each(['accept', 'decline'])('opens the page here if the client answers %s at once', async (action) => {
    const handle = await askUrl();
    const moved = await desk.answer(handle, { action }, OPENS);
    expect(textOf(moved)).toContain('A page has opened');
    expect(opened).toEqual([false, true]);
    expect(await desk.waiting()).toMatchObject({ decision: 'pending', askedBy: 'page' });
  });

  test('takes a slow decline for a no', async () => {
    const handle = await askUrl();
    desk.clock.jump(3_000);
    expect(await refusal(desk.answer(handle, { action: 'decline' }, OPENS))).toMatchObject({
      code: 'E_APPROVAL_DECLINED',
    });
  });

  test('opens the page here if the client stays silent', async () => {
    await askUrl();
    await desk.clock.pass(40_000);
    expect(opened).toEqual([false, true]);
  });

  test('gives no address to a client whose dialogs nobody sees', async () => {
    for (let i = 0; i < 2; i++) await desk.answer(await askUrl(), { action: 'accept' }, OPENS);
    const third = await desk.call(OPENS);
    expect(third.kind).toBe('result');
    expect(textOf(third)).toContain('A page has opened');
  });
});

describe('the memory of unseen dialogs', () => {
  const twice = async (how: Partial<Asker> = HOST) => {
    for (let i = 0; i < 2; i++) await answerAfter(3, { action: 'decline' }, how);
  };

  test('asks on the page at once after two in a row, and says why', async () => {
    await twice();
    const third = await desk.call(HOST);
    expect(textOf(third)).toContain(
      'Two dialogs of this client in a row were not shown to a person (the last one answered in 3 ms). `fareclerk doctor` says more.',
    );
    expect(textOf(third)).toContain('A page has opened');
    expect(await desk.state.unseenDialogs.list(0)).toEqual([
      { name: 'some-ide', version: '1.2', at: desk.clock.now(), tookMs: 3 },
    ]);
  });

  test('keeps asking in the dialog after a single one', async () => {
    await answerAfter(3, { action: 'decline' });
    expect((await desk.call(HOST)).kind).toBe('ask');
  });

  test.each<[string, Partial<Asker>]>([
    ['another version', { client: { name: 'some-ide', version: '1.3' } }],
    ['another client', { client: { name: 'other', version: '1.2' } }],
    ['a client that gives no name', { client: undefined as never }],
    ['another caller', { caller: { tenant: 't', id: 'bob' } }],
  ])('still asks %s in the dialog', async (_, how) => {
    await twice();
    expect((await desk.call({ ...HOST, ...how })).kind).toBe('ask');
  });

  test('remembers a client that gives no name', async () => {
    const nameless = { canElicit: true };
    await twice(nameless);
    expect((await desk.call(nameless)).kind).toBe('result');
  });

  test('forgets after a slower answer', async () => {
    const early = await ask();
    await twice();
    desk.clock.jump(2_000);
    await refusal(desk.answer(early.handle, accept('no'), HOST));
    expect((await desk.call(HOST)).kind).toBe('ask');
  });

  test('forgets after seven days, and then needs two again', async () => {
    await twice();
    desk.clock.jump(7 * DAY + 1);
    await answerAfter(3, { action: 'decline' });
    expect((await desk.call(HOST)).kind).toBe('ask');
    await answerAfter(3, { action: 'decline' });
    expect((await desk.call(HOST)).kind).toBe('result');
  });

  test("never falls back on the assistant's word", async () => {
    desk.settings = { ...desk.settings, environment: 'sandbox', approval: 'echo' };
    await twice();
    const third = await desk.call(HOST);
    expect(textOf(third)).toContain('A page has opened');
    expect(await desk.waiting()).toMatchObject({ askedBy: 'page' });
  });

  test('asks in the dialog all the same if nothing else can ask', async () => {
    withoutPage();
    await twice();
    expect((await desk.call(HOST)).kind).toBe('ask');
  });

  test('asks in the dialog if the store keeps no memory', async () => {
    const { unseenDialogs: _, ...state } = desk.state;
    Object.assign(desk.runtime, { state });
    await twice();
    expect((await desk.call(HOST)).kind).toBe('ask');
    expect(statusOf(await answerAfter(2_000, YES))).toBe('done');
  });
});

describe('a dialog that stays silent', () => {
  test('opens the page after 40 seconds; a late answer of the dialog still counts', async () => {
    const { handle } = await ask();
    await desk.clock.pass(39_999);
    expect(opened).toEqual([]);
    await desk.clock.pass(1);
    expect(opened).toEqual([true]);
    expect(await desk.waiting()).toMatchObject({ askedBy: 'either' });
    await desk.clock.pass(20_000);
    expect(statusOf(await desk.answer(handle, YES, HOST))).toBe('done');
    expect(await desk.decide(true)).toMatchObject({ kind: 'unknown' });
    expect(desk.sends).toBe(1);
  });

  test('takes the answer of the page if it comes first, and sends once', async () => {
    const { handle } = await ask();
    await desk.clock.pass(40_000);
    expect((await desk.decide(true)).kind).toBe('done');
    expect(statusOf(await desk.answer(handle, YES, HOST))).toBe('done');
    expect(desk.sends).toBe(1);
  });

  test('waits for both if the call comes back while its dialog is open', async () => {
    const { handle } = await ask();
    const waited = await desk.during(2_000, desk.call({ ...HOST, isDialogOpen: true }, handle));
    expect(textOf(waited)).toContain('The first answer counts, in the dialog or here.');
    expect(await desk.waiting()).toMatchObject({ askedBy: 'either' });
    // A later call shows no second dialog.
    expect(statusOf(await desk.during(2_000, desk.call(HOST, handle)))).toBe('approval_required');
    expect(statusOf(await desk.answer(handle, YES, HOST))).toBe('done');
  });

  test('refuses a yes of the dialog if the operator requires the page meanwhile', async () => {
    const { handle } = await ask();
    await desk.clock.pass(40_000);
    desk.settings = { ...desk.settings, pageAbove: SAR(1) };
    expect(statusOf(await desk.during(2_000, desk.answer(handle, YES, HOST)))).toBe('approval_required');
    expect(desk.sends).toBe(0);
  });

  test('counts as unseen until an answer comes', async () => {
    await ask();
    await desk.clock.pass(40_000);
    const { handle } = await ask();
    await desk.clock.pass(40_000);
    const third = await desk.call(HOST);
    expect(textOf(third)).toContain('(the last one not answered)');
    await refusal(desk.answer(handle, accept('no'), HOST));
    expect((await desk.call(HOST)).kind).toBe('ask');
  });

  test('opens nothing if the question was answered, moved or shown again meanwhile', async () => {
    const first = await ask();
    desk.clock.jump(2_000);
    await refusal(desk.answer(first.handle, accept('no'), HOST));
    const second = await ask();
    await desk.answer(second.handle, { action: 'decline' }, HOST);
    const third = await ask();
    desk.clock.jump(1_000);
    await desk.call(HOST, third.handle);
    opened = [];
    await desk.clock.pass(39_500);
    expect(opened).toEqual([]);
    await desk.clock.pass(1_000);
    expect(opened).toEqual([true]);
  });

  test('opens nothing after the approval was lost, or the state cannot be read', async () => {
    await ask();
    replacing(desk.state.approvals, 'get').mockResolvedValueOnce(undefined);
    await desk.clock.pass(40_000);
    await ask();
    replacing(desk.state.approvals, 'get').mockRejectedValueOnce(new Error('the disk is gone'));
    await desk.clock.pass(40_000);
    expect(opened).toEqual([]);
  });

  test('moves the question to the terminal too', async () => {
    withoutPage();
    desk.settings = { ...desk.settings, canUseTerminal: true };
    await ask();
    await desk.clock.pass(40_000);
    expect(await desk.waiting()).toMatchObject({ askedBy: 'either' });
  });

  test('waits for nothing if only the dialog can ask', async () => {
    withoutPage();
    await ask();
    await desk.clock.pass(40_000);
    expect(await desk.waiting()).toMatchObject({ askedBy: 'elicit' });
  });

  test('opens the page after the time that was set', async () => {
    desk.settings = { ...desk.settings, silenceMs: 500 };
    await ask();
    await desk.clock.pass(500);
    expect(opened).toEqual([true]);
  });
});

test("says that nobody approved what the assistant's own word carried out", async () => {
  const { page: _page, ...settings } = desk.settings;
  desk.settings = { ...settings, approval: 'echo', environment: 'sandbox' };
  const asked = await desk.result();
  expect(asked.text).toContain('No person is asked here. Show these terms to the person');
  const id = (asked.structured.approval as { id: string }).id;
  expect((await desk.result({}, id)).text).toBe('[sandbox] Approved by nobody: sandbox.\nPaid.');
});

test("says so of a real airline in the operator's echo mode too", async () => {
  const { page: _page, ...settings } = desk.settings;
  desk.settings = { ...settings, approval: 'echo' };
  const asked = await desk.result();
  const id = (asked.structured.approval as { id: string }).id;
  expect((await desk.result({}, id)).text).toBe('Approved by the assistant, not by a person.\nPaid.');
});
