/** What the three acts that cancel share: the terms that a person approves, and the report once it is done. */
import * as z from 'zod';
import type { Terms, TermsSection } from '../../approvals/terms.ts';
import { cleanCode } from '../../core/clean-text.ts';
import { showLocal } from '../../core/times.ts';
import { capitalized, listed, nounWithRefs } from '../../core/words.ts';
import {
  activeSegments,
  type Booking,
  type Segment,
  type SegmentOption,
  segmentsOf,
} from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { soldFacts } from '../../domain/booking/sold-facts.ts';
import { standing } from '../../domain/booking/status-codes.ts';
import { refundAtStake } from '../../domain/refund/estimate-refund.ts';
import { givenUp } from '../../domain/refund/given-up.ts';
import type { CancelledPart } from '../../domain/refund/refund-amount.ts';
import { expectedBy } from '../../journal/act.ts';
import { reasonGiven } from '../../ledger/reason.ts';
import { type Done, type ToolContext, vehicleOf } from '../definition/define.ts';
import { askedRefund } from '../views/refund-data.ts';
import { segmentsText } from '../views/refund-lines.ts';
import {
  type CancellationRefund,
  cancellationRefundText,
  estimateTerms,
  viewCancellationRefund,
} from '../views/refund-made.ts';
import { refundSections } from '../views/refund-text.ts';
import { peopleSection, section, standingSegments, tripSection } from '../views/terms-text.ts';
import type { ChangeTerms } from './booking-change.ts';
import { bookingEvidence, cancelledIn, expectCancelledSegments, segmentsEvidence } from './cancellation-evidence.ts';

/** Ends the sentence of an act; the page says it above the title. */
export const NOT_UNDONE = 'This cannot be undone.';

const AFTER_RELEASE = 'If the person still travels, call search_fares.';
const REFUND_LATER = 'read_booking shows the refund once the airline states it.';

/** Writes the sections and amounts of a refund, and the act that a person approves. `what` is cancelled. */
export function refundTerms(booking: Booking, what: string, cancelled: CancelledPart, ctx: ToolContext) {
  const asked = askedRefund({ booking, cancelled, now: ctx.now() }, ctx);
  const { estimate } = asked;
  const { amount } = estimate;
  const atStake = refundAtStake(booking, estimate);
  const lost = givenUp(booking, cancelled, estimate, ctx.now());

  return {
    sections: refundSections(asked, { givenUp: lost }),
    terms: {
      nature: 'cancellation' as const,
      act: {
        verb: 'Cancel',
        object: what,
        preposition: 'of' as const,
        booking: booking.locator,
        sum: {
          moves: 'back' as const,
          about: amount,
          between: estimate.bounds,
          isTooLate: estimate.tooLate !== undefined,
          onCondition: estimate.onCondition,
        },
      },
      money: {
        direction: 'refund' as const,
        amount: atStake,
        // Limits count the most that can come back.
        isUpperBound: atStake !== undefined && amount === undefined ? (true as const) : undefined,
        givenUp: lost,
      },
      estimate: estimateTerms(asked),
    },
  };
}

/**
 * Adds to the terms why the customer cancels: the person who decides reads it, the operation keeps it, and nothing of it is sent.
 */
export function withReason<T extends Pick<Terms, 'sections' | 'reason'>>(terms: T, reason: string | undefined): T {
  if (reason === undefined) return terms;
  return { ...terms, reason, sections: [...terms.sections, section('note', capitalized(reasonGiven(reason)))] };
}

/** Writes the terms of cancelling these options for all passengers. */
export function cancelOptionsTerms(booking: Booking, options: readonly SegmentOption[], ctx: ToolContext): ChangeTerms {
  const segments = options.flatMap((option) => option.segments.filter((segment) => standing(segment) === 'active'));
  const refs = segments.map((segment) => segment.ref);
  const staying = standingSegments(booking).filter((segment) => !refs.includes(segment.ref));
  const isWholeTrip = staying.length === 0 && segments.length > 1;
  const what = isWholeTrip ? `every ${vehicleOf(ctx.settings)}` : vehicleNames(segments, ctx);
  const refund = refundTerms(booking, what, { options, travelers: booking.travelers }, ctx);

  return {
    sections: [
      {
        ...section('act', `Cancel ${what} of booking ${booking.locator} for all its passengers. ${NOT_UNDONE}`),
        below: ['For all its passengers.'],
      },
      tripSection(segments, ctx),
      ...refund.sections,
      peopleSection(booking),
      stayingSection(staying, ctx),
    ],
    ...refund.terms,
    sold: soldFacts(booking, { segments }),
    subject: expectCancelledSegments(booking, refs),
    modification: { kind: 'cancel_segments', booking: booking.reading, options },
  };
}

/** The flights that are not cancelled, below the rest. */
function stayingSection(staying: readonly Segment[], ctx: ToolContext): TermsSection {
  return { ...tripSection(staying, ctx, { before: 'Stays as it is: ', showsStatus: true }), kind: 'note' };
}

/** `train HHR101`, `trains HHR101, HHR102`. */
function vehicleNames(segments: readonly Segment[], { settings }: ToolContext): string {
  const names = segments.map((segment) => flightName(segment));
  return `${vehicleOf(settings)}${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

export const cancelledRefs = () => z.array(z.string());

/** Reports the cancellation of segments, or of a whole booking. The texts are in the summary. */
export function cancelledReport(done: Done<unknown>, ctx: ToolContext) {
  const expected = expectedBy(segmentsEvidence, done.operation);
  const before = done.terms?.booking;
  const shown = expected && before ? cancelledIn(expected, before).flatMap((one) => one ?? []) : undefined;
  const ofHold = before === undefined ? [] : activeSegments(before).map(({ ref }) => ref);
  const refs = shown?.map(({ ref }) => ref) ?? expected?.segmentRefs ?? ofHold;
  const { locator = '' } = done.operation;
  if (expectedBy(bookingEvidence, done.operation)) {
    const summary = `Hold ${locator} is released. Nothing was paid, nothing is refunded.`;
    return { summary, next: AFTER_RELEASE, added: { cancelled_refs: [...refs] } };
  }

  const refund = viewCancellationRefund(done);
  return {
    summary: `Cancelled in booking ${locator}: ${whatWasCancelled(before, refs, ctx)}. ${cancellationRefundText(refund)}`,
    next: whereRefundShows(refund),
    added: { cancelled_refs: [...refs], refund },
  };
}

/** Says where the refund shows later. Undefined if the airline stated it already. */
export function whereRefundShows(refund: CancellationRefund | undefined): string | undefined {
  return refund?.stated === undefined ? REFUND_LATER : undefined;
}

/** Names the trains with their times if this process has read them, or else their refs. */
function whatWasCancelled(before: Booking | undefined, refs: readonly string[], ctx: ToolContext): string {
  const cancelled = before ? segmentsOf(before).filter(({ ref }) => refs.includes(ref)) : [];
  const trains = cancelled.map(
    (segment) => `${segmentsText(cancelled, [segment.ref], ctx)}, ${showLocal(segment.departs)}`,
  );
  if (trains.length > 0) return listed(trains);
  const cleanRefs = refs.map((ref) => cleanCode(ref));
  return nounWithRefs('segment', cleanRefs);
}
