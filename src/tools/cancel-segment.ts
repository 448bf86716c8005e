import * as z from 'zod';
import { type Booking, segmentsOf } from '../domain/booking/booking.ts';
import type { SegmentOption } from '../domain/booking/itinerary.ts';
import { segmentStatus } from '../domain/booking/status-codes.ts';
import { activeOptions } from '../domain/pricing/penalty-rules.ts';
import { inputError } from '../errors.ts';
import { defineBookingChange } from './definition/booking-change.ts';
import { cancelledReport, cancelledText, cancelOptionsTerms } from './definition/cancel.ts';
import { refs } from './definition/input-fields.ts';
import { manyByRef } from './rules/find-by-ref.ts';
import { notSent, refuse, whyNotCancel } from './rules/permissions.ts';
import { refundSchema } from './views/refund-result.ts';

export const cancelSegment = defineBookingChange({
  name: 'cancel_segment',
  title: 'Cancel segments',
  description:
    'Cancel trains or flights of a paid booking, with refund, after a person approves. Name segment_refs, or all: true.',
  toolset: 'core',
  input: () => ({ segment_refs: refs().optional(), all: z.boolean().optional() }),
  output: () => ({ cancelled_refs: z.array(z.string()), refund: refundSchema().optional() }),

  checkArgs({ segment_refs: given, all }) {
    if ((given === undefined) === (all !== true)) {
      throw inputError('segment_refs', 'expected exactly one of segment_refs and all: true.');
    }
  },

  whyNot: (booking, ctx) => whyNotCancel(booking, ctx.now(), []),

  terms(booking, args, ctx) {
    const options = args.segment_refs ? wholeOptions(booking, args.segment_refs) : activeOptions(booking);
    refuse(booking, whyNotCancel(booking, ctx.now(), options));
    return cancelOptionsTerms(booking, options, ctx);
  },

  report(done) {
    const added = cancelledReport(done);
    return { added, changed: [`segments ${added.cancelled_refs.join(', ')} cancelled`] };
  },

  text: cancelledText,
});

/** Finds the options of these segments: the message cancels only whole options. */
function wholeOptions(booking: Booking, given: readonly string[]): readonly SegmentOption[] {
  const segments = manyByRef(segmentsOf(booking), given, 'segment_refs', 'this booking');
  const gone = segments.filter((s) => segmentStatus(s.statusCode) === 'cancelled');
  if (gone.length > 0) {
    throw notSent(
      'E_ALREADY_DONE',
      `Segment ${gone.map(({ ref }) => ref).join(', ')} is cancelled already.`,
      'Call read_booking to see it, or cancel_segment with the other segments only.',
    );
  }
  const options = booking.options.filter((option) => option.segments.some((segment) => segments.includes(segment)));
  const others = options.flatMap((option) => option.segments).filter((segment) => !segments.includes(segment));
  if (others.some((s) => segmentStatus(s.statusCode) !== 'cancelled')) {
    const whole = options.map((option) => option.segments.map(({ ref }) => ref).join('+')).join(', ');
    throw inputError('segment_refs', `expected whole options, which are cancelled together: ${whole}.`);
  }
  return options;
}
