/**
 * What reads each reply, by the start of its name in fixtures and replies.
 */
import { decodeBookReply } from '../../../src/ota/messages/book.ts';
import { decodeCalendarReply } from '../../../src/ota/messages/calendar.ts';
import { decodeCancelReply } from '../../../src/ota/messages/cancel.ts';
import { decodeFareSearchReply } from '../../../src/ota/messages/fare-search.ts';
import { decodeGroupBookReply } from '../../../src/ota/messages/group-book.ts';
import { decodeModifyReply } from '../../../src/ota/messages/modify.ts';
import { decodePriceCheckReply } from '../../../src/ota/messages/price-check.ts';
import { decodeReadReply } from '../../../src/ota/messages/read.ts';
import { decodeRoutesReply } from '../../../src/ota/messages/routes.ts';
import { decodeSeatMapReply } from '../../../src/ota/messages/seat-map.ts';
import { decodeTicketReply } from '../../../src/ota/messages/ticket.ts';

export type Decode = (wire: unknown) => unknown;

const NOBODY = { adults: 0, children: 0, infants: 0 };
const search = (wire: unknown) => decodeFareSearchReply(wire);

export const DECODERS = {
  search,
  'fare-search': search,
  availability: search,
  'price-check': (wire: unknown) => decodePriceCheckReply(wire, { options: [], passengers: NOBODY }),
  hold: decodeBookReply,
  book: decodeBookReply,
  counts: decodeGroupBookReply,
  'group-book': decodeGroupBookReply,
  read: decodeReadReply,
  modify: decodeModifyReply,
  pay: decodeTicketReply,
  ticket: decodeTicketReply,
  cancel: decodeCancelReply,
  'seat-map': decodeSeatMapReply,
  routes: decodeRoutesReply,
  calendar: decodeCalendarReply,
} as const;

export function decoderOf(name: string): Decode {
  const decode = Object.entries(DECODERS).find(([start]) => name.startsWith(start))?.[1];
  if (decode === undefined) throw new Error(`nothing reads ${name}`);
  return decode;
}

/** The published replies in fixtures. */
export const PUBLISHED = [
  ...['availability-reply', 'book-reply', 'calendar-reply', 'cancel-reply', 'fare-search-reply', 'group-book-reply'],
  ...['modify-reply', 'read-reply', 'routes-reply', 'seat-map-reply', 'ticket-reply'],
];
