/** A plan on the page in a real browser: ticks, yes, live lines, with long names, many lines and small screens. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  lineView,
  moveLine,
  type PlanOnPage,
  planOf,
  planOnPage,
} from '../server/approval-page/support/plan-on-page.ts';
import { launchChromium } from './chromium.ts';
import { contrasts } from './contrast.ts';

let browser: Browser;
let desk: PlanOnPage | undefined;
/** Script errors, and what the content security policy held back. */
let complaints: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
}, 60_000);

afterAll(() => browser.close());

afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  await desk?.page.close();
  complaints = [];
});

const LONG = 'Umm-Kulthum-bint-Muhammad-al-'.repeat(6);

async function visit(lines = [moveLine(1), lineView(2), lineView(3)], options: BrowserContextOptions = {}) {
  desk = await planOnPage(planOf(lines));
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(5_000);
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(desk.page.addressFor(desk.approval));
  return { page, desk };
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

async function press(page: Page, name: string | RegExp): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).click()]);
}

describe('a plan on the page', () => {
  test('takes the ticked lines alone with one yes, shows them live, and stops them', async () => {
    const { page, desk: on } = await visit();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await page.getByLabel('1. Move booking ABC101').check();
    await page.getByLabel('3. Cancel booking: ABC103').check();
    await press(page, 'Yes, do the ticked lines');
    expect(on.decided).toEqual([{ yes: true, ticked: [1, 3] }]);
    expect(await heading(page)).toBe('Being carried out: 0 of 2 lines are done');
    on.run('done', 'not_ticked', 'doing');
    // By itself: nothing is pressed.
    await page.getByRole('heading', { name: '1 of 2 lines is done' }).waitFor({ timeout: 9_000 });
    expect(await page.getByRole('row').allTextContents()).toHaveLength(4);
    await press(page, /^Stop/);
    expect(on.stopped).toEqual(['pl_1']);
    expect(complaints).toEqual([]);
  }, 20_000);

  test('works by keyboard: nothing has the focus, Enter on a tick answers nothing, "no" comes before "yes"', async () => {
    const { page, desk: on } = await visit([lineView(1), lineView(2)]);
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('BODY');
    const focused = () => page.evaluate<string>('document.activeElement.value ?? document.activeElement.textContent');
    const seen: string[] = [];
    for (let i = 0; i < 7; i++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    expect(seen.map((text) => text.trim())).toEqual([
      'Tick all 2 lines',
      '1',
      'All terms of line 1',
      '2',
      'All terms of line 2',
      'no',
      'yes',
    ]);
    await page.getByRole('checkbox').nth(1).focus();
    await page.keyboard.press('Space');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(await page.getByRole('checkbox', { checked: true }).getAttribute('value')).toBe('2');
    expect(on.decided).toEqual([]);
    await page.getByRole('button', { name: /^Yes/ }).focus();
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    expect(on.decided).toEqual([{ yes: true, ticked: [2] }]);
  });

  test('a screen reader has one heading, a named list, a label for each tick, and a table of states', async () => {
    const { page, desk: on } = await visit();
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await page.getByRole('list', { name: 'Lines' }).count()).toBe(1);
    expect(await page.getByRole('form', { name: 'Your answer' }).getByRole('checkbox').count()).toBe(3);
    expect(await page.getByText('Train HHR101').first().isVisible()).toBe(false);
    await page.getByText('All terms of line 2').click();
    expect(await page.getByText('Cancel every train of booking ABC102.').isVisible()).toBe(true);
    on.run('done', 'skipped', 'done');
    await page.reload();
    expect(await page.getByRole('table', { name: 'Lines of the plan' }).count()).toBe(1);
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['Line', 'State']);
    expect(await page.getByRole('button').count()).toBe(0);
    const ids = await page.evaluate<string[]>("[...document.querySelectorAll('[id]')].map((one) => one.id)");
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    [320, 'light'],
    [320, 'dark'],
    [1024, 'dark'],
  ] as const)(
    '%i px wide, %s: 50 lines with long names are read whole, before and after the yes',
    async (width, colorScheme) => {
      const lines = Array.from({ length: 50 }, (_, i) => lineView(i + 1));
      lines[1] = moveLine(2, { title: `Move booking of ${LONG}` });
      const { page, desk: on } = await visit(lines, { viewport: { width, height: 700 }, colorScheme });
      const readable = async () => {
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        for (const { text, ratio } of await contrasts(page)) expect(ratio, text).toBeGreaterThanOrEqual(4.5);
      };
      await readable();
      for (const name of [/^No, /, /^Yes, /]) {
        const box = await page.getByRole('button', { name }).boundingBox();
        expect(box?.height).toBeGreaterThanOrEqual(44);
        expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
      }
      const tick = await page.getByRole('checkbox').nth(1).boundingBox();
      expect(tick?.width).toBeGreaterThanOrEqual(24);
      on.run(
        ...lines.map(
          (_, i) => (['done', 'skipped', 'in_doubt', 'needs_person', 'not_begun'] as const)[i % 5] ?? 'done',
        ),
      );
      await page.reload();
      expect(await heading(page)).toBe('Carried out: 10 of 50 lines are done');
      await readable();
    },
  );
});
