/** Tickets on pages of the server: what there is to download, and the reply with the file. */
import type { Booking } from '../../domain/booking/booking.ts';
import type { PlaceName } from '../../domain/booking/place-names.ts';
import type { TicketName } from '../../domain/booking/ticket-documents.ts';
import { ticketDocuments, ticketTitle } from '../../tools/definition/ticket-documents.ts';

export interface PageTicket {
  readonly ticket: TicketName;
  /** `Ticket Laila Haddad, Makkah → Madinah`. Text from outside: escape it. */
  readonly label: string;
}

/** The valid tickets of a booking. `clerk.ticket(ticket, { caller })` gives each file. Asks the airline nothing. */
export function pageTickets(booking: Booking, placeName?: PlaceName): readonly PageTicket[] {
  return ticketDocuments(booking)
    .filter(({ over }) => over === undefined)
    .map((each) => ({ ticket: each.name, label: ticketTitle(each, placeName) }));
}

/** No script runs in it, and no other site may load it. */
export const FILE_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** Sends a ticket as a file to save. */
export function pdfReply({ locator, number, coupon }: TicketName, pdf: Uint8Array): Response {
  const name = [locator, number, coupon].map((part) => part.replace(/[^A-Za-z0-9]/g, '')).join('-');
  const file = { 'content-type': 'application/pdf', 'content-disposition': `attachment; filename="${name}.pdf"` };
  return new Response(Buffer.from(pdf), { headers: { ...FILE_PAGE_HEADERS, ...file } });
}
