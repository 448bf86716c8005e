/**
 * A question on the approval page, or on its twin in a terminal.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageOpener } from '../../src/approvals/call-types.ts';
import { CallHarness, refusal, replacing, statusOf } from './harness.ts';

let desk: CallHarness;
beforeEach(async () => {
  desk = await CallHarness.open();
});
afterEach(() => desk.state.close());

function page(over: Partial<Awaited<ReturnType<PageOpener['open']>>> = {}, canOpen = true): PageOpener {
  return { canOpen: () => canOpen, open: async () => ({ opened: true, ...over }) };
}

function idOf(answer: { readonly structured: Readonly<Record<string, unknown>> }): string {
  return (answer.structured.approval as { id: string }).id;
}

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

  test('with a public address gives it to the caller', async () => {
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
    expect(waited).toMatchObject({ text: expect.stringContaining('A page has opened') });
    expect(JSON.stringify(waited)).not.toContain('secret');
  });

  test('without an address for the client gives its public one', async () => {
    onPage(page({ publicUrl: 'https://desk.example/approve/1' }));
    expect(await desk.call({ canOpenUrls: true })).toMatchObject({
      kind: 'result',
      structured: { approval: { url: 'https://desk.example/approve/1' } },
    });
  });

  test('does not choose a page that nobody can open', async () => {
    onPage(page({}, false));
    expect(await refusal(desk.call())).toMatchObject({ code: 'E_APPROVAL_UNAVAILABLE' });
  });

  test('has a twin in a terminal', async () => {
    desk.settings = { ...desk.settings, approval: 'page', canUseTerminal: true };
    expect((await desk.result()).text).toContain('fareclerk approve');
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

  test('a waiting call carries out a yes that is not in the journal', async () => {
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

  test('a waiting call stops when its caller leaves, and shows an approval as it was if it is lost meanwhile', async () => {
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
