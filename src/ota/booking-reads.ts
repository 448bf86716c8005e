/**
 * Reading a booking (docs/wire/interface.md, OTA messages).
 */
import type { Bookings } from '../domain/airline.ts';
import type { Adapter } from './adapter.ts';
import { isAboutBooking } from './errors/reply-identity.ts';
import { decodeReadReply, encodeReadRequest, READ } from './messages/read.ts';

export function createBookingReads({ options, exchange }: Adapter): Pick<Bookings, 'read'> {
  return {
    read: (locator, call) =>
      exchange.read(
        {
          operation: 'read',
          url: options.baseUrl,
          purpose: 'read',
          message: READ,
          encode: () => encodeReadRequest(locator),
          about: (body) => isAboutBooking(body, locator),
          decode: decodeReadReply,
        },
        call,
      ),
  };
}
