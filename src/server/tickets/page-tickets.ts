/** Tickets on pages of the server: the reply with the file. */
import type { TicketName } from '../../domain/booking/ticket-documents.ts';

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
