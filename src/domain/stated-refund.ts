/**
 * What the airline states it refunded: entries of the price with `usage: "refund"`, or where the reply comes without a
 * price (a full cancellation may), the orders with direction REFUND. Each cancellation adds one of both
 * (docs/wire/notes.md, Money and rules).
 */
import type { Booking } from './booking.ts';
import { type Money, sumMoney } from './money.ts';
import { present } from './present.ts';
import { refundsOf } from './subject.ts';

export interface RefundTold {
  readonly amount: Money;
  readonly penalty?: Money;
  readonly vat?: Money;
  /** `PAID`, `PENDING`. */
  readonly orderStatus?: string;
}

/** The refunds from `before` on (as many were seen before an operation) up to `end`, as one. */
export function statedRefund(booking: Booking, before: number, end?: number): RefundTold | undefined {
  const entries = refundsOf(booking).slice(before, end);
  const orders = booking.orders.filter((order) => order.direction === 'REFUND').slice(before, end);
  const amount =
    sumMoney(entries.map((entry) => entry.amount)) ?? sumMoney(orders.flatMap((order) => order.amount ?? []));
  if (amount === undefined) return undefined;
  return present({
    amount,
    penalty: sumMoney(entries.flatMap((entry) => entry.penalty ?? [])),
    vat: sumMoney(entries.flatMap((entry) => entry.vat ?? [])),
    orderStatus: orders.at(-1)?.status,
  });
}
