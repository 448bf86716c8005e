/**
 * Every state that a page can be in, on a small phone and at a desk, by day and by night: it fits the window, can be read, and axe
 * finds nothing. `PICTURES=FOLDER` before it keeps all of them.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { openPage } from '../pages/approval/support/desk-of.ts';
import { OUTCOMES, QUESTIONS } from '../pages/approval/support/page-states.ts';
import { lineView, moveLine, planOf, planOnPage, planStates } from '../pages/approval/support/plan-on-page.ts';
import { openPublicDesk, type PublicDesk } from '../pages/approval/support/public-desk.ts';
import { ADULT, detailsDesk, rightCard } from '../pages/details/support/details-desk.ts';
import { HEADINGS, pasted, people } from '../pages/details/support/list-page.ts';
import { pendingApproval } from '../support/approvals.ts';
import { expectNoViolation } from './accessibility.ts';
import { browserTabs, expectReadable, onlyLocal, press, SCREENS, signIn } from './tabs.ts';

const { tab } = browserTabs();

/** Looks at what the tab shows, in each form. */
async function expectInEveryForm(page: Page): Promise<void> {
  for (const { viewport, colorScheme } of SCREENS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await expectReadable(page, viewport.width);
    await expectNoViolation(page);
  }
}

async function shown(address: string): Promise<Page> {
  const page = await tab();
  await page.goto(address);
  return page;
}

describe('a question', () => {
  const states = [
    ...Object.entries(QUESTIONS).map(([title, over]) => [title, { caller: 'os:ann', ...over }, undefined] as const),
    ...Object.entries(OUTCOMES).map(
      ([title, [over, operation]]) => [`afterwards: ${title}`, { caller: 'os:ann', ...over }, operation] as const,
    ),
  ];
  test.each(states)('%s', async (_, over, operation) => {
    const approval = pendingApproval(over);
    const page = await openPage({
      find: async () => approval,
      operation: async () => operation as never,
      now: () => 1_000,
      environment: 'live',
    });
    await expectInEveryForm(await shown(page.addressFor(approval)));
    await page.close();
  });

  test('whose link was used in another browser', async () => {
    const approval = pendingApproval({ caller: 'os:ann' });
    const page = await openPage({ find: async () => approval, now: () => 1_000 });
    const address = page.addressFor(approval);
    await shown(address);
    await expectInEveryForm(await shown(address));
    await page.close();
  });
});

describe('a plan', () => {
  const twelve = Array.from({ length: 12 }, (_, i) => (i % 2 ? moveLine : lineView)(i + 1));
  const states = { ...planStates(), 'a question about twelve bookings': { view: planOf(twelve) } };
  test.each(Object.entries(states))('%s', async (_, now) => {
    const desk = await planOnPage(now.view);
    desk.now = now;
    await expectInEveryForm(await shown(desk.page.addressFor(desk.approval)));
    await desk.page.close();
  });
});

describe('the details form', () => {
  let desk: Awaited<ReturnType<typeof detailsDesk>>;
  beforeAll(async () => {
    desk = await detailsDesk();
  });
  afterAll(() => desk.close());

  const unnamed = (count: number) => Array.from({ length: count }, () => ({ type: 'ADT', asks: 'unnamed' }) as const);
  /** The form of these travellers, and then what came of `act`. */
  async function form(cards: Parameters<typeof desk.form>[0], act: (page: Page) => Promise<unknown>): Promise<void> {
    const page = await shown((await desk.local.details.address(await desk.form(cards))) ?? '');
    await act(page);
    await expectInEveryForm(page);
  }
  const THREE = [ADULT, ADULT, { type: 'INF', asks: 'new' }] as const;
  const fillIn = async (page: Page, n: number) => {
    for (const [name, value] of Object.entries(rightCard(n))) {
      const [select, field] = [page.locator(`select[name="${name}"]`), page.locator(`input[name="${name}"]`)];
      if ((await select.count()) > 0) await select.selectOption(value);
      else if (value !== '') await field.fill(value);
    }
  };
  const paste = async (page: Page, text: string) => {
    await page.getByText('Paste a list of the travellers instead').click();
    await page.getByLabel('List of the travellers').fill(text);
    await page.getByRole('button', { name: 'Fill in the cards' }).click();
    await page.locator('#list-result').filter({ hasText: /./ }).waitFor();
  };

  test('of three, not begun', () => form(THREE, async () => undefined));
  test('of three, with nothing filled in', () => form(THREE, (page) => press(page, /^Send$/)));
  test('of three, with mistakes', () =>
    form(THREE, async (page) => {
      await page.locator('input[name="surname-1"]').fill('\u0623\u0645\u0644');
      await page.locator('input[name="birth_year-1"]').fill('1850');
      await press(page, /^Send$/);
      await page.getByRole('alert').waitFor();
    }));
  test('sent', () =>
    form([ADULT], async (page) => {
      await fillIn(page, 1);
      await press(page, /^Send$/);
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    }));
  test('of twelve, not begun', () => form(unnamed(12), async () => undefined));
  test('of twelve, with a list without headings', () => form(unnamed(12), (page) => paste(page, pasted(people(12)))));
  test('of twelve, with a list that fills eleven cards', () =>
    form(unnamed(12), (page) => paste(page, pasted([HEADINGS, ...people(11)]))));
  test('with a list of more people than travel', () =>
    form(unnamed(2), (page) => paste(page, pasted([HEADINGS, ...people(3)]))));
  test('that nobody opened', async () => {
    const address = (await desk.local.details.address(await desk.form())) ?? '';
    await expectInEveryForm(await shown(`${new URL(address).origin}/details/${'x'.repeat(43)}`));
  });
});

describe('on a public address', () => {
  const about = { people: ['Amal Haddad'], count: 3, route: 'Madinah → Jeddah', departs: '2026-12-01T08:00:00+03:00' };
  let at: PublicDesk;
  /** Of ann, and of an approver, which needs another one. */
  let asked: Awaited<ReturnType<PublicDesk['askAs']>>;
  let dear: typeof asked;
  beforeAll(async () => {
    at = await openPublicDesk({ fourEyesAbove: { minor: 20_000, currency: 'SAR' } });
    asked = await at.askAs({ about, client: { name: 'claude-ai', version: '1.4' } });
    dear = await at.askAs({ about, caller: 'oauth:boss-bea:desk' }, 20_001);
    const now = at.desk.now();
    const answered = { about, expiresAt: now - 1_000, decidedAt: now, approver: 'oauth:boss-bea:page' };
    for (const decision of ['declined', 'granted'] as const) {
      await at.askAs({ ...answered, decision, assurance: 'page' });
    }
  });
  afterAll(() => at.close());

  async function seenBy(name: string, place: string): Promise<void> {
    const page = await tab();
    await onlyLocal(page);
    await page.goto(`${at.publicUrl}/approve/${place}`);
    await signIn(page, name, at.publicUrl);
    await expectInEveryForm(page);
  }

  test.each([
    ['whom nothing was asked', 'eve'],
    ['who asked', 'ann'],
    ['who approves', 'boss-bea'],
    ['who leads the desk', 'lead-lea'],
  ])('the inbox of a person %s', (_, name) => seenBy(name, ''));
  test.each([
    ['nothing', 'eve'],
    ['what they decided', 'boss-bea'],
  ])('the page of what was decided, with %s', (_, name) => seenBy(name, 'decided'));
  test.each([
    ['its asker', 'ann'],
    ['a supervisor', 'lead-lea'],
    ['a stranger', 'eve'],
  ])('a question as %s sees it', (_, name) => seenBy(name, asked.operationId));
  test('a question to which a yes needs another sign-in', async () => {
    const page = await tab();
    await onlyLocal(page);
    await page.goto(`${at.publicUrl}/approve/`);
    await signIn(page, 'ann', at.publicUrl);
    await page.goto(at.address(asked));
    await page.getByRole('link', { name: 'Sign in to approve' }).waitFor();
    await expectInEveryForm(page);
  });
  test('a question that its asker may only decline', () => seenBy('boss-bea', dear.operationId));
});
