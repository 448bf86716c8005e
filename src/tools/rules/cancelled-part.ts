/**
 * Finds which segments and passengers of a booking a call cancels, quotes or moves, and refuses what cannot be split: first for the
 * tools that do it, then for the quote.
 */
import { cleanRef } from '../../core/clean-text.ts';
import { inputError, notSent } from '../../core/errors.ts';
import type { Money } from '../../core/money.ts';
import { counted } from '../../core/words.ts';
import {
  activeOptions,
  type Booking,
  type Deed,
  optionsWith,
  type SegmentOption,
  segmentsOf,
} from '../../domain/booking/booking.ts';
import { type BookingState, bookingState } from '../../domain/booking/booking-state.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { standing } from '../../domain/booking/status-codes.ts';
import type { Traveler } from '../../domain/people/traveler.ts';
import { uncancelledSegments } from '../../domain/refund/fare-units.ts';
import type { CancelledPart } from '../../domain/refund/refund-amount.ts';
import { whyDone } from './done-here.ts';
import { manyByRef } from './find-by-ref.ts';
import {
  maybeRefundedRefusal,
  type Refusal,
  refusalError,
  refuse,
  whyNotCancel,
  whyNotCancelBooking,
  whyNotCancelPassengers,
  whyNotRefund,
} from './why-not.ts';

const QUOTE_TOOL = 'quote_cancellation';

/** Who leaves a booking, and who stays on it. */
export interface LeavingPassengers {
  readonly going: readonly Traveler[];
  readonly refs: readonly string[];
  readonly staying: readonly Traveler[];
}

export function whoLeaves({ travelers }: Booking, wanted: readonly string[]): LeavingPassengers {
  const going = manyByRef(travelers, wanted, 'passenger_refs', 'the booking has');
  const refs = going.map(({ ref }) => ref);
  return { going, refs, staying: travelers.filter(({ ref }) => !refs.includes(ref)) };
}

export function passengersText(going: readonly Traveler[]): string {
  return counted(going.length, 'passenger');
}

/** In a question or a quote; and once it is done. */
export const NO_ADULT_STAYS = 'No adult stays: the airline may refuse this.';
export const NO_ADULT_LEFT = 'No adult travels with those who stay: tell the person to ask the airline.';

export const hasAdult = (party: readonly Traveler[]) => party.some(({ type }) => type === 'ADT');

/** A lap infant cannot stay without its adult. `tool`: the tool that the error names. */
export function assertNoOrphan({ staying, refs }: LeavingPassengers, tool: string): void {
  const orphan = staying.find(({ attendantRef }) => attendantRef !== undefined && refs.includes(attendantRef));
  if (orphan === undefined) return;
  throw notSent(
    'E_NOT_PERMITTED',
    `Passenger ${cleanRef(orphan.attendantRef ?? '')} has infant ${cleanRef(orphan.ref)} on the lap, who cannot stay alone.`,
    `Call ${tool} with infant ${cleanRef(orphan.ref)} as well, if that is wanted.`,
  );
}

/** A lap infant cannot travel on without its adult. */
export function assertNoLoneInfant({ going, refs }: LeavingPassengers, tool: string): void {
  const infant = going.find(({ attendantRef }) => attendantRef !== undefined && !refs.includes(attendantRef));
  if (infant === undefined) return;
  throw notSent(
    'E_NOT_PERMITTED',
    `Infant ${cleanRef(infant.ref)} travels on the lap of passenger ${cleanRef(infant.attendantRef ?? '')}, who would stay.`,
    `Call ${tool} with passenger ${cleanRef(infant.attendantRef ?? '')} as well, if that is wanted.`,
  );
}

/**
 * Finds the options of these segments (docs/wire/interface.md, Changes). Refuses one whose refund is unclear, then one that is
 * cancelled, then a part of an option. One that the airline owes counts as active. `tool`: the tool that the error names.
 */
export function optionsOfSegments(booking: Booking, refs: readonly string[], tool: string): readonly SegmentOption[] {
  const segments = manyByRef(segmentsOf(booking), refs, 'segment_refs', 'the booking has');
  const cancelled = segments.filter((segment) => standing(segment) === 'cancelled');
  const maybeRefunded = cancelled.find(({ owed }) => owed === 'unclear');
  if (maybeRefunded !== undefined) throw refusalError(booking, maybeRefundedRefusal(maybeRefunded.ref));

  if (cancelled.length > 0) {
    throw notSent(
      'E_ALREADY_DONE',
      `Segment ${cancelled.map(({ ref }) => cleanRef(ref)).join(', ')} is cancelled already.`,
      `Call read_booking to see it, or ${tool} with the other segments only.`,
    );
  }

  const options = optionsWith(booking, segments);
  const others = options.flatMap((option) => option.segments).filter((segment) => !segments.includes(segment));
  if (others.some((segment) => standing(segment) !== 'cancelled')) {
    const optionRefs = options.map((option) => option.segments.map(({ ref }) => ref).join('+')).join(', ');
    throw inputError('segment_refs', `expected whole options, which are cancelled together: ${optionRefs}.`);
  }

  return options;
}

interface QuoteArgs {
  readonly segment_refs?: readonly string[] | undefined;
  readonly passenger_refs?: readonly string[] | undefined;
}

export interface QuotedPart {
  readonly state: BookingState;
  readonly cancelled: CancelledPart;
  /** It is an unpaid hold, which is quoted as if it were paid now. */
  readonly unpaid?: true;
  /** The price of a hold. */
  readonly price?: Money;
  /** The hold has lapsed, or the booking is cancelled: nothing is left to cancel. */
  readonly over?: true;
  /** What to do instead. */
  readonly next?: string;
  readonly warnings: readonly string[];
}

type RequestedPart = Pick<QuotedPart, 'cancelled' | 'next' | 'warnings'>;

export function checkQuoteArgs(args: QuoteArgs): void {
  if (args.segment_refs === undefined || args.passenger_refs === undefined) return;
  throw inputError(
    'passenger_refs',
    'expected only one of segment_refs and passenger_refs.',
    'Call quote_cancellation once with segment_refs alone and once with passenger_refs alone; no call quotes some passengers on some segments.',
  );
}

/**
 * Throws what the cancelling tools throw, except where the quote itself is the answer: cancelled, lapsed, too late.
 *
 * | the booking is                       | the quote is                         |
 * | ------------------------------------ | ------------------------------------ |
 * | cancelled, or a hold that has lapsed | over                                 |
 * | paid                                 | of the part that the call names      |
 * | an unpaid hold                       | as if it were paid now, at its price |
 * | perhaps paid                         | refused                              |
 */
export function quotedPart(booking: Booking, args: QuoteArgs, now: number): QuotedPart {
  const { state } = bookingState(booking, now);
  const nothingLeft = { state, cancelled: { options: [], travelers: [] }, over: true, warnings: [] } as const;
  if (state === 'cancelled') return nothingLeft;
  refuse(booking, whyDone(booking, { deed: 'cancellation', doing: [quotedDeed(args)] }, now));
  if (isPaid(booking)) return { state, ...partOfPaidBooking(booking, args, now) };

  const refusal = whyNotCancelBooking(booking, now);
  if (refusal?.code === 'E_ALREADY_DONE') return nothingLeft;

  refuse(booking, refusal);
  const price = booking.pricing?.total?.total;
  const options = booking.options.filter((option) => uncancelledSegments([option]).length > 0);
  return { state, ...requestedPart(booking, args, options), unpaid: true, price };
}

/** What the quoted act would do. */
function quotedDeed({ segment_refs: segmentRefs = [], passenger_refs: travelerRefs = [] }: QuoteArgs): Deed {
  return { kind: 'cancellation', segmentRefs, travelerRefs };
}

/**
 * Refuses as the cancelling tools do: before it looks at the refs, and then for the part that they name.
 *
 * | the call names | before the refs                                | for the part                                         |
 * | -------------- | ---------------------------------------------- | ---------------------------------------------------- |
 * | segments       | whyNotCancel for no options: no time limit yet | whyNotCancel for their options                       |
 * | passengers     | whyNotRefund                                   | whyNotCancelPassengers; for all of them whyNotCancel |
 * | neither        | whyNotRefund                                   | whyNotCancel                                         |
 */
function partOfPaidBooking(booking: Booking, args: QuoteArgs, now: number): RequestedPart {
  if (args.segment_refs) refuse(booking, whyNotCancel(booking, now, []));
  else refuseUnlessLate(booking, whyNotRefund(booking, now));
  const part = requestedPart(booking, args, activeOptions(booking));
  const { options, travelers } = part.cancelled;
  const refs = travelers.map(({ ref }) => ref);
  const somebodyStays = travelers.length < booking.travelers.length;
  const refusal = somebodyStays ? whyNotCancelPassengers(booking, now, refs) : whyNotCancel(booking, now, options);
  refuseUnlessLate(booking, refusal);

  return part;
}

/** After the time limit the quote itself is the answer: nothing comes back. */
function refuseUnlessLate(booking: Booking, refusal: Refusal | undefined): void {
  if (refusal?.code !== 'E_TOO_LATE') refuse(booking, refusal);
}

function requestedPart(booking: Booking, args: QuoteArgs, allOptions: CancelledPart['options']): RequestedPart {
  const { travelers } = booking;
  if (args.segment_refs !== undefined) {
    const options = optionsOfSegments(booking, args.segment_refs, QUOTE_TOOL);
    return { cancelled: { options, travelers }, warnings: [] };
  }
  if (args.passenger_refs === undefined) return { cancelled: { options: allOptions, travelers }, warnings: [] };

  const leaving = whoLeaves(booking, args.passenger_refs);
  assertNoOrphan(leaving, QUOTE_TOOL);

  const { going, staying } = leaving;
  const isNoAdultLeft = staying.length > 0 && !hasAdult(staying);
  const isEverybody = staying.length === 0 && segmentsOf(booking).length > 0;

  return {
    cancelled: { options: allOptions, travelers: going },
    next: isEverybody ? 'These are all passengers: cancel the whole booking instead.' : undefined,
    warnings: isNoAdultLeft ? [NO_ADULT_STAYS] : [],
  };
}
