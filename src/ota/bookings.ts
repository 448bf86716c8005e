/**
 * Making bookings (docs/wire/interface.md, Booking by names, Booking by counts).
 */
import type { Bookings } from '../domain/airline.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { NewBooking } from '../domain/booking/booking-requests.ts';
import { ClerkError } from '../errors.ts';
import type { Adapter } from './adapter.ts';
import { isForOthers } from './errors/reply-identity.ts';
import { BOOK, decodeBookReply, encodeBookRequest } from './messages/book.ts';
import { decodeGroupBookReply, encodeGroupBookRequest, GROUP_BOOK } from './messages/group-book.ts';
import type { RequestForm } from './messages/parts/segment-request.ts';
import type { OtaOptions } from './options.ts';

export function createBookings({ options, exchange }: Adapter): Omit<Bookings, 'read'> {
  const form = formOf(options);
  return {
    create: (booking, dispatch) =>
      exchange.send(
        {
          operation: 'book',
          url: options.baseUrl,
          purpose: 'money',
          message: BOOK,
          encode: () => encodeBookRequest(booking, form),
          ...spellingOf(form),
          decode: (body) => madeFor(booking, decodeBookReply(body)),
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
          encode: () => encodeGroupBookRequest(booking, form),
          spelling: 'isoCurrency',
          decode: decodeGroupBookReply,
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

function formOf({ dialect = 'rail', sendFare = true }: OtaOptions): RequestForm {
  return { dialect, sendFare };
}

/** The airline dialect spells the currency `isoCurrency` (docs/wire/notes.md, Shapes sent). */
function spellingOf({ dialect }: RequestForm): { spelling?: 'isoCurrency' } {
  return dialect === 'airline' ? { spelling: 'isoCurrency' } : {};
}
