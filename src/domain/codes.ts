/**
 * Airline codes in words (OpenTravel and IATA, field-notes.md, statuses). An unknown code is shown as such.
 */
const COUPON: Readonly<Record<string, string>> = {
  O: 'open',
  R: 'refunded',
  E: 'exchanged',
  A: 'airport control',
  C: 'checked in',
  L: 'boarded',
  F: 'flown',
  V: 'void',
  S: 'suspended',
  U: 'unavailable',
  X: 'print exchange',
  Z: 'closed',
};

const SEGMENT: Readonly<Record<string, string>> = {
  '30': 'confirmed',
  HK: 'confirmed',
  '16': 'cancelled',
  XX: 'cancelled',
  HX: 'cancelled',
  '31': 'have cancelled',
  '34': 'offered',
  '46': 'waitlisted',
  '51': 'schedule change',
  '80': 'flown',
  '83': 'no-show',
  UC: 'unable, waitlist closed',
  UN: 'unable',
  NO: 'no action',
};

function word(table: Readonly<Record<string, string>>, code: string | undefined): string {
  if (code === undefined || code === '') return 'unknown (none sent)';
  return Object.hasOwn(table, code) ? (table[code] ?? '') : `unknown (${code.slice(0, 12)})`;
}

export function couponStatus(code: string | undefined): string {
  return word(COUPON, code);
}

export function segmentStatusWord(code: string | undefined): string {
  return word(SEGMENT, code);
}

const PASSENGER: Readonly<Record<string, readonly [string, string]>> = {
  ADT: ['adult', 'adults'],
  CHD: ['child', 'children'],
  INF: ['infant', 'infants'],
};

/** `2 adults`, `1 child`. */
export function countOf(type: string, count: number): string {
  const words = Object.hasOwn(PASSENGER, type) ? PASSENGER[type] : undefined;
  return `${count} ${words === undefined ? type.slice(0, 12) : words[count === 1 ? 0 : 1]}`;
}

const PAYMENT: Readonly<Record<string, string>> = {
  '32': 'external',
  '5': 'credit_card',
  '1': 'cash',
  '4': 'debit_credit_account',
  '40': 'invoice',
};

/** A payment type in words (interface.md, code lists); one that is not listed stays as it came. */
export function paymentTypeWord(code: string): string {
  return Object.hasOwn(PAYMENT, code) ? (PAYMENT[code] ?? code) : code;
}
