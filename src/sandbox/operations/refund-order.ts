/**
 * Booking a refund: the entry in the price, the order, the ledger.
 */
import type { Carrier } from '../carrier.ts';
import { enter } from '../ledger.ts';
import type { CarrierBooking, MadeRefund } from '../record.ts';
import { newOrderId } from './locators.ts';

/** The booking with the refund made, also one of 0.00. Rail has paid it by then, an airline still has to. */
export function withRefund(carrier: Carrier, booking: CarrierBooking, refund: MadeRefund): CarrierBooking {
  const { amount } = refund.whole;
  const status = carrier.dialect === 'rail' ? 'PAID' : 'PENDING';
  enter(carrier.state, carrier.now, 'refunded', booking.locator, { amount });
  return {
    ...booking,
    refunds: [...booking.refunds, refund],
    orders: [...booking.orders, { id: newOrderId(carrier), action: 'OTHER', direction: 'REFUND', status, amount }],
  };
}
