/** Segments that the airline cancelled and may owe a refund for (docs/wire/notes.md, What the airline changes). */
import { type Booking, type Segment, segmentsOf } from './booking.ts';
import { refundCount } from './expected-change.ts';
import { segmentStatus } from './status-codes.ts';

/**
 * A segment that is cancelled while a coupon of it is open is the airline's own doing: it owes a refund. Coupons can
 * be slow, so a refund that no other cancelled segment explains leaves that unclear.
 */
export function withOwed(booking: Booking): Booking {
  if (booking.cancelled === true) return booking;
  const coupons = booking.tickets.flatMap((ticket) => ticket.coupons);
  const open = new Set(coupons.flatMap(({ segmentRef, statusCode }) => (statusCode === 'O' ? [segmentRef] : [])));
  const gone = segmentsOf(booking).filter(({ statusCode }) => segmentStatus(statusCode) === 'cancelled');
  const isOwed = ({ ref }: Segment) => open.has(ref);
  if (!gone.some(isOwed)) return booking;
  // One refund may be of several segments: a second one is explained by nothing.
  const explained = gone.every(isOwed) ? 0 : 1;
  const owed: Segment['owed'] = refundCount(booking) > explained ? 'unclear' : true;
  return withSegments(booking, (segment) =>
    gone.includes(segment) && isOwed(segment) ? { ...segment, owed } : segment,
  );
}

/** The segments that an operation cancelled, by pointer, and how many others it left. */
export interface KnownCancellation {
  readonly refs: readonly string[];
  readonly others: number;
}

/** What our cancellations that succeeded say about it: a refund is not asked for again. */
export function afterRefunds(booking: Booking, done: readonly KnownCancellation[]): Booking {
  const shown = segmentsOf(booking).length;
  return withSegments(booking, (segment) => {
    const cancellation = segment.owed === undefined ? undefined : done.find(({ refs }) => refs.includes(segment.ref));
    if (cancellation === undefined) return segment;
    // Where segments have left the booking, the pointer may be another train's.
    if (shown < cancellation.refs.length + cancellation.others) return { ...segment, owed: 'unclear' };
    const { owed: _owed, ...cancelled } = segment;
    return cancelled;
  });
}

/** Where a person must ask the airline first. */
export function unclearRefs(booking: Booking): readonly string[] {
  return segmentsOf(booking).flatMap(({ ref, owed }) => (owed === 'unclear' ? [ref] : []));
}

function withSegments(booking: Booking, mark: (segment: Segment) => Segment): Booking {
  return { ...booking, options: booking.options.map((each) => ({ ...each, segments: each.segments.map(mark) })) };
}
