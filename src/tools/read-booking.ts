import * as z from 'zod';
import { hasSurname } from '../domain/people/name-keys.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import { ClerkError } from '../errors.ts';
import { readNow } from './definition/cancel.ts';
import { defineTool, once } from './definition/define.ts';
import { detail, locator, text } from './definition/input-fields.ts';
import { noteBooking } from './definition/record-booking.ts';
import { wholeBooking } from './views/booking.ts';
import { type BookingView, bookingSchema } from './views/booking-schema.ts';
import { bookingText } from './views/booking-text.ts';
import { type RefundNote, refundNote, refundNoteSchema } from './views/refund-of-booking.ts';
import { withheldLinks } from './views/ticket-links.ts';

const input = once(() =>
  z.strictObject({
    locator: locator(),
    surname: text().optional().describe("a traveller's, for a booking not made here"),
    detail: detail().optional(),
    reveal_personal: z.boolean().optional(),
  }),
);

const output = once(() =>
  z.object({
    booking: bookingSchema(),
    refund: refundNoteSchema().optional(),
    warnings: z.array(z.string()).optional(),
  }),
);

export const readBooking = defineTool({
  name: 'read_booking',
  title: 'Read booking',
  description:
    'The booking as the airline holds it now: state, deadlines, refs, tickets, refund rules, what is allowed and any open operation.',
  toolset: 'core',
  effect: 'read',
  input,
  output,

  async run(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    if (args.surname !== undefined && !hasSurname(booking, args.surname)) throw notFound(args.locator);
    await noteBooking(ctx, booking, false);
    const options = { detail: args.detail ?? 'concise', reveal: args.reveal_personal ?? false };
    const links = booking.tickets.flatMap((ticket) => ticket.links);
    const warnings = withheldLinks(links, ctx.settings.restUrl);
    return omitUndefined({
      booking: await wholeBooking(booking, ctx, options),
      refund: refundNote(booking, ctx.now()),
      warnings: warnings.length > 0 ? warnings : undefined,
    });
  },

  text: ({ booking, refund, warnings = [] }) =>
    [bookingText(booking), ...refundLine(booking, refund), ...warnings].join('\n'),
});

function refundLine({ state }: BookingView, refund: RefundNote | undefined): readonly string[] {
  const when = state === 'held' ? 'cancelled after payment' : 'cancelled now';
  return refund === undefined ? [] : [`Refund if ${when}: ${refund.text}`];
}

/** The same answer as for a locator that does not exist. */
function notFound(locator: string): ClerkError {
  return new ClerkError('E_NOT_FOUND', `There is no booking ${locator} with that surname.`, {
    next: 'Ask the person for the booking reference and the surname as on the ticket.',
  });
}
