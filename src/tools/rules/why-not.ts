/**
 * Says why a booking does not allow a request: the rules that several acts, quotes and views of a booking share. `whyNot…`
 * answers for a whole request, `refusalIf…` for one condition of it; both return undefined if nothing stands in the way.
 */

import { cleanCode, cleanRef } from '../../core/clean-text.ts';
import { type ClerkError, type ErrorCode, notSent } from '../../core/errors.ts';
import { listed } from '../../core/words.ts';
import {
  activeOptions,
  activeSegments,
  type Booking,
  type Coupon,
  type Segment,
  type SegmentOption,
  segmentsOf,
  type Ticket,
  unconfirmedSegments,
} from '../../domain/booking/booking.ts';
import { bookingState, hasPassed, isUnpaidHold } from '../../domain/booking/booking-state.ts';
import { fareDeadlines, showDeadline } from '../../domain/booking/deadlines.ts';
import { unclearRefs } from '../../domain/booking/owed-segments.ts';
import { isPaid, paymentsOf, refundOrdersOf } from '../../domain/booking/paid-and-refunded.ts';
import {
  couponCounts,
  couponStatus,
  segmentMeaning,
  segmentStatus,
  segmentStatusWord,
  standing,
} from '../../domain/booking/status-codes.ts';
import { cancelLimit } from '../../domain/refund/fare-units.ts';
import { isTotalWithout } from '../../domain/refund/paid-share.ts';

export interface Refusal {
  readonly code: ErrorCode;
  /** Why not, without a full stop. */
  readonly why: string;
  readonly next: string;
  /** A person can still do it by hand: hold and pay the new one, then cancel the old one. */
  readonly byHand?: true;
}

export const SEE_ALLOWED = 'Call read_booking with detail: full to see what the booking allows now.';

/** Types of changes that the airline lists per segment (docs/wire/interface.md and docs/wire/notes.md, Changes). */
export const CHANGE_TYPES = { names: ['3'], cancelSegment: ['10'], rebook: ['20', '30'] } as const;

type DeadlineKind = 'payment' | 'names' | 'seats' | 'cancelling';

const NEXT_IF_WAITING =
  'Call read_booking later to see whether the airline has confirmed it, or release the hold with cancel_booking.';
const NEXT_IF_LOST =
  'Ask the airline for a price without it, or search again with search_fares. An unpaid hold expires by itself.';

const NEXT_IF_FOR_NOTHING =
  'Call read_booking in a while. If it says the same, tell the person to ask the airline before anything is paid.';

const NEXT_BY_HAND = 'Call search_fares with instead_of: it says what a new booking costs, with the old one cancelled.';

const NEXT_IF_LATE_TO_PAY = 'Search again with search_fares and make a new booking with create_booking.';
export const NEXT_AT_AIRLINE = 'Tell the person to ask the airline what can still be done.';

// The makers of refusals, and the errors made of them.

export function notPermitted(why: string, next = SEE_ALLOWED): Refusal {
  return { code: 'E_NOT_PERMITTED', why, next };
}

export function notPaid(why: string, next: string): Refusal {
  return { code: 'E_NOT_PAID', why, next };
}

export function noActiveSegment(): Refusal {
  return notPermitted('it has no active segment');
}

/** Refuses a second refund: the airline recorded one that may be for this segment. */
export function maybeRefundedRefusal(ref: string): Refusal {
  return notPermitted(
    `the airline cancelled segment ${cleanRef(ref)}, and a recorded refund may be for it`,
    'Tell the person to ask the airline whether it has refunded this segment.',
  );
}

/** Refuses a replacement that the airline does not make, but a person can: a search says what that costs. */
export function replaceableByHand(why: string): Refusal {
  return { ...notPermitted(why, NEXT_BY_HAND), byHand: true };
}

/** Makes the error that a refused call throws. */
export function refusalError({ locator }: Booking, { code, why, next }: Refusal): ClerkError {
  return notSent(code, `Booking ${locator}: ${why}.`, next);
}

/** Throws if there is a refusal. */
export function refuse(booking: Booking, refusal: Refusal | undefined): void {
  if (refusal !== undefined) throw refusalError(booking, refusal);
}

// The conditions that several requests share.

/** Whether the airline permits one of the types of change; true if it lists none at all. */
export function permits({ permitted }: Segment, types: readonly string[]): boolean {
  return permitted === undefined || permitted.some(({ modificationType }) => types.includes(modificationType));
}

/** Refuses once a time limit (ISO 8601) has passed. */
export function refusalIfLimitPassed(
  booking: Booking,
  limit: string | undefined,
  now: number,
  kind: DeadlineKind,
): Refusal | undefined {
  if (limit === undefined || !hasPassed(limit, now)) return undefined;
  const why = `the time limit for ${kind} passed on ${localTime(limit, booking)}`;
  return { code: 'E_TOO_LATE', why, next: kind === 'payment' ? NEXT_IF_LATE_TO_PAY : NEXT_AT_AIRLINE };
}

function localTime(limit: string, booking: Booking): string {
  return showDeadline(limit, activeSegments(booking)[0]?.departs);
}

/** Refuses if a segment does not take the type of change that names and details of travellers need. */
function refusalIfTravelersFixed(booking: Booking, what: string): Refusal | undefined {
  const segment = activeSegments(booking).find((each) => !permits(each, CHANGE_TYPES.names));
  return segment && notPermitted(`the airline does not permit ${what} on segment ${cleanRef(segment.ref)}`);
}

export function refusalIfDeparted(segment: Segment, now: number): Refusal | undefined {
  if (!hasPassed(segment.departs, now)) return undefined;
  return { code: 'E_TOO_LATE', why: `segment ${cleanRef(segment.ref)} has departed`, next: SEE_ALLOWED };
}

/** `waitlisted, HL`; `unknown (ZZ)`. */
export function statusWithCode({ statusCode }: Segment): string {
  const word = segmentStatusWord(statusCode);
  return segmentMeaning(statusCode) === 'unknown' ? word : `${word}, ${cleanCode(statusCode ?? '', 12)}`;
}

/**
 * Refuses a payment for what is not held: of a booking without a segment or a passenger, of one whose order gives money back, and one
 * whose price includes a segment that is not confirmed.
 */
export function refusalIfNotHeld(booking: Booking): Refusal | undefined {
  const why = whyForNothing(booking);
  return why === undefined
    ? refusalIfUnconfirmed(booking)
    : { code: 'E_AIRLINE_REPLY', why, next: NEXT_IF_FOR_NOTHING };
}

function whyForNothing(booking: Booking): string | undefined {
  if (segmentsOf(booking).length === 0) return 'the airline asks a price, and shows no segment of it';
  if (booking.travelers.length === 0) return 'the airline asks a price, and shows no passenger of it';
  const givesBack = refundOrdersOf(booking).some(({ amount, status }) => amount?.minor !== 0 && status !== 'CANCELLED');
  return givesBack ? 'the airline asks a price, and its order is to give money back' : undefined;
}

/** Refuses a payment unless the price is without the segments that are not confirmed. */
function refusalIfUnconfirmed(booking: Booking): Refusal | undefined {
  const unconfirmed = unconfirmedSegments(booking);
  if (unconfirmed.length === 0 || isTotalWithout(unconfirmed, booking)) return undefined;

  const names = listed(unconfirmed.map((segment) => `${cleanRef(segment.ref)} (${statusWithCode(segment)})`));
  const [which, it] =
    unconfirmed.length === 1 ? [`segment ${names} is not`, 'it'] : [`segments ${names} are not`, 'them'];
  const mayBeConfirmed = unconfirmed.every(({ statusCode }) => segmentMeaning(statusCode) === 'waiting');

  return notPermitted(
    `${which} confirmed, and the price may include ${it}`,
    mayBeConfirmed ? NEXT_IF_WAITING : NEXT_IF_LOST,
  );
}

/** Refuses if two flights share a pointer: requests and readings cannot tell them apart. */
export function refusalIfPointerShared(booking: Booking, { ref }: Segment): Refusal | undefined {
  if (segmentsOf(booking).filter((segment) => segment.ref === ref).length < 2) return undefined;
  const why = `two segments have the pointer ${cleanRef(ref)}, so a request cannot say which one is meant`;
  return notPermitted(why, 'Tell the person to ask the airline to do it.');
}

/** Refuses if a coupon of the segments is not open (used, suspended). Ignores coupons of replaced tickets. */
export function refusalIfCouponClosed(
  booking: Booking,
  { segmentRefs, travelerRefs }: { readonly segmentRefs: readonly string[]; readonly travelerRefs?: readonly string[] },
): Refusal | undefined {
  const tickets = booking.tickets.filter(
    (ticket) => travelerRefs === undefined || ticket.travelerRefs.some((ref) => travelerRefs.includes(ref)),
  );

  for (const ticket of tickets) {
    for (const { segmentRef, statusCode } of ticket.coupons) {
      const isConcerned = segmentRef === undefined || segmentRefs.includes(segmentRef);
      if (!isConcerned || statusCode === undefined || statusCode === 'O' || !couponCounts(statusCode)) continue;
      const where = segmentRef === undefined ? 'a coupon' : `the coupon of segment ${cleanRef(segmentRef)}`;
      return notPermitted(`${where} is not open but ${couponStatus(statusCode)}`, NEXT_AT_AIRLINE);
    }
  }

  return undefined;
}

// What a request for tickets can name.

/** Lists the coupons that have a PDF. A ticket without coupons has one document for each segment (docs/wire/notes.md, Tolerated in replies). */
export function printedCoupons({ coupons, segmentRefs }: Ticket): readonly Coupon[] {
  if (coupons.length > 0) return coupons;
  return segmentRefs.length > 0 ? segmentRefs.map((segmentRef) => ({ segmentRef })) : [{}];
}

// The requests.

/** For any change: refuses if the booking is cancelled or the hold has lapsed. */
export function whyNotUpdate(booking: Booking, { now }: { readonly now: number }): Refusal | undefined {
  const { state } = bookingState(booking, now);
  if (state === 'cancelled') return notPermitted('it is cancelled');
  if (state !== 'expired') return undefined;
  return { code: 'E_TOO_LATE', why: 'the hold has expired', next: 'Make a new booking with create_booking.' };
}

export function whyNotChangeNames(booking: Booking, now: number): Refusal | undefined {
  const limit = fareDeadlines(booking.pricing).namesUntil;
  return (
    whyNotUpdate(booking, { now }) ??
    refusalIfLimitPassed(booking, limit, now, 'names') ??
    refusalIfTravelersFixed(booking, 'a change of names')
  );
}

/** For changes of details of passengers or the contact: in the airline dialect they need type 3, like names. */
export function whyNotDetails(
  booking: Booking,
  now: number,
  dialect: 'rail' | 'airline' | undefined,
): Refusal | undefined {
  const general = whyNotUpdate(booking, { now });
  if (general !== undefined || dialect !== 'airline') return general;
  return refusalIfTravelersFixed(booking, 'a change of details');
}

/** For seat maps: they end with the time limit for names, as changes of seats do (docs/wire/notes.md, Seats). */
export function whyNotSeatMap(booking: Booking, now: number): Refusal | undefined {
  if (!isPaid(booking)) {
    return notPaid('it is not paid yet', 'Pay with pay_booking first, because seat maps exist for paid bookings only.');
  }
  // A segment that the airline cancelled can be refunded, but has no seats.
  if (activeSegments(booking).every(({ statusCode }) => segmentStatus(statusCode) === 'cancelled'))
    return noActiveSegment();
  return refusalIfLimitPassed(booking, fareDeadlines(booking.pricing).namesUntil, now, 'seats');
}

/** For the PDFs of tickets: the airline has one for each coupon that is still valid. */
export function whyNotGetTickets(booking: Booking, now: number): Refusal | undefined {
  const coupons = booking.tickets.filter(({ number }) => number !== '').flatMap(printedCoupons);
  if (coupons.some(({ statusCode }) => couponCounts(statusCode))) return undefined;
  if (bookingState(booking, now).state === 'cancelled') return notPermitted('it is cancelled');
  if (!isPaid(booking))
    return notPaid('it is not paid yet', 'Pay with pay_booking first, because payment issues the tickets.');

  return notPermitted('the airline shows no valid ticket', 'Call get_tickets again in a minute, or ask the airline.');
}

/** For any cancellation with refund: paid, not cancelled, within the time limit. */
export function whyNotRefund(
  booking: Booking,
  now: number,
  options: readonly SegmentOption[] = activeOptions(booking),
): Refusal | undefined {
  if (bookingState(booking, now).state === 'cancelled') {
    const [unclear] = unclearRefs(booking);
    if (unclear !== undefined) return maybeRefundedRefusal(unclear);
    return { code: 'E_ALREADY_DONE', why: 'it is cancelled already', next: SEE_ALLOWED };
  }

  if (!isPaid(booking)) {
    const next = 'Call cancel_booking to release the whole hold, or let it expire.';
    return notPaid('an unpaid hold can only be released as a whole', next);
  }
  if (activeOptions(booking).length === 0) return noActiveSegment();

  const limit = cancelLimit(booking, options);
  return refusalIfLimitPassed(booking, limit, now, 'cancelling');
}

/** For cancelling some options (default: all that are active). */
export function whyNotCancel(
  booking: Booking,
  now: number,
  options: readonly SegmentOption[] = activeOptions(booking),
): Refusal | undefined {
  const general = whyNotRefund(booking, now, options);
  if (general !== undefined) return general;

  const segments = options.flatMap((option) => option.segments);
  for (const segment of segments) {
    const status = standing(segment);
    if (status === 'cancelled') continue;
    if (status === 'other')
      return notPermitted(`segment ${cleanRef(segment.ref)} has the status ${segmentStatusWord(segment.statusCode)}`);

    const shared = refusalIfPointerShared(booking, segment);
    if (shared !== undefined) return shared;
    if (!permits(segment, CHANGE_TYPES.cancelSegment))
      return notPermitted(`the airline does not permit cancelling segment ${cleanRef(segment.ref)}`);
  }

  const active = segments.filter((segment) => standing(segment) === 'active');
  return refusalIfCouponClosed(booking, { segmentRefs: active.map((segment) => segment.ref) });
}

export function whyNotCancelBooking(booking: Booking, now: number): Refusal | undefined {
  return isPaid(booking) ? whyNotCancel(booking, now) : whyNotRelease(booking, now);
}

/** For a release: only a hold known to be unpaid is released, because the message would cancel paid tickets without a refund. */
function whyNotRelease(booking: Booking, now: number): Refusal | undefined {
  const next = 'Call read_booking to see it.';
  const { state } = bookingState(booking, now);
  if (state === 'cancelled') return { code: 'E_ALREADY_DONE', why: 'it is cancelled already', next };

  const isUnpaid = paymentsOf(booking).every((order) => order.status === 'PENDING');
  if (isUnpaid && state === 'expired') return { code: 'E_ALREADY_DONE', why: 'the hold has expired by itself', next };
  if (isUnpaid && isUnpaidHold(booking, now)) return undefined;

  return notPermitted(
    'the airline does not say whether it is paid',
    'Tell the person to ask the airline whether it is paid. An unpaid hold expires by itself.',
  );
}

export function whyNotCancelPassengers(
  booking: Booking,
  now: number,
  travelerRefs: readonly string[] = [],
): Refusal | undefined {
  const general = whyNotRefund(booking, now);
  if (general !== undefined) return general;

  if (booking.travelers.length <= Math.max(1, travelerRefs.length)) {
    const next = 'Call cancel_booking to cancel the whole booking.';
    const why = booking.travelers.length === 1 ? 'this is the only passenger' : 'nobody would stay on it';
    return notPermitted(`${why}: cancel the whole booking instead`, next);
  }
  if (travelerRefs.length === 0) return undefined;

  return refusalIfCouponClosed(booking, {
    travelerRefs,
    segmentRefs: activeSegments(booking).map((segment) => segment.ref),
  });
}
