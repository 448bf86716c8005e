/** The act that releases an unpaid hold. Its tool also cancels a paid booking, by cancelling all its segments. */
import type { Terms } from '../../approvals/terms.ts';
import { showMoney } from '../../core/money.ts';
import type { Cancellation, Confirmed } from '../../domain/airline.ts';
import { activeOptions, type Booking } from '../../domain/booking/booking.ts';
import { isPaid } from '../../domain/booking/paid-and-refunded.ts';
import { bookingCancelled } from '../../domain/facts/cancelled-parts.ts';
import { saidSum } from '../../domain/facts/said.ts';
import type { ActPart } from '../../journal/act.ts';
import { defineAct, type ToolContext } from '../definition/define.ts';
import { althoughDone, approvalId, locator, reason } from '../definition/input-fields.ts';
import { withDoneAgain } from '../rules/done-again.ts';
import { refuseDone } from '../rules/done-here.ts';
import { refuse, whyNotCancelBooking } from '../rules/why-not.ts';
import { readNow } from '../steps/record-booking.ts';
import { cancellationRefundOutline } from '../views/refund-made.ts';
import { peopleSection, saidLine, section, tripTerms } from '../views/terms-text.ts';
import { type ModifySend, writeChangeTerms } from './booking-change.ts';
import { cancelledRefs, cancelledReport, cancelOptionsTerms, withReason } from './cancellation.ts';
import { bookingEvidence, type CancelBooking, holdDeeds } from './cancellation-evidence.ts';

/** The release of a hold. The tool cancels a paid booking with the change that cancel_segment makes of all its segments. */
const act: ActPart<CancelBooking> = {
  ...bookingEvidence,
  countedAs: 'release',
  deed: 'cancellation',
  decidesBooking: true,
  scope: 'air:refund',
  word: 'cancellation',
  title: () => 'The hold is released; nothing was paid',
  touches: () => [{ ...bookingCancelled, closes: () => true, deeds: holdDeeds }],
  whyNot: (booking, { now }) => whyNotCancelBooking(booking, now),
};

interface ReleaseSend {
  readonly cancellation: Cancellation;
}
type CancelSend = ReleaseSend | ModifySend;

export const cancelBooking = defineAct({
  act,
  requests: ['cancel', 'modify'],
  name: 'cancel_booking',
  title: 'Cancel booking',
  description:
    'Cancel a whole booking after a person approves: an unpaid hold is released, a paid one cancelled with refund.',
  toolset: 'desk',
  effect: 'commit',
  input: () => ({ locator: locator(), reason: reason(), although_done: althoughDone(), approval_id: approvalId() }),
  output: () => ({ cancelled_refs: cancelledRefs(), refund: cancellationRefundOutline().optional() }),

  async preview(args, ctx): Promise<Terms<CancelSend>> {
    const known = await readNow(args.locator, ctx);
    const doing = [{ kind: 'cancellation', segmentRefs: [], travelerRefs: [] }] as const;
    const asked = { now: ctx.now(), althoughDone: args.although_done };
    const { booking, again } = refuseDone(known, { deed: act.deed, doing }, asked);
    refuse(booking, whyNotCancelBooking(booking, ctx.now()));
    const terms = isPaid(booking)
      ? writeChangeTerms(booking, cancelOptionsTerms(booking, activeOptions(booking), ctx))
      : releaseTerms(booking, ctx);
    return withDoneAgain(withReason<Terms<CancelSend>>(terms, args.reason), booking, 'cancel_booking', again);
  },

  async commit(confirmed, ctx) {
    if (isRelease(confirmed)) return { cancelled: await ctx.airline.cancel(confirmed) };
    return { booking: await ctx.airline.modify(confirmed as Confirmed<ModifySend>) };
  },

  report: cancelledReport,
});

function isRelease(confirmed: Confirmed<CancelSend>): confirmed is Confirmed<ReleaseSend> {
  return 'cancellation' in confirmed.send;
}

function releaseTerms(booking: Booking, ctx: ToolContext): Terms<ReleaseSend> {
  const price = booking.pricing?.total?.total;
  return {
    locator: booking.locator,
    booking,
    sections: [
      section(
        'act',
        `Release the unpaid hold ${booking.locator}. No money moves; the seats and the price are given up.`,
      ),
      tripTerms(booking, ctx),
      peopleSection(booking),
      section(
        'note',
        price && saidLine(`Price held: ${showMoney(price)}`, saidSum('the price held', { amount: price })),
      ),
    ],
    act: { verb: 'Release', object: 'hold', booking: booking.locator },
    nature: 'cancellation',
    ask: true,
    subject: { kind: 'cancel_booking' },
    send: { cancellation: { locator: booking.locator } },
  };
}
