/** What cancel_booking, cancel_segment and cancel_passenger report once they are done. */
import * as z from 'zod';
import { cleanCode } from '../../core/clean-text.ts';
import { showLocal } from '../../core/times.ts';
import { listed, named } from '../../core/words.ts';
import { activeSegments, type Booking, segmentsOf } from '../../domain/booking/booking.ts';
import { segmentStatus } from '../../domain/booking/status-codes.ts';
import { expectedBy } from '../../journal/act.ts';
import type { Done, ToolContext } from '../definition/define.ts';
import { noted } from '../definition/field-notes.ts';
import { segmentsText } from '../views/refund-estimate.ts';
import { type RefundMade, refundMade, refundMadeText } from '../views/refund-made.ts';
import { bookingEvidence } from './cancel-booking/evidence.ts';
import { segmentsEvidence } from './cancel-segment/evidence.ts';

export const cancelledRefs = () => noted('flights or trains that were cancelled, by ref', z.array(z.string()));

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
  const refund = refundMade(done);
  return {
    summary: `Cancelled in booking ${locator}: ${whatWasCancelled(before, refs, ctx)}. ${refundMadeText(refund)}`,
    next: nextOf(refund),
    added: { cancelled_refs: refs, refund },
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
  const trains = gone.map((segment) => `${segmentsText(gone, [segment.ref], ctx)}, ${showLocal(segment.departs)}`);
  if (trains.length > 0) return listed(trains);
  return named(
    'segment',
    refs.map((ref) => cleanCode(ref)),
  );
}

function cancelledOf(booking: Booking | undefined) {
  return booking ? segmentsOf(booking).filter((s) => segmentStatus(s.statusCode) === 'cancelled') : [];
}
