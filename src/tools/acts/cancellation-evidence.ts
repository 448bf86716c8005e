/**
 * Says what a cancellation is expected to change, and judges whether it did (docs/wire/notes.md, Replies): of segments, of a hold, of
 * passengers. A `void` reading proves nothing. A `bare` one shows nothing of the booking any more: several in a row prove the release of
 * a hold. A segment is `owed` if the airline itself cancelled it and owes its refund (domain/booking/owed-segments.ts).
 */

import {
  activeSegments,
  type Booking,
  type Coupon,
  type JudgedDeed,
  type Segment,
  segmentsOf,
} from '../../domain/booking/booking.ts';
import { segmentMeaning, segmentStatus, standing } from '../../domain/booking/status-codes.ts';
import {
  identitiesByRef,
  identitiesOf,
  noteRefunds,
  type RefundsBefore,
  refundCount,
} from '../../domain/facts/expected-change.ts';
import { type FlightKey, flightKey, sameFlight, segmentOf } from '../../domain/facts/pair.ts';
import { type Digest, identityText } from '../../domain/people/identity-text.ts';
import type { ActEvidence, Judging } from '../../journal/act.ts';
import { judgeParts, type Verdict } from '../../journal/evidence.ts';

export type CancelSegments = RefundsBefore & {
  readonly kind: 'cancel_segments';
  readonly segmentRefs: readonly string[];
  /** The same segments in the same order, for a reading with other refs. */
  readonly flights?: readonly FlightKey[];
  /** The other active segments: they must stay active. */
  readonly keptRefs: readonly string[];
  readonly keptFlights?: readonly FlightKey[];
  /** Those of `segmentRefs` that were owed before: their status proves nothing, only a new refund does. */
  readonly owedRefs?: readonly string[];
};

export function expectCancelledSegments(booking: Booking, refs: readonly string[]): CancelSegments {
  const toCancel = refs.flatMap((wanted) => segmentsOf(booking).filter(({ ref }) => ref === wanted));
  const toKeep = activeSegments(booking).filter(({ ref }) => !refs.includes(ref));
  const owedRefs = toCancel.filter(({ owed }) => owed === true).map(({ ref }) => ref);

  return {
    kind: 'cancel_segments',
    segmentRefs: [...refs],
    flights: toCancel.map(flightKey),
    keptRefs: toKeep.map(({ ref }) => ref),
    keptFlights: toKeep.map(flightKey),
    ...(owedRefs.length > 0 && { owedRefs }),
    ...noteRefunds(booking),
  };
}

export const segmentsEvidence: ActEvidence<CancelSegments> = {
  kind: 'cancel_segments',

  reading: judgeSegments,

  toCheck: () => 'which segments are cancelled, and what was refunded',
};

/**
 * Judges by the segments. The first row that holds counts:
 *
 * | no segment is shown               | done if none was to stay, and the refund is shown or the reply has no open coupon; else void |
 * | a segment that was to stay is not | contradicted |
 * | all are as before the operation   | not_done |
 * | all are gone, no coupon is open   | done |
 * | anything else                     | partial |
 */
function judgeSegments(expected: CancelSegments, booking: Booking, judging: Judging): Verdict {
  if (segmentsOf(booking).length === 0) {
    const isProved = isClosedByReply(booking, judging) || showsRefund(expected, booking);
    return expected.keptRefs.length === 0 && isProved ? 'done' : 'void';
  }

  const { segmentRefs, flights = [], keptRefs, keptFlights = [], owedRefs = [] } = expected;
  const isKept = (segment: Segment | undefined) =>
    segment !== undefined && (standing(segment) === 'active' || segment.owed === 'unclear');
  if (keptRefs.some((segmentRef, i) => !isKept(segmentOf(booking, { segmentRef, flight: keptFlights[i] }, flights))))
    return 'contradicted';

  const toCancel = cancelledIn(expected, booking);
  if (segmentRefs.every((ref, i) => isAsBefore(expected, toCancel[i], owedRefs.includes(ref), booking)))
    return 'not_done';

  const refs = toCancel.map((segment, i) => segment?.ref ?? segmentRefs[i]);
  const someCouponIsOpen = couponsOn(booking, refs).some(isOpen);
  return toCancel.every(isSegmentGone) && !someCouponIsOpen ? 'done' : 'partial';
}

/** What a reading shows of the segments that were to be cancelled, in their order. */
export function cancelledIn(expected: CancelSegments, booking: Booking): readonly (Segment | undefined)[] {
  const { segmentRefs, flights = [], keptFlights = [] } = expected;
  return segmentRefs.map((segmentRef, i) => segmentOf(booking, { segmentRef, flight: flights[i] }, keptFlights));
}

/**
 * The segments that were cancelled, by their flights, and whether they still run. One that the airline owes was no running one. Operations
 * of an earlier version say nothing: their pointers can be of other flights now. Where no segment is shown, the refund shows that all are
 * cancelled.
 */
export function segmentDeeds(expected: CancelSegments, booking: Booking): readonly JudgedDeed[] {
  const { flights, keptRefs } = expected;
  const segments = segmentsOf(booking);
  if (segments.length === 0) {
    return keptRefs.length > 0 ? [] : [{ ...CANCELLATION_SHOWN, isShown: showsRefund(expected, booking) }];
  }

  if (flights === undefined) return [];
  const ours = segments.filter((segment) => flights.some((flight) => sameFlight(flight, flightKey(segment))));
  return ours.length === 0 ? [CANCELLATION_SHOWN] : cancelledDeeds(ours);
}

/**
 * The segments of a released hold, and whether they still run. Some airlines show nothing of it any more, and none says what became of
 * it: only we know.
 */
export function holdDeeds(booking: Booking): readonly JudgedDeed[] {
  if (booking.cancelled === true) return [CANCELLATION_SHOWN];
  const segments = segmentsOf(booking);
  return segments.length === 0 ? [{ ...CANCELLATION_SHOWN, isShown: false }] : cancelledDeeds(segments);
}

/** Nothing is left of what was cancelled. Without refs: of the whole booking. */
const CANCELLATION_SHOWN: JudgedDeed = { kind: 'cancellation', segmentRefs: [], travelerRefs: [], isShown: true };

/**
 * One deed for the segments that still have a place or wait for one, and one for those that are cancelled. What became of others, such as
 * flown ones, is not ours.
 */
function cancelledDeeds(segments: readonly Segment[]): readonly JudgedDeed[] {
  const refsOf = (some: readonly Segment[]) => some.map(({ ref }) => ref);
  const isThere = (segment: Segment) => isSegmentActive(segment) || segmentMeaning(segment.statusCode) === 'waiting';
  const deeds = [
    { ...CANCELLATION_SHOWN, segmentRefs: refsOf(segments.filter(isThere)), isShown: false },
    { ...CANCELLATION_SHOWN, segmentRefs: refsOf(segments.filter(isSegmentGone)) },
  ];
  return deeds.filter(({ segmentRefs }) => segmentRefs.length > 0);
}

/** Who was to leave a booking, and who to stay, by digests of their identity. */
interface Leaving {
  readonly gone: readonly string[];
  readonly kept: readonly string[];
  /** The pointers of those who leave: they tell equal ones apart. Absent in operations of earlier versions. */
  readonly goneRefs?: readonly string[] | undefined;
}

/** The people who were to leave and are still there: of equal ones, as many as were not to stay. */
export function peopleDeeds(
  kind: 'cancellation' | 'split',
  { gone, kept, goneRefs = [] }: Leaving,
  booking: Booking,
  digest: Digest,
): readonly JudgedDeed[] {
  const { travelers } = booking.reading;
  const segments = segmentsOf(booking);
  if (travelers.length === 0 || segments.length === 0) return [];
  // A booking that is over keeps its people.
  const isOver = segments.every((segment) => standing(segment) === 'cancelled');

  const people = travelers.map((traveler) => ({ ref: traveler.ref, who: digest(identityText(traveler)) }));
  const count = (who: string, some: readonly string[]) => some.filter((one) => one === who).length;
  const stillThere = [...new Set(gone)].flatMap((who) => {
    const equal = people.filter((one) => one.who === who);
    const leaving = Math.min(count(who, gone), equal.length - count(who, kept));
    const lastOnes = equal.toSorted((a, b) => Number(goneRefs.includes(a.ref)) - Number(goneRefs.includes(b.ref)));
    return leaving <= 0 ? [] : lastOnes.slice(-leaving);
  });

  const isShown = isOver || stillThere.length === 0;
  return [{ kind, segmentRefs: [], travelerRefs: isShown ? [] : stillThere.map(({ ref }) => ref), isShown }];
}

/**
 * Whether the segment is as before the operation:
 *
 * | active                  | yes |
 * | owed, and owed before   | if the booking shows no new refund |
 * | anything else           | no |
 */
function isAsBefore(
  { refundsBefore }: CancelSegments,
  segment: Segment | undefined,
  wasOwed: boolean,
  booking: Booking,
): boolean {
  return segment?.owed === true ? wasOwed && refundCount(booking) <= refundsBefore : isSegmentActive(segment);
}

/** Whether the segment is cancelled, or missing beside others. A waitlisted segment is neither gone nor active. */
function isSegmentGone(segment: Segment | undefined): boolean {
  return segment === undefined || segmentStatus(segment.statusCode) === 'cancelled';
}

function isSegmentActive(segment: Segment | undefined): boolean {
  return segment !== undefined && segmentStatus(segment.statusCode) === 'active';
}

/** Whether a booking without segments shows its refund: by its tickets, or by one refund more if not even passengers are left. */
function showsRefund({ refundsBefore }: CancelSegments, booking: Booking): boolean {
  if (booking.tickets.some(({ number }) => number !== '')) return areTicketsRefunded(booking);
  return booking.travelers.length === 0 && refundCount(booking) > refundsBefore;
}

/**
 * Whether every ticket is refunded: airlines omit what was fully cancelled, but keep its tickets (docs/wire/notes.md,
 * Tolerated in replies).
 */
function areTicketsRefunded({ tickets }: Booking): boolean {
  const isRefunded = ({ statusCode }: Coupon) => statusCode === 'R' || statusCode === 'V';
  const issued = tickets.filter(({ number, coupons }) => number !== '' && !isExchanged(coupons));
  return issued.length > 0 && issued.every(({ coupons }) => coupons.length > 0 && coupons.every(isRefunded));
}

/** Whether another ticket replaced the one with these coupons. */
function isExchanged(coupons: readonly Coupon[]): boolean {
  return coupons.length > 0 && coupons.every(({ statusCode }) => statusCode === 'E' || statusCode === 'X');
}

/** Whether this is the airline's reply and shows no open coupon: what it leaves out is cancelled. What a reading leaves out may not be. */
function isClosedByReply({ tickets }: Booking, { isReply }: Judging): boolean {
  return isReply === true && !tickets.some(({ coupons }) => coupons.some(isOpen));
}

function isOpen({ statusCode }: Coupon): boolean {
  return statusCode === 'O';
}

function couponsOn(booking: Booking, segmentRefs: readonly (string | undefined)[]): readonly Coupon[] {
  const coupons = booking.tickets.flatMap((ticket) => ticket.coupons);
  return coupons.filter(({ segmentRef }) => segmentRef !== undefined && segmentRefs.includes(segmentRef));
}

/** The release of a hold. A paid booking is cancelled segment by segment. */
export type CancelBooking = { readonly kind: 'cancel_booking' };

export const bookingEvidence: ActEvidence<CancelBooking> = {
  kind: 'cancel_booking',

  reading: (_, booking, judging) => judgeRelease(booking, judging),

  toCheck: () => 'whether the booking is cancelled',
};

/** Judges a released hold. A reading without a segment: bare if nothing else of it is shown either, else void. */
function judgeRelease(booking: Booking, judging: Judging): Verdict {
  if (booking.cancelled === true) return 'done';
  const segments = segmentsOf(booking);
  if (segments.length === 0 && isClosedByReply(booking, judging)) return 'done';
  if (segments.length === 0) return isBare(booking) ? 'bare' : 'void';
  if (segments.every(isSegmentGone)) return 'done';
  return segments.every(isSegmentActive) ? 'not_done' : 'partial';
}

/** Whether the booking shows no passenger, ticket or price, and no order that may be paid. */
function isBare({ travelers, tickets, pricing, orders }: Booking): boolean {
  const isUnpaid = orders.every(({ status }) => status === undefined || status === 'PENDING');
  return travelers.length === 0 && tickets.length === 0 && pricing === undefined && isUnpaid;
}

export type CancelPassengers = RefundsBefore & {
  readonly kind: 'cancel_passengers';
  /** Identity digests of those who go, one for each passenger: equal ones are counted. */
  readonly gone: readonly string[];
  /** Identity digests of those who stay. */
  readonly kept: readonly string[];
  /** The pointers of those who go. Absent in operations of earlier versions. */
  readonly goneRefs?: readonly string[];
};

export function expectCancelledPassengers(booking: Booking, refs: readonly string[], digest: Digest): CancelPassengers {
  const [gone, kept] = identitiesByRef(booking, refs, digest);
  return { kind: 'cancel_passengers', gone, kept, goneRefs: [...refs], ...noteRefunds(booking) };
}

export const passengersEvidence: ActEvidence<CancelPassengers> = {
  kind: 'cancel_passengers',

  // By identity: an airline may renumber the refs once a passenger is gone.
  reading({ kept, gone }, booking, judging) {
    const verdict = judgeParts(identitiesOf(booking.reading.travelers, judging.digest), kept, gone);
    if (verdict !== 'void' || kept.length > 0) return verdict;
    return isClosedByReply(booking, judging) || areTicketsRefunded(booking) ? 'done' : 'void';
  },

  toCheck: () => 'which passengers are still on the booking, and what was refunded',
};
