/**
 * Reading a booking: OTA_ReadRQ (interface.md, endpoints).
 */
import * as z from 'zod';
import type { Booking } from '../../domain/booking.ts';
import { only, replyBody, type Wire } from './parts/reader.ts';
import { RESERVATION, uniqueId } from './parts/references.ts';
import { readReservation, reservationOf, writeReservation } from './parts/reservation.ts';

export const READ = 'OTA_ReadRQ';

export interface BookingKey {
  readonly locator: string;
}

const request = z.strictObject({
  readRequests: z.strictObject({ readRequest: z.tuple([z.strictObject({ uniqueID: uniqueId })]) }),
});

export const readRequest = z.codec(request, z.custom<BookingKey>(), {
  decode: ({ readRequests }) => ({ locator: readRequests.readRequest[0].uniqueID.id }),
  encode: ({ locator }) => {
    const uniqueID = { id: locator, type: RESERVATION };
    return { readRequests: { readRequest: only({ uniqueID }) } };
  },
});

/** `source` of the booking is the reservation as it came: a change request gives it back untouched. */
export const readReply = z.codec(z.custom<Wire>(), z.custom<Booking>(), {
  decode: (wire) => {
    const body = replyBody(wire);
    const source = reservationOf(body);
    return { ...readReservation(source, body), source };
  },
  encode: (booking): Wire => ({ success: {}, airReservation: writeReservation(booking) }),
});
