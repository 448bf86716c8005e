/**
 * What was paid and refunded on a booking, as its tickets, orders and price show (docs/wire/notes.md, Statuses).
 * Whether it may be paid: tools/acts/pay-booking.ts.
 */
import { type Money, sumMoney } from '../../core/money.ts';
import type { Booking, Order } from './booking.ts';
import type { StatedRefund } from './fare.ts';

export function hasTickets(booking: Booking): boolean {
  return booking.tickets.some((ticket) => ticket.number !== '');
}

/** Refunds that the airline states for the whole party. */
export function refundsOf(booking: Pick<Booking, 'pricing'>): readonly StatedRefund[] {
  return booking.pricing?.refunds ?? [];
}

export function refundOrdersOf(booking: Pick<Booking, 'orders'>): readonly Order[] {
  return booking.orders.filter(({ direction }) => direction === 'REFUND');
}

/** Orders of money to the airline, without those of free name changes, which are listed as orders too. */
export function paymentsOf(booking: Booking): readonly Order[] {
  return booking.orders.filter((order) => order.direction !== 'REFUND' && !isFreeNameChange(order));
}

function isFreeNameChange({ action, amount }: Order): boolean {
  return action === 'CHANGE_NAME' && (amount === undefined || amount.minor === 0);
}

/** What the orders are of. An order of nothing is of another act, such as a change of names. */
export function orderAmounts({ orders }: { readonly orders: readonly Pick<Order, 'amount'>[] }): readonly Money[] {
  return orders.flatMap(({ amount }) => (amount === undefined || amount.minor === 0 ? [] : [amount]));
}

export function paidOrders(booking: Booking): readonly Order[] {
  return paymentsOf(booking).filter((order) => order.status === 'PAID');
}

/** Tickets exist, or an order for payment is PAID. */
export function isPaid(booking: Booking): boolean {
  return hasTickets(booking) || paidOrders(booking).length > 0;
}

/**
 * Whether the record proves that no money was taken: orders for payment exist and all are PENDING, with no refund order
 * and no ticket number. Missing tickets prove nothing: they can appear long after the payment.
 */
export function isProvablyUnpaid(booking: Booking): boolean {
  const payments = paymentsOf(booking);
  const pending = payments.length > 0 && payments.every(({ status }) => status === 'PENDING');
  return pending && refundOrdersOf(booking).length === 0 && !hasTickets(booking);
}

/** What orders say was paid; undefined if they state no amount in one currency. */
export function paidByOrders(booking: Booking): Money | undefined {
  return sumMoney(paidOrders(booking).flatMap(({ amount }) => amount ?? []));
}

/** What was paid: by orders, else the price of a ticketed booking. */
export function amountPaid(booking: Booking): Money | undefined {
  return paidByOrders(booking) ?? (hasTickets(booking) ? booking.pricing?.total?.total : undefined);
}

/** Whether a price entry, an order or a coupon shows a refund. */
export function hasRefund(booking: Booking): boolean {
  return (
    refundsOf(booking).length > 0 ||
    refundOrdersOf(booking).length > 0 ||
    booking.tickets.some((ticket) => ticket.coupons.some((coupon) => coupon.statusCode === 'R'))
  );
}

/** Whether the record shows a payment, or a refund of one. */
export function wasPaid(booking: Booking): boolean {
  return isPaid(booking) || hasRefund(booking);
}
