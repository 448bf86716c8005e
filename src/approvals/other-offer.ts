/**
 * The same people on the same trains in another fare or at another price: neither a repeat nor, without a person's yes, a
 * second booking.
 */

import { ClerkError } from '../core/errors.ts';
import { showMoney } from '../core/money.ts';
import { activeSegments, type Booking } from '../domain/booking/booking.ts';
import { bookingState } from '../domain/booking/booking-state.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import { sameOffer } from '../domain/pricing/fare-codes.ts';
import { isRefundable } from '../domain/pricing/penalty-rules.ts';
import type { Acts } from '../journal/act.ts';
import { isActive, locatorOf, type Operation } from '../journal/operation.ts';
import type { GuardedCall } from './call-types.ts';

/** Whether an earlier create was of another fare or price. One that kept neither counts as the same. */
export function isOfAnotherOffer(acts: Acts, earlier: Operation, subject: Operation['subject']): boolean {
  const [was, wanted] = [earlier.subject, subject].map((one) => acts.of(one).offer?.(one));
  return was !== undefined && wanted !== undefined && !sameOffer(was, wanted);
}

/** Describes the earlier hold, and how to hold the other one. Sends nothing. */
export async function heldInAnotherOffer(call: GuardedCall, earlier: Operation): Promise<ClerkError> {
  const locator = locatorOf(earlier);
  const both = `pass again_after: "${earlier.id}" to have both`;
  if (isActive(earlier.state) || locator === undefined) {
    const message =
      'The same trip in another fare or at another price is being booked, and the outcome is not known yet. Nothing was sent.';
    return refused(message, `Wait and call create_booking again, or ${both}.`);
  }
  const { said, isHold } = await heldText(call, earlier, locator);
  const end = isHold
    ? `release ${locator} with cancel_booking`
    : `cancel ${locator} with cancel_booking (money may be kept: quote_cancellation first)`;
  const next = `Ask the person: ${end} and call create_booking again, or ${both}.`;
  return refused(`${said} This offer is another fare or price. Nothing was sent.`, next);
}

function refused(message: string, next: string): ClerkError {
  return new ClerkError('E_ALREADY_DONE', message, { next });
}

async function heldText({ runtime }: GuardedCall, earlier: Operation, locator: string) {
  const booking = await runtime.journal.bookingOf(earlier, locator).catch(() => undefined);
  if (booking === undefined) {
    return { said: `You already made ${locator} for this trip; it could not be read just now.`, isHold: false };
  }
  const now = runtime.clock.now();
  const { state } = bookingState(booking, now);
  const total = booking.pricing?.total?.total;
  const flights = activeSegments(booking).map((segment) => flightName(segment));
  const isHold = state === 'held' || state === 'unknown';
  const what = [
    isHold ? `hold ${locator}` : `have ${locator} (${state.replace('_', ' ')})`,
    flights.length > 0 ? ` on ${flights.join('+')}` : '',
    total === undefined ? '' : ` at ${showMoney(total)}`,
    refundText(booking, now),
  ];
  return { said: `You already ${what.join('')}.`, isHold };
}

function refundText({ pricing }: Booking, now: number): string {
  const refundable = pricing && isRefundable(pricing, now);
  if (refundable === undefined) return '';
  return refundable ? ' (refundable)' : ' (not refundable)';
}
