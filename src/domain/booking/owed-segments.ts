/**
 * Corrects what a record shows of segments that the airline moved or cancelled: first one that it lists twice.
 *
 * Then marks segments that the airline cancelled and may owe a refund for (docs/wire/notes.md, What the airline changes). The
 * mark is the segment's `owed`:
 * - `true`: the airline owes a refund. Segments 1 and 2 are cancelled with open coupons, and no refund is recorded.
 * - `unclear`: it may have refunded the segment. The same segments, and one refund is recorded.
 * - absent: it owes nothing. The segment runs, has no open coupon, or we cancelled it ourselves.
 */
import { instantOf } from '../../core/times.ts';
import { refundCount } from '../facts/expected-change.ts';
import { readFlight } from '../facts/flight-rows.ts';
import { mayBeMoved } from '../facts/pair.ts';
import { type Booking, type Reading, type Segment, type SegmentOption, segmentsOf } from './booking.ts';
import { isCancelledByUs, segmentMeaning, segmentStatus } from './status-codes.ts';

/**
 * Takes out the old form of a segment that the airline lists twice after a schedule change, and gives what names it to the
 * new form. The old one is lost (UN, WK); the new one is between the same stations at most a day away, is marked as moved
 * (TK, 51), and no coupon or price row names it.
 */
export function withMovedOnce(booking: Reading): Reading {
  const successors = successorRefs(booking);
  if (successors.size === 0) return booking;

  const nowRef = <Ref extends string | undefined>(ref: Ref): Ref => ((ref && successors.get(ref)) ?? ref) as Ref;
  const nowAt = <Row extends { readonly segmentRef?: string }>(row: Row): Row =>
    row.segmentRef === undefined ? row : { ...row, segmentRef: nowRef(row.segmentRef) };
  const nowOn = <Row extends { readonly segmentRefs: readonly string[] }>(row: Row): Row => ({
    ...row,
    segmentRefs: [...new Set(row.segmentRefs.map(nowRef))],
  });

  const { pricing } = booking;

  return {
    ...booking,
    options: optionsNow(booking.options, successors),
    references: booking.references.map(nowOn),
    travelers: booking.travelers.map(nowOn),
    services: booking.services.map(nowOn),
    tickets: booking.tickets.map((ticket) => ({
      ...nowOn(ticket),
      coupons: ticket.coupons.map(nowAt),
      links: ticket.links.map(nowAt),
    })),
    pricing: pricing && {
      ...pricing,
      fares: pricing.fares.map((fare) => ({ ...fare, ref: nowRef(fare.ref) })),
      perType: pricing.perType.map((row) => ({ ...nowOn(row), fareBasis: row.fareBasis.map(nowAt) })),
    },
  };
}

/** By the pointer of each old form: that of its new form. */
function successorRefs(booking: Reading): ReadonlyMap<string, string> {
  const segments = segmentsOf(booking);
  const coupons = booking.tickets.flatMap((ticket) => ticket.coupons);
  const rows = booking.pricing?.perType ?? [];
  const named = new Set([...coupons.map(({ segmentRef }) => segmentRef), ...rows.flatMap((row) => row.segmentRefs)]);
  const moved = segments.filter(({ ref, statusCode }) => segmentMeaning(statusCode) === 'moved' && !named.has(ref));
  const successors = new Map<string, string>();

  for (const old of segments) {
    // Another segment is not the new form of one that we cancelled.
    if (segmentMeaning(old.statusCode) !== 'lost' || isCancelledByUs(old.statusCode)) continue;
    const [successor, ...others] = moved.filter((segment) => mayBeMoved(readFlight(old), readFlight(segment)));
    const isTaken = [...successors.values()].includes(successor?.ref ?? '');
    if (successor !== undefined && others.length === 0 && !isTaken) successors.set(old.ref, successor.ref);
  }

  return successors;
}

/** The options without old forms; the option of a new form stands where the old one was. */
function optionsNow(
  options: readonly SegmentOption[],
  successors: ReadonlyMap<string, string>,
): readonly SegmentOption[] {
  const isNew = ({ ref }: Segment) => [...successors.values()].includes(ref);
  const isOld = ({ ref }: Segment) => successors.has(ref);
  const added = options.filter(({ segments }) => segments.some(isNew) && !segments.some(isOld));

  return options.flatMap((option) => {
    if (added.includes(option)) return [];
    const refs = option.segments.flatMap(({ ref }) => successors.get(ref) ?? []);
    const moved = added.filter(({ segments }) => segments.some(({ ref }) => refs.includes(ref)));
    const left = option.segments.filter((segment) => !isOld(segment));
    const stays = left.length > 0 ? [{ ...option, segments: left }] : [];
    // A leg of a connection can move before or after the other one.
    return [...stays, ...moved].toSorted((a, b) => departureOf(a) - departureOf(b));
  });
}

const departureOf = ({ segments }: SegmentOption): number => instantOf(segments[0]?.departs) ?? 0;

/**
 * Marks the segments that the airline cancelled itself: they are cancelled, and a coupon of them is still open. It owes
 * a refund for them. `unclear`: a refund that was made may be for them, with coupons that are not updated yet.
 */
export function withOwed(booking: Reading): Reading {
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

/** A booking with each of its segments changed. */
export function withSegments<B extends Pick<Booking, 'options'>>(booking: B, mark: (segment: Segment) => Segment): B {
  return { ...booking, options: booking.options.map((each) => ({ ...each, segments: each.segments.map(mark) })) };
}
