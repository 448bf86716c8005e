/**
 * What calls work with, opened on the first call: state, airline (in the sandbox, the airline itself too) and journal.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { keyedDigest } from '../../approvals/digest.ts';
import type { CallersFile } from '../../config/callers.ts';
import { type AirlineConfig, airlineFromSettings, type Config } from '../../config/load.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { systemClock, systemRandom } from '../../journal/clock.ts';
import { createJournal } from '../../journal/journal.ts';
import type { Hold } from '../../journal/ports.ts';
import type { OtaLog, OtaOptions } from '../../ota/options.ts';
import { createTransport, type Transport } from '../../ota/transport/http.ts';
import type { Runtime } from '../../server/clerk.ts';
import type { Metrics } from '../../server/metrics/metrics.ts';
import type { State } from '../../store/state.ts';
import type { Logs } from '../terminal/log.ts';
import { type SharedLogins, tokensOf } from './airline-options.ts';
import { createDesks, type Desks } from './points-of-sale.ts';
import { isGone, newOwner } from './process-id.ts';
import { tenantOf } from './tenant.ts';

export interface OpenRuntime extends Runtime {
  readonly airlineConfig: AirlineConfig;
  close(): Promise<void>;
}

/** What a server over HTTP adds. */
export interface RuntimeExtras {
  readonly metrics?: Metrics;
  readonly traceHeaders?: OtaOptions['traceHeaders'];
}

/** Of PostgreSQL: what is done at the sandbox airline lies apart from what is real, as it does in folders. */
const SCHEMAS = { live: 'fareclerk', sandbox: 'fareclerk_sandbox' } as const;

/** What a state tells of later, when nobody waits for it. */
export interface Told {
  /** Offers or the ledger cannot be written. */
  readonly unwritten?: (error: unknown) => void;
  /** The journal went backwards, and sending is held. */
  readonly noticed?: (hold: Hold) => void;
}

/** The state of these settings: a file, in a folder made for this user alone, or a database that machines share. */
export async function openState(
  config: Pick<Config, 'state' | 'environment' | 'airline'>,
  { unwritten, noticed }: Told = {},
): Promise<State> {
  const { file, databaseUrl, witnesses } = config.state;
  const airline = tenantOf(config.airline);
  if (databaseUrl === undefined) {
    if (isFreshSandbox(config)) forgetSandbox(config);
    const { openSqliteState } = await import('../../store/sqlite/state.ts');
    return openSqliteState(file, { airline, witnesses, ...omitUndefined({ unwritten, noticed }) });
  }
  const { openPostgresState } = await import('../../store/postgres/state.ts');
  const schema = SCHEMAS[config.environment];
  return openPostgresState(databaseUrl.reveal(), { schema, airline, witnesses, ...omitUndefined({ noticed }) });
}

/** Whether the journal's file is there, or was: its marker tells a lost one from none. */
export function wasMade({ file }: Pick<Config['state'], 'file'>): boolean {
  return existsSync(file) || existsSync(`${file}.id`);
}

/** The sandbox airline has forgotten everything together with its journal: nothing real is lost. */
function isFreshSandbox({ environment, state }: Pick<Config, 'state' | 'environment'>): boolean {
  return environment === 'sandbox' && !existsSync(state.file) && !existsSync(state.sandboxFile);
}

function forgetSandbox({ state }: Pick<Config, 'state'>): void {
  rmSync(state.witnesses, { recursive: true, force: true });
  rmSync(`${state.file}.id`, { force: true });
}

/** The airline's address and credentials: as set, or of a sandbox airline started for this process. */
async function reachAirline(config: Config): Promise<{ airline: AirlineConfig; close(): Promise<void> }> {
  if (config.airline !== undefined) return { airline: config.airline, close: async () => undefined };
  const { startSandbox } = await import('../../sandbox/start.ts');
  mkdirSync(config.state.directory, { recursive: true, mode: 0o700 });
  const sandbox = await startSandbox({ stateFile: config.state.sandboxFile });
  return { airline: airlineFromSettings(sandbox.settings), close: () => sandbox.close() };
}

interface Connection {
  readonly airline: AirlineConfig;
  readonly logs: Logs;
  readonly extras: RuntimeExtras;
  readonly callers: CallersFile | undefined;
  readonly logins: SharedLogins | undefined;
  /** Where calls are recorded, and the key of the stand-ins. */
  readonly record: { readonly file: string; readonly key: Uint8Array } | undefined;
}

async function transportOf({ airline, logs, record }: Connection): Promise<Transport> {
  if (record === undefined) return createTransport();
  const { recorded } = await import('./recording.ts');
  const lost = () => logs.journal.warn({}, 'the recording ended: it could not be written');
  return recorded(createTransport(), record.file, airline, record.key, lost);
}

async function connect(connection: Connection): Promise<Desks & { close(): Promise<void> }> {
  const { airline, logs, callers, extras } = connection;
  const { metrics, traceHeaders } = extras;
  const transport = await transportOf(connection);
  const log: OtaLog = {
    call(entry) {
      logs.airline.call(entry);
      metrics?.airlineCall(entry);
    },
  };
  const tokens = await tokensOf(airline, transport, connection.logins);
  const desks = createDesks({ airline, transport, tokens, log, ...omitUndefined({ callers, traceHeaders }) });
  return { ...desks, close: () => transport.close() };
}

async function callersOf({ http }: Config): Promise<CallersFile | undefined> {
  if (http.callersFile === undefined) return undefined;
  const { readCallersFile } = await import('../../config/callers.ts');
  return readCallersFile(http.callersFile);
}

/** Opens everything besides the state, which stays its opener's to close. */
export async function openRuntime(
  config: Config,
  logs: Logs,
  opened: State,
  extras: RuntimeExtras = {},
): Promise<OpenRuntime> {
  const { metrics } = extras;
  const { clock = systemClock, logins: store } = opened;
  const owner = newOwner();
  const state = metrics ? { ...opened, operations: metrics.watchOperations(opened.operations) } : opened;
  const reached = await reachAirline(config);
  const record = config.recordFile === undefined ? undefined : { file: config.recordFile, key: state.digestKey };
  const callers = await callersOf(config);
  const logins = store && { store, holder: owner };
  const connection = { airline: reached.airline, logs, extras, callers, logins, record };
  const desks = await connect(connection).catch(async (error) => {
    await reached.close();
    throw error;
  });
  const journal = createJournal({
    store: state.operations,
    chain: state.chain,
    clock,
    reader: desks.airline,
    readerFor: ({ tenant, caller }) => desks.readerFor({ tenant, id: caller }),
    owner,
    digest: (text) => keyedDigest(state.digestKey, text),
    settleMs: config.settleMs,
    // Machines may bear one name, and number their processes alike: among them only the lease tells who is alive.
    ...(config.state.databaseUrl === undefined && { isGone }),
    understand: async ({ locator, subject }, reply) => {
      const { understandReply } = await import('../../ota/errors/kept-reply.ts');
      // The answer to a split is another booking.
      return understandReply(reply, subject.kind === 'split_booking' ? undefined : locator);
    },
    log: logs.journal,
  });
  const ending = new AbortController();
  const tending = journal.tend(ending.signal);
  return {
    airline: desks.airline,
    deskOf: desks.deskOf,
    state,
    journal,
    clock,
    random: systemRandom,
    inFlight: new Set(),
    airlineConfig: reached.airline,
    async close() {
      ending.abort();
      await tending;
      await desks.close();
      await reached.close();
    },
  };
}
