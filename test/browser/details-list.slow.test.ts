/** A list of travellers on the details page in a real browser: its rows fill the cards, and the form is sent as it always is. */
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { detailsDesk } from '../pages/details/support/details-desk.ts';
import { HEADINGS, pasted, people } from '../pages/details/support/list-page.ts';
import { expectAccessible } from './accessibility.ts';
import { browserTabs, expectReadable, heading, press } from './tabs.ts';

const { complaints, tab } = browserTabs();
const desk = await detailsDesk();
afterAll(() => desk.close());

const PASTE = 'Paste a list of the travellers instead';
const KNOWN =
  'The known headings are: Surname, Given names, Middle name, Gender, Birth date, Document, Number of the document, Nationality, Expires.';
const UNNAMED = { type: 'ADT', asks: 'unnamed' } as const;
const group = (count: number) => Array.from({ length: count }, () => UNNAMED);

async function visit(cards: Parameters<typeof desk.form>[0], options: BrowserContextOptions = {}) {
  const id = await desk.form(cards, { tenant: crypto.randomUUID() });
  const page = await tab(options);
  await page.goto((await desk.local.details.address(id)) ?? '');
  const list = page.getByLabel('List of the travellers');
  return {
    ...{ id, page, list },
    field: (name: string) => page.locator(`[name="${name}"]`),
    /** Pastes a text, and fills in the cards. Returns what the page says of it. */
    async fillFrom(text: string): Promise<string | null> {
      if (!(await list.isVisible())) await page.getByText(PASTE).click();
      await list.fill(text);
      await page.getByRole('button', { name: 'Fill in the cards' }).click();
      return page.locator('#list-result').textContent();
    },
  };
}

test('headings in any order and case fill the cards, a wrong one is corrected by the checks of the form, and all are sent', async () => {
  const { id, page, list, field, fillFrom } = await visit(group(12));
  const rows = people(12);
  const wrong = rows.with(4, (rows[4] ?? []).with(5, 'Atlantis').with(2, 'Woman'));
  const reversed = [HEADINGS.map((text) => text.toUpperCase()), ...wrong].map((row) => row.toReversed());
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  expect(await fillFrom(pasted(reversed))).toBe(
    '12 cards filled in. Compare them with the documents, then press Send.',
  );
  expect(sent).toEqual([]);
  expect(await list.inputValue()).toBe('');
  expect(await field('birth_day-12').inputValue()).toBe(rows[11]?.[3]);
  expect(await page.locator('details.card[open]').count()).toBe(12);
  await press(page, /^Send$/);
  expect(await page.getByRole('list', { name: 'Done' }).getByRole('listitem').count()).toBe(11);
  expect(await page.getByRole('alert').getByRole('listitem').allTextContents()).toEqual([
    'Traveller 5: Gender: Choose one, as in the passport.',
    'Traveller 5: Nationality: Write the country in English, or its letters in the passport, such as SAU.',
  ]);
  expect(await page.content()).not.toContain('Haddad A');
  await field('nationality-5').fill('Egypt');
  await field('gender-5').selectOption('Female (F)');
  await press(page, /^Send$/);
  expect(await heading(page)).toBe('Thank you');
  const entered = Object.values((await desk.entered(id)) ?? {});
  expect(entered.map(({ surname }) => surname)).toEqual(rows.map(([surname]) => surname));
  expect(entered[1]).toEqual({
    ...{ given_name: 'Layla B', surname: 'Haddad B', gender: 'Male', birth_date: rows[1]?.[3] },
    document: { type: 'passport', number: 'K7000002', nationality: 'SA', expires: rows[1]?.[6] },
  });
  // A form with mistakes comes back as one.
  expect(complaints.filter((words) => !words.includes('422'))).toEqual([]);
});

test('every column reaches its field: a letter chooses a gender, and a kind of document that is none is a mistake', async () => {
  const { id, page, field, fillFrom } = await visit([
    { type: 'ADT', asks: 'new' },
    { type: 'ADT', asks: 'new' },
  ]);
  const headings = ['Middle name', 'Document', 'Given  names', ...HEADINGS.filter((text) => text !== 'Given names')];
  const [one = [], two = []] = people(2).map(([surname = '', given = '', , ...rest]) => [given, surname, 'F', ...rest]);
  await fillFrom(pasted([headings, ['Noor', 'identity card', ...one], ['', 'Visa', ...two]]));
  await press(page, /^Send$/);
  expect(await page.getByRole('alert').getByRole('listitem').allTextContents()).toEqual([
    'Traveller 2: Document: Choose passport or identity card.',
  ]);
  await field('document_type-2').selectOption('Passport');
  await press(page, /^Send$/);
  expect(await desk.entered(id)).toMatchObject({
    0: { given_name: 'Layla A', middle_name: 'Noor', gender: 'Female', document: { type: 'national_id' } },
    1: { given_name: 'Layla B', gender: 'Female', document: { type: 'passport' } },
  });
});

test.each([
  ['without known headings', pasted(people(2)), `The first row has no known heading. ${KNOWN}`],
  ['from a CSV file', 'Surname,Given names\nHaddad,Layla', `The first row has no known heading. ${KNOWN}`],
  ['without rows', 'Surname\tGiven names\n', 'There are headings and no rows. Copy the rows too.'],
  ['that is blank', ' \n', `The first row has no known heading. ${KNOWN}`],
  ['with a heading twice', 'Surname\tsurname\nA\tB', 'Two columns have the same heading. Leave one of them out.'],
  [
    'with a line break in a cell',
    'Surname\tGiven names\nHaddad\tLayla\nSabah\t"Noor\nMaha"',
    'Row 4 has 1 cell, and the headings have 2. Take line breaks out of the cells, then copy the list again.',
  ],
])('a list %s fills nothing, and the page says why', async (_, text, words) => {
  const { page, list, field, fillFrom } = await visit(group(2));
  expect(await fillFrom(text)).toBe(`${words} Nothing was filled in.`);
  expect(await list.inputValue()).toBe(text);
  const values = await page
    .locator('.card input')
    .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('value')));
  expect(values.join('')).toBe('');
  expect(await field('surname-1').inputValue()).toBe('');
});

test('columns with other headings are named and not read; rows fill blank cards only, and those without a card stay', async () => {
  const { id, page, list, field, fillFrom } = await visit([...group(3), { type: 'ADT', asks: 'named' }]);
  await page.locator('form summary').nth(2).click();
  await field('surname-2').fill('Sabah');
  const rows = people(3).map((row) => row.with(3, '12A'));
  const headings = HEADINGS.with(3, 'Seat');
  expect(await fillFrom(pasted([headings, ...rows]))).toBe(
    `2 cards filled in. Compare them with the documents, then press Send. No blank card is left for 1 row: they stay in the field. Not read: Seat. ${KNOWN}`,
  );
  const surnames = page.getByLabel('Surname');
  const values = await Promise.all([0, 1, 2, 3].map((n) => surnames.nth(n).inputValue()));
  expect(values).toEqual(['Haddad A', 'Sabah', 'Haddad B', '']);
  expect(await list.inputValue()).toBe(pasted([headings, rows[2] ?? []]));
  const body = page.waitForRequest((request) => request.method() === 'POST').then((request) => request.postData());
  await press(page, /^Send$/);
  expect(await body).not.toMatch(/Haddad\+C|12A/);
  expect(Object.keys((await desk.entered(id)) ?? {})).toEqual(['0', '2']);
});

test('the field is there where two travellers or more need a name, and only with a script', async () => {
  const isThere = async (cards: Parameters<typeof desk.form>[0], options: BrowserContextOptions = {}) =>
    (await visit(cards, options)).page.getByText(PASTE).isVisible();
  expect(await isThere(group(2))).toBe(true);
  expect(await isThere(group(2), { javaScriptEnabled: false })).toBe(false);
  expect(await isThere([UNNAMED])).toBe(false);
  for (const asks of ['named', 'details'] as const)
    expect(await isThere(Array(4).fill({ type: 'ADT', asks }))).toBe(false);
});

test('the list works by keyboard, Enter in its field writes a line, and Enter in a card sends', async () => {
  const { id, page, list, field } = await visit(group(2));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('Surname\tGiven names');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('Haddad\tLayla');
  expect(await list.inputValue()).toBe('Surname\tGiven names\nHaddad\tLayla');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('1 card filled in.').waitFor();
  await field('surname-1').focus();
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  expect(await desk.entered(id)).toEqual({ 0: { given_name: 'Layla', surname: 'Haddad' } });
});

test.each([
  [320, 'light'],
  [320, 'dark'],
  [1024, 'light'],
] as const)('%i px wide, %s: all of it can be read, and axe finds nothing', async (width, colorScheme) => {
  const { page, fillFrom } = await visit(group(2), { viewport: { width, height: 700 }, colorScheme });
  const check = async () => {
    await expectReadable(page, width);
    await expectAccessible(page);
  };
  await page.getByText(PASTE).click();
  await check();
  await fillFrom(pasted([['Z'.repeat(90)], ['حداد']]));
  await check();
  await fillFrom(pasted([[...HEADINGS, 'Z'.repeat(90)], ...people(3).map((row) => [...row, ''])]));
  await check();
});
