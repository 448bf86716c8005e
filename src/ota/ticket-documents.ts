/**
 * Fetches documents of tickets (docs/wire/notes.md, Addressing). Our credentials go with every request, so only
 * addresses below {rest_url} are asked, and only those of the booking itself: a link may not lead to another
 * booking's tickets.
 */

import { ClerkError, callAgain } from '../core/errors.ts';
import { withoutTrailing } from '../core/words.ts';
import type { Airline } from '../domain/airline.ts';
import type { TicketDocumentQuery } from '../domain/booking/booking.ts';
import { type HttpReply, isPdf } from './transport/http.ts';
import type { AirlineCalls } from './transport/send-and-retry.ts';

/** A ticket has one page: longer files are refused. */
const MOST_BYTES = 5 * 1024 * 1024;
const PDF_TYPE = 'application/pdf';
/** Characters of a link that can be a documented download. */
const LONGEST_LINK = 1000;
/** Accepts letters, digits and hyphens only: an escaped dot or slash would lead out of the folder on some servers. */
const DOWNLOAD_PATH = /^\/tickets\/confirmation\/([A-Za-z0-9-]+)\/download(?:\/passenger-segment)?$/;
/** Characters that a URL parser drops or replaces. */
const ODD_CHARACTERS = /[\p{Cc}\p{Cf}\s\\]/u;

export function createTicketDocuments(calls: AirlineCalls): Pick<Airline, 'ticketDocument'> {
  const { restUrl } = calls.options;
  return {
    async ticketDocument(query, readCall) {
      const [firstUrl, fallbackUrl] = documentAddresses(query, requireRestUrl(restUrl));
      if (firstUrl === undefined) throw noAddressError(query);

      const fetchPdf = (url: string) =>
        calls.read(readCall, {
          operation: 'ticket_document',
          url,
          fileBytes: MOST_BYTES,
          file: readPdf,
          decode: () => {
            throw new Error('a file is not decoded');
          },
        });

      try {
        return await fetchPdf(firstUrl);
      } catch (error) {
        // Older services refuse the address by ticket number: the booking's own link names the passenger.
        if (fallbackUrl === undefined || !isRefusal(error)) throw error;
        return await fetchPdf(fallbackUrl);
      }
    },
  };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ClerkError && ['E_NOT_FOUND', 'E_INPUT', 'E_AIRLINE_REPLY'].includes(error.code);

/** Throws E_CONFIG if no address is set. */
function requireRestUrl(restUrl: string | undefined): URL {
  if (restUrl !== undefined) return new URL(restUrl);
  throw new ClerkError('E_CONFIG', 'No address for ticket downloads is set. Nothing was sent.', {
    next: 'Ask the operator to set FARECLERK_REST_URL, or call send_tickets to have them mailed.',
  });
}

/** The addresses to try, first the one by ticket and coupon number: two travellers may have the same name. */
function documentAddresses(query: TicketDocumentQuery, rest: URL): readonly string[] {
  const { locator, number, coupon, references } = query;
  const root = rest.origin + withoutTrailing(rest.pathname, '/');
  const numbers = new URLSearchParams({ ticketNumber: number, couponNumber: coupon ?? '' });
  const folder = `${root}/tickets/confirmation/${encodeURIComponent(locator)}/download/passenger-segment`;
  const addressByNumber = coupon === undefined ? [] : [`${folder}?${numbers}`];
  const linkedAddresses = query.links.flatMap((href) => documentLink(href, root, [locator, ...references]) ?? []);
  return [...new Set([...addressByNumber, ...linkedAddresses])];
}

/** The link, if it is the documented download of this booking below `root`. */
function documentLink(href: string, root: string, references: readonly string[]): string | undefined {
  if (href.length > LONGEST_LINK || ODD_CHARACTERS.test(href)) return undefined;

  const link = URL.parse(href);
  if (link === null || link.username !== '' || link.password !== '') return undefined;

  const base = new URL(root);
  const path = withoutTrailing(base.pathname, '/');
  if (link.origin !== base.origin || !link.pathname.startsWith(`${path}/`)) return undefined;

  const [, locator] = DOWNLOAD_PATH.exec(link.pathname.slice(path.length)) ?? [];
  const isOfBooking = references.some((reference) => reference.toUpperCase() === locator?.toUpperCase());
  return isOfBooking ? link.origin + link.pathname + link.search : undefined;
}

/** The file of a reply. Its first bytes prove a PDF: a reply may leave its type out, but must not name another. */
function readPdf({ status, headers, bytes }: HttpReply): Uint8Array {
  const type = headers?.['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || PDF_TYPE;
  if (bytes !== undefined && isPdf(bytes) && type === PDF_TYPE) return bytes;
  throw new ClerkError('E_AIRLINE_REPLY', "The airline's reply is not a PDF.", {
    next: callAgain('never'),
    airline: { status },
  });
}

function noAddressError({ links }: TicketDocumentQuery): ClerkError {
  const reason =
    links.length === 0 ? 'The airline gives no address for it.' : "The airline's link leads outside its own address.";
  return new ClerkError('E_NOT_FOUND', `${reason} Nothing was fetched.`, {
    what: reason,
    next: 'Call send_tickets to have the tickets mailed, or ask the airline.',
  });
}
