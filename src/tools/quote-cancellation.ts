import { defineTool } from './definition/define.ts';
import { noted } from './definition/field-notes.ts';
import { locator, partFields, refs } from './definition/input-fields.ts';
import { checkQuoteArgs, quotedPart } from './rules/quoted-part.ts';
import { readNow } from './steps/record-booking.ts';
import { openOperation } from './views/booking.ts';
import { quoteFields, quoteText, viewQuote } from './views/quote.ts';

export const quoteCancellation = defineTool({
  name: 'quote_cancellation',
  title: 'Quote cancellation',
  description: 'What cancelling all or part would refund now and later. Cancels nothing, asks nobody.',
  toolset: 'core',
  view: 'question',
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
    return viewQuote(booking, part, ctx, await openOperation(booking, ctx));
  },

  text: (view) => quoteText(view),
});
