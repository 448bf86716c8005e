/**
 * Reads a reply to a send that was kept raw, for a process that died before it could.
 */
import type { RawReply } from '../../domain/airline.ts';
import type { Booking, CancelReceipt, PaymentReceipt } from '../../domain/booking/booking.ts';
import { decodeBookReply } from '../messages/book.ts';
import { decodeCancelReply } from '../messages/cancel.ts';
import { decodeGroupBookReply } from '../messages/group-book.ts';
import { decodeTicketReply } from '../messages/ticket.ts';
import { isObject } from '../transport/json.ts';
import { type Expected, judge } from './classify-reply.ts';
import { brokenOff, type Circumstance } from './exchange-errors.ts';
import { ECHO_OF_CANCELLATION, ECHO_OF_PAYMENT } from './fault-table.ts';
import { HttpFailure } from './http-failure.ts';
import { isAboutBooking } from './reply-identity.ts';

/** One of the three, by the shape of the reply. */
export interface KeptAnswer {
  readonly booking?: Booking;
  readonly receipt?: PaymentReceipt;
  readonly cancelled?: CancelReceipt;
}

/**
 * What a kept reply says. `locator` is absent for a booking that was being made. Throws as the send would have:
 * `effect: none` only for a refusal, `unknown` for all that proves nothing, a truncated reply among it.
 */
export function understandReply(reply: RawReply, locator?: string): KeptAnswer {
  const at: Circumstance = { operation: locator === undefined ? 'book' : 'modify', sending: true };
  if (reply.truncated) throw brokenOff(new HttpFailure('truncated', true), at);
  const expected: Expected<KeptAnswer> = {
    ...(locator === undefined ? {} : { about: (body: unknown) => isAboutBooking(body, locator) }),
    // What was sent is not known here, so that either may be its echo.
    echoes: [...ECHO_OF_PAYMENT, ...ECHO_OF_CANCELLATION],
    decode: byShape,
  };
  return judge({ status: reply.status, text: reply.body }, expected, at);
}

function byShape(body: unknown): KeptAnswer {
  const has = (branch: string): boolean => isObject(body) && body[branch] !== undefined;
  if (has('ticketItemInfo')) return { receipt: decodeTicketReply(body) };
  if (has('airReservation')) return { booking: decodeBookReply(body) };
  return has('uniqueID') ? { cancelled: decodeCancelReply(body) } : { booking: decodeGroupBookReply(body) };
}
