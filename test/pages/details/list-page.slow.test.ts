/** A list of travellers on the details page over HTTP: pasted, confirmed, taken row by row, and corrected. */
import * as fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { visible } from '../approval/support/page-client.ts';
import { ADULT, type Card, day, detailsDesk, rightCard, visit } from './support/details-desk.ts';
import { cardFields, columnsIn, HEADINGS, listFields, pasted, people, sendList } from './support/list-page.ts';

const desk = await detailsDesk();
afterAll(() => desk.close());
afterEach(() => expect(desk.desk.failures).toEqual([]));

const UNNAMED: Card = { type: 'ADT', asks: 'unnamed' };
const [CHILD, INFANT] = (['CHD', 'INF'] as const).map((type): Card => ({ type, asks: 'unnamed' }));
const group = (count: number, card = UNNAMED) => Array.from({ length: count }, () => card);

async function openForm(cards: readonly Card[]) {
  // A caller may have so many forms open at once.
  const id = await desk.form(cards, { tenant: crypto.randomUUID() });
  const traveller = await visit((await desk.local.details.address(id)) ?? '');
  const surnames = async () => Object.values((await desk.entered(id)) ?? {}).map(({ surname }) => surname);
  return { id, traveller, surnames };
}

describe('the field for a list', () => {
  test('is there where two travellers or more have no name yet, says how many, and is left out elsewhere', async () => {
    const words = 'Paste a list of the travellers instead';
    expect(visible((await openForm(group(3))).traveller.page)).toContain('3 cards can be filled from it.');
    expect((await openForm([ADULT, ADULT])).traveller.page.body).toContain(words);
    for (const cards of [
      [ADULT],
      [UNNAMED],
      group(4, { type: 'ADT', asks: 'named' }),
      group(4, { type: 'ADT', asks: 'details' }),
    ])
      expect((await openForm(cards)).traveller.page.body).not.toContain(words);
  });

  test('shows what columns hold, and keeps nothing and shows nothing of it to others until a person takes the rows', async () => {
    const { id, traveller } = await openForm(group(2));
    const page = await traveller.send({ list: pasted([HEADINGS, ...people(2)]), action: 'list' });
    expect([page.status, page.headers['cache-control'], page.headers.location]).toEqual([200, 'no-store', undefined]);
    expect(columnsIn(page)).toEqual({
      ...{ 'column-1': 'surname', 'column-2': 'given_name', 'column-3': 'gender', 'column-4': 'birth' },
      ...{ 'column-5': 'document_number', 'column-6': 'nationality', 'column-7': 'expires' },
    });
    const text = visible(page);
    expect(text).toContain('2 rows, 7 columns. Check what each column holds, then take the rows.');
    expect(text).toMatch(/Column 1: Surname\s+Haddad A , Haddad B/);
    expect(text).toContain('F = Female , M = Male');
    expect(text).toContain('[x] The first row holds headings, and no traveller');
    expect(await desk.entered(id)).toEqual({});
    expect((await traveller.look()).body).not.toMatch(/Haddad|K70000/);
  });

  test('is read too if somebody presses Send, or has another list than the one whose columns were shown', async () => {
    const { id, traveller } = await openForm(group(2));
    const list = pasted(people(2));
    const read = await traveller.send({ list, action: 'send' });
    expect(columnsIn(read)).toMatchObject({ 'column-3': 'gender', 'column-1': '' });
    const fields = { ...listFields(read), 'column-1': 'surname', 'column-2': 'given_name' };
    // Choices stay.
    for (const action of ['send', 'list']) {
      const again = await traveller.send({ ...fields, action });
      expect([action, columnsIn(again)['column-1']]).toEqual([action, 'surname']);
    }
    const other = await traveller.send({ ...fields, list: list.replace('Haddad A', 'Haddad C'), action: 'rows' });
    expect(visible(other)).toContain('The list is not the one whose columns were shown.');
    expect(columnsIn(other)).toMatchObject({ 'column-1': '' });
    expect(await desk.entered(id)).toEqual({});
  });

  test('says what is wrong with the text, or with what was chosen, at its field', async () => {
    const { id, traveller } = await openForm(group(2));
    const open = await traveller.send({ list: 'a,"b', action: 'list' });
    expect([open.status, open.body]).toEqual([
      422,
      expect.stringMatching(/<a href="#list">The list<\/a>: A quotation mark opens/),
    ]);
    const [, page] = await sendList(traveller, 'Layla,Haddad\nNoor,Sabah');
    expect(page.status).toBe(422);
    expect(page.body).toMatch(/<a href="#column-2">Column 2<\/a>: Choose what this column holds\./);
    expect(page.body).toMatch(
      /id="column-2"[^>]* aria-describedby="column-2-hint column-2-mistake" aria-invalid="true"/,
    );
    const [, missing] = await sendList(traveller, 'Layla,Haddad', { 'column-1': 'given_name', 'column-2': 'unused' });
    expect(visible(missing)).toContain('No column holds the surname.');
    expect(columnsIn(missing)).toEqual({ 'column-1': 'given_name', 'column-2': 'unused' });
    expect((await traveller.send({ list: ' \n', action: 'list' })).status).toBe(422);
    expect(await desk.entered(id)).toEqual({});
  });
});

describe('rows', () => {
  test.each([12, 99])('of a group of %i are kept at once, and nothing of them is shown again', async (count) => {
    const { id, traveller, surnames } = await openForm(group(count));
    const [, page] = await sendList(traveller, pasted([HEADINGS, ...people(count)]));
    expect(page.status, visible(page)).toBe(200);
    expect(visible(page)).toContain('Thank you');
    expect(page.body).not.toMatch(/Haddad|K70000/);
    expect(await surnames()).toEqual(people(count).map(([surname]) => surname));
    expect((await desk.entered(id))?.[1]).toEqual({
      ...{ given_name: 'Layla B', surname: 'Haddad B', gender: 'Male', birth_date: '1942-05-03' },
      document: { type: 'passport', number: 'K7000002', nationality: 'SA', expires: day(30, 5) },
    });
  });

  test('that are wrong come back as cards with their numbers and mistakes, and the others are kept', async () => {
    const { traveller, surnames } = await openForm(group(4));
    const [one = [], two = [], three = [], four = []] = people(4);
    const rows = [one, two.with(5, 'Atlantis'), three.with(4, one[4] ?? ''), four.with(2, 'yes').with(3, '31.02.1980')];
    const [, page] = await sendList(traveller, pasted([HEADINGS, ...rows]));
    expect([page.status, await surnames()]).toEqual([422, ['Haddad A']]);
    const text = visible(page);
    expect(text).toContain('Please correct these 4');
    expect(text).toContain('→ Traveller 2 (row 3): Nationality : Write the country in English');
    expect(text).toContain('→ Traveller 3 (row 4): Number of the document : Traveller 1 has this number.');
    expect(text).toContain('→ Traveller 4 (row 5): Gender : The list says neither F, M nor X here.');
    expect(text).toContain('→ Traveller 4 (row 5): Birth date : The list has no date here that fits its column.');
    expect(text).toContain('Row 5 of the list');
    expect(listFields(page)).toEqual({ list: '' });
    expect(page.body).not.toContain('Haddad A');
    const cards = cardFields(page);
    expect(cards).toMatchObject({ 'surname-2': 'Haddad B', 'nationality-2': 'Atlantis', 'birth_day-4': '31.02.1980' });
    const right = { 'nationality-2': 'EGY', 'document_number-3': 'K7000003', 'gender-4': 'Male' };
    const birth = { 'birth_day-4': '3', 'birth_month-4': '2', 'birth_year-4': '1980' };
    const done = await traveller.send({ ...cards, ...right, ...birth });
    expect(visible(done)).toContain('Thank you');
    expect(await surnames()).toEqual(['Haddad A', 'Haddad B', 'Haddad C', 'Haddad D']);
  });

  test('fill blank cards alone: what was typed by hand stays, what was sent stays sent, and names stay with their passengers', async () => {
    const { id, traveller, surnames } = await openForm([...group(4), { type: 'ADT', asks: 'named' }]);
    await traveller.send(rightCard(1, { surname: 'Before' }));
    const read = await traveller.send({ list: pasted([HEADINGS, ...people(3)]), 'surname-3': 'Sabah', action: 'list' });
    expect(cardFields(read)).toMatchObject({ 'surname-3': 'Sabah' });
    expect(visible(read)).toContain('The list has 3 rows, and 2 cards can be filled: 1 row will not be taken.');
    const page = await traveller.send({ ...listFields(read), 'surname-3': 'Sabah', action: 'rows' });
    expect(await surnames()).toEqual(['Before', 'Haddad A', 'Haddad B']);
    expect(Object.keys((await desk.entered(id)) ?? {})).toEqual(['0', '1', '3']);
    expect(cardFields(page)).toEqual({ 'surname-3': 'Sabah' });
    // What was not taken stays in the field, under its headings.
    expect(visible(page)).toContain('Row 4 was not taken: no blank card is left.');
    expect(listFields(page)).toEqual({ list: pasted([HEADINGS, ...people(1, () => [], 3)]) });
  });

  test('fewer than cards: says how many are open; the same rows once more are not taken twice', async () => {
    const { traveller, surnames } = await openForm(group(5));
    const [, page] = await sendList(traveller, pasted([HEADINGS, ...people(2)]));
    expect([page.status, visible(page)]).toEqual([200, expect.stringContaining('The list had no row for 3 cards.')]);
    const [, again] = await sendList(traveller, pasted([HEADINGS, ...people(4)]));
    expect(visible(again)).toContain('Rows 2 to 3 were not taken: the same details were sent before.');
    expect(listFields(again)).toEqual({ list: '' });
    expect(await surnames()).toEqual(['Haddad A', 'Haddad B', 'Haddad C', 'Haddad D']);
    const [, last] = await sendList(traveller, pasted(people(1, () => [], 5)), {
      'column-1': 'surname',
      'column-2': 'given_name',
      'column-4': 'birth',
    });
    expect(visible(last)).toContain('Thank you');
  });

  test('more than cards: all cards are kept, and the page says which rows are left', async () => {
    const { traveller, surnames } = await openForm(group(2));
    const [, page] = await sendList(traveller, pasted([HEADINGS, ...people(4)]));
    expect(visible(page)).toMatch(
      /Thank you[\s\S]*Rows 4 to 5 were not taken: no blank card is left\.\s+Rows that were not taken/,
    );
    expect(listFields(page)).toEqual({ list: pasted([HEADINGS, ...people(2, () => [], 3)]) });
    expect((await surnames()).length).toBe(2);
  });

  test('of adults, children and infants go to cards of their kind by the birth date', async () => {
    const { id, traveller } = await openForm([UNNAMED, CHILD ?? UNNAMED, UNNAMED, INFANT ?? UNNAMED]);
    const births = [day(0, -1), day(0, -30), day(0, -5), day(0, -40)];
    const rows = people(4).map((row, n) => row.with(3, births[n] ?? ''));
    const read = await traveller.send({ list: pasted([HEADINGS, ...rows]), action: 'list' });
    expect(visible(read)).toContain('Adults, children and infants get their cards by a column that says so');
    const page = await traveller.send({ ...listFields(read), action: 'rows' });
    expect(visible(page)).toContain('Thank you');
    const entered = Object.values((await desk.entered(id)) ?? {}).map(({ birth_date }) => birth_date);
    expect(entered).toEqual([births[1], births[2], births[3], births[0]]);
  });

  test('of a CSV with semicolons, quotes and names with a slash name whoever is booked by name too', async () => {
    const { id, traveller } = await openForm([ADULT, ADULT]);
    const csv = [
      'Passenger;Title;DOB;Passport;Nat;Expires',
      `"HADDAD/LAYLA MRS";Mrs;31DEC1980;"A 123 456";EGY;${day(30, 5)}`,
      `SABAH/NOOR MR;Mr;5 Jun 1975;B1234567;Iraq;${day(30, 5)}`,
    ].join('\r\n');
    const [, page] = await sendList(traveller, csv);
    expect(visible(page)).toContain('Thank you');
    expect(await desk.entered(id)).toMatchObject({
      0: {
        surname: 'HADDAD',
        given_name: 'LAYLA',
        gender: 'Female',
        birth_date: '1980-12-31',
        document: { number: 'A123456', nationality: 'EG' },
      },
      1: {
        surname: 'SABAH',
        given_name: 'NOOR',
        gender: 'Male',
        birth_date: '1975-06-05',
        document: { nationality: 'IQ' },
      },
    });
  });

  test('in Arabic with Arabic digits are taken; names in Arabic letters come back', async () => {
    const { traveller, surnames } = await openForm(group(2));
    const list =
      'اللقب\tالاسم الأول\tتاريخ الميلاد\tالجنسية\nHaddad\tLayla\t٣١/١٢/١٩٨٠\tمصر\nحداد\tNoor\t٠١/٠٢/١٩٩٠\tالسعودية';
    const [, page] = await sendList(traveller, list);
    // Without a number and an expiry, the country alone is no document.
    expect([page.status, await surnames()]).toEqual([422, []]);
    const [, other] = await sendList((await openForm(group(2))).traveller, list, { 'column-4': 'unused' });
    expect(cardFields(other)).toMatchObject({ 'surname-2': 'حداد', 'birth_day-2': '1', 'birth_month-2': '2' });
    expect(visible(other)).toContain('Traveller 2 (row 3): Surname : The airline takes the letters A to Z');
  });

  test('of two people at once: each card is kept once, and each other row is still in the field of whoever sent it', async () => {
    const { traveller, surnames } = await openForm(group(3));
    const lists = [people(2), people(2, () => [], 11)].map((rows) => pasted([HEADINGS, ...rows]));
    const read = await Promise.all(lists.map((list) => traveller.send({ list, action: 'list' })));
    const pages = await Promise.all(read.map((page) => traveller.send({ ...listFields(page), action: 'rows' })));
    const kept = await surnames();
    const left = pages.flatMap((page) => listFields(page).list?.match(/^Haddad \w+/gm) ?? []);
    expect([...kept, ...left].sort()).toEqual(['Haddad A', 'Haddad B', 'Haddad K', 'Haddad L']);
    expect(kept.length).toBeGreaterThanOrEqual(2);
  });

  test('of which somebody else sent the card meanwhile change nothing there', async () => {
    const { id, traveller, surnames } = await openForm(group(2));
    const [, first] = await sendList(traveller, pasted([HEADINGS, ...people(1)]));
    expect(first.status).toBe(200);
    const read = await traveller.send({ list: pasted([HEADINGS, ...people(2, () => [], 5)]), action: 'list' });
    await traveller.send(rightCard(2, { surname: 'Quick' }));
    const page = await traveller.send({ ...listFields(read), action: 'rows' });
    expect(visible(page)).toContain('Rows 2 to 3 were not taken: no blank card is left.');
    expect(await surnames()).toEqual(['Haddad A', 'Quick']);
    expect((await desk.entered(id))?.[1]?.document?.number).toBe('L898902C3');
  });
});

test('a form of 99 cards filled in to the last sign and the longest list is read, in time', async () => {
  const { traveller } = await openForm(group(99));
  const long = (most: number) => '\u062D'.repeat(most);
  const names = {
    given_name: long(80),
    middle_name: long(80),
    surname: long(80),
    nationality: long(60),
  };
  const cards = Array.from({ length: 99 }, (_, n) => Object.entries(rightCard(n + 1, names)));
  const row = Array.from({ length: 30 }, () => long(9)).join('\t');
  const list = Array.from({ length: 200 }, () => row).join('\n');
  expect(list.length).toBeGreaterThan(59_000);
  const began = performance.now();
  const page = await traveller.send({ ...Object.fromEntries(cards.flat()), list, action: 'list' });
  expect([page.status, visible(page)]).toEqual([200, expect.stringContaining('200 rows, 30 columns.')]);
  expect(cardFields(page)['surname-99']).toBe(long(80));
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('any text as a list: it is answered, nothing fails, and nothing of it becomes markup', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 15 }),
    fc.constantFrom(
      'F',
      'Layla',
      'Haddad',
      '31/12/1980',
      '1/2/80',
      'SA',
      'A1234567',
      'HADDAD/LAYLA',
      'ADT',
      '"',
      '\u0662',
      '\u200f',
    ),
    fc.constantFrom(
      '<script>',
      '"><b>',
      '</textarea><b>',
      '&lt;b&gt;',
      '\0',
      'Surname',
      'Given names',
      'A'.repeat(500),
    ),
  );
  const texts = fc
    .tuple(fc.constantFrom('\t', ';', ',', '\u2028'), fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 8 }))
    .map(([delimiter, rows]) => rows.map((row) => row.join(delimiter)).join('\n'));
  const kinds = fc.constantFrom(
    'surname',
    'given_name',
    'birth',
    'birth_dmy',
    'gender',
    'whole_name',
    'unused',
    'constructor',
    '',
  );
  await fc.assert(
    fc.asyncProperty(texts, fc.array(kinds, { maxLength: 3 }), async (text, chosen) => {
      const { id, traveller } = await openForm([UNNAMED, ADULT]);
      const over = Object.fromEntries(chosen.map((kind, n) => [`column-${n + 1}`, kind]));
      const pages = await sendList(traveller, text, over);
      for (const { status, body } of pages) {
        expect([200, 303, 422]).toContain(status);
        expect(body).not.toMatch(/<script>|<b>/);
      }
      // What was read and not taken is sent back as it was: its columns are still those that were shown.
      expect(visible(pages[1])).not.toContain('The list is not the one');
      for (const { surname, given_name } of Object.values((await desk.entered(id)) ?? {}))
        expect([surname, given_name]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    }),
    { numRuns: 80 },
  );
});
