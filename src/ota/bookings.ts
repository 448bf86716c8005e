/**
 * Making bookings (interface.md, regular booking, booking from passenger counts).
 */
import * as z from 'zod';
import type { Bookings } from '../domain/airline.ts';
import type { Booking } from '../domain/booking.ts';
import type { NewBooking } from '../domain/requests.ts';
import { ClerkError } from '../errors.ts';
import type { Adapter } from './adapter.ts';
import { BOOK, bookReply, bookRequest } from './messages/book.ts';
import { GROUP_BOOK, groupBookReply, groupBookRequest, groupPriceReply } from './messages/group-book.ts';
import { isForOthers, namesABooking } from './reply-identity.ts';

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
          decode: (body) => madeFor(booking, bookReply.parse(body)),
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

/** Throws where it names other travellers: then nothing is known of the booking that was to be made. */
function madeFor({ travelers }: NewBooking, made: Booking): Booking {
  if (!isForOthers(made, travelers)) return made;
  throw new ClerkError('E_AIRLINE_REPLY', "The airline's reply names other travellers; it was thrown away.", {
    next: 'A person must ask the airline whether a booking was made.',
    effect: 'unknown',
  });
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
