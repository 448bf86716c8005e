/**
 * Tabs of a real browser, and what people and tests do in them. With `PICTURES=FOLDER`, each page that must be readable is kept there
 * as a PNG, for whoever looks at a change of the pages before and after.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, ConsoleMessage, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchChromium, noteComplaints } from './chromium.ts';
import { contrasts } from './contrast.ts';

/** A browser for the tests of one file; its tabs are closed after each. */
export function browserTabs(counts?: (message: ConsoleMessage) => boolean) {
  let browser: Browser;
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    complaints.length = 0;
  });
  return {
    complaints,
    async tab(options: BrowserContextOptions = {}): Promise<Page> {
      const page = await (await browser.newContext(options)).newPage();
      page.setDefaultTimeout(60_000);
      noteComplaints(page, complaints, counts);
      return page;
    },
  };
}

export const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

/** A small phone and a desk, by day and by night. */
export const SCREENS = [
  { viewport: { width: 375, height: 667 }, colorScheme: 'light' },
  { viewport: { width: 375, height: 667 }, colorScheme: 'dark' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
] as const;

/** Without scrolling all of these stand whole above the bar with the buttons, which leaves two thirds of the window. */
export async function expectSeenBeforeYes(page: Page, seen: readonly Locator[]): Promise<void> {
  const [bar, height] = [await page.locator('.bar').boundingBox(), page.viewportSize()?.height ?? 0];
  expect(bar?.y).toBeGreaterThanOrEqual((height * 2) / 3);
  expect((bar?.y ?? height) + (bar?.height ?? 0)).toBeLessThanOrEqual(height);
  expect(await page.evaluate<number>('scrollY')).toBe(0);
  for (const one of seen) {
    const box = await one.boundingBox();
    const where = [
      await one.textContent(),
      (box?.y ?? -1) >= 0,
      (box?.y ?? height) + (box?.height ?? 0) <= (bar?.y ?? 0),
    ];
    expect(where).toEqual([where[0], true, true]);
  }
}

/** Presses, and waits for the page that comes of it. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).click()]);
}

/** A provider's page may fetch nothing from the network. */
export const onlyLocal = (page: Page): Promise<unknown> =>
  page
    .context()
    .route('**/*', (route) =>
      /^https?:\/\/(?:127\.0\.0\.1|localhost)/.test(route.request().url()) ? route.continue() : route.abort(),
    );

/** Signs in at the provider of a public desk, until a page of this address is there. */
export async function signIn(page: Page, name: string, publicUrl: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit], input[type=submit]').first().click();
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
  await page.locator('button[type=submit], input[type=submit]').first().click();
  await page.waitForURL(`${publicUrl}/**`);
}

/** Nothing is wider than the window, and every text stands out from what is behind it (WCAG 2.2). */
export async function expectReadable(page: Page, width: number): Promise<void> {
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  const seen = await contrasts(page);
  expect(seen.length).toBeGreaterThan(4);
  for (const { text, ratio } of seen) expect(ratio, text).toBeGreaterThanOrEqual(4.5);
  if (process.env.PICTURES !== undefined) await keepPicture(page, process.env.PICTURES);
}

/** As `question-of-a-payment-375x667-dark.png`, after the test and the page's heading. */
async function keepPicture(page: Page, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const scheme = (await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches"))
    ? 'dark'
    : 'light';
  const name = [expect.getState().currentTestName, await heading(page), `${width}x${height}`, scheme].join(' ');
  const path = join(folder, `${name.replaceAll(/[^\w]+/g, '-').slice(-150)}.png`);
  await page.screenshot({ path, fullPage: true });
}

/** Buttons that a finger can press, in sight without scrolling. */
export async function expectButtons(page: Page, width: number, ...names: readonly RegExp[]): Promise<void> {
  for (const name of names) {
    const box = await page.getByRole('button', { name }).boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
    const [top, height] = [box?.y ?? -1, page.viewportSize()?.height ?? 0];
    expect([name, top >= 0, top + (box?.height ?? 0) <= height]).toEqual([name, true, true]);
  }
}
