/** A list of travellers on the details page in a real browser: pasted or read from a file, confirmed, corrected and sent. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { detailsDesk } from '../pages/details/support/details-desk.ts';
import { HEADINGS, pasted, people } from '../pages/details/support/list-page.ts';
import { expectAccessible } from './accessibility.ts';
import { browserTabs, expectReadable, heading, press } from './tabs.ts';

const { complaints, tab } = browserTabs();
const desk = await detailsDesk();
afterAll(() => desk.close());

const PASTE = 'Paste a list of the travellers instead';
const GROUP = Array.from({ length: 12 }, () => ({ type: 'ADT', asks: 'unnamed' }) as const);

async function visit(options: BrowserContextOptions = {}, cards: Parameters<typeof desk.form>[0] = GROUP) {
  const id = await desk.form(cards);
  const page = await tab(options);
  await page.goto((await desk.local.details.address(id)) ?? '');
  return { id, page, list: page.getByLabel('List of the travellers') };
}

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');

describe.each([true, false])('with a script: %s', (javaScriptEnabled) => {
  test('a group of twelve is pasted, its columns are confirmed, one row is corrected, and all are sent', async () => {
    const { id, page, list } = await visit({ javaScriptEnabled });
    await page.getByText(PASTE).click();
    const rows = people(12);
    await list.fill(pasted(rows.with(4, (rows[4] ?? []).with(5, 'Atlantis'))));
    await press(page, 'Read this list');
    const column = (n: number) => page.getByLabel(`Column ${n}`, { exact: true });
    expect(await column(1).locator('option:checked').textContent()).toBe('Choose');
    expect(await column(4).locator('option:checked').textContent()).toBe('Birth date');
    expect(await page.getByText('Layla A, Layla B, Layla C, Layla D, …').isVisible()).toBe(true);
    await column(1).selectOption('Surname');
    await press(page, 'Take these rows');
    // The other names are not chosen yet: what was chosen stays.
    await page.getByRole('alert').getByRole('link', { name: 'Column 2' }).click();
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('column-2');
    expect(await column(1).locator('option:checked').textContent()).toBe('Surname');
    expect(await desk.entered(id)).toEqual({});
    await column(2).selectOption('Given names');
    await press(page, 'Take these rows');
    expect(await page.getByRole('list', { name: 'Done' }).getByRole('listitem').count()).toBe(11);
    expect(await page.getByRole('group', { name: /^Traveller/ }).count()).toBe(1);
    const card = page.getByRole('group', { name: 'Traveller 5, adult' });
    expect(await card.getByText('Row 5 of the list').isVisible()).toBe(true);
    expect(await card.getByLabel('Surname').inputValue()).toBe('Haddad E');
    expect(await page.content()).not.toContain('Haddad A');
    await card.getByLabel('Nationality').fill('Egypt');
    await press(page, /^Send$/);
    expect(await heading(page)).toBe('Thank you');
    const surnames = Object.values((await desk.entered(id)) ?? {}).map(({ surname }) => surname);
    expect(surnames).toEqual(rows.map(([surname]) => surname));
    // A form with mistakes comes back as one.
    expect(complaints.filter((words) => !words.includes('422'))).toEqual([]);
  });
});

describe('what a person sees', () => {
  test.each([
    [320, 'light'],
    [320, 'dark'],
    [1024, 'light'],
  ] as const)(
    '%i px wide, %s: nothing is cut off, all of it can be read, and axe finds nothing',
    async (width, colorScheme) => {
      const { page, list } = await visit({ viewport: { width, height: 700 }, colorScheme }, [
        ...GROUP.slice(0, 2),
        { type: 'CHD', asks: 'unnamed' },
      ]);
      const check = async () => {
        await expectReadable(page, width);
        await expectAccessible(page);
      };
      await page.getByText(PASTE).click();
      await check();
      await list.fill('a,"b');
      await press(page, 'Read this list');
      await page.getByRole('alert').getByRole('link', { name: 'The list' }).click();
      expect(await page.evaluate<string>('document.activeElement.id')).toBe('list');
      await check();
      const [one = [], two = []] = people(2);
      const long = ['X'.repeat(80), 'حداد', ...one.slice(2), 'W'.repeat(60)];
      await list.fill(pasted([[...HEADINGS, 'Z'.repeat(90)], long, two, one, one]));
      await press(page, 'Read this list');
      // What is next has the focus, and is read first.
      await expect.poll(() => focused(page)).toMatch(/^4 rows, 8 columns\./);
      await check();
      await press(page, 'Take these rows');
      await page.getByRole('alert').getByRole('link', { name: 'Column 8' }).waitFor();
      await check();
      await page.getByLabel('Column 8').selectOption('Not used');
      await press(page, 'Take these rows');
      await page.getByText('Row 3 of the list').or(page.getByText('Row 2 of the list')).first().waitFor();
      await check();
      const done = await visit({ viewport: { width, height: 700 }, colorScheme }, GROUP.slice(0, 2));
      await done.page.getByText(PASTE).click();
      await done.list.fill(pasted([HEADINGS, ...people(3)]));
      await press(done.page, 'Read this list');
      await press(done.page, 'Take these rows');
      expect(await heading(done.page)).toBe('Thank you');
      expect(await done.page.getByLabel('Rows that were not taken').inputValue()).toContain('Haddad C');
      await expectReadable(done.page, width);
    },
  );

  test('the list works by keyboard, and Enter in its field writes a line', async () => {
    const { id, page, list } = await visit({}, GROUP.slice(0, 2));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Surname;Given names');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Haddad;Layla');
    expect(await list.inputValue()).toBe('Surname;Given names\nHaddad;Layla');
    for (const _ of ['file', 'button']) await page.keyboard.press('Tab');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await expect.poll(() => focused(page)).toMatch(/^1 row, 2 columns\./);
    // From there to both columns, the box and the button.
    for (const _ of ['column', 'column', 'headings', 'button']) await page.keyboard.press('Tab');
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
    await page.getByText('The list had no row for 1 card.').waitFor();
    expect(await desk.entered(id)).toEqual({ 0: { given_name: 'Layla', surname: 'Haddad' } });
  });
});

describe('a file', () => {
  const CSV = 'Surname;Given names\r\nHäddad;Zoë\r\n';
  const latin = Buffer.from(CSV, 'latin1');
  test.each([
    ['in UTF-8', Buffer.from(CSV)],
    ['in UTF-8 with a mark', Buffer.from(`\uFEFF${CSV}`)],
    ['in UTF-16, as Excel writes Unicode text', Buffer.from(`\uFEFF${CSV}`, 'utf16le')],
    ['in UTF-16 of the other order', Buffer.from(`\uFEFF${CSV}`, 'utf16le').swap16()],
    ['in the code page of Windows', latin],
  ])('%s is read into the field, and nothing else is sent', async (_, buffer) => {
    const { id, page, list } = await visit({}, GROUP.slice(0, 2));
    await page.getByText(PASTE).click();
    await page
      .getByLabel('Or choose a CSV file')
      .setInputFiles({ name: 'secret-name.csv', mimeType: 'text/csv', buffer });
    await page.getByText('Read. Check the list above.').waitFor();
    expect(await list.inputValue()).toBe(CSV.replaceAll('\r\n', '\n'));
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await press(page, 'Read this list');
    const body = (await sent).postData() ?? '';
    expect([body.includes('H%C3%A4ddad'), body.includes('secret-name')]).toEqual([true, false]);
    await press(page, 'Take these rows');
    expect(await desk.entered(id)).toEqual({ 0: { given_name: 'Zoë', surname: 'Häddad' } });
    expect(complaints).toEqual([]);
  });

  test('in the code page of Arabic Windows is read where the browser speaks Arabic', async () => {
    const { page, list } = await visit({ locale: 'ar-SA' }, GROUP.slice(0, 2));
    await page.getByText(PASTE).click();
    const buffer = Buffer.from([0xcd, 0xcf, 0xc7, 0xcf, 0x2c, 0xe1, 0xed, 0xe1, 0xec]);
    await page.getByLabel('Or choose a CSV file').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
    await expect.poll(() => list.inputValue()).toBe('حداد,ليلى');
  });

  test('that is no text, or too large, is said and changes nothing', async () => {
    const { page, list } = await visit();
    await page.getByText(PASTE).click();
    await list.fill('Haddad;Layla');
    for (const buffer of [Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0xff]), Buffer.alloc(60_001, 'a')]) {
      await page.getByLabel('Or choose a CSV file').setInputFiles({ name: 'list.xlsx', mimeType: 'text/csv', buffer });
      await page.getByText('This file is no CSV, or too large.').waitFor();
      expect(await list.inputValue()).toBe('Haddad;Layla');
    }
    expect(complaints).toEqual([]);
  });

  test('cannot be chosen without a script: the field alone is there', async () => {
    const { page, list } = await visit({ javaScriptEnabled: false });
    await page.getByText(PASTE).click();
    expect(await list.isVisible()).toBe(true);
    expect(await page.locator('input[type=file]').isVisible()).toBe(false);
  });
});
