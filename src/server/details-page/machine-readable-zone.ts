/**
 * Reads the machine-readable zone of a passport or an identity card, as people type or paste it (ICAO Doc 9303, parts 4 to 6). It
 * fills in a field only if the check digits confirm the lines. A sign is one character of a line: a letter, a digit, or the filler `<`.
 * In order: the layouts, finding and fitting the lines, reading them, and filling a card in from them.
 */
import type { Details, FieldName } from 'mrz';
import { normalized } from '../../core/clean-text.ts';
import { isRealDate } from '../../core/times.ts';
import { capitalized, withoutTrailing } from '../../core/words.ts';
import { countryNames, passportCountry } from '../../domain/people/countries.ts';
import type { DocumentKind, EnteredDetails } from '../../domain/people/traveler.ts';
import type { Mistake, RefilledCard, TypedCard } from './form.ts';

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

/** The layout of one kind of document. */
interface Layout {
  readonly lines: number;
  /** Signs of each line. */
  readonly width: number;
  readonly type: DocumentKind;
  /** Lines, from 0, that may end in fillers alone, which people leave out. */
  readonly open: readonly number[];
  /** Where the names begin, from 0. They end with their line. */
  readonly names: readonly [line: number, start: number];
}

/** Parts 4, 6 and 5, section 4.2.2 of each. */
const PASSPORT: Layout = { lines: 2, width: 44, type: 'passport', open: [0], names: [0, 5] };
const LARGE_CARD: Layout = { lines: 2, width: 36, type: 'national_id', open: [0], names: [0, 5] };
const SMALL_CARD: Layout = { lines: 3, width: 30, type: 'national_id', open: [0, 2], names: [2, 0] };
const LAYOUTS = [PASSPORT, LARGE_CARD, SMALL_CARD];

/** What each check digit shows to be wrong, and what the traveller compares. */
const WRONG_DIGITS: Readonly<Partial<Record<FieldName, string>>> = {
  documentNumberCheckDigit: 'the number is wrong: compare the number',
  birthDateCheckDigit: 'the birth date is wrong: compare the birth date',
  expirationDateCheckDigit: 'the expiry date is wrong: compare the expiry date',
  personalNumberCheckDigit: 'the personal number is wrong: compare the last signs',
};

/** Reads the lines. @param today YYYY-MM-DD; no birth date is after it */
export async function readZone(typed: string, today: string): Promise<ZoneReading> {
  const lines = zoneLines(typed);
  const strangeLine = lines.findIndex((line) => !/^[A-Z0-9<]+$/.test(line));
  if (strangeLine >= 0) return wrong(`line ${strangeLine + 1}: only letters, digits and < can stand here`);
  const layout = findLayout(lines);
  if (typeof layout === 'string') return wrong(layout);
  const { width } = layout;
  const fittedLines = lines.map((line, n) => fitWidth(line, width, layout.open.includes(n)));
  const unfittedLine = fittedLines.findIndex((line) => line.length !== width);
  const reading = unfittedLine < 0 ? await parseLines(fittedLines, layout, today) : undefined;
  if (reading?.ok === true) return reading;
  // The length of a line that people copy in full comes first: if we fitted it, a wrong check digit may be our own mistake.
  const closedLine = lines.findIndex((line, n) => line.length !== width && !layout.open.includes(n));
  if (closedLine >= 0) return wrongLength(lines, closedLine, width);
  return reading ?? wrongLength(lines, unfittedLine, width);
}

function wrongLength(lines: readonly string[], n: number, width: number): ZoneReading {
  const length = lines[n]?.length ?? 0;
  return wrong(`line ${n + 1} has ${length} signs and needs ${width}: compare it with the document`);
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
  if (first.startsWith('V')) return 'these are the lines of a visa: use those of the passport';
  if (first.startsWith('P')) return lines.length === 2 ? PASSPORT : 'a passport has two lines: copy both of them';
  if (!/^[ACI]/.test(first)) return 'line 1 of a passport begins with P, and that of an identity card with I, A or C';
  if (first.startsWith('IDFRA') && lines.length === 2)
    return 'the lines of this card are of an older kind: fill in the fields';
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
async function parseLines(lines: readonly string[], layout: Layout, today: string): Promise<ZoneReading> {
  const { parse } = await import('mrz');
  const [namesLine, namesStart] = layout.names;
  const names = lines[namesLine]?.slice(namesStart) ?? '';
  // Digits in the line of the names would make it guess letters, or another kind of card.
  const checkedLines = lines.map((line, n) => (n === namesLine ? line.replace(/\d/g, '<') : line));
  const { details, documentNumber, fields } = parse(checkedLines, { autocorrect: true });
  const isWrong = ({ field, valid, value }: Details) =>
    // A long number that no filler ends has a blank check digit, which would count as 0.
    !valid || value === '' || (field === 'documentNumberCheckDigit' && documentNumber === null);
  const problems = /\d/.test(names) ? [`line ${namesLine + 1}: names have letters and < alone`] : [];
  for (const digit of details) {
    const words = digit.field && WRONG_DIGITS[digit.field];
    if (words && isWrong(digit)) problems.push(`line ${digit.line + 1}: the check digit of ${words} with the document`);
  }
  // Each field is right by itself: the last digit shows whether they belong together.
  if (problems.length === 0 && fields.compositeCheckDigit === null) {
    problems.push('line 2: the last check digit is wrong: compare every sign with the document');
  }
  if (problems.length > 0 || documentNumber === null) return wrong(problems.join('; '));
  // Its own readings of these guess letters, know fewer countries, and take one name alone for both.
  const typedSigns = (field: FieldName) => {
    const at = details.find((each) => each.field === field);
    return at === undefined ? '' : (lines[at.line]?.slice(at.start, at.end) ?? '');
  };
  const [surname = '', given = ''] = names.split('<<');
  // The lines have no century: a birth date is the later one that is past.
  const birthDates = ['20', '19'].map((century) => dateFrom(`${century}${fields.birthDate}`));
  return {
    ok: true,
    zone: {
      type: layout.type,
      given_name: nameIn(given),
      surname: nameIn(surname),
      gender: GENDERS.get(typedSigns('sex')),
      birth_date: birthDates.find((date) => date !== undefined && date <= today),
      number: documentNumber,
      nationality: passportCountry(withoutTrailing(typedSigns('nationality'), '<')),
      expires: dateFrom(`20${fields.expirationDate}`),
    },
  };
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
export async function fillFromLines(typed: TypedCard, latestToday: string): Promise<RefilledCard> {
  if (typed.lines === '')
    return { typed, mistakes: [{ field: 'lines', words: 'Copy the lines of the document here.' }] };
  const reading = await readZone(typed.lines, latestToday);
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
