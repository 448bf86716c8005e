/**
 * The approval page on its public address in a real browser, with a real OpenID provider: from a link in a chat to the
 * outcome, and what another site or another person cannot do.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openPublicDesk, type PublicDesk } from '../server/approval-page/support/public-desk.ts';
import { expectAccessible } from './accessibility.ts';
import { launchChromium } from './chromium.ts';
import { contrasts } from './contrast.ts';

const QUESTION = 'Pay SAR 172.50';
const YES = 'Pay SAR 172.50';

let browser: Browser;
let at: PublicDesk;
let chat: Server;
let contexts: BrowserContext[];
let complaints: string[];

beforeAll(async () => {
  browser = await launchChromium();
  at = await openPublicDesk({ fourEyesAbove: { minor: 10_000, currency: 'SAR' } });
  chat = createServer((request, response) => {
    const target = new URL(request.url ?? '', 'http://chat').searchParams.get('to') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(`<a href="${target}">decide here</a>`);
  });
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
}, 60_000);

afterAll(async () => {
  await browser.close();
  await at.close();
  chat.close();
});

beforeEach(() => {
  contexts = [];
  complaints = [];
  at.desk.world.sent = 0;
});
afterEach(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  expect([complaints, at.desk.failures]).toEqual([[], []]);
});

/** A browser of their own. The provider's page may fetch nothing from the network. */
async function tab(): Promise<Page> {
  const context = await browser.newContext();
  contexts.push(context);
  await context.route('**/*', (route) =>
    /^https?:\/\/(?:127\.0\.0\.1|localhost)/.test(route.request().url()) ? route.continue() : route.abort(),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(5_000);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const ours = message.location().url.startsWith(at.publicUrl);
    if (message.type() === 'error' && ours && !/40[34]/.test(message.text())) complaints.push(message.text());
  });
  return page;
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit], input[type=submit]').first().click();
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
  await page.locator('button[type=submit], input[type=submit]').first().click();
  await page.waitForURL(`${at.publicUrl}/**`);
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

async function press(page: Page, name: string): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).click()]);
}

async function open(page: Page, approval: { operationId: string }, name: string): Promise<void> {
  await page.goto(at.address(approval));
  await signIn(page, name);
}

describe('from a link on another site', () => {
  test('a person signs in, another says yes, and both see the outcome', async () => {
    const approval = await at.ask();
    const ann = await tab();
    const { port } = chat.address() as AddressInfo;
    await ann.goto(`http://localhost:${port}/?to=${encodeURIComponent(at.address(approval))}`);
    await ann.getByRole('link').click();
    await signIn(ann, 'ann');
    expect([ann.url(), await heading(ann)]).toEqual([at.address(approval), 'Pay SAR 172.50']);
    expect(await ann.getByRole('button', { name: YES }).count()).toBe(0);
    expect(await ann.evaluate<string>('document.cookie')).toBe('');

    const boss = await tab();
    await open(boss, approval, 'boss-bea');
    expect(await heading(boss)).toBe(QUESTION);
    await press(boss, YES);
    expect([boss.url(), await heading(boss)]).toEqual([at.address(approval), 'Paid SAR 172.50']);

    await ann.reload();
    expect(await heading(ann)).toBe('Paid SAR 172.50');
    expect(at.desk.world.sent).toBe(1);
    expect(await at.desk.state.operations.get(approval.operationId)).toMatchObject({
      approvedBy: 'oauth:boss-bea:page',
    });
  });
});

describe('the inbox', () => {
  test.each([
    [320, 'light'],
    [375, 'dark'],
    [1024, 'light'],
  ] as const)(
    '%i px wide, %s: lists the questions, all of it can be read, and each link leads to its question',
    async (width, colorScheme) => {
      const approval = await at.ask();
      const page = await tab();
      await page.setViewportSize({ width, height: 700 });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${at.publicUrl}/approve/`);
      await signIn(page, 'boss-bea');
      expect(await heading(page)).toMatch(/questions? waits? for you/);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      for (const { text, ratio } of await contrasts(page)) expect(ratio, text).toBeGreaterThanOrEqual(4.5);
      await expectAccessible(page);
      const link = page
        .getByRole('listitem')
        .filter({ hasText: approval.locator ?? '' })
        .getByRole('link');
      expect(await link.getAttribute('href')).toBe(`/approve/${approval.operationId}`);
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('A');
      await link.click();
      await page.getByRole('heading', { name: QUESTION }).waitFor();
      await page.getByRole('link', { name: 'All questions that wait for you' }).click();
      await page.getByRole('list', { name: 'Questions' }).waitFor();
    },
  );
});

describe('what another site cannot do', () => {
  test("another site cannot send the form with the person's cookies", async () => {
    const approval = await at.ask();
    const page = await tab();
    await open(page, approval, 'boss-bea');
    const token = await page.locator('input[name=token]').inputValue();
    const { port } = chat.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/?to=x`);
    await page.setContent(
      `<form method="post" action="${at.address(approval)}"><input name="token" value="${token}"><button name="decision" value="yes">win</button></form>`,
    );
    await press(page, 'win');
    expect(await at.approval(approval.operationId)).toMatchObject({ decision: 'pending' });
    expect(at.desk.world.sent).toBe(0);
  });
});
