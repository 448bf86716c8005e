/** Records a refund: in the price, the orders and the ledger. */
import type { Carrier } from '../carrier.ts';
import { enter } from '../ledger.ts';
import type { CarrierBooking, MadeRefund } from '../record.ts';
import { newOrderId } from './locators.ts';

/** Returns the booking with the refund, which may be 0.00. A rail refund is already PAID; an airline's is PENDING. */
export function withRefund(
  carrier: Pick<Carrier, 'state' | 'timetable' | 'network' | 'dialect' | 'now'>,
  booking: CarrierBooking,
  refund: MadeRefund,
): CarrierBooking {
  const { amount } = refund.whole;
  const status = carrier.dialect === 'rail' && booking.refundsWait !== true ? 'PAID' : 'PENDING';
  enter(carrier.state, carrier.now, 'refunded', booking.locator, { amount });
  return {
    ...booking,
    refunds: [...booking.refunds, refund],
    orders: [...booking.orders, { id: newOrderId(carrier), action: 'OTHER', direction: 'REFUND', status, amount }],
  };
}
