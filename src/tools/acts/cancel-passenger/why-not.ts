/** Whether passengers can be removed from a paid booking: for the act and for quotes. */
import { activeSegments, type Booking } from '../../../domain/booking/booking.ts';
import { closedCoupon } from '../../rules/permissions.ts';
import { notPermitted, type Refusal } from '../../rules/refusal.ts';
import { whyNotRefund } from '../../rules/why-not-cancel.ts';

export function whyNotCancelPassengers(
  booking: Booking,
  now: number,
  travelerRefs: readonly string[] = [],
): Refusal | undefined {
  const early = whyNotRefund(booking, now);
  if (early !== undefined) return early;
  if (booking.travelers.length <= Math.max(1, travelerRefs.length)) {
    const next = 'Call cancel_booking to cancel the whole booking.';
    const only = booking.travelers.length === 1 ? 'this is the only passenger' : 'nobody would stay on it';
    return notPermitted(`${only}: cancel the whole booking instead`, next);
  }
  if (travelerRefs.length === 0) return undefined;
  return closedCoupon(booking, { travelerRefs, segmentRefs: activeSegments(booking).map((segment) => segment.ref) });
}
