/** Finds the coupon that stands for another one in a later reading: a new ticket can replace the old one. */
import type { KeptCoupon, KeptReading, KeptSegment } from './kept-reading.ts';
import { pairSegments } from './pair-segments.ts';
import { couponCounts } from './status-codes.ts';

type CouponLikeness = (coupon: KeptCoupon, other: KeptCoupon) => boolean;

/** From certain to likely, on one segment. A name that changed makes another person of a traveller. */
const LIKENESS: readonly CouponLikeness[] = [
  (one, other) => one.who !== undefined && one.who === other.who,
  (one, other) => one.seat !== undefined && one.seat === other.seat,
  () => true,
];

/**
 * For each coupon of before the one that is in its place: itself while it counts, else the new one of the same passenger,
 * else itself. Without an entry: the later reading has neither.
 */
export function heirsOf(before: KeptReading, after: KeptReading): ReadonlyMap<KeptCoupon, KeptCoupon> {
  const pairs = pairSegments(before.segments, after.segments);
  const isSameSegment: CouponLikeness = ({ segment: was = -1 }, { segment: is = -1 }) =>
    before.segments[was] !== undefined && pairs.before[is] === before.segments[was];
  const known = new Map(before.coupons.map((coupon) => [coupon.id, coupon]));
  const same = new Map(after.coupons.map((one) => [known.get(one.id), one]));
  const fresh = new Set(after.coupons.filter(({ id }) => !known.has(id)));
  const heirs = new Map<KeptCoupon, KeptCoupon>();
  const orphans = before.coupons.filter((one) => {
    const now = same.get(one);
    if (now !== undefined) heirs.set(one, now);
    return couponCounts(one.status) && (now === undefined || !couponCounts(now.status));
  });
  const left = new Set(orphans);
  for (const isLike of LIKENESS) {
    for (const one of left) {
      const heir = [...fresh].find((other) => isSameSegment(one, other) && isLike(one, other));
      if (heir === undefined) continue;
      heirs.set(one, heir);
      fresh.delete(heir);
      left.delete(one);
    }
  }
  return heirs;
}

/** Just after an operation a ticket can be exchanged already, and the new one not shown yet: it is as it was. */
export function withUnfinished(before: KeptReading, reading: KeptReading): KeptReading {
  const heirs = heirsOf(before, reading);
  const unfinished = new Map(
    before.coupons.flatMap((was) => {
      const now = heirs.get(was);
      const isHalf = now !== undefined && (now.status === 'E' || now.status === 'X') && couponCounts(was.status);
      return isHalf ? [[now, was.status] as const] : [];
    }),
  );
  if (unfinished.size === 0) return reading;
  const coupons = reading.coupons.map((coupon): KeptCoupon => {
    const { status: _, ...rest } = coupon;
    const status = unfinished.get(coupon);
    return unfinished.has(coupon) ? { ...rest, ...(status !== undefined && { status }) } : coupon;
  });
  return { ...reading, coupons };
}

/** The reading leaves the segment's code out, and shows that its tickets were refunded. */
export function isRefundedIn(now: KeptSegment, { segments, coupons }: KeptReading): boolean {
  const place = segments.indexOf(now);
  const atPlace = coupons.filter(({ segment }) => segment === place);
  return now.status === undefined && atPlace.length > 0 && atPlace.every(({ status }) => status === 'R');
}
