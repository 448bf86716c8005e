/** The tool that gives the PDFs of tickets as links. */
import * as z from 'zod';
import { fanOut } from '../core/at-once.ts';
import { cleanRef } from '../core/clean-text.ts';
import { ClerkError } from '../core/errors.ts';
import { own } from '../core/own.ts';
import { counted, joined, table, uncapitalized, withoutTrailing } from '../core/words.ts';
import { doneHereText } from '../domain/booking/as-known.ts';
import { segmentsOf, ticketUri } from '../domain/booking/booking.ts';
import { nameText } from '../domain/people/traveler.ts';
import { defineTool, type ResultOf, readCall, type ToolContext } from './definition/define.ts';
import { filled, optionalStrings, strings, unlisted } from './definition/field-notes.ts';
import { locator, partFields } from './definition/input-fields.ts';
import { whyNotReadYet } from './rules/done-here.ts';
import { manyByRef } from './rules/find-by-ref.ts';
import { refuse, whyNotGetTickets } from './rules/why-not.ts';
import { airlineChangesSchema, openChanges } from './steps/findings.ts';
import { readNow } from './steps/record-booking.ts';
import { goneText, type TicketDocument, ticketDocuments, ticketTitle, tripsByRef } from './steps/ticket-documents.ts';

/** How many downloads run at once. */
const WIDTH = 4;
/** After this time, in milliseconds, no other download starts. */
const START_MS = 30_000;

const ticketPdf = () =>
  z.object({
    ...strings('number'),
    ...optionalStrings('coupon'),
    ...strings('passenger_ref', 'passenger_name'),
    ...optionalStrings('segment_ref'),
    ...strings('uri'),
    ...optionalStrings('url'),
    bytes: z.int(),
  });

const output = () => ({
  tickets: z.array(ticketPdf()),
  ...unlisted({ trips: z.record(z.string(), z.string()).optional() }),
  ...unlisted({ airline_changes: airlineChangesSchema() }),
  missing: z.array(z.object(strings('number', 'why'))).optional(),
});

type TicketsResult = ResultOf<typeof output>;
type TicketPdf = TicketsResult['tickets'][number];

export const getTickets = defineTool({
  name: 'get_tickets',
  title: 'Get tickets',
  description: 'Ticket PDFs of a paid booking as links.',
  toolset: 'core',
  effect: 'read',
  input: () => ({ locator: locator(), ...partFields() }),
  output,

  async run(args, ctx) {
    const booking = await readNow(args.locator, ctx);
    const segments = manyByRef(segmentsOf(booking), args.segment_refs, 'segment_refs', 'the booking has');
    const travelers = manyByRef(booking.travelers, args.passenger_refs, 'passenger_refs', 'the booking has');
    const now = ctx.now();
    refuse(booking, whyNotReadYet(booking, args.segment_refs, now) ?? whyNotGetTickets(booking, now));

    const unseen = doneHereText(booking);
    const wanted = ticketDocuments(booking).filter(
      ({ traveler, segmentRef }) =>
        (args.passenger_refs === undefined || travelers.some((each) => each === traveler)) &&
        (args.segment_refs === undefined || segments.some(({ ref }) => ref === segmentRef)),
    );
    const lookups = await fetchTickets(wanted, ctx);

    const changes = await openChanges([booking], undefined, ctx);
    const missing = lookups.flatMap((lookup) => ('why' in lookup ? [lookup] : []));
    const tickets = lookups.flatMap((lookup) => ('uri' in lookup ? [lookup] : []));
    const missingText = missing.length === 0 ? '' : `; ${counted(missing.length, 'ticket')} without a PDF`;

    return {
      summary: `${goneText(wanted, changes?.changes.all, ctx)}${counted(tickets.length, 'ticket')} of booking ${booking.locator} as PDF${missingText}.`,
      next: nextStep(tickets, ctx),
      warnings: unseen === '' ? changes?.lines : [unseen, ...(changes?.lines ?? [])],
      airline_changes: changes && [...changes.changes.all],
      tickets,
      trips: tripsByRef(
        segments,
        tickets.map(({ segment_ref: ref }) => ref),
        ctx.airline.placeName,
      ),
      missing: filled(missing),
    };
  },

  text: ({ tickets, trips = {}, missing = [] }) => [
    ...table(
      tickets.map(({ number, coupon, passenger_name: name, segment_ref: ref, url, uri }) => [
        coupon === undefined ? number : `${number}/${coupon}`,
        name,
        ref && own(trips, ref),
        url ?? uri,
      ]),
    ),
    ...missing.map(({ number, why }) => `No PDF of ${number}: ${why}.`),
  ],
});

function nextStep(tickets: readonly TicketPdf[], { settings }: ToolContext): string | undefined {
  const steps = [
    tickets.some(({ url }) => url !== undefined) && 'Each https link works once, for five minutes.',
    tickets.length > 0 && settings.sendsTickets && "send_tickets e-mails them to the booking's contact.",
  ];
  return joined(steps, ' ') || undefined;
}

type TicketLookup = TicketPdf | { readonly number: string; readonly why: string };

/** Fetches the PDFs of valid tickets, and says of every other ticket why it has none. */
async function fetchTickets(wanted: readonly TicketDocument[], ctx: ToolContext): Promise<readonly TicketLookup[]> {
  const startBefore = ctx.now() + START_MS;
  const valid = wanted.filter(({ over }) => over === undefined);
  const results = await fanOut(
    valid,
    {
      width: WIDTH,
      mayStart: () => ctx.now() < startBefore && ctx.signal?.aborted !== true,
      done: (count) => ctx.progress?.(count, valid.length, 'tickets fetched'),
    },
    (ticket) => fetchTicket(ticket, ctx),
  );
  const resultByTicket = new Map(valid.map((ticket, i) => [ticket, results[i]]));

  return wanted.map((ticket): TicketLookup => {
    if (ticket.over !== undefined) return missingTicket(ticket, ticket.over);
    const result = resultByTicket.get(ticket);
    if (result === undefined) return missingTicket(ticket, 'there was no time left; call get_tickets for it alone');
    if (result.status === 'rejected') return missingTicket(ticket, failureText(result.reason));
    const { title, ...view } = result.value;
    ctx.attach?.({ uri: view.uri, name: title, mimeType: 'application/pdf', size: view.bytes });
    return view;
  });
}

async function fetchTicket(ticket: TicketDocument, ctx: ToolContext): Promise<TicketPdf & { title: string }> {
  const { name, coupon, traveler, segmentRef } = ticket;
  const pdf = await ctx.airline.ticketDocument(ticket.query, readCall(ctx));
  const url = await ctx.settings.tickets?.link(ctx.caller, name);
  const { placeName } = ctx.airline;

  return {
    number: name.number,
    coupon,
    passenger_ref: traveler?.ref ?? '?',
    passenger_name: nameText(traveler),
    segment_ref: segmentRef,
    uri: ticketUri(name),
    url,
    bytes: pdf.byteLength,
    title: ticketTitle(ticket, placeName),
  };
}

function missingTicket({ name, traveler, segmentRef }: TicketDocument, why: string) {
  const where = segmentRef === undefined ? '' : `, segment ${cleanRef(segmentRef)}`;
  return { number: name.number, why: `${nameText(traveler)}${where}: ${why}` };
}

/** Why a download failed, in our own words. Throws errors of settings and sign-in, which are the same for all tickets. */
function failureText(error: unknown): string {
  if (!(error instanceof ClerkError) || ['E_CONFIG', 'E_AUTH'].includes(error.code)) throw error;
  if (error.code === 'E_NOT_FOUND' && error.airline !== undefined) return 'the airline has no PDF of it';
  return withoutTrailing(uncapitalized(error.what), '.');
}
