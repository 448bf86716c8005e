/**
 * What a booking costs and carries after a rebooking, by the offer that was approved. The airline states it only once it is done, so that
 * only this can show what differs.
 */
import { addMoney, showMoney, subtractMoney } from '../../core/money.ts';
import type { Booking, SegmentOption } from '../../domain/booking/booking.ts';
import { allowanceText } from '../../domain/booking/kept-reading.ts';
import { orderStatus } from '../../domain/booking/status-codes.ts';
import type { Remainder } from '../../domain/facts/touches.ts';
import { type ChangeCharge, paidFor } from '../../domain/refund/estimate-change-charge.ts';
import type { Outcome } from '../../journal/operation.ts';
import type { Trip } from '../steps/offers.ts';

/** Each part is absent where the booking or the offer does not state it. */
export function expectByOffer(
  booking: Booking,
  replaced: SegmentOption,
  { total, terms }: Pick<Trip, 'total' | 'terms'>,
  { fees }: Pick<ChangeCharge, 'fees'>,
): Remainder {
  const offered = terms?.baggage && allowanceText(terms.baggage);
  const baggage = offered === undefined ? undefined : [offered];
  const paid = paidFor(booking, replaced);
  const before = booking.pricing?.total?.total;
  if (total === undefined || paid?.currency !== total.currency || before?.currency !== total.currency)
    return { baggage };
  const after = addMoney(before, subtractMoney(total, paid));
  // Airlines add a fee to the price, or do not.
  return { baggage, totals: fees?.currency === total.currency ? [after, addMoney(after, fees)] : [after] };
}

/** Says that the airline has not collected its charge. */
export function unpaidCharge(charge: Outcome['charge']): string | undefined {
  if (charge?.orderStatus === undefined) return undefined;
  const status = orderStatus(charge.orderStatus);
  if (status === 'paid') return undefined;
  return `The charge of ${showMoney(charge.amount)} is ${status} instead of paid: tell the person, and read the booking later.`;
}
