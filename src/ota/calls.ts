/** Every call but searches (docs/wire/interface.md). airline.ts has checked the seal of what moves money. */
import type { Airline, Dispatch } from '../domain/airline.ts';
import type { NewBooking } from '../domain/booking/airline-requests.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { ClerkError } from '../errors.ts';
import { ECHO_OF_CANCELLATION, ECHO_OF_PAYMENT } from './errors/fault-table.ts';
import { isAboutBooking, isAboutRoute, isAboutSeats, isForOthers, namesABooking } from './errors/reply-identity.ts';
import { createFares } from './fares.ts';
import { BOOK, decodeBookReply, encodeBookRequest } from './messages/book.ts';
import { decodeCalendarReply, encodeCalendarRequest } from './messages/calendar.ts';
import { CANCEL, decodeCancelReply, encodeCancelRequest } from './messages/cancel.ts';
import { decodeGroupBookReply, encodeGroupBookRequest, GROUP_BOOK } from './messages/group-book.ts';
import { MAIL_PATHS, mailBody } from './messages/mail.ts';
import { decodeModifyReply, encodeModifyRequest, MODIFY, modifySpelling } from './messages/modify.ts';
import { decodeReadReply, encodeReadRequest, READ } from './messages/read.ts';
import { decodeRoutesReply, SALES_CHANNEL } from './messages/routes.ts';
import { decodeSeatMapReply, encodeSeatMapRequest } from './messages/seat-map.ts';
import { decodeTicketReply, encodeTicketRequest, TICKET, ticketOrder } from './messages/ticket.ts';
import { gatewayAddress, seatMapAddress } from './transport/addresses.ts';
import type { Exchange } from './transport/exchange.ts';

export function createCalls(exchange: Exchange): Airline {
  return {
    ...createFares(exchange),
    ...createReadings(exchange),
    ...createBookings(exchange),
    ...createChanges(exchange),
  };
}

function createReadings(exchange: Exchange): Pick<Airline, 'read' | 'seatMap' | 'routes' | 'calendar'> {
  const { baseUrl, seatMapUrl, gatewayUrl } = exchange.options;
  return {
    read: (locator, how) =>
      exchange.read(how, {
        operation: 'read',
        message: READ,
        encode: () => encodeReadRequest(locator),
        about: (body) => isAboutBooking(body, locator),
        decode: decodeReadReply,
      }),
    // Its address selects it: `local-name` is not sent.
    seatMap: (query, how) =>
      exchange.read(how, {
        operation: 'seat_map',
        url: seatMapAddress(baseUrl, seatMapUrl),
        encode: () => encodeSeatMapRequest(query),
        about: (body) => isAboutSeats(body, query),
        anyDepth: true,
        decode: decodeSeatMapReply,
      }),
    routes: async (how) =>
      exchange.read(how, {
        operation: 'routes',
        url: gatewayAddress(gatewayUrl, '/schedule/routes', { sales_channel: SALES_CHANNEL }),
        decode: decodeRoutesReply,
      }),
    calendar: async (query, how) =>
      exchange.read(how, {
        operation: 'calendar',
        url: gatewayAddress(gatewayUrl, '/schedule/calendar/availability', encodeCalendarRequest(query)),
        about: (body) => isAboutRoute(body, query),
        decode: decodeCalendarReply,
      }),
  };
}

function createBookings(exchange: Exchange): Pick<Airline, 'create' | 'createFromCounts'> {
  const { dialect = 'rail', sendFare = true, groupMessage = GROUP_BOOK } = exchange.options;
  const form = { dialect, sendFare };
  return {
    create: (booking, dispatch) =>
      exchange.send(dispatch, {
        operation: 'book',
        message: BOOK,
        encode: () => encodeBookRequest(booking, form),
        decode: (body) => assertSameTravelers(booking, decodeBookReply(body)),
      }),
    createFromCounts: (booking, dispatch) =>
      exchange.send(dispatch, {
        operation: 'group_book',
        message: groupMessage,
        encode: () => encodeGroupBookRequest(booking, form),
        decode: decodeGroupBookReply,
      }),
  };
}

/** Throws if the reply names other travellers: then nothing is known about the booking that was sent. */
function assertSameTravelers({ travelers }: NewBooking, made: Booking): Booking {
  if (!isForOthers(made, travelers)) return made;
  throw new ClerkError('E_AIRLINE_REPLY', "The airline's reply names other travellers; it was thrown away.", {
    next: 'A person must ask the airline whether a booking was made.',
    effect: 'unknown',
  });
}

/** Mail is not in the journal: nothing depends on its outcome. */
const AT_ONCE: Dispatch = { mayStart: () => true, keep: async () => undefined };

function createChanges(exchange: Exchange): Pick<Airline, 'pay' | 'modify' | 'cancel' | 'sendMail'> {
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
