/** What a list of travellers is read as: its columns by their values and headings, its rows as cards, and nothing by a guess. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnMistakes, listedRows, placeRows, readList } from '../../../src/pages/details/list.ts';

const TODAY = '2026-11-25';

function listIn(text: string) {
  const reading = readList(text, TODAY);
  if (!reading.ok) throw new Error(reading.words);
  return reading.list;
}

function msOfReading(text: string): number {
  const began = performance.now();
  expect(readList(text, TODAY).ok).toBe(true);
  return performance.now() - began;
}

const kindsIn = (text: string) => listIn(text).columns.map(({ kind }) => kind);

/** The rows as cards, without blank fields, by what is recognised or said. */
function cardsIn(
  text: string,
  said: Readonly<
    Record<number, Parameters<typeof columnMistakes>[1] extends ReadonlyMap<number, infer K> ? K : never>
  > = {},
) {
  const list = listIn(text);
  const chosen = new Map(list.columns.map(({ place, kind }) => [place, place in said ? said[place] : kind]));
  const rows = listedRows(list, chosen, { hasHeadings: list.hasHeadings, latestToday: TODAY });
  return rows.map(({ typed, mistakes, ...row }) => ({
    ...row,
    typed: Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== '')),
    ...(mistakes.length > 0 && { mistakes: mistakes.map(({ field }) => field) }),
  }));
}

describe('columns', () => {
  test.each<[string, string, readonly (string | undefined)[]]>([
    [
      'of a spreadsheet, by values and headings',
      'No\tSurname\tGiven names\tSex\tDate of birth\tPassport No\tNationality\tExpiry\tMobile\n1\tHaddad\tLayla\tF\t31/12/1980\tA1234567\tSaudi Arabia\t13/02/2030\t+966501234567\n2\tSabah\tNoor\tM\t01/02/1990\tA1234568\tSAU\t01/02/2030\t+966501234568',
      ['unused', 'surname', 'given_name', 'gender', 'birth', 'document_number', 'nationality', 'expires', 'unused'],
    ],
    [
      'without headings, by values alone; names are left to the person',
      'Haddad;Layla;F;1980-12-31;A1234567;SA;2031-01-15\nSabah;Noor;M;1975-06-05;A1234568;EG;2031-02-15',
      [undefined, undefined, 'gender', 'birth', 'document_number', 'nationality', 'expires'],
    ],
    [
      'in Arabic, with Arabic digits',
      'اللقب,الاسم الأول,الجنس,تاريخ الميلاد,رقم الجواز,الجنسية,تاريخ انتهاء الجواز\nHaddad,Layla,أنثى,٣١/١٢/١٩٨٠,A1234567,مصر,٢٠٣١-٠١-١٥\nSabah,Noor,ذكر,٠١/٠٢/١٩٩٠,A1234568,السعودية,٢٠٣١-٠١-١٦',
      ['surname', 'given_name', 'gender', 'birth', 'document_number', 'nationality', 'expires'],
    ],
    [
      'in French, with semicolons and quotes',
      'Nom;Prénom;Civilité;Né le;Passeport;Pays\n"Haddad; X";Layla;Mme;1er janvier 1980;12AB34567;Maroc\nSabah;Noor;M.;3 février 1981;12AB34568;Algérie',
      ['surname', 'given_name', 'gender', 'birth', 'document_number', 'nationality'],
    ],
    [
      'in Spanish',
      'Apellidos,Nombre,Segundo nombre,Sexo,Fecha de nacimiento,Vencimiento\nPérez,Ana,,M,31/12/1980,15/01/2031\nGil,Luis,José,H,03/04/1985,16/01/2031',
      ['surname', 'given_name', 'middle_name', 'gender', 'birth', 'expires'],
    ],
    [
      'in German',
      'Nachname;Vorname;Geschlecht;Geburtsdatum;Staatsangehörigkeit\nMüller;Jörg;männlich;31. Dezember 1980;Deutschland\nWeiß;Änne;w;1. März 1981;Österreich',
      ['surname', 'given_name', 'gender', 'birth', 'nationality'],
    ],
    [
      'of an airline: names with a slash, days with a month by name',
      'HADDAD/LAYLA MRS,ADT,31DEC1980\nSABAH/NOOR MSTR,CHD,05JUN2019',
      ['whole_name', 'type', 'birth'],
    ],
    ['of names with a comma', '"Haddad, Layla";F\n"Sabah, Noor";F', ['whole_name', 'gender']],
    [
      'that hold whole names: nobody can say which word is the surname',
      'Name\tNationality\nLayla Haddad\tEgypt\nNoor Sabah\tEgypt',
      [undefined, 'nationality'],
    ],
    [
      'that are something else than their heading says',
      'Surname,Given name,Sex\nHaddad,Layla,1980-12-31\nSabah,Noor,1981-01-31',
      ['surname', 'given_name', 'birth'],
    ],
    [
      'of past days of another kind, by their heading',
      'Surname,Given name,Date of issue,Birth date\nHaddad,Layla,2020-12-31,1980-12-31',
      ['surname', 'given_name', 'unused', 'birth'],
    ],
    [
      'of two kinds of past days without headings: the person chooses',
      'Haddad,Layla,2020-12-31,1980-12-31',
      [undefined, undefined, undefined, undefined],
    ],
    [
      'that may be two things: Indonesia or an identity card',
      'Surname,Given name,X1\nHaddad,Layla,ID\nSabah,Noor,ID',
      ['surname', 'given_name', undefined],
    ],
    [
      'whose days show no order',
      'Surname,Given name,Birth date\nHaddad,Layla,01/02/1980\nSabah,Noor,03/04/1985',
      ['surname', 'given_name', undefined],
    ],
    [
      'whose days need no order, being the same both ways',
      'Surname,Given name,Birth date\nHaddad,Layla,01/01/1980\nSabah,Noor,3-Mar-1985',
      ['surname', 'given_name', 'birth'],
    ],
    [
      'of documents and kinds of documents',
      'Surname,First name,ID type,Document\nHaddad,Layla,Passport,A1234567\nSabah,Noor,ID card,1029384756',
      ['surname', 'given_name', 'document_type', 'document_number'],
    ],
    ['with one wrong value in five', 'F,1\nM,1\n?,1\nF,1\nF,1', ['gender', undefined]],
    [
      'named twice: the person chooses',
      'Surname,Surname,Given name\nHaddad,Sabah,Layla',
      [undefined, undefined, 'given_name'],
    ],
    [
      'of names with the given name first: SURNAME/GIVEN would turn them round',
      'Given name/Surname,Birth date\nLayla/Haddad,31/12/1980',
      [undefined, 'birth'],
    ],
    [
      'of passports that were issued together, with numbers in a row',
      'Surname,Given name,Passport\nHaddad,Layla,488839667\nSabah,Noor,488839668',
      ['surname', 'given_name', 'document_number'],
    ],
    [
      'of passports whose letters are those of a country',
      'Surname,Given name,Passport\nHaddad,Layla,SV1234567\nSabah,Noor,BN1234569',
      ['surname', 'given_name', 'document_number'],
    ],
    [
      'of days without signs between day and month, which are no numbers of documents',
      'Surname,Given name,Birth date\nHaddad,Layla,19801231\nSabah,Noor,19810131',
      ['surname', 'given_name', 'birth'],
    ],
    [
      'of numbers that may be anything, under a heading that is unknown: the person chooses',
      'Surname,Given name,Frequent flyer\nHaddad,Layla,QX123456\nSabah,Noor,QX123459',
      ['surname', 'given_name', undefined],
    ],
    ['of phones, without headings: the person chooses', 'HADDAD/LAYLA;0501234567', ['whole_name', undefined]],
    [
      'of days in the last ten years, on which passports may have been issued: the person chooses',
      'Surname,Given name,Passport date\nHaddad,Layla,13/02/2020\nSabah,Noor,14/02/2021',
      ['surname', 'given_name', undefined],
    ],
    [
      'of children, by their heading',
      'Surname,Given name,Born\nHaddad,Layla,13/02/2020',
      ['surname', 'given_name', 'birth'],
    ],
    ['of which blank ones are left out', 'Surname,,Given name\nHaddad,,Layla', ['surname', 'given_name']],
  ])('%s', (_, text, kinds) => {
    expect(kindsIn(text)).toEqual(kinds);
  });

  test('headings are a row whose cells are nearly all known words; a traveller is never taken for one', () => {
    for (const [text, has] of [
      ['Surname,Given name\nHaddad,Layla', true],
      ['Land,Peter,M\nHaddad,Layla,F', false],
      ['Chad,Nombre,1990-01-31\nHaddad,Layla,1990-01-30', false],
      ['Name,Nationality,Shoe size\nLayla Haddad,Egypt,9', true],
    ] as const)
      expect([text, listIn(text).hasHeadings]).toEqual([text, has]);
  });
});

describe('cells', () => {
  const dates = (...values: readonly string[]) =>
    ['Surname,Given name,Birth date', ...values.map((value) => `Haddad,Layla,"${value}"`)].join('\n');
  const born = (text: string, kind?: 'birth' | 'birth_dmy' | 'birth_mdy') =>
    cardsIn(text, kind === undefined ? {} : { 2: kind }).map(({ typed, mistakes }) =>
      mistakes === undefined ? [typed.birth_year, typed.birth_month, typed.birth_day].join('-') : mistakes.join(),
    );

  test('days are read in the order that one value of the column shows', () => {
    expect(born(dates('01/02/1980', '31/12/1980'))).toEqual(['1980-2-1', '1980-12-31']);
    expect(born(dates('01/02/1980', '12/31/1980'))).toEqual(['1980-1-2', '1980-12-31']);
  });

  test('days are read in the order that a person says; what does not fit it is a mistake, and not turned round', () => {
    expect(born(dates('01/02/1980', '03/04/1981'), 'birth_dmy')).toEqual(['1980-2-1', '1981-4-3']);
    expect(born(dates('01/02/1980', '03/04/1981'), 'birth_mdy')).toEqual(['1980-1-2', '1981-3-4']);
    expect(born(dates('01/02/1980', '31/12/1980', '12/31/1980'), 'birth_mdy')).toEqual([
      '1980-1-2',
      'birth_day',
      '1980-12-31',
    ]);
  });

  test.each([
    ['1980-12-31', '1980-12-31'],
    ['1980/12/31 00:00:00', '1980-12-31'],
    ['1980-12-31T00:00:00.000Z', '1980-12-31'],
    ['31 Dec 1980', '1980-12-31'],
    ['31-dec-80', '1980-12-31'],
    ['31DEC80', '1980-12-31'],
    ['December 31, 1980', '1980-12-31'],
    ['Sept 5th, 1980', '1980-9-5'],
    ['31 décembre 1980', '1980-12-31'],
    ['31 de diciembre de 1980', '1980-12-31'],
    ['31. Dezember 1980', '1980-12-31'],
    ['31 ديسمبر 1980', '1980-12-31'],
    ['31 كانون الأول 1980', '1980-12-31'],
    ['\u200F\u0663\u0661/\u0661\u0662/\u0661\u0669\u0668\u0660', '1980-12-31'],
    // It may be 1912 or 2012.
    ['31 Dec 12', '12-12-31'],
    ['31/02/1980', 'birth_day'],
    ['1980', 'birth_day'],
    ['in winter', 'birth_day'],
    ['31 Dec', 'birth_day'],
    ['1980-12-31 18:40', 'birth_day'],
  ])('the day %s is %s', (written, read) => {
    expect(born(dates(written), 'birth')).toEqual([read]);
  });

  test('an expiry of two digits is of this century: documents of the last one are over', () => {
    const [card] = cardsIn('Surname,Given name,Expiry\nHaddad,Layla,31-Dec-30');
    expect(card?.typed.expires_year).toBe('2030');
  });

  test('names are split at the slash or the comma alone, and titles removed', () => {
    const names = (cell: string) => {
      const [card] = cardsIn(`"${cell}"`, { 0: 'whole_name' });
      return [card?.typed.surname, card?.typed.given_name, ...(card?.mistakes ?? [])];
    };
    expect(names('HADDAD/LAYLA MRS')).toEqual(['HADDAD', 'LAYLA']);
    expect(names('AL HADDAD/LAYLA FATIMA MISS')).toEqual(['AL HADDAD', 'LAYLA FATIMA']);
    expect(names('Haddad, Mr. Noor')).toEqual(['Haddad', 'Noor']);
    expect(names('HADDAD/MRSAMI')).toEqual(['HADDAD', 'MRSAMI']);
    expect(names('HADDAD/LAYLA, FATIMA')).toEqual(['HADDAD', 'LAYLA, FATIMA']);
    expect(names('Layla Haddad')).toEqual([undefined, 'Layla Haddad', 'surname']);
    expect(names('A/B/C')).toEqual([undefined, 'A/B/C', 'surname']);
  });

  test('a gender is a word, a letter or a title; what is none is a mistake', () => {
    const genders = (...cells: readonly string[]) =>
      cardsIn(cells.map((cell) => `${cell},A/B`).join('\n'), { 0: 'gender', 1: 'whole_name' }).map(
        ({ typed, mistakes }) => typed.gender ?? mistakes?.join(),
      );
    expect(genders('F', 'm', 'Male', 'MRS', 'Mstr.', 'X')).toEqual([
      'Female',
      'Male',
      'Male',
      'Female',
      'Male',
      'Unknown',
    ]);
    expect(genders('H', 'M')).toEqual(['Male', 'Female']);
    expect(genders('H', 'F')).toEqual(['Male', 'Female']);
    expect(genders('H', 'M', 'F')).toEqual(['Male', 'gender', 'Female']);
    expect(genders('F', 'yes')).toEqual(['Female', 'gender']);
  });

  test('countries are written in English for the card, codes and unknown ones as they are', () => {
    const countries = ['السعودية', 'الإمارات', 'Espagne', 'SAU', 'Atlantis'];
    const cards = cardsIn(countries.map((country) => `A/B;${country}`).join('\n'), {
      0: 'whole_name',
      1: 'nationality',
    });
    expect(cards.map(({ typed }) => typed.nationality)).toEqual([
      'Saudi Arabia',
      'United Arab Emirates',
      'Spain',
      'SAU',
      'Atlantis',
    ]);
  });

  test('people of a country are of that country, and not of another whose name has the word too', () => {
    const countries = ['American', 'British', 'Française', 'deutsch', 'هندي', 'صينية', 'سعودي', 'مصري', 'المالديف'];
    const cards = cardsIn(countries.map((country) => `A/B;${country}`).join('\n'), {
      0: 'whole_name',
      1: 'nationality',
    });
    expect(cards.map(({ typed }) => typed.nationality)).toEqual([
      ...['United States', 'United Kingdom', 'France', 'Germany', 'India', 'China', 'Saudi Arabia', 'Egypt'],
      'Maldives',
    ]);
    const [unclear] = cardsIn('A/B;كندي\nA/B;أمريك', { 0: 'whole_name', 1: 'nationality' });
    expect(unclear?.typed.nationality).toBe('كندي');
  });

  test('a title is no part of a given name; beside a surname, or alone, it is a mistake', () => {
    const names = (surname: string, given: string) =>
      cardsIn(`Surname,Given name\n${surname},${given}`).map(({ typed, mistakes = [] }) => [
        typed.surname,
        typed.given_name,
        ...mistakes,
      ])[0];
    expect(names('Haddad', 'Mrs Layla')).toEqual(['Haddad', 'Layla']);
    expect(names('Sabah', 'DR. NOOR MR')).toEqual(['Sabah', 'NOOR']);
    expect(names('Khan', 'SARA MISS CHD')).toEqual(['Khan', 'SARA']);
    expect(names('Khan', 'ALI MSTR(CHD)')).toEqual(['Khan', 'ALI']);
    expect(names('Mr Haddad', 'Noor')).toEqual(['Mr Haddad', 'Noor', 'surname']);
    expect(names('Haddad', 'Mrs')).toEqual(['Haddad', 'Mrs', 'given_name']);
    expect(names('Drake', 'Missy')).toEqual(['Drake', 'Missy']);
  });

  test('a document without a digit has no number, and a dash or N/A is nothing', () => {
    const text =
      'Surname,Given name,Middle name,Passport\nHaddad,Layla,-,TBA\nSabah,Noor,n/a,A1234567\nKhan,Ali,\u2014,--';
    expect(cardsIn(text, { 2: 'middle_name' })).toEqual([
      {
        number: 2,
        typed: { surname: 'Haddad', given_name: 'Layla', document_number: 'TBA' },
        mistakes: ['document_number'],
      },
      { number: 3, typed: { surname: 'Sabah', given_name: 'Noor', document_number: 'A1234567' } },
      { number: 4, typed: { surname: 'Khan', given_name: 'Ali' } },
    ]);
  });

  test('a title of the list above its headings is no traveller, and headings once more are none', () => {
    const cards = cardsIn('GROUP JEDDAH 2027,,\n\nSurname,Given name,Birth date\nHaddad,Layla,1980-12-31');
    expect(cards.map(({ number, typed }) => [number, typed.surname])).toEqual([[4, 'Haddad']]);
    const tabs = 'GROUP, JEDDAH\nSurname\tGiven name\nHaddad\tLayla\n\nSurname\tGiven name\nSabah\tNoor';
    expect(cardsIn(tabs).map(({ number, typed }) => [number, typed.surname])).toEqual([
      [3, 'Haddad'],
      [6, 'Sabah'],
    ]);
    // One cell above travellers may be one of them.
    const list = listIn('Haddad\nSabah,Noor');
    expect([list.hasHeadings, list.rows]).toEqual([false, [['Haddad'], ['Sabah', 'Noor']]]);
  });

  test('blank rows are left out, and numbers of rows are those of the spreadsheet', () => {
    const cards = cardsIn('\n\nSurname\tGiven name\tPhone\n\t\t\nHaddad\tLayla\t1\n\t\t2\nSabah\tNoor\t3\n');
    expect(cards.map(({ number, typed }) => [number, typed.surname])).toEqual([
      [5, 'Haddad'],
      [7, 'Sabah'],
    ]);
  });

  test('the sign between cells is found among blank lines, short rows and other signs', () => {
    for (const text of [
      'Haddad;Layla\n\n',
      'Haddad;Layla\n\nSabah;Noor\n\n\n',
      'Haddad;Layla\nSabah',
      '"Haddad, A, B";Layla',
    ])
      expect([text, listIn(text).columns.length]).toEqual([text, 2]);
    expect(listIn('Haddad, A, B\tLayla').columns.length).toBe(2);
    expect(listIn('Haddad, A;Layla\nSabah, B;Noor').columns.length).toBe(2);
  });

  test('a CSV that names its delimiter, one with a mark, and cells with line breaks are read', () => {
    expect(cardsIn('sep=|\nSurname|Given name\n"Had\ndad"|Layla').map(({ typed }) => typed.surname)).toEqual([
      'Had dad',
    ]);
    expect(cardsIn('\uFEFFSurname,Given name\nHaddad,Layla').map(({ typed }) => typed.surname)).toEqual(['Haddad']);
  });
});

test.each([
  ['', 'Paste the rows of the list here.'],
  ['\t\n , ,\n', 'Paste the rows of the list here.'],
  ['Surname,Given name\n', 'This list has headings and no rows. Copy the rows too.'],
  ['a,"b\nc,d', 'A quotation mark opens a cell and nothing closes it. Correct it, or leave it out.'],
  ['a,b\n'.repeat(201), 'A list has at most 200 rows, and this one has 201.'],
  [Array(31).fill('a').join(), 'A list has at most 30 columns, and this one has 31.'],
  [`a,b\n${'a'.repeat(301)},b`, 'Row 2 has a cell of more than 300 characters. Shorten it, then read the list again.'],
])('a list that cannot be read says why (%#)', (text, words) => {
  expect(readList(text, TODAY)).toEqual({ ok: false, words });
});

test('what a person has to choose, chose twice or left out is said at its column', () => {
  const list = listIn('Haddad,Layla,01/02/1980\nSabah,Noor,03/04/1981');
  const said = (
    ...kinds: readonly ('given_name' | 'surname' | 'whole_name' | 'birth' | 'birth_dmy' | 'unused' | undefined)[]
  ) => columnMistakes(list, new Map(kinds.entries())).map(({ column, words }) => `${column}: ${words}`);
  expect(said('surname', 'given_name', 'birth_dmy')).toEqual([]);
  expect(said('surname', undefined, 'unused')).toEqual(['1: Choose what this column holds.']);
  expect(said('surname', 'surname', 'unused')).toEqual(['1: Another column holds this already.']);
  expect(said('surname', 'given_name', 'birth')).toEqual(['2: Choose whether the day or the month stands first.']);
  expect(said('whole_name', 'given_name', 'unused')).toEqual([
    '0: Other columns hold the names too. Use these, or this one.',
  ]);
  expect(said('surname', 'unused', 'birth_dmy')).toEqual([
    'undefined: No column holds the given names. They stand in two columns, or in one as SURNAME/GIVEN.',
  ]);
  expect(said('unused', 'unused', 'unused')).toEqual([
    'undefined: No column holds the given names and the surname. They stand in two columns, or in one as SURNAME/GIVEN.',
  ]);
});

describe('cards of several kinds', () => {
  const SEGMENTS = [{ departs: '2026-12-07T08:00:00+03:00', arrives: '2026-12-07T10:00:00+03:00' }];
  const open = (...types: readonly ('ADT' | 'CHD' | 'INF')[]) => types.map((type, place) => ({ place, type }));
  const placed = (text: string, ...types: readonly ('ADT' | 'CHD' | 'INF')[]) => {
    const list = listIn(text);
    const chosen = new Map(list.columns.map(({ place, kind }) => [place, kind]));
    const rows = listedRows(list, chosen, { hasHeadings: list.hasHeadings, latestToday: TODAY });
    const { rowsByCard, rowsLeftOver } = placeRows(rows, open(...types), SEGMENTS as never);
    const surnames = [...rowsByCard].sort(([a], [b]) => a - b).map(([place, { typed }]) => `${place} ${typed.surname}`);
    return [...surnames, ...rowsLeftOver.map(({ row, why }) => `${row.number}: ${why}`)];
  };

  test('go by the column of kinds', () => {
    const text = 'Surname,Given name,Type\nA,A,INF\nB,B,Adult\nC,C,CHD\nD,D,CHD\nE,E,senior';
    expect(placed(text, 'ADT', 'CHD', 'INF', 'ADT')).toEqual([
      ...['0 B', '1 C', '2 A'],
      '5: no blank card of a child is left',
      '6: the list does not say whether this is an adult, a child or an infant',
    ]);
  });

  test('go by the age on the first day, and rows without a birth date behind these, in order', () => {
    const text =
      'Surname,Given name,Birth date\nA,A,\nB,B,2020-05-31\nC,C,1980-01-31\nD,D,2026-01-31\nE,E,1981-01-31\nF,F,1982-01-31';
    expect(placed(text, 'ADT', 'ADT', 'CHD', 'INF', 'INF')).toEqual([
      ...['0 C', '1 E', '2 B', '3 D', '4 A'],
      '7: no blank card of an adult is left',
    ]);
  });

  test('are not filled twice with the same traveller; two of one name alone may be two', () => {
    const text = 'Surname,Given name,Birth date\nA,A,1980-01-31\na,A,31 Jan 1980\nB,B,\nB,B,\nA,A,1981-01-31';
    expect(placed(text, ...Array<'ADT'>(6).fill('ADT'))).toEqual([
      ...['0 A', '1 B', '2 B', '3 A'],
      '3: another row has the same details',
    ]);
  });

  test('of one kind go in order, whatever the age', () => {
    expect(
      placed('Surname,Given name,Birth date\nA,A,2020-05-31\nB,B,1980-01-31\nC,C,1980-01-31', 'ADT', 'ADT'),
    ).toEqual([...['0 A', '1 B'], '4: no blank card is left']);
  });
});

test.each([
  ['cells of one letter', Array(200).fill('a'.repeat(299)).join('\n')],
  ['cells of a sign that stands for a sentence', Array(200).fill('\uFDFA'.repeat(299)).join('\n')],
  ['quotes in cells', Array(200).fill('a"'.repeat(149)).join('\n')],
  ['cells of letters', Array(200).fill('\u00E9'.repeat(299)).join('\n')],
  [
    'letters that are a gender beside another, each in its own spelling',
    Array.from({ length: 200 }, (_, n) =>
      Array(29)
        .fill(`m${'.-'.repeat(3).slice(0, n % 7)}`)
        .join(),
    ).join('\n'),
  ],
])('%s: the longest list holds nobody else up', (_, text) => {
  // They take less than ordinary cells; they took up to two hundred times as long.
  const ordinary = Array.from({ length: 200 }, (_, n) => Array.from({ length: 29 }, (_, c) => `n${n}c${c}xxx`).join());
  const ordinaryMs = msOfReading(ordinary.join('\n'));
  expect(msOfReading(text)).toBeLessThan(3 * ordinaryMs);
});

test('any text is read or refused, in little time, and every cell of a used column reaches a card', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      'F',
      'MR',
      '31/12/1980',
      '1/2/80',
      'SA',
      'A1234567',
      'HADDAD/LAYLA',
      'ADT',
      '"',
      '""',
      '\u0661',
      '<b>',
      '=1+1',
    ),
  );
  const texts = fc
    .tuple(fc.constantFrom('\t', ';', ',', '|'), fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 12 }))
    .map(([delimiter, rows]) => rows.map((row) => row.join(delimiter)).join('\n'));
  fc.assert(
    fc.property(texts, (text) => {
      const reading = readList(text, TODAY);
      if (!reading.ok) return;
      const { list } = reading;
      const chosen = new Map(
        list.columns.map(({ place }, n) => [place, n === 0 ? ('surname' as const) : ('unused' as const)]),
      );
      const rows = listedRows(list, chosen, { hasHeadings: false, latestToday: TODAY });
      const cells = list.rows.flatMap((row) => row[list.columns[0]?.place ?? -1] || []);
      expect(rows.map(({ typed }) => typed.surname)).toEqual(cells);
    }),
    { numRuns: 400 },
  );
});
