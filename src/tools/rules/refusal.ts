/** Why a request is not sent: what the caller learns of it. */

import { ClerkError, type ErrorCode } from '../../core/errors.ts';
import type { Booking } from '../../domain/booking/booking.ts';

export interface Refusal {
  readonly code: ErrorCode;
  /** Why not, without a full stop. */
  readonly why: string;
  readonly next: string;
  /** Another way works: hold and pay the new one, then cancel the old one. */
  readonly byHand?: true;
}

export const SEE_ALLOWED = 'Call read_booking to see what the booking allows now.';

/** Makes the error for a request that was not sent; `what` is a sentence. */
export function notSent(code: ErrorCode, what: string, next: string): ClerkError {
  return new ClerkError(code, `${what} Nothing was sent.`, { next });
}

export function refusalOf({ locator }: Booking, { code, why, next }: Refusal): ClerkError {
  return notSent(code, `Booking ${locator}: ${why}.`, next);
}

export function refuse(booking: Booking, refusal: Refusal | undefined): void {
  if (refusal !== undefined) throw refusalOf(booking, refusal);
}

export function notReplaceable(why: string): Refusal {
  return { ...notPermitted(why), byHand: true };
}

/** With how it is replaced all the same. */
export function withWay(refusal: Refusal | undefined): Refusal | undefined {
  if (!refusal?.byHand) return refusal;
  return { ...refusal, why: `${refusal.why}: hold and pay the new one, then cancel the old one` };
}

export function notPermitted(why: string, next = SEE_ALLOWED): Refusal {
  return { code: 'E_NOT_PERMITTED', why, next };
}

export function notPaid(why: string, next: string): Refusal {
  return { code: 'E_NOT_PAID', why, next };
}
