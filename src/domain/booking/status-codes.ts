/**
 * Words for airline codes (OpenTravel and IATA; docs/wire/notes.md, Statuses). An unknown code becomes `unknown
 * (code)`. The codes come first, then the questions about them: coupons, segments, orders, passengers, payments.
 */

import { cleanCode } from '../../core/clean-text.ts';
import { own } from '../../core/own.ts';

type SegmentStatus = 'active' | 'cancelled' | 'other';

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

/**
 * `moved`: confirmed, with another time or number. `waiting`: not confirmed yet. `lost`: the traveller no longer has it,
 * or the airline could not confirm it.
 */
type CodeMeaning = 'confirmed' | 'moved' | 'waiting' | 'lost' | 'flown' | 'no_show';

/** The code of an active segment, as requests write it too (docs/wire/interface.md, States). */
export const ACTIVE_SEGMENT = '30';
/** The code of a cancelled segment, which airlines send after a cancellation of ours. */
export const CANCELLED_SEGMENT = '16';

/** The code of a segment that a search offers. */
const ONLY_OFFERED = '34';

/**
 * Segment codes: numbers of OpenTravel's status list (STS), letters of IATA's (AIRIMP). The source of each row is in
 * docs/wire/notes.md, Segment status codes. A code without a source has no row.
 */
const SEGMENT_CODES: Readonly<Record<string, readonly [meaning: CodeMeaning, word: string]>> = {
  [ACTIVE_SEGMENT]: ['confirmed', 'confirmed'],
  HK: ['confirmed', 'confirmed'],
  KK: ['confirmed', 'confirmed'],
  KL: ['confirmed', 'confirmed'],
  RR: ['confirmed', 'confirmed'],
  SS: ['confirmed', 'confirmed'],
  HS: ['confirmed', 'confirmed'],
  FS: ['confirmed', 'confirmed'],
  LK: ['confirmed', 'confirmed'],
  '51': ['moved', 'schedule change'],
  TK: ['moved', 'schedule change'],
  [ONLY_OFFERED]: ['waiting', 'merely offered'],
  '46': ['waiting', 'waitlisted'],
  HL: ['waiting', 'waitlisted'],
  LL: ['waiting', 'waitlisted'],
  UU: ['waiting', 'waitlisted'],
  US: ['waiting', 'waitlisted'],
  TL: ['waiting', 'waitlisted, schedule change'],
  HN: ['waiting', 'requested'],
  NN: ['waiting', 'requested'],
  PN: ['waiting', 'requested'],
  TN: ['waiting', 'requested, schedule change'],
  [CANCELLED_SEGMENT]: ['lost', 'cancelled'],
  XX: ['lost', 'cancelled'],
  '31': ['lost', 'have cancelled'],
  HX: ['lost', 'have cancelled'],
  UN: ['lost', 'unable'],
  UC: ['lost', 'unable, waitlist closed'],
  NO: ['lost', 'no action'],
  WK: ['lost', 'was confirmed'],
  WL: ['lost', 'was waitlisted'],
  WN: ['lost', 'was requested'],
  '80': ['flown', 'flown'],
  '83': ['no_show', 'no-show'],
};

/** `offer.priced[]` orders; a PENDING refund has not been paid out. */
const ORDER: Readonly<Record<string, string>> = { PENDING: 'pending', PAID: 'paid' };

/** OpenTravel's payment types (docs/wire/interface.md, Code lists), by our names of them. */
export const PAYMENT_CODES = {
  external: '32',
  credit_card: '5',
  cash: '1',
  debit_credit_account: '4',
  invoice: '40',
} as const;

export type PaymentType = keyof typeof PAYMENT_CODES;
export const PAYMENT_TYPES = Object.keys(PAYMENT_CODES) as [PaymentType, ...PaymentType[]];

/** Exchanged, void, refunded, reprinted: another coupon is valid, or none (docs/wire/notes.md, Statuses). */
const SUPERSEDED: ReadonlySet<string | undefined> = new Set(['E', 'V', 'R', 'X']);

/** Codes of a departure that the airline cancelled or could not confirm: after a cancellation of ours it sends others. */
const BY_AIRLINE: ReadonlySet<string | undefined> = new Set(['31', 'HX', 'UN', 'UC', 'NO']);

/** Codes of a segment after a cancellation of ours. */
const BY_US: ReadonlySet<string | undefined> = new Set([CANCELLED_SEGMENT, 'XX']);

/** Words for the types of passengers. */
export const PASSENGER_TYPES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  ADT: ['adult', 'adults'],
  CHD: ['child', 'children'],
  INF: ['infant', 'infants'],
};

function unknownCode(code: string | undefined): string {
  return code === undefined || code === '' ? 'unknown (none sent)' : `unknown (${cleanCode(code, 12)})`;
}

export function couponStatus(code: string | undefined): string {
  return own(COUPON, code) ?? unknownCode(code);
}

/** The code of a coupon's status that an airline sends in a small letter, or as a word: `OPEN`. Others are kept. */
export function couponCode(sent: string | undefined): string | undefined {
  const text = sent?.trim().toLowerCase();
  const row = Object.entries(COUPON).find(([code, word]) => text === code.toLowerCase() || text === word);
  return row?.[0] ?? sent;
}

/** Whether the airline sent a code of a coupon that has no meaning here. */
export function isUnknownCoupon(code: string | undefined): boolean {
  return code !== undefined && code !== '' && !Object.hasOwn(COUPON, code);
}

/** Whether a coupon in this status is still valid for its passenger's trip. */
export function couponCounts(code: string | undefined): boolean {
  return !SUPERSEDED.has(code);
}

/** What a segment's code says. `unstated`: the airline sent none. `unknown`: one that has no meaning here. */
export type SegmentMeaning = CodeMeaning | 'unstated' | 'unknown';

/** Rail holds send no code (docs/wire/notes.md, Replies). */
const ACTIVE: ReadonlySet<SegmentMeaning> = new Set(['confirmed', 'moved', 'unstated']);

/** Airlines may send a code in small letters, or with blanks around it. */
function plainCode(code: string | undefined): string | undefined {
  return code?.trim().toUpperCase();
}

function codeRow(code: string) {
  return own(SEGMENT_CODES, plainCode(code));
}

export function segmentMeaning(code: string | undefined): SegmentMeaning {
  return code === undefined ? 'unstated' : (codeRow(code)?.[0] ?? 'unknown');
}

/** A flight as its code shows it: of a reading, an offer or a hold. */
interface WithStatus {
  readonly status?: string | undefined;
}

/** Whether the traveller no longer has the flight. */
export const isLost = ({ status }: WithStatus): boolean => segmentMeaning(status) === 'lost';

/** Whether the airline has not confirmed the flight yet. */
export const isWaiting = ({ status }: WithStatus): boolean => segmentMeaning(status) === 'waiting';

/** Whether the traveller has a place on the flight: it is neither lost, nor waits for confirmation. */
export const hasPlace = (flight: WithStatus): boolean => !isLost(flight) && !isWaiting(flight);

/** Whether the code says that the flight does not run for the traveller. With a changed schedule it still runs. */
export const hasStopped = ({ status }: WithStatus): boolean => ['lost', 'no_show'].includes(segmentMeaning(status));

const UNCONFIRMED: ReadonlySet<SegmentMeaning> = new Set(['waiting', 'lost', 'flown', 'no_show']);

/** Whether the code says that the segment is not confirmed. */
export function isUnconfirmed(code: string | undefined): boolean {
  return UNCONFIRMED.has(segmentMeaning(code));
}

export function segmentStatus(code: string | undefined): SegmentStatus {
  const meaning = segmentMeaning(code);
  if (meaning === 'lost') return 'cancelled';
  return ACTIVE.has(meaning) ? 'active' : 'other';
}

/** What can still be done with a segment: one that the airline owes can be cancelled with refund, or rebooked. */
export function standing({ statusCode, owed }: { statusCode?: string; owed?: true | 'unclear' }): SegmentStatus {
  return owed === true ? 'active' : segmentStatus(statusCode);
}

/** What speaks against a flight that a search sends with this code, in words; undefined for one that is on offer. */
export function notOnOffer(code: string | undefined): string | undefined {
  if (code === undefined || plainCode(code) === ONLY_OFFERED || segmentStatus(code) === 'active') return undefined;
  const word = segmentStatusWord(code);
  return segmentMeaning(code) === 'unknown' ? word : `${word} (${cleanCode(code, 12)})`;
}

export function segmentStatusWord(code: string | undefined): string {
  return code === undefined ? 'active' : (codeRow(code)?.[1] ?? unknownCode(code));
}

/** Why a segment does not simply run, in words; undefined for one that does. `cancelled`, whoever cancelled it. */
export function runningStatus(code: string | undefined): string | undefined {
  const meaning = segmentMeaning(code);
  if (meaning === 'lost') return 'cancelled';
  return meaning === 'confirmed' || meaning === 'unstated' ? undefined : segmentStatusWord(code);
}

export function isCancelledByAirline(code: string | undefined): boolean {
  return BY_AIRLINE.has(plainCode(code));
}

export function isCancelledByUs(code: string | undefined): boolean {
  return BY_US.has(plainCode(code));
}

export function orderStatus(code: string | undefined): string {
  return own(ORDER, code) ?? unknownCode(code);
}

/** `2 adults`, `1 child`. */
export function countType(type: string, count: number): string {
  const words = own(PASSENGER_TYPES, type);
  return `${count} ${words === undefined ? type.slice(0, 12) : words[count === 1 ? 0 : 1]}`;
}

/** `adult`, `child`; an unlisted code is returned unchanged. */
export function passengerTypeWord(type: string): string {
  return own(PASSENGER_TYPES, type)?.[0] ?? type;
}

/** The payment type that an airline states by its code; undefined for a code that is not listed. */
export function paymentTypeOf(code: string | undefined): PaymentType | undefined {
  const row = Object.entries(PAYMENT_CODES).find(([, listed]) => listed === code?.trim());
  return row?.[0] as PaymentType | undefined;
}
