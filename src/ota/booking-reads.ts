/** Reads bookings (docs/wire/interface.md, OTA messages). */
import type { Bookings } from '../domain/airline.ts';
import { isAboutBooking } from './errors/reply-identity.ts';
import { decodeReadReply, encodeReadRequest, READ } from './messages/read.ts';
import type { Exchange } from './transport/exchange.ts';

export function createBookingReads(exchange: Exchange): Pick<Bookings, 'read'> {
  return {
    read: (locator, how) =>
      exchange.read(how, {
        operation: 'read',
        message: READ,
        encode: () => encodeReadRequest(locator),
        about: (body) => isAboutBooking(body, locator),
        decode: decodeReadReply,
      }),
  };
}
