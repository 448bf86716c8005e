import * as z from 'zod';
import { hasSurname } from '../domain/people/name-keys.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { ClerkError } from '../errors.ts';
import { defineTool } from './definition/define.ts';
import { detail, locator, text } from './definition/input-fields.ts';
import { noteBooking, readNow } from './definition/record-booking.ts';
import { wholeBooking } from './views/booking.ts';
import { bookingSchema } from './views/booking-schema.ts';
import { bookingText } from './views/booking-text.ts';
import { refundNote, refundNoteSchema } from './views/refund-of-booking.ts';

export const readBooking = defineTool({
  name: 'read_booking',
  title: 'Read booking',
  description:
    'A booking as the airline has it now: state, deadlines, refs, tickets, refund rules, what is allowed, any open operation.',
  toolset: 'core',
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
    const booking = await readNow(args.locator, ctx);
    if (args.surname !== undefined && !hasSurname(booking, args.surname)) {
      // The same error as for an unknown locator, so that nothing is revealed.
      throw new ClerkError('E_NOT_FOUND', `There is no booking ${args.locator} with that surname.`, {
        next: 'Ask the person for the booking reference and the surname as on the ticket.',
      });
    }
    await noteBooking(ctx, booking, false);
    return omitUndefined({
      booking: await wholeBooking(booking, ctx, { detail: args.detail, reveal: args.reveal_personal }),
      refund: refundNote(booking, ctx.now()),
    });
  },

  text({ booking, refund }, _args, ctx) {
    const when = booking.state === 'held' ? 'cancelled after payment' : 'cancelled now';
    return [bookingText(booking, ctx), refund && `Refund if ${when}: ${refund.text}`];
  },
});
