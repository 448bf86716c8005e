/** What the release of a hold is expected to change, and what proves it. A paid booking is cancelled segment by segment. */
import { type Booking, segmentsOf } from '../../../domain/booking/booking.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import type { Verdict } from '../../../journal/evidence.ts';
import { hasOpenCoupons, isSegmentActive, isSegmentGone } from '../cancel-segment/evidence.ts';

export type CancelBooking = { readonly kind: 'cancel_booking' };

export const bookingEvidence: ActEvidence<CancelBooking> = {
  kind: 'cancel_booking',

  /** A reply to a full cancellation may be a booking without its content. A reading like that proves nothing. */
  reply(_, { booking }, { isSameBooking }) {
    if (!isSameBooking || booking === undefined || hasOpenCoupons(booking)) return undefined;
    return segmentsOf(booking).length === 0 ? 'done' : undefined;
  },

  reading: (_, booking) => judgeCancelled(booking),

  isDoneOnceGone: true,

  toCheck: () => 'whether the booking is cancelled',
};

function judgeCancelled(booking: Booking): Verdict {
  if (booking.cancelled === true) return 'done';
  const segments = segmentsOf(booking);
  if (segments.length === 0) return isBare(booking) ? 'bare' : 'void';
  if (segments.every(isSegmentGone)) return 'done';
  return segments.every(isSegmentActive) ? 'not_done' : 'partial';
}

function isBare({ travelers, tickets, pricing, orders }: Booking): boolean {
  const unpaid = orders.every(({ status }) => status === undefined || status === 'PENDING');
  return travelers.length === 0 && tickets.length === 0 && pricing === undefined && unpaid;
}
