/**
 * What arguments say of the details page, before anything parses them: whether a call uses the page, and the refusal of documents, birth
 * dates and genders, which only the page takes where FARECLERK_DETAILS=page. So are texts of special services that look like one.
 */
import { asciiDigits } from '../core/clean-text.ts';
import { type ClerkError, inputError } from '../core/errors.ts';
import { MOST_CHARACTERS } from '../core/text-limits.ts';
import type { Tool } from '../tools/definition/define.ts';
import { jsonOr } from './parse-arguments.ts';
import { PAGE_FIELDS } from './schemas.ts';

/** Names of fields that an error may repeat: those that look like one of ours. */
const PRINTABLE_NAME = /^[a-z_]{1,30}$/;

/** Whether unparsed arguments ask for the page, or come back from it. Looks into JSON text too. */
export function hasDetails(raw: unknown): boolean {
  return ((objectIn(raw) as { readonly details?: unknown } | undefined)?.details ?? null) !== null;
}

/**
 * Refuses documents, birth dates and genders in the arguments of any tool, before anything parses, keeps or logs them. A call with
 * passengers whose details the tool needs must use the page.
 * @param today as `2026-12-01`
 * @throws ClerkError
 */
export function refuseDetails(tool: Tool, raw: unknown, today: string): void {
  const field = findPageField(raw, '');
  if (field !== undefined) throw onPageOnly(tool, field, 'and was not read');
  const service = findServiceText(raw, '', { isService: false, today });
  if (service !== undefined) throw inputError(service, LIKE_DETAILS, WITHOUT_DETAILS);
  const needsDetails = 'inputAlone' in tool && tool.inputAlone !== undefined && 'passengers' in (objectIn(raw) ?? {});
  if (needsDetails && !hasDetails(raw)) throw onPageOnly(tool, 'passengers', 'so that this needs details: "page" too');
}

function onPageOnly({ name }: Tool, field: string, consequence: string): ClerkError {
  const problem = `travellers enter their details on a page here, ${consequence}.`;
  const steps = name === 'propose_plan' ? 'change passengers in a call of their own' : `call ${name} again`;
  return inputError(field, problem, `Leave out ${PAGE_FIELDS.join(', ')}, and ${steps} with details: "page".`);
}

const LIKE_DETAILS =
  'this looks like a document or a birth date. Travellers enter these on a page here, and it was not read.';
const WITHOUT_DETAILS =
  'Write the service without it. If the airline needs a document or a birth date, call update_passenger with details: "page".';

interface ServiceFacts {
  /** Whether it is within a service. */
  readonly isService: boolean;
  readonly today: string;
  /** The code of the service before its text, if that may be the number of a frequent flyer. */
  readonly code?: string;
}

/** Finds the path of the first code or text of a service that looks like a document or a birth date. Looks into JSON text too. */
function findServiceText(
  raw: unknown,
  path: string,
  { isService, today, code = '' }: ServiceFacts,
): string | undefined {
  const value = objectIn(raw);
  if (value === undefined)
    return isService && typeof raw === 'string' && looksLikeDetails(`${code} ${raw}`, today) ? path : undefined;
  const { code: own } = value as { readonly code?: unknown };
  for (const [key, inner] of Object.entries(value)) {
    const isList = Array.isArray(value);
    const innerPath = isList ? `${path}[${key}]` : [path, printable(key)].filter(Boolean).join('.');
    const isFlyer = key === 'text' && typeof own === 'string' && FREQUENT_FLYER.test(own.trim().toUpperCase());
    const found = findServiceText(inner, innerPath, {
      isService: isService || key === 'service' || key === 'services',
      today,
      code: isFlyer ? own : '',
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Words beside a document or a birth date, in capitals. */
const WORDS_OF_DETAILS: ReadonlySet<string> = new Set(
  'PASSPORT PASSPORTS PP PSPT PPT IQAMA VISA DOB BORN BIRTHDAY BIRTHDATE DOCUMENT DOC PASSEPORT REISEPASS PASAPORTE'.split(
    ' ',
  ),
);
/** `1991-04-17`; `17/04/91`, `17.4.1991`, `91-04-17`. A date can begin within what another one would take: these match no characters. */
const YEAR_FIRST = /(?<!\d)(?=(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})(?!\d))/g;
const YEAR_LAST = /(?<!\d)(?=(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d| ?(?:CM|MM)\b))/g;
/** `17APR91`, `17th April 1991`; `APR 17 1991`, `April 17th, 1991`. */
const DAY_FIRST = /(?<!\d)(?=(\d{1,2})(?:ST|ND|RD|TH)?[-/. ]{0,2}([A-Z]{3,10})[-/. ,]{0,2}(\d{4}|\d{2})(?!\d))/g;
const MONTH_FIRST = /(?<![A-Z])(?=([A-Z]{3,10})[-. ]{0,2}(\d{1,2})(?:ST|ND|RD|TH)?(?:, ?| )(\d{4})(?!\d))/g;
/** The names of each month, in English and in languages that begin it alike. */
const MONTHS = [
  'JAN JANUARY JANVIER JANUAR',
  'FEB FEBRUARY FEBRUAR FEBRERO FEBBRAIO',
  'MAR MARCH MARS MARZO',
  'APR APRIL APRILE',
  'MAY',
  'JUN JUNE JUNI JUNIO',
  'JUL JULY JULI JULIO',
  'AUG AUGUST',
  'SEP SEPT SEPTEMBER SEPTEMBRE SEPTIEMBRE',
  'OCT OCTOBER OCTOBRE OCTUBRE',
  'NOV NOVEMBER NOVEMBRE NOVIEMBRE',
  'DEC DECEMBER DECEMBRE',
];
const MONTH_OF: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);
/** The length, width and height of a thing: `60X40X30CM`, `60CMX40CMX30CM`. */
const SIZE = /^\d{1,3}(?:CM|MM|IN)?(?:X\d{1,3}(?:CM|MM|IN)?){1,2}$/;
/** A service whose text is the number of a frequent flyer: `FQTV SV1234567`, `FQTV SV 1234567`. */
const FREQUENT_FLYER = /^FQT[A-Z]$/;

/** Digits of a number of a document at least: alone, beside letters, and beside a word that says what it is. */
const FEWEST_DIGITS = { alone: 7, besideLetters: 5, besideWords: 4 };
/** A number of letters and digits in turn, such as `C01X00T47`, has at least so many signs. */
const SHORTEST_MIXED = 8;

/** Whether a text may hold the number of a document or a birth date. Telephones look like numbers of identity cards. */
function looksLikeDetails(written: string, today: string): boolean {
  const text = asciiDigits(written.slice(0, MOST_CHARACTERS.argument)).toUpperCase();
  if (hasPastDate(text, today)) return true;
  const words = text.split(/[^A-Z0-9]+/);
  const hasWord = words.some((word) => WORDS_OF_DETAILS.has(word));
  return words.some((word, at) => {
    const digits = word.replace(/\D/g, '').length;
    const letters = word.length - digits;
    if (digits === 0 || SIZE.test(word) || isFrequentFlyer(words, at)) return false;
    if (digits >= FEWEST_DIGITS.alone || (hasWord && digits >= FEWEST_DIGITS.besideWords)) return true;
    if (letters === 0 || digits < FEWEST_DIGITS.besideLetters) return false;
    return /^[A-Z]{1,3}\d+[A-Z]?$/.test(word) || /^\d+[A-Z]$/.test(word) || word.length >= SHORTEST_MIXED;
  });
}

/** Whether the word is the number of a frequent flyer, behind the service and perhaps the carrier. */
function isFrequentFlyer(words: readonly string[], at: number): boolean {
  const [before = '', first = ''] = words.slice(0, at).toReversed();
  return FREQUENT_FLYER.test(before) || (FREQUENT_FLYER.test(first) && before.length === 2);
}

/** Whether a text, in capitals, has a day before today. A service can be for a day to come, and nobody is born then. */
function hasPastDate(text: string, today: string): boolean {
  const isPast = (year = '', month = 0, day = 0) => isDay(month, day) && isoDay(year, month, day, today) < today;
  return (
    [...text.matchAll(YEAR_FIRST)].some(([, year, month, day]) => isPast(year, Number(month), Number(day))) ||
    [...text.matchAll(YEAR_LAST)].some(([, one, other, last]) => {
      const [day, month] = [Number(one), Number(other)];
      // Most of the world writes the day first.
      if (isDay(month, day)) return isPast(last, month, day);
      return isPast(last, day, month) || (last?.length === 2 && isPast(one, month, Number(last)));
    }) ||
    [...text.matchAll(DAY_FIRST)].some(([, day, month = '', year]) => isPast(year, MONTH_OF.get(month), Number(day))) ||
    [...text.matchAll(MONTH_FIRST)].some(([, month = '', day, year]) => isPast(year, MONTH_OF.get(month), Number(day)))
  );
}

function isDay(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/** Two digits of a year are of this century up to next year; people born in later ones were born in the last century. */
function isoDay(year: string, month: number, day: number, today: string): string {
  const century = Number(year) <= (Number(today.slice(0, 4)) % 100) + 1 ? '20' : '19';
  const full = year.length === 4 ? year : `${century}${year.padStart(2, '0')}`;
  return [full, ...[month, day].map((each) => String(each).padStart(2, '0'))].join('-');
}

/** Finds the path of the first field that only the page takes, such as `passengers[0].birth_date`. Looks into JSON text too. */
function findPageField(raw: unknown, path: string): string | undefined {
  const value = objectIn(raw);
  if (value === undefined) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = Array.isArray(value) ? `${path}[${key}]` : [path, printable(key)].filter(Boolean).join('.');
    if (!Array.isArray(value) && PAGE_FIELDS.includes(key) && inner !== null) return innerPath;
    const found = findPageField(inner, innerPath);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Our error names the field: a key that is none of ours may itself hold what nobody should read. */
function printable(key: string): string {
  return PRINTABLE_NAME.test(key) ? key : '?';
}

/** Reads an object or array, or the JSON text of one. Undefined for anything else. */
function objectIn(raw: unknown): object | undefined {
  const value = typeof raw === 'string' ? jsonOr(raw) : raw;
  return typeof value === 'object' && value !== null ? value : undefined;
}
