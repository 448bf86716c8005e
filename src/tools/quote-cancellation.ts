/** The tool that says what a cancellation would refund now and later. It only reads; the cancelling acts ask. */

import * as z from 'zod';
import type { ResultHead } from '../approvals/answer.ts';
import { cleanRef } from '../core/clean-text.ts';
import { formatMoney, showMoney, zero } from '../core/money.ts';
import { instantOf } from '../core/times.ts';
import { joined, present, uncapitalized } from '../core/words.ts';
import { doneHereText } from '../domain/booking/as-known.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { showDeadline } from '../domain/booking/deadlines.ts';
import { isPaid } from '../domain/booking/paid-and-refunded.ts';
import { cancelLimit } from '../domain/refund/fare-units.ts';
import { actWord } from '../journal/act.ts';
import { isActive, type Operation } from '../journal/operation.ts';
import { defineTool, type ResultOf, type ToolContext } from './definition/define.ts';
import { filled, noted, strings, unlisted } from './definition/field-notes.ts';
import { locator, partFields, refs } from './definition/input-fields.ts';
import { checkQuoteArgs, type QuotedPart, quotedPart } from './rules/cancelled-part.ts';
import { NEXT_AT_AIRLINE } from './rules/why-not.ts';
import { operationsOn, readNow } from './steps/record-booking.ts';
import { currencyOf, firstDeparture, quotedRefund } from './views/refund-data.ts';
import { refundsShownSchema, refundsShownText, viewRefundsShown } from './views/refund-made.ts';
import { type Refund, refundFields } from './views/refund-schema.ts';
import { refundDetails, refundSentence } from './views/refund-text.ts';

const CHANGE_INSTEAD = 'search_fares with instead_of says what another departure in its place costs.';

export const quoteCancellation = defineTool({
  name: 'quote_cancellation',
  title: 'Quote cancellation',
  description: 'What cancelling all or part would refund now and later. Cancels nothing, asks nobody.',
  toolset: 'core',
  effect: 'read',

  input: () => ({
    locator: locator(),
    ...partFields(),
    passenger_refs: noted(
      'Only these passengers, by the refs that `read_booking` shows. Either these {}.',
      refs().optional().describe('or segment_refs'),
      'all of them',
    ),
  }),

  output: quoteFields,

  async run(args, ctx) {
    checkQuoteArgs(args);
    const booking = await readNow(args.locator, ctx);
    const part = quotedPart(booking, args, ctx.now());
    const open = (await operationsOn(booking, ctx)).find(({ state }) => isActive(state));
    const view = viewQuote(booking, part, ctx, open);
    const isOneSegment = args.segment_refs?.length === 1 && part.over === undefined && isPaid(booking);
    return isOneSegment ? { ...view, next: view.next ?? CHANGE_INSTEAD } : view;
  },

  text: quoteText,
});

function quoteFields() {
  const { currency: _, ...refund } = refundFields();
  return {
    ...strings('locator', 'currency', 'state'),
    ...unlisted({ unpaid: z.boolean().optional() }),
    ...refund,
    refunded: refundsShownSchema().optional(),
  };
}

export type QuoteView = ResultOf<typeof quoteFields>;
type OverQuote = Pick<QuoteView, 'locator' | 'state' | 'refunded' | 'currency'>;

/** `open`: an operation on the booking whose outcome is not known yet. */
function viewQuote(
  booking: Booking,
  part: QuotedPart,
  ctx: ToolContext,
  open: Operation | undefined,
): QuoteView & ResultHead {
  const { locator } = booking;
  const { state } = part;
  const unseen = doneHereText(booking);
  const bookingCurrency = currencyOf(booking, ctx.settings);
  const refunded = filled(viewRefundsShown(booking, bookingCurrency, ctx));
  if (part.over) {
    const over = viewOverQuote({ locator, state, currency: bookingCurrency, refunded });
    return unseen === '' ? over : { ...over, summary: unseen };
  }

  const { refund, estimate } = quotedRefund(
    { booking, cancelled: part.cancelled, now: ctx.now(), paid: part.price },
    ctx,
  );
  const { currency = bookingCurrency, note, ...sums } = refund;
  const notes = joined([note, longerLimitsText(booking, part)], ' ');
  const warnings = present([open && openText(open, ctx), ...part.warnings]);

  return {
    summary: joined([unseen, summaryText(locator, part, refund, currency)], ' '),
    next: estimate.tooLate ? NEXT_AT_AIRLINE : part.next,
    warnings: filled(warnings),
    locator,
    currency,
    state,
    // A hold says so by its state.
    unpaid: part.unpaid === true && state !== 'held' ? true : undefined,
    ...sums,
    note: notes === '' ? undefined : notes,
    refunded,
  };
}

function openText(open: Operation, { acts }: ToolContext): string {
  return `The ${actWord(acts, open.tool)} is still open. Its outcome is not known yet, and the amounts may change.`;
}

/** Shows a booking that is cancelled, or a hold that has lapsed. */
function viewOverQuote(over: OverQuote): QuoteView & ResultHead {
  const { locator, currency, state, refunded } = over;
  const nothing = state === 'cancelled' ? undefined : formatMoney(zero(currency));
  return { summary: overText(over), locator, currency, state, refund_now: nothing, kept_now: nothing, refunded };
}

function overText({ locator, state, refunded, currency }: OverQuote): string {
  if (state !== 'cancelled')
    return `The hold ${locator} has expired by itself. Nothing was paid, so nothing comes back.`;
  const refunds = refunded === undefined ? 'The airline states no refund' : refundsShownText(refunded, currency);
  return `Booking ${locator} is cancelled already. ${refunds}.`;
}

function summaryText(locator: string, { unpaid: isHeld, price }: QuotedPart, refund: Refund, currency: string): string {
  const when = isHeld ? '' : ' now';
  const sums = refundSentence(refund, currency, when) ?? `What comes back${when} is not known.`;
  if (!isHeld) return `Booking ${locator}: ${uncapitalized(sums)}`;
  const payment = price === undefined ? 'it is paid' : `${showMoney(price)} is paid`;
  return `Booking ${locator} is not paid, so releasing this hold costs nothing. If ${payment} now and it is cancelled afterwards: ${uncapitalized(sums)}`;
}

/** Cancelling the whole ends with its first departure; names the segments that can be cancelled alone for longer. */
function longerLimitsText(booking: Booking, { cancelled }: QuotedPart): string | undefined {
  const bookingEnd = instantOf(cancelLimit(booking, cancelled.options));
  const longer = cancelled.options.flatMap((option) => {
    const limit = cancelLimit(booking, [option]);
    const isLater = limit !== undefined && bookingEnd !== undefined && (instantOf(limit) ?? 0) > bookingEnd;
    const refs = option.segments.map(({ ref }) => cleanRef(ref)).join('+');
    return isLater ? [`segment ${refs} until ${showDeadline(limit, firstDeparture(booking))}`] : [];
  });

  return longer.length === 0
    ? undefined
    : `Can still be cancelled alone, with a quote of its own: ${longer.join('; ')}.`;
}

/** The lines after the summary. */
function quoteText(view: QuoteView): readonly string[] {
  const { state, currency, refunded } = view;
  if (state === 'cancelled' || state === 'expired') return [];
  const refundedText = refunded && `Before, and not counted here: ${refundsShownText(refunded, currency)}.`;
  return present([...refundDetails(view, currency), refundedText]);
}
