/** Pays, changes and cancels, and has mail sent (docs/wire/interface.md, OTA messages). airline.ts has checked the seal. */
import type { Airline, Dispatch } from '../domain/airline.ts';
import { ECHO_OF_CANCELLATION, ECHO_OF_PAYMENT } from './errors/fault-table.ts';
import { isAboutBooking, namesABooking } from './errors/reply-identity.ts';
import { CANCEL, decodeCancelReply, encodeCancelRequest } from './messages/cancel.ts';
import { MAIL_PATHS, mailBody } from './messages/mail.ts';
import { decodeModifyReply, encodeModifyRequest, MODIFY, modifySpelling } from './messages/modify.ts';
import { decodeTicketReply, encodeTicketRequest, TICKET, ticketOrder } from './messages/ticket.ts';
import { gatewayAddress } from './transport/addresses.ts';
import type { Exchange } from './transport/exchange.ts';

/** Mail is not in the journal: nothing depends on its outcome. */
const AT_ONCE: Dispatch = { mayStart: () => true, keep: async () => undefined };

export function createChanges(exchange: Exchange): Pick<Airline, 'pay' | 'modify' | 'cancel' | 'sendMail'> {
  const { options } = exchange;
  const { dialect = 'rail' } = options;
  return {
    pay: ({ terms: { order }, dispatch }) =>
      exchange.send(dispatch, {
        operation: 'ticket',
        message: TICKET,
        encode: () => encodeTicketRequest(ticketOrder(order, options)),
        about: (body) => isAboutBooking(body, order.locator),
        echoes: ECHO_OF_PAYMENT,
        decode: decodeTicketReply,
      }),
    modify: ({ terms: { modification }, dispatch }) =>
      exchange.send(dispatch, {
        operation: 'modify',
        message: MODIFY,
        spelling: modifySpelling(modification.kind, dialect),
        encode: () => encodeModifyRequest(modification, dialect),
        // The reply to a split is another booking. Its passengers show whose it is (journal/evidence/changes.ts).
        about: (body) =>
          modification.kind === 'split_booking'
            ? namesABooking(body)
            : isAboutBooking(body, modification.booking.locator),
        echoes: modification.kind.startsWith('cancel_') ? ECHO_OF_CANCELLATION : [],
        decode: decodeModifyReply,
      }),
    cancel: ({ terms: { cancellation }, dispatch }) =>
      exchange.send(dispatch, {
        operation: 'cancel',
        message: CANCEL,
        encode: () => encodeCancelRequest(cancellation),
        about: (body) => isAboutBooking(body, cancellation.locator),
        echoes: ECHO_OF_CANCELLATION,
        decode: decodeCancelReply,
      }),
    // Sent once per call; a failure leaves it unknown (docs/wire/notes.md, Addressing).
    sendMail: async (mail) =>
      exchange.send(AT_ONCE, {
        operation: 'mail',
        url: gatewayAddress(options.gatewayUrl, MAIL_PATHS[mail.kind], {}),
        bare: true,
        mayBeEmpty: true,
        encode: () => mailBody(mail),
        decode: () => undefined,
      }),
  };
}
