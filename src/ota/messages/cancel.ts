/** Cancelling a whole booking: OTA_CancelRQ (docs/wire/notes.md, Addressing). */
import * as z from 'zod';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Cancellation } from '../../domain/booking/airline-requests.ts';
import type { CancelReceipt } from '../../domain/booking/booking.ts';
import { readTime, replyBody, replyError, text, type Wire } from './parts/reader.ts';
import { locatorOf, RESERVATION, readReferences, uniqueId } from './parts/references.ts';

export const CANCEL = 'OTA_CancelRQ';

const request = z.strictObject({ cancelType: z.literal('Commit'), uniqueID: z.tuple([uniqueId]) });

export function encodeCancelRequest({ locator }: Cancellation): Wire {
  return request.parse({ cancelType: 'Commit', uniqueID: [{ id: locator, type: RESERVATION }] });
}

export function decodeCancelReply(wire: unknown): CancelReceipt {
  const body = replyBody(wire);
  const locator = locatorOf(readReferences(body.uniqueID ?? body.bookingReferenceID));
  if (locator === undefined) throw replyError('uniqueID');
  return omitUndefined({ locator, status: text(body.status), answeredAt: readTime(body.timeStamp) });
}
