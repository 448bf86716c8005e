/** Implements the port domain/airline.ts for an airline with an OTA-JSON interface (docs/wire/interface.md). */
import { ClerkError } from '../core/errors.ts';
import type { ActRequest, Airline, Dispatch, NewBooking, ReadCall } from '../domain/airline.ts';
import type { Booking } from '../domain/booking/booking.ts';
import type { FareQuery, FareSearchResult } from '../domain/booking/offers.ts';
import {
  isAboutBooking,
  isAboutCalendar,
  isAboutSearch,
  isAboutSeats,
  isForOthers,
  namesABooking,
} from './errors/reply-identity.ts';
import { createStationOffsets } from './messages/availability.ts';
import {
  BOOK,
  decodeBookReply,
  decodeGroupBookReply,
  encodeBookRequest,
  encodeGroupBookRequest,
  GROUP_BOOK,
} from './messages/book.ts';
import { decodeFareSearchReply, encodeFareSearchRequest, FARE_SEARCH } from './messages/fare-search.ts';
import {
  ACCOUNTS_PATH,
  decodeAccountsReply,
  decodeCalendarReply,
  decodeRoutesReply,
  encodeCalendarRequest,
  MAIL_PATHS,
  mailBody,
  SALES_CHANNEL,
} from './messages/gateway.ts';
import { CHANGES, decodeModifyReply, encodeModifyRequest, MODIFY } from './messages/modify.ts';
import {
  CANCEL,
  decodeCancelReply,
  decodeReadReply,
  encodeCancelRequest,
  encodeReadRequest,
  READ,
} from './messages/reservation.ts';
import { decodeSeatMapReply, encodeSeatMapRequest } from './messages/seat-map.ts';
import { decodeTicketReply, encodeTicketRequest, TICKET, ticketOrder } from './messages/ticket.ts';
import { createTicketDocuments } from './ticket-documents.ts';
import { assertSecure, gatewayAddress, seatMapAddress } from './transport/addresses.ts';
import { assertCredentials } from './transport/credentials.ts';
import { createTransport } from './transport/http.ts';
import type { OtaOperation, OtaOptions } from './transport/options.ts';
import { type AirlineCalls, createCalls } from './transport/send-and-retry.ts';

/** The kind of message of each request of an act. */
const MESSAGE_OF: Readonly<Record<ActRequest, OtaOperation>> = {
  create: 'book',
  createFromCounts: 'group_book',
  pay: 'ticket',
  modify: 'modify',
  cancel: 'cancel',
  searchFares: 'fare_search',
  seatMap: 'seat_map',
};

/** Mail is not in the journal: nothing depends on its outcome. */
const OUTSIDE_JOURNAL: Dispatch = { mayStart: () => true, keep: async () => undefined };

export interface OtaAirline extends Airline {
  /** Ends its connections. A send under way fails with `effect: unknown`. */
  close(): Promise<void>;
}

/**
 * Makes the adapter. Throws E_CONFIG for an address that is not https (except to loopback and `privateHosts`) and
 * for missing credentials.
 */
export function createOtaAirline(options: OtaOptions): OtaAirline {
  assertOptions(options);
  const transport = options.transport ?? createTransport();
  const calls = createCalls(options, transport);

  return {
    ...createFares(calls),
    ...createBookings(calls),
    ...createReadings(calls),
    ...createSchedules(calls),
    ...createTicketDocuments(calls),
    ...createChanges(calls),
    // Before a send its booking is read.
    pausedMs: (requests, sender) => calls.pausedMs(['read', ...requests.map((request) => MESSAGE_OF[request])], sender),
    close: async () => {
      if (options.transport === undefined) await transport.close();
    },
  };
}

function assertOptions(options: OtaOptions): void {
  const { privateHosts = [], baseUrl, gatewayUrl, restUrl, credentials } = options;
  assertSecure(baseUrl, 'FARECLERK_BASE_URL', privateHosts);
  if (gatewayUrl !== undefined) assertSecure(gatewayUrl, 'FARECLERK_GATEWAY_URL', privateHosts);
  if (restUrl !== undefined) assertSecure(restUrl, 'FARECLERK_REST_URL', privateHosts);
  assertCredentials(credentials);
}

/** Creates bookings (docs/wire/interface.md, Booking by names, Booking by counts). */
function createBookings(calls: AirlineCalls): Pick<Airline, 'create' | 'createFromCounts'> {
  const { dialect = 'rail', sendFare = true } = calls.options;
  const form = { dialect, sendFare };
  return {
    create: (booking, dispatch) =>
      calls.sendOnce(dispatch, {
        operation: 'book',
        message: BOOK,
        encode: () => encodeBookRequest(booking, form),
        decode: (body) => assertSameTravelers(booking, decodeBookReply(body)),
      }),

    createFromCounts: (booking, dispatch) =>
      calls.sendOnce(dispatch, {
        operation: 'group_book',
        message: GROUP_BOOK,
        encode: () => encodeGroupBookRequest(booking, form),
        decode: decodeGroupBookReply,
      }),
  };
}

/** Throws if the reply names other travellers: then nothing is known about the booking that was sent. */
function assertSameTravelers(sent: NewBooking, booking: Booking): Booking {
  if (!isForOthers(booking, sent)) return booking;
  throw new ClerkError('E_AIRLINE_REPLY', `The airline's reply names booking ${booking.locator} of other travellers.`, {
    next: `Tell the person to ask the airline whether booking ${booking.locator} is theirs.`,
    effect: 'unknown',
    named: booking.locator,
  });
}

const NOTHING_FOUND: FareSearchResult = { form: 'itineraries', offers: [], soldOut: [] };

/** Where departures can be sold out, an airline without offers is no error. */
async function unlessNothing(searched: Promise<FareSearchResult>): Promise<FareSearchResult> {
  try {
    return await searched;
  } catch (error) {
    if (error instanceof ClerkError && error.code === 'E_NO_AVAILABILITY') return NOTHING_FOUND;
    throw error;
  }
}

/** Searches fares (docs/wire/interface.md, Fare search). */
function createFares(calls: AirlineCalls): Pick<Airline, 'searchFares'> {
  const stations = createStationOffsets();

  async function search(query: FareQuery, readCall?: ReadCall): Promise<FareSearchResult> {
    const result = await calls.read(readCall, {
      operation: 'fare_search',
      message: FARE_SEARCH,
      encode: () => encodeFareSearchRequest(query),
      about: (body) => isAboutSearch(body, query),
      legs: query.legs.length,
      decode: (body) => decodeFareSearchReply(body, query),
    });
    if (result.form === 'availability') return stations.inLocalTimes(result);

    stations.learn(result.offers);
    return result;
  }

  return {
    async searchFares(query, readCall) {
      if (!query.includeSoldOut) return search(query, readCall);

      // Two requests: the record lists what is sold out, and priced itineraries have what a booking needs (docs/wire/notes.md, Availability
      // record). They come first, because they show the local times of the stations.
      const onSale = await unlessNothing(search({ ...query, includeSoldOut: false }, readCall));
      const { soldOut } = await unlessNothing(search(query, readCall));
      return { ...onSale, soldOut };
    },
  };
}

/** Reads bookings and seat maps (docs/wire/interface.md, OTA messages, Seat map). */
function createReadings(calls: AirlineCalls): Pick<Airline, 'read' | 'seatMap'> {
  const { baseUrl } = calls.options;
  return {
    read: (locator, readCall) =>
      calls.read(readCall, {
        operation: 'read',
        message: READ,
        encode: () => encodeReadRequest(locator),
        about: (body) => isAboutBooking(body, locator),
        decode: decodeReadReply,
      }),

    // The address of a seat map names its message, so that `local-name` is not sent.
    seatMap: (query, readCall) =>
      calls.read(readCall, {
        operation: 'seat_map',
        url: seatMapAddress(baseUrl),
        encode: () => encodeSeatMapRequest(query),
        about: (body) => isAboutSeats(body, query),
        decode: decodeSeatMapReply,
      }),
  };
}

/** Routes and days on sale (docs/wire/interface.md, Routes and calendar), and accounts (docs/wire/notes.md, Shapes sent). */
function createSchedules(calls: AirlineCalls): Pick<Airline, 'routes' | 'calendar' | 'accounts'> {
  const { gatewayUrl } = calls.options;
  return {
    routes: async (readCall) =>
      calls.read(readCall, {
        operation: 'routes',
        url: gatewayAddress(gatewayUrl, '/schedule/routes', { sales_channel: SALES_CHANNEL }),
        decode: decodeRoutesReply,
      }),

    calendar: async (query, readCall) =>
      calls.read(readCall, {
        operation: 'calendar',
        url: gatewayAddress(gatewayUrl, '/schedule/calendar/availability', encodeCalendarRequest(query)),
        about: (body) => isAboutCalendar(body, query),
        decode: decodeCalendarReply,
      }),

    accounts: async (readCall) =>
      calls.read(readCall, {
        operation: 'accounts',
        url: gatewayAddress(gatewayUrl, ACCOUNTS_PATH, {}),
        decode: decodeAccountsReply,
      }),
  };
}

/** Pays, changes and cancels bookings, each only with the seal of a person's yes; sends mail. */
function createChanges(calls: AirlineCalls): Pick<Airline, 'pay' | 'modify' | 'cancel' | 'sendMail'> {
  const { options } = calls;
  const { dialect = 'rail' } = options;

  const assertConfirmed = (value: unknown): void => {
    if (options.isConfirmed(value)) return;
    throw new ClerkError('E_APPROVAL_INVALID', 'No person approved this act. Nothing was sent.', {
      next: 'Tell the operator that this is a fault of the server.',
    });
  };

  return {
    async pay(confirmed) {
      assertConfirmed(confirmed);
      const { order } = confirmed.send;

      return calls.sendOnce(confirmed.dispatch, {
        operation: 'ticket',
        message: TICKET,
        encode: () => encodeTicketRequest(ticketOrder(order, options)),
        about: (body) => isAboutBooking(body, order.locator),
        decode: decodeTicketReply,
      });
    },

    async modify(confirmed) {
      assertConfirmed(confirmed);
      const { modification } = confirmed.send;
      const { spelling, makesBooking } = CHANGES[modification.kind];

      return calls.sendOnce(confirmed.dispatch, {
        operation: 'modify',
        message: MODIFY,
        spelling,
        encode: () => encodeModifyRequest(modification, dialect),
        about: (body) => (makesBooking ? namesABooking(body) : isAboutBooking(body, modification.booking.locator)),
        decode: decodeModifyReply,
      });
    },

    async cancel(confirmed) {
      assertConfirmed(confirmed);
      const { cancellation } = confirmed.send;

      return calls.sendOnce(confirmed.dispatch, {
        operation: 'cancel',
        message: CANCEL,
        encode: () => encodeCancelRequest(cancellation),
        about: (body) => isAboutBooking(body, cancellation.locator),
        decode: decodeCancelReply,
      });
    },

    // After a failure nobody knows whether the mail was sent (docs/wire/notes.md, Addressing).
    sendMail: async (mail) =>
      calls.sendOnce(OUTSIDE_JOURNAL, {
        operation: 'mail',
        url: gatewayAddress(options.gatewayUrl, MAIL_PATHS[mail.kind], {}),
        isBare: true,
        mayBeEmpty: true,
        encode: () => mailBody(mail),
        decode: () => undefined,
      }),
  };
}
