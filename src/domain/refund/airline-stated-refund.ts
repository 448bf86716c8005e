/**
 * Finds the refunds that the airline states. It states each one twice, and a reply can leave out either
 * (docs/wire/notes.md, Money and rules):
 *
 * - as an entry of the price (`usage: "refund"`), with amount, penalty and VAT;
 * - as an order (direction REFUND), with amount and status.
 *
 * booking/paid-and-refunded.ts lists both; estimate-refund.ts estimates a refund before the airline states it.
 *
 * In this order: the refund of one operation, all refunds of a booking, what the airline keeps.
 */

import { type Money, sameMoney, sumIfAllKnown, sumMoney } from '../../core/money.ts';
import { pairRows } from '../../core/own.ts';
import type { Booking, Order } from '../booking/booking.ts';
import type { StatedRefund } from '../booking/fare.ts';
import { hasRefund, refundOrdersOf, refundsOf } from '../booking/paid-and-refunded.ts';
import type { EarlierOrder, RefundsBefore } from '../facts/expected-change.ts';
import { knownBefore } from '../facts/tickets-and-orders.ts';
import type { RefundAmount } from './refund-amount.ts';

/** One refund: what its entry states, with the status of its order. */
export interface OperationRefund extends StatedRefund {
  /** As sent: `PAID`, `PENDING`. */
  readonly orderStatus?: string;
}

/**
 * Finds the refund of an operation: the one that was not there before. Undefined if the airline does not state it, or
 * nothing distinguishes it from other refunds.
 *
 * | new entries           | new orders | amount, penalty and VAT | status       |
 * | --------------------- | ---------- | ----------------------- | ------------ |
 * | one                   | one        | of the entry            | of the order |
 * | one                   | any other  | of the entry            | not known    |
 * | none                  | one        | amount of the order     | of the order |
 * | none                  | any other  | undefined               |              |
 * | several, or not known | any        | undefined               |              |
 */
export function operationRefund(booking: Booking, { earlierRefunds }: RefundsBefore): OperationRefund | undefined {
  const allOrders = refundOrdersOf(booking);
  const entries = newEntries(earlierRefunds.entries, refundsOf(booking));
  if (entries === undefined || entries.length > 1) return undefined;

  const orders = ordersSince(earlierRefunds.orders, allOrders);
  const [entry] = entries;
  const order = orders.length === 1 ? orders[0] : undefined;
  const amount = entry?.amount ?? order?.amount;
  if (amount === undefined) return undefined;

  return { amount, penalty: entry?.penalty, vat: entry?.vat, orderStatus: order && refundStatus(order, allOrders) };
}

/** Finds the entries that were not there before. Undefined if these are not known: an earlier one is missing. */
function newEntries(
  earlier: readonly Pick<StatedRefund, 'amount' | 'penalty'>[],
  all: readonly StatedRefund[],
): readonly StatedRefund[] | undefined {
  const known = pairRows(all, earlier, {
    mayBeSame: (a, b) => sameMoney(a.amount, b.amount) && sameMoney(a.penalty, b.penalty),
    likenesses: [() => true],
    distance: () => 0,
  });

  // An empty list has no new one: the reply left out the earlier ones too.
  const isKnown = all.length === 0 || known.size === earlier.length;
  return isKnown ? all.filter((entry) => !known.has(entry)) : undefined;
}

/** Finds the orders that were not there before an act, of refunds or of payments. None if an earlier one is missing, or has another amount. */
export function ordersSince(earlier: readonly EarlierOrder[], all: readonly Order[]): readonly Order[] {
  // Of an earlier order only id and amount are kept.
  const orders = all.map((order) => ({ id: order.id, amount: order.amount, order }));
  const known = knownBefore(orders, earlier);
  const isKnown = known.size === earlier.length && [...known].every(([now, was]) => sameMoney(now.amount, was.amount));
  return isKnown ? orders.filter((each) => !known.has(each)).map(({ order }) => order) : [];
}

/** A refund that the airline states in another currency than was approved, and the sum that was. */
export interface ForeignRefund {
  readonly approved: Money;
  readonly stated: Money;
}

/** What an operation keeps of the estimate of its refund. */
type ApprovedEstimate = Pick<RefundAmount, 'amount' | 'bounds'>;

/**
 * The refund that was approved: what was estimated, or the most of it, or else what was at stake. Undefined if none of that is known.
 * @param atStake the most that could come back
 */
export function approvedRefund(estimate: ApprovedEstimate | undefined, atStake?: Money): Money | undefined {
  return estimate?.amount ?? estimate?.bounds?.atMost ?? atStake;
}

/** Undefined if the refund is in the currency that was approved, or either is not known. `atStake`: as in {@link approvedRefund}. */
export function foreignRefund(
  stated: Money | undefined,
  estimate: ApprovedEstimate | undefined,
  atStake: Money | undefined,
): ForeignRefund | undefined {
  const approved = approvedRefund(estimate, atStake);
  if (stated === undefined || approved === undefined || stated.currency === approved.currency) return undefined;
  return stated.minor === 0 && approved.minor === 0 ? undefined : { approved, stated };
}

/** The status of a new order. Undefined if an order of the same amount has another one: that may be the new one. */
function refundStatus({ amount, status }: Order, all: readonly Order[]): string | undefined {
  const ordersOfAmount = all.filter((order) => sameMoney(order.amount, amount));
  return ordersOfAmount.every((order) => order.status === status) ? status : undefined;
}

/**
 * Lists the refunds that a booking shows:
 *
 * | orders              | one refund for each | penalty and VAT                                      |
 * | ------------------- | ------------------- | ---------------------------------------------------- |
 * | some have an amount | order with amount   | of the entry of that amount, if there is one of each |
 * | none has an amount  | entry               | of the entry                                         |
 */
export function refundsShown(booking: Booking): readonly OperationRefund[] {
  const entries = refundsOf(booking);
  const orders = refundOrdersOf(booking).flatMap(({ amount, status }) =>
    amount === undefined ? [] : [{ amount, orderStatus: status }],
  );
  if (orders.length === 0) return entries;

  return orders.map((order) => {
    const hasItsAmount = ({ amount }: { readonly amount: Money }) => sameMoney(amount, order.amount);
    const [entry, ...otherEntries] = entries.filter(hasItsAmount);
    const isCertain = otherEntries.length === 0 && orders.filter(hasItsAmount).length === 1;
    return isCertain ? { ...entry, ...order } : order;
  });
}

/** Sums up the refunds of a booking. `kept` is known only if the entries cover all refunds, and each states it. */
export function refundSums(booking: Booking): { readonly refunded?: Money; readonly kept?: Money } {
  const entries = refundsOf(booking);
  const refunded = sumMoney(refundsShown(booking).map(({ amount }) => amount));
  const inEntries = sumMoney(entries.map(({ amount }) => amount));
  const coversAll = sameMoney(inEntries, refunded);
  return { refunded, kept: coversAll ? sumIfAllKnown(entries.map(amountKept)) : undefined };
}

/**
 * What the airline has still to pay out: its refund orders that are pending. Nothing if it refunds nothing. Undefined where an order
 * does not say its amount or a status that is known, or a refund has no order.
 */
export function refundStillToCome(booking: Booking): Money | undefined {
  const total = booking.pricing?.total?.total;
  const none = total && { minor: 0, currency: total.currency };
  if (!hasRefund(booking)) return none;

  const orders = refundOrdersOf(booking);
  if (orders.length === 0 || orders.some(({ amount, status = '' }) => !amount || !/^(?:PAID|PENDING)$/.test(status)))
    return undefined;

  const [first] = orders;
  const nothing = { minor: 0, currency: first?.amount?.currency ?? '' };
  return sumMoney([nothing, ...orders.flatMap(({ amount, status }) => (status === 'PENDING' && amount) || [])]);
}

/** What the airline keeps of a refund: its penalty, and the VAT on it. Undefined if it states no penalty. */
export function amountKept({ penalty, vat }: Pick<StatedRefund, 'penalty' | 'vat'>): Money | undefined {
  if (penalty === undefined) return undefined;
  return sumMoney(vat === undefined ? [penalty] : [penalty, vat]);
}
