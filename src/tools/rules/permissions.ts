/** What a booking allows now, and if not, why. Both `allowed` in a booking and the refusals of tools come from here. */

import { cleanCode } from '../../core/clean-text.ts';
import { ClerkError, type ErrorCode } from '../../core/errors.ts';
import { showDeadline } from '../../core/local-times.ts';
import { showMoney, sumMoney } from '../../core/money.ts';
import { activeSegments, type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { bookingState, payBy } from '../../domain/booking/booking-state.ts';
import { fareDeadlines, hasPassed } from '../../domain/booking/deadlines.ts';
import type { Segment, SegmentOption } from '../../domain/booking/itinerary.ts';
import { unclearRefs } from '../../domain/booking/owed-segments.ts';
import { isPaid } from '../../domain/booking/payment-state.ts';
import {
  couponCounts,
  couponStatus,
  segmentStatus,
  segmentStatusWord,
  standing,
} from '../../domain/booking/status-codes.ts';
import type { Price } from '../../domain/pricing/fare.ts';
import { cancelLimit } from '../../domain/pricing/fare-units.ts';
import { activeOptions } from '../../domain/pricing/penalty-rules.ts';

export interface Refusal {
  readonly code: ErrorCode;
  /** Why not, without a full stop. */
  readonly why: string;
  readonly next: string;
}

/** Types of changes that the airline lists per segment (docs/wire/interface.md and docs/wire/notes.md, Changes). */
const TYPE = { names: ['3'], cancelSegment: ['10'], rebook: ['20', '30'] } as const;

const SEE = 'Call read_booking to see what the booking allows now.';

/** Makes the error for a request that was not sent; `what` is a sentence. */
export function notSent(code: ErrorCode, what: string, next: string): ClerkError {
  return new ClerkError(code, `${what} Nothing was sent.`, { next });
}

export function refusalOf({ locator }: Booking, { code, why, next }: Refusal): ClerkError {
  return notSent(code, `Booking ${locator}: ${why}.`, next);
}

export function refuse(booking: Booking, refusal: Refusal | undefined): void {
  if (refusal !== undefined) throw refusalOf(booking, refusal);
}

export function notPermitted(why: string, next = SEE): Refusal {
  return { code: 'E_NOT_PERMITTED', why, next };
}

function notPaid(why: string, next: string): Refusal {
  return { code: 'E_NOT_PAID', why, next };
}

/** Refuses once a time limit (ISO 8601) has passed. */
function afterLimit(booking: Booking, limit: string | undefined, now: number, what: DeadlineKind): Refusal | undefined {
  if (limit === undefined || !hasPassed(limit, now)) return undefined;
  const { name, next } = LIMITS[what];
  return { code: 'E_TOO_LATE', why: `the time limit for ${name} passed on ${localTime(limit, booking)}`, next };
}

type DeadlineKind = 'payment' | 'names' | 'seats' | 'cancelling';

const LIMITS: Readonly<Record<DeadlineKind, { readonly name: string; readonly next: string }>> = {
  payment: {
    name: 'payment',
    next: 'Search again with search_fares and make a new booking with create_booking.',
  },
  names: { name: 'names', next: 'A person must ask the airline whether names can still be changed.' },
  seats: { name: 'seats', next: 'A person must ask the airline whether seats can still be changed.' },
  cancelling: { name: 'cancelling', next: 'A person must ask the airline what can still be done.' },
};

function localTime(limit: string, booking: Booking): string {
  return showDeadline(limit, activeSegments(booking)[0]?.departs);
}

const noActiveSegment = (): Refusal => notPermitted('it has no active segment');

export function whyNotPay(booking: Booking, now: number): Refusal | undefined {
  const { state } = bookingState(booking, now);
  if (state === 'cancelled') return notPermitted('it is cancelled');
  if (isPaid(booking)) return { code: 'E_ALREADY_DONE', why: 'it is paid already', next: SEE };
  if (state === 'expired') return afterLimit(booking, payBy(booking), now, 'payment');
  if (booking.pricing?.total !== undefined) return whyNotPrice(booking.pricing.total);
  return { code: 'E_AIRLINE_REPLY', why: 'the airline gave no price for it', next: 'Call read_booking in a while.' };
}

/** Refuses a total that contradicts its parts: the airline may charge more than was approved. */
function whyNotPrice({ base, taxes, fees, total }: Price): Refusal | undefined {
  const parts = sumMoney([base, taxes, fees]);
  const shown = parts?.currency === total.currency ? `come to ${showMoney(parts)}` : 'are in another currency';
  const refusal: Refusal = {
    code: 'E_AIRLINE_REPLY',
    why: `its total is ${showMoney(total)}, and base fare, taxes and fees ${shown}`,
    next: 'Ask the airline what this booking costs before anything is paid.',
  };
  if (total.minor <= 0 || parts?.currency !== total.currency) return refusal;
  // The total may include taxes and fees that are not listed.
  const listed = taxes.minor !== 0 || fees.minor !== 0;
  return (listed ? parts.minor !== total.minor : parts.minor > total.minor) ? refusal : undefined;
}

/** Cancelling some options (default: all that are active). */
export function whyNotCancel(
  booking: Booking,
  now: number,
  options: readonly SegmentOption[] = activeOptions(booking),
): Refusal | undefined {
  const early = whyNotRefund(booking, now, options);
  if (early !== undefined) return early;
  const segments = options.flatMap((option) => option.segments);
  for (const segment of segments) {
    const status = standing(segment);
    if (status === 'cancelled') continue;
    if (status === 'other')
      return notPermitted(`segment ${segment.ref} has the status ${segmentStatusWord(segment.statusCode)}`);
    const shared = sharedPointer(booking, segment);
    if (shared !== undefined) return shared;
    if (!permits(segment, TYPE.cancelSegment))
      return notPermitted(`the airline does not permit cancelling segment ${segment.ref}`);
  }
  const active = segments.filter((s) => standing(s) === 'active');
  return closedCoupon(booking, { segmentRefs: active.map((segment) => segment.ref) });
}

/** For any cancellation with refund: paid, not cancelled, within the time limit. */
export function whyNotRefund(
  booking: Booking,
  now: number,
  options: readonly SegmentOption[] = activeOptions(booking),
): Refusal | undefined {
  if (bookingState(booking, now).state === 'cancelled') {
    const [unclear] = unclearRefs(booking);
    if (unclear !== undefined) return maybeRefunded(unclear);
    return { code: 'E_ALREADY_DONE', why: 'it is cancelled already', next: SEE };
  }
  if (!isPaid(booking)) {
    const next = 'Call cancel_booking to release the whole hold, or let it lapse.';
    return notPaid('an unpaid hold can only be released as a whole, with cancel_booking', next);
  }
  if (activeOptions(booking).length === 0) return noActiveSegment();
  const limit = cancelLimit(booking, options);
  return afterLimit(booking, limit, now, 'cancelling');
}

/** A refund is asked for once: the airline recorded one that may be for this segment. */
export function maybeRefunded(ref: string): Refusal {
  return notPermitted(
    `the airline cancelled segment ${cleanCode(ref)}, and a recorded refund may be for it`,
    'A person must ask the airline whether it has refunded this segment.',
  );
}

export function whyNotCancelPassengers(
  booking: Booking,
  now: number,
  travelerRefs: readonly string[] = [],
): Refusal | undefined {
  const early = whyNotRefund(booking, now);
  if (early !== undefined) return early;
  if (booking.travelers.length <= Math.max(1, travelerRefs.length)) {
    const next = 'Call cancel_booking to cancel the whole booking.';
    const only = booking.travelers.length === 1 ? 'this is the only passenger' : 'nobody would stay on it';
    return notPermitted(`${only}; use cancel_booking instead`, next);
  }
  if (travelerRefs.length === 0) return undefined;
  return closedCoupon(booking, { travelerRefs, segmentRefs: activeSegments(booking).map((segment) => segment.ref) });
}

export function whyNotChangeNames(booking: Booking, now: number): Refusal | undefined {
  const limit = fareDeadlines(booking.pricing).namesUntil;
  return (
    whyNotUpdate(booking, now) ?? afterLimit(booking, limit, now, 'names') ?? notOfType3(booking, 'a change of names')
  );
}

function notOfType3(booking: Booking, what: string): Refusal | undefined {
  const barred = activeSegments(booking).find((segment) => !permits(segment, TYPE.names));
  return barred && notPermitted(`the airline does not permit ${what} on segment ${barred.ref}`);
}

const isCancelled = ({ statusCode }: Segment): boolean => segmentStatus(statusCode) === 'cancelled';

/** Seat maps end with the time limit for names, as changes of seats do (docs/wire/notes.md, Seats). */
export function whyNotSeatMap(booking: Booking, now: number): Refusal | undefined {
  if (!isPaid(booking)) {
    return notPaid('it is not paid yet', 'Pay with pay_booking first: seat maps exist for paid bookings only.');
  }
  // One that the airline cancelled can be refunded, but has no seats.
  if (activeSegments(booking).every(isCancelled)) return noActiveSegment();
  return afterLimit(booking, fareDeadlines(booking.pricing).namesUntil, now, 'seats');
}

/** For any change: neither cancelled nor expired. */
export function whyNotUpdate(booking: Booking, now: number): Refusal | undefined {
  const { state } = bookingState(booking, now);
  if (state === 'cancelled') return notPermitted('it is cancelled');
  if (state !== 'expired') return undefined;
  return { code: 'E_TOO_LATE', why: 'the hold has lapsed', next: 'Make a new booking with create_booking.' };
}

/** For details of passengers or the contact: type 3 in the airline dialect, like names. */
export function whyNotDetails(
  booking: Booking,
  now: number,
  dialect: 'rail' | 'airline' | undefined,
): Refusal | undefined {
  const early = whyNotUpdate(booking, now);
  return early ?? (dialect === 'airline' ? notOfType3(booking, 'a change of details') : undefined);
}

export function whyNotSeats(booking: Booking, now: number): Refusal | undefined {
  return whyNotUpdate(booking, now) ?? whyNotSeatMap(booking, now);
}

export function whyNotSeat(booking: Booking, segment: Segment, travelerRef: string, now: number): Refusal | undefined {
  if (isCancelled(segment)) return notPermitted(`segment ${segment.ref} is cancelled`);
  const early = departed(segment, now) ?? sharedPointer(booking, segment);
  return early ?? closedCoupon(booking, { segmentRefs: [segment.ref], travelerRefs: [travelerRef] });
}

/** For another flight in place of a segment (default: any active one). */
export function whyNotRebook(booking: Booking, now: number, segment?: Segment): Refusal | undefined {
  const early = whyNotUpdate(booking, now);
  if (early !== undefined) return early;
  if (!isPaid(booking)) {
    const next = 'Release it with cancel_booking, and make another with create_booking.';
    return notPaid('it is not paid yet: release it with cancel_booking and book another', next);
  }
  const segments = segment === undefined ? activeSegments(booking) : [segment];
  const reasons = segments.map((each) => whyNotRebookOne(booking, each, now));
  if (reasons.length === 0) return noActiveSegment();
  return reasons.includes(undefined) ? undefined : reasons[0];
}

function whyNotRebookOne(booking: Booking, segment: Segment, now: number): Refusal | undefined {
  if (segment.owed === 'unclear') return maybeRefunded(segment.ref);
  const gone = departed(segment, now);
  if (gone !== undefined) return gone;
  if (!permits(segment, TYPE.rebook))
    return notPermitted(`the airline does not permit another flight for segment ${segment.ref}`);
  return closedCoupon(booking, { segmentRefs: [segment.ref] });
}

function departed(segment: Segment, now: number): Refusal | undefined {
  if (!hasPassed(segment.departs, now)) return undefined;
  return { code: 'E_TOO_LATE', why: `segment ${segment.ref} has departed`, next: SEE };
}

/** Refuses if two flights share a pointer: requests and readings cannot tell them apart. */
function sharedPointer(booking: Booking, { ref }: Segment): Refusal | undefined {
  if (segmentsOf(booking).filter((one) => one.ref === ref).length < 2) return undefined;
  const why = `two segments have the pointer ${ref}, so a request cannot say which one is meant`;
  return notPermitted(why, 'A person must ask the airline to do it.');
}

/** True if the airline lists no types at all. */
function permits({ permitted }: Segment, types: readonly string[]): boolean {
  return permitted === undefined || permitted.some(({ modificationType }) => types.includes(modificationType));
}

/** Refuses a coupon that is not open (used, suspended). Ignores coupons of replaced tickets. */
function closedCoupon(
  booking: Booking,
  about: { readonly segmentRefs: readonly string[]; readonly travelerRefs?: readonly string[] },
): Refusal | undefined {
  for (const ticket of booking.tickets) {
    if (about.travelerRefs && !ticket.travelerRefs.some((ref) => about.travelerRefs?.includes(ref))) continue;
    for (const { segmentRef, statusCode } of ticket.coupons) {
      const concerned = segmentRef === undefined || about.segmentRefs.includes(segmentRef);
      if (!concerned || statusCode === undefined || statusCode === 'O' || !couponCounts(statusCode)) continue;
      const where = segmentRef === undefined ? 'a coupon' : `the coupon of segment ${segmentRef}`;
      const next = 'A person must ask the airline what can still be done.';
      return notPermitted(`${where} is not open but ${couponStatus(statusCode)}`, next);
    }
  }
  return undefined;
}
