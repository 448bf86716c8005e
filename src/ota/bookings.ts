/** Creates bookings (docs/wire/interface.md, Booking by names, Booking by counts). */
import type { Airline } from '../domain/airline.ts';
import type { NewBooking } from '../domain/booking/airline-requests.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { ClerkError } from '../errors.ts';
import { isForOthers } from './errors/reply-identity.ts';
import { BOOK, decodeBookReply, encodeBookRequest } from './messages/book.ts';
import { decodeGroupBookReply, encodeGroupBookRequest, GROUP_BOOK } from './messages/group-book.ts';
import type { Exchange } from './transport/exchange.ts';

export function createBookings(exchange: Exchange): Pick<Airline, 'create' | 'createFromCounts'> {
  const { dialect = 'rail', sendFare = true, groupMessage = GROUP_BOOK } = exchange.options;
  const form = { dialect, sendFare };
  return {
    create: (booking, dispatch) =>
      exchange.send(dispatch, {
        operation: 'book',
        message: BOOK,
        encode: () => encodeBookRequest(booking, form),
        decode: (body) => assertSameTravelers(booking, decodeBookReply(body)),
      }),
    createFromCounts: (booking, dispatch) =>
      exchange.send(dispatch, {
        operation: 'group_book',
        message: groupMessage,
        encode: () => encodeGroupBookRequest(booking, form),
        decode: decodeGroupBookReply,
      }),
  };
}

/** Throws if the reply names other travellers: then nothing is known about the booking that was sent. */
function assertSameTravelers({ travelers }: NewBooking, made: Booking): Booking {
  if (!isForOthers(made, travelers)) return made;
  throw new ClerkError('E_AIRLINE_REPLY', "The airline's reply names other travellers; it was thrown away.", {
    next: 'A person must ask the airline whether a booking was made.',
    effect: 'unknown',
  });
}
