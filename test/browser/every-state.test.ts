/**
 * Every state that a page can be in, on a small phone and at a desk, by day and by night: it fits the window, can be read, and axe
 * finds nothing. `PICTURES=FOLDER` before it keeps all of them.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
      ([title, [over, operation]]) => [`: ${title}`, { caller: 'os:ann', ...over }, operation] as const,
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
    await press(page, 'Read this list');
  };

  test('of three, not begun', () => form(THREE, async () => undefined));
  test('of three, with a mistake in each field', () => form(THREE, (page) => press(page, /^Send$/)));
  test('sent', () =>
    form([ADULT], async (page) => {
      await fillIn(page, 1);
      await press(page, /^Send$/);
      await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    }));
  test('of twelve, not begun', () => form(unnamed(12), async () => undefined));
  test('of twelve, with a list whose columns are not all known', () =>
    form(unnamed(12), (page) => paste(page, pasted(people(12)))));
  test('of twelve, with a list that takes eleven', () =>
    form(unnamed(12), async (page) => {
      await paste(page, pasted([HEADINGS, ...people(11)]));
      await press(page, 'Take these rows');
    }));
  test('with a list that cannot be read', () => form(unnamed(2), (page) => paste(page, 'a,"b')));
  test('with a list of more people than travel', () =>
    form(unnamed(2), async (page) => {
      await paste(page, pasted([HEADINGS, ...people(3)]));
      await press(page, 'Take these rows');
    }));
  test('that nobody opened', async () => {
    const address = (await desk.local.details.address(await desk.form())) ?? '';
    await expectInEveryForm(await shown(`${new URL(address).origin}/details/${'x'.repeat(43)}`));
  });
});

describe('on a public address', () => {
  let at: PublicDesk;
  beforeAll(async () => {
    at = await openPublicDesk({ fourEyesAbove: { minor: 20_000, currency: 'SAR' } });
  });
  afterAll(() => at.close());

  const about = { people: ['Amal Haddad'], count: 3, route: 'Madinah → Jeddah', departs: '2026-12-01T08:00:00+03:00' };
  async function seenBy(name: string, address: string): Promise<void> {
    const page = await tab();
    await onlyLocal(page);
    await page.goto(address);
    await signIn(page, name, at.publicUrl);
    await expectInEveryForm(page);
  }
  const place = (path = '') => `${at.publicUrl}/approve/${path}`;

  test('an empty inbox', () => seenBy('eve', place()));
  test('an empty page of what was decided', () => seenBy('eve', place('decided')));
  test('an address beside the pages', async () => expectInEveryForm(await shown(`${at.publicUrl}/approvals`)));
  test('the inbox of an approver, of a supervisor and of the asker', async () => {
    await at.askAs({ about, client: { name: 'claude-ai', version: '1.4' } });
    await at.askAs({ about, caller: 'oauth:boss-bea:desk' }, 20_001);
    const decided = {
      expiresAt: at.desk.now() - 1_000,
      decidedAt: at.desk.now(),
      about,
      approver: 'oauth:boss-bea:page',
    };
    await at.askAs({ ...decided, decision: 'declined', assurance: 'page' });
    await at.askAs({ ...decided, decision: 'granted', assurance: 'page' });
    for (const name of ['boss-bea', 'lead-lea', 'ann']) await seenBy(name, place());
    await seenBy('boss-bea', place('decided'));
  });
  test('a question as its asker, as one who may only decline, as a supervisor and as a stranger see it', async () => {
    const { operationId } = await at.askAs({ about });
    for (const name of ['ann', 'lead-lea', 'eve']) await seenBy(name, place(operationId));
    const dear = await at.askAs({ about, caller: 'oauth:boss-bea:desk' }, 20_001);
    await seenBy('boss-bea', place(dear.operationId));
    expect(at.desk.failures).toEqual([]);
  });
});
