/**
 * The state of a booking, as far as the airline's record shows it. The record itself names none but CANCELLED
 * (docs/wire/interface.md, States; docs/wire/notes.md, Statuses).
 */

import { type Money, parseMoney, sumMoney } from '../pricing/money.ts';
import { earliest, instantOf } from '../time-and-text/times.ts';
import type { Booking, ReceiptItem } from './booking.ts';
import { paymentsOf, refundsOf, segmentsOf } from './expected-change.ts';
import { segmentStatus } from './itinerary.ts';

export const BOOKING_STATES = ['held', 'ticketed', 'partly_cancelled', 'cancelled', 'expired', 'unknown'] as const;

export type BookingState = (typeof BOOKING_STATES)[number];

export interface StateReading {
  readonly state: BookingState;
  /** What of the record says so, in our words. */
  readonly basis: string;
}

export function hasTickets(booking: Booking): boolean {
  return booking.tickets.some((ticket) => ticket.number !== '');
}

/** Orders of money that the airline says came in. */
export function paidOrders(booking: Booking) {
  return paymentsOf(booking).filter((order) => order.status === 'PAID');
}

/** Tickets exist, or an order for payment is PAID. */
export function isPaid(booking: Booking): boolean {
  return hasTickets(booking) || paidOrders(booking).length > 0;
}

/**
 * Whether the airline's record proves that no money was taken: at least one order for payment, all of them PENDING, no order
 * of a refund, and no ticket number. That tickets are missing proves nothing: they can appear long after the payment.
 */
export function isProvablyUnpaid(booking: Booking): boolean {
  const payments = paymentsOf(booking);
  const pending = payments.length > 0 && payments.every(({ status }) => status === 'PENDING');
  return pending && !booking.orders.some(({ direction }) => direction === 'REFUND') && !hasTickets(booking);
}

/** What orders say was paid; undefined where none states an amount in one currency. */
export function paidByOrders(booking: Booking): Money | undefined {
  return sumMoney(paidOrders(booking).flatMap(({ amount }) => amount ?? []));
}

/** The known amounts of rows of a receipt, as one; they name no currency. */
export function takenBy(items: readonly ReceiptItem[], currency: string): Money | undefined {
  return sumMoney(items.flatMap((item) => parseMoney(item.total ?? '', currency) ?? []));
}

/** Each ticket once: its row may be repeated for each segment, and a conjunctive one stand beside the first of its set. */
export function ticketsOnce(items: readonly ReceiptItem[]): readonly ReceiptItem[] {
  const kept: ReceiptItem[] = [];
  for (const item of items) {
    const { ticketNumber, total } = item;
    const known = kept.some(
      (one) =>
        (one.conjunctive.includes(ticketNumber) && (total === undefined || total === one.total)) ||
        (one.ticketNumber === ticketNumber && one.total === total),
    );
    if (ticketNumber === '' || !known) kept.push(item);
  }
  return kept;
}

/** A service beside the flights, not a ticket. */
export function isService({ ticketType = '' }: ReceiptItem): boolean {
  return /EMD/i.test(ticketType);
}

/** What was paid: by orders, else the price of a ticketed booking. */
export function amountPaid(booking: Booking): Money | undefined {
  return paidByOrders(booking) ?? (hasTickets(booking) ? booking.pricing?.total?.total : undefined);
}

/** When an unpaid hold lapses, as sent: the earliest confirmation or ticket time limit. */
export function payBy(booking: Booking): string | undefined {
  return earliest([
    ...(booking.pricing?.fares.map((fare) => fare.payBy) ?? []),
    ...booking.tickets.map((ticket) => ticket.timeLimit),
  ]);
}

/** Money went back already: an entry, an order or a refunded coupon says so. */
export function hasRefund(booking: Booking): boolean {
  return (
    refundsOf(booking).length > 0 ||
    booking.orders.some((order) => order.direction === 'REFUND') ||
    booking.tickets.some((ticket) => ticket.coupons.some((coupon) => coupon.statusCode === 'R'))
  );
}

/** First match wins. `now` in milliseconds since 1970. */
export function bookingState(booking: Booking, now: number): StateReading {
  const statuses = segmentsOf(booking).map((segment) => segmentStatus(segment.statusCode));
  const cancelled = statuses.filter((status) => status === 'cancelled').length;
  const refunded = hasRefund(booking);
  if (booking.cancelled === true) return { state: 'cancelled', basis: 'the airline says CANCELLED' };
  if (!statuses.includes('active') && (cancelled > 0 || (refunded && !statuses.includes('other')))) {
    return { state: 'cancelled', basis: cancelled > 0 ? 'every segment is cancelled' : 'refunded, no segment is left' };
  }
  if (cancelled > 0)
    return { state: 'partly_cancelled', basis: `${cancelled} of ${statuses.length} segments cancelled` };
  if (refunded) return { state: 'partly_cancelled', basis: 'a refund is recorded while segments stay active' };
  if (hasTickets(booking)) return { state: 'ticketed', basis: 'tickets are issued' };
  if (isPaid(booking)) return { state: 'ticketed', basis: 'paid; tickets are not issued yet' };
  const limit = instantOf(payBy(booking));
  if (limit !== undefined && limit <= now) return { state: 'expired', basis: 'the time limit for payment has passed' };
  if (limit !== undefined) return { state: 'held', basis: 'unpaid, and the time limit for payment is known' };
  if (booking.orders.some((order) => order.status === 'PENDING'))
    return { state: 'held', basis: 'an order is PENDING' };
  return { state: 'unknown', basis: 'no ticket, paid order or time limit is recorded' };
}
