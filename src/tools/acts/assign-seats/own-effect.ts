/** Tells watching which differences between two readings our own change of seats made: they are no finding. */
import type { SeatAim } from '../../../domain/booking/expected-change.ts';
import type { KeptCoupon } from '../../../domain/booking/kept-reading.ts';
import { short } from '../../../domain/booking/kept-reading.ts';
import { nearest, type OwnEffect } from '../../../domain/booking/own-effects.ts';
import { heirsOf } from '../../../domain/booking/pair-coupons.ts';

export const seated =
  ({ flight, who, was: earlier, wanted }: SeatAim): OwnEffect =>
  ({ before, reading, isDone, isLate }) => {
    const on = flight && nearest(before.segments, flight);
    const ofSegment = before.coupons.filter(({ segment = -1 }) => on !== undefined && before.segments[segment] === on);
    // A ticket that names no passenger is known by its seat.
    const isOf = (one: KeptCoupon) =>
      one.who === undefined ? earlier && isSeat(one.seat ?? '', earlier) : one.who === short(who);
    const at = before.coupons.findIndex((one) => ofSegment.includes(one) && isOf(one));
    const was = before.coupons[at];
    if (was === undefined) return before;
    const now = heirsOf(before, reading).get(was);
    if (now?.seat === undefined) return undefined;
    const isThere = isSeat(now.seat, wanted);
    if (!isThere && !(isDone && (isLate || now.seat !== was.seat))) return undefined;
    const { coach, seat } = wanted;
    const text = isThere ? now.seat : [coach, seat].filter(Boolean).join('/');
    return { ...before, coupons: before.coupons.with(at, { ...was, seat: text }) };
  };

const fold = (text: string): string => text.trim().toUpperCase().replace(/^0+/, '');

/** `text` as a reading keeps it, `4/12A`. A coach that is not named matches any. */
function isSeat(text: string, { coach, seat }: SeatAim['wanted']): boolean {
  const [number = '', of] = text.split('/').toReversed();
  return fold(number) === fold(seat) && (coach === undefined || of === undefined || fold(of) === fold(coach));
}
