/** The airline behind its OTA-JSON interface (docs/wire/interface.md). Implements the port domain/airline.ts. */
import type { Airline } from '../domain/airline.ts';
import { ClerkError } from '../errors.ts';
import type { OtaOptions } from './options.ts';
import { assertSecure } from './transport/addresses.ts';
import { assertCredentials } from './transport/credentials.ts';
import type { Exchange } from './transport/exchange.ts';
import { createTransport, type Transport } from './transport/http.ts';

export interface OtaAirline extends Airline {
  /** Ends its connections. A send under way fails with `effect: unknown`. */
  close(): Promise<void>;
}

/**
 * Checks the options and loads nothing else before the first call. Throws E_CONFIG for an address that is not https
 * (except loopback and with `allowHttp`) and for missing credentials.
 */
export function createOtaAirline(options: OtaOptions): OtaAirline {
  assertOptions(options);
  const transport = options.transport ?? createTransport();
  const can = loadCapabilities(options, transport);
  const assertSealed = (value: unknown): void => {
    if (options.isConfirmed(value)) return;
    throw new ClerkError('E_APPROVAL_INVALID', "This act carries no person's yes. Nothing was sent.", {
      next: 'Tell the operator: this is a fault of the server.',
    });
  };
  return {
    searchFares: async (query, call) => (await can.fares()).searchFares(query, call),
    checkPrice: async (query, call) => (await can.fares()).checkPrice(query, call),
    create: async (booking, dispatch) => (await can.bookings()).create(booking, dispatch),
    createFromCounts: async (booking, dispatch) => (await can.bookings()).createFromCounts(booking, dispatch),
    read: async (locator, call) => (await can.bookingReads()).read(locator, call),
    pay: async (order) => {
      assertSealed(order);
      return (await can.changes()).pay(order);
    },
    modify: async (change) => {
      assertSealed(change);
      return (await can.changes()).modify(change);
    },
    cancel: async (cancellation) => {
      assertSealed(cancellation);
      return (await can.changes()).cancel(cancellation);
    },
    sendMail: async (mail) => (await can.mails()).sendMail(mail),
    seatMap: async (query, call) => (await can.seats()).seatMap(query, call),
    routes: async (call) => (await can.schedules()).routes(call),
    calendar: async (query, call) => (await can.schedules()).calendar(query, call),
    close: async () => {
      if (options.transport === undefined) await transport.close();
    },
  };
}

function assertOptions({ allowHttp = false, baseUrl, seatMapUrl, gatewayUrl, credentials }: OtaOptions): void {
  assertSecure(baseUrl, 'FARECLERK_BASE_URL', allowHttp);
  if (seatMapUrl !== undefined) assertSecure(seatMapUrl, 'FARECLERK_SEAT_MAP_URL', allowHttp);
  if (gatewayUrl !== undefined) assertSecure(gatewayUrl, 'FARECLERK_GATEWAY_URL', allowHttp);
  assertCredentials(credentials);
}

/** Loads each part with its first call: messages and undici would slow down every start. */
function loadCapabilities(options: OtaOptions, transport: Transport) {
  let exchange: Promise<Exchange> | undefined;
  const open = async () => (await import('./transport/exchange.ts')).createExchange(options, transport);
  const onceLoaded = <T>(load: (exchange: Exchange) => Promise<T>): (() => Promise<T>) => {
    let loaded: Promise<T> | undefined;
    return () => {
      exchange ??= open();
      loaded ??= exchange.then(load);
      return loaded;
    };
  };
  return {
    fares: onceLoaded(async (ready) => (await import('./fares.ts')).createFares(ready)),
    bookings: onceLoaded(async (ready) => (await import('./bookings.ts')).createBookings(ready)),
    bookingReads: onceLoaded(async (ready) => (await import('./booking-reads.ts')).createBookingReads(ready)),
    changes: onceLoaded(async (ready) => (await import('./changes.ts')).createChanges(ready)),
    mails: onceLoaded(async (ready) => (await import('./mails.ts')).createMails(ready)),
    seats: onceLoaded(async (ready) => (await import('./seats.ts')).createSeats(ready)),
    schedules: onceLoaded(async (ready) => (await import('./schedules.ts')).createSchedules(ready)),
  };
}
