/**
 * Dialogs that no person can have seen: answered too fast, without a choice, or not at all.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Answer,
  type Asker,
  accept,
  CallHarness,
  idOf,
  refusal,
  replacing,
  SAR,
  type Settings,
  statusOf,
  textOf,
  YES,
} from './harness.ts';

const HOST: Partial<Asker> = { canElicit: true, client: { name: 'some-ide', version: '1.2' } };
const DAY = 24 * 60 * 60_000;
const DECLINE = { action: 'decline' };
const NO = accept('no');
const DECLINED = { code: 'E_APPROVAL_DECLINED' };

let desk: CallHarness;
let opened: boolean[];
beforeEach(async () => {
  desk = await CallHarness.open();
  opened = [];
  desk.set({ dialogFloorMs: 1_500, page: pageThat(() => ({ opened: true })) });
});
// No clock of a test outlives its state.
afterEach(() => desk.clock.pass(60_000));

function pageThat(
  shows: (clientOpensUrls: boolean) => { opened: boolean; url?: string },
): NonNullable<Settings['page']> {
  return {
    canOpen: () => true,
    async open(_approval, client) {
      opened.push(client === 'failed_to_show');
      return shows(client === 'opens_itself');
    },
  };
}

const withoutPage = () => {
  const { page: _page, ...settings } = desk.settings;
  desk.settings = settings;
};

const ask = async (how: Partial<Asker> = HOST) => {
  await desk.nextBooking();
  return desk.ask(how);
};
/** A call that asks about another booking than those that wait. */
const call = async (how: Partial<Asker> = HOST) => {
  await desk.nextBooking();
  return desk.call(how);
};
const answer = (handle: string, raw: unknown) => desk.answer(handle, raw, HOST);
/** Waits for the page, which nobody answers. */
const waited = (work: Promise<Answer>) => desk.during(2_000, work);

/** Asks, and answers after that time. */
async function answerAfter(ms: number, raw: unknown, how: Partial<Asker> = HOST): Promise<Answer> {
  const { handle } = await ask(how);
  desk.clock.jump(ms);
  return desk.answer(handle, raw, how);
}

describe('an answer before a person can have read the question', () => {
  test.each([
    ['a decline', DECLINE],
    ['a cancel', { action: 'cancel' }],
    ['an empty accept', { action: 'accept', content: {} }],
    ['an accept with the act', YES],
    ['an accept with no', NO],
    ['nothing', null],
  ])('does not count %s, opens the page at once, and leaves the question open', async (_, raw) => {
    const moved = textOf(await answerAfter(3, raw));
    expect(moved).toContain('The dialog was answered before a person can have read it, which does not count');
    expect(moved).toContain('  Pay SAR 172.50 for booking ABC123\n  RUH-JED\n');
    expect(moved).toContain('A page has opened');
    expect(opened).toEqual([true]);
    expect(await desk.waiting()).toMatchObject({ decision: 'pending', client: HOST.client });
    expect(desk.sends).toBe(0);
    expect((await desk.decide(true)).kind).toBe('done');
    expect(desk.sends).toBe(1);
  });

  type Step = number | 'shown again' | 'asked on the page too' | object;
  const [AGAIN, ON_PAGE] = ['shown again', 'asked on the page too'] as const;
  const EMPTY = { action: 'accept', content: {} };

  /** Asks, and takes these steps: milliseconds pass, a call comes, an answer comes. Gives what the last one led to. */
  async function play(steps: readonly Step[]): Promise<string> {
    const { handle } = await ask();
    let last = '';
    for (const step of steps) {
      if (typeof step === 'number') desk.clock.jump(step);
      else if (step === AGAIN) last = (await desk.call(HOST, handle)).kind;
      else if (step === ON_PAGE) last = textOf(await waited(desk.call({ ...HOST, canElicit: false }, handle)));
      else
        last = await waited(answer(handle, step)).then(
          (told) => textOf(told),
          ({ code }) => code,
        );
    }
    return last;
  }

  const PENDING = 'APPROVAL REQUIRED';
  test.each<[string, readonly Step[], string, number]>([
    ['a slower one', [1_240, DECLINE], 'The dialog was answered before a person', 0],
    ['one without its choice, however slow', [3_000, EMPTY], 'The dialog came back without a choice, which does', 0],
    ['one of a person', [1_500, YES], 'Paid.', 1],
    ['a no of a person', [1_500, NO], DECLINED.code, 0],
    ['one that the host repeats', [3, DECLINE, 5_000, YES], PENDING, 0],
    ['a no that the host repeats', [3, DECLINE, 5_000, DECLINE], PENDING, 0],
    ['one from when the dialog was shown again', [5_000, AGAIN, 10, YES], 'The dialog was answered before a person', 0],
    // The dialog that was shown first may still be open.
    ['a no from the first showing', [5_000, AGAIN, 5_000, AGAIN, 10, NO], DECLINED.code, 0],
    ['a no while the page asks too', [5_000, ON_PAGE, NO], DECLINED.code, 0],
    ['a decline while the page asks too', [5_000, ON_PAGE, DECLINE], DECLINED.code, 0],
    ['a yes while the page asks too', [5_000, ON_PAGE, YES], 'Paid.', 1],
    ['no yes of a dialog that was closed', [5_000, { action: 'cancel' }, YES], PENDING, 0],
  ])('is measured: %s', async (_, steps, told, sends) => {
    expect(await play(steps)).toContain(told);
    expect(desk.sends).toBe(sends);
    const isOpen = told !== DECLINED.code && sends === 0;
    expect(await desk.waiting()).toEqual(isOpen ? expect.objectContaining({ decision: 'pending' }) : undefined);
  });

  test.each<[string, readonly Step[], string]>([
    [
      'is measured from the next showing',
      [3, DECLINE, 5_000, AGAIN, 4, DECLINE],
      'The dialog was answered before a person can have read it',
    ],
    ['leaves the question in the dialog', [DECLINE], 'No page and no terminal can ask.'],
    [
      'does so again',
      [DECLINE, 4_000, DECLINE],
      'to show the dialog again, or tell the person to use a client with dialogs',
    ],
    ['does not count, and a later one does', [DECLINE, 4_000, AGAIN, 4_000, YES], 'Paid.'],
  ])('%s if nothing else can ask', async (_, steps, told) => {
    withoutPage();
    expect(await play(steps)).toContain(told);
  });

  test('is named by a later call too, which does not wait where nothing is on a screen', async () => {
    withoutPage();
    desk.set({ canUseTerminal: true, waitMs: 25_000 });
    const asked = await answerAfter(3, DECLINE);
    const later = await desk.call(HOST, idOf(asked));
    expect(statusOf(later)).toBe('approval_required');
    expect(textOf(later)).toContain('No person can have read the last dialog of this client.');
    expect(textOf(later)).toContain('`fareclerk approve');
    expect((await desk.decide(true)).kind).toBe('done');
    expect(statusOf(await desk.call(HOST, idOf(asked)))).toBe('done');
  });

  test('counts if the operator turned the limit off, and leads to the terminal if there is no page', async () => {
    desk.set({ dialogFloorMs: 0 });
    expect(statusOf(await answerAfter(0, YES))).toBe('done');
    for (let i = 0; i < 2; i++) expect(textOf(await answerAfter(3_000, accept('Pay')))).toContain('without a choice');
    expect((await call()).kind).toBe('ask');
    withoutPage();
    desk.set({ canUseTerminal: true, dialogFloorMs: 1_500 });
    expect(textOf(await answerAfter(3, DECLINE))).toContain('`fareclerk approve');
  });
});

describe('an address that the client opens', () => {
  const OPENS: Partial<Asker> = { canOpenUrls: true, client: { name: 'opener', version: '1' } };
  const URL = { opened: false, url: 'http://127.0.0.1/secret' };
  beforeEach(() => desk.set({ approval: 'page', page: pageThat((opens) => (opens ? URL : { opened: true })) }));
  const askUrl = async () => idOf(await call(OPENS));

  test.each(['accept', 'decline'])('opens the page here if the client answers %s at once', async (action) => {
    const handle = await askUrl();
    expect(textOf(await desk.answer(handle, { action }, OPENS))).toContain('A page has opened');
    expect(opened).toEqual([false, true]);
    expect(await desk.waiting()).toMatchObject({ decision: 'pending', askedBy: 'page' });
    // What the client answers later is no answer of a person either.
    desk.clock.jump(5_000);
    expect(statusOf(await waited(desk.answer(handle, { action }, OPENS)))).toBe('approval_required');
    expect(await desk.waiting()).toMatchObject({ decision: 'pending' });
  });

  test('opens the page here if the client stays silent', async () => {
    await askUrl();
    await desk.clock.pass(40_000);
    expect(opened).toEqual([false, true]);
  });

  test('is not given to a client whose dialogs nobody sees', async () => {
    for (let i = 0; i < 2; i++) await desk.answer(await askUrl(), { action: 'accept' }, OPENS);
    expect(textOf(await call(OPENS))).toContain('A page has opened');
  });

  test('is not given again to a client that has shown two others to nobody meanwhile', async () => {
    await askUrl();
    const { terms } = desk;
    expect((await desk.call(OPENS)).kind).toBe('ask_url');
    for (let i = 0; i < 2; i++) await desk.answer(await askUrl(), { action: 'accept' }, OPENS);
    desk.terms = terms;
    expect((await waited(desk.call(OPENS))).kind).toBe('result');
  });
});

describe('the memory of unseen dialogs', () => {
  const twice = async (how: Partial<Asker> = HOST) => {
    for (let i = 0; i < 2; i++) await answerAfter(3, DECLINE, how);
  };

  test('still asks another client or caller in the dialog, also a client that gives no name', async () => {
    await twice();
    const others: Partial<Asker>[] = [
      { client: { name: 'some-ide', version: '1.3' } },
      { client: { name: 'other', version: '1.2' } },
      { client: undefined as never },
      { caller: { tenant: 't', id: 'bob' } },
    ];
    for (const how of others) expect([how, (await call({ ...HOST, ...how })).kind]).toEqual([how, 'ask']);
    await twice({ canElicit: true });
    expect((await call({ canElicit: true })).kind).toBe('result');
  });

  test('forgets after a slower answer, and after seven days, and then needs two again', async () => {
    const early = await ask();
    await twice();
    desk.clock.jump(2_000);
    await refusal(answer(early.handle, NO));
    expect((await call()).kind).toBe('ask');
    await twice();
    desk.clock.jump(7 * DAY + 1);
    await answerAfter(3, DECLINE);
    expect((await call()).kind).toBe('ask');
    await answerAfter(3, DECLINE);
    expect((await call()).kind).toBe('result');
  });

  test('changes nothing if nothing else can ask', async () => {
    withoutPage();
    await twice();
    expect((await call()).kind).toBe('ask');
  });

  test('is of the thousand clients that were noted last', async () => {
    await twice();
    expect((await call()).kind).toBe('result');
    const { handle } = await ask({ canElicit: true });
    for (let n = 0; n < 1_000; n += 1) {
      desk.runtime.dialogs.shown.clear();
      await desk.answer(handle, DECLINE, { canElicit: true, client: { name: 'many', version: String(n) } });
    }
    expect((await call()).kind).toBe('ask');
  });
});

describe('a dialog that stays silent', () => {
  const silent = async () => {
    const { handle } = await ask();
    await desk.clock.pass(40_000);
    return handle;
  };

  test('waits for both if the call comes back while its dialog is open', async () => {
    const { handle } = await ask();
    const both = await waited(desk.call({ ...HOST, isDialogOpen: true }, handle));
    expect(textOf(both)).toContain('The first answer counts, in the dialog or here.');
    expect(await desk.waiting()).toMatchObject({ askedBy: 'elicit' });
    // A later call shows no second dialog.
    await desk.clock.pass(40_000);
    expect(statusOf(await waited(desk.call(HOST, handle)))).toBe('approval_required');
    expect(statusOf(await answer(handle, YES))).toBe('done');
  });

  test('gives no yes if the operator requires the page meanwhile', async () => {
    const handle = await silent();
    desk.set({ pageAbove: SAR(1) });
    expect(statusOf(await waited(answer(handle, YES)))).toBe('approval_required');
    expect(desk.sends).toBe(0);
  });

  test('counts as unseen until an answer comes', async () => {
    await silent();
    const handle = await silent();
    expect(textOf(await call())).toContain('Two dialogs of this client in a row were not shown to a person.');
    await refusal(answer(handle, NO));
    expect((await call()).kind).toBe('ask');
  });

  test('opens the page once, however often the call is repeated meanwhile', async () => {
    await ask();
    for (let i = 0; i < 3; i++) {
      await desk.clock.pass(13_000);
      expect((await desk.call(HOST)).kind).toBe('ask');
    }
    expect(opened).toEqual([]);
    await desk.clock.pass(1_000);
    expect(opened).toEqual([true]);
    expect(await desk.waiting()).toMatchObject({ askedBy: 'elicit' });
    // It is one silent dialog, not three.
    expect((await call()).kind).toBe('ask');
  });

  test('has five dialogs at most, however often its call comes: then the page asks too, unless nothing else can', async () => {
    await ask();
    const kinds = async (calls: number) =>
      Promise.all(Array.from({ length: calls }, async () => (await waited(desk.call(HOST))).kind));
    expect(await kinds(6)).toEqual([...Array(4).fill('ask'), 'result', 'result']);
    expect(await desk.waiting()).toMatchObject({ askedBy: 'elicit' });
    // Each question has its own.
    await ask();
    expect(await kinds(1)).toEqual(['ask']);
    desk.clock.jump(11 * 60_000);
    await ask();
    expect(await kinds(4)).toEqual(Array(4).fill('ask'));
    withoutPage();
    await ask();
    expect(await kinds(6)).toEqual(Array(6).fill('ask'));
  });

  test('opens the page with the next call, where the program that watched it has ended', async () => {
    const { page: kept } = desk.settings;
    withoutPage();
    const { handle } = await ask();
    await desk.clock.pass(41_000);
    desk.set({ ...(kept && { page: kept }) });
    for (const id of [undefined, handle])
      expect(textOf(await waited(desk.call(HOST, id)))).toContain('The first answer counts, in the dialog or here.');
    expect(await desk.waiting()).toMatchObject({ askedBy: 'elicit' });
  });

  test('counts a yes from its own showing, and never from before the question or after now', async () => {
    const shown = async (of: (first: number) => number) => {
      const { handle, askedAt = 0 } = await ask();
      desk.clock.jump(20_000);
      await desk.call(HOST, handle);
      desk.clock.jump(500);
      const dialog = { handle, raw: YES, askedAt: of(askedAt) };
      return textOf(await waited(desk.call({ ...HOST, dialog })));
    };
    expect(await shown((first) => first)).toContain('Paid.');
    expect(await shown(() => 0)).toContain('Paid.');
    expect(await shown((first) => first + 20_000)).toContain(
      'The dialog was answered before a person can have read it',
    );
    expect(await shown(() => Number.POSITIVE_INFINITY)).toContain(
      'The dialog was answered before a person can have read it',
    );
  });

  test('opens nothing if the question was answered, or its dialog ended, meanwhile', async () => {
    const first = await ask();
    desk.clock.jump(2_000);
    await refusal(answer(first.handle, NO));
    const second = await ask();
    await answer(second.handle, DECLINE);
    opened = [];
    await desk.clock.pass(60_000);
    expect(opened).toEqual([]);
  });

  test('opens nothing after the approval was lost, or the state cannot be read', async () => {
    replacing(desk.state.approvals, 'get').mockResolvedValueOnce(undefined);
    await silent();
    replacing(desk.state.approvals, 'get').mockRejectedValueOnce(new Error('the disk is gone'));
    await silent();
    expect(opened).toEqual([]);
  });

  test('moves the question to the terminal too, and waits for nothing if only the dialog can ask', async () => {
    withoutPage();
    await silent();
    expect(await desk.waiting()).toMatchObject({ askedBy: 'elicit' });
    desk.set({ canUseTerminal: true });
    await silent();
    const waiting = await desk.state.approvals.waiting(desk.clock.now());
    expect(waiting.map(({ askedBy }) => askedBy).sort()).toEqual(['elicit', 'elicit']);
  });
});
