/**
 * Derives the state of a booking. The airline's record names no state except CANCELLED (docs/wire/interface.md, States;
 * docs/wire/notes.md, Statuses). In this order: the state of a record, how it is shown, when an unpaid hold lapses.
 */
import { cleanCode } from '../../core/clean-text.ts';
import { memoizeByObject } from '../../core/memoize.ts';
import { earliestTime, instantOf, latestTime } from '../../core/times.ts';
import { type Booking, type Segment, segmentsOf, unshownOf } from './booking.ts';
import { unclearRefs } from './owed-segments.ts';
import { hasRefund, hasTickets, isPaid, wasPaid } from './paid-and-refunded.ts';
import { isCancelledByAirline, segmentMeaning, standing } from './status-codes.ts';

const BOOKING_STATES = ['held', 'ticketed', 'partly_cancelled', 'cancelled', 'expired', 'unknown'] as const;

export type BookingState = (typeof BOOKING_STATES)[number];

/** The states that lists and results show: a paid trip is `flown` once its last departure is over. */
export const SHOWN_STATES = [...BOOKING_STATES, 'flown'] as const;

interface StateReading {
  readonly state: BookingState;
  /** What shows this state, in words. */
  readonly basis: string;
}

/** An unpaid hold, whose state depends on the time: `unlapsed` until its limit, milliseconds since 1970, then expired. */
type HeldUntil = { readonly until: number; readonly unlapsed: StateReading };

/** Remembered, because nearly every rule asks for the state. */
const stateOrLimit = /* @__PURE__ */ memoizeByObject(stateByRecord);

/** Derives the state of a booking, and what shows it. `now`: milliseconds since 1970. */
export function bookingState(booking: Booking, now: number): StateReading {
  const state = stateOrLimit(booking);
  if (!('until' in state)) return state;
  return state.until <= now ? { state: 'expired', basis: 'the time limit for payment has passed' } : state.unlapsed;
}

/**
 * Whether the booking is a hold that is not paid and has not lapsed, by the same proofs where the airline cancelled a part of
 * it: no ticket, no paid order, no refund, and a time limit. `now`: milliseconds since 1970.
 */
export function isUnpaidHold(booking: Booking, now: number): boolean {
  const { state } = bookingState(booking, now);
  return state === 'held' || (state === 'partly_cancelled' && 'until' in stateOrLimit(booking));
}

/**
 * The state as the record shows it; for an unpaid hold the time limit. The first proof decides, cancellations and refunds
 * before tickets and payments, because tickets and orders stay on record after a cancellation.
 */
function stateByRecord(booking: Booking): StateReading | HeldUntil {
  if (booking.cancelled === true) {
    const isOnlyHere = unshownOf(booking, 'cancellation').length > 0;
    return { state: 'cancelled', basis: isOnlyHere ? 'cancelled here' : 'the airline says CANCELLED' };
  }

  const limit = wasPaid(booking) ? undefined : instantOf(payBy(booking));
  const cancelled = stateByCancellation(booking);
  if (cancelled !== undefined) {
    // What the airline left of an unpaid hold lapses as the whole of it would.
    const mayLapse = cancelled.state === 'partly_cancelled' && limit !== undefined;
    return mayLapse ? { until: limit, unlapsed: cancelled } : cancelled;
  }

  const owed = segmentsOf(booking).filter((segment) => segment.owed === true);
  if (owed.length > 0) {
    const basis = `the airline cancelled segment ${listRefs(owed)} and has not refunded it`;
    return { state: 'ticketed', basis };
  }

  if (hasTickets(booking)) return { state: 'ticketed', basis: 'tickets are issued' };
  if (isPaid(booking)) {
    const isPaidHere = unshownOf(booking, 'payment').length > 0;
    return { state: 'ticketed', basis: isPaidHere ? 'paid here' : 'paid; no ticket is shown yet' };
  }

  if (limit !== undefined) {
    return { until: limit, unlapsed: { state: 'held', basis: 'unpaid, and the time limit for payment is known' } };
  }

  if (booking.looseLimits?.some(({ what }) => what === 'pay_by') && !wasPaid(booking)) {
    return { state: 'held', basis: 'unpaid, and the time limit for payment is not an exact time' };
  }

  const isPending = booking.orders.some((order) => order.status === 'PENDING');
  if (isPending) return { state: 'held', basis: 'an order is PENDING' };

  return { state: 'unknown', basis: 'no ticket, paid order or time limit is recorded' };
}

/** The state of a booking with a cancelled segment or a refund; undefined for one with neither. */
function stateByCancellation(booking: Booking): StateReading | undefined {
  const statuses = segmentsOf(booking).map(standing);
  const cancelledCount = statuses.filter((status) => status === 'cancelled').length;
  const isAllCancelled = cancelledCount === statuses.length;
  if (cancelledCount > 0) {
    const basis = isAllCancelled
      ? whoCancelledAll(booking)
      : `${cancelledCount} of ${statuses.length} segments cancelled`;
    return { state: isAllCancelled ? 'cancelled' : 'partly_cancelled', basis: `${basis}${refundDoubt(booking)}` };
  }

  if (!hasRefund(booking)) return undefined;

  return statuses.length === 0
    ? { state: 'cancelled', basis: 'refunded, no segment is left' }
    : { state: 'partly_cancelled', basis: 'a refund is recorded while segments stay active' };
}

/** Who cancelled all segments, if their codes say that the airline did. Other codes do not say who asked for it. */
function whoCancelledAll(booking: Booking): string {
  const segments = segmentsOf(booking);
  if (unshownOf(booking, 'cancellation').length > 0) return 'cancelled here';

  const byAirline = segments.filter(({ statusCode }) => isCancelledByAirline(statusCode));
  if (byAirline.length === 0) return 'every segment is cancelled';

  if (byAirline.length < segments.length) {
    return `every segment is cancelled; the airline cancelled segment ${listRefs(byAirline)}`;
  }

  return `the airline cancelled ${segments.length === 1 ? 'it' : 'every segment'}`;
}

function refundDoubt(booking: Booking): string {
  const refs = unclearRefs(booking).map((ref) => cleanCode(ref));
  return refs.length === 0 ? '' : `; the airline may have refunded segment ${refs.join(', ')}: a person must ask it`;
}

function listRefs(segments: readonly Segment[]): string {
  return segments.map(({ ref }) => cleanCode(ref)).join(', ');
}

/**
 * The state as lists and results show it.
 * @param lastDeparture from {@link runsUntil}
 * @param now milliseconds since 1970
 */
export function shownState(state: string, lastDeparture: string | undefined, now: number): string {
  const isPaidTrip = state === 'ticketed' || state === 'partly_cancelled';
  return isPaidTrip && hasPassed(lastDeparture, now) ? 'flown' : state;
}

/** The segments that were neither cancelled nor missed. */
export function travelledSegments(booking: Booking): readonly Segment[] {
  return segmentsOf(booking).filter(({ statusCode }) => {
    const meaning = segmentMeaning(statusCode);
    return meaning !== 'lost' && meaning !== 'no_show';
  });
}

/** The last departure of a trip; undefined without a segment, or if a departure is not known. */
export function runsUntil(booking: Booking): string | undefined {
  const departures = travelledSegments(booking).map(({ departs }) => departs);
  return departures.every((departs) => instantOf(departs) !== undefined) ? latestTime(departures) : undefined;
}

/** When an unpaid hold lapses, as sent: the earliest time limit of fares and tickets. */
export function payBy(booking: Booking): string | undefined {
  return earliestTime([
    ...(booking.pricing?.fares.map((fare) => fare.payBy) ?? []),
    ...booking.tickets.map((ticket) => ticket.timeLimit),
  ]);
}

/** Whether a limit has passed; false for one that is not known. `now`: milliseconds since 1970. */
export function hasPassed(limit: string | undefined, now: number): boolean {
  const ms = instantOf(limit);
  return ms !== undefined && ms <= now;
}
