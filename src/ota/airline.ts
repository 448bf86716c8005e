/** The airline behind its OTA-JSON interface (docs/wire/interface.md). Implements the port domain/airline.ts. */
import type { Airline } from '../domain/airline.ts';
import { ClerkError } from '../errors.ts';
import type { OtaOptions } from './options.ts';
import { assertSecure } from './transport/addresses.ts';
import { assertCredentials } from './transport/credentials.ts';
import type { Exchange } from './transport/exchange.ts';
import { createTransport } from './transport/http.ts';

export interface OtaAirline extends Airline {
  /** Ends its connections. A send under way fails with `effect: unknown`. */
  close(): Promise<void>;
}

/**
 * Checks the options. Messages and undici would slow down every start, so each
 * call loads only what it needs. Throws E_CONFIG for
 * an address that is not https (except loopback and with `allowHttp`) and for missing credentials.
 */
export function createOtaAirline(options: OtaOptions): OtaAirline {
  assertOptions(options);
  const transport = options.transport ?? createTransport();
  const exchange = once(async () => (await import('./transport/exchange.ts')).createExchange(options, transport));
  const part = <T>(load: () => Promise<(exchange: Exchange) => T>) =>
    once(async () => (await load())(await exchange()));
  const fares = part(async () => (await import('./fares.ts')).createFares);
  const bookings = part(async () => (await import('./bookings.ts')).createBookings);
  const readings = part(async () => (await import('./readings.ts')).createReadings);
  const schedules = part(async () => (await import('./schedules.ts')).createSchedules);
  const documents = part(async () => (await import('./ticket-documents.ts')).createTicketDocuments);
  const changes = part(async () => (await import('./changes.ts')).createChanges);
  const sealed = async (value: unknown) => {
    if (options.isConfirmed(value)) return changes();
    throw new ClerkError('E_APPROVAL_INVALID', "This act carries no person's yes. Nothing was sent.", {
      next: 'Tell the operator: this is a fault of the server.',
    });
  };
  return {
    searchFares: async (query, call) => (await fares()).searchFares(query, call),
    checkPrice: async (query, call) => (await fares()).checkPrice(query, call),
    create: async (booking, dispatch) => (await bookings()).create(booking, dispatch),
    createFromCounts: async (booking, dispatch) => (await bookings()).createFromCounts(booking, dispatch),
    read: async (locator, call) => (await readings()).read(locator, call),
    pay: async (order) => (await sealed(order)).pay(order),
    modify: async (change) => (await sealed(change)).modify(change),
    cancel: async (cancellation) => (await sealed(cancellation)).cancel(cancellation),
    sendMail: async (mail) => (await changes()).sendMail(mail),
    seatMap: async (query, call) => (await readings()).seatMap(query, call),
    ticketDocument: async (query, call) => (await documents()).ticketDocument(query, call),
    routes: async (call) => (await schedules()).routes(call),
    calendar: async (query, call) => (await schedules()).calendar(query, call),
    close: async () => {
      if (options.transport === undefined) await transport.close();
    },
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

function assertOptions(options: OtaOptions): void {
  const { allowHttp = false, baseUrl, seatMapUrl, gatewayUrl, restUrl, credentials } = options;
  assertSecure(baseUrl, 'FARECLERK_BASE_URL', allowHttp);
  if (seatMapUrl !== undefined) assertSecure(seatMapUrl, 'FARECLERK_SEAT_MAP_URL', allowHttp);
  if (gatewayUrl !== undefined) assertSecure(gatewayUrl, 'FARECLERK_GATEWAY_URL', allowHttp);
  if (restUrl !== undefined) assertSecure(restUrl, 'FARECLERK_REST_URL', allowHttp);
  assertCredentials(credentials);
}
