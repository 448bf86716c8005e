/**
 * Finds the same segment, coupon or order in two readings, in this order: pointers can be renumbered, trains retimed or
 * replaced, a new ticket can replace the old one, and a refund can be in the price before its order is shown.
 */
import { DAY_MS, instantOf, MINUTE_MS } from '../../core/times.ts';
import type { KeptCoupon, KeptOrder, KeptReading, KeptSegment } from './kept-reading.ts';
import { couponCounts } from './status-codes.ts';

/** Digits without leading zeros. */
export function digitsOnly(number: string): string {
  return number.replace(/\D/g, '').replace(/^0+/, '');
}

/** Whether two times, as sent, are less than a minute apart; as texts where one of them is no time. */
export function isSameTime(time: string, other: string): boolean {
  const [a, b] = [instantOf(time), instantOf(other)];
  return a === undefined || b === undefined ? time === other : Math.abs(a - b) < MINUTE_MS;
}

/** Milliseconds between two departures; a day if they cannot be compared. */
function timeBetween(segment: KeptSegment, other: KeptSegment): number {
  const [a, b] = [instantOf(segment.departs), instantOf(other.departs)];
  if (a !== undefined && b !== undefined) return Math.abs(a - b);
  return segment.departs === other.departs ? 0 : DAY_MS;
}

type SegmentLikeness = (segment: KeptSegment, other: KeptSegment) => boolean;

const sameNumber: SegmentLikeness = (segment, other) => digitsOnly(segment.number) === digitsOnly(other.number);

/** When two segments between the same stations are one, from certain to likely. */
const SEGMENT_LIKENESS: readonly SegmentLikeness[] = [
  (was, now) => sameNumber(was, now) && timeBetween(was, now) < MINUTE_MS && was.class === now.class,
  (was, now) => sameNumber(was, now) && timeBetween(was, now) < MINUTE_MS,
  (was, now) => sameNumber(was, now) && timeBetween(was, now) <= DAY_MS,
  (was, now) => timeBetween(was, now) <= DAY_MS,
];

export interface Pairs {
  /** For each segment of the later reading, the same one before. */
  readonly before: readonly (KeptSegment | undefined)[];
  /** Segments of the earlier reading that the later one does not have. */
  readonly gone: readonly KeptSegment[];
}

/** Pairs the segments of two readings: the certain pairs first, each segment once. */
export function pairSegments(before: readonly KeptSegment[], after: readonly KeptSegment[]): Pairs {
  const pairs: (KeptSegment | undefined)[] = after.map(() => undefined);
  let unpaired = [...before];
  for (const isLike of SEGMENT_LIKENESS) {
    after.forEach((segment, i) => {
      if (pairs[i] !== undefined) return;
      const likely = unpaired
        .filter(
          (candidate) => candidate.from === segment.from && candidate.to === segment.to && isLike(candidate, segment),
        )
        .sort((a, b) => timeBetween(a, segment) - timeBetween(b, segment));
      pairs[i] = likely[0];
      unpaired = unpaired.filter((candidate) => candidate !== likely[0]);
    });
  }
  return { before: pairs, gone: unpaired };
}

type CouponLikeness = (coupon: KeptCoupon, other: KeptCoupon) => boolean;

/** When two coupons of one segment are of one traveller, from certain to likely: a changed name is another digest. */
const COUPON_LIKENESS: readonly CouponLikeness[] = [
  (was, now) => was.who !== undefined && was.who === now.who,
  (was, now) => was.seat !== undefined && was.seat === now.seat,
  () => true,
];

/**
 * Maps each earlier coupon to the later one in its place: the same one while it is valid, else the new one of the same
 * passenger, else the same one. Has no entry if the later reading shows neither.
 */
export function couponHeirs(before: KeptReading, after: KeptReading): ReadonlyMap<KeptCoupon, KeptCoupon> {
  const pairs = pairSegments(before.segments, after.segments);
  const isSameSegment: CouponLikeness = (earlier, later) => {
    const segment = before.segments[earlier.segment ?? -1];
    return segment !== undefined && pairs.before[later.segment ?? -1] === segment;
  };
  const earlierById = new Map(before.coupons.map((coupon) => [coupon.id, coupon]));
  const sameLater = new Map(after.coupons.map((later) => [earlierById.get(later.id), later]));
  const newCoupons = new Set(after.coupons.filter(({ id }) => !earlierById.has(id)));
  const heirs = new Map<KeptCoupon, KeptCoupon>();
  const withoutValid = before.coupons.filter((earlier) => {
    const later = sameLater.get(earlier);
    if (later !== undefined) heirs.set(earlier, later);
    return couponCounts(earlier.status) && (later === undefined || !couponCounts(later.status));
  });
  const unmatched = new Set(withoutValid);
  for (const isLike of COUPON_LIKENESS) {
    for (const earlier of unmatched) {
      const heir = [...newCoupons].find((other) => isSameSegment(earlier, other) && isLike(earlier, other));
      if (heir === undefined) continue;
      heirs.set(earlier, heir);
      newCoupons.delete(heir);
      unmatched.delete(earlier);
    }
  }
  return heirs;
}

/**
 * Gives coupons their earlier status if they are exchanged and no new one is shown: just after an operation, the airline
 * can show half of an exchange.
 */
export function withUnfinished(before: KeptReading, reading: KeptReading): KeptReading {
  const heirs = couponHeirs(before, reading);
  const unfinished = new Map(
    before.coupons.flatMap((was) => {
      const now = heirs.get(was);
      const isHalf = now !== undefined && (now.status === 'E' || now.status === 'X') && couponCounts(was.status);
      return isHalf ? [[now, was.status] as const] : [];
    }),
  );
  if (unfinished.size === 0) return reading;
  const coupons = reading.coupons.map((coupon): KeptCoupon => {
    return unfinished.has(coupon) ? { ...coupon, status: unfinished.get(coupon) } : coupon;
  });
  return { ...reading, coupons };
}

/** Whether the reading leaves out the segment's code and shows that its tickets were refunded. */
export function isRefundedIn(now: KeptSegment, { segments, coupons }: KeptReading): boolean {
  const index = segments.indexOf(now);
  const itsCoupons = coupons.filter(({ segment }) => segment === index);
  return now.status === undefined && itsCoupons.length > 0 && itsCoupons.every(({ status }) => status === 'R');
}

type OrderLikeness = (order: KeptOrder, other: KeptOrder) => boolean;

/** Which of several orders that may be the same one is taken, from certain to likely. */
const ORDER_LIKENESS: readonly OrderLikeness[] = [
  (was, now) => was.id === now.id && was.status === now.status,
  (was, now) => was.status === now.status,
  () => true,
];

/** Whether two orders may be the same one: by their ids, else by direction and amount. */
function mayBeSameOrder(order: KeptOrder, other: KeptOrder): boolean {
  if (order.id !== undefined && other.id !== undefined) return order.id === other.id;
  const [a, b] = [order.amount, other.amount];
  return order.direction === other.direction && a?.minor === b?.minor && a?.currency === b?.currency;
}

/** Finds the same order before for each order of a reading: the certain pairs first, each order once. */
function pairOrders(before: readonly KeptOrder[], after: readonly KeptOrder[]): readonly (KeptOrder | undefined)[] {
  const pairs: (KeptOrder | undefined)[] = after.map(() => undefined);
  const unpaired = new Set(before);
  for (const isLike of ORDER_LIKENESS) {
    for (const [i, order] of after.entries()) {
      if (pairs[i] !== undefined) continue;
      const pair = [...unpaired].find((candidate) => mayBeSameOrder(candidate, order) && isLike(candidate, order));
      if (pair === undefined) continue;
      pairs[i] = pair;
      unpaired.delete(pair);
    }
  }
  return pairs;
}

/** Completes the orders of a reading with what was known of them: their status, and since when they are PENDING. */
export function knownOrders(before: readonly KeptOrder[], after: readonly KeptOrder[]): readonly KeptOrder[] {
  const pairs = pairOrders(before, after);
  return after.map((order, i) => {
    const earlierOrder = pairs[i];
    const pendingSince = earlierOrder?.pendingSince ?? order.pendingSince;
    const status = order.status ?? earlierOrder?.status;
    if (status !== 'PENDING' || pendingSince === undefined) return order;
    return { ...order, status, pendingSince };
  });
}

export const isRefund = ({ direction }: KeptOrder): boolean => direction === 'REFUND';

interface NewRefunds {
  /** For each refund order the same one before. */
  readonly pairs: readonly (KeptOrder | undefined)[];
  /** The orders of new refunds; there can be fewer of them than new refunds. */
  readonly newOrders: readonly KeptOrder[];
  /** How many refunds are new, by orders or by price: either may leave some out. */
  readonly newCount: number;
  /** How many refunds have shown no order in any reading. */
  readonly withoutOrder: number;
}

/**
 * Finds the refunds that a reading shows and the one before did not. Of a booking with a payment order:
 * - the price states a refund, and no order is new: one new refund, without order;
 * - the next reading shows its order: no new refund, because that order was expected;
 * - two refund orders are new and expected by none: two new refunds, whatever the price says.
 */
export function newRefunds(before: KeptReading, after: KeptReading): NewRefunds {
  const earlierOrders = before.orders.filter(isRefund);
  const orders = after.orders.filter(isRefund);
  const pairs = pairOrders(earlierOrders, orders);
  const unpairedOrders = orders.filter((_, i) => pairs[i] === undefined);
  // Refunds that are known from the price: their orders come first among the unpaired ones.
  const expectedOrders = before.refundsWithoutOrder ?? 0;
  const newOrders = unpairedOrders.slice(expectedOrders);
  const newCount = countNewRefunds(before, after, orders.length - earlierOrders.length - expectedOrders);
  const withoutOrder = Math.max(0, expectedOrders - unpairedOrders.length) + Math.max(0, newCount - newOrders.length);
  return { pairs, newOrders, newCount, withoutOrder };
}

/**
 * Counts the refunds that are new: by the orders if these show any, else by the price.
 * @param moreOrders how many refund orders there are more than before, without the expected ones
 */
function countNewRefunds(before: KeptReading, after: KeptReading, moreOrders: number): number {
  // No earlier reading showed money, so that nothing can be called new.
  if (before.refunds === undefined) return 0;
  // A paid booking has a payment order: a reading without any left them out, so that their number proves nothing.
  if (before.orders.length > 0 && moreOrders > 0) return moreOrders;
  const moreInPrice = (after.refunds ?? 0) - before.refunds;
  // A price can list one refund in several parts.
  return moreInPrice > 0 ? 1 : 0;
}
