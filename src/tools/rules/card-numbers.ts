/**
 * Refuses card numbers before they are parsed, stored or logged, and never echoes them. A card number: 13 to 19 digits
 * with a valid Luhn check digit (ISO/IEC 7812-1), ignoring spaces, dashes and full stops between them.
 */
import { asciiDigits } from '../../core/clean-text.ts';
import { inputError } from '../../core/errors.ts';

const MIN = 13;
const MAX = 19;

function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Whether the text contains a card number, even next to other groups of digits. */
function holdsCardNumber(text: string): boolean {
  return digitRuns(text).some((groups) => runHoldsCard(groups, isCard));
}

const isCard = (digits: string) => digits.length >= MIN && digits.length <= MAX && luhn(digits);

/** Ticket numbers have 13 digits, and 00 begins an international telephone number. */
const isCardAndNoTicket = (digits: string) => digits.length > MIN && !digits.startsWith('0') && isCard(digits);

/** Most arguments: no card number fits in. Characters beyond ASCII can stand for several digits. */
const SHORT = /^[ -~]{0,12}$/;

function digitRuns(text: string): string[][] {
  if (SHORT.test(text)) return [];
  const runs = asciiDigits(text.normalize('NFKC')).match(/\d(?:[\s\p{Pd}\p{Cf}.\u00B7_/]*\d)*/gu);
  return (runs ?? []).map((run) => run.split(/[^\d]+/));
}

/** Tries every run of groups: `4111 1111 1111 1111 12` is a card number and an expiry month. */
function runHoldsCard(groups: readonly string[], is: (digits: string) => boolean): boolean {
  for (let start = 0; start < groups.length; start++) {
    let digits = '';
    for (let end = start; end < groups.length && digits.length <= MAX; end++) {
      digits += groups[end];
      if (is(digits)) return true;
    }
  }
  return false;
}

const NEVER_READ = 'this looks like a card number, and was not read: card numbers are never accepted here.';

/** Throws E_INPUT that names the field, for a card number anywhere in the value (keys included). For payments. */
export function refuseCardNumbers(value: unknown): void {
  const path = findCard(value, '', holdsCardNumber);
  if (path === undefined) return;
  const next = 'Call pay_booking again without it; if the agency charges a card itself, the type is external.';
  throw inputError(path === '' ? 'arguments' : path, NEVER_READ, next);
}

/** National identity numbers of up to 18 digits can look like card numbers, and so can our own handles. */
const OTHER_NUMBERS = /(?:^|\.)(?:document\.number|approval_id|again_after)$/;

/** Throws E_INPUT for a card number in the arguments of any tool. Ticket numbers pass, and numbers of documents. */
export function screenCardNumbers(raw: unknown): void {
  const isRefused = (text: string, path: string) =>
    !OTHER_NUMBERS.test(path) && digitRuns(text).some((groups) => runHoldsCard(groups, isCardAndNoTicket));
  const path = findCard(raw, '', isRefused);
  if (path === undefined) return;
  const next = 'Call the tool again without it. No tool needs a card number: pay_booking names the ways to pay.';
  throw inputError(path === '' ? 'arguments' : path, NEVER_READ, next);
}

type Refused = (text: string, path: string) => boolean;

function findCard(value: unknown, path: string, isRefused: Refused): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    const text = String(value);
    if (!isRefused(text, path)) return undefined;
    // Models write objects as JSON text too. The field inside decides.
    const inner = fromJson(text);
    return inner === undefined ? path : findCard(inner, path, isRefused);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, field] of Object.entries(value)) {
    const named = path === '' ? key : `${path}.${key}`;
    const inside = Array.isArray(value) ? `${path}[${key}]` : named;
    if (isRefused(key, path)) return path === '' ? 'a field name' : `${path} (a field name)`;
    const found = findCard(field, inside, isRefused);
    if (found !== undefined) return found;
  }
  return undefined;
}

function fromJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
