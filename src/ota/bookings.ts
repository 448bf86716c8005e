/**
 * Making bookings (interface.md, regular booking, booking from passenger counts).
 */
import * as z from 'zod';
import type { Bookings } from '../domain/airline.ts';
import type { Booking } from '../domain/booking.ts';
import type { Adapter } from './adapter.ts';
import { BOOK, bookReply, bookRequest } from './messages/book.ts';
import { GROUP_BOOK, groupBookReply, groupBookRequest, groupPriceReply } from './messages/group-book.ts';
import { namesABooking } from './reply-identity.ts';

export function createBookings({ options, exchange }: Adapter): Omit<Bookings, 'read'> {
  return {
    create: (booking, dispatch) =>
      exchange.send(
        {
          operation: 'book',
          url: options.baseUrl,
          purpose: 'money',
          message: BOOK,
          encode: () => z.encode(bookRequest, booking),
          decode: (body) => bookReply.parse(body),
        },
        dispatch,
      ),
    createFromCounts: (booking, dispatch) =>
      exchange.send(
        {
          operation: 'group_book',
          url: options.baseUrl,
          purpose: 'money',
          message: options.groupMessage ?? GROUP_BOOK,
          encode: () => z.encode(groupBookRequest, booking),
          decode: (body) =>
            booking.priceOnly === true && !namesABooking(body) ? priced(body) : groupBookReply.parse(body),
        },
        dispatch,
      ),
  };
}

/** The answer to a price check: a price without a booking, and so with an empty locator. */
function priced(body: unknown): Booking {
  const [offer] = groupPriceReply.parse(body);
  return {
    locator: '',
    references: [],
    options: offer?.options ?? [],
    travelers: [],
    ...(offer === undefined ? {} : { pricing: offer.pricing }),
    tickets: [],
    orders: [],
    services: [],
    emds: [],
  };
}
