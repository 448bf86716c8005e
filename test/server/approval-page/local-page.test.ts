/**
 * The page opener of the clerk: when it listens, what it opens, and what it reveals.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BrowserOpener } from '../../../src/server/approval-page/browser.ts';
import { type ApprovalPage, approvalPageOf } from '../../../src/server/approval-page/local-page.ts';
import { type TestDesk, TICKET, testDesk } from './support/desk-of.ts';
import { enter, fetchPage, headingOf } from './support/page-client.ts';

/** A browser that records the addresses to open. */
class NotedBrowser implements BrowserOpener {
  readonly opened: string[] = [];
  exists = true;
  works = true;
  available(): boolean {
    return this.exists;
  }
  async open(url: string): Promise<boolean> {
    if (this.works) this.opened.push(url);
    return this.works;
  }
}

let desk: TestDesk;
let browser: NotedBrowser;
let page: ApprovalPage;

beforeEach(async () => {
  browser = new NotedBrowser();
  desk = await testDesk({
    page: (made) => {
      page = approvalPageOf(() => made().clerk, browser);
      return page;
    },
  });
});

afterEach(async () => {
  await page.close();
  await desk.close();
});

const last = () => browser.opened.at(-1) ?? '';

describe('with a local browser', () => {
  test('opens the browser for a question, and puts the secret in no result', async () => {
    const approval = await desk.ask();
    expect(browser.opened).toHaveLength(1);
    const secret = new URL(last()).searchParams.get('k') ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    const visitor = await enter(last());
    const told = visitor.decide('yes');
    const result = await desk.again(desk.handleOf(approval.operationId));
    expect(headingOf(await told)).toBe('Paid SAR 172.50');
    expect(result.structured).toMatchObject({ status: 'done', ticket: TICKET });
    expect(JSON.stringify(result)).not.toContain(secret);
    expect(JSON.stringify(result)).not.toContain('127.0.0.1');
    expect(JSON.stringify(desk.failures)).not.toContain(secret);
  });

  test('opens no second page when the status is requested', async () => {
    const approval = await desk.ask();
    for (let n = 0; n < 5; n++) expect(await page.open(approval, false)).toEqual({ opened: true });
    expect(browser.opened).toHaveLength(1);
  });

  test('opens one page for two calls at once about one approval', async () => {
    const approval = await desk.ask();
    browser.opened.length = 0;
    const other = { ...approval, operationId: crypto.randomUUID() };
    await Promise.all([page.open(other, false), page.open(other, false), page.open(other, false)]);
    expect(browser.opened).toHaveLength(1);
  });

  test('opens an unvisited page again with a new secret, but no visited page', async () => {
    const approval = await desk.ask();
    const now = Date.now;
    Date.now = () => now() + 21_000;
    try {
      await page.open(approval, false);
      expect(browser.opened).toHaveLength(2);
      expect(browser.opened[0]).not.toBe(browser.opened[1]);
      await enter(last());
      Date.now = () => now() + 90_000;
      expect(await page.open(approval, false)).toEqual({ opened: true });
      expect(browser.opened).toHaveLength(2);
    } finally {
      Date.now = now;
    }
  });

  test('opens only a few pages for an assistant that asks in a loop', async () => {
    const approval = await desk.ask();
    const opened: boolean[] = [];
    for (let n = 0; n < 20; n++) {
      opened.push((await page.open({ ...approval, operationId: crypto.randomUUID() }, false)).opened);
    }
    expect(browser.opened).toHaveLength(6);
    expect(opened.filter((one) => one)).toHaveLength(5);
    expect(opened.at(-1)).toBe(false);
  });

  test('does not count a failed opener, and tries again', async () => {
    browser.works = false;
    const approval = await desk.ask();
    expect(await page.open(approval, false)).toEqual({ opened: false });
    browser.works = true;
    expect(await page.open(approval, false)).toEqual({ opened: true });
    expect(browser.opened).toHaveLength(1);
  });
});

describe('without a local browser', () => {
  test('serves nothing without a browser, and names the terminal in the result', async () => {
    browser.exists = false;
    expect(page.canOpen()).toBe(false);
    const approval = await desk.ask();
    expect(await page.open(approval, false)).toEqual({ opened: false });
    expect(browser.opened).toEqual([]);
  });
});

describe('with a client that opens addresses', () => {
  test('gives the address once to a client that opens addresses, and opens nothing itself', async () => {
    browser.exists = false;
    const approval = await desk.ask();
    const { url = '', opened } = await page.open(approval, true);
    expect(opened).toBe(false);
    expect(await page.open(approval, true)).toEqual({ opened: true });
    const now = Date.now;
    Date.now = () => now() + 21_000;
    try {
      expect(await page.open(approval, true)).toEqual({ opened: false });
    } finally {
      Date.now = now;
    }
    const visitor = await enter(url);
    expect(headingOf(visitor.page)).toBe('Pay SAR 172.50');
    expect(await page.open(approval, true)).toEqual({ opened: true });
  });
});

describe('the server', () => {
  test('ends the server on close, and starts another for a new question', async () => {
    const approval = await desk.ask();
    const first = last();
    await page.close();
    await expect(fetchPage(first)).rejects.toThrow('ECONNREFUSED');
    await page.open({ ...approval, operationId: crypto.randomUUID() }, false);
    expect(new URL(last()).port).not.toBe('');
    expect((await fetchPage(`${new URL(last()).origin}/`)).status).toBe(404);
    await page.close();
    await page.close();
  });

  test('finishes on close a reply that is being written', async () => {
    let answer: () => void = () => undefined;
    desk.world.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    await desk.ask();
    const visitor = await enter(last());
    const sent = visitor.answer('yes');
    await expect.poll(() => desk.world.sent).toBe(1);
    answer();
    await desk.clerk.idle();
    await page.close();
    expect((await sent).status).toBe(303);
  });

  test('does not keep its process running, even with an open page', async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./support/open-page-process.ts', import.meta.url))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += String(chunk);
    });
    const answered = new Promise((resolve) => child.stdout.once('data', () => resolve(performance.now())));
    const code = await new Promise((resolve) => child.once('exit', resolve));
    const held = performance.now() - Number(await answered);
    expect([code, said.trim()]).toEqual([0, '404']);
    // A keep-alive connection would keep the process running for five seconds.
    expect(held).toBeLessThan(2_500);
  });
});
