/** The details page in a real browser: on phones, by keyboard, without a script, and as screen readers meet it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { ADULT, day, detailsDesk, rightCard, visit as traveller } from '../pages/details/support/details-desk.ts';
import { expectAccessible } from './accessibility.ts';
import { browserTabs, expectReadable, heading, press, SCREENS } from './tabs.ts';

const { complaints, tab } = browserTabs();
const desk = await detailsDesk();
afterAll(() => desk.close());

const IPHONE = {
  ...{ viewport: { width: 390, height: 664 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true },
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
};
const ANDROID = {
  ...{ viewport: { width: 412, height: 785 }, deviceScaleFactor: 2.625, isMobile: true, hasTouch: true },
  userAgent:
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Mobile Safari/537.36',
};

/** The page of a new form. */
async function visit(options: BrowserContextOptions = {}, cards = [ADULT]) {
  const id = await desk.form(cards);
  const address = (await desk.local.details.address(id)) ?? '';
  const page = await tab(options);
  await page.goto(address);
  return { id, address, page };
}

const cardOf = (page: Page, n: number) => page.getByRole('group', { name: `Traveller ${n}, ` });

/** Fills a card in, as a person does: by the labels that they read. */
async function fillIn(card: Locator, n: number, over: Readonly<Record<string, string>> = {}): Promise<void> {
  const { [`given_name-${n}`]: given = '', [`document_number-${n}`]: number = '' } = rightCard(n);
  const texts = {
    'Given names': given,
    Surname: 'Haddad',
    'Number of the document': number,
    Nationality: 'Saudi Arabia',
    ...over,
  };
  for (const [label, text] of Object.entries(texts)) await card.getByLabel(label).fill(text);
  await card.getByLabel('Gender').selectOption('Female (F)');
  for (const [name, date] of [
    ['Birth date', '1950-03-27'],
    ['Expires', day(30, 5)],
  ] as const) {
    const [year = '', month, dayOfMonth] = date.split('-');
    const group = card.getByRole('group', { name });
    await group.getByLabel('Day').fill(String(Number(dayOfMonth)));
    await group.getByLabel('Month').selectOption(String(Number(month)));
    await group.getByLabel('Year').fill(year);
  }
}

describe.each([
  ['an iPhone', IPHONE],
  ['an Android phone', ANDROID],
])('on %s', (_, phone) => {
  test('a traveller fills a card in by touch, and everything is large enough for it', async () => {
    const { id, page } = await visit(phone);
    // A phone zooms into fields with small letters, and a finger needs 44 px.
    const fields = await page.locator('input:visible, select:visible').all();
    expect(fields.length).toBeGreaterThan(10);
    for (const field of fields) {
      expect((await field.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    const sizes = await page.evaluate<readonly number[]>(
      `[...document.querySelectorAll('input:not([type=hidden]), select, textarea')].map((field) => Number.parseFloat(getComputedStyle(field).fontSize))`,
    );
    for (const size of sizes) expect(size).toBeGreaterThanOrEqual(16);
    expect(await page.getByLabel('Day').first().getAttribute('inputmode')).toBe('numeric');
    expect(await page.getByLabel('Number of the document').getAttribute('autocapitalize')).toBe('characters');
    await fillIn(cardOf(page, 1), 1);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Send' }).tap()]);
    expect(await heading(page)).toBe('Thank you');
    expect(Object.keys((await desk.entered(id)) ?? {})).toEqual(['0']);
    await expectReadable(page, phone.viewport.width);
    expect(complaints).toEqual([]);
  });
});

describe.each([true, false])('with a script: %s', (javaScriptEnabled) => {
  test('three travellers: two at once, one of them corrected, and one later', async () => {
    const { id, page, address } = await visit({ javaScriptEnabled }, [ADULT, ADULT, ADULT]);
    await fillIn(cardOf(page, 1), 1);
    await fillIn(cardOf(page, 2), 2, { Nationality: 'Atlantis' });
    await press(page, /^Send$/);
    expect(Object.keys((await desk.entered(id)) ?? {})).toEqual(['0']);
    // What was typed on the card with a mistake is still there.
    expect(await cardOf(page, 2).getByLabel('Surname').inputValue()).toBe('Haddad');
    await cardOf(page, 2).getByLabel('Nationality').fill('Jordan');
    await press(page, /^Send$/);
    expect(new URL(page.url()).href).toBe(address);
    expect(await page.getByRole('list', { name: 'Done' }).getByRole('listitem').allTextContents()).toEqual([
      ' Traveller 1, adult: done',
      ' Traveller 2, adult: done',
    ]);
    expect(await page.content()).not.toMatch(/Haddad|L89890|1950/);
    const later = await tab({ javaScriptEnabled });
    await later.goto(address);
    await fillIn(cardOf(later, 3), 3);
    await press(later, /^Send$/);
    expect(await heading(later)).toBe('Thank you');
    await later.getByText('You can close this page.').waitFor();
    expect(Object.keys((await desk.entered(id)) ?? {})).toEqual(['0', '1', '2']);
    await page.reload();
    expect(await heading(page)).toBe('Thank you');
    expect(complaints.filter((words) => !words.includes('422'))).toEqual([]);
  });
});

describe('what a person sees', () => {
  test.each([
    [320, 'light'],
    [320, 'dark'],
    [768, 'dark'],
    [1024, 'light'],
  ] as const)(
    '%i px wide, %s: nothing is cut off, all of it can be read, and axe finds nothing',
    async (width, colorScheme) => {
      const { page, address } = await visit({ viewport: { width, height: 700 }, colorScheme }, [
        ADULT,
        ADULT,
        { type: 'INF', asks: 'new' },
      ]);
      const check = async () => {
        await expectReadable(page, width);
        await expectAccessible(page);
      };
      await check();
      const [first, second] = [cardOf(page, 1), cardOf(page, 2)];
      await fillIn(first, 1);
      await fillIn(second, 2, { Surname: 'Ж'.repeat(40), Nationality: 'Atlantis' });
      await press(page, /^Send$/);
      expect(await page.title()).toMatch(/^\d mistakes: Passenger details – fareclerk$/);
      await page.getByText('Traveller 1, adult: done').waitFor();
      await check();
      await page.setContent(await (await page.request.post(address, { data: 'x' })).text());
      expect(await heading(page)).toBe('Not accepted');
      await page.goto(`${new URL(address).origin}/details/${'x'.repeat(43)}`);
      expect(await heading(page)).toBe('There is nothing here');
      await expectReadable(page, width);
    },
  );

  test('a screen reader has landmarks, a group for each traveller, named fields, hints, and the mistakes first', async () => {
    const { page } = await visit({}, [ADULT, { type: 'CHD', asks: 'new' }]);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    for (const role of ['banner', 'main', 'contentinfo', 'form'] as const)
      expect(await page.getByRole(role).count()).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await page.getByRole('list', { name: 'Trip' }).getByRole('listitem').allTextContents()).toEqual([
      'Jeddah (JED) → Riyadh (RUH)',
      'Riyadh (RUH) → Jeddah (JED)',
    ]);
    const second = page.getByRole('group', { name: 'Traveller 2, child' });
    const described = async (label: string) => {
      const field = second.getByLabel(label);
      const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ').filter((id) => id !== '');
      return Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
    };
    expect(await described('Surname')).toEqual(['As in the passport']);
    await second.getByLabel('Surname').fill('Haddad');
    await press(page, /^Send$/);
    const alert = page.getByRole('alert');
    expect(await page.evaluate<string>('document.activeElement.getAttribute("role")')).toBe('alert');
    const links = await alert.getByRole('link').allTextContents();
    expect([links.length, links[0]]).toEqual([6, 'Traveller 2: Given names']);
    expect(await described('Given names')).toEqual([
      'All given names, as in the passport',
      'Enter the given names. If the passport has only one name, ask the seller of the trip how the airline takes it.',
    ]);
    expect(await second.getByLabel('Given names').getAttribute('aria-invalid')).toBe('true');
    expect(await second.getByLabel('Surname').getAttribute('aria-invalid')).toBeNull();
    await alert.getByRole('link', { name: 'Traveller 2: Birth date' }).click();
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('birth_day-2');
  });

  test('names that run from right to left do so in their fields, and come back as they were typed', async () => {
    const { page } = await visit();
    const name = page.getByLabel('Given names');
    const direction = () =>
      page.evaluate<string>(`getComputedStyle(document.getElementById('given_name-1')).direction`);
    expect(await direction()).toBe('ltr');
    await name.fill('\u0623\u0645\u0644');
    expect(await direction()).toBe('rtl');
    await press(page, /^Send$/);
    expect([await name.inputValue(), await direction()]).toEqual(['\u0623\u0645\u0644', 'rtl']);
    await page.getByRole('alert').getByText('The airline takes the letters A to Z').waitFor();
    await name.fill('Amal');
    expect(await direction()).toBe('ltr');
  });
});

describe('a group of twelve', () => {
  const GROUP = Array.from({ length: 12 }, () => ADULT);
  const height = (page: Page) => page.evaluate<number>('document.documentElement.scrollHeight');
  const summary = (page: Page, n: number) => page.getByText(new RegExp(`^Traveller ${n}, adult`)).first();
  const openCards = (page: Page) => page.locator('details.card[open]').count();

  /** Send and the count are whole in the window, wherever it is scrolled to. */
  async function expectSendInSight(page: Page, words: string): Promise<void> {
    const window = page.viewportSize()?.height ?? 0;
    for (const at of [0, 900, 99_999]) {
      await page.evaluate(`scrollTo(0, ${at})`);
      for (const part of [page.getByRole('button', { name: /^Send$/ }), page.getByText(words, { exact: true })]) {
        const box = await part.boundingBox();
        expect([(box?.y ?? -1) >= 0, (box?.y ?? window) + (box?.height ?? 0) <= window]).toEqual([true, true]);
      }
    }
  }

  test.each(SCREENS)(
    'shows one card open and the others as one line each, and Send stays in sight with the count: $viewport.width px, $colorScheme',
    async (screen) => {
      const { page } = await visit(screen, GROUP);
      // It begins with the list, then one open card.
      const [list, first] = await page.locator('form summary').allTextContents();
      expect([list, first]).toEqual(['Paste a list of the travellers instead', 'Traveller 1, adult']);
      expect(await openCards(page)).toBe(1);
      await expectSendInSight(page, '0 of 12 complete');
      await expectAccessible(page);
      for (let n = 1; n <= 11; n += 1) {
        if (n > 1) await summary(page, n).click();
        await fillIn(cardOf(page, n), n, { Surname: n === 3 ? '\u0623\u0645\u0644' : 'Haddad' });
        await summary(page, n).click();
      }
      expect(await openCards(page)).toBe(0);
      await expectReadable(page, screen.viewport.width);
      // What is folded is sent all the same; the name in other letters comes back open, with its mistake.
      await press(page, /^Send$/);
      expect(await page.getByRole('list', { name: 'Done' }).getByRole('listitem').count()).toBe(10);
      expect(await cardOf(page, 3).getByLabel('Surname').isVisible()).toBe(true);
      await expectSendInSight(page, '10 of 12 complete');
    },
  );

  test('without a script: cards open and fold by themselves, and what was sent is one line each', async () => {
    const { page, address } = await visit({ javaScriptEnabled: false, viewport: { width: 1280, height: 800 } }, GROUP);
    expect(await openCards(page)).toBe(1);
    await summary(page, 2).click();
    await fillIn(cardOf(page, 2), 2);
    await summary(page, 2).click();
    expect(await openCards(page)).toBe(1);
    await press(page, /^Send$/);
    await page.getByText('Traveller 2, adult: done').waitFor();
    await expectSendInSight(page, '1 of 12 complete');
    const others = [1, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => rightCard(n));
    await (await traveller(address)).send(Object.assign({}, ...others));
    await page.reload();
    await expectSendInSight(page, '11 of 12 complete');
    expect(await height(page)).toBeLessThanOrEqual(2_000);
  });
});

test('the whole page works by keyboard, and Enter in a field sends what is there', async () => {
  const { id, page } = await visit();
  const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()');
  const visited: string[] = [];
  const next = async (text = '') => {
    await page.keyboard.press('Tab');
    visited.push(await focused());
    expect(await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    if (text !== '') await page.keyboard.type(text);
  };
  expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('BODY');
  const year = String(Number(day(900).slice(0, 4)) + 1);
  for (const text of ['Amal Fatima', 'Noor', 'Alhaddad', 'Female', '27', 'March', '1950']) await next(text);
  for (const text of ['', 'L898902C3', 'Saudi Arabia', '1']) await next(text);
  for (const text of ['January', year]) await next(text);
  expect(visited).toEqual([
    'given_name-1',
    ...['middle_name-1', 'surname-1', 'gender-1', 'birth_day-1', 'birth_month-1', 'birth_year-1', 'document_type-1'],
    ...['document_number-1', 'nationality-1', 'expires_day-1', 'expires_month-1', 'expires_year-1'],
  ]);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  expect(await heading(page)).toBe('Thank you');
  expect((await desk.entered(id))?.[0]).toMatchObject({ given_name: 'Amal Fatima', middle_name: 'Noor' });
});

test('another site cannot send the form, not even with the address and the token', async () => {
  const { id, page, address } = await visit();
  const token = (await page.locator('input[name=token]').getAttribute('value')) ?? '';
  const fields = Object.entries({ ...rightCard(1), token });
  const inputs = fields.map(([name, value]) => `<input name="${name}" value="${value}">`).join('');
  const html = `<form id="f" method="post" action="${address}">${inputs}</form><script>document.getElementById('f').submit()</script>`;
  const elsewhere = createServer((_, response) => void response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => elsewhere.listen(0, resolve));
  for (const host of ['localhost', '127.0.0.1']) {
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.goto(`http://${host}:${(elsewhere.address() as AddressInfo).port}/`);
    expect((await answered).status()).toBe(403);
  }
  elsewhere.closeAllConnections();
  await new Promise((resolve) => elsewhere.close(resolve));
  expect(await desk.entered(id)).toEqual({});
});
