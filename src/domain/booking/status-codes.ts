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

/** The code of an active segment, as requests write it too (docs/wire/interface.md, States). */
export const ACTIVE_SEGMENT = '30';
const SCHEDULE_CHANGE = '51';
const NO_SHOW = '83';

/** Segment codes: numbers of OpenTravel's status list, letters of IATA's (AIRIMP). */
const SEGMENT: Readonly<Record<string, readonly [status: SegmentStatus, word: string]>> = {
  [ACTIVE_SEGMENT]: ['active', 'confirmed'],
  HK: ['active', 'confirmed'],
  '16': ['cancelled', 'cancelled'],
  XX: ['cancelled', 'cancelled'],
  '31': ['cancelled', 'have cancelled'],
  HX: ['cancelled', 'have cancelled'],
  '34': ['other', 'merely offered'],
  '46': ['other', 'waitlisted'],
  [SCHEDULE_CHANGE]: ['active', 'schedule change'],
  '80': ['other', 'flown'],
  [NO_SHOW]: ['other', 'no-show'],
  UC: ['other', 'unable, waitlist closed'],
  UN: ['cancelled', 'unable'],
  NO: ['other', 'no action'],
};

/** `offer.priced[]` orders; a PENDING refund has not been paid out. */
const ORDER: Readonly<Record<string, string>> = { PENDING: 'pending', PAID: 'paid' };

/** Exchanged, void, refunded, reprinted: another coupon is valid, or none (docs/wire/notes.md, Statuses). */
const SUPERSEDED: ReadonlySet<string | undefined> = new Set(['E', 'V', 'R', 'X']);

/** Codes of a segment that the traveller no longer has. */
const LOST: ReadonlySet<string | undefined> = new Set(['16', 'XX', '31', 'HX', '34', '46', 'UC', 'UN', 'NO']);

/** Codes of a departure that the airline cancelled itself: after a cancellation of ours it sends others. */
const BY_AIRLINE: ReadonlySet<string | undefined> = new Set(['31', 'HX', 'UN']);

const PASSENGER: Readonly<Record<string, readonly [one: string, many: string]>> = {
  ADT: ['adult', 'adults'],
  CHD: ['child', 'children'],
  INF: ['infant', 'infants'],
};

const PAYMENT: Readonly<Record<string, string>> = {
  '32': 'external',
  '5': 'credit_card',
  '1': 'cash',
  '4': 'debit_credit_account',
  '40': 'invoice',
};

function unknownCode(code: string | undefined): string {
  return code === undefined || code === '' ? 'unknown (none sent)' : `unknown (${cleanCode(code, 12)})`;
}

export function couponStatus(code: string | undefined): string {
  return own(COUPON, code) ?? unknownCode(code);
}

/** Whether a coupon in this status is still valid for its passenger's trip. */
export function couponCounts(code: string | undefined): boolean {
  return !SUPERSEDED.has(code);
}

/**
 * A segment without a code is active: rail holds send none (docs/wire/notes.md, Replies). An unknown code is `other`.
 */
export function segmentStatus(code: string | undefined): SegmentStatus {
  return code === undefined ? 'active' : (own(SEGMENT, code)?.[0] ?? 'other');
}

/** What can still be done with a segment: one that the airline owes can be cancelled with refund, or rebooked. */
export function standing({ statusCode, owed }: { statusCode?: string; owed?: true | 'unclear' }): SegmentStatus {
  return owed === true ? 'active' : segmentStatus(statusCode);
}

export function segmentStatusWord(code: string | undefined): string {
  return code === undefined ? 'active' : (own(SEGMENT, code)?.[1] ?? unknownCode(code));
}

/** Why a segment does not simply run, in words; undefined for one that does. `cancelled`, whoever cancelled it. */
export function runningStatus(code: string | undefined): string | undefined {
  const status = segmentStatus(code);
  if (status === 'cancelled') return status;
  return status === 'other' || code === SCHEDULE_CHANGE ? segmentStatusWord(code) : undefined;
}

type SegmentLoss = 'lost' | 'schedule_change' | 'no_show';

/** What the traveller loses by a code; undefined for nothing, and for an unknown code. */
export function segmentLoss(code: string | undefined): SegmentLoss | undefined {
  if (LOST.has(code)) return 'lost';
  if (code === SCHEDULE_CHANGE) return 'schedule_change';
  return code === NO_SHOW ? 'no_show' : undefined;
}

export function isCancelledByAirline(code: string | undefined): boolean {
  return BY_AIRLINE.has(code);
}

export function orderStatus(code: string | undefined): string {
  return own(ORDER, code) ?? unknownCode(code);
}

/** `2 adults`, `1 child`. */
export function countType(type: string, count: number): string {
  const words = own(PASSENGER, type);
  return `${count} ${words === undefined ? type.slice(0, 12) : words[count === 1 ? 0 : 1]}`;
}

/** `adult`, `child`; an unlisted code is returned unchanged. */
export function passengerTypeWord(type: string): string {
  return own(PASSENGER, type)?.[0] ?? type;
}

/** Words for a payment type (docs/wire/interface.md, Code lists); an unlisted one is returned unchanged. */
export function paymentTypeWord(code: string): string {
  return own(PAYMENT, code) ?? code;
}
