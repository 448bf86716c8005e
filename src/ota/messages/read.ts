/** Reading a booking: OTA_ReadRQ (docs/wire/interface.md, OTA messages). */
import * as z from 'zod';
import type { Booking } from '../../domain/booking/booking.ts';
import { replyBody, type Wire } from './parts/reader.ts';
import { RESERVATION, uniqueId } from './parts/references.ts';
import { readReservation, reservationOf } from './parts/reservation.ts';

export const READ = 'OTA_ReadRQ';

const request = z.strictObject({
  readRequests: z.strictObject({ readRequest: z.tuple([z.strictObject({ uniqueID: uniqueId })]) }),
});

export function encodeReadRequest(locator: string): Wire {
  return request.parse({ readRequests: { readRequest: [{ uniqueID: { id: locator, type: RESERVATION } }] } });
}

/** `source` is the reservation as it came: a change request sends it back untouched. */
export function decodeReadReply(reply: unknown): Booking {
  return { ...readReservation(reply), source: reservationOf(replyBody(reply)) };
}
