/** The lines at the bottom of a passport, typed or pasted on the details page (ICAO Doc 9303). */
import { afterAll, describe, expect, test } from 'vitest';
import { ADULT, day, detailsDesk, type Fields, mistakesIn, visit } from './support/details-desk.ts';
import { largeCardLines, passportLines, smallCardLines } from './support/zone-lines.ts';

const desk = await detailsDesk();
afterAll(() => desk.close());

const open = async () => visit((await desk.local.details.address(await desk.form())) ?? '');
const traveller = await open();

const fill = (lines: string, fields: Fields = {}) =>
  traveller.send({ action: 'fill-1', 'lines-1': lines, 'document_type-1': 'passport', ...fields });

/** What stands in the fields of card 1 of a page. */
function fieldsOn({ body }: { body: string }): Record<string, string> {
  const inputs = [...body.matchAll(/<input type="text"[^>]* id="(\w+)-1"[^>]* value="([^"]*)"/g)];
  const selects = [...body.matchAll(/<select id="(\w+)-1"[^>]*>([\s\S]*?)<\/select>/g)];
  const chosen = selects.map(([, name, options = '']) => [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? '']);
  return Object.fromEntries([...inputs.map(([, name, value]) => [name, value]), ...chosen]);
}

const filledFrom = async (...lines: readonly string[]) => fieldsOn(await fill(lines.join('\n')));
const problemOf = async (lines: string) =>
  mistakesIn(await fill(lines)).map((mistake) => mistake.replace('lines-1: ', ''));

/** The specimen of Doc 9303 part 4, appendix B. */
const SPECIMEN = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];

const ERIKSSON = {
  ...{ given_name: 'ANNA MARIA', middle_name: '', surname: 'ERIKSSON', gender: 'Female' },
  ...{ birth_day: '12', birth_month: '8', birth_year: '1974', document_type: 'passport', document_number: 'L898902C3' },
  // Utopia is no country.
  ...{ nationality: '', expires_day: '15', expires_month: '4', expires_year: '2012' },
};

describe('lines that are right', () => {
  test('the specimens of ICAO fill a card in', async () => {
    expect(await filledFrom(...SPECIMEN)).toEqual(ERIKSSON);
    // Part 5, appendix B, and part 6, appendix B.
    const card = { ...ERIKSSON, document_type: 'national_id' };
    expect(
      await filledFrom(
        'I<UTOD231458907<<<<<<<<<<<<<<<',
        '7408122F1204159UTO<<<<<<<<<<<6',
        'ERIKSSON<<ANNA<MARIA<<<<<<<<<<',
      ),
    ).toEqual({ ...card, document_number: 'D23145890' });
    expect(await filledFrom('I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6')).toEqual({
      ...card,
      document_number: 'D23145890',
    });
  });

  test.each<[string, string]>([
    ['in small letters', SPECIMEN.join('\n').toLowerCase()],
    ['with spaces', SPECIMEN.map((line) => line.replace(/(.{5})/g, '$1 ')).join('\r\n')],
    ['with an empty line between', SPECIMEN.join('\n\n')],
    ['in one line', SPECIMEN.join(' ')],
    ['with « for two <', SPECIMEN.join('\n').replaceAll('<<', '\u00AB')],
    ['with ‹ for <', SPECIMEN.join('\n').replaceAll('<', '\u2039')],
    [
      'in wide letters',
      SPECIMEN.join('\n').replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
    ],
    ['without the fillers at the end of line 1', SPECIMEN.join('\n').replace(/<+\n/, '\n')],
    ['with too many fillers at the end of line 1', SPECIMEN.join('\n').replace(/<\n/, '<<<<\n')],
    ['with too few fillers in line 2', SPECIMEN.join('\n').replace('<<<<<10', '<<10')],
    ['with O for 0 in a date', SPECIMEN.join('\n').replace('7408122', '74O8122')],
    [
      'with digits of an Arabic keyboard',
      SPECIMEN.join('\n').replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit))),
    ],
  ])('%s are the same', async (_, lines) => {
    expect(fieldsOn(await fill(lines))).toEqual(ERIKSSON);
  });

  test('codes of passports become countries; a birth is in the past; a number may be long', async () => {
    const filled = await filledFrom(...passportLines());
    expect(filled).toMatchObject({ nationality: 'Saudi Arabia', birth_year: '1950', given_name: 'AMAL FATIMA' });
    for (const [nationality, name] of [
      ['D', 'Germany'],
      ['GBD', 'United Kingdom'],
      ['RKS', 'Kosovo'],
      ['XXA', ''],
    ] as const)
      expect(await filledFrom(...passportLines({ nationality }))).toMatchObject({ nationality: name });
    const [yesterday, tomorrow] = [day(-1), day(3)].map((date) => date.slice(2).replaceAll('-', ''));
    expect(await filledFrom(...passportLines({ born: yesterday ?? '' }))).toMatchObject({
      birth_year: day(-1).slice(0, 4),
    });
    expect(await filledFrom(...passportLines({ born: tomorrow ?? '' }))).toMatchObject({
      birth_year: String(Number(day(3).slice(0, 4)) - 100),
    });
    // Its day is not known.
    expect(await filledFrom(...passportLines({ born: '5003<<' }))).toMatchObject({ birth_day: '', birth_year: '' });
    for (const number of ['D23145890734', 'D2314589073499'])
      expect(await filledFrom(...smallCardLines({ number }))).toMatchObject({ document_number: number });
    expect(await filledFrom(...largeCardLines({ personal: '7349' }))).toMatchObject({ document_type: 'national_id' });
    expect(await filledFrom(...passportLines({ personal: '1029384756' }))).toMatchObject({ surname: 'ALHADDAD' });
    // One name alone.
    const alone = await filledFrom(...passportLines({ names: 'ARKFREITHAGENHAGENARKFREITHAGENHAGENARKF' }));
    expect([alone.given_name, alone.surname]).toEqual(['', 'ARKFREITHAGENHAGENARKFREITHAGENHAGENARK']);
    expect(await filledFrom(...passportLines({ names: 'ARKFREITH' }))).toMatchObject({
      given_name: '',
      surname: 'ARKFREITH',
    });
  });

  test('what was typed before stays, and the page asks to check what was filled in', async () => {
    const page = await fill(passportLines().join('\n'), {
      'given_name-1': 'Amal',
      'gender-1': 'Male',
      'birth_day-1': '1',
    });
    expect(page.status).toBe(200);
    expect(page.body).toContain('Please check, then send.');
    expect(fieldsOn(page)).toMatchObject({
      ...{ given_name: 'Amal', surname: 'ALHADDAD', gender: 'Male', birth_day: '1', birth_month: '', birth_year: '' },
      document_number: 'L898902C3',
    });
  });
});

describe('lines that are wrong', () => {
  const [first, second] = passportLines({ personal: '1029384756' });
  /** Line 2 with another sign at this place, counted from 1. */
  const with2 = (place: number, sign: string) => `${first}\n${second.slice(0, place - 1)}${sign}${second.slice(place)}`;

  test.each<[string, string, string]>([
    [
      'the number',
      with2(2, '9'),
      'Line 2: the check digit of the number is wrong: compare the number with the document.',
    ],
    [
      'the birth date',
      with2(18, '9'),
      'Line 2: the check digit of the birth date is wrong: compare the birth date with the document.',
    ],
    [
      'the expiry date',
      with2(22, '4'),
      'Line 2: the check digit of the expiry date is wrong: compare the expiry date with the document.',
    ],
    [
      'the personal number',
      with2(30, '9'),
      'Line 2: the check digit of the personal number is wrong: compare the last characters with the document.',
    ],
    [
      'the last digit',
      with2(44, '9'),
      'Line 2: the last check digit is wrong: compare every character with the document.',
    ],
    ['line 1 alone', first, 'A passport has two lines, so copy both of them.'],
    [
      'a line too short',
      `${first}\n${second.slice(0, 40)}`,
      'Line 2 has 40 characters and needs 44, so compare it with the document.',
    ],
    ['a visa', `V${first.slice(1)}\n${second}`, 'These are the lines of a visa. Use those of the passport.'],
    ['other words', 'I do not have one', 'Copy all lines of the identity card.'],
    ['other words', 'Hello', 'Line 1 of a passport begins with P, and that of an identity card with I, A or C.'],
    ['other signs', `${first}\n${second.replace('3', '*')}`, 'Line 2: only letters, digits and &lt; can stand here.'],
    ['digits in names', `${first.replace('AMAL', 'AM4L')}\n${second}`, 'Line 1: names have letters and &lt; alone.'],
    ['two lines of three', smallCardLines().slice(0, 2).join('\n'), 'Copy all lines of the identity card.'],
    ['nothing', '', 'Copy the lines of the document here.'],
  ])('%s: the card says so, and keeps what was typed', async (_, lines, words) => {
    const page = await fill(lines, { 'surname-1': 'Haddad' });
    expect(page.status).toBe(422);
    expect(mistakesIn(page)).toEqual([`lines-1: ${words}`]);
    expect(fieldsOn(page)).toMatchObject({ surname: 'Haddad', given_name: '', document_number: '' });
    // In the text field again, to be corrected.
    expect(page.body).toContain('</textarea>');
  });

  test('any other digit in line 2 is noticed', async () => {
    const digits = [...second].flatMap((sign, i) => (/\d/.test(sign) ? [i] : []));
    expect(digits.length).toBeGreaterThan(25);
    for (const at of digits) {
      const other = String((Number(second[at]) + 3) % 10);
      expect(await problemOf(with2(at + 1, other)), `sign ${at + 1}`).toHaveLength(1);
    }
  });
});

describe('a card that is sent with its lines', () => {
  const passport = passportLines({ expires: day(400).slice(2).replaceAll('-', '') });

  test('comes back filled in for a look, and is kept when it is sent again', async () => {
    const id = await desk.form([ADULT]);
    const person = await visit((await desk.local.details.address(id)) ?? '');
    const sent = { 'lines-1': passport.join('\n'), 'document_type-1': 'passport' };
    const back = await person.send(sent);
    expect([back.status, mistakesIn(back)]).toEqual([200, []]);
    expect(back.body).toContain('Please check, then send.');
    expect(await desk.entered(id)).toEqual({});
    const fields = Object.fromEntries(Object.entries(fieldsOn(back)).map(([name, value]) => [`${name}-1`, value]));
    const done = await person.send({ ...sent, ...fields });
    expect(done.status).toBe(200);
    expect(await desk.entered(id)).toEqual({
      0: {
        ...{ given_name: 'AMAL FATIMA', surname: 'ALHADDAD', gender: 'Female', birth_date: '1950-03-27' },
        document: { type: 'passport', number: 'L898902C3', nationality: 'SA', expires: day(400) },
      },
    });
  });

  test('what was typed and differs from the lines is a mistake', async () => {
    const filled = fieldsOn(await fill(passport.join('\n')));
    const fields = { ...filled, document_number: 'L898902C4', birth_day: '28', expires_year: '2098' };
    const named = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${name}-1`, value]));
    const page = await traveller.send({ ...named, 'lines-1': passport.join('\n') });
    expect(mistakesIn(page).map((mistake) => mistake.split(':')[0])).toEqual([
      'birth_day-1',
      'document_number-1',
      'expires_day-1',
    ]);
  });
});
