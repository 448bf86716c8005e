/**
 * Finds the refund that the airline states: price entries with `usage: "refund"`, or orders with direction REFUND if
 * the reply has no price. Each cancellation adds one of both (docs/wire/notes.md, Money and rules).
 */

import { type Money, sameMoney, sumIfAllKnown, sumMoney } from '../../core/money.ts';
import type { Booking, Order } from '../booking/booking.ts';
import type { EarlierOrder, RefundsBefore } from '../booking/expected-change.ts';
import { refundOrdersOf, refundsOf } from '../booking/paid-and-refunded.ts';
import type { StatedRefund } from './fare.ts';

/** The refund of one operation. */
export interface OperationRefund extends StatedRefund {
  /** `PAID`, `PENDING`. */
  readonly orderStatus?: string;
}

/**
 * The refund of an operation: the one that was not there before, in any order. Undefined if it cannot be distinguished
 * from earlier ones.
 */
export function operationRefund(
  booking: Booking,
  { earlierRefunds: earlier }: RefundsBefore,
): OperationRefund | undefined {
  const entries = newSince(earlier.entries, refundsOf(booking), [
    (a, b) => sameMoney(a.amount, b.amount) && sameMoney(a.penalty, b.penalty),
  ]);
  const orders = newOrders(earlier.orders, refundOrdersOf(booking)) ?? [];
  const [entry] = entries ?? [];
  const [order] = orders;
  if (entries === undefined || entries.length > 1) return undefined;
  const onlyOrder = orders.length === 1 ? order : undefined;
  const amount = entry?.amount ?? onlyOrder?.amount;
  if (amount === undefined) return undefined;
  return {
    amount,
    penalty: entry?.penalty,
    vat: entry?.vat,
    orderStatus: onlyOrder && refundStatus(onlyOrder, refundOrdersOf(booking)),
  };
}

/** The status of an order; undefined if another one of the same amount differs: ids may be mere positions. */
function refundStatus({ amount, status }: Order, all: readonly Order[]): string | undefined {
  return all.every((other) => other.status === status || !sameMoney(other.amount, amount)) ? status : undefined;
}

/** The orders that were not there before; undefined if an earlier one is missing. */
export function newOrders(earlier: readonly EarlierOrder[], all: readonly Order[]): readonly Order[] | undefined {
  return newSince(earlier, all, [
    (a, b) => a.id === b.id && sameMoney(a.amount, b.amount),
    (a, b) => sameMoney(a.amount, b.amount),
  ]);
}

/** Removes the earlier items, exact matches first. Undefined if one is missing, unless the list is empty. */
function newSince<Earlier, T>(
  earlier: readonly Earlier[],
  all: readonly T[],
  likenesses: readonly ((a: Earlier, b: T) => boolean)[],
): readonly T[] | undefined {
  const remaining = [...all];
  let missing = [...earlier];
  for (const isAlike of likenesses) {
    missing = missing.filter((item) => {
      const index = remaining.findIndex((candidate) => isAlike(item, candidate));
      if (index >= 0) remaining.splice(index, 1);
      return index < 0;
    });
  }
  return missing.length === 0 || all.length === 0 ? remaining : undefined;
}

/** The sum of all refunds of a booking, as one refund. */
export function statedRefund(booking: Booking): OperationRefund | undefined {
  const [entries, orders] = [refundsOf(booking), refundOrdersOf(booking)];
  const amount =
    sumMoney(entries.map((entry) => entry.amount)) ?? sumMoney(orders.flatMap((order) => order.amount ?? []));
  if (amount === undefined) return undefined;
  return {
    amount,
    penalty: sumMoney(entries.flatMap((entry) => entry.penalty ?? [])),
    vat: sumMoney(entries.flatMap((entry) => entry.vat ?? [])),
    orderStatus: orders.at(-1)?.status,
  };
}

/** What the airline keeps of a refund: its penalty, and the VAT on it. Undefined where it does not say. */
export function amountKept({ penalty, vat }: Pick<StatedRefund, 'penalty' | 'vat'>): Money | undefined {
  return penalty && sumMoney(vat === undefined ? [penalty] : [penalty, vat]);
}

/** The refunds that a booking shows: one for each order if orders have amounts, else one for each price entry. */
export function refundsShown(booking: Booking): readonly OperationRefund[] {
  const entries = refundsOf(booking);
  const priced = refundOrdersOf(booking).flatMap(({ amount, status }) =>
    amount ? [{ amount, orderStatus: status }] : [],
  );
  if (priced.length === 0) return entries;
  return priced.map((order) => {
    // Entries of one amount may be of any of its orders.
    const [entry, ...others] = entries.filter(({ amount }) => sameMoney(amount, order.amount));
    return { ...(others.length === 0 && entry), ...order };
  });
}

/** Sums up the refunds of a booking. `kept` is known only if the price entries cover all refunds, and each states it. */
export function refundSums(booking: Booking): { readonly refunded?: Money; readonly kept?: Money } {
  const refunded = sumMoney(refundsShown(booking).map(({ amount }) => amount));
  const entries = refundsOf(booking);
  const isWhole = sameMoney(sumMoney(entries.map(({ amount }) => amount)), refunded);
  return { refunded, kept: isWhole ? sumIfAllKnown(entries.map(amountKept)) : undefined };
}
