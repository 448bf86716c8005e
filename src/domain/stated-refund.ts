/**
 * What the airline states it refunded: entries of the price with `usage: "refund"`, or where the reply comes without a
 * price (a full cancellation may), the orders with direction REFUND. Each cancellation adds one of both (field-notes.md,
 * money and rules).
 */
import type { Booking } from './booking.ts';
import { addMoney, type Money } from './money.ts';
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
  const amount = total(entries.map((entry) => entry.amount)) ?? total(orders.flatMap((order) => order.amount ?? []));
  if (amount === undefined) return undefined;
  return present({
    amount,
    penalty: total(entries.flatMap((entry) => entry.penalty ?? [])),
    vat: total(entries.flatMap((entry) => entry.vat ?? [])),
    orderStatus: orders.at(-1)?.status,
  });
}

/** The sum; undefined of none, and of two currencies: they are never added. */
export function total(amounts: readonly Money[]): Money | undefined {
  const [first, ...rest] = amounts;
  if (first === undefined || rest.some(({ currency }) => currency !== first.currency)) return undefined;
  return addMoney(first, ...rest);
}
