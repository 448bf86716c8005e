/** The tool that has the airline e-mail tickets or a cancellation notice again, only to addresses of the booking. */
import * as z from 'zod';
import type { AirlineChange } from '../approvals/terms.ts';
import { isRealDate } from '../core/times.ts';
import { counted, listed, present } from '../core/words.ts';
import type { BookingMail } from '../domain/airline.ts';
import { doneHereText } from '../domain/booking/as-known.ts';
import { type Booking, departureDate, type Segment, segmentsOf, travelerAsRead } from '../domain/booking/booking.ts';
import { bookingState } from '../domain/booking/booking-state.ts';
import { flightName } from '../domain/booking/flight-name.ts';
import { standing } from '../domain/booking/status-codes.ts';
import { unsentEmails } from '../domain/booking/unsent-addresses.ts';
import { maskEmail } from '../domain/people/mask-text.ts';
import { mailAddresses } from '../domain/people/traveler.ts';
import { defineTool, type ResultOf, type ToolContext } from './definition/define.ts';
import { filled, noted, strings, unlisted } from './definition/field-notes.ts';
import { EXAMPLE_BOOKING, locator } from './definition/input-fields.ts';
import { whyNotReadYet } from './rules/done-here.ts';
import { notPermitted, refusalError, refuse } from './rules/why-not.ts';
import { airlineChangesSchema, openChanges } from './steps/findings.ts';
import { readNow } from './steps/record-booking.ts';
import { goneText, ticketDocuments } from './steps/ticket-documents.ts';

const NEXT_IF_GONE =
  'Tell the person, who may want another flight or a refund. If the tickets are wanted all the same, call again with although_gone: true.';

const NEXT_IF_CHANGED =
  'Ask the person whether all these addresses are right. If they are, call again with although_changed: true; if not, tell the airline.';

const output = () => ({
  ...strings('locator', 'what'),
  sent_to: z.array(z.string()),
  about: z.int(),
  ...unlisted({ airline_changes: airlineChangesSchema() }),
});

export const sendTickets = defineTool({
  name: 'send_tickets',
  title: 'Send tickets',
  description: 'E-mail the tickets or the cancellation notice again, only to addresses in the booking.',
  toolset: 'desk',
  example: { ...EXAMPLE_BOOKING, what: 'tickets' },
  effect: 'hold',

  input: () => ({
    locator: locator(),
    what: noted(
      '`tickets` sends the tickets again, `cancellation` what was cancelled.',
      z.enum(['tickets', 'cancellation']),
    ),
    although_gone: noted(
      'Sends tickets also where a train or flight of them does not run.',
      z.boolean().optional(),
      '`false`',
    ),
    although_changed: noted(
      'Sends the mail also to an address that nobody gave here, or that the airline changed.',
      z.boolean().optional(),
      '`false`',
    ),
  }),

  output,

  async run(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    if (args.what === 'tickets') refuse(booking, whyNotReadYet(booking, undefined, ctx.now()));
    const mail = args.what === 'tickets' ? ticketMail(booking) : cancellationMail(booking, ctx.now());
    const changes = await openChanges([booking], undefined, ctx);
    const isOfTickets = mail.kind === 'tickets';
    const gone = isOfTickets ? goneText(ticketDocuments(booking), changes?.changes.all, ctx) : '';
    // The mail is the airline's, and does not say it. Nobody is asked, so that the caller must know.
    if (gone !== '' && args.although_gone !== true) {
      throw refusalError(booking, notPermitted(gone.replace(/\.? $/, ''), NEXT_IF_GONE));
    }

    if (args.although_changed !== true) {
      const why = await whyNotTo(mail.emails, booking, changes?.changes.all, ctx);
      if (why !== undefined) throw refusalError(booking, notPermitted(why, NEXT_IF_CHANGED));
    }

    await ctx.airline.sendMail(mail);

    const result = {
      locator: booking.locator,
      what: args.what,
      sent_to: mailAddresses(booking).map(maskEmail),
      about: isOfTickets ? mail.names.length : mail.segments.length,
    };

    return {
      summary: `${gone}${sentText(result)}`,
      warnings: filled(present([doneHereText(booking), ...(changes?.lines ?? [])])),
      airline_changes: changes && [...changes.changes.all],
      ...result,
    };
  },
});

function sentText({
  locator: sentLocator,
  what,
  sent_to: addresses,
  about,
}: Omit<ResultOf<typeof output>, 'airline_changes'>): string {
  const extent =
    about === 0 ? 'everything cancelled' : counted(about, what === 'tickets' ? 'passenger' : 'cancelled segment');
  const mail = what === 'tickets' ? 'the tickets' : 'the cancellation';
  return `The airline was asked to e-mail ${mail} of booking ${sentLocator} to ${addresses.join(', ')} (${extent}).`;
}

function ticketMail(booking: Booking): BookingMail {
  const ticketed = booking.travelers.filter(({ ref }) =>
    booking.tickets.some(({ number, travelerRefs }) => number !== '' && travelerRefs.includes(ref)),
  );
  if (ticketed.length === 0) {
    throw refusalError(booking, { code: 'E_NOT_PAID', why: 'it has no tickets', next: 'Pay with pay_booking first.' });
  }

  // The mail is only about passengers of whom the airline shows given name and surname, because it names them so.
  const names = ticketed
    .flatMap((traveler) => travelerAsRead(booking, traveler).name ?? [])
    .filter(({ given, surname }) => given.join('') !== '' && surname !== '');
  if (names.length === 0) {
    throw refusalError(booking, notPermitted('none of its passengers has a whole name', 'Call change_names first.'));
  }

  return { kind: 'tickets', locator: booking.locator, emails: emailAddresses(booking), names };
}

function cancellationMail(booking: Booking, now: number): BookingMail {
  const segments = segmentsOf(booking).filter((segment) => standing(segment) === 'cancelled');
  // Replies can omit cancelled segments. Without segments the mail lists everything (docs/wire/notes.md, Addressing).
  const isAllCancelled = segmentsOf(booking).length === 0 && bookingState(booking, now).state === 'cancelled';
  if (segments.length === 0 && !isAllCancelled) {
    const why = 'the airline shows no cancelled segment in it';
    throw refusalError(booking, notPermitted(why, 'Call read_booking to see its state.'));
  }

  if (!segments.every(isComplete)) {
    const why = 'the airline does not show the stations, the number and the day of each cancelled segment';
    throw refusalError(booking, notPermitted(why, 'Ask the airline to send the mail.'));
  }

  return { kind: 'cancellation', locator: booking.locator, emails: emailAddresses(booking), segments };
}

/** Whether the airline shows all by which the mail names a segment; if one is missing, it would write about everything. */
function isComplete(segment: Segment): boolean {
  const { from, to } = segment;
  return from !== '' && to !== '' && flightName(segment) !== '' && isRealDate(departureDate(segment));
}

/**
 * Says why the mail must not go out: nobody sent one of the addresses, so that a stranger may get the tickets. Where it is not known what
 * was sent: the airline changed who is reached, and nobody has dealt with that. Undefined if it may go out.
 */
async function whyNotTo(
  emails: readonly string[],
  booking: Booking,
  changes: readonly AirlineChange[] = [],
  { state }: ToolContext,
): Promise<string | undefined> {
  const goesTo = (addresses: readonly string[]) => `the mail would go to ${listed(addresses.map(maskEmail))}`;
  const { sent } = await state.askedFor(booking);
  const unsent = unsentEmails(emails, sent);
  if (unsent?.length === 0) return undefined;
  if (unsent !== undefined) return `${goesTo(unsent)}, and nobody gave that address here`;
  const changed = changes.find(({ kind }) => kind === 'contact_changed');
  return changed && `${changed.what}; ${goesTo(emails)}`;
}

/** The addresses in the booking: the caller cannot choose another one. */
function emailAddresses(booking: Booking): readonly string[] {
  const emails = mailAddresses(booking.reading);
  if (emails.length > 0) return emails;
  const next = 'Tell the person to give the airline an e-mail address for the contact.';
  throw refusalError(booking, notPermitted('neither its contact nor a passenger has an e-mail address', next));
}
