/** Whether a booking may be paid now. */
import { showMoney, sumMoney } from '../../../core/money.ts';
import type { Booking } from '../../../domain/booking/booking.ts';
import { bookingState, payBy } from '../../../domain/booking/booking-state.ts';
import { isPaid } from '../../../domain/booking/paid-and-refunded.ts';
import type { Price } from '../../../domain/pricing/fare.ts';
import { afterLimit } from '../../rules/permissions.ts';
import { notPermitted, type Refusal, SEE_ALLOWED } from '../../rules/refusal.ts';

export function whyNotPay(booking: Booking, now: number): Refusal | undefined {
  const { state } = bookingState(booking, now);
  if (state === 'cancelled') return notPermitted('it is cancelled');
  if (isPaid(booking)) return { code: 'E_ALREADY_DONE', why: 'it is paid already', next: SEE_ALLOWED };
  if (state === 'expired') return afterLimit(booking, payBy(booking), now, 'payment');
  if (booking.pricing?.total !== undefined) return whyNotPrice(booking.pricing.total);
  if (booking.pricing?.hasUnreadableTotal === true)
    return { code: 'E_AIRLINE_REPLY', why: 'the airline sent a total that is not an amount', next: ASK_PRICE };
  return { code: 'E_AIRLINE_REPLY', why: 'the airline gave no price for it', next: 'Call read_booking in a while.' };
}

const ASK_PRICE = 'Ask the airline what this booking costs before anything is paid.';

/** Refuses a total that contradicts its parts: the airline may charge more than was approved. */
function whyNotPrice({ base, taxes, fees, total }: Price): Refusal | undefined {
  const parts = sumMoney([base, taxes, fees]);
  const shown = parts?.currency === total.currency ? `come to ${showMoney(parts)}` : 'are in another currency';
  const refusal: Refusal = {
    code: 'E_AIRLINE_REPLY',
    why: `its total is ${showMoney(total)}, and base fare, taxes and fees ${shown}`,
    next: ASK_PRICE,
  };
  if (total.minor <= 0 || parts?.currency !== total.currency) return refusal;
  // The total may include taxes and fees that are not listed.
  const listed = taxes.minor !== 0 || fees.minor !== 0;
  return (listed ? parts.minor !== total.minor : parts.minor > total.minor) ? refusal : undefined;
}
