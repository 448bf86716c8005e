/**
 * What several acts and readings ask of a booking before they are allowed. What only one act asks is in its folder; both
 * `allowed` in a booking and the refusals of tools come from there and from here.
 */

import { showDeadline } from '../../core/times.ts';
import { activeSegments, type Booking, type Segment, segmentsOf } from '../../domain/booking/booking.ts';
import { bookingState, fareDeadlines, hasPassed } from '../../domain/booking/booking-state.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { couponCounts, couponStatus, segmentStatus } from '../../domain/booking/status-codes.ts';
import { notPaid, notPermitted, type Refusal, SEE_ALLOWED } from './refusal.ts';

/** Types of changes that the airline lists per segment (docs/wire/interface.md and docs/wire/notes.md, Changes). */
export const CHANGE_TYPES = { names: ['3'], cancelSegment: ['10'], rebook: ['20', '30'] } as const;

/** Refuses once a time limit (ISO 8601) has passed. */
export function afterLimit(
  booking: Booking,
  limit: string | undefined,
  now: number,
  what: DeadlineKind,
): Refusal | undefined {
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

export const noActiveSegment = (): Refusal => notPermitted('it has no active segment');

export function whyNotChangeNames(booking: Booking, now: number): Refusal | undefined {
  const limit = fareDeadlines(booking.pricing).namesUntil;
  return (
    whyNotUpdate(booking, now) ?? afterLimit(booking, limit, now, 'names') ?? notOfType3(booking, 'a change of names')
  );
}

function notOfType3(booking: Booking, what: string): Refusal | undefined {
  const barred = activeSegments(booking).find((segment) => !permits(segment, CHANGE_TYPES.names));
  return barred && notPermitted(`the airline does not permit ${what} on segment ${barred.ref}`);
}

/** Seat maps end with the time limit for names, as changes of seats do (docs/wire/notes.md, Seats). */
export function whyNotSeatMap(booking: Booking, now: number): Refusal | undefined {
  if (!isPaid(booking)) {
    return notPaid('it is not paid yet', 'Pay with pay_booking first: seat maps exist for paid bookings only.');
  }
  // One that the airline cancelled can be refunded, but has no seats.
  if (activeSegments(booking).every(({ statusCode }) => segmentStatus(statusCode) === 'cancelled'))
    return noActiveSegment();
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

export function departed(segment: Segment, now: number): Refusal | undefined {
  if (!hasPassed(segment.departs, now)) return undefined;
  return { code: 'E_TOO_LATE', why: `segment ${segment.ref} has departed`, next: SEE_ALLOWED };
}

/** Refuses if two flights share a pointer: requests and readings cannot tell them apart. */
export function sharedPointer(booking: Booking, { ref }: Segment): Refusal | undefined {
  if (segmentsOf(booking).filter((segment) => segment.ref === ref).length < 2) return undefined;
  const why = `two segments have the pointer ${ref}, so a request cannot say which one is meant`;
  return notPermitted(why, 'A person must ask the airline to do it.');
}

/** The active segments for which this is a reason; empty where it is one for all of them. */
export function refusedSegments(booking: Booking, whyNot: (segment: Segment) => Refusal | undefined) {
  const active = activeSegments(booking);
  const refused = active.flatMap((segment) => {
    const why = whyNot(segment)?.why;
    return why === undefined ? [] : [{ ref: segment.ref, why }];
  });
  return refused.length < active.length ? refused : [];
}

/** True if the airline lists no types at all. */
export function permits({ permitted }: Segment, types: readonly string[]): boolean {
  return permitted === undefined || permitted.some(({ modificationType }) => types.includes(modificationType));
}

/** Refuses a coupon that is not open (used, suspended). Ignores coupons of replaced tickets. */
export function closedCoupon(
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
