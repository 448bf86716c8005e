/**
 * The machine-readable zone of a passport or an identity card, as people type or paste it (ICAO Doc 9303, parts 4 to 6). What
 * the check digits do not confirm fills nothing in.
 */
import { isRealDate } from '../../core/times.ts';
import { capitalized } from '../../core/words.ts';
import { countryNames, passportCountry } from '../../domain/people/countries.ts';
import type { DocumentKind, EnteredDetails } from '../../domain/people/traveler.ts';
import type { Mistake, RefilledCard, TypedCard } from './form.ts';

/** What the lines say, in the forms of {@link EnteredDetails}. Absent: they do not say it, or not as a day or a country that exists. */
export interface Zone {
  readonly given_name?: string | undefined;
  readonly surname?: string | undefined;
  readonly gender?: EnteredDetails['gender'];
  readonly birth_date?: string | undefined;
  readonly type: DocumentKind;
  readonly number: string;
  readonly nationality?: string | undefined;
  readonly expires?: string | undefined;
}

type ZoneReading =
  | { readonly ok: true; readonly zone: Zone }
  /** For the traveller. Repeats nothing of the lines. */
  | { readonly ok: false; readonly problem: string };

/** Signs of a line, both from 0; the end is the next one. */
type Signs = readonly [line: number, start: number, end: number];

interface Layout {
  readonly lines: number;
  readonly width: number;
  readonly type: DocumentKind;
  /** Lines whose end may be fillers alone, which people leave out, from 0. */
  readonly open: readonly number[];
  readonly names: Signs;
  readonly nationality: Signs;
  readonly sex: Signs;
  /** Each with its check digit behind it. */
  readonly number: Signs;
  readonly birth: Signs;
  readonly expiry: Signs;
  readonly personal?: Signs;
  /** Where a longer number goes on. */
  readonly rest?: Signs;
  /** The last sign of line 2 is the check digit of these. */
  readonly whole: readonly Signs[];
}

/** Part 4, section 4.2.2. */
const PASSPORT: Layout = {
  lines: 2,
  width: 44,
  type: 'passport',
  open: [0],
  names: [0, 5, 44],
  nationality: [1, 10, 13],
  sex: [1, 20, 21],
  number: [1, 0, 9],
  birth: [1, 13, 19],
  expiry: [1, 21, 27],
  personal: [1, 28, 42],
  whole: [
    [1, 0, 10],
    [1, 13, 20],
    [1, 21, 43],
  ],
};
/** Part 6, section 4.2.2. */
const LARGE_CARD: Layout = {
  lines: 2,
  width: 36,
  type: 'national_id',
  open: [0],
  names: [0, 5, 36],
  nationality: [1, 10, 13],
  sex: [1, 20, 21],
  number: [1, 0, 9],
  birth: [1, 13, 19],
  expiry: [1, 21, 27],
  rest: [1, 28, 35],
  whole: [
    [1, 0, 10],
    [1, 13, 20],
    [1, 21, 35],
  ],
};
/** Part 5, section 4.2.2. */
const SMALL_CARD: Layout = {
  lines: 3,
  width: 30,
  type: 'national_id',
  open: [0, 2],
  names: [2, 0, 30],
  nationality: [1, 15, 18],
  sex: [1, 7, 8],
  number: [0, 5, 14],
  birth: [1, 0, 6],
  expiry: [1, 8, 14],
  rest: [0, 15, 30],
  whole: [
    [0, 5, 30],
    [1, 0, 7],
    [1, 8, 15],
    [1, 18, 29],
  ],
};
const LAYOUTS = [PASSPORT, LARGE_CARD, SMALL_CARD];

/** @param today birth dates are not after it, YYYY-MM-DD */
export function readZone(typed: string, today: string): ZoneReading {
  const lines = zoneLines(typed);
  const strange = lines.findIndex((line) => !/^[A-Z0-9<]+$/.test(line));
  if (strange >= 0) return wrong(`line ${strange + 1}: only letters, digits and < can stand here`);
  const layout = layoutOf(lines);
  if (typeof layout === 'string') return wrong(layout);
  const { width } = layout;
  const wide = lines.map((line, n) => widen(line, width, layout.open.includes(n)));
  const reading = wide.every((line) => line.length === width) ? parsed(wide, layout, today) : undefined;
  if (reading?.ok === true) return reading;
  // What the check digits find in a line that was widened may be a mistake of ours.
  const other = lines.findIndex((line, n) => line.length !== width && !layout.open.includes(n));
  const long = other >= 0 ? other : wide.findIndex((line) => line.length !== width);
  const found = lines[long]?.length ?? 0;
  return long < 0 && reading !== undefined
    ? reading
    : wrong(`line ${long + 1} has ${found} signs and needs ${width}: compare it with the document`);
}

const wrong = (problem: string): ZoneReading => ({ ok: false, problem });

/** Phones make one sign of two `<`, and a field that knows no lines joins them. */
function zoneLines(typed: string): readonly string[] {
  const lines = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\u00AB\u226A]/g, '<<')
    .replace(/\u2039/g, '<')
    .split(/[\r\n]+/)
    .map((line) => line.replace(/[\s\p{Cf}]/gu, ''))
    .filter((line) => line !== '');
  const [only = ''] = lines;
  const joined = lines.length === 1 ? LAYOUTS.find((each) => each.lines * each.width === only.length) : undefined;
  if (joined === undefined) return lines;
  return Array.from({ length: joined.lines }, (_, n) => only.slice(n * joined.width, (n + 1) * joined.width));
}

/** In words, where there is none for these lines. */
function layoutOf(lines: readonly string[]): Layout | string {
  const [first = ''] = lines;
  if (first.startsWith('V')) return 'these are the lines of a visa: use those of the passport';
  if (first.startsWith('P')) return lines.length === 2 ? PASSPORT : 'a passport has two lines: copy both of them';
  if (!/^[ACI]/.test(first)) return 'line 1 of a passport begins with P, and that of an identity card with I, A or C';
  if (first.startsWith('IDFRA') && lines.length === 2)
    return 'the lines of this card are of an older kind: fill in the fields';
  if (lines.length === 3) return SMALL_CARD;
  return lines.length === 2 && first.length > SMALL_CARD.width ? LARGE_CARD : 'copy all lines of the identity card';
}

/** Nobody counts fourteen `<` in a row: the check digits say whether the result is right. */
function widen(line: string, width: number, isOpen: boolean): string {
  const missing = width - line.length;
  if (missing === 0) return line;
  if (isOpen) return missing > 0 ? line.padEnd(width, '<') : line.replace(new RegExp(`<{${-missing}}$`), '');
  const [run = ''] = (line.match(/<{2,}/g) ?? []).toSorted((a, b) => b.length - a.length);
  const length = run.length + missing;
  return run === '' || length < 1 ? line : line.replace(run, '<'.repeat(length));
}

/** Letters that are typed for digits. */
const DIGITS: ReadonlyMap<string, string> = new Map(
  ['O0', 'I1', 'Z2', 'S5', 'G6', 'B8'].map(([a = '', b = '']) => [a, b]),
);

function parsed(typed: readonly string[], layout: Layout, today: string): ZoneReading {
  const lines = withDigits(typed, layout);
  const textAt = ([line, start, end]: Signs) => lines[line]?.slice(start, end) ?? '';
  const digitAfter = ([line, , end]: Signs) => textAt([line, end, end + 1]);
  const { number, birth, expiry, personal } = layout;
  const document = documentNumber(textAt(number), digitAfter(number), layout.rest && textAt(layout.rest));
  const names = textAt(layout.names);
  const isRight = (place: Signs) => checkDigit(textAt(place)) === digitAfter(place);
  const ofPersonal = personal && digitAfter(personal);
  // Of a blank number it may be a filler.
  const hasNone = personal !== undefined && ofPersonal === '<' && /^<+$/.test(textAt(personal));
  const problems = [
    ...(/\d/.test(names) ? [`line ${layout.names[0] + 1}: names have letters and < alone`] : []),
    ...(document === undefined ? [wrongDigit(number, 'the number', 'the number')] : []),
    ...(isRight(birth) ? [] : [wrongDigit(birth, 'the birth date', 'the birth date')]),
    ...(isRight(expiry) ? [] : [wrongDigit(expiry, 'the expiry date', 'the expiry date')]),
    ...(personal === undefined || hasNone || isRight(personal)
      ? []
      : [wrongDigit(personal, 'the personal number', 'the last signs')]),
  ];
  const whole = checkDigit(layout.whole.map(textAt).join(''));
  if (problems.length === 0 && whole !== lines[1]?.at(-1)) {
    problems.push('line 2: the last check digit is wrong: compare every sign with the document');
  }
  if (problems.length > 0 || document === undefined) return wrong(problems.join('; '));
  const [surname = '', given = ''] = names.split('<<');
  const [born, expires] = [textAt(birth), textAt(expiry)];
  return {
    ok: true,
    zone: {
      type: layout.type,
      given_name: nameIn(given),
      surname: nameIn(surname),
      gender: GENDERS.get(textAt(layout.sex)),
      birth_date: [`20${born}`, `19${born}`].map(dateFrom).find((date = '9') => date <= today),
      number: document,
      nationality: passportCountry(textAt(layout.nationality).replace(/<+$/, '')),
      expires: dateFrom(`20${expires}`),
    },
  };
}

/** Dates and check digits have no letters. */
function withDigits(lines: readonly string[], { number, birth, expiry, width }: Layout): readonly string[] {
  const dates = [birth, expiry].map(([line, start, end]): Signs => [line, start, end + 1]);
  const places: readonly Signs[] = [...dates, [number[0], number[2], number[2] + 1], [1, width - 1, width]];
  return lines.map((line, n) => {
    const isDigit = (at: number) => places.some(([of, start, end]) => of === n && at >= start && at < end);
    return [...line].map((sign, at) => (isDigit(at) ? (DIGITS.get(sign) ?? sign) : sign)).join('');
  });
}

function wrongDigit([line]: Signs, whose: string, what: string): string {
  return `line ${line + 1}: the check digit of ${whose} is wrong: compare ${what} with the document`;
}

/** Weights 7, 3, 1 over digits, letters from A = 10, and fillers (part 3, section 4.9). */
function checkDigit(text: string): string {
  const values = [...text].map((sign) => (sign === '<' ? 0 : Number.parseInt(sign, 36)));
  return String(values.reduce((sum, value, i) => sum + value * ([7, 3, 1][i % 3] ?? 0), 0) % 10);
}

/** Undefined: its check digit is wrong. A number that is longer than its place goes on behind a filler, with the digit last. */
function documentNumber(number: string, digit: string, rest = ''): string | undefined {
  const tail = rest.split('<')[0] ?? '';
  if (digit === '<' && tail.length > 1) {
    const long = number + tail.slice(0, -1);
    // Offices count the filler or leave it out.
    const digits = [long, `${number}<${tail.slice(0, -1)}`].map(checkDigit);
    return digits.includes(tail.at(-1) ?? '') ? long : undefined;
  }
  const bare = number.replace(/<+$/, '');
  return checkDigit(number) === digit && bare !== '' ? bare : undefined;
}

const nameIn = (text: string) => text.replace(/<+/g, ' ').trim() || undefined;

const GENDERS: ReadonlyMap<string, 'Male' | 'Female' | 'Unknown'> = new Map([
  ['M', 'Male'],
  ['F', 'Female'],
  ['<', 'Unknown'],
  ['X', 'Unknown'],
]);

/** Of six digits after the century. Parts that are not known are fillers. */
function dateFrom(digits: string): string | undefined {
  const date = digits.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  return isRealDate(date) ? date : undefined;
}

export const zoneMistake = ({ problem }: { readonly problem: string }): Mistake => ({
  field: 'lines',
  words: `${capitalized(problem)}.`,
});

/** A card whose lines fill its blank fields in, or the mistake that they have. */
export function fillFromLines(typed: TypedCard, latestToday: string): RefilledCard {
  if (typed.lines === '')
    return { typed, mistakes: [{ field: 'lines', words: 'Copy the lines of the document here.' }] };
  const read = readZone(typed.lines, latestToday);
  if (!read.ok) return { typed, mistakes: [zoneMistake(read)] };
  return { typed: fillIn(typed, read.zone), mistakes: [], isFilledIn: true };
}

/** Blank fields as the lines say; what was typed stays. */
export function fillIn(typed: TypedCard, zone: Zone): TypedCard {
  const dateParts = (which: 'birth' | 'expires', date: string | undefined) => {
    const parts = [`${which}_day`, `${which}_month`, `${which}_year`] as const;
    if (date === undefined || parts.some((part) => typed[part] !== '')) return {};
    const [year = '', month, day] = date.split('-');
    return { [parts[0]]: String(Number(day)), [parts[1]]: String(Number(month)), [parts[2]]: year };
  };
  const { nationality = '' } = zone;
  const isNumbered = typed.document_number !== '';
  return {
    ...typed,
    given_name: typed.given_name || (zone.given_name ?? ''),
    surname: typed.surname || (zone.surname ?? ''),
    gender: typed.gender || (zone.gender ?? ''),
    ...dateParts('birth', zone.birth_date),
    document_type: isNumbered ? typed.document_type : zone.type,
    document_number: typed.document_number || zone.number,
    nationality: typed.nationality || (countryNames().get(nationality) ?? nationality),
    ...dateParts('expires', zone.expires),
  };
}
