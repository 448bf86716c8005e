/** What a cancellation of segments is expected to change, and what proves it (docs/wire/notes.md, Replies). */
import {
  activeSegments,
  type Booking,
  type Coupon,
  type Segment,
  segmentsOf,
} from '../../../domain/booking/booking.ts';
import {
  type FlightKey,
  flightKey,
  type RefundsBefore,
  refundCount,
  refundsBefore,
} from '../../../domain/booking/expected-change.ts';
import { segmentStatus, standing } from '../../../domain/booking/status-codes.ts';
import type { ActEvidence } from '../../../journal/act.ts';
import type { Verdict } from '../../../journal/evidence.ts';

export type CancelSegments = RefundsBefore & {
  readonly kind: 'cancel_segments';
  readonly segmentRefs: readonly string[];
  /** The same, for a reading with other pointers. */
  readonly flights?: readonly FlightKey[];
  /** Active before and not named: must stay active. */
  readonly keptRefs: readonly string[];
  /** Those of `segmentRefs` that the airline itself had cancelled before: their status proves nothing. */
  readonly owedRefs?: readonly string[];
};

export function expectCancelledSegments(booking: Booking, refs: readonly string[]): CancelSegments {
  const kept = activeSegments(booking).filter((segment) => !refs.includes(segment.ref));
  const keptRefs = kept.map((segment) => segment.ref);
  const owedRefs = segmentsOf(booking).flatMap(({ ref, owed }) => (owed === true && refs.includes(ref) ? [ref] : []));
  const owed = owedRefs.length > 0 && { owedRefs };
  const flights = segmentsOf(booking).flatMap((segment) => (refs.includes(segment.ref) ? [flightKey(segment)] : []));
  return { kind: 'cancel_segments', segmentRefs: [...refs], flights, keptRefs, ...owed, ...refundsBefore(booking) };
}

export const segmentsEvidence: ActEvidence<CancelSegments> = {
  kind: 'cancel_segments',

  /** A reply to a full cancellation may be a booking without its content. A reading like that proves nothing. */
  reply({ keptRefs }, { booking }, { isSameBooking }) {
    if (!isSameBooking || booking === undefined || hasOpenCoupons(booking)) return undefined;
    return keptRefs.length === 0 && segmentsOf(booking).length === 0 ? 'done' : undefined;
  },

  reading: judgeSegments,

  toCheck: () => 'which segments are cancelled, and what was refunded',
};

function judgeSegments(expected: CancelSegments, booking: Booking): Verdict {
  const segments = segmentsOf(booking);
  const find = (ref: string) => segments.find((segment) => segment.ref === ref);
  if (segments.length === 0) return expected.keptRefs.length === 0 && isEmptied(expected, booking) ? 'done' : 'void';
  const isKept = (segment: Segment | undefined) =>
    segment !== undefined && (standing(segment) === 'active' || segment.owed === 'unclear');
  if (expected.keptRefs.some((ref) => !isKept(find(ref)))) return 'contradicted';
  const named = expected.segmentRefs.map(find);
  if (named.every((segment) => isUntouched(expected, segment, booking))) return 'not_done';
  const open = couponsOn(booking, expected.segmentRefs).some(isOpen);
  return named.every(isSegmentGone) && !open ? 'done' : 'partial';
}

/** As before the operation: active, or cancelled by the airline before it, with its coupons open and no new refund. */
function isUntouched(expected: CancelSegments, segment: Segment | undefined, booking: Booking): boolean {
  if (segment?.owed !== true) return isSegmentActive(segment);
  return expected.owedRefs?.includes(segment.ref) === true && refundCount(booking) <= expected.refundsBefore;
}

/** A segment that is missing beside others is gone. A waitlisted one is neither gone nor active. */
export function isSegmentGone(segment: Segment | undefined): boolean {
  return segment === undefined || segmentStatus(segment.statusCode) === 'cancelled';
}

export function isSegmentActive(segment: Segment | undefined): boolean {
  return segment !== undefined && segmentStatus(segment.statusCode) === 'active';
}

/** An emptied booking may keep only its refund order (docs/wire/notes.md, Replies): one more than before. */
function isEmptied({ refundsBefore: before }: CancelSegments, booking: Booking): boolean {
  if (booking.tickets.some(({ number }) => number !== '')) return isFullyRefunded(booking);
  return booking.travelers.length === 0 && refundCount(booking) > before;
}

/** Airlines omit what was fully cancelled, but keep its tickets (docs/wire/notes.md, Tolerated in replies). */
export function isFullyRefunded({ tickets }: Booking): boolean {
  const isBack = ({ statusCode }: Coupon) => statusCode === 'R' || statusCode === 'V';
  const issued = tickets.filter(({ number, coupons }) => number !== '' && !isExchanged(coupons));
  return issued.length > 0 && issued.every(({ coupons }) => coupons.length > 0 && coupons.every(isBack));
}

/** Another ticket replaced it. */
function isExchanged(coupons: readonly Coupon[]): boolean {
  return coupons.length > 0 && coupons.every(({ statusCode }) => statusCode === 'E' || statusCode === 'X');
}

export function hasOpenCoupons({ tickets }: Booking): boolean {
  return tickets.some(({ coupons }) => coupons.some(isOpen));
}

function isOpen({ statusCode }: Coupon): boolean {
  return statusCode === 'O';
}

function couponsOn(booking: Booking, segmentRefs: readonly string[]): readonly Coupon[] {
  const coupons = booking.tickets.flatMap((ticket) => ticket.coupons);
  return coupons.filter(({ segmentRef }) => segmentRef !== undefined && segmentRefs.includes(segmentRef));
}
