/** Reads a stored reply to a send, after the process that got it died. */
import type { RawReply } from '../../domain/airline.ts';
import type { Booking, CancelReceipt, PaymentReceipt } from '../../domain/booking/booking.ts';
import { decodeBookReply } from '../messages/book.ts';
import { decodeCancelReply } from '../messages/cancel.ts';
import { decodeGroupBookReply } from '../messages/group-book.ts';
import { decodeTicketReply } from '../messages/ticket.ts';
import { isObject } from '../transport/json.ts';
import { classifyReply, type ExpectedReply } from './classify-reply.ts';
import { exchangeFailed } from './exchange-errors.ts';
import { ECHO_OF_CANCELLATION, ECHO_OF_PAYMENT } from './fault-table.ts';
import type { Circumstance } from './faults.ts';
import { isAboutBooking } from './reply-identity.ts';
import { TransportFailure } from './transport-failure.ts';

/** One of the three, by the shape of the reply. */
interface KeptAnswer {
  readonly booking?: Booking;
  readonly receipt?: PaymentReceipt;
  readonly cancelled?: CancelReceipt;
}

/**
 * Reads a stored reply. Throws as the send would have: `effect: none` only for a refusal, `unknown` for a reply that
 * proves nothing or is truncated.
 * @param locator absent for a new booking
 */
export function understandReply(reply: RawReply, locator?: string): KeptAnswer {
  const at: Circumstance = { operation: locator === undefined ? 'book' : 'modify', sending: true };
  if (reply.truncated) throw exchangeFailed(new TransportFailure('truncated', true), at);
  const expected: ExpectedReply<KeptAnswer> = {
    ...(locator === undefined ? {} : { about: (body: unknown) => isAboutBooking(body, locator) }),
    // The operation is unknown here, so either may be its echo.
    echoes: [...ECHO_OF_PAYMENT, ...ECHO_OF_CANCELLATION],
    decode: byShape,
  };
  return classifyReply({ status: reply.status, text: reply.body }, expected, at);
}

function byShape(body: unknown): KeptAnswer {
  const has = (branch: string): boolean => isObject(body) && body[branch] !== undefined;
  if (has('ticketItemInfo')) return { receipt: decodeTicketReply(body) };
  if (has('airReservation')) return { booking: decodeBookReply(body) };
  return has('uniqueID') ? { cancelled: decodeCancelReply(body) } : { booking: decodeGroupBookReply(body) };
}
