/**
 * Refuses card numbers before they are parsed, stored or logged, and never echoes them. A card number has 14 to 19 digits with a
 * valid Luhn check digit (ISO/IEC 7812-1); spaces, dashes, full stops, underscores and slashes between them are ignored.
 */

import { asciiDigits, normalized } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';
import { objectInJson } from '../../core/own.ts';

const MIN_DIGITS = 14;
const MAX_DIGITS = 19;

/** Most arguments: no card number fits in. Characters beyond ASCII can stand for several digits. */
const SHORT = /^[ -~]{0,13}$/;

const REFUSAL = 'this looks like a card number, and was not read: card numbers are never accepted here.';

/** National identity numbers of up to 18 digits can look like card numbers, and so can our own handles. */
const FIELDS_OF_OTHER_NUMBERS = /(?:^|\.)(?:document\.number|approval_id|again_after)$/;

/** A code less than a text made a number: each place of a long list of digits is looked at many times. */
const ZERO = '0'.charCodeAt(0);

function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - ZERO;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Passes ticket numbers, which have 13 digits, and international telephone numbers, which begin with 00. */
const isCard = (digits: string) => !digits.startsWith('0') && hasLuhnDigit(digits);

/** Each run of digits in the text, as its groups: `4111 1111` is one run of two groups. */
function digitRuns(text: string): string[][] {
  if (SHORT.test(text)) return [];
  const runs = asciiDigits(normalized(text, 'NFKC')).match(/\d(?:[\s\p{Pd}\p{Cf}.\u00B7_/]*\d)*/gu);
  return (runs ?? []).map((run) => run.split(/[^\d]+/));
}

/** Joins neighbouring groups in every way: `4111 1111 1111 1111 12` is a card number and an expiry month. */
function runHasCard(groups: readonly string[]): boolean {
  const digits = groups.join('');
  let from = 0;

  for (const [start, first] of groups.entries()) {
    let to = from;
    for (let end = start; end < groups.length; end++) {
      to += groups[end]?.length ?? 0;
      if (to - from > MAX_DIGITS) break;
      if (to - from >= MIN_DIGITS && isCard(digits.slice(from, to))) return true;
    }
    from += first.length;
  }

  return false;
}

/** Whether a card number is in the text. */
export function hasCardNumber(text: string): boolean {
  return digitRuns(text).some(runHasCard);
}

/** Throws E_INPUT that names the field, for a card number in the arguments of a tool (keys included). Numbers of documents pass. */
export function refuseCardNumbers(raw: unknown): void {
  const path = findCard(raw, '');
  if (path === undefined) return;
  const next = 'Call the tool again without it. No tool needs a card number: pay_booking names the ways to pay.';
  throw inputError(path === '' ? 'arguments' : path, REFUSAL, next);
}

const isRefused = (text: string, path: string) => !FIELDS_OF_OTHER_NUMBERS.test(path) && hasCardNumber(text);

/** The path of the first field, or field name, that is refused. */
function findCard(value: unknown, path: string): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value);
    if (!isRefused(text, path)) return undefined;
    // Models write objects as JSON text, too: then the fields inside decide.
    const object = objectInJson(text);
    return object === undefined ? path : findCard(object, path);
  }
  if (typeof value !== 'object' || value === null) return undefined;

  for (const [key, field] of Object.entries(value)) {
    if (isRefused(key, path)) return path === '' ? 'a field name' : `${path} (a field name)`;
    const fieldPath = path === '' ? key : `${path}.${key}`;
    const found = findCard(field, Array.isArray(value) ? `${path}[${key}]` : fieldPath);
    if (found !== undefined) return found;
  }

  return undefined;
}
