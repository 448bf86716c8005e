/**
 * Finds the same segment or coupon in two readings: pointers can be renumbered, trains retimed or replaced, and a new
 * ticket can replace the old one.
 */
import { DAY_MS, instantOf, MINUTE_MS } from '../../core/times.ts';
import type { KeptCoupon, KeptReading, KeptSegment } from './kept-reading.ts';
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

/** Milliseconds between two departures; a day where they cannot be compared. */
function timeBetween(segment: KeptSegment, other: KeptSegment): number {
  const [a, b] = [instantOf(segment.departs), instantOf(other.departs)];
  if (a !== undefined && b !== undefined) return Math.abs(a - b);
  return segment.departs === other.departs ? 0 : DAY_MS;
}

type SegmentLikeness = (segment: KeptSegment, other: KeptSegment) => boolean;

const sameNumber: SegmentLikeness = (segment, other) => digitsOnly(segment.number) === digitsOnly(other.number);

/** From certain to likely. Stations are always the same. */
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

export function pairSegments(before: readonly KeptSegment[], after: readonly KeptSegment[]): Pairs {
  const found: (KeptSegment | undefined)[] = after.map(() => undefined);
  let unpaired = [...before];
  for (const isLike of SEGMENT_LIKENESS) {
    after.forEach((segment, i) => {
      if (found[i] !== undefined) return;
      const likely = unpaired
        .filter(
          (candidate) => candidate.from === segment.from && candidate.to === segment.to && isLike(candidate, segment),
        )
        .sort((a, b) => timeBetween(a, segment) - timeBetween(b, segment));
      found[i] = likely[0];
      unpaired = unpaired.filter((candidate) => candidate !== likely[0]);
    });
  }
  return { before: found, gone: unpaired };
}

type CouponLikeness = (coupon: KeptCoupon, other: KeptCoupon) => boolean;

/** From certain to likely, on one segment. A name that changed makes another person of a traveller. */
const COUPON_LIKENESS: readonly CouponLikeness[] = [
  (was, now) => was.who !== undefined && was.who === now.who,
  (was, now) => was.seat !== undefined && was.seat === now.seat,
  () => true,
];

/**
 * For each coupon of before the one that is in its place: itself while it counts, else the new one of the same
 * passenger, else itself. Without an entry: the later reading has neither.
 */
export function couponHeirs(before: KeptReading, after: KeptReading): ReadonlyMap<KeptCoupon, KeptCoupon> {
  const pairs = pairSegments(before.segments, after.segments);
  const isSameSegment: CouponLikeness = ({ segment: was = -1 }, { segment: is = -1 }) =>
    before.segments[was] !== undefined && pairs.before[is] === before.segments[was];
  const known = new Map(before.coupons.map((coupon) => [coupon.id, coupon]));
  const same = new Map(after.coupons.map((fresher) => [known.get(fresher.id), fresher]));
  const fresh = new Set(after.coupons.filter(({ id }) => !known.has(id)));
  const heirs = new Map<KeptCoupon, KeptCoupon>();
  const orphans = before.coupons.filter((old) => {
    const now = same.get(old);
    if (now !== undefined) heirs.set(old, now);
    return couponCounts(old.status) && (now === undefined || !couponCounts(now.status));
  });
  const unmatched = new Set(orphans);
  for (const isLike of COUPON_LIKENESS) {
    for (const orphan of unmatched) {
      const heir = [...fresh].find((other) => isSameSegment(orphan, other) && isLike(orphan, other));
      if (heir === undefined) continue;
      heirs.set(orphan, heir);
      fresh.delete(heir);
      unmatched.delete(orphan);
    }
  }
  return heirs;
}

/** Just after an operation a ticket can be exchanged already, and the new one not shown yet: it is as it was. */
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

/** The reading leaves the segment's code out, and shows that its tickets were refunded. */
export function isRefundedIn(now: KeptSegment, { segments, coupons }: KeptReading): boolean {
  const index = segments.indexOf(now);
  const itsCoupons = coupons.filter(({ segment }) => segment === index);
  return now.status === undefined && itsCoupons.length > 0 && itsCoupons.every(({ status }) => status === 'R');
}
