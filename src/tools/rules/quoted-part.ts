/** What a quote is for, and whether a cancellation of it would be refused. */

import { inputError } from '../../core/errors.ts';
import type { Money } from '../../core/money.ts';
import { type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { type BookingState, bookingState } from '../../domain/booking/booking-state.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { activeOptions } from '../../domain/pricing/penalty-rules.ts';
import type { CancelledPart } from '../../domain/pricing/refund-amount.ts';
import { whyNotCancelBooking } from '../acts/cancel-booking/why-not.ts';
import { whyNotCancelPassengers } from '../acts/cancel-passenger/why-not.ts';
import { optionsOfSegments } from './options-of-segments.ts';
import { type Refusal, refuse } from './refusal.ts';
import { assertNoOrphan, departureOf, hasAdult } from './removed-passengers.ts';
import { whyNotCancel, whyNotRefund } from './why-not-cancel.ts';

interface QuoteArgs {
  readonly segment_refs?: readonly string[] | undefined;
  readonly passenger_refs?: readonly string[] | undefined;
}

export interface QuotedPart {
  readonly state: BookingState;
  readonly given: CancelledPart;
  /** The price of a hold, which is quoted as if it were paid now. */
  readonly price?: Money;
  /** The hold has lapsed, or the booking is cancelled: nothing is left to cancel. */
  readonly over?: true;
  /** A tool that fits better. */
  readonly next?: string;
  readonly warnings: readonly string[];
}

const QUOTE = 'quote_cancellation';

export function checkQuoteArgs(args: QuoteArgs): void {
  if (args.segment_refs === undefined || args.passenger_refs === undefined) return;
  throw inputError(
    'passenger_refs',
    'expected only one of segment_refs and passenger_refs.',
    'Call quote_cancellation once with segment_refs alone and once with passenger_refs alone; no call quotes some passengers on some segments.',
  );
}

/** Throws what the cancelling tools throw, except where the quote itself is the answer: cancelled, lapsed, too late. */
export function quotedPart(booking: Booking, args: QuoteArgs, now: number): QuotedPart {
  const { state } = bookingState(booking, now);
  const nobody = { options: [], travelers: [] };
  if (state === 'cancelled') return { state, given: nobody, over: true, warnings: [] };
  if (isPaid(booking)) return paidPart(booking, args, now);
  const refusal = whyNotCancelBooking(booking, now);
  if (refusal?.code === 'E_ALREADY_DONE') return { state, given: nobody, over: true, warnings: [] };
  refuse(booking, refusal);
  const price = booking.pricing?.total?.total;
  const part = cutOf(booking, args, booking.options);
  return { state, ...part, ...(price && { price }) };
}

function paidPart(booking: Booking, args: QuoteArgs, now: number): QuotedPart {
  const { state } = bookingState(booking, now);
  // The cancelling tools refuse a booking that allows nothing before they look at the refs.
  if (args.segment_refs) refuse(booking, whyNotCancel(booking, now, []));
  else unlessLate(booking, whyNotRefund(booking, now));
  const part = cutOf(booking, args, activeOptions(booking));
  const { options, travelers } = part.given;
  const some = travelers.length < booking.travelers.length;
  const refs = travelers.map(({ ref }) => ref);
  unlessLate(booking, some ? whyNotCancelPassengers(booking, now, refs) : whyNotCancel(booking, now, options));
  return { state, ...part };
}

/** After the time limit the quote is the answer: nothing comes back. */
function unlessLate(booking: Booking, refusal: Refusal | undefined): void {
  if (refusal?.code !== 'E_TOO_LATE') refuse(booking, refusal);
}

function cutOf(
  booking: Booking,
  args: QuoteArgs,
  all: CancelledPart['options'],
): Pick<QuotedPart, 'given' | 'next' | 'warnings'> {
  const { travelers } = booking;
  if (args.segment_refs !== undefined) {
    const options = optionsOfSegments(booking, args.segment_refs, QUOTE);
    return { given: { options, travelers }, warnings: [] };
  }
  if (args.passenger_refs === undefined) return { given: { options: all, travelers }, warnings: [] };
  const departure = departureOf(booking, args.passenger_refs);
  assertNoOrphan(departure, QUOTE);
  const { going, staying } = departure;
  const lone = staying.length > 0 && !hasAdult(staying);
  const isEverybody = staying.length === 0 && segmentsOf(booking).length > 0;
  return {
    given: { options: all, travelers: going },
    ...(isEverybody && { next: 'These are all passengers: cancel the whole booking instead.' }),
    warnings: lone ? ['No adult stays: the airline may refuse this.'] : [],
  };
}
