/** Tells watching which differences between two readings our own rebooking made: they are no finding. */
import { isLost } from '../../../domain/booking/connections.ts';
import type { FlightKey } from '../../../domain/booking/expected-change.ts';
import type { KeptCoupon, KeptSegment } from '../../../domain/booking/kept-reading.ts';
import { isNear, type OwnEffect, withoutSegments, withState } from '../../../domain/booking/own-effects.ts';
import { digitsOf, isSameTime } from '../../../domain/booking/pair-segments.ts';

export const rebooked =
  ({ replaced, wanted }: { readonly replaced: FlightKey; readonly wanted: FlightKey }): OwnEffect =>
  (readings) => {
    const { before, reading, isDone, isLate } = readings;
    const isWanted = (one: KeptSegment) => isNear(one, wanted) && !isLost(one) && !isReplaced(one);
    const isReplaced = (one: KeptSegment) =>
      isNear(one, replaced) &&
      digitsOf(one.number) === replaced.number &&
      isSameTime(one.departs, replaced.departs) &&
      (one.class ?? replaced.bookingClass) === (replaced.bookingClass ?? one.class);
    const at = before.segments.findIndex(isReplaced);
    const was = before.segments[at];
    if (was === undefined || before.segments.some(isWanted)) return before;
    const now = reading.segments.find(isWanted);
    if (now === undefined && !(isDone && isLate && reading.segments.length > 0)) return undefined;
    const fresh = segmentFor(wanted, now);
    const isListed = reading.segments.some((one) => isReplaced(one) && isLost(one));
    const place = isListed ? before.segments.length : at;
    const kept = isListed ? withoutSegments(before, [was]).segments : before.segments;
    const segments = isListed ? [...kept, fresh] : kept.with(at, fresh);
    const coupons = before.coupons.map((one): KeptCoupon => {
      const { seat: _, ...coupon } = one;
      return one.segment === at ? { ...coupon, segment: place } : one;
    });
    return withState({ ...before, segments, coupons }, reading, 'any');
  };

/** As it was asked for: what the airline has changed since then differs. */
function segmentFor({ from, to, departs, number, bookingClass }: FlightKey, now: KeptSegment | undefined): KeptSegment {
  const isOnTime = now !== undefined && isSameTime(now.departs, departs);
  return {
    ref: now?.ref ?? '',
    from,
    to,
    number,
    departs: isOnTime ? now.departs : departs,
    arrives: isOnTime ? now.arrives : '',
    status: '30',
    ...(bookingClass !== undefined && { class: bookingClass }),
  };
}
