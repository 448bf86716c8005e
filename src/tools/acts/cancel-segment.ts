/**
 * Cancels segments of a paid booking, with refund. First the act: what the journal, later readings and the list of allowed acts ask of
 * it (journal/act.ts). Then the tool.
 */
import * as z from 'zod';
import { inputError } from '../../core/errors.ts';
import { activeOptions, type Booking } from '../../domain/booking/booking.ts';
import { flightsCancelled } from '../../domain/facts/cancelled-parts.ts';
import { type Closing, refundMade } from '../../domain/facts/touches.ts';
import type { ActPart } from '../../journal/act.ts';
import { noted } from '../definition/field-notes.ts';
import { EXAMPLE_BOOKING, reason, refs } from '../definition/input-fields.ts';
import { optionsOfSegments } from '../rules/cancelled-part.ts';
import { type Refusal, refuse, whyNotCancel } from '../rules/why-not.ts';
import { cancellationRefundSchema, comesBack } from '../views/refund-made.ts';
import { defineBookingChange } from './booking-change.ts';
import { cancelledRefs, cancelledReport, cancelOptionsTerms, withReason } from './cancellation.ts';
import { type CancelSegments, segmentDeeds, segmentsEvidence } from './cancellation-evidence.ts';

const act: ActPart<CancelSegments> = {
  ...segmentsEvidence,
  countedAs: 'refund',
  deed: 'cancellation',
  decidesBooking: true,
  scope: 'air:refund',
  word: 'cancellation',
  title: (_, outcome) => `Cancelled; ${comesBack(outcome)}`,
  touches: (expected, refund) => [
    refundMade(expected.refundsBefore, refund),
    {
      ...flightsCancelled(expected.flights ?? []),
      closes: ({ segment }, closing) => segment !== undefined && isDealtWith(expected, closing),
      cancels: { refs: expected.segmentRefs, otherSegments: expected.keptRefs.length },
      deeds: (booking) => segmentDeeds(expected, booking),
    },
  ],
  whyNot: (booking, { now }) => whyNotCancelAny(booking, now),
};

/** Whether nothing is left to do about a segment. */
function isDealtWith({ segmentRefs, owedRefs = [] }: CancelSegments, { refs, mayStillBeRefunded }: Closing): boolean {
  const isOneOf = (cancelledRefs: readonly string[]) => refs.some((ref) => cancelledRefs.includes(ref));
  // The airline owed its refund. This act succeeded because that is recorded now; the coupon can stay open for longer.
  return isOneOf(owedRefs) || (isOneOf(segmentRefs) && !mayStillBeRefunded());
}

/** Why no option can be cancelled; undefined if one can. */
function whyNotCancelAny(booking: Booking, now: number): Refusal | undefined {
  const reasons = activeOptions(booking).map((option) => whyNotCancel(booking, now, [option]));
  if (reasons.includes(undefined)) return undefined;
  return reasons[0] ?? whyNotCancel(booking, now);
}

export const cancelSegment = defineBookingChange({
  act,
  name: 'cancel_segment',
  title: 'Cancel segments',
  description:
    'Cancel trains or flights of a paid booking, with refund, after a person approves. Name segment_refs, or all: true.',
  toolset: 'core',
  example: { ...EXAMPLE_BOOKING, segment_refs: ['1'] },

  input: () => ({
    segment_refs: noted('The flights or trains to cancel, by ref. Either this or `all`.', refs().optional()),
    all: noted(
      'Cancels every flight or train of the booking. Either this or `segment_refs`.',
      z.boolean().optional(),
      '`false`',
    ),
    reason: reason(),
  }),

  output: () => ({ cancelled_refs: cancelledRefs(), refund: cancellationRefundSchema().optional() }),

  doing: ({ segment_refs: segmentRefs = [] }) => [{ kind: 'cancellation', segmentRefs, travelerRefs: [] }],

  checkArgs({ segment_refs: segmentRefs, all }) {
    if ((segmentRefs !== undefined) === (all === true)) {
      throw inputError('segment_refs', 'expected exactly one of segment_refs and all: true.');
    }
  },

  // Refuses by the booking alone; terms() also by the segments that the call names.
  whyNot: (booking, { now }) => whyNotCancel(booking, now, []),

  terms(booking, args, ctx) {
    const options = args.segment_refs
      ? optionsOfSegments(booking, args.segment_refs, 'cancel_segment')
      : activeOptions(booking);
    refuse(booking, whyNotCancel(booking, ctx.now(), options));
    return withReason(cancelOptionsTerms(booking, options, ctx), args.reason);
  },

  report: cancelledReport,
});
