/**
 * The approval page on its public address in a real browser, with a real OpenID provider: from a link in a chat to the
 * outcome, and what another site or another person cannot do.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openPublicDesk, type PublicDesk } from '../pages/approval/support/public-desk.ts';
import { expectAccessible } from './accessibility.ts';
import { browserTabs, expectReadable, heading, onlyLocal, press, signIn } from './tabs.ts';

const QUESTION = 'Pay SAR 172.50';

let at: PublicDesk;
let chat: Server;
// The provider's pages complain of what they may not fetch.
const tabs = browserTabs(
  (message) => message.location().url.startsWith(at.publicUrl) && !/40[34]/.test(message.text()),
);

beforeAll(async () => {
  at = await openPublicDesk({ fourEyesAbove: { minor: 10_000, currency: 'SAR' } });
  chat = createServer((request, response) => {
    const target = new URL(request.url ?? '', 'http://chat').searchParams.get('to') ?? '';
    response.setHeader('content-type', 'text/html');
    response.end(`<a href="${target}">decide here</a>`);
  });
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await at.close();
  chat.close();
});

afterEach(() => expect([tabs.complaints, at.desk.failures]).toEqual([[], []]));

/** A browser of their own. */
async function tab(): Promise<Page> {
  const page = await tabs.tab();
  await onlyLocal(page);
  return page;
}

test('a person comes by a link on another site and signs in, another says yes, and both see the outcome', async () => {
  const approval = await at.ask();
  const ann = await tab();
  const { port } = chat.address() as AddressInfo;
  await ann.goto(`http://localhost:${port}/?to=${encodeURIComponent(at.address(approval))}`);
  await ann.getByRole('link').click();
  await signIn(ann, 'ann', at.publicUrl);
  expect([ann.url(), await heading(ann)]).toEqual([at.address(approval), QUESTION]);
  expect(await ann.getByRole('button', { name: QUESTION }).count()).toBe(0);
  expect(await ann.evaluate<string>('document.cookie')).toBe('');
  const boss = await tab();
  await boss.goto(at.address(approval));
  await signIn(boss, 'boss-bea', at.publicUrl);
  expect(await heading(boss)).toBe(QUESTION);
  await press(boss, QUESTION);
  expect([boss.url(), await heading(boss)]).toEqual([at.address(approval), 'Paid SAR 172.50']);
  await ann.reload();
  expect(await heading(ann)).toBe('Paid SAR 172.50');
  expect(at.desk.world.sent).toBe(1);
  expect(await at.desk.state.operations.get(approval.operationId)).toMatchObject({ approvedBy: 'oauth:boss-bea:page' });
});

test.each([
  [320, 'light'],
  [375, 'light'],
  [375, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const)(
  '%i px wide, %s: the inbox lists the questions, all of it can be read, and each link leads to its question',
  async (width, colorScheme) => {
    const approval = await at.ask();
    const page = await tab();
    await page.setViewportSize({ width, height: 700 });
    await page.emulateMedia({ colorScheme });
    await page.goto(`${at.publicUrl}/approve/`);
    await signIn(page, 'boss-bea', at.publicUrl);
    expect(await heading(page)).toMatch(/open questions? for you/);
    await expectReadable(page, width);
    await expectAccessible(page);
    const item = page.getByRole('listitem').filter({ hasText: approval.locator ?? '' });
    // The amount is what the eye finds first in a row: larger than all else, and whole.
    const sizes = await page.evaluate<readonly (readonly [string, number])[]>(
      `[...document.querySelectorAll('.inbox li *')].map((one) => [one.className, Number.parseFloat(getComputedStyle(one).fontSize)])`,
    );
    const ofSum = sizes.find(([name]) => name === 'sum')?.[1] ?? 0;
    for (const [name, size] of sizes) if (name !== 'sum') expect(size * 1.3, name).toBeLessThan(ofSum);
    expect(await item.locator('.sum').textContent()).toBe('SAR 172.50');
    const link = page
      .getByRole('listitem')
      .filter({ hasText: approval.locator ?? '' })
      .getByRole('link');
    expect(await link.getAttribute('href')).toBe(`/approve/${approval.operationId}`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('A');
    await link.click();
    await page.getByRole('heading', { name: QUESTION }).waitFor();
    await page.getByRole('link', { name: 'All your open questions' }).click();
    await page.getByRole('list', { name: 'Questions' }).waitFor();
  },
);

test('twenty questions that a person opens at once are all shown after one sign-in', async () => {
  const approvals = await Promise.all(Array.from({ length: 20 }, () => at.ask()));
  const first = await tab();
  await first.goto(`${at.publicUrl}/approve/`);
  await signIn(first, 'ann', at.publicUrl);
  const seen = await Promise.all(
    approvals.map(async (approval) => {
      const page = await first.context().newPage();
      await page.goto(at.address(approval));
      const title = await heading(page);
      await page.close();
      return title;
    }),
  );
  expect(seen).toEqual(approvals.map(() => QUESTION));
});

test('a person looks at questions after one sign-in, and signs in to approve each, in two tabs at once', async () => {
  const approvals = [await at.askAs({}, 9_900), await at.askAs({}, 9_900)] as const;
  const list = await tab();
  await list.goto(`${at.publicUrl}/approve/`);
  await signIn(list, 'ann', at.publicUrl);
  const tabsOfBoth = await Promise.all(
    approvals.map(async (approval) => {
      const page = await list.context().newPage();
      await page.goto(at.address(approval));
      expect(await page.getByRole('button').allTextContents()).toEqual(['No, do not pay']);
      await expectReadable(page, page.viewportSize()?.width ?? 0);
      await expectAccessible(page);
      return page;
    }),
  );
  for (const page of tabsOfBoth) {
    await page.getByRole('link', { name: 'Sign in to approve' }).click();
    await page.getByRole('button', { name: /^Pay/ }).waitFor();
  }
  for (const page of tabsOfBoth) {
    await press(page, /^Pay/);
    expect(await heading(page)).toMatch(/^Paid/);
  }
});

/** Right to left, and longer than a narrow page. */
const LONG_NAME = 'oauth:عبد الرحمن-بن-عبد العزيز-الحداد-المدني:desk';

test.each([
  [320, 'light'],
  [375, 'light'],
  [375, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const)(
  '%i px wide, %s: the page of decided questions can be read, and leads to the inbox and back by the keyboard',
  async (width, colorScheme) => {
    const over = { expiresAt: at.desk.now() - 1_000, decidedAt: at.desk.now() };
    const route = 'Makkah Al Rusayfah → King Abdulaziz International Airport → Madinah';
    const about = { people: ['Amal Haddad'], count: 1, route, departs: '2026-12-01T08:00:00+03:00' };
    const approver = 'oauth:boss-bea:page';
    await at.askAs({ ...over, decision: 'declined', assurance: 'page', approver, about });
    await at.askAs({ ...over, caller: 'oauth:boss-bea:desk' });
    await at.askAs({ ...over, decision: 'granted', assurance: 'page', caller: LONG_NAME, approver });
    const page = await tab();
    await page.setViewportSize({ width, height: 700 });
    await page.emulateMedia({ colorScheme });
    await page.goto(`${at.publicUrl}/approve/decided`);
    await signIn(page, 'boss-bea', at.publicUrl);
    expect(await heading(page)).toBe('Decided in the last 30 days');
    await expectReadable(page, width);
    await expectAccessible(page);
    expect(await page.getByRole('listitem').count()).toBeGreaterThanOrEqual(3);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('A');
    await page.getByRole('link', { name: 'Open questions for you' }).press('Enter');
    await page.getByText('This list refreshes every').waitFor();
    await page.getByRole('link', { name: 'What was decided in the last 30 days' }).press('Enter');
    await page.getByRole('list', { name: 'Decided questions' }).waitFor();
  },
);
