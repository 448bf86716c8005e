import * as z from 'zod';
import { ClerkError } from '../core/errors.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { hasSurname } from '../domain/people/name-keys.ts';
import { defineTool, type ToolContext, vehicleOf } from './definition/define.ts';
import { detail, locator, text } from './definition/input-fields.ts';
import { isQuiet, readNow } from './definition/record-booking.ts';
import { fullBooking } from './views/booking.ts';
import { bookingSchema } from './views/booking-schema.ts';
import { bookingText } from './views/booking-text.ts';
import { changedText } from './views/finding-text.ts';
import { refundNote, refundNoteSchema } from './views/refund-of-booking.ts';

export const readBooking = defineTool({
  name: 'read_booking',
  title: 'Read booking',
  description:
    'A booking as the airline has it now: state, deadlines, refs, tickets, refund rules, what is allowed, any open operation.',
  toolset: 'core',
  view: 'booking',
  fieldWords: { surname: 'of a traveller, for a booking not made here' },
  effect: 'read',
  input: () => ({
    locator: locator(),
    surname: text().optional().describe('of a traveller, if the booking was made elsewhere'),
    detail: detail().optional(),
    reveal_personal: z.boolean().optional(),
  }),
  output: () => ({
    booking: bookingSchema(),
    refund: refundNoteSchema().optional(),
  }),

  async run(args, ctx) {
    const booking = await readNow(args.locator, ctx, {
      check(found) {
        if (args.surname === undefined || hasSurname(found, args.surname)) return;
        // The same error as for an unknown locator, so that nothing is revealed.
        throw new ClerkError('E_NOT_FOUND', `There is no booking ${args.locator} with that surname.`, {
          next: 'Ask the person for the booking reference and the surname as on the ticket.',
        });
      },
    });
    const view = await fullBooking(booking, ctx, { detail: args.detail, reveal: args.reveal_personal });
    const changes = isQuiet(booking) ? [] : await changesOf(booking.locator, ctx);
    return omitUndefined({
      booking: { ...view, state_basis: [view.state_basis, ...changes].join('\n') },
      refund: refundNote(booking, ctx.now(), ctx.settings.locale),
    });
  },

  text({ booking, refund }, _args, ctx) {
    const when = booking.state === 'held' ? 'cancelled after payment' : 'cancelled now';
    return [bookingText(booking, ctx), refund && `Refund if ${when}: ${refund.text}`];
  },
});

/** Told at once. */
const MOST_CHANGES = 5;

/** What the airline changed and nobody has dealt with. */
async function changesOf(locator: string, ctx: ToolContext): Promise<readonly string[]> {
  const open = (await ctx.state.findings?.open(ctx.caller.tenant, ctx.now(), [locator])) ?? [];
  const words = { vehicle: vehicleOf(ctx.settings), placeName: ctx.airline.placeName };
  const changes = open.slice(0, MOST_CHANGES).map((finding) => changedText(finding, words));
  return open.length > MOST_CHANGES ? [...changes, `${open.length - MOST_CHANGES} more changes`] : changes;
}
