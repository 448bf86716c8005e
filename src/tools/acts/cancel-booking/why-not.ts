/** Whether a whole booking can be cancelled: a paid one with refund, an unpaid hold by releasing it. */
import type { Booking } from '../../../domain/booking/booking.ts';
import { bookingState } from '../../../domain/booking/booking-state.ts';
import { isPaid, paymentsOf } from '../../../domain/booking/paid-and-refunded.ts';
import { notPermitted, type Refusal } from '../../rules/refusal.ts';
import { whyNotCancel } from '../../rules/why-not-cancel.ts';

export function whyNotCancelBooking(booking: Booking, now: number): Refusal | undefined {
  return isPaid(booking) ? whyNotCancel(booking, now) : whyNotRelease(booking, now);
}

/** Releases only a hold known to be unpaid: the message would cancel paid tickets without a refund. */
function whyNotRelease(booking: Booking, now: number): Refusal | undefined {
  const next = 'Call read_booking to see it.';
  const { state } = bookingState(booking, now);
  if (state === 'cancelled') return { code: 'E_ALREADY_DONE', why: 'it is cancelled already', next };
  const unpaid = paymentsOf(booking).every((order) => order.status === 'PENDING');
  if (unpaid && state === 'expired') return { code: 'E_ALREADY_DONE', why: 'the hold has lapsed by itself', next };
  if (unpaid && state === 'held') return undefined;
  return notPermitted(
    'the airline does not say whether it is paid',
    'A person must ask the airline whether it is paid; an unpaid hold lapses by itself.',
  );
}
