/** The tool that reads a booking and compares it with the reading before. */
import * as z from 'zod';
import { ClerkError } from '../core/errors.ts';
import { hasSurname } from '../domain/people/name-keys.ts';
import { defineTool, type ToolContext } from './definition/define.ts';
import { listedWithoutShape, noted } from './definition/field-notes.ts';
import { detail, locator, text } from './definition/input-fields.ts';
import { changedText, wordsFor } from './steps/findings.ts';
import { isQuiet, readNow } from './steps/record-booking.ts';
import { namesOfPlaces } from './steps/resolve-stations.ts';
import { fullBooking } from './views/booking-data.ts';
import { bookingSchema } from './views/booking-schema.ts';
import { bookingText } from './views/booking-text.ts';
import { bookingRefund, refundSchema } from './views/refund-estimate.ts';
import { refundText } from './views/refund-text.ts';

export const readBooking = defineTool({
  name: 'read_booking',
  title: 'Read booking',
  description:
    'A booking as the airline has it: state, deadlines, refs, tickets, refund, what is allowed; detail full: rules, references, prices.',
  toolset: 'core',
  view: 'booking',
  effect: 'read',
  input: () => ({
    locator: locator(),
    surname: noted('Family name {}.', text().optional().describe('of a traveller, if the booking was made elsewhere')),
    detail: detail().optional(),
    reveal_contact: noted(
      'Shows e-mail and telephone of the contact whole, and masks documents. Use it only if the person needs them.',
      z.boolean().optional(),
      '`false`',
    ),
    reveal_personal: noted(
      'Shows e-mail, telephone and document numbers whole. Use it only if the person needs them.',
      z.boolean().optional(),
      '`false`',
    ),
  }),
  output: () => ({
    booking: bookingSchema(),
    refund: listedWithoutShape(refundSchema().optional()),
  }),

  async run(args, ctx) {
    const names = namesOfPlaces(ctx.airline);
    const booking = await readNow(args.locator, ctx, {
      check(found) {
        if (args.surname === undefined || hasSurname(found, args.surname)) return;
        // The same error as for an unknown locator, so that nothing is revealed.
        throw new ClerkError('E_NOT_FOUND', `There is no booking ${args.locator} with that surname.`, {
          next: 'Ask the person for the booking reference and the surname as on the ticket.',
        });
      },
    });
    await names;
    const reveal = args.reveal_contact === true ? ('contact' as const) : undefined;
    const { view, head, meta } = await fullBooking(booking, ctx, {
      detail: args.detail,
      reveal: args.reveal_personal === true ? 'all' : reveal,
    });
    const warnings = isQuiet(booking) ? [] : await openChanges(booking.locator, ctx);
    return {
      ...head,
      warnings: warnings.length > 0 ? warnings : undefined,
      booking: view,
      refund: bookingRefund(booking, ctx.now(), ctx),
      meta,
    };
  },

  text({ booking, refund }) {
    const when = booking.state === 'held' ? 'cancelled after payment' : 'cancelled now';
    const told = refund && refundText(refund, booking.currency ?? '').join(' ');
    return [bookingText(booking), told && `Refund if ${when}: ${told}`];
  },
});

/** Told at once. */
const MOST_CHANGES = 5;

/** What the airline changed and nobody has dealt with. */
async function openChanges(locator: string, ctx: ToolContext): Promise<readonly string[]> {
  const open = (await ctx.state.findings?.open(ctx.caller.tenant, ctx.now(), [locator])) ?? [];
  const changes = open.slice(0, MOST_CHANGES).map((finding) => changedText(finding, wordsFor(ctx)));
  return open.length > MOST_CHANGES ? [...changes, `${open.length - MOST_CHANGES} more changes`] : changes;
}
