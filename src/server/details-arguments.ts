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
 * @throws ClerkError
 */
export function refuseDetails(tool: Tool, raw: unknown): void {
  const field = findPageField(raw, '');
  if (field !== undefined) throw onPageOnly(tool, field, 'and was not read');
  const service = findServiceText(raw, '', false);
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

/** Finds the path of the first code or text of a service that looks like a document or a birth date. Looks into JSON text too. */
function findServiceText(raw: unknown, path: string, isService: boolean): string | undefined {
  const value = objectIn(raw);
  if (value === undefined) return isService && typeof raw === 'string' && looksLikeDetails(raw) ? path : undefined;
  for (const [key, inner] of Object.entries(value)) {
    const isList = Array.isArray(value);
    const innerPath = isList ? `${path}[${key}]` : [path, printable(key)].filter(Boolean).join('.');
    const found = findServiceText(inner, innerPath, isService || key === 'service' || key === 'services');
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
/** `1991-04-17`, `17/04/91`, `17.4.1991`; and `17APR91`, `17 April 1991`, `APR 17 1991`. */
const DATE_IN_DIGITS = /(?<!\d)(?:\d{4}[-/. ]\d{1,2}[-/. ]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2}))(?!\d)/;
const DAY_FIRST =
  /\d{1,2}[-/. ]?(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]{0,6}[-/. ,]{0,2}(?:\d{4}|\d{2})(?!\d)/;
const MONTH_FIRST = /(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[A-Z]{0,6} \d{1,2},? \d{4}/;
/** The length, width and height of a thing: `60X40X30CM`. */
const SIZE = /^\d{1,3}(?:X\d{1,3}){1,2}(?:CM|MM|IN)?$/;

/** Digits of a number of a document at least: alone, beside letters, and beside a word that says what it is. */
const FEWEST_DIGITS = { alone: 7, besideLetters: 5, besideWords: 4 };
/** A number of letters and digits in turn, such as `C01X00T47`, has at least so many signs. */
const SHORTEST_MIXED = 8;

/** Whether a text may hold the number of a document or a birth date. Telephones look like numbers of identity cards. */
function looksLikeDetails(written: string): boolean {
  const text = asciiDigits(written.slice(0, MOST_CHARACTERS.argument)).toUpperCase();
  if ([DATE_IN_DIGITS, DAY_FIRST, MONTH_FIRST].some((date) => date.test(text))) return true;
  const words = text.split(/[^A-Z0-9]+/);
  const hasWord = words.some((word) => WORDS_OF_DETAILS.has(word));
  return words.some((word) => {
    const digits = word.replace(/\D/g, '').length;
    const letters = word.length - digits;
    if (digits === 0 || SIZE.test(word)) return false;
    if (digits >= FEWEST_DIGITS.alone || (hasWord && digits >= FEWEST_DIGITS.besideWords)) return true;
    if (letters === 0 || digits < FEWEST_DIGITS.besideLetters) return false;
    return /^[A-Z]{1,3}\d+[A-Z]?$/.test(word) || /^\d+[A-Z]$/.test(word) || word.length >= SHORTEST_MIXED;
  });
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
