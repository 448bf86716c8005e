/** Whether parts of a paid booking can be cancelled with refund: for the cancelling acts, quotes and what a booking shows. */

import { cleanCode } from '../../core/clean-text.ts';
import type { Booking, SegmentOption } from '../../domain/booking/booking.ts';
import { bookingState } from '../../domain/booking/booking-state.ts';
import { unclearRefs } from '../../domain/booking/owed-segments.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { segmentStatusWord, standing } from '../../domain/booking/status-codes.ts';
import { cancelLimit } from '../../domain/pricing/fare-units.ts';
import { activeOptions } from '../../domain/pricing/penalty-rules.ts';
import { afterLimit, CHANGE_TYPES, closedCoupon, noActiveSegment, permits, sharedPointer } from './permissions.ts';
import { notPaid, notPermitted, type Refusal, SEE_ALLOWED } from './refusal.ts';

/** Cancelling some options (default: all that are active). */
export function whyNotCancel(
  booking: Booking,
  now: number,
  options: readonly SegmentOption[] = activeOptions(booking),
): Refusal | undefined {
  const early = whyNotRefund(booking, now, options);
  if (early !== undefined) return early;
  const segments = options.flatMap((option) => option.segments);
  for (const segment of segments) {
    const status = standing(segment);
    if (status === 'cancelled') continue;
    if (status === 'other')
      return notPermitted(`segment ${segment.ref} has the status ${segmentStatusWord(segment.statusCode)}`);
    const shared = sharedPointer(booking, segment);
    if (shared !== undefined) return shared;
    if (!permits(segment, CHANGE_TYPES.cancelSegment))
      return notPermitted(`the airline does not permit cancelling segment ${segment.ref}`);
  }
  const active = segments.filter((s) => standing(s) === 'active');
  return closedCoupon(booking, { segmentRefs: active.map((segment) => segment.ref) });
}

/** For any cancellation with refund: paid, not cancelled, within the time limit. */
export function whyNotRefund(
  booking: Booking,
  now: number,
  options: readonly SegmentOption[] = activeOptions(booking),
): Refusal | undefined {
  if (bookingState(booking, now).state === 'cancelled') {
    const [unclear] = unclearRefs(booking);
    if (unclear !== undefined) return maybeRefunded(unclear);
    return { code: 'E_ALREADY_DONE', why: 'it is cancelled already', next: SEE_ALLOWED };
  }
  if (!isPaid(booking)) {
    const next = 'Call cancel_booking to release the whole hold, or let it lapse.';
    return notPaid('an unpaid hold can only be released as a whole', next);
  }
  if (activeOptions(booking).length === 0) return noActiveSegment();
  const limit = cancelLimit(booking, options);
  return afterLimit(booking, limit, now, 'cancelling');
}

/** A refund is asked for once: the airline recorded one that may be for this segment. */
export function maybeRefunded(ref: string): Refusal {
  return notPermitted(
    `the airline cancelled segment ${cleanCode(ref)}, and a recorded refund may be for it`,
    'A person must ask the airline whether it has refunded this segment.',
  );
}
