/**
 * Compares a reading of a booking with what was known before: what is known now, and what the airline changed. Compares
 * only what both show: a missing field, other pointers and another order of rows are no change. Ignores unknown codes.
 */
import { formatMoney, type Money } from '../../core/money.ts';
import { DAY_MS, dateOf, instantOf, latestTime, MINUTE_MS } from '../../core/times.ts';
import type { BookingState } from './booking-state.ts';
import { couponChanges, type Difference, segmentChanges } from './compare-segments.ts';
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
  digitsOnly,
  isRefund,
  isSameTime,
  knownOrders,
  newRefunds,
  type Pairs,
  pairSegments,
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
  /** What is known now. */
  readonly after: KeptReading;
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
  const pairs = pairSegments(expected.segments, shown.segments.length === 0 ? expected.segments : shown.segments);
  const known = completeReading(expected, shown, pairs.before);
  const differences = differencesBetween(expected, known, pairs, rules);
  const hasMoved = differences.some(({ kind }) => MOVES_DEADLINES.has(kind));
  const after = hasMoved ? withLimitsOf(known, shown) : known;
  return { after: spent.length > 0 ? { ...after, spent } : after, differences };
}

/**
 * After segments moved, their limits did too: only limits that the new reading shows are compared with the next one.
 */
function withLimitsOf(known: KeptReading, { namesUntil, cancelUntil }: KeptReading): KeptReading {
  return { ...known, namesUntil, cancelUntil };
}

function differencesBetween(
  before: KeptReading,
  after: KeptReading,
  pairs: Pairs,
  rules: ComparingRules,
): readonly Difference[] {
  if (hasLapsed(before, after)) return [];
  const segments = segmentChanges(before, after, pairs);
  const differences = [
    ...withDeadlines(segments, movedDeadlines(before, after)),
    ...bookingDifferences(before, after, segments),
    ...couponChanges(before, after, pairs, segments),
    ...orderChanges(before, after, rules),
  ];
  return differences.map((difference) => ({
    ...difference,
    departsAt: difference.departsAt ?? departsAt(difference.kind, before, after),
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
function departsAt(kind: Difference['kind'], before: KeptReading, after: KeptReading): number | undefined {
  if (OUTLASTS_DEPARTURE.has(kind)) return undefined;
  const isCancelled = kind === 'booking_cancelled';
  const running = (isCancelled ? before : after).segments.filter((segment) => !isLost(segment));
  const lastDeparture = instantOf(latestTime(running.map(({ departs }) => departs)));
  return isCancelled && (lastDeparture ?? 0) <= after.at ? undefined : lastDeparture;
}

/** Whether the airline released an unpaid hold at its time limit, as announced: then nothing is a difference. */
function hasLapsed(before: KeptReading, { at, state }: KeptReading): boolean {
  if (state !== 'expired' && state !== 'cancelled') return false;
  const limit = instantOf(before.payBy) ?? Number.POSITIVE_INFINITY;
  return before.state === 'expired' || (isUnpaid(before) && limit <= at + CLOCK_DIFFERENCE_MS);
}

function movedDeadlines(before: KeptReading, after: KeptReading): MovedDeadline[] {
  // A payment or a refund changes the rules, and with them the limits.
  if (before.state !== after.state) return [];
  const isHeld = isUnpaid(before) && isUnpaid(after);
  const limits: [MovedDeadline['what'], string | undefined, string | undefined][] = [
    ['pay_by', isHeld ? before.payBy : undefined, after.payBy],
    ['names_until', before.namesUntil, after.namesUntil],
    ['cancel_until', before.cancelUntil, after.cancelUntil],
  ];
  return limits.flatMap(([what, was, is]) => {
    if (was === undefined || is === undefined || isSameTime(was, is)) return [];
    // Once a limit has passed, the airline shows the next one in its place: that is no move.
    return (instantOf(was) ?? 0) <= after.at ? [] : [{ what, before: was, after: is }];
  });
}

const amountFacts = (amount: Money | undefined): FindingFacts =>
  amount === undefined ? {} : { amount: formatMoney(amount), currency: amount.currency };

function bookingDifferences(before: KeptReading, after: KeptReading, segments: readonly Difference[]): Difference[] {
  const [was, is] = [before.total, after.total];
  // A cancelled segment lowers the price, so prices are compared only while the booking is a hold before and after.
  const isHeld = before.state === after.state && isUnpaid(before) && isUnpaid(after);
  const hasOtherPrice = isHeld && was?.currency === is?.currency && was?.minor !== is?.minor;
  const isNewlyCancelled = after.state === 'cancelled' && before.state !== 'cancelled';
  const isReportedBySegment = segments.some(({ kind }) => kind === 'segment_cancelled');
  return [
    ...(hasOtherPrice ? [{ kind: 'price_changed' as const, before: amountFacts(was), after: amountFacts(is) }] : []),
    ...(before.passengers > after.passengers && after.passengers > 0
      ? [
          {
            kind: 'passenger_gone' as const,
            before: { passengers: before.passengers },
            after: { passengers: after.passengers },
          },
        ]
      : []),
    ...(isNewlyCancelled && !isReportedBySegment
      ? [{ kind: 'booking_cancelled' as const, before: { status: before.state }, after: { status: 'cancelled' } }]
      : []),
  ];
}

function orderChanges(before: KeptReading, after: KeptReading, { refundMs }: ComparingRules): Difference[] {
  const refunds = after.orders.filter(isRefund);
  const facts = ({ amount, status }: KeptOrder) => ({
    ...amountFacts(amount),
    status: status && orderStatus(status),
  });
  const { pairs, newOrders, newCount } = newRefunds(before, after);
  return [
    ...Array.from({ length: newCount }, (_, i): Difference => {
      const order = newOrders[i];
      const about = { order: order?.id };
      return { kind: 'refunded', before: {}, after: order === undefined ? {} : facts(order), ...about };
    }),
    ...refunds.flatMap((order, i): Difference[] => {
      const earlierOrder = pairs[i];
      const about = { order: order.id };
      if (earlierOrder?.status === 'PENDING' && order.status === 'PAID')
        return [{ kind: 'refund_arrived', before: facts(earlierOrder), after: facts(order), ...about }];
      const isLate = order.status === 'PENDING' && after.at - (order.pendingSince ?? after.at) >= refundMs;
      return isLate ? [{ kind: 'refund_pending', before: {}, after: facts(order), ...about }] : [];
    }),
  ];
}

/** For each segment of the new reading the same one before, if there is one. */
type Pairing = readonly (KeptSegment | undefined)[];

/**
 * Completes a reading with what was known before and this one does not show: a stripped reply is no change, and the next
 * complete one is compared with what was last seen.
 */
function completeReading(before: KeptReading, after: KeptReading, pairs: Pairing): KeptReading {
  const segments = after.segments.map((segment, i) => completeSegment(pairs[i], segment));
  const state = knownState(before.state, after.state, segments);
  const cancelledAt = before.state === 'cancelled' ? before.cancelledAt : after.at;
  // Limits move with their segments: a reading that leaves those out does not show why.
  const limits = showsSegments(after.segments, pairs) ? after : before;
  const { namesUntil = before.namesUntil, cancelUntil = before.cancelUntil } = limits;
  return {
    at: after.at,
    state,
    ...(segments.length > 0
      ? { segments, coupons: knownCoupons(before, after, pairs) }
      : { segments: before.segments, coupons: before.coupons }),
    passengers: after.passengers || before.passengers,
    people: after.passengers > 0 ? after.people : before.people,
    orders: after.orders.length > 0 ? knownOrders(before.orders, after.orders) : before.orders,
    cancelledAt: state === 'cancelled' ? cancelledAt : undefined,
    // A reading that states fewer refunds left some out.
    refunds: largerCount(before.refunds, after.refunds),
    refundsWithoutOrder: newRefunds(before, after).withoutOrder || undefined,
    payBy: after.payBy ?? before.payBy,
    namesUntil,
    cancelUntil,
    total: after.total ?? before.total,
  };
}

function largerCount(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? (after ?? before) : Math.max(before, after);
}

/** Whether the reading shows segments, with every code and class that was known of them. */
function showsSegments(segments: readonly KeptSegment[], pairs: Pairing): boolean {
  const isComplete = (segment: KeptSegment, was: KeptSegment = segment) =>
    (segment.status ?? was.status) === segment.status && (segment.class ?? was.class) === segment.class;
  return segments.length > 0 && segments.every((shown, i) => isComplete(shown, pairs[i]));
}

/** Completes a segment with what was known of it, except its old status code if it has moved. */
function completeSegment(before: KeptSegment | undefined, segment: KeptSegment): KeptSegment {
  if (before === undefined) return segment;
  const { status, departs, arrives, number, ...known } = before;
  const withFlight = { ...segment, departs: segment.departs || departs, number: segment.number || number };
  const hasMoved = !isSameTime(departs, withFlight.departs) || number !== withFlight.number;
  return {
    ...known,
    ...withFlight,
    class: segment.class ?? known.class,
    status: segment.status ?? (hasMoved ? undefined : status),
    // The old arrival belongs to the old departure.
    arrives: segment.arrives || (hasMoved ? '' : arrives),
  };
}

/**
 * The state after a reading. A paid booking never becomes unpaid: such a reading left out tickets and orders. A cancelled
 * one stays cancelled while all segments are known to be: such a reading left out their codes.
 */
function knownState(before: BookingState, after: BookingState, segments: readonly KeptSegment[]): BookingState {
  if (before === 'cancelled' && segments.every(isLost)) return before;
  const showsLess = after === 'held' || after === 'expired' || after === 'unknown';
  const wasPaid = before === 'ticketed' || before === 'partly_cancelled' || before === 'cancelled';
  return after === 'unknown' || (showsLess && wasPaid) ? before : after;
}

/** Coupons that the reading shows, or those known before if it shows none. */
function knownCoupons(before: KeptReading, after: KeptReading, pairs: Pairing): readonly KeptCoupon[] {
  const earlier = before.coupons.map((coupon): KeptCoupon => {
    const { segment: index, seat: _, ...rest } = coupon;
    const was = index === undefined ? undefined : before.segments[index];
    if (was === undefined) return coupon;
    const indexNow = pairs.indexOf(was);
    const segment = after.segments[indexNow];
    if (segment === undefined) return rest;
    return { ...(hasOtherSeats(was, segment) ? rest : coupon), segment: indexNow };
  });
  if (after.coupons.length === 0) return earlier;
  const earlierById = new Map(earlier.map((coupon) => [coupon.id, coupon]));
  return after.coupons.map((coupon) => {
    const { status, seat, who } = { ...earlierById.get(coupon.id) };
    return { ...coupon, status: coupon.status ?? status, seat: coupon.seat ?? seat, who: coupon.who ?? who };
  });
}

/** A seat is of one flight and class. A flight that is only retimed, or only has another number, keeps its seats. */
function hasOtherSeats(was: KeptSegment, now: KeptSegment): boolean {
  if (was.class !== undefined && now.class !== undefined && was.class !== now.class) return true;
  return digitsOnly(was.number) === digitsOnly(now.number)
    ? dateOf(was.departs) !== dateOf(now.departs)
    : !isSameTime(was.departs, now.departs);
}
