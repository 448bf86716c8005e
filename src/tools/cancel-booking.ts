import * as z from 'zod';
import type { Terms } from '../approvals/terms.ts';
import type { Confirmed } from '../domain/airline.ts';
import type { Cancellation } from '../domain/booking/airline-requests.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { bookingState } from '../domain/booking/booking-state.ts';
import { isPaid, paymentsOf } from '../domain/booking/payment-state.ts';
import { showMoney } from '../domain/pricing/money.ts';
import { activeOptions } from '../domain/pricing/penalty-rules.ts';
import { type ModifySend, termsOf } from './definition/booking-change.ts';
import { cancelledReport, cancelledText, cancelOptionsTerms } from './definition/cancel.ts';
import { defineGuardedTool, type ToolContext } from './definition/define.ts';
import { approvalId, locator } from './definition/input-fields.ts';
import { readNow } from './definition/record-booking.ts';
import { notPermitted, type Refusal, refuse, whyNotCancel } from './rules/permissions.ts';
import { refundOutline } from './views/refund-result.ts';
import { peopleSection, section, wholeTrip } from './views/terms-lines.ts';

interface ReleaseSend {
  readonly cancellation: Cancellation;
}
type Send = ReleaseSend | ModifySend;

export const cancelBooking = defineGuardedTool({
  name: 'cancel_booking',
  title: 'Cancel booking',
  description:
    'Cancel a whole booking after a person approves: an unpaid hold is released, a paid one cancelled with refund.',
  toolset: 'desk',
  effect: 'commit',
  input: () => ({ locator: locator(), approval_id: approvalId() }),
  output: () => ({ cancelled_refs: z.array(z.string()), refund: refundOutline().optional() }),

  async preview(args, ctx): Promise<Terms<Send>> {
    const booking = await readNow(args.locator, ctx);
    if (isPaid(booking)) {
      refuse(booking, whyNotCancel(booking, ctx.now()));
      return termsOf(booking, cancelOptionsTerms(booking, activeOptions(booking), ctx));
    }
    refuse(booking, whyNotRelease(booking, ctx.now()));
    return releaseTerms(booking, ctx);
  },

  async commit(confirmed, ctx) {
    if (isRelease(confirmed)) return { cancelled: await ctx.airline.cancel(confirmed) };
    return { booking: await ctx.airline.modify(confirmed as Confirmed<ModifySend>) };
  },

  report(done) {
    return { added: cancelledReport(done), changed: ['the booking was cancelled'] };
  },

  text: cancelledText,
});

function isRelease(confirmed: Confirmed<Send>): confirmed is Confirmed<ReleaseSend> {
  return 'cancellation' in confirmed.terms;
}

/** Releases only a hold known to be unpaid: the message would cancel paid tickets without a refund. */
function whyNotRelease(booking: Booking, now: number): Refusal | undefined {
  const next = 'Call read_booking to see it.';
  const { state } = bookingState(booking, now);
  if (state === 'cancelled') return { code: 'E_ALREADY_DONE', why: 'it is cancelled already', next };
  const unpaid = paymentsOf(booking).every((order) => order.status === 'PENDING');
  if (unpaid && state === 'expired') return { code: 'E_ALREADY_DONE', why: 'the hold has lapsed by itself', next };
  if (unpaid && state === 'held') return undefined;
  return notPermitted(
    "the airline's record does not say whether it is paid",
    'A person must ask the airline whether it is paid; an unpaid hold expires by itself.',
  );
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
      wholeTrip(booking, ctx),
      peopleSection(booking.travelers),
      section('note', price && `Price held: ${showMoney(price)}`),
    ],
    act: `Release hold ${booking.locator}`,
    nature: 'cancellation',
    ask: true,
    subject: { kind: 'cancel_booking' },
    send: { cancellation: { locator: booking.locator } },
  };
}
