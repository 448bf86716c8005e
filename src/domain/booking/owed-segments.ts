/** Marks segments that the airline cancelled and may owe a refund for (docs/wire/notes.md, What the airline changes). */
import { type Booking, type Segment, segmentsOf } from './booking.ts';
import { refundCount } from './expected-change.ts';
import { segmentStatus } from './status-codes.ts';

/**
 * Marks the segments that the airline cancelled itself: they are cancelled, and a coupon of them is still open. It owes
 * a refund for them. `unclear`: a refund that was made may be for them, with coupons that are not updated yet.
 */
export function withOwed(booking: Booking): Booking {
  if (booking.cancelled === true) return booking;
  const coupons = booking.tickets.flatMap((ticket) => ticket.coupons);
  const open = new Set(coupons.flatMap(({ segmentRef, statusCode }) => (statusCode === 'O' ? [segmentRef] : [])));
  const cancelled = segmentsOf(booking).filter(({ statusCode }) => segmentStatus(statusCode) === 'cancelled');
  const hasOpenCoupon = ({ ref }: Segment) => open.has(ref);
  if (!cancelled.some(hasOpenCoupon)) return booking;
  // A cancelled segment without open coupons was refunded. One refund may be for several segments, so that all of
  // these together explain one refund. A refund beyond it may be for the segments with open coupons.
  const explainedRefunds = cancelled.every(hasOpenCoupon) ? 0 : 1;
  const owed: Segment['owed'] = refundCount(booking) > explainedRefunds ? 'unclear' : true;
  return withSegments(booking, (segment) =>
    cancelled.includes(segment) && hasOpenCoupon(segment) ? { ...segment, owed } : segment,
  );
}

/** The segments that an operation cancelled, by pointer, and how many others the booking had then. */
export interface KnownCancellation {
  readonly refs: readonly string[];
  readonly others: number;
}

/** Removes the mark from segments that we cancelled ourselves: their refund was requested, and must be only once. */
export function afterRefunds(booking: Booking, done: readonly KnownCancellation[]): Booking {
  const segmentCount = segmentsOf(booking).length;
  return withSegments(booking, (segment) => {
    const cancellation = segment.owed === undefined ? undefined : done.find(({ refs }) => refs.includes(segment.ref));
    if (cancellation === undefined) return segment;
    // Segments may have left the booking and the others been numbered anew. We cancelled 1 of 3 segments, and the booking
    // shows 2: segment 1 may now be another one than ours.
    if (segmentCount < cancellation.refs.length + cancellation.others) return { ...segment, owed: 'unclear' };
    const { owed: _owed, ...unmarked } = segment;
    return unmarked;
  });
}

/** The segments for which a person must ask the airline whether it refunded them. */
export function unclearRefs(booking: Booking): readonly string[] {
  return segmentsOf(booking).flatMap(({ ref, owed }) => (owed === 'unclear' ? [ref] : []));
}

function withSegments(booking: Booking, mark: (segment: Segment) => Segment): Booking {
  return { ...booking, options: booking.options.map((each) => ({ ...each, segments: each.segments.map(mark) })) };
}
