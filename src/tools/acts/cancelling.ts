/** What cancel_booking, cancel_segment and cancel_passenger share: their terms, their report and its words. */

import { cleanCode } from '../../core/clean-text.ts';
import { showLocal } from '../../core/local-times.ts';
import { showMoney } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { listed } from '../../core/words.ts';
import { activeSegments, type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import type { Segment, SegmentOption } from '../../domain/booking/itinerary.ts';
import { segmentStatus, standing } from '../../domain/booking/status-codes.ts';
import { estimateRefund, refundAtStake } from '../../domain/pricing/estimate-refund.ts';
import type { CancelledPart } from '../../domain/pricing/refund-amount.ts';
import { expectedBy } from '../../journal/act.ts';
import { type ChangeTerms, isUpperBound } from '../definition/booking-change.ts';
import { type Done, type ToolContext, vehicleOf } from '../definition/define.ts';
import { segmentsText } from '../views/refund.ts';
import { estimateTerms, type RefundMade, refundMade, refundMadeText } from '../views/refund-made.ts';
import { peopleSection, refundSections, section, tripSection } from '../views/terms-lines.ts';
import { bookingEvidence } from './cancel-booking/evidence.ts';
import { expectCancelledSegments, segmentsEvidence } from './cancel-segment/evidence.ts';

/** Sections and amounts of a refund, and the words of the yes: booking, `what` goes, estimate. */
export function refundTerms(booking: Booking, what: string, given: CancelledPart, ctx: ToolContext) {
  const { locale } = ctx.settings;
  const now = ctx.now();
  const estimate = estimateRefund(booking, given, now, { locale });
  const { amount, tooLate } = estimate;
  const atStake = refundAtStake(booking, estimate);
  // After a time limit of the airline, cancelling is refused.
  const unknown = tooLate ? 'nothing comes back (estimate)' : 'refund not known';
  const back = amount === undefined ? unknown : `refund about ${showMoney(amount)}`;
  const near = activeSegments(booking)[0]?.departs;
  return {
    sections: refundSections({ booking, given, estimate, now, near, locale }),
    terms: omitUndefined({
      nature: 'cancellation' as const,
      act: `Cancel ${what} of ${booking.locator}, ${back}`,
      money: omitUndefined({ direction: 'refund' as const, amount: atStake, whole: isUpperBound(atStake, amount) }),
      estimate: estimateTerms(estimate, given),
    }),
  };
}

export function cancelOptionsTerms(booking: Booking, options: readonly SegmentOption[], ctx: ToolContext): ChangeTerms {
  const segments = options.flatMap((option) => option.segments.filter((s) => standing(s) === 'active'));
  const refs = segments.map((segment) => segment.ref);
  const kept = activeSegments(booking).filter((segment) => !refs.includes(segment.ref));
  const what = kept.length === 0 ? `every ${vehicleOf(ctx.settings)}` : vehicleNames(segments, ctx);
  const refund = refundTerms(booking, what, { options, travelers: booking.travelers }, ctx);
  return {
    sections: [
      section('act', `Cancel ${what} of booking ${booking.locator} for all its passengers. This cannot be undone.`),
      tripSection(segments, ctx),
      ...refund.sections,
      peopleSection(booking.travelers),
      { ...tripSection(kept, ctx, { before: 'Stays as it is: ' }), kind: 'note' },
    ],
    ...refund.terms,
    subject: expectCancelledSegments(booking, refs),
    modification: { kind: 'cancel_segments', booking, options },
  };
}

/** `train HHR101`, `trains HHR101, HHR102`. */
function vehicleNames(segments: readonly Segment[], { settings }: ToolContext): string {
  const names = segments.map((segment) => flightName(segment));
  return `${vehicleOf(settings)}${names.length === 1 ? '' : 's'} ${names.join(', ')}`;
}

/** What the cancelling of segments, or of a whole booking, reports. The texts are in the summary. */
export function cancelledReport(done: Done<unknown>, ctx: ToolContext) {
  const expected = expectedBy(segmentsEvidence, done.operation);
  const before = done.terms?.booking;
  const refs =
    expected !== undefined
      ? [...expected.segmentRefs]
      : (before ? activeSegments(before) : cancelledOf(done.booking)).map((segment) => segment.ref);
  const { locator = '' } = done.operation;
  if (expectedBy(bookingEvidence, done.operation)) {
    const summary = `Hold ${locator} is released. Nothing was paid, nothing is refunded.`;
    return { summary, added: { cancelled_refs: refs } };
  }
  const options = before?.options.filter(({ segments }) => segments.some(({ ref }) => refs.includes(ref)));
  const part = before && options && { booking: before, given: { options, travelers: before.travelers } };
  const refund = refundMade(done, ctx, part);
  return {
    summary: `Cancelled in booking ${locator}: ${whatWasCancelled(before, refs, ctx)}. ${refundMadeText(refund)}`,
    next: nextOf(refund),
    added: omitUndefined({ cancelled_refs: refs, refund }),
  };
}

const REFUND_LATER = 'read_booking shows the refund once the airline states it.';

/** Undefined where the airline stated the refund. */
export function nextOf(refund: RefundMade | undefined): string | undefined {
  return refund?.stated === undefined ? REFUND_LATER : undefined;
}

/** The trains with their times, where this process knows them; else their refs. */
function whatWasCancelled(before: Booking | undefined, refs: readonly string[], ctx: ToolContext): string {
  const gone = before ? segmentsOf(before).filter(({ ref }) => refs.includes(ref)) : [];
  const named = gone.map((segment) => `${segmentsText(gone, [segment.ref], ctx)}, ${showLocal(segment.departs)}`);
  if (named.length > 0) return listed(named);
  return `${refs.length === 1 ? 'segment' : 'segments'} ${refs.map((ref) => cleanCode(ref)).join(', ')}`;
}

function cancelledOf(booking: Booking | undefined) {
  return booking ? segmentsOf(booking).filter((s) => segmentStatus(s.statusCode) === 'cancelled') : [];
}
