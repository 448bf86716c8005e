/**
 * Finds the same coupon or order in an earlier and a later reading, and completes coupons and orders with it. The
 * airline's own pointers do not last: a new ticket can replace the old one, and a refund can be in the price before its order is shown.
 *
 * In this order: coupons, orders, refunds. pair.ts finds the same flight.
 */
import { type Money, sameMoney, sumMoney } from '../../core/money.ts';
import { type PairingRules, pairRows } from '../../core/own.ts';
import { dateOf } from '../../core/times.ts';
import type { Booking, Order } from '../booking/booking.ts';
import { couponCounts } from '../booking/status-codes.ts';
import { isOtherIn } from './differ.ts';
import type { KeptSegment } from './flight-rows.ts';
import type { KeptCoupon, KeptOrder, KeptReading } from './kept-reading.ts';
import { type EarlierSegments, findEarlierSegments } from './pair.ts';

/** Makes {@link pairRows} take the first of several candidates. */
const firstListed = () => 0;

/** Whether the reading leaves out the segment's code and shows that its tickets were refunded. */
export function isRefundedIn(shown: KeptSegment, { segments, coupons }: KeptReading): boolean {
  const index = segments.indexOf(shown);
  const itsCoupons = coupons.filter(({ segment }) => segment === index);
  return shown.status === undefined && itsCoupons.length > 0 && itsCoupons.every(({ status }) => status === 'R');
}

/** What shows that two coupons of one segment are of one passenger: a changed name is another digest. */
const SAME_PASSENGER: PairingRules<KeptCoupon>['likenesses'] = [
  (a, b) => a.who !== undefined && a.who === b.who,
  (a, b) => a.seat !== undefined && a.seat === b.seat,
  () => true,
];

/**
 * Maps each earlier coupon to the later one in its place:
 *
 * | earlier coupon | the later reading shows         | in its place |
 * | -------------- | ------------------------------- | ------------ |
 * | A, valid       | A, valid                        | A            |
 * | A, valid       | A, exchanged, and a new B       | B            |
 * | A, valid       | A, exchanged, and no new coupon | A            |
 * | A, valid       | a new B, not A                  | B            |
 * | A, exchanged   | A                               | A            |
 * | A              | neither A nor a new coupon      | no entry     |
 *
 * B is a new coupon on the same segment, of the same passenger if the two show that. Exchanged stands for every status
 * in which a coupon is no longer valid.
 */
export function couponHeirs(earlier: KeptReading, later: KeptReading): ReadonlyMap<KeptCoupon, KeptCoupon> {
  const earlierById = new Map(earlier.coupons.map((coupon) => [coupon.id, coupon]));
  const sameCoupons = new Map<KeptCoupon, KeptCoupon>();
  for (const coupon of later.coupons) {
    const was = earlierById.get(coupon.id);
    if (was !== undefined) sameCoupons.set(was, coupon);
  }

  const isValid = (coupon: KeptCoupon | undefined) => coupon !== undefined && couponCounts(coupon.status);
  const endedCoupons = earlier.coupons.filter((coupon) => isValid(coupon) && !isValid(sameCoupons.get(coupon)));
  const newCoupons = later.coupons.filter(({ id }) => !earlierById.has(id));
  if (endedCoupons.length === 0 || newCoupons.length === 0) return sameCoupons;

  const earlierSegments = findEarlierSegments(earlier.segments, later.segments);
  const successors = pairRows(endedCoupons, newCoupons, {
    mayBeSame: (ended, candidate) => {
      const segment = segmentAt(earlier.segments, ended);
      return segment !== undefined && segment === segmentAt(earlierSegments, candidate);
    },
    likenesses: SAME_PASSENGER,
    distance: firstListed,
  });

  return new Map([...sameCoupons, ...successors]);
}

/** The segment in a list that a coupon names by its index. */
export function segmentAt(segments: EarlierSegments, { segment }: KeptCoupon): KeptSegment | undefined {
  return segment === undefined ? undefined : segments[segment];
}

/**
 * The coupons that the reading shows, completed with what was known; those known before if it shows none. A reading without passengers
 * does not say whose coupons it leaves out: a later one may show that they left.
 */
export function knownCoupons(
  expected: KeptReading,
  shown: KeptReading,
  earlierSegments: EarlierSegments,
): readonly KeptCoupon[] {
  const expectedCoupons = expected.coupons.map((coupon) => moveCoupon(coupon, expected, shown, earlierSegments));
  if (shown.coupons.length === 0) return expectedCoupons;

  const expectedById = new Map(expectedCoupons.map((coupon) => [coupon.id, coupon]));
  const completed = shown.coupons.map((coupon) => {
    const expectedCoupon = expectedById.get(coupon.id);
    return {
      ...coupon,
      status: coupon.status ?? expectedCoupon?.status,
      seat: coupon.seat ?? expectedCoupon?.seat,
      who: coupon.who ?? expectedCoupon?.who,
    };
  });
  if (shown.persons !== undefined) return completed;

  const shownIds = new Set(completed.map(({ id }) => id));
  return [...completed, ...expectedCoupons.filter(({ id }) => !shownIds.has(id))];
}

/**
 * Points an expected coupon at its segment in the new reading:
 *
 * | its segment                        | index of the segment | seat      |
 * | ---------------------------------- | -------------------- | --------- |
 * | was not known                      | unchanged            | unchanged |
 * | is gone                            | absent               | absent    |
 * | is in the new reading              | the new one          | unchanged |
 * | is in the new reading, other seats | the new one          | absent    |
 */
function moveCoupon(
  coupon: KeptCoupon,
  expected: KeptReading,
  shown: KeptReading,
  earlierSegments: EarlierSegments,
): KeptCoupon {
  const was = segmentAt(expected.segments, coupon);
  if (was === undefined) return coupon;

  const { segment: _oldIndex, seat, ...withoutPlace } = coupon;
  const newIndex = earlierSegments.indexOf(was);
  const now = shown.segments[newIndex];
  if (now === undefined) return withoutPlace;

  return { ...withoutPlace, segment: newIndex, seat: hasOtherSeats(was, now) ? undefined : seat };
}

/**
 * Whether seats known before are no longer true. A seat is of one flight and class:
 *
 * | class            | number  | departure                         | other seats |
 * | ---------------- | ------- | --------------------------------- | ----------- |
 * | another          | any     | any                               | yes         |
 * | same, or unknown | same    | another date                      | yes         |
 * | same, or unknown | same    | same time, or only retimed        | no          |
 * | same, or unknown | another | same time: only the number is new | no          |
 * | same, or unknown | another | another time                      | yes         |
 */
function hasOtherSeats(was: KeptSegment, now: KeptSegment): boolean {
  const isOther = isOtherIn(was, now);
  if (isOther('bookingClass')) return true;
  if (isOther('number')) return isOther('departs');
  return dateOf(was.departs ?? '') !== dateOf(now.departs ?? '');
}

/** `E` exchanged and `X` print exchange: another coupon follows. */
const EXCHANGED: ReadonlySet<string | undefined> = new Set(['E', 'X']);

/**
 * Gives coupons their earlier status if they are exchanged and no new one is shown: just after an operation, the airline
 * can show half of an exchange.
 */
export function withoutHalfExchanges(earlier: KeptReading, later: KeptReading): KeptReading {
  const heirs = couponHeirs(earlier, later);
  const earlierStatus = new Map<KeptCoupon, string | undefined>();
  for (const coupon of earlier.coupons) {
    const heir = heirs.get(coupon);
    const isHalf = heir !== undefined && EXCHANGED.has(heir.status) && couponCounts(coupon.status);
    if (isHalf) earlierStatus.set(heir, coupon.status);
  }

  if (earlierStatus.size === 0) return later;

  const coupons = later.coupons.map((coupon): KeptCoupon => {
    return earlierStatus.has(coupon) ? { ...coupon, status: earlierStatus.get(coupon) } : coupon;
  });
  return { ...later, coupons };
}

/** What an order and its booking show, whether it is kept or read just now. */
interface AnyOrder extends Pick<KeptOrder, 'id' | 'direction' | 'status' | 'amount'> {
  /** Not kept. */
  readonly action?: string | undefined;
}
interface WithOrders<Order extends AnyOrder> {
  readonly orders: readonly Order[];
  readonly total?: Money | undefined;
}

/** The orders of a booking as it was read, with the total that it has. */
export const ordersIn = ({ orders, pricing }: Pick<Booking, 'orders' | 'pricing'>): WithOrders<Order> => ({
  orders,
  total: pricing?.total?.total,
});

/**
 * Finds each order of a reading among those of before: by its content and by its id, because an airline may number orders anew. An order
 * that is not found is new.
 * @param comparesSum false where what was paid is divided among two bookings
 */
export function knownBefore<Now extends AnyOrder, Was extends AnyOrder>(
  orders: readonly Now[],
  before: readonly Was[],
  comparesSum = true,
): ReadonlyMap<Now, Was> {
  const isSameId = ({ id: a }: AnyOrder, { id: b }: AnyOrder) => a !== undefined && a === b;
  const isSameStatus = ({ status: a }: AnyOrder, { status: b }: AnyOrder) => a === b;
  const isSameAct = ({ action: a }: AnyOrder, { action: b }: AnyOrder) => a === undefined || b === undefined || a === b;
  const isSameContent = (a: AnyOrder, b: AnyOrder) =>
    isRefund(a) === isRefund(b) && (!comparesSum || mayBeSameSum(a, b)) && isSameAct(a, b);

  return pairRows(orders, before, {
    mayBeSame: (a, b) => isSameId(a, b) || isSameContent(a, b),
    likenesses: [
      (a, b) => isSameId(a, b) && isSameContent(a, b) && isSameStatus(a, b),
      (a, b) => isSameId(a, b) && isSameContent(a, b),
      (a, b) => isSameContent(a, b) && isSameStatus(a, b),
      isSameContent,
      isSameId,
    ],
    distance: firstListed,
  });
}

/** Completes the orders of a reading with what was known of them: their status, and since when they are PENDING. */
export function knownOrders(earlier: readonly KeptOrder[], later: readonly KeptOrder[]): readonly KeptOrder[] {
  const earlierOrders = knownBefore(later, earlier);
  return later.map((order) => {
    const earlierOrder = earlierOrders.get(order);
    const status = order.status ?? earlierOrder?.status;
    if (status === undefined) return order;
    if (status !== 'PENDING') return { ...order, status };
    return { ...order, status, pendingSince: earlierOrder?.pendingSince ?? order.pendingSince };
  });
}

export const isRefund = ({ direction }: Pick<KeptOrder, 'direction'>): boolean => direction === 'REFUND';

/** Whether two orders are of one sum, as far as both say it. */
const mayBeSameSum = ({ amount: a }: Pick<KeptOrder, 'amount'>, { amount: b }: Pick<KeptOrder, 'amount'>): boolean =>
  a === undefined || b === undefined || sameMoney(a, b);

/** Whether an order has the same sum, status and direction, as far as both readings say it. The sum is looked at if `comparesSum`. */
export function isSameOrder(was: KeptOrder, now: KeptOrder, comparesSum: boolean): boolean {
  const isSameSum = !comparesSum || mayBeSameSum(was, now);
  return isSameSum && isRefund(was) === isRefund(now) && (now.status ?? was.status) === was.status;
}

/** Orders to pay the airline. Leaves out those of zero, which other acts make, such as a change of names. */
const paymentsIn = <Order extends AnyOrder>(orders: readonly Order[]): readonly Order[] =>
  orders.filter((order) => !isRefund(order) && order.amount?.minor !== 0);

/**
 * Finds orders to pay that a reading shows and the one before did not. An airline may divide one; the only one, of
 * the total, is that of the booking. Where the reading before lists no order at all, nothing can be called new.
 * @param comparesSum as for {@link knownBefore}
 */
export function addedOrders<Order extends AnyOrder>(
  { orders: before }: WithOrders<AnyOrder>,
  { orders, total }: WithOrders<Order>,
  comparesSum = true,
): readonly Order[] {
  const earlier = paymentsIn(before);
  const later = paymentsIn(orders);
  const isOfBooking = later.length === 1 && sameMoney(later[0]?.amount, total);
  if (before.length === 0 || isDivided(earlier, later) || isOfBooking) return [];

  const known = knownBefore(later, earlier, comparesSum);
  return later.filter((order) => !known.has(order));
}

/** Whether the same sum is in more or fewer orders. */
export function isDivided(before: readonly AnyOrder[], now: readonly AnyOrder[]): boolean {
  const sum = sumOf(before);
  return sum !== undefined && before.length !== now.length && sameMoney(sum, sumOf(now));
}

const sumOf = (orders: readonly AnyOrder[]): Money | undefined => {
  const amounts = orders.flatMap(({ amount }) => amount ?? []);
  return amounts.length < orders.length ? undefined : sumMoney(amounts);
};

/**
 * Says which new order is of an act of ours: one, of at most the approved sum, unless the act paid one that was there before. `isShown`:
 * the reading shows what the act paid.
 * @param atMost `any`: the cost was not known when it was approved. Absent: the act pays nothing
 */
export function ordersOfAct<Order extends AnyOrder>(
  before: WithOrders<AnyOrder>,
  now: WithOrders<Order>,
  atMost: Money | 'any' | undefined,
) {
  const added = addedOrders(before, now);
  const paid = (orders: readonly AnyOrder[]) => paymentsIn(orders).filter(({ status }) => status === 'PAID').length;
  const isPaidNow = paid(now.orders.filter((order) => !added.includes(order))) > paid(before.orders);

  const isWithin = ({ amount }: Order) =>
    atMost === 'any' || amount === undefined || (amount.currency === atMost?.currency && amount.minor <= atMost.minor);
  const exact = added.find(({ amount }) => atMost !== 'any' && sameMoney(amount, atMost));
  const own = isPaidNow || atMost === undefined ? undefined : (exact ?? added.find(isWithin));
  const ours = own === undefined ? [] : [own];
  return { ours, others: added.filter((order) => order !== own), isShown: isPaidNow || ours.length > 0 };
}

/**
 * Finds the refunds that a reading shows and the one before did not. Of a booking with a payment order:
 * - the price states a refund, and no order is new: one new refund, without order;
 * - the next reading shows its order: no new refund, because that order was expected;
 * - two refund orders are new and expected by none: two new refunds, whatever the price says;
 * - the same sum is in another number of orders: no new refund.
 *
 * Gives the orders of new refunds, of which there can be fewer than `newCount`; how many refunds have shown no order in any reading; and, by
 * refund order of the later reading, the same order in the earlier one.
 */
export function newRefunds(earlier: KeptReading, later: KeptReading) {
  const refundsBefore = earlier.orders.filter(isRefund);
  const refunds = later.orders.filter(isRefund);
  const earlierOrders = knownBefore(refunds, refundsBefore);

  const areDivided = isDivided(refundsBefore, refunds);
  const unpairedOrders = areDivided ? [] : refunds.filter((order) => !earlierOrders.has(order));

  // Refunds that are known from the price: their orders come first among the unpaired ones.
  const expectedOrders = earlier.refundsWithoutOrder ?? 0;
  const newOrders = unpairedOrders.slice(expectedOrders);

  const moreOrders = refunds.length - refundsBefore.length - expectedOrders;
  const newCount = areDivided ? 0 : countNewRefunds(earlier, later, moreOrders);
  const withoutOrder = Math.max(0, expectedOrders - unpairedOrders.length) + Math.max(0, newCount - newOrders.length);
  return { newOrders, newCount, withoutOrder, earlierOrders };
}

/**
 * Counts the refunds that are new: by the orders if these show any, else by the price.
 * @param moreOrders how many refund orders there are more than before, without the expected ones
 */
function countNewRefunds(earlier: KeptReading, later: KeptReading, moreOrders: number): number {
  // No earlier reading showed money, so that nothing can be called new.
  if (earlier.refunds === undefined) return 0;
  // A paid booking has a payment order: a reading without any left them out, so that their number proves nothing.
  if (earlier.orders.length > 0 && moreOrders > 0) return moreOrders;
  const moreInPrice = (later.refunds ?? 0) - earlier.refunds;
  // A price can list one refund in several parts.
  return moreInPrice > 0 ? 1 : 0;
}
