/**
 * Refuses card numbers before they are parsed, stored or logged, and never echoes them. A card number: 13 to 19 digits
 * with a valid Luhn check digit (ISO/IEC 7812-1), ignoring spaces and dashes.
 */
import { inputError } from '../../errors.ts';

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
export function holdsCardNumber(text: string): boolean {
  const runs = text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, asciiDigit)
    .match(/\d(?:[\s\p{Pd}\p{Cf}]*\d)*/gu);
  return (runs ?? []).some((run) => runHoldsCard(run.split(/[^\d]+/)));
}

/** Tries every run of groups: `4111 1111 1111 1111 12` is a card number and an expiry month. */
function runHoldsCard(groups: readonly string[]): boolean {
  for (let start = 0; start < groups.length; start++) {
    let digits = '';
    for (let end = start; end < groups.length && digits.length <= MAX; end++) {
      digits += groups[end];
      if (digits.length >= MIN && digits.length <= MAX && luhn(digits)) return true;
    }
  }
  return false;
}

/** Unicode digits come in blocks of ten: counts back to the zero of the block. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  if (code < 128) return digit;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

/** Throws E_INPUT that names the field, for a card number anywhere in the value (keys included). */
export function refuseCardNumbers(value: unknown): void {
  const path = findCard(value, '');
  if (path === undefined) return;
  throw inputError(
    path === '' ? 'arguments' : path,
    'this looks like a card number, and was not read: card numbers are never taken here.',
    'Call pay_booking again without it; a card is charged by the agency outside this tool.',
  );
}

function findCard(value: unknown, path: string): string | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return holdsCardNumber(String(value)) ? path : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, field] of Object.entries(value)) {
    const inside = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (holdsCardNumber(key)) return path === '' ? 'a field name' : `${path} (a field name)`;
    const found = findCard(field, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}
