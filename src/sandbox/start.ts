/** Starts the sandbox airline: state, network and clock together behind one loopback address. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MESSAGES } from './addresses/messages.ts';
import { OTA_PATH } from './addresses/ota.ts';
import { type Answered, type Carrier, carrierNow, type SandboxContext } from './carrier.ts';
import { disturb, readMishaps } from './failures/booking-mishaps.ts';
import type { Happened, Mishap } from './failures/named.ts';
import { Pending, placeFault, type SandboxFault } from './failures/wire-faults.ts';
import { createHttpServer } from './http.ts';
import { type Credentials, SANDBOX_CREDENTIALS } from './identity.ts';
import { type LedgerEntry, type Notice, readLedger, readNotices, readUnknown, type UnknownField } from './ledger.ts';
import { loadNetwork, type Network } from './network/network.ts';
import { ACCOUNT_NAME } from './operations/pay.ts';
import type { CarrierBooking } from './record.ts';
import { Refusal } from './refusal.ts';
import { type ReservationPlace, writeReservation } from './replies/reservation.ts';
import { CarrierState, Clock } from './state.ts';
import { moveExpiry } from './stock.ts';
import { loadTimetable } from './timetable.ts';
import { type Dialect, inDialect, type Wire } from './wire.ts';
import { localDate } from './zone.ts';

export type { Happened, Mishap, MishapKind } from './failures/named.ts';
export { orderFault, type SandboxFault, type SandboxFaultKind } from './failures/wire-faults.ts';
export type { LedgerEntry, Notice } from './ledger.ts';

/** Only programs on this machine reach it. */
const HOST = '127.0.0.1';

export interface SandboxOptions {
  /** SQLite file; default `:memory:`. Several processes may run a sandbox on one file. */
  readonly stateFile?: string;
  /** Default: that of the state file, else 1. */
  readonly seed?: number;
  readonly dialect?: Dialect;
  /** An airline that answers otherwise; default: replies have the form of the dialect. */
  readonly rewrite?: (reply: Wire, answered: Answered & Inside) => Wire;
  /** An airline that takes its own, dearer fare of the class where another train or flight is booked in place of one. */
  readonly rebooksInto?: Carrier['rebooksInto'];
  /** The system clock, ms epoch. The stored offset is added to it. */
  readonly now?: () => number;
  /** Sets the airline's clock (RFC 3339); it goes on from there, also after a restart. */
  readonly nowIso?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Network file (network/network.ts says its form); default that of the dialect. */
  readonly inventoryFile?: string;
  readonly credentials?: Partial<Credentials>;
  /** Which credentials a call must carry; default both. */
  readonly accepts?: 'both' | 'key' | 'token';
}

export interface Sandbox {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** `FARECLERK_*` settings that point a server at this airline. */
  readonly settings: Readonly<Record<string, string>>;
  order(fault: SandboxFault): void;
  /** Lets a mishap happen to bookings that exist. Throws an Error if it cannot. */
  disturb(mishap: Mishap): Happened;
  /** The airline as its operations see it now, for a look into its records. */
  carrier(): Carrier;
  /** Mishaps that happened, in order. */
  mishaps(): readonly Happened[];
  /** What was really committed, in order. */
  ledger(): LedgerEntry[];
  /** E-mails and notifications that the airline sent. */
  notices(): Notice[];
  /** Fields of requests that the airline does not know, as they came. */
  unknownFields(): readonly UnknownField[];
  /** ms epoch by the airline's clock. */
  now(): number;
  advance(ms: number): void;
  close(): Promise<void>;
}

/** Throws an Error for options that do not go together, or a state file of another network or seed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { dialect = 'rail', port = 0 } = options;
  const network = await loadNetwork(dialect, options.inventoryFile);
  const credentials = { ...SANDBOX_CREDENTIALS, ...options.credentials };
  const state = new CarrierState(options.stateFile ?? ':memory:');
  try {
    const clock = new Clock(state, options.now ?? Date.now);
    if (options.nowIso !== undefined) clock.set(instant(options.nowIso));
    claimState(state, network, clock, options.seed);
    const timetable = loadTimetable(state, network);
    let origin = '';
    const { accepts = 'both', rebooksInto, rewrite = (reply) => inDialect(dialect, reply) } = options;
    const context: SandboxContext = {
      state,
      clock,
      timetable,
      credentials,
      accepts,
      dialect,
      rebooksInto,
      rewrite: (reply, answered) => rewrite(reply, { ...answered, ...airlineInside(context, answered.carrier) }),
      origin: () => origin,
    };
    const pending = new Pending();
    const server = createHttpServer(context, pending);
    server.listen(port, HOST);
    await once(server, 'listening');
    const address = server.address() as AddressInfo;
    origin = `http://${HOST}:${address.port}`;
    return {
      url: origin,
      settings: serverSettings(context),
      order: (fault) => placeFault(state, fault),
      disturb: (mishap) => disturb(carrierNow(context), mishap),
      carrier: () => carrierNow(context),
      mishaps: () => readMishaps(state),
      ledger: () => readLedger(state),
      notices: () => readNotices(state),
      unknownFields: () => readUnknown(state),
      now: () => clock.now(),
      advance: (ms) => clock.advance(ms),
      close: async () => {
        pending.flush();
        const closed = server.listening ? once(server, 'close') : undefined;
        server.close();
        server.closeAllConnections();
        await closed;
        state.close();
      },
    };
  } catch (error) {
    state.close();
    throw error;
  }
}

type Inside = ReturnType<typeof airlineInside>;

/** What another answer may need of the airline. All of it runs within the transaction of the message. */
function airlineInside(context: SandboxContext, carrier: Carrier) {
  return {
    /** The reply to another message, before it is rewritten. */
    ask: (name: string, request: Wire, dialect = carrier.dialect): Wire =>
      MESSAGES[name]?.read(request, dialect).value({ ...carrier, dialect }, context) ?? {},
    refusal: (...words: ConstructorParameters<typeof Refusal>) => new Refusal(...words),
    reservation: (booking: CarrierBooking, place: ReservationPlace, dialect = carrier.dialect): Wire =>
      writeReservation({ ...carrier, dialect }, booking, place),
    moveExpiry: (locator: string, expires: number) => moveExpiry(carrier.state, locator, expires),
  };
}

function instant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error(`not a time: ${text}`);
  return at;
}

/** Marks a new state with its network, seed and first day; refuses a state whose bookings were made on others. */
function claimState(state: CarrierState, network: Network, clock: Clock, wanted: number | undefined): void {
  state.change(() => {
    const [known, seed] = [state.meta('network'), state.meta('seed')];
    if (state.meta('first_day') === undefined) state.setMeta('first_day', localDate('UTC', clock.now()));
    if (known === undefined || seed === undefined) {
      state.setMeta('network', network.name);
      state.setMeta('seed', String(wanted ?? 1));
      return;
    }
    if (known !== network.name) {
      throw new Error(`The sandbox state belongs to another network (${known}): remove it, or start it with that one.`);
    }
    if (wanted !== undefined && wanted !== Number(seed)) {
      throw new Error(`The sandbox state was made with seed ${seed}: remove it, or start it with that seed.`);
    }
  });
}

function serverSettings(context: SandboxContext): Readonly<Record<string, string>> {
  const { credentials, dialect, timetable } = context;
  const { network } = timetable;
  const origin = context.origin();
  return {
    FARECLERK_BASE_URL: origin + OTA_PATH,
    FARECLERK_AUTH_URL: `${origin}/realms/${credentials.tenant}`,
    FARECLERK_CLIENT_ID: credentials.clientId,
    FARECLERK_CLIENT_SECRET: credentials.clientSecret,
    FARECLERK_USERNAME: credentials.username,
    FARECLERK_PASSWORD: credentials.password,
    FARECLERK_GATEWAY_URL: origin,
    FARECLERK_REST_URL: origin,
    FARECLERK_API_KEY: credentials.apiKey,
    FARECLERK_AGENT_ID: credentials.agentId,
    FARECLERK_AGENCY_ID: credentials.agencyId,
    FARECLERK_CURRENCY: network.currency,
    FARECLERK_COUNTRY: network.country,
    FARECLERK_CARRIER: network.carrier,
    FARECLERK_DIALECT: dialect,
    FARECLERK_ACCOUNT_NAME: ACCOUNT_NAME,
  };
}
