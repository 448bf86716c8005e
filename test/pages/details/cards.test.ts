/** What a traveller does on the details page: right cards are kept, wrong ones come back, and nothing is shown again. */
import { afterAll, describe, expect, test } from 'vitest';
import { headingOf, type Page, visible } from '../approval/support/page-client.ts';
import {
  ADULT,
  type Card,
  day,
  detailsDesk,
  type Fields,
  HOME,
  mistakesIn,
  OUT,
  rightCard,
  TRIP,
  visit,
} from './support/details-desk.ts';

const desk = await detailsDesk();
afterAll(() => desk.close());

const open = async (...cards: Parameters<typeof desk.form>) => {
  const id = await desk.form(...cards);
  return { id, traveller: await visit((await desk.local.details.address(id)) ?? '') };
};

/** How old a traveller of this year of birth gets this year; the page takes the latest date anywhere. */
const age = (year: number) => new Date(Date.now() + 86_400_000).getUTCFullYear() - year;

describe('a form', () => {
  test('shows the trip, airline and agency, a card for each traveller, and no name', async () => {
    const { traveller } = await open([ADULT, { type: 'CHD', asks: 'new' }, { type: 'INF', asks: 'new' }]);
    const { page } = traveller;
    expect([page.status, headingOf(page)]).toEqual([200, 'Passenger details']);
    const text = visible(page);
    for (const words of [
      ...TRIP,
      'Saudia',
      'Blue Travel',
      'Traveller 1, adult',
      'Traveller 2, child',
      'Traveller 3, infant',
    ])
      expect(text).toContain(words);
    expect(page.body.match(/<button type="submit" form="details" class="yes">/g)).toHaveLength(1);
    expect(page.body).not.toMatch(/<input type="text"[^>]* value="[^"]/);
  });

  test('keeps a card that is right, sealed, and shows it no more', async () => {
    const { id, traveller } = await open();
    const sent = await traveller.send(rightCard(1));
    expect([sent.status, headingOf(sent)]).toEqual([200, 'Thank you']);
    expect(await desk.entered(id)).toEqual({
      0: {
        given_name: 'Amal',
        surname: 'Haddad',
        gender: 'Female',
        birth_date: '1950-03-27',
        document: { type: 'passport', number: 'L898901C3', nationality: 'SA', expires: expect.any(String) },
      },
    });
    for (const page of [sent, await traveller.look()])
      for (const secret of ['Amal', 'Haddad', '1950', 'L898901C3', 'Saudi']) expect(page.body).not.toContain(secret);
    expect(mistakesIn(sent)).toEqual([]);
  });
});

const CHILD: Card = { type: 'CHD', asks: 'new' };
const INFANT: Card = { type: 'INF', asks: 'new' };

/** A date as the form asks for it. */
function inParts(which: 'birth' | 'expires', date: string, n = 1): Fields {
  const [year = '', month, dayOfMonth] = date.split('-');
  const parts = { day: String(Number(dayOfMonth)), month: String(Number(month)), year };
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [`${which}_${part}-${n}`, value]));
}

const child = (n: number, over: Fields = {}) => ({ ...rightCard(n), ...inParts('birth', day(60, -5), n), ...over });
const infant = (n: number, over: Fields = {}) => ({ ...rightCard(n), ...inParts('birth', day(0, -1), n), ...over });
const doneIn = (page: Page) => [...page.body.matchAll(/> (Traveller \d, \w+): done</g)].map(([, title]) => title);

describe('three travellers', () => {
  test('what is right is kept, what is wrong comes back with its mistake, what is blank stays open', async () => {
    const { id, traveller } = await open([ADULT, CHILD, INFANT]);
    const wrong = infant(3, { 'surname-3': 'Un3xpected', 'nationality-3': 'Atlantis' });
    const first = await traveller.send({ ...rightCard(1), ...wrong });
    expect(first.status).toBe(422);
    expect(doneIn(first)).toEqual(['Traveller 1, adult']);
    expect(mistakesIn(first)).toEqual([
      'surname-3: The airline takes the letters A to Z, spaces, hyphens and apostrophes. Write the name as in the lines at the bottom of the passport.',
      'nationality-3: Write the country in English, or its letters in the passport, such as SAU.',
    ]);
    for (const typed of ['Un3xpected', 'Atlantis', 'L898903C3']) expect(first.body).toContain(`value="${typed}"`);
    expect(first.body).toContain('<title>2 mistakes: Passenger details &ndash; fareclerk</title>');
    expect(first.body).toContain('<a href="#surname-3">Traveller 3: Surname</a>');
    expect(first.body).not.toContain('name="surname-1"');
    expect(Object.keys((await desk.entered(id)) ?? {})).toEqual(['0']);

    // The next form has the second card; the third was not sent again.
    const second = await traveller.send(child(2));
    expect([second.status, second.headers.location]).toEqual([303, new URL(traveller.address).pathname]);
    const look = await traveller.look();
    expect([doneIn(look), mistakesIn(look)]).toEqual([['Traveller 1, adult', 'Traveller 2, child'], []]);
    for (const typed of ['Un3xpected', 'Atlantis', 'L89890', 'Amal']) expect(look.body).not.toContain(typed);

    const last = await traveller.send(infant(3));
    expect([last.status, headingOf(last), doneIn(last).length]).toEqual([200, 'Thank you', 3]);
    expect(visible(last)).toContain('You can close this page.');
    expect(Object.keys((await desk.entered(id)) ?? {})).toEqual(['0', '1', '2']);
    expect(headingOf(await traveller.look())).toBe('Thank you');
  });

  test('all at once, whatever is blank on a card that nobody filled in', async () => {
    const { id, traveller } = await open([ADULT, CHILD]);
    const blank = await traveller.send({ 'document_type-1': 'passport', 'document_type-2': 'passport' });
    expect([blank.status, mistakesIn(blank)]).toEqual([422, []]);
    expect(visible(blank)).toContain('Nothing is filled in yet.');
    const both = await traveller.send({ ...rightCard(1), ...child(2) });
    expect([both.status, headingOf(both)]).toEqual([200, 'Thank you']);
    expect(Object.keys((await desk.entered(id)) ?? {})).toHaveLength(2);
  });

  test('a second card with the number of another is refused, whoever sent the first', async () => {
    const { traveller } = await open([ADULT, ADULT, ADULT]);
    const words = 'Traveller 1 has this number. Every document has its own.';
    const spelt = { 'document_number-2': 'l898901 c3' };
    expect(mistakesIn(await traveller.send({ ...rightCard(1), ...rightCard(2, {}), ...spelt }))).toEqual([
      `document_number-2: ${words}`,
    ]);
    expect(mistakesIn(await traveller.send(rightCard(3, { document_number: 'L898901C3' })))).toEqual([
      `document_number-3: ${words}`,
    ]);
  });
});

describe('mistakes', () => {
  const said = (date: string) => {
    const [weekday, dayOfMonth, month] = new Date(date).toUTCString().replace(',', '').split(' ');
    return `${weekday} ${Number(dayOfMonth)} ${month} ${date.slice(0, 4)}`;
  };
  /** Not every year has a 29 February. */
  const older = (date: string, years: number) =>
    `${Number(date.slice(0, 4)) - years}${date.slice(4).replace('-02-29', '-02-28')}`;

  test.each<[string, Card['type'], Fields, readonly string[]]>([
    [
      'a document that expires on the day of the last arrival',
      'ADT',
      inParts('expires', HOME),
      [`expires_day-1: The trip ends on ${said(HOME)}, and the document must be valid after that day.`],
    ],
    [
      'an infant that is two by the second flight',
      'INF',
      inParts('birth', older(day(65), 2)),
      [
        `birth_day-1: This traveller is 2 years old on ${said(HOME)}, and this card is for an infant (under 2). If the date is right, ask the assistant for another fare.`,
      ],
    ],
    [
      'a child on the card of an adult',
      'ADT',
      inParts('birth', older(OUT, 11)),
      [
        `birth_day-1: This traveller is 11 years old on ${said(OUT)}, and this card is for an adult (12 or older). If the date is right, ask the assistant for another fare.`,
      ],
    ],
    [
      'a birth in the future',
      'INF',
      inParts('birth', day(2)),
      ['birth_day-1: This day is not over yet. Compare it with the passport.'],
    ],
    [
      'a name in other letters than the airline takes',
      'ADT',
      { 'given_name-1': '\u0623\u0645\u0644' },
      [
        'given_name-1: The airline takes the letters A to Z, spaces, hyphens and apostrophes. Write the name as in the lines at the bottom of the passport.',
      ],
    ],
    [
      'a title in a name',
      'ADT',
      { 'given_name-1': 'Mr. Jan' },
      ['given_name-1: Write the name without a title, as in the passport.'],
    ],
    [
      'names too long and too short',
      'ADT',
      { 'given_name-1': 'A'.repeat(31), 'surname-1': 'O', 'middle_name-1': '-' },
      [
        'given_name-1: The airline takes 1 to 30 letters here. Ask the seller of the trip how the airline takes this name.',
        'middle_name-1: The airline takes the letters A to Z, spaces, hyphens and apostrophes. Write the name as in the lines at the bottom of the passport.',
        'surname-1: The airline takes 2 to 30 letters here. Ask the seller of the trip how the airline takes this name.',
      ],
    ],
    [
      'a number with other signs',
      'ADT',
      { 'document_number-1': 'L8/98' },
      ['document_number-1: Use 3 to 30 letters A to Z and digits, and nothing else.'],
    ],
    [
      'a number in other letters',
      'ADT',
      { 'document_number-1': '\u0410\u0412123456' },
      ['document_number-1: Use 3 to 30 letters A to Z and digits, and nothing else.'],
    ],
    ...['XXA', 'xxb', 'XXC', 'XXX', 'UNO', 'UNA', 'Stateless'].map(
      (typed): [string, 'ADT', Fields, readonly string[]] => [
        `letters of no country, ${typed}`,
        'ADT',
        { 'nationality-1': typed },
        [
          'nationality-1: The airline needs a country here, and this is not one. Ask the seller of the trip how the airline takes this document.',
        ],
      ],
    ),
    ...['N/A', 'n.a.', 'Dominican'].map((typed): [string, 'ADT', Fields, readonly string[]] => [
      `a word of several countries, or of none: ${typed}`,
      'ADT',
      { 'nationality-1': typed },
      ['nationality-1: Write the country in English, or its letters in the passport, such as SAU.'],
    ]),
    [
      'a surname alone',
      'ADT',
      { 'given_name-1': '' },
      [
        'given_name-1: Enter the given names. If the passport has only one name, ask the seller of the trip how the airline takes it.',
      ],
    ],
    [
      'a given name alone',
      'ADT',
      { 'surname-1': '' },
      [
        'surname-1: Enter the surname. If the passport has only one name, ask the seller of the trip how the airline takes it.',
      ],
    ],
    [
      'a birth before 1900',
      'ADT',
      { 'birth_year-1': '1085' },
      [`birth_day-1: Check the birth date: it makes this traveller ${age(1085)}.`],
    ],
    [
      'a whole birth date before 1900',
      'ADT',
      { 'birth_day-1': '1899-12-31', 'birth_month-1': '', 'birth_year-1': '' },
      [`birth_day-1: Check the birth date: it makes this traveller ${age(1899)}.`],
    ],
    [
      'a day alone',
      'ADT',
      { 'birth_month-1': '', 'birth_year-1': '' },
      ['birth_day-1: Enter the day, the month and the year.'],
    ],
    [
      'days that do not exist or are not whole',
      'ADT',
      { 'birth_day-1': '31', 'birth_month-1': '4', 'expires_month-1': '' },
      [
        'birth_day-1: There is no such day. Compare it with the document.',
        'expires_day-1: Enter the day, the month and the year.',
      ],
    ],
    ['a year of two digits', 'ADT', { 'birth_year-1': '50' }, ['birth_day-1: Write the year with four digits.']],
    [
      'a whole date that is two days',
      'ADT',
      { 'birth_day-1': '03/04/1950', 'birth_month-1': '', 'birth_year-1': '' },
      ['birth_day-1: Enter the day, the month and the year, each in its field.'],
    ],
    [
      'whatever is missing',
      'ADT',
      Object.fromEntries(
        Object.keys(rightCard(1, { middle_name: '' })).map((field) => [field, field === 'middle_name-1' ? 'Noor' : '']),
      ),
      [
        'given_name-1: Enter the given names.',
        'surname-1: Enter the surname.',
        'gender-1: Choose one, as in the passport.',
        'birth_day-1: Enter the birth date.',
        'document_number-1: Enter the number.',
        'nationality-1: Enter the country.',
        'expires_day-1: Enter the expiry date.',
      ],
    ],
  ])('%s: said at the field, and nothing of the card is kept', async (_, type, over, mistakes) => {
    const { id, traveller } = await open([{ type, asks: 'new' }]);
    const born = type === 'INF' ? inParts('birth', day(0, -1)) : {};
    const page = await traveller.send({ ...rightCard(1), ...born, ...over });
    expect([page.status, mistakesIn(page)]).toEqual([422, mistakes]);
    expect(await desk.entered(id)).toEqual({});
    for (const [field, value] of Object.entries(over)) {
      if (value === '' || field.includes('month')) continue;
      expect(page.body, field).toMatch(new RegExp(`name="${field}" value="${value.replace('/', '\\/')}"`));
    }
    for (const mistake of mistakes) {
      const field = mistake.split(':')[0];
      expect(page.body).toMatch(
        new RegExp(`id="${field}"[^>]* aria-describedby="[^"]*${field}-mistake" aria-invalid="true"`),
      );
    }
  });
});

describe('what is right in other spellings', () => {
  test.each<[string, Fields, object]>([
    [
      'digits of an Arabic keyboard',
      { 'birth_day-1': '\u0662\u0667', 'birth_year-1': '\u0661\u0669\u0665\u0660' },
      { birth_date: '1950-03-27' },
    ],
    ...(
      [
        ['Persian', '\u06f2\u06f7', '\u06f1\u06f9\u06f5\u06f0'],
        ['Devanagari', '\u0968\u096d', '\u0967\u096f\u096b\u0966'],
        ['Bengali', '\u09e8\u09ed', '\u09e7\u09ef\u09eb\u09e6'],
        ['full-width', '\uff12\uff17', '\uff11\uff19\uff15\uff10'],
      ] as const
    ).map(([keyboard, dayTyped, year]): [string, Fields, object] => [
      `digits of a ${keyboard} keyboard`,
      { 'birth_day-1': dayTyped, 'birth_year-1': year },
      { birth_date: '1950-03-27' },
    ]),
    ['the year 1900', { 'birth_year-1': '1900' }, { birth_date: '1900-03-27' }],
    [
      'a whole date',
      { 'birth_day-1': '27.03.1950', 'birth_month-1': '', 'birth_year-1': '' },
      { birth_date: '1950-03-27' },
    ],
    [
      'a date as browsers fill it in',
      { 'birth_day-1': '1950-03-27', 'birth_month-1': '', 'birth_year-1': '' },
      { birth_date: '1950-03-27' },
    ],
    [
      'a country by its letters',
      { 'nationality-1': 'sau' },
      { document: expect.objectContaining({ nationality: 'SA' }) },
    ],
    [
      'a country without its accents',
      { 'nationality-1': "cote d'ivoire" },
      { document: expect.objectContaining({ nationality: 'CI' }) },
    ],
    [
      'a country by another name',
      { 'nationality-1': 'U.A.E.' },
      { document: expect.objectContaining({ nationality: 'AE' }) },
    ],
    ...(
      [
        ['D', 'DE'],
        ['GBN', 'GB'],
        ['Turkey', 'TR'],
        ['Palestine', 'PS'],
        ['United States of America', 'US'],
        ['Czech Republic', 'CZ'],
        ['Iran, Islamic Republic of', 'IR'],
        ['The Netherlands', 'NL'],
        ['American', 'US'],
        ['na', 'NA'],
      ] as const
    ).map(([typed, nationality]): [string, Fields, object] => [
      `a country as passports and browsers have it: ${typed}`,
      { 'nationality-1': typed },
      { document: expect.objectContaining({ nationality }) },
    ]),
    [
      'a number with spaces',
      { 'document_number-1': 'l898 902 c3' },
      { document: expect.objectContaining({ number: 'L898902C3' }) },
    ],
    [
      'an identity card',
      { 'document_type-1': 'national_id' },
      { document: expect.objectContaining({ type: 'national_id' }) },
    ],
    [
      'spaces around names and marks that nobody sees',
      { 'surname-1': ' \u200fvan  der   Berg ' },
      { surname: 'van der Berg' },
    ],
  ])('%s', async (_, over, entered) => {
    const { id, traveller } = await open();
    expect((await traveller.send({ ...rightCard(1), ...over })).status).toBe(200);
    expect((await desk.entered(id))?.[0]).toMatchObject(entered);
  });
});

describe('what is said once', () => {
  test('a document that expires soon, and a name in other letters, without what was entered', async () => {
    const { id, traveller } = await open([ADULT, ADULT]);
    const over = { ...inParts('expires', day(100)), 'surname-1': 'M\u00fcller' };
    const sent = await traveller.send({ ...rightCard(1), ...over });
    expect([sent.status, sent.headers.location]).toEqual([200, undefined]);
    const words = [
      'Traveller 1: the document expires less than 6 months after the trip. Some countries refuse entry with it.',
      'Traveller 1: the airline takes the letters A to Z alone, so the name is sent in these.',
    ];
    for (const line of words) expect(visible(sent)).toContain(line);
    for (const secret of ['M\u00fcller', 'Mueller', day(100)]) expect(sent.body).not.toContain(secret);
    expect(visible(await traveller.look())).not.toContain('Traveller 1: the');
    // As it was typed: the rules for arguments put it into other letters.
    expect((await desk.entered(id))?.[0]).toMatchObject({ surname: 'M\u00fcller' });
    const last = await traveller.send(
      rightCard(
        2,
        Object.fromEntries(Object.entries(inParts('expires', day(100), 2)).map(([f, v]) => [f.slice(0, -2), v])),
      ),
    );
    expect([headingOf(last), visible(last).includes('Traveller 2: the document expires')]).toEqual(['Thank you', true]);
  });
});

describe('passengers of a booking', () => {
  test('one with a name: what is filled in counts, a document whole', async () => {
    const { id, traveller } = await open([{ type: 'ADT', asks: 'named' }]);
    const incomplete = await traveller.send({ 'document_number-1': 'L1234567', 'document_type-1': 'passport' });
    expect(mistakesIn(incomplete)).toEqual([
      'nationality-1: Enter the country.',
      'expires_day-1: Enter the expiry date.',
    ]);
    const sent = await traveller.send({
      'birth_day-1': '27',
      'birth_month-1': '3',
      'birth_year-1': '1950',
      'document_type-1': 'passport',
    });
    expect(sent.status).toBe(200);
    expect(await desk.entered(id)).toEqual({ 0: { birth_date: '1950-03-27' } });
  });

  test('one whose name stays: a name alone is no change, and is said at its field', async () => {
    const { id, traveller } = await open([{ type: 'ADT', asks: 'details' }]);
    expect(visible(traveller.page)).toContain('The name stays: it only shows whose card this is.');
    for (const field of ['given_name', 'middle_name', 'surname']) {
      const alone = await traveller.send({ [`${field}-1`]: 'Badr', 'document_type-1': 'passport' });
      expect([alone.status, mistakesIn(alone)]).toEqual([
        422,
        [`${field}-1: The name stays as it is. Fill in what changes: gender, birth date or document.`],
      ]);
    }
    expect(await desk.entered(id)).toEqual({});
    const other = await traveller.send({
      'surname-1': 'Badr',
      'birth_day-1': '31',
      'birth_month-1': '4',
      'birth_year-1': '1990',
    });
    expect(mistakesIn(other)).toEqual(['birth_day-1: There is no such day. Compare it with the document.']);
    expect((await traveller.send({ 'surname-1': 'Badr', 'gender-1': 'Male' })).status).toBe(200);
    expect(await desk.entered(id)).toEqual({ 0: { surname: 'Badr', gender: 'Male' } });
  });

  test('one of a group without a name: the names are needed', async () => {
    const { id, traveller } = await open([{ type: 'ADT', asks: 'unnamed' }]);
    const incomplete = await traveller.send({ 'gender-1': 'Male' });
    expect(mistakesIn(incomplete)).toEqual(['given_name-1: Enter the given names.', 'surname-1: Enter the surname.']);
    expect((await traveller.send({ 'given_name-1': 'Badr', 'surname-1': 'Haddad' })).status).toBe(200);
    expect(await desk.entered(id)).toEqual({ 0: { given_name: 'Badr', surname: 'Haddad' } });
  });
});

describe('two people at once', () => {
  test('one of them sends a card; the other learns that, and nothing of theirs is kept', async () => {
    const { id, traveller } = await open([ADULT, ADULT]);
    const other = await visit(traveller.address);
    const cards = [rightCard(1), rightCard(1, { given_name: 'Other', document_number: 'X1111111' })];
    const both = await Promise.all([traveller.send(cards[0] ?? {}), other.send(cards[1] ?? {})]);
    const SENT_BEFORE = 'Traveller 1: this card was already sent. What you entered on it just now was not kept.';
    const replies = both.map((reply) => [reply.status, visible(reply).includes(SENT_BEFORE)]);
    expect(replies.sort()).toEqual([
      [200, true],
      [303, false],
    ]);
    expect(Object.keys((await desk.entered(id)) ?? {})).toEqual(['0']);
    // A second submit of a kept card changes nothing.
    const before = await desk.entered(id);
    expect(visible(await traveller.send(rightCard(1, { surname: 'Changed' })))).toContain(SENT_BEFORE);
    expect(await desk.entered(id)).toEqual(before);
  });
});
