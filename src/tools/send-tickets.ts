import * as z from 'zod';
import type { Booking } from '../domain/booking.ts';
import { segmentStatus } from '../domain/itinerary.ts';
import { maskEmail } from '../domain/masking.ts';
import type { BookingMail } from '../domain/requests.ts';
import { segmentsOf } from '../domain/subject.ts';
import { ClerkError } from '../errors.ts';
import { readNow } from './cancellation.ts';
import { defineTool, once } from './define.ts';
import { locator } from './params.ts';
import { noteBooking } from './views/ledger.ts';

const input = once(() => z.strictObject({ locator: locator(), what: z.enum(['tickets', 'cancellation']) }));

const output = once(() =>
  z.object({ locator: z.string(), what: z.string(), sent_to: z.array(z.string()), about: z.int() }),
);

export const sendTickets = defineTool({
  name: 'send_tickets',
  title: 'Send tickets',
  description: "E-mail tickets, or what was cancelled, once more: to the booking's own contact only.",
  toolset: 'desk',
  effect: 'hold',
  input,
  output,

  async run(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    const mail = args.what === 'tickets' ? ticketMail(booking) : cancellationMail(booking);
    await ctx.airline.sendMail(mail);
    await noteBooking(ctx, booking, false);
    return {
      locator: booking.locator,
      what: args.what,
      sent_to: mail.emails.map(maskEmail),
      about: mail.kind === 'tickets' ? mail.names.length : mail.segments.length,
    };
  },

  text({ locator: booking, what, sent_to: to, about }) {
    const of = what === 'tickets' ? 'passenger' : 'cancelled segment';
    const mail = what === 'tickets' ? 'the tickets' : 'the cancellation';
    return `The airline was asked to e-mail ${mail} of booking ${booking} to ${to.join(', ')} (${about} ${of}${about === 1 ? '' : 's'}).`;
  },
});

function ticketMail(booking: Booking): BookingMail {
  const ticketed = booking.travelers.filter(({ ref }) =>
    booking.tickets.some(({ number, travelerRefs }) => number !== '' && travelerRefs.includes(ref)),
  );
  if (ticketed.length === 0) {
    throw refused('E_NOT_PAID', booking, 'it has no tickets', 'Pay with pay_booking first.');
  }
  const names = ticketed.flatMap(({ name }) => name ?? []);
  if (names.length === 0) {
    throw refused('E_NOT_PERMITTED', booking, 'none of its passengers has a name yet', 'Call change_names first.');
  }
  return { kind: 'tickets', locator: booking.locator, emails: contactOf(booking), names };
}

function cancellationMail(booking: Booking): BookingMail {
  const segments = segmentsOf(booking).filter(({ statusCode }) => segmentStatus(statusCode) === 'cancelled');
  if (segments.length === 0) {
    // After a full cancellation a reply can leave out all of the itinerary (field-notes.md, tolerate on read).
    const gone = segmentsOf(booking).length === 0;
    const next = gone
      ? 'A person must ask the airline to send what was cancelled.'
      : 'Call read_booking to see how it stands.';
    throw refused('E_NOT_PERMITTED', booking, 'the airline shows no cancelled segment in it', next);
  }
  return { kind: 'cancellation', locator: booking.locator, emails: contactOf(booking), segments };
}

/** Nobody else is ever written to: the address is not the caller's to choose. */
function contactOf(booking: Booking): readonly string[] {
  const emails = booking.contact?.emails ?? [];
  if (emails.length > 0) return emails;
  const next = 'A person must give the airline an e-mail address for the contact.';
  throw refused('E_NOT_PERMITTED', booking, 'its contact has no e-mail address', next);
}

function refused(code: 'E_NOT_PAID' | 'E_NOT_PERMITTED', { locator: of }: Booking, why: string, next: string) {
  return new ClerkError(code, `Booking ${of}: ${why}. Nothing was sent.`, { next });
}
