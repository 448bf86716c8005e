/** Starts the sandbox airline: puts state, network and clock together behind a loopback address. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Before } from '../calls.ts';
import { type Carrier, carrierNow, type Rewrite, type SandboxContext } from '../carrier.ts';
import { type Credentials, SANDBOX_CREDENTIALS } from '../identity.ts';
import { type LedgerEntry, readLedger } from '../ledger.ts';
import { loadNetwork, type Network } from '../network.ts';
import { ACCOUNT_NAME } from '../operations/pay.ts';
import { CarrierState, Clock } from '../state.ts';
import { loadTimetable } from '../timetable.ts';
import type { Dialect } from '../wire.ts';
import { localDate } from '../zone.ts';
import { authPath } from './gateway.ts';
import { createHttpServer } from './http.ts';
import { OTA_PATH } from './ota.ts';

export type { LedgerEntry } from '../ledger.ts';

/** Only programs on this machine can reach this address. */
const HOST = '127.0.0.1';

export interface SandboxOptions {
  /** SQLite file; default `:memory:`. Several processes may run a sandbox on one file. */
  readonly stateFile?: string;
  /** Default: the seed of the state file, or else 1. */
  readonly seed?: number;
  readonly dialect?: Dialect;
  /** Rewrites each reply, to imitate another airline. */
  readonly rewrite?: Rewrite;
  /** Is called with each call before the airline acts, and may answer in its place. */
  readonly before?: Before;
  /** The system clock, ms epoch. The stored offset is added to it. */
  readonly now?: () => number;
  /** Sets the airline's clock (RFC 3339). It goes on from there, also after a restart. */
  readonly nowIso?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Default: that of the dialect. */
  readonly network?: Network;
  readonly credentials?: Partial<Credentials>;
  /** Which credentials a call must carry; default both. */
  readonly accepts?: 'both' | 'key' | 'token';
}

export interface Sandbox {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** `FARECLERK_*` settings that point a server at this airline. */
  readonly settings: Readonly<Record<string, string>>;
  /** Returns the airline as its operations see it now, to look into its records or to disturb them. */
  carrier(): Carrier;
  /** Lists what the airline really did, in order. */
  ledger(): LedgerEntry[];
  /** ms epoch by the airline's clock. */
  now(): number;
  advance(ms: number): void;
  close(): Promise<void>;
}

/** Starts the airline. Throws an Error for invalid options, or for a state file of another network or seed. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { dialect = 'rail', port = 0 } = options;
  const { network = await loadNetwork(dialect) } = options;
  const credentials = { ...SANDBOX_CREDENTIALS, ...options.credentials };
  const state = new CarrierState(options.stateFile ?? ':memory:');

  try {
    const clock = new Clock(state, options.now ?? Date.now);
    if (options.nowIso !== undefined) clock.set(parseInstant(options.nowIso));
    bindState(state, network, clock, options.seed);

    const timetable = loadTimetable(state, network);
    // The context needs the address, which is known once the server listens.
    let origin = '';
    const { accepts = 'both', rewrite = (reply) => reply } = options;

    const context: SandboxContext = {
      state,
      clock,
      timetable,
      credentials,
      accepts,
      dialect,
      rewrite,
      origin: () => origin,
    };

    const server = createHttpServer(context, options.before);
    server.listen(port, HOST);
    await once(server, 'listening');
    origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;

    return runningSandbox(context, server);
  } catch (error) {
    state.close();
    throw error;
  }
}

function runningSandbox(context: SandboxContext, server: Server): Sandbox {
  const { state, clock } = context;
  return {
    url: context.origin(),
    settings: serverSettings(context),
    carrier: () => carrierNow(context),
    ledger: () => readLedger(state),
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    close: async () => {
      const closing = server.listening ? once(server, 'close') : undefined;
      server.close();
      server.closeAllConnections();
      await closing;
      state.close();
    },
  };
}

function parseInstant(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Error(`not a time: ${text}`);
  return at;
}

/** Marks a new state with its network, seed and first day. Throws for a state of another network or seed. */
function bindState(state: CarrierState, network: Network, clock: Clock, requestedSeed: number | undefined): void {
  state.change(() => {
    const [networkName, seed] = [state.meta('network'), state.meta('seed')];
    if (state.meta('first_day') === undefined) state.setMeta('first_day', localDate('UTC', clock.now()));

    if (networkName === undefined || seed === undefined) {
      state.setMeta('network', network.name);
      state.setMeta('seed', String(requestedSeed ?? 1));
      return;
    }

    if (networkName !== network.name) {
      throw new Error(
        `The sandbox state belongs to another network (${networkName}): remove it, or start it with that one.`,
      );
    }

    if (requestedSeed !== undefined && requestedSeed !== Number(seed))
      throw new Error(`The sandbox state was made with seed ${seed}: remove it, or start it with that seed.`);
  });
}

function serverSettings(context: SandboxContext): Readonly<Record<string, string>> {
  const { credentials, dialect, timetable } = context;
  const { network } = timetable;
  const origin = context.origin();

  return {
    FARECLERK_BASE_URL: origin + OTA_PATH,
    FARECLERK_AUTH_URL: origin + authPath(credentials.tenant),
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
