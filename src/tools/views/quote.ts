/** A quote of a cancellation as data. Amounts that cannot be said are absent, and a note says why. */
import * as z from 'zod';
import type { Operation } from '../../approvals/terms.ts';
import { formatMoney, type Money, zero } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { activeSegments, type Booking } from '../../domain/booking/booking.ts';
import { estimateRefund, type RefundEstimate } from '../../domain/pricing/estimate-refund.ts';
import { segmentsLeft } from '../../domain/pricing/fare-units.ts';
import { type LaterRefund, laterRefunds, nothingBack } from '../../domain/pricing/later-refunds.ts';
import { type PartRefund, refundByPart } from '../../domain/pricing/refund-by-part.ts';
import { optionalStrings, strings, type ToolContext } from '../definition/define.ts';
import type { QuotedPart } from '../rules/quoted-part.ts';
import { peopleText, segmentText } from './quote-names.ts';
import { overNotes, quoteNotes } from './quote-notes.ts';
import { withParty } from './refund-of-booking.ts';

/** `departs`: its offset gives the local time of the deadlines, which are in UTC. */
export function quoteFields() {
  return {
    ...strings('locator', 'currency', 'state'),
    ...optionalStrings('refund_now', 'kept_now', 'valid_until', 'cancel_ends', 'departs'),
    later: z.array(z.object({ from: z.string(), ...optionalStrings('until', 'refund', 'kept') })),
    lines: z.array(
      z.object({
        segment_ref: z.string(),
        passenger_refs: z.array(z.string()),
        ...strings('segment', 'passengers'),
        ...optionalStrings('paid', 'kept_each', 'refund'),
        refundable: z.boolean(),
      }),
    ),
    bounds: z.object(strings('at_least', 'at_most')).optional(),
    notes: z.array(z.string()),
  };
}

export type QuoteView = z.output<z.ZodObject<ReturnType<typeof quoteFields>>>;

/** `open`: an operation on the booking whose outcome is not known yet. */
export function viewQuote(held: Booking, part: QuotedPart, ctx: ToolContext, open: Operation | undefined): QuoteView {
  const booking = withParty(held);
  const { locator } = booking;
  const { state } = part;
  if (part.over) {
    const currency = currencyOf([], booking, ctx);
    // A lapsed hold was never paid. A note says what a cancelled booking gave back.
    const none = state === 'cancelled' ? undefined : formatMoney(zero(currency));
    const over = { locator, currency, state, refund_now: none, kept_now: none, later: [], lines: [] };
    return omitUndefined({ ...over, notes: [...overNotes(booking, part)] });
  }
  const given = part.given.travelers.length > 0 ? part.given : { ...part.given, travelers: booking.travelers };
  const now = ctx.now();
  const options = { paid: part.price, locale: ctx.settings.locale };
  const estimate = estimateRefund(booking, given, now, options);
  const sum = estimate.tooLate ? nothingBack(booking, given) : estimate;
  const { windows, more, ends } = laterRefunds(booking, given, now, options);
  const near = (activeSegments(booking)[0] ?? segmentsLeft(booking.options)[0])?.departs;
  const currency = currencyOf([sum.amount, sum.bounds?.atMost, part.price], booking, ctx);
  const parts = refundByPart(booking, given, estimate, part.price);
  const told = { booking, given, estimate, windows, more, near, part, open };
  return omitUndefined({
    locator,
    currency,
    state,
    refund_now: sum.amount && formatMoney(sum.amount),
    kept_now: inCurrency(sum.penalty, currency),
    valid_until: windows[0]?.from,
    cancel_ends: ends,
    departs: near,
    later: windows.map((window) => viewWindow(window, currency)),
    lines: parts.map((one) => viewLine(one, { booking, real: held, currency }, ctx)),
    bounds: viewBounds(estimate),
    notes: [...quoteNotes(told, ctx)],
  });
}

/** ISO 4217 names no currency `XXX`: the airline sent no price at all. */
function currencyOf(amounts: readonly (Money | undefined)[], { pricing }: Booking, { settings }: ToolContext): string {
  const known = [...amounts, pricing?.total?.total].find((amount) => amount !== undefined);
  return known?.currency ?? settings.currency ?? 'XXX';
}

function inCurrency(amount: Money | undefined, currency: string): string | undefined {
  return amount?.currency === currency ? formatMoney(amount) : undefined;
}

function viewWindow({ from, until, amount, penalty }: LaterRefund, currency: string): QuoteView['later'][number] {
  return omitUndefined({ from, until, refund: inCurrency(amount, currency), kept: inCurrency(penalty, currency) });
}

function viewLine(
  { segmentRefs, travelers, paid, keptEach, refund, refundable }: PartRefund,
  of: { readonly booking: Booking; readonly real: Booking; readonly currency: string },
  ctx: ToolContext,
): QuoteView['lines'][number] {
  const real = new Set(of.real.travelers.map(({ ref }) => ref));
  return omitUndefined({
    // One fare covers several segments: they share one penalty.
    segment_ref: segmentRefs.join('+'),
    passenger_refs: travelers.map(({ ref }) => ref).filter((ref) => real.has(ref)),
    segment: segmentText(of.booking, segmentRefs, ctx),
    passengers: peopleText(travelers),
    paid: inCurrency(paid, of.currency),
    kept_each: inCurrency(keptEach, of.currency),
    refund: inCurrency(refund, of.currency),
    refundable,
  });
}

function viewBounds({ bounds }: RefundEstimate): QuoteView['bounds'] {
  return bounds && { at_least: formatMoney(bounds.atLeast), at_most: formatMoney(bounds.atMost) };
}
