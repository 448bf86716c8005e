/**
 * The words that the person approves when a booking, segments or passengers are cancelled: sections, the money at stake, and
 * the sentence of the yes. Each act adds what only it says.
 */

import { nearOf } from '../../approvals/terms.ts';
import { showMoney } from '../../core/money.ts';
import { activeSegments, type Booking, type Segment, type SegmentOption } from '../../domain/booking/booking.ts';
import { flightName } from '../../domain/booking/flight-name.ts';
import { standing } from '../../domain/booking/status-codes.ts';
import { estimateRefund, refundAtStake } from '../../domain/pricing/estimate-refund.ts';
import type { CancelledPart } from '../../domain/pricing/refund-amount.ts';
import type { ChangeTerms } from '../definition/booking-change.ts';
import { type ToolContext, vehicleOf } from '../definition/define.ts';
import { estimateTerms } from '../views/refund-made.ts';
import { peopleSection, refundSections, section, tripSection } from '../views/terms-lines.ts';
import { expectCancelledSegments } from './cancel-segment/evidence.ts';

/** Sections and amounts of a refund, and the words of the yes: booking, `what` goes, estimate. */
export function refundTerms(booking: Booking, what: string, given: CancelledPart, ctx: ToolContext) {
  const now = ctx.now();
  const estimate = estimateRefund(booking, given, now);
  const { amount } = estimate;
  const atStake = refundAtStake(booking, estimate);
  const back = amount === undefined ? unknownRefund(estimate) : `refund about ${showMoney(amount)}`;
  const near = nearOf({ booking });
  return {
    sections: refundSections({ booking, given, estimate, now, near }),
    terms: {
      nature: 'cancellation' as const,
      act: `Cancel ${what} of ${booking.locator}, ${back}`,
      money: {
        direction: 'refund' as const,
        amount: atStake,
        // Limits count the most that can come back.
        isUpperBound: atStake !== undefined && amount === undefined ? (true as const) : undefined,
      },
      estimate: estimateTerms(estimate, given),
    },
  };
}

function unknownRefund({ tooLate, bounds }: ReturnType<typeof estimateRefund>): string {
  // After a time limit of the airline, cancelling is refused.
  if (tooLate) return 'nothing comes back (estimate)';
  if (bounds === undefined) return 'refund not known';
  return `refund ${showMoney(bounds.atLeast)} to ${showMoney(bounds.atMost)}`;
}

export function cancelOptionsTerms(booking: Booking, options: readonly SegmentOption[], ctx: ToolContext): ChangeTerms {
  const segments = options.flatMap((option) => option.segments.filter((s) => standing(s) === 'active'));
  const refs = segments.map((segment) => segment.ref);
  const kept = activeSegments(booking).filter((segment) => !refs.includes(segment.ref));
  const isEvery = kept.length === 0 && segments.length > 1;
  const what = isEvery ? `every ${vehicleOf(ctx.settings)}` : vehicleNames(segments, ctx);
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
