/** The refund of a whole booking if it were cancelled now, in one line. */
import * as z from 'zod';
import { showDeadline } from '../../core/local-times.ts';
import { formatMoney, showMoney } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { bookingState } from '../../domain/booking/booking-state.ts';
import { isPaid } from '../../domain/booking/payment-state.ts';
import { readingText } from '../../domain/pricing/describe-refund.ts';
import { estimateRefund, type RefundEstimate } from '../../domain/pricing/estimate-refund.ts';
import { whyNotCancel } from '../rules/permissions.ts';
import { allCancellable, firstDeparture } from './refund.ts';
import { refundability } from './refund-of-offer.ts';
import { endedText } from './terms-lines.ts';

export { allCancellable, firstDeparture };

export function refundNoteSchema() {
  return z.object({ text: z.string(), amount: z.string().optional(), until: z.string().optional() });
}

export type RefundNote = z.input<ReturnType<typeof refundNoteSchema>>;

/** Estimates a hold as if it were paid and then cancelled at once. `locale`: of the airline's words. */
export function refundIfCancelled(held: Booking, now: number, locale?: string): RefundEstimate {
  const { booking, given, price } = allCancellable(held);
  return estimateRefund(booking, given, now, { paid: price, locale });
}

const PARTS = 'quote_cancellation tells the refund of each part.';

/** Undefined for a booking that is over or has no segment or passenger. */
export function refundNote(booking: Booking, now: number, locale?: string): RefundNote | undefined {
  const { state } = bookingState(booking, now);
  if (state === 'cancelled' || state === 'expired') return undefined;
  const estimate = refundIfCancelled(booking, now, locale);
  if (estimate.tooLate) return { text: `${endedText(estimate)} ${estimate.rule}` };
  if (estimate.lines.length === 0 && estimate.gaps.length === 0) return undefined;
  const refusal = isPaid(booking) ? whyNotCancel(booking, now) : undefined;
  if (refusal !== undefined) return { text: `Not all of it can be cancelled: ${refusal.why}. ${PARTS}` };
  const { amount, until } = estimate;
  // Where the sum is not known, the parts say more.
  const parts = amount === undefined && estimate.lines.length > 0 ? ` ${PARTS}` : '';
  return omitUndefined({
    text: `${textOf(estimate, firstDeparture(booking))}${parts}`,
    amount: amount && formatMoney(amount),
    until: amount !== undefined && amount.minor > 0 ? until : undefined,
  });
}

/** The refund of a new hold. `offered`: the refund note of its offer. */
export function heldRefund(
  booking: Booking,
  now: number,
  offered: string | undefined,
  locale?: string,
): RefundNote | undefined {
  const note = refundNote(booking, now, locale);
  if (note === undefined || offered === undefined || booking.pricing === undefined) return note;
  const { refund_note: current } = refundability(booking.pricing, now, firstDeparture(booking), locale);
  return current === offered ? note : { ...note, text: `${note.text} The rule changed: the offer said “${offered}”.` };
}

function textOf(estimate: RefundEstimate, near: string | undefined): string {
  const { amount, bounds, lines, gaps } = estimate;
  const isWorded = gaps.some(({ words }) => words !== undefined);
  if (lines.length === 0 && !isWorded) return estimate.rule;
  const refundable = lines.some(({ rule }) => rule.refundable);
  if (!refundable && gaps.length === 0) return 'Not refundable.';
  const until = estimate.until === undefined ? '' : ` until ${showDeadline(estimate.until, near)}`;
  if (amount !== undefined && lines.every(({ rule, each }) => rule.refundable && each.minor === 0)) {
    return `Free cancellation${until}: ${showMoney(amount)} back.`;
  }
  if (amount?.minor === 0) return 'Nothing back: the penalty is as much as the price.';
  if (amount !== undefined) {
    const people = new Map(lines.map(({ type, passengers }) => [type, passengers]));
    const count = [...people.values()].reduce((sum, passengers) => sum + passengers, 0);
    return `${showMoney(amount)} back${until}.${readingText(estimate, count)}`;
  }
  if (bounds === undefined) return `${estimate.rule}${until === '' ? '' : ` In force${until}.`}`;
  const between = `Between ${showMoney(bounds.atLeast)} and ${showMoney(bounds.atMost)} back${until}.`;
  // Where a rule is only text, its words tell more than the bounds.
  return isWorded ? `${estimate.rule} ${between}` : `${between} ${estimate.rule}`;
}
