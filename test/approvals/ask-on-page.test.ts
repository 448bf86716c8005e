/**
 * A question on the approval page, or in a terminal.
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

  test('opens the approval page on this machine, and says so in the result', async () => {
    onPage(page());
    expect(await desk.result()).toMatchObject({ text: expect.stringContaining('A page has opened') });
  });

  test('names the terminal command if the approval page could not be opened', async () => {
    onPage(page({ opened: false }));
    expect((await desk.result()).text).toMatch(/A person must run `fareclerk approve 0{8}-0000-4000-8000-0{11}1`/);
  });

  test('gives the caller the public address of the approval page', async () => {
    onPage(page({ publicUrl: 'https://desk.example/approve/1' }));
    const asked = await desk.result();
    expect(asked.structured.approval).toMatchObject({ url: 'https://desk.example/approve/1' });
    expect(asked.text).toContain('must open https://desk.example/approve/1, sign in');
  });

  test("does not take a client's accept of the page address as a yes", async () => {
    onPage(page({ url: 'http://127.0.0.1/secret' }, false));
    const asked = await desk.call({ canOpenUrls: true });
    expect(asked).toMatchObject({
      kind: 'ask_url',
      url: 'http://127.0.0.1/secret',
      message: 'Please decide on the page. The terms:\nPay SAR 172.50 for booking ABC123\nRUH-JED',
    });
    const handle = asked.kind === 'ask_url' ? asked.handle : '';
    const opened = desk.answer(handle, { action: 'accept' }, { canOpenUrls: true });
    const waited = await desk.during(2_000, opened);
    expect(statusOf(waited)).toBe('approval_required');
    expect(waited).toMatchObject({ text: expect.stringContaining('A page has opened') });
    expect(JSON.stringify(waited)).not.toContain('secret');
  });

  test('gives a client that opens URLs the public address if there is no other', async () => {
    onPage(page({ publicUrl: 'https://desk.example/approve/1' }));
    expect(await desk.call({ canOpenUrls: true })).toMatchObject({
      kind: 'result',
      structured: { approval: { url: 'https://desk.example/approve/1' } },
    });
  });

  test('refuses a question if nobody can open the approval page', async () => {
    onPage(page({}, false));
    expect(await refusal(desk.call())).toMatchObject({ code: 'E_APPROVAL_UNAVAILABLE' });
  });

  test('names the terminal command if there is no approval page', async () => {
    desk.settings = { ...desk.settings, approval: 'page', canUseTerminal: true };
    expect((await desk.result()).text).toContain('fareclerk approve');
  });

  test("never shows the page's secret to a client that opens no URLs", async () => {
    onPage(page({ url: 'http://127.0.0.1/secret' }));
    expect(JSON.stringify(await desk.result())).not.toContain('secret');
  });

  test('returns the outcome to a waiting call as soon as the person decides', async () => {
    onPage(page());
    desk.settings = { ...desk.settings, waitMs: 60_000 };
    const asked = await desk.result();
    const waiting = desk.result({}, idOf(asked));
    await desk.clock.pass(500);
    expect((await desk.decide(true)).kind).toBe('done');
    expect(statusOf(await desk.during(500, waiting))).toBe('done');
    expect(desk.sends).toBe(1);
  });

  test('carries out a yes from a waiting call if it is not in the journal', async () => {
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

  test('carries out a yes that has no time of decision', async () => {
    onPage(page());
    const asked = await desk.result();
    const pending = await desk.waiting();
    const get = replacing(desk.state.approvals, 'get');
    get.mockResolvedValueOnce(pending);
    get.mockResolvedValue(pending && { ...pending, decision: 'granted' });
    expect(statusOf(await desk.result({}, idOf(asked)))).toBe('done');
  });

  test("ends a waiting call with the person's no", async () => {
    onPage(page());
    const asked = await desk.result();
    const waiting = desk.result({}, idOf(asked));
    await desk.clock.pass(100);
    await desk.decide(false);
    expect(await refusal(desk.during(500, waiting))).toMatchObject({ code: 'E_APPROVAL_DECLINED' });
  });

  test('stops waiting when the caller leaves or the approval is lost', async () => {
    onPage(page());
    const asked = await desk.result();
    const left = AbortSignal.abort();
    expect(statusOf(await desk.result({ signal: left }, idOf(asked)))).toBe('approval_required');
    const pending = await desk.waiting();
    replacing(desk.state.approvals, 'get').mockResolvedValueOnce(pending).mockResolvedValue(undefined);
    expect(statusOf(await desk.during(2_000, desk.result({}, idOf(asked))))).toBe('approval_required');
  });

  test('waits 25 seconds for the person by default', async () => {
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
