/**
 * Cancelling a whole booking: OTA_CancelRQ (field-notes.md, addressing).
 */
import * as z from 'zod';
import type { CancelReceipt } from '../../domain/booking.ts';
import type { Cancellation } from '../../domain/requests.ts';
import { defined, only, readTime, replyBody, replyError, text, type Wire } from './parts/reader.ts';
import { locatorOf, RESERVATION, readReferences, uniqueId } from './parts/references.ts';

export const CANCEL = 'OTA_CancelRQ';

const request = z.strictObject({ cancelType: z.literal('Commit'), uniqueID: z.tuple([uniqueId]) });

export const cancelRequest = z.codec(request, z.custom<Cancellation>(), {
  decode: ({ uniqueID: [{ id }] }) => ({ locator: id }),
  encode: ({ locator }) => ({ cancelType: 'Commit' as const, uniqueID: only({ id: locator, type: RESERVATION }) }),
});

export const cancelReply = z.codec(z.custom<Wire>(), z.custom<CancelReceipt>(), {
  decode: (wire) => {
    const body = replyBody(wire);
    const locator = locatorOf(readReferences(body.uniqueID ?? body.bookingReferenceID));
    if (locator === undefined) throw replyError('uniqueID');
    return defined({ locator, status: text(body.status), answeredAt: readTime(body.timeStamp) });
  },
  encode: (receipt): Wire =>
    defined({
      success: {},
      uniqueID: [{ id: receipt.locator, type: RESERVATION }],
      segment: [],
      status: receipt.status,
      timeStamp: receipt.answeredAt,
    }),
});
