/**
 * Marks segments that the airline cancelled and may owe a refund for (docs/wire/notes.md, What the airline changes). The
 * mark is the segment's `owed`:
 * - `true`: the airline owes a refund. Segments 1 and 2 are cancelled with open coupons, and no refund is recorded.
 * - `unclear`: it may have refunded the segment. The same segments, and one refund is recorded.
 * - absent: it owes nothing. The segment runs, has no open coupon, or we cancelled it ourselves.
 */
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
  const openRefs = new Set(coupons.flatMap(({ segmentRef, statusCode }) => (statusCode === 'O' ? [segmentRef] : [])));
  const cancelledSegments = segmentsOf(booking).filter(({ statusCode }) => segmentStatus(statusCode) === 'cancelled');
  const unrefundedSegments = cancelledSegments.filter(({ ref }) => openRefs.has(ref));
  if (unrefundedSegments.length === 0) return booking;
  // A cancelled segment without open coupons was refunded. One refund may be for several segments, so that all of
  // these together explain one refund. A refund beyond it may be for the segments with open coupons.
  const hasRefundedSegments = unrefundedSegments.length < cancelledSegments.length;
  const explainedRefunds = hasRefundedSegments ? 1 : 0;
  const owed: Segment['owed'] = refundCount(booking) > explainedRefunds ? 'unclear' : true;
  return withSegments(booking, (segment) => (unrefundedSegments.includes(segment) ? { ...segment, owed } : segment));
}

/** The segments that an operation of ours cancelled. */
export interface KnownCancellation {
  /** Their pointers. */
  readonly refs: readonly string[];
  /** How many other segments the booking had then. */
  readonly otherSegments: number;
}

/** Removes the mark from segments that we cancelled ourselves: their refund was requested, and must be only once. */
export function unmarkCancelledByUs(booking: Booking, ownCancellations: readonly KnownCancellation[]): Booking {
  const segmentCount = segmentsOf(booking).length;
  return withSegments(booking, (segment) => {
    if (segment.owed === undefined) return segment;
    const cancellation = ownCancellations.find(({ refs }) => refs.includes(segment.ref));
    if (cancellation === undefined) return segment;
    // Segments may have left the booking and the others been numbered anew. We cancelled 1 of 3 segments, and the booking
    // shows 2: segment 1 may now be another one than ours.
    if (segmentCount < cancellation.refs.length + cancellation.otherSegments) return { ...segment, owed: 'unclear' };
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
