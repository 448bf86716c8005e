/**
 * Compares a reading of a booking with what was known before: what is known now, and what the airline changed. Compares
 * only what both show: a missing field, other pointers and another order of rows are no change. Ignores unknown codes.
 *
 * Three readings have the same names in every function:
 * - `expected`: the earlier reading, with what our own operations changed since;
 * - `shown`: the new reading, which can lack fields;
 * - `known`: the new reading, completed with what `expected` knew.
 *
 * The comparison comes first, in the order of its steps; the completion of a reading follows.
 */
import { formatMoney, type Money } from '../../core/money.ts';
import { DAY_MS, dateOf, instantOf, latestTime, MINUTE_MS } from '../../core/times.ts';
import type { BookingState } from './booking-state.ts';
import { couponChanges, type Difference, segmentChanges } from './compare-segments.ts';
import { digitsOnly } from './expected-change.ts';
import type { FindingFacts, MovedDeadline } from './finding.ts';
import {
  isLost,
  isUnpaid,
  type KeptCoupon,
  type KeptOrder,
  type KeptReading,
  type KeptSegment,
} from './kept-reading.ts';
import { type OperationEffects, withOperationEffects } from './operation-effects.ts';
import {
  type EarlierSegments,
  findEarlierSegments,
  isRefund,
  isSameTime,
  knownOrders,
  newRefunds,
} from './pair-readings.ts';
import { orderStatus } from './status-codes.ts';

interface ComparingRules {
  /** How long a refund may be PENDING before that is a finding, milliseconds. */
  readonly refundMs: number;
}

export const DEFAULT_RULES: ComparingRules = { refundMs: 14 * DAY_MS };

/** Changes of a segment that move deadlines too. */
const MOVES_DEADLINES: ReadonlySet<string> = new Set([
  'retimed',
  'number_changed',
  'schedule_change',
  'segment_cancelled',
  'segment_restored',
  'class_changed',
]);
/** Changes that still matter after the departure. */
const OUTLASTS_DEPARTURE: ReadonlySet<string> = new Set([
  'refunded',
  'refund_pending',
  'refund_arrived',
  'segment_cancelled',
]);
/** How far the airline's clock may be ahead of ours, milliseconds. */
const CLOCK_DIFFERENCE_MS = 2 * MINUTE_MS;

interface ComparedReadings {
  readonly known: KeptReading;
  readonly differences: readonly Difference[];
}

/** Compares a reading with the one before, after applying to that one what our own operations changed. */
export function compareReadings(
  before: KeptReading,
  reading: KeptReading,
  rules: ComparingRules = DEFAULT_RULES,
  operations: readonly OperationEffects[] = [],
): ComparedReadings {
  const { before: expected, reading: shown, spent } = withOperationEffects(before, reading, operations);
  // A reading without segments left them out. The expected ones stay known, so each of them is paired with itself.
  const knownSegments = shown.segments.length === 0 ? expected.segments : shown.segments;
  const earlierSegments = findEarlierSegments(expected.segments, knownSegments);
  const completed = completeReading(expected, shown, earlierSegments);
  const differences = differencesBetween(expected, completed, earlierSegments, rules);
  const hasMoved = differences.some(({ kind }) => MOVES_DEADLINES.has(kind));
  const known = hasMoved ? withLimitsOf(completed, shown) : completed;
  return { known: spent.length > 0 ? { ...known, spent } : known, differences };
}

/** After segments moved, their limits did too: only limits that the new reading shows are compared with the next one. */
function withLimitsOf(known: KeptReading, { namesUntil, cancelUntil }: KeptReading): KeptReading {
  return { ...known, namesUntil, cancelUntil };
}

function differencesBetween(
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
  rules: ComparingRules,
): readonly Difference[] {
  if (hasLapsed(expected, known)) return [];
  const segments = segmentChanges(expected, known, earlierSegments);
  const differences = [
    ...withDeadlines(segments, movedDeadlines(expected, known)),
    ...bookingDifferences(expected, known, segments),
    ...couponChanges(expected, known, earlierSegments),
    ...orderChanges(expected, known, rules),
  ];
  return differences.map((difference) => ({
    ...difference,
    departsAt: difference.departsAt ?? bookingDepartsAt(difference.kind, expected, known),
  }));
}

/** Adds moved deadlines to the change of a segment that explains them; without one, each is a difference of its own. */
function withDeadlines(segments: readonly Difference[], deadlines: readonly MovedDeadline[]): readonly Difference[] {
  if (deadlines.length === 0) return segments;
  const explaining = segments.findIndex(({ kind }) => MOVES_DEADLINES.has(kind));
  if (explaining >= 0) return segments.map((segment, i) => (i === explaining ? { ...segment, deadlines } : segment));
  return [...segments, ...deadlines.map((deadline): Difference => ({ kind: 'deadline_moved', deadlines: [deadline] }))];
}

/** When a finding about the whole booking closes: at its last departure. */
function bookingDepartsAt(kind: Difference['kind'], expected: KeptReading, known: KeptReading): number | undefined {
  if (OUTLASTS_DEPARTURE.has(kind)) return undefined;
  const isCancelled = kind === 'booking_cancelled';
  const { segments } = isCancelled ? expected : known;
  const runningSegments = segments.filter((segment) => !isLost(segment));
  const lastDeparture = instantOf(latestTime(runningSegments.map(({ departs }) => departs)));
  return isCancelled && (lastDeparture ?? 0) <= known.at ? undefined : lastDeparture;
}

/** Whether the airline released an unpaid hold at its time limit, as announced: then nothing is a difference. */
function hasLapsed(expected: KeptReading, known: KeptReading): boolean {
  if (known.state !== 'expired' && known.state !== 'cancelled') return false;
  const limit = instantOf(expected.payBy) ?? Number.POSITIVE_INFINITY;
  return expected.state === 'expired' || (isUnpaid(expected) && limit <= known.at + CLOCK_DIFFERENCE_MS);
}

function movedDeadlines(expected: KeptReading, known: KeptReading): readonly MovedDeadline[] {
  // A payment or a refund changes the rules, and with them the limits.
  if (expected.state !== known.state) return [];
  const isHold = isUnpaid(expected) && isUnpaid(known);
  return [
    ...(isHold ? movedDeadline('pay_by', expected.payBy, known.payBy, known.at) : []),
    ...movedDeadline('names_until', expected.namesUntil, known.namesUntil, known.at),
    ...movedDeadline('cancel_until', expected.cancelUntil, known.cancelUntil, known.at),
  ];
}

function movedDeadline(
  what: MovedDeadline['what'],
  before: string | undefined,
  after: string | undefined,
  now: number,
): readonly MovedDeadline[] {
  if (before === undefined || after === undefined || isSameTime(before, after)) return [];
  // Once a limit has passed, the airline shows the next one in its place: that is no move.
  const hasPassed = (instantOf(before) ?? 0) <= now;
  return hasPassed ? [] : [{ what, before, after }];
}

const amountFacts = (amount: Money | undefined): FindingFacts =>
  amount === undefined ? {} : { amount: formatMoney(amount), currency: amount.currency };

/** Finds another price, passengers who are gone, and a cancelled booking that no segment's change reports. */
function bookingDifferences(
  expected: KeptReading,
  known: KeptReading,
  segments: readonly Difference[],
): readonly Difference[] {
  const differences: Difference[] = [];
  const [oldTotal, newTotal] = [expected.total, known.total];
  // A cancelled segment lowers the price, so prices are compared only while the booking is a hold in both readings.
  const isHold = expected.state === known.state && isUnpaid(expected) && isUnpaid(known);
  if (isHold && oldTotal?.currency === newTotal?.currency && oldTotal?.minor !== newTotal?.minor) {
    differences.push({ kind: 'price_changed', before: amountFacts(oldTotal), after: amountFacts(newTotal) });
  }
  if (expected.passengers > known.passengers && known.passengers > 0) {
    differences.push({
      kind: 'passenger_gone',
      before: { passengers: expected.passengers },
      after: { passengers: known.passengers },
    });
  }
  const isNewlyCancelled = known.state === 'cancelled' && expected.state !== 'cancelled';
  const isReportedBySegment = segments.some(({ kind }) => kind === 'segment_cancelled');
  if (isNewlyCancelled && !isReportedBySegment) {
    differences.push({ kind: 'booking_cancelled', before: { status: expected.state }, after: { status: 'cancelled' } });
  }
  return differences;
}

const orderFacts = ({ amount, status }: KeptOrder): FindingFacts => ({
  ...amountFacts(amount),
  status: status && orderStatus(status),
});

/** Finds refunds that are new, that arrived, or that are PENDING for too long. */
function orderChanges(expected: KeptReading, known: KeptReading, { refundMs }: ComparingRules): readonly Difference[] {
  // Pairs the completed orders, because their status decides: a reading can leave it out.
  const { earlierOrders, newOrders, newCount } = newRefunds(expected, known);
  const changes = Array.from({ length: newCount }, (_, i) => newRefund(newOrders[i]));
  for (const order of known.orders.filter(isRefund)) {
    const earlierOrder = earlierOrders.get(order);
    const after = orderFacts(order);
    if (earlierOrder?.status === 'PENDING' && order.status === 'PAID') {
      changes.push({ kind: 'refund_arrived', before: orderFacts(earlierOrder), after, order: order.id });
    }
    if (order.status === 'PENDING' && known.at - (order.pendingSince ?? known.at) >= refundMs) {
      changes.push({ kind: 'refund_pending', before: {}, after, order: order.id });
    }
  }
  return changes;
}

/** Makes the difference of a new refund. Its order is undefined if only the price shows it. */
function newRefund(order: KeptOrder | undefined): Difference {
  return { kind: 'refunded', before: {}, after: order === undefined ? {} : orderFacts(order), order: order?.id };
}

/**
 * Completes a reading with what was known before and this one does not show: a stripped reply is no change, and the next
 * complete one is compared with what was last seen.
 */
function completeReading(expected: KeptReading, shown: KeptReading, earlierSegments: EarlierSegments): KeptReading {
  const segments = shown.segments.map((segment, i) => completeSegment(earlierSegments[i], segment));
  const leftOutSegments = segments.length === 0;
  const state = knownState(expected.state, shown.state, segments);
  const cancelledAt = expected.state === 'cancelled' ? expected.cancelledAt : shown.at;
  return {
    at: shown.at,
    state,
    segments: leftOutSegments ? expected.segments : segments,
    coupons: leftOutSegments ? expected.coupons : knownCoupons(expected, shown, earlierSegments),
    passengers: shown.passengers || expected.passengers,
    people: shown.passengers > 0 ? shown.people : expected.people,
    orders: shown.orders.length > 0 ? knownOrders(expected.orders, shown.orders) : expected.orders,
    cancelledAt: state === 'cancelled' ? cancelledAt : undefined,
    // A reading that states fewer refunds left some out.
    refunds: largerCount(expected.refunds, shown.refunds),
    refundsWithoutOrder: newRefunds(expected, shown).withoutOrder || undefined,
    payBy: shown.payBy ?? expected.payBy,
    ...knownLimits(expected, shown, earlierSegments),
    total: shown.total ?? expected.total,
  };
}

function largerCount(count: number | undefined, other: number | undefined): number | undefined {
  return count === undefined || other === undefined ? (other ?? count) : Math.max(count, other);
}

/** Limits move with their segments: a reading that leaves out something of those does not show why a limit moved. */
function knownLimits(
  expected: KeptReading,
  shown: KeptReading,
  earlierSegments: EarlierSegments,
): Pick<KeptReading, 'namesUntil' | 'cancelUntil'> {
  const { namesUntil, cancelUntil } = expected;
  if (!showsWholeSegments(shown.segments, earlierSegments)) return { namesUntil, cancelUntil };
  return { namesUntil: shown.namesUntil ?? namesUntil, cancelUntil: shown.cancelUntil ?? cancelUntil };
}

/** Whether the reading shows segments, with every code and class that was known of them. */
function showsWholeSegments(segments: readonly KeptSegment[], earlierSegments: EarlierSegments): boolean {
  const isLeftOut = (shown: string | undefined, expected: string | undefined) =>
    shown === undefined && expected !== undefined;
  return (
    segments.length > 0 &&
    segments.every((shown, i) => {
      const expected = earlierSegments[i];
      return !isLeftOut(shown.status, expected?.status) && !isLeftOut(shown.class, expected?.class);
    })
  );
}

/** Completes a segment with what was known of it, except its old status code if it has moved. */
function completeSegment(expected: KeptSegment | undefined, shown: KeptSegment): KeptSegment {
  if (expected === undefined) return shown;
  const departs = shown.departs || expected.departs;
  const number = shown.number || expected.number;
  const hasMoved = !isSameTime(expected.departs, departs) || expected.number !== number;
  return {
    ...expected,
    ...shown,
    departs,
    number,
    class: shown.class ?? expected.class,
    status: shown.status ?? (hasMoved ? undefined : expected.status),
    // The old arrival belongs to the old departure.
    arrives: shown.arrives || (hasMoved ? '' : expected.arrives),
  };
}

/**
 * The state after a reading. A paid booking never becomes unpaid: such a reading left out tickets and orders. A cancelled
 * one stays cancelled while all segments are known to be: such a reading left out their codes.
 */
function knownState(expected: BookingState, shown: BookingState, segments: readonly KeptSegment[]): BookingState {
  if (expected === 'cancelled' && segments.every(isLost)) return expected;
  const showsLess = shown === 'held' || shown === 'expired' || shown === 'unknown';
  const wasPaid = expected === 'ticketed' || expected === 'partly_cancelled' || expected === 'cancelled';
  return shown === 'unknown' || (showsLess && wasPaid) ? expected : shown;
}

/** Returns the coupons that the reading shows, completed with what was known, or those known before if it shows none. */
function knownCoupons(
  expected: KeptReading,
  shown: KeptReading,
  earlierSegments: EarlierSegments,
): readonly KeptCoupon[] {
  const expectedCoupons = expected.coupons.map((coupon) => moveCoupon(coupon, expected, shown, earlierSegments));
  if (shown.coupons.length === 0) return expectedCoupons;
  const expectedById = new Map(expectedCoupons.map((coupon) => [coupon.id, coupon]));
  return shown.coupons.map((coupon) => {
    const expectedCoupon = expectedById.get(coupon.id);
    return {
      ...coupon,
      status: coupon.status ?? expectedCoupon?.status,
      seat: coupon.seat ?? expectedCoupon?.seat,
      who: coupon.who ?? expectedCoupon?.who,
    };
  });
}

/** Points an expected coupon at its segment in the new reading. It loses its seat if that segment has other seats. */
function moveCoupon(
  coupon: KeptCoupon,
  expected: KeptReading,
  shown: KeptReading,
  earlierSegments: EarlierSegments,
): KeptCoupon {
  const was = coupon.segment === undefined ? undefined : expected.segments[coupon.segment];
  if (was === undefined) return coupon;
  const { segment: _oldIndex, seat: _seat, ...withoutPlace } = coupon;
  const newIndex = earlierSegments.indexOf(was);
  const now = shown.segments[newIndex];
  if (now === undefined) return withoutPlace;
  return { ...withoutPlace, segment: newIndex, seat: hasOtherSeats(was, now) ? undefined : coupon.seat };
}

/** A seat is of one flight and class. A flight that is only retimed, or only has another number, keeps its seats. */
function hasOtherSeats(was: KeptSegment, now: KeptSegment): boolean {
  if (was.class !== undefined && now.class !== undefined && was.class !== now.class) return true;
  return digitsOnly(was.number) === digitsOnly(now.number)
    ? dateOf(was.departs) !== dateOf(now.departs)
    : !isSameTime(was.departs, now.departs);
}
