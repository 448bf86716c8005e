/**
 * The machine-readable zone of a passport or an identity card, as people type or paste it (ICAO Doc 9303, parts 4 to 6). What
 * the check digits do not confirm fills nothing in.
 */
import { parse } from 'mrz';
import { isRealDate } from '../../core/times.ts';
import { countryNames, twoLetterCountry } from '../../domain/people/countries.ts';
import type { EnteredDetails } from '../../domain/people/entered-details.ts';
import type { DocumentKind } from '../../domain/people/traveler.ts';
import type { CardAgain, Mistake, TypedCard } from './form.ts';

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

interface Layout {
  readonly lines: number;
  readonly width: number;
  readonly type: DocumentKind;
  /** Lines whose end may be fillers alone, which people leave out, from 0. The last one has the names. */
  readonly open: readonly number[];
}

const PASSPORT: Layout = { lines: 2, width: 44, type: 'passport', open: [0] };
const LARGE_CARD: Layout = { lines: 2, width: 36, type: 'national_id', open: [0] };
const SMALL_CARD: Layout = { lines: 3, width: 30, type: 'national_id', open: [0, 2] };
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

type Parsed = ReturnType<typeof parse>;
type PartName = keyof Parsed['fields'];

/** Parts that must be right, and what is said if they are not: a wrong digit means that another sign is wrong. */
const CHECKED: Readonly<Partial<Record<PartName, string>>> = {
  documentNumberCheckDigit: 'the check digit of the number is wrong: compare the number with the document',
  birthDateCheckDigit: 'the check digit of the birth date is wrong: compare the birth date with the document',
  expirationDateCheckDigit: 'the check digit of the expiry date is wrong: compare the expiry date with the document',
  personalNumberCheckDigit: 'the check digit of the personal number is wrong: compare the last signs with the document',
  documentCode: 'the first two signs are of no passport or identity card',
  documentNumber: 'the number cannot be read',
  lastName: 'names have letters and < alone',
  firstName: 'names have letters and < alone',
};
const WHOLE = 'the last check digit is wrong: compare every sign with the document';

function parsed(lines: readonly string[], { type, open }: Layout, today: string): ZoneReading {
  // The library takes a surname that fills its line for the given names too.
  const hasGivenName = /[A-Z]<<[A-Z0-9]/.test(lines[open.at(-1) ?? 0] ?? '');
  let result: Parsed;
  try {
    // Its messages quote the lines: none of them is shown or logged.
    result = parse(lines, { autocorrect: true });
  } catch {
    return wrong('these lines cannot be read: compare them with the document');
  }
  const problems = result.details.flatMap(({ field, valid, line }) => {
    const isAbsent = field === 'firstName' && !hasGivenName;
    const words = valid || field === null || isAbsent ? undefined : CHECKED[field];
    return words === undefined ? [] : [`line ${line + 1}: ${words}`];
  });
  const whole = result.details.find(({ field }) => field === 'compositeCheckDigit');
  if (problems.length === 0 && whole?.valid === false) problems.push(`line ${whole.line + 1}: ${WHOLE}`);
  const { fields, documentNumber } = result;
  if (documentNumber === null && problems.length === 0) problems.push('the number cannot be read');
  if (problems.length > 0) return wrong([...new Set(problems)].join('; '));
  return {
    ok: true,
    zone: {
      type,
      given_name: hasGivenName ? filled(fields.firstName) : undefined,
      surname: filled(fields.lastName),
      gender: GENDERS.get(fields.sex ?? ''),
      birth_date: [`20${fields.birthDate}`, `19${fields.birthDate}`].map(dateFrom).find((date = '9') => date <= today),
      number: documentNumber ?? '',
      // A French identity card says it once.
      nationality: countryIn((fields.nationality === undefined ? fields.issuingState : fields.nationality) ?? ''),
      expires: dateFrom(`20${fields.expirationDate}`),
    },
  };
}

const filled = (text: string | null | undefined) => text?.replace(/ +/g, ' ').trim() || undefined;

const GENDERS: ReadonlyMap<string, 'Male' | 'Female' | 'Unknown'> = new Map([
  ['male', 'Male'],
  ['female', 'Female'],
  ['nonspecified', 'Unknown'],
]);

/** Of six digits after the century. Parts that are not known are fillers. */
function dateFrom(digits: string): string | undefined {
  const date = digits.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  return isRealDate(date) ? date : undefined;
}

/** Codes of passports that are not in ISO 3166 (ICAO Doc 9303, part 3, section 5). */
const PASSPORT_CODES: ReadonlyMap<string, string> = new Map([
  ['D', 'DE'],
  ['RKS', 'XK'],
  ...['GBD', 'GBN', 'GBO', 'GBP', 'GBS'].map((code): [string, string] => [code, 'GB']),
]);

function countryIn(code: string): string | undefined {
  return PASSPORT_CODES.get(code) ?? twoLetterCountry(code);
}

export const zoneMistake = ({ problem }: { readonly problem: string }): Mistake => ({
  field: 'lines',
  words: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`,
});

/** A card whose lines fill its blank fields in, or the mistake that they have. */
export function fillFromLines(typed: TypedCard, latestToday: string): CardAgain {
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
