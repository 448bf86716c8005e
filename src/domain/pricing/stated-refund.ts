/**
 * What the airline states it refunded: entries of the price with `usage: "refund"`, or where the reply comes without a
 * price (a full cancellation may), the orders with direction REFUND. Each cancellation adds one of both
 * (docs/wire/notes.md, Money and rules).
 */
import type { Booking, Order } from '../booking/booking.ts';
import {
  type EarlierOrder,
  type EarlierRefunds,
  type ExpectedChange,
  refundOrdersOf,
  refundsOf,
} from '../booking/expected-change.ts';
import { omitUndefined } from '../time-and-text/omit-undefined.ts';
import { type Money, sameMoney, sumMoney } from './money.ts';

export interface RefundTold {
  readonly amount: Money;
  readonly penalty?: Money;
  readonly vat?: Money;
  /** `PAID`, `PENDING`. */
  readonly orderStatus?: string;
}

type Refunding = Extract<ExpectedChange, { readonly refundsBefore: number }>;

/**
 * An operation's own refund: the one that was not there before, in whatever order the airline lists them. None where it
 * cannot be told from the earlier ones. `end` is for an operation of an older journal, which only counted them.
 */
export function ownRefund(booking: Booking, subject: Refunding, end?: number): RefundTold | undefined {
  const { refundsBefore, earlierRefunds } = subject;
  return earlierRefunds === undefined ? statedRefund(booking, refundsBefore, end) : newRefund(booking, earlierRefunds);
}

function newRefund(booking: Booking, earlier: EarlierRefunds): RefundTold | undefined {
  const entries = newSince(earlier.entries, refundsOf(booking), [
    (a, b) => sameMoney(a.amount, b.amount) && sameMoney(a.penalty, b.penalty),
  ]);
  const orders = newOrders(earlier.orders, refundOrdersOf(booking)) ?? [];
  const [entry] = entries ?? [];
  const [order] = orders;
  if (entries === undefined || entries.length > 1) return undefined;
  const sole = orders.length === 1 ? order : undefined;
  const amount = entry?.amount ?? sole?.amount;
  if (amount === undefined) return undefined;
  return omitUndefined({
    amount,
    penalty: entry?.penalty,
    vat: entry?.vat,
    orderStatus: sole && statusOf(sole, refundOrdersOf(booking)),
  });
}

/** Orders of one amount cannot be told apart for certain: their numbers may be their places. */
function statusOf({ amount, status }: Order, all: readonly Order[]): string | undefined {
  return all.every((other) => other.status === status || !sameMoney(other.amount, amount)) ? status : undefined;
}

/** The orders that were not there before; undefined where an earlier one is not among them. */
export function newOrders(earlier: readonly EarlierOrder[], all: readonly Order[]): readonly Order[] | undefined {
  return newSince(earlier, all, [
    (a, b) => a.id === b.id && sameMoney(a.amount, b.amount),
    (a, b) => sameMoney(a.amount, b.amount),
  ]);
}

/** What is left after taking out the earlier ones, the closest likeness first. A list that is left away has none. */
function newSince<Earlier, T>(
  earlier: readonly Earlier[],
  all: readonly T[],
  likenesses: readonly ((a: Earlier, b: T) => boolean)[],
): readonly T[] | undefined {
  const left = [...all];
  let missing = [...earlier];
  for (const alike of likenesses) {
    missing = missing.filter((one) => {
      const at = left.findIndex((other) => alike(one, other));
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  }
  return missing.length === 0 || all.length === 0 ? left : undefined;
}

/** The refunds from `before` on (as many were seen before an operation) up to `end`, as one. */
export function statedRefund(booking: Booking, before: number, end?: number): RefundTold | undefined {
  const entries = refundsOf(booking).slice(before, end);
  const orders = refundOrdersOf(booking).slice(before, end);
  const amount =
    sumMoney(entries.map((entry) => entry.amount)) ?? sumMoney(orders.flatMap((order) => order.amount ?? []));
  if (amount === undefined) return undefined;
  return omitUndefined({
    amount,
    penalty: sumMoney(entries.flatMap((entry) => entry.penalty ?? [])),
    vat: sumMoney(entries.flatMap((entry) => entry.vat ?? [])),
    orderStatus: orders.at(-1)?.status,
  });
}
