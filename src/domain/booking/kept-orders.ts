/** Payments and refunds of a booking from one reading to the next. */
import type { KeptOrder, KeptReading } from './kept-reading.ts';

/** The same order in another reading: by its id, else by direction and amount. */
function sameOrder(order: KeptOrder, other: KeptOrder): boolean {
  if (order.id !== undefined && other.id !== undefined) return order.id === other.id;
  const [a, b] = [order.amount, other.amount];
  return order.direction === other.direction && a?.minor === b?.minor && a?.currency === b?.currency;
}

/** For each order of a reading the same one before, each of them once. Of several alike, the one in the same status. */
function pairOrders(before: readonly KeptOrder[], after: readonly KeptOrder[]): readonly (KeptOrder | undefined)[] {
  const found: (KeptOrder | undefined)[] = after.map(() => undefined);
  const left = new Set(before);
  const likeness: ((keptOrder: KeptOrder, other: KeptOrder) => boolean)[] = [
    (one, other) => one.id === other.id && one.status === other.status,
    (one, other) => one.status === other.status,
    () => true,
  ];
  for (const isLike of likeness) {
    after.forEach((order, i) => {
      found[i] ??= [...left].find((one) => sameOrder(one, order) && isLike(one, order));
      const pair = found[i];
      if (pair !== undefined) left.delete(pair);
    });
  }
  return found;
}

export const isRefund = ({ direction }: KeptOrder): boolean => direction === 'REFUND';

interface NewRefunds {
  /** For each refund order the same one before. */
  readonly pairs: readonly (KeptOrder | undefined)[];
  /** Those that were not there before, and whose refunds the price did not show before. */
  readonly fresh: readonly KeptOrder[];
  /** How many refunds there are more, by orders or by price: one of these may leave some out. */
  readonly more: number;
  /** Of how many refunds no reading has shown the order. */
  readonly withoutOrder: number;
}

export function newRefunds(before: KeptReading, after: KeptReading): NewRefunds {
  const [earlier, orders] = [before.orders.filter(isRefund), after.orders.filter(isRefund)];
  const pairs = pairOrders(earlier, orders);
  const unpaired = orders.filter((_, i) => pairs[i] === undefined);
  const awaited = before.refundsWithoutOrder ?? 0;
  const ordered = before.orders.length > 0 ? orders.length - earlier.length - awaited : 0;
  const stated = before.refunds === undefined ? 0 : (after.refunds ?? 0) - before.refunds;
  const counted = ordered > 0 ? ordered : Math.min(stated, 1);
  const more = before.refunds === undefined ? 0 : Math.max(0, counted);
  const fresh = unpaired.slice(awaited);
  const withoutOrder = Math.max(0, awaited - unpaired.length) + Math.max(0, more - fresh.length);
  return { pairs, fresh, more, withoutOrder };
}

export function knownOrders(before: readonly KeptOrder[], after: readonly KeptOrder[]): readonly KeptOrder[] {
  const pairs = pairOrders(before, after);
  return after.map((order, i) => {
    const known = pairs[i];
    const pendingSince = known?.pendingSince ?? order.pendingSince;
    const status = order.status ?? known?.status;
    if (status !== 'PENDING' || pendingSince === undefined) return order;
    return { ...order, status, pendingSince };
  });
}
