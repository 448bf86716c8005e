/**
 * What the cancelling tools share: their terms, the act and the report.
 */

import type { Terms } from '../../approvals/terms.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import type { Modification } from '../../domain/booking/booking-requests.ts';
import { activeSegments, cancelSegmentsSubject, segmentsOf } from '../../domain/booking/expected-change.ts';
import type { SegmentOption } from '../../domain/booking/itinerary.ts';
import { segmentStatus } from '../../domain/booking/status-codes.ts';
import { estimateRefund, type RefundEstimate, refundAtStake } from '../../domain/pricing/estimate-refund.ts';
import { type Money, showMoney } from '../../domain/pricing/money.ts';
import type { GivenBack } from '../../domain/pricing/refund-amount.ts';
import { cleanCode } from '../../domain/time-and-text/clean-text.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { estimateTerms, type RefundView, refundText, refundView } from '../views/refund-result.ts';
import { flightLine, peopleLines, refundLines } from '../views/terms-lines.ts';
import type { Done, ToolContext } from './define.ts';

export interface ModifySend {
  readonly modification: Modification;
}

export function readNow(locator: string, ctx: ToolContext): Promise<Booking> {
  return ctx.airline.read(locator, ctx.signal ? { signal: ctx.signal } : {});
}

/** Money, estimate and lines of a refund: the same for segments and passengers. */
export function refundTerms(booking: Booking, given: GivenBack, ctx: ToolContext) {
  const estimate = estimateRefund(booking, given, ctx.now());
  const amount = refundAtStake(booking, estimate);
  return {
    estimate,
    terms: omitUndefined({
      money: omitUndefined({ direction: 'refund' as const, amount, whole: wholeStandsIn(amount, estimate.amount) }),
      estimate: estimateTerms(estimate),
    }),
    lines: refundLines(estimate, ctx.settings.locale, activeSegments(booking)[0]?.departs),
  };
}

/** Whether limits count the most that can move, because the amount is not known. */
export function wholeStandsIn(counted: Money | undefined, known: Money | undefined): true | undefined {
  return counted !== undefined && known === undefined ? true : undefined;
}

/** Words of the yes: they name the booking, what goes, and the estimate. */
export function actWords(what: string, booking: Booking, estimate: RefundEstimate): string {
  const { amount, bounds } = estimate;
  const most = bounds === undefined ? '' : `, at most ${showMoney(bounds.atMost)}`;
  const back = amount === undefined ? `refund not known${most}` : `refund about ${showMoney(amount)}`;
  return `Cancel ${what} of ${booking.locator}, ${back}`;
}

const activeOf = (option: SegmentOption) => option.segments.filter((s) => segmentStatus(s.statusCode) === 'active');

/** Terms of cancelling whole options of a paid booking. */
export function cancelOptionsTerms(
  booking: Booking,
  options: readonly SegmentOption[],
  ctx: ToolContext,
): Terms<ModifySend> {
  const refs = options.flatMap(activeOf).map((segment) => segment.ref);
  const kept = activeSegments(booking).filter((segment) => !refs.includes(segment.ref));
  const refund = refundTerms(booking, { options, travelers: booking.travelers }, ctx);
  const what = kept.length === 0 ? 'every flight' : `flight ${refs.join(', ')}`;
  return {
    locator: booking.locator,
    booking,
    lines: [
      `Cancel ${what} of booking ${booking.locator} for all its passengers. This cannot be undone.`,
      ...options.flatMap(activeOf).map((segment) => flightLine(segment)),
      ...refund.lines,
      ...peopleLines(booking),
      ...(kept.length === 0 ? [] : [`Stays as it is: ${kept.map((segment) => flightLine(segment)).join('; ')}`]),
    ],
    act: actWords(what, booking, refund.estimate),
    ask: true,
    ...refund.terms,
    subject: cancelSegmentsSubject(booking, refs),
    send: { modification: { kind: 'cancel_segments', booking, options } },
  };
}

/** Segments that this operation cancelled, and the refund. */
export function cancelledReport(done: Done<unknown>): { cancelled_refs: string[]; refund?: RefundView } {
  const { subject } = done.operation;
  const before = done.terms?.booking;
  const refs =
    subject.kind === 'cancel_segments'
      ? [...subject.segmentRefs]
      : (before ? activeSegments(before) : cancelledOf(done.booking)).map((segment) => segment.ref);
  return omitUndefined({ cancelled_refs: refs, refund: refundView(done) });
}

function cancelledOf(booking: Booking | undefined) {
  return booking ? segmentsOf(booking).filter((s) => segmentStatus(s.statusCode) === 'cancelled') : [];
}

export function cancelledText(added: { cancelled_refs?: string[] | undefined }, done: Done<unknown>): string {
  const { subject, locator = '' } = done.operation;
  const refs = (added.cancelled_refs ?? []).map((ref) => cleanCode(ref)).join(', ');
  const what = refs === '' ? '' : `: ${refs.includes(',') ? 'segments' : 'segment'} ${refs}`;
  if (subject.kind === 'cancel_booking')
    return `Hold ${locator} is released${what}. Nothing was paid, nothing is refunded.`;
  return [`Cancelled in booking ${locator}${what}.`, refundText(refundView(done))].join('\n');
}
