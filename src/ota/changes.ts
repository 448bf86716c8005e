/**
 * Messages that move money or cannot be undone: payment, modification, cancellation. airline.ts has checked the seal.
 */
import type { Changes, Ticketing } from '../domain/airline.ts';
import type { Adapter } from './adapter.ts';
import { ECHO_OF_CANCELLATION, ECHO_OF_PAYMENT } from './errors/fault-table.ts';
import { isAboutBooking, namesABooking } from './errors/reply-identity.ts';
import { CANCEL, decodeCancelReply, encodeCancelRequest } from './messages/cancel.ts';
import { decodeModifyReply, encodeModifyRequest, MODIFY, modifySpelling } from './messages/modify.ts';
import { decodeTicketReply, encodeTicketRequest, TICKET, ticketOrder } from './messages/ticket.ts';

export function createChanges({ options, exchange }: Adapter): Ticketing & Changes {
  const at = { url: options.baseUrl, purpose: 'money' } as const;
  const { dialect = 'rail' } = options;
  return {
    pay: ({ terms: { order }, dispatch }) =>
      exchange.send(
        {
          ...at,
          operation: 'ticket',
          message: TICKET,
          encode: () => encodeTicketRequest(ticketOrder(order, options)),
          about: (body) => isAboutBooking(body, order.locator),
          echoes: ECHO_OF_PAYMENT,
          decode: decodeTicketReply,
        },
        dispatch,
      ),
    modify: ({ terms: { modification }, dispatch }) =>
      exchange.send(
        {
          ...at,
          operation: 'modify',
          message: MODIFY,
          spelling: modifySpelling(modification.kind, dialect),
          encode: () => encodeModifyRequest(modification, dialect),
          // The answer to a split is another booking; whose it is, its passengers show (journal/evidence/changes.ts).
          about: (body) =>
            modification.kind === 'split_booking'
              ? namesABooking(body)
              : isAboutBooking(body, modification.booking.locator),
          echoes: modification.kind.startsWith('cancel_') ? ECHO_OF_CANCELLATION : [],
          decode: decodeModifyReply,
        },
        dispatch,
      ),
    cancel: ({ terms: { cancellation }, dispatch }) =>
      exchange.send(
        {
          ...at,
          operation: 'cancel',
          message: CANCEL,
          encode: () => encodeCancelRequest(cancellation),
          about: (body) => isAboutBooking(body, cancellation.locator),
          echoes: ECHO_OF_CANCELLATION,
          decode: decodeCancelReply,
        },
        dispatch,
      ),
  };
}
