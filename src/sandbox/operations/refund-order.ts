/**
 * Booking a refund: the entry in the price, the order, the ledger.
 */
import type { Carrier } from '../carrier.ts';
import { enter } from '../ledger.ts';
import type { CarrierBooking, MadeRefund } from '../record.ts';
import { newOrderId } from './locators.ts';

/** The booking with the refund made. Also where it is 0.00, as the interface states it then. */
export function withRefund(carrier: Carrier, booking: CarrierBooking, refund: MadeRefund): CarrierBooking {
  const { amount } = refund.whole;
  const order = { action: 'OTHER', direction: 'REFUND', orderType: 'BOOKING', status: 'PAID', amount };
  enter(carrier.state, carrier.now, 'refunded', booking.locator, { amount });
  return {
    ...booking,
    refunds: [...booking.refunds, refund],
    orders: [...booking.orders, { id: newOrderId(carrier), ...order }],
  };
}
