/** What is known of a booking after a reading and those before it. */
import { dateOf } from '../../core/times.ts';
import type { BookingState } from './booking-state.ts';
import { isLost } from './connections.ts';
import { type KeptCoupon, type KeptReading, type KeptSegment, knownOrders, newRefunds } from './kept-reading.ts';
import { digitsOnly, isSameTime } from './pair-readings.ts';

type Pairing = readonly (KeptSegment | undefined)[];

/**
 * What is known after a reading: what it did not show stays as it was known before, so that a stripped reply is no change,
 * and the next whole one is compared with what was last seen.
 *
 * @param pairs for each segment of the new reading, the same one before
 */
export function withKnown(before: KeptReading, after: KeptReading, pairs: Pairing): KeptReading {
  const segments = after.segments.map((segment, i) => knownSegment(pairs[i], segment));
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
    // No refund goes away: a reading that states fewer left some out.
    refunds: most(before.refunds, after.refunds),
    refundsWithoutOrder: newRefunds(before, after).withoutOrder || undefined,
    payBy: after.payBy ?? before.payBy,
    namesUntil,
    cancelUntil,
    total: after.total ?? before.total,
  };
}

function most(was: number | undefined, is: number | undefined): number | undefined {
  return was === undefined || is === undefined ? (is ?? was) : Math.max(was, is);
}

/** With every code and class that was known of them. */
function showsSegments(segments: readonly KeptSegment[], pairs: Pairing): boolean {
  const isComplete = (segment: KeptSegment, was: KeptSegment = segment) =>
    (segment.status ?? was.status) === segment.status && (segment.class ?? was.class) === segment.class;
  return segments.length > 0 && segments.every((one, i) => isComplete(one, pairs[i]));
}

/** The code of before does not hold for a segment that has moved. */
function knownSegment(before: KeptSegment | undefined, segment: KeptSegment): KeptSegment {
  if (before === undefined) return segment;
  const { status, departs, arrives, number, ...known } = before;
  const shown = { ...segment, departs: segment.departs || departs, number: segment.number || number };
  const hasMoved = !isSameTime(departs, shown.departs) || number !== shown.number;
  return {
    ...known,
    ...shown,
    class: segment.class ?? known.class,
    status: segment.status ?? (hasMoved ? undefined : status),
    // The arrival of another departure is not known.
    arrives: segment.arrives || (hasMoved ? '' : arrives),
  };
}

/**
 * A paid booking never becomes unpaid: the reading showed neither tickets nor orders. A cancelled one stays so while all
 * its segments are known to be cancelled: the reading did not show their codes.
 */
function knownState(before: BookingState, after: BookingState, segments: readonly KeptSegment[]): BookingState {
  if (before === 'cancelled' && segments.every(isLost)) return before;
  const isLess = after === 'held' || after === 'expired' || after === 'unknown';
  const wasPaid = before === 'ticketed' || before === 'partly_cancelled' || before === 'cancelled';
  return after === 'unknown' || (isLess && wasPaid) ? before : after;
}

/** Coupons that the reading shows, or those known before if it shows none. */
function knownCoupons(before: KeptReading, after: KeptReading, pairs: Pairing): readonly KeptCoupon[] {
  const earlier = before.coupons.map((coupon): KeptCoupon => {
    const { segment: place, seat: _, ...rest } = coupon;
    const was = place === undefined ? undefined : before.segments[place];
    if (was === undefined) return coupon;
    const now = pairs.indexOf(was);
    const segment = after.segments[now];
    if (segment === undefined) return rest;
    return { ...(hasOtherSeats(was, segment) ? rest : coupon), segment: now };
  });
  if (after.coupons.length === 0) return earlier;
  const known = new Map(earlier.map((coupon) => [coupon.id, coupon]));
  return after.coupons.map((coupon) => {
    const { status, seat, who } = { ...known.get(coupon.id) };
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
