import * as z from 'zod';
import type { Terms } from '../approvals/terms.ts';
import type { Confirmed } from '../domain/airline.ts';
import type { Cancellation } from '../domain/booking/airline-requests.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { isPaid } from '../domain/booking/payment-state.ts';
import { showMoney } from '../domain/pricing/money.ts';
import { activeOptions } from '../domain/pricing/penalty-rules.ts';
import { type ModifySend, termsOf } from './definition/booking-change.ts';
import { cancelledReport, cancelledText, cancelOptionsTerms } from './definition/cancel.ts';
import { defineGuardedTool } from './definition/define.ts';
import { approvalId, locator } from './definition/input-fields.ts';
import { readNow } from './definition/record-booking.ts';
import { refuse, whyNotCancel, whyNotRelease } from './rules/permissions.ts';
import { refundOutline } from './views/refund-result.ts';
import { flightLines, peopleLines } from './views/terms-lines.ts';

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
    return releaseTerms(booking);
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

function releaseTerms(booking: Booking): Terms<ReleaseSend> {
  const price = booking.pricing?.total?.total;
  return {
    locator: booking.locator,
    booking,
    lines: [
      `Release the unpaid hold ${booking.locator}. No money moves; the seats and the price are given up.`,
      ...flightLines(booking),
      ...peopleLines(booking),
      ...(price === undefined ? [] : [`Price held: ${showMoney(price)}`]),
    ],
    act: `Release hold ${booking.locator}`,
    ask: true,
    subject: { kind: 'cancel_booking' },
    send: { cancellation: { locator: booking.locator } },
  };
}
