/**
 * Reads the machine-readable zone of a passport or an identity card, as people type or paste it (ICAO Doc 9303, parts 4 to 6). It
 * fills in a field only if the check digits confirm the lines. A sign is one character of a line: a letter, a digit, or the filler `<`.
 * In order: the layouts, finding and fitting the lines, reading them, and filling a card in from them.
 */
import { normalized } from '../../core/clean-text.ts';
import { isRealDate } from '../../core/times.ts';
import { capitalized, withoutTrailing } from '../../core/words.ts';
import { countryNames, passportCountry } from '../../domain/people/countries.ts';
import type { DocumentKind, EnteredDetails } from '../../domain/people/traveler.ts';
import type { Mistake, RefilledCard, TypedCard } from './form.ts';

/** Letters that people type for digits. */
const DIGITS: ReadonlyMap<string, string> = new Map([
  ['O', '0'],
  ['I', '1'],
  ['Z', '2'],
  ['S', '5'],
  ['G', '6'],
  ['B', '8'],
]);

const CHECK_WEIGHTS = [7, 3, 1];

const GENDERS: ReadonlyMap<string, 'Male' | 'Female' | 'Unknown'> = new Map([
  ['M', 'Male'],
  ['F', 'Female'],
  ['<', 'Unknown'],
  ['X', 'Unknown'],
]);

/**
 * The facts in the lines, in the forms of {@link EnteredDetails}. A fact is absent if the lines do not have it, or have no real day
 * or country there.
 */
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
  /** `problem`: for the traveller; it repeats nothing of the lines. */
  | { readonly ok: false; readonly problem: string };

/** Some signs of a line: line and start count from 0, and the end is the sign behind the last one. */
type Signs = readonly [line: number, start: number, end: number];

/** The layout of one kind of document. The dates and numbers have their check digit behind them. */
interface Layout {
  readonly lines: number;
  /** Signs of each line. */
  readonly width: number;
  readonly type: DocumentKind;
  /** Lines, from 0, that may end in fillers alone, which people leave out. */
  readonly open: readonly number[];
  readonly names: Signs;
  readonly nationality: Signs;
  readonly sex: Signs;
  readonly number: Signs;
  readonly birth: Signs;
  readonly expiry: Signs;
  readonly personal?: Signs;
  /** The place where a number goes on that is longer than its own place. */
  readonly longNumber?: Signs;
  /** The signs that the last check digit of line 2 confirms all together. */
  readonly composite: readonly Signs[];
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
  composite: [
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
  longNumber: [1, 28, 35],
  composite: [
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
  longNumber: [0, 15, 30],
  composite: [
    [0, 5, 30],
    [1, 0, 7],
    [1, 8, 15],
    [1, 18, 29],
  ],
};
const LAYOUTS = [PASSPORT, LARGE_CARD, SMALL_CARD];

/** Reads the lines. @param today YYYY-MM-DD; no birth date is after it */
export function readZone(typed: string, today: string): ZoneReading {
  const lines = zoneLines(typed);
  const strangeLine = lines.findIndex((line) => !/^[A-Z0-9<]+$/.test(line));
  if (strangeLine >= 0) return wrong(`line ${strangeLine + 1}: only letters, digits and < can stand here`);
  const layout = findLayout(lines);
  if (typeof layout === 'string') return wrong(layout);
  const { width } = layout;
  const fittedLines = lines.map((line, n) => fitWidth(line, width, layout.open.includes(n)));
  const unfittedLine = fittedLines.findIndex((line) => line.length !== width);
  const reading = unfittedLine < 0 ? parseLines(fittedLines, layout, today) : undefined;
  if (reading?.ok === true) return reading;
  // The length of a line that people copy in full comes first: if we fitted it, a wrong check digit may be our own mistake.
  const closedLine = lines.findIndex((line, n) => line.length !== width && !layout.open.includes(n));
  if (closedLine >= 0) return wrongLength(lines, closedLine, width);
  return reading ?? wrongLength(lines, unfittedLine, width);
}

function wrongLength(lines: readonly string[], n: number, width: number): ZoneReading {
  const length = lines[n]?.length ?? 0;
  return wrong(`line ${n + 1} has ${length} characters and needs ${width}, so compare it with the document`);
}

function wrong(problem: string): ZoneReading {
  return { ok: false, problem };
}

/** Splits the text into lines. Phones make one sign of two `<`, and a field that knows no lines joins them. */
function zoneLines(typed: string): readonly string[] {
  const lines = normalized(typed, 'NFKC')
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

/** Finds the layout of the lines, or says in words why none fits. */
function findLayout(lines: readonly string[]): Layout | string {
  const [first = ''] = lines;
  if (first.startsWith('V')) return 'these are the lines of a visa. Use those of the passport';
  if (first.startsWith('P')) return lines.length === 2 ? PASSPORT : 'a passport has two lines, so copy both of them';
  if (!/^[ACI]/.test(first)) return 'line 1 of a passport begins with P, and that of an identity card with I, A or C';
  if (first.startsWith('IDFRA') && lines.length === 2)
    return 'the lines of this card are of an older kind, so fill in the fields';
  if (lines.length === 3) return SMALL_CARD;
  return lines.length === 2 && first.length > SMALL_CARD.width ? LARGE_CARD : 'copy all lines of the identity card';
}

/**
 * Fits a line to the width by its longest run of fillers, since nobody counts fourteen `<` in a row. The check digits show whether
 * the result is right.
 */
function fitWidth(line: string, width: number, isOpen: boolean): string {
  const missing = width - line.length;
  if (missing === 0) return line;
  if (isOpen) return missing > 0 ? line.padEnd(width, '<') : withoutSurplus(line, -missing);
  const [longestRun = ''] = (line.match(/<{2,}/g) ?? []).toSorted((a, b) => b.length - a.length);
  const runLength = longestRun.length + missing;
  return longestRun === '' || runLength < 1 ? line : line.replace(longestRun, '<'.repeat(runLength));
}

/** A line without so many fillers at its end. It stays as it is if it has fewer there. */
function withoutSurplus(line: string, surplus: number): string {
  return line.endsWith('<'.repeat(surplus)) ? line.slice(0, -surplus) : line;
}

/** Reads lines of the right width: checks their digits, then takes the facts out of them. */
function parseLines(fittedLines: readonly string[], layout: Layout, today: string): ZoneReading {
  const lines = withDigits(fittedLines, layout);
  const { number, birth, expiry, longNumber } = layout;
  const document = documentNumber(
    textAt(lines, number),
    digitAfter(lines, number),
    longNumber && textAt(lines, longNumber),
  );
  const problems = findProblems(lines, layout, document);
  if (problems.length > 0 || document === undefined) return wrong(problems.join('; '));
  const [surname = '', given = ''] = textAt(lines, layout.names).split('<<');
  // The lines have no century: a birth date is the later one that is past.
  const birthDates = [`20${textAt(lines, birth)}`, `19${textAt(lines, birth)}`].map(dateFrom);
  return {
    ok: true,
    zone: {
      type: layout.type,
      given_name: nameIn(given),
      surname: nameIn(surname),
      gender: GENDERS.get(textAt(lines, layout.sex)),
      birth_date: birthDates.find((date) => date !== undefined && date <= today),
      number: document,
      nationality: passportCountry(withoutTrailing(textAt(lines, layout.nationality), '<')),
      expires: dateFrom(`20${textAt(lines, expiry)}`),
    },
  };
}

function textAt(lines: readonly string[], [line, start, end]: Signs): string {
  return lines[line]?.slice(start, end) ?? '';
}

/** The place of the check digit of a field: behind it. */
function digitPlace([line, , end]: Signs): Signs {
  return [line, end, end + 1];
}

function digitAfter(lines: readonly string[], signs: Signs): string {
  return textAt(lines, digitPlace(signs));
}

/** Lists what the check digits show to be wrong. @param document its number, undefined if its check digit is wrong */
function findProblems(lines: readonly string[], layout: Layout, document: string | undefined): readonly string[] {
  const { names, number, birth, expiry, personal, composite } = layout;
  const isRight = (signs: Signs) => checkDigit(textAt(lines, signs)) === digitAfter(lines, signs);
  // A blank personal number may have a filler for its check digit.
  const isBlank = (signs: Signs) => digitAfter(lines, signs) === '<' && /^<+$/.test(textAt(lines, signs));
  const problems: string[] = [];
  if (/\d/.test(textAt(lines, names))) problems.push(`line ${names[0] + 1}: names have letters and < alone`);
  if (document === undefined) problems.push(wrongDigit(number, 'the number'));
  if (!isRight(birth)) problems.push(wrongDigit(birth, 'the birth date'));
  if (!isRight(expiry)) problems.push(wrongDigit(expiry, 'the expiry date'));
  if (personal !== undefined && !isBlank(personal) && !isRight(personal)) {
    problems.push(wrongDigit(personal, 'the personal number', 'the last characters'));
  }
  if (problems.length > 0) return problems;
  // Each field is right by itself: the last digit shows whether they belong together.
  const compositeDigit = checkDigit(composite.map((signs) => textAt(lines, signs)).join(''));
  const isCompositeRight = compositeDigit === lines[1]?.at(-1);
  return isCompositeRight ? [] : ['line 2: the last check digit is wrong: compare every character with the document'];
}

/** Replaces letters that were typed for digits in dates and check digits, which have no letters. */
function withDigits(lines: readonly string[], { number, birth, expiry, width }: Layout): readonly string[] {
  const lastSign: Signs = [1, width - 1, width];
  const places = [birth, expiry, ...[birth, expiry, number].map(digitPlace), lastSign];
  return lines.map((line, n) => {
    const isDigit = (at: number) => places.some(([of, start, end]) => of === n && at >= start && at < end);
    return [...line].map((sign, at) => (isDigit(at) ? (DIGITS.get(sign) ?? sign) : sign)).join('');
  });
}

/** @param compared what the traveller compares with the document; by default the field itself */
function wrongDigit([line]: Signs, field: string, compared = field): string {
  return `line ${line + 1}: the check digit of ${field} is wrong: compare ${compared} with the document`;
}

/** Computes the check digit: weights 7, 3, 1 over digits, letters from A = 10, and fillers (part 3, section 4.9). */
function checkDigit(text: string): string {
  let sum = 0;
  for (const [i, sign] of [...text].entries()) {
    const value = sign === '<' ? 0 : Number.parseInt(sign, 36);
    sum += value * (CHECK_WEIGHTS[i % CHECK_WEIGHTS.length] ?? 0);
  }
  return String(sum % 10);
}

/**
 * Reads the number of the document. Undefined if its check digit is wrong. A number that is longer than its place goes on in another
 * one: a filler stands for its check digit, and the digit comes last.
 */
function documentNumber(number: string, digit: string, longNumber = ''): string | undefined {
  const tail = longNumber.split('<')[0] ?? '';
  if (digit === '<' && tail.length > 1) {
    const fullNumber = number + tail.slice(0, -1);
    // Some offices count the filler, others leave it out.
    const possibleDigits = [fullNumber, `${number}<${tail.slice(0, -1)}`].map(checkDigit);
    return possibleDigits.includes(tail.at(-1) ?? '') ? fullNumber : undefined;
  }
  const withoutFillers = withoutTrailing(number, '<');
  return checkDigit(number) === digit && withoutFillers !== '' ? withoutFillers : undefined;
}

function nameIn(text: string): string | undefined {
  return text.replace(/<+/g, ' ').trim() || undefined;
}

/** Writes eight digits as a date. Undefined if it is no real day, or has fillers for unknown parts. */
function dateFrom(digits: string): string | undefined {
  const date = digits.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  return isRealDate(date) ? date : undefined;
}

export const zoneMistake = ({ problem }: { readonly problem: string }): Mistake => ({
  field: 'lines',
  words: `${capitalized(problem)}.`,
});

/** Fills the blank fields of a card in from its lines, or returns the mistake in the lines. */
export function fillFromLines(typed: TypedCard, latestToday: string): RefilledCard {
  if (typed.lines === '')
    return { typed, mistakes: [{ field: 'lines', words: 'Copy the lines of the document here.' }] };
  const reading = readZone(typed.lines, latestToday);
  if (!reading.ok) return { typed, mistakes: [zoneMistake(reading)] };
  return { typed: fillIn(typed, reading.zone), mistakes: [], isFilledIn: true };
}

/** Fills blank fields in from the lines. Fields that the traveller typed stay as they are. */
export function fillIn(typed: TypedCard, zone: Zone): TypedCard {
  const dateParts = (which: 'birth' | 'expires', date: string | undefined) => {
    const parts = [`${which}_day`, `${which}_month`, `${which}_year`] as const;
    if (date === undefined || parts.some((part) => typed[part] !== '')) return {};
    const [year = '', month, day] = date.split('-');
    return { [parts[0]]: String(Number(day)), [parts[1]]: String(Number(month)), [parts[2]]: year };
  };
  const { nationality = '' } = zone;
  const hasNumber = typed.document_number !== '';
  return {
    ...typed,
    given_name: typed.given_name || (zone.given_name ?? ''),
    surname: typed.surname || (zone.surname ?? ''),
    gender: typed.gender || (zone.gender ?? ''),
    ...dateParts('birth', zone.birth_date),
    document_type: hasNumber ? typed.document_type : zone.type,
    document_number: typed.document_number || zone.number,
    nationality: typed.nationality || (countryNames().get(nationality) ?? nationality),
    ...dateParts('expires', zone.expires),
  };
}
