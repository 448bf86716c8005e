/** The airline behind its OTA-JSON interface (docs/wire/interface.md). Implements the port domain/airline.ts. */
import type { Airline } from '../domain/airline.ts';
import { ClerkError } from '../errors.ts';
import type { OtaOptions } from './options.ts';
import { assertSecure } from './transport/addresses.ts';
import { assertCredentials } from './transport/credentials.ts';
import { createTransport, type Transport } from './transport/http.ts';

export interface OtaAirline extends Airline {
  /** Ends its connections. A send under way fails with `effect: unknown`. */
  close(): Promise<void>;
}

/**
 * Checks the options. Messages and undici would slow down every start, so the first call loads them. Throws E_CONFIG for
 * an address that is not https (except loopback and with `allowHttp`) and for missing credentials.
 */
export function createOtaAirline(options: OtaOptions): OtaAirline {
  assertOptions(options);
  const transport = options.transport ?? createTransport();
  let loaded: Promise<Airline> | undefined;
  const calls = (): Promise<Airline> => {
    loaded ??= load(options, transport);
    return loaded;
  };
  const sealed = async (value: unknown): Promise<Airline> => {
    if (options.isConfirmed(value)) return calls();
    throw new ClerkError('E_APPROVAL_INVALID', "This act carries no person's yes. Nothing was sent.", {
      next: 'Tell the operator: this is a fault of the server.',
    });
  };
  return {
    searchFares: async (query, call) => (await calls()).searchFares(query, call),
    checkPrice: async (query, call) => (await calls()).checkPrice(query, call),
    create: async (booking, dispatch) => (await calls()).create(booking, dispatch),
    createFromCounts: async (booking, dispatch) => (await calls()).createFromCounts(booking, dispatch),
    read: async (locator, call) => (await calls()).read(locator, call),
    pay: async (order) => (await sealed(order)).pay(order),
    modify: async (change) => (await sealed(change)).modify(change),
    cancel: async (cancellation) => (await sealed(cancellation)).cancel(cancellation),
    sendMail: async (mail) => (await calls()).sendMail(mail),
    seatMap: async (query, call) => (await calls()).seatMap(query, call),
    routes: async (call) => (await calls()).routes(call),
    calendar: async (query, call) => (await calls()).calendar(query, call),
    close: async () => {
      if (options.transport === undefined) await transport.close();
    },
  };
}

async function load(options: OtaOptions, transport: Transport): Promise<Airline> {
  const [{ createExchange }, { createCalls }] = await Promise.all([
    import('./transport/exchange.ts'),
    import('./calls.ts'),
  ]);
  return createCalls(createExchange(options, transport));
}

function assertOptions({ allowHttp = false, baseUrl, seatMapUrl, gatewayUrl, credentials }: OtaOptions): void {
  assertSecure(baseUrl, 'FARECLERK_BASE_URL', allowHttp);
  if (seatMapUrl !== undefined) assertSecure(seatMapUrl, 'FARECLERK_SEAT_MAP_URL', allowHttp);
  if (gatewayUrl !== undefined) assertSecure(gatewayUrl, 'FARECLERK_GATEWAY_URL', allowHttp);
  assertCredentials(credentials);
}
