/**
 * Opens what calls work with, except the state: first the airline, then the journal, then the work that reads bookings
 * again. The functions stand in this order. Without an airline in the settings it starts a sandbox.
 */

import { basename, join } from 'node:path';
import { keyedDigest } from '../../approvals/digest.ts';
import type { Runtime } from '../../clerk/clerk.ts';
import { readCallersFile } from '../../config/callers.ts';
import { type AirlineConfig, airlineFromSettings, type Config } from '../../config/load.ts';
import { assertOwn, ownFolder } from '../../files/own-files.ts';
import { systemClock, systemRandom } from '../../journal/clock.ts';
import type { JournalOptions } from '../../journal/journal.ts';
import type { Operation } from '../../journal/operation.ts';
import type { CallCounter } from '../../ledger/call-counter.ts';
import type { ClockOffsets } from '../../metrics/clock-offsets.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { TransportFailure } from '../../ota/errors/transport-failure.ts';
import type { OtaLog, TraceExchange } from '../../ota/options.ts';
import { recordingTransport } from '../../ota/recording/recorder.ts';
import { parseAddress } from '../../ota/transport/addresses.ts';
import { createTransport, type Transport } from '../../ota/transport/http.ts';
import type { State } from '../../store/state.ts';
import { ACTS } from '../../tools/index.ts';
import { outgoingTrace, type Tracer } from '../../tracing/tracer.ts';
import { VERSION } from '../../version.ts';
import type { ReadingComparer } from '../../watching/compare-reading.ts';
import type { Logs } from '../terminal/log.ts';
import { openJournal, openWatcher, readingComparer, watchingCalls } from './journal-and-watcher.ts';
import { createPointsOfSale, openTokens, type PointsOfSale } from './points-of-sale.ts';
import { isGone, newOwner } from './process-id.ts';
import { onlyTestDoubles } from './rehearsal.ts';

/** What a command adds to the runtime; most of it only `serve --http`. */
export interface RuntimeExtras {
  readonly metrics?: Metrics;
  readonly clocks?: ClockOffsets;
  readonly counter?: CallCounter;
  /** Whether this process reads bookings again (FARECLERK_WATCH_READS_PER_HOUR). */
  readonly watches?: true;
}

/** Opens everything that calls need except the state. Its `close` leaves the state open, too. */
export async function openRuntime(
  config: Config,
  logs: Logs,
  tracer: Tracer,
  state: State,
  extras: RuntimeExtras = {},
): Promise<Runtime & { close(): Promise<void> }> {
  const { metrics } = extras;
  const { clock = systemClock } = state;
  if (extras.clocks !== undefined) extras.clocks.database = state.clock;
  const owner = newOwner();
  const { airline, close: closeAirline } = await reachAirline(config);
  const users = { logs, state, tracer, extras };
  const pointsOfSale = await connectAirline(config, airline, users).catch(async (error) => {
    await closeAirline();
    throw error;
  });
  const ending = new AbortController();
  const comparer = comparerOf(config, state, extras);
  const readings = watchingCalls(comparer, clock);
  const { airline: reader, readerFor } = pointsOfSale;
  const failed = (err: unknown) => logs.journal.warn({ err }, 'what an operation did could not be noted');
  const journal = openJournal(
    { state, clock, reader, readerFor, readings, failed },
    {
      owner,
      tracing: tracer,
      ending: ending.signal,
      moved: moveCounter(extras),
      settleMs: config.settleMs,
      // Machines can share names and process numbers, so on PostgreSQL only the lease proves that a process is alive.
      ...(config.state.databaseUrl === undefined && { isGone }),
      log: logs.journal,
    },
  );
  const runningPlans = new Map<string, Promise<void>>();
  // Both loops go on until `ending` aborts.
  const reconcileLoop = journal.keepReconciling(ending.signal);
  const watchLoop =
    extras.watches && watchBookings(config, { logs, state, pointsOfSale, owner, metrics, comparer }, ending.signal);
  return {
    acts: ACTS,
    airline: pointsOfSale.airline,
    airlineFacts: Object.freeze(airlineFacts(airline, config)),
    pointOfSaleOf: pointsOfSale.pointOfSaleOf,
    state,
    journal,
    clock,
    random: systemRandom,
    tracing: tracer,
    inFlight: new Set(),
    plans: { leases: state.leases, owner, running: runningPlans, ending: ending.signal },
    compareReading: readings.compareReading,
    decided: metrics?.countDecision,
    async close() {
      ending.abort();
      await Promise.allSettled(runningPlans.values());
      await reconcileLoop;
      await watchLoop;
      await pointsOfSale.close();
      await closeAirline();
    },
  };
}

function airlineFacts(airline: AirlineConfig, config: Config): Runtime['airlineFacts'] {
  return {
    currency: airline.currency,
    carrier: airline.carrier,
    account: airline.payment.account,
    dialect: airline.dialect,
    airlineHost: config.airline && new URL(config.airline.baseUrl).host,
    agency: airline.agencyId,
  };
}

/** Reaches the airline of the settings, or a sandbox airline started for this process. */
async function reachAirline(config: Config): Promise<{ airline: AirlineConfig; close(): Promise<void> }> {
  if (config.airline !== undefined) return { airline: config.airline, close: async () => undefined };
  const { startSandbox } = await import('../../sandbox/start.ts');
  const stateFile = join(ownFolder(config.state.directory), basename(config.state.sandboxFile));
  assertOwn(stateFile);
  const sandbox = await startSandbox({ stateFile });
  return { airline: airlineFromSettings(sandbox.settings), close: () => sandbox.close() };
}

/** What the connections to the airline report to, and share. */
interface ConnectionUsers {
  readonly logs: Logs;
  readonly state: State;
  readonly tracer: Tracer;
  readonly extras: RuntimeExtras;
}

/** Connects to the airline for each caller, and wraps its connections: recording, clocks, rehearsal, log. */
async function connectAirline(
  config: Config,
  airline: AirlineConfig,
  { logs, state, tracer, extras }: ConnectionUsers,
): Promise<PointsOfSale & { close(): Promise<void> }> {
  const { digestKey, logins, airlinePauses: pauses } = state;
  const { metrics, clocks } = extras;
  const callers = readCallersFile(config.http.callersFile);
  let transport = await openTransport(config, airline, logs, digestKey);
  if (clocks !== undefined) transport = comparingClocks(transport, clocks);
  if (config.environment === 'rehearsal') transport = onlyTestDoubles(transport);
  const log: OtaLog = {
    ...logs.airline,
    call(entry) {
      logs.airline.call(entry);
      metrics?.countAirlineCall(entry);
    },
  };
  const tokens = await openTokens(airline, transport, logins, metrics?.countLogin);
  const traced = tracedExchange(tracer);
  const pointsOfSale = createPointsOfSale({ airline, transport, tokens, log, callers, traced, pauses });
  metrics?.watchAirline(pointsOfSale.load, airline.currency);
  return { ...pointsOfSale, close: () => transport.close() };
}

/** Opens connections to the airline, and records them if FARECLERK_RECORD_FILE says so. */
async function openTransport(
  { recordFile }: Config,
  airline: AirlineConfig,
  logs: Logs,
  digestKey: Uint8Array,
): Promise<Transport> {
  if (recordFile === undefined) return createTransport();
  const onLost = () => logs.journal.warn({}, 'the recording ended: it could not be written');
  return recordingExchanges(createTransport(), recordFile, airline, digestKey, onLost);
}

/** Records every exchange. @param digestKey of the state: all its processes use the same pseudonym for a person */
function recordingExchanges(
  transport: Transport,
  file: string,
  airline: AirlineConfig,
  digestKey: Uint8Array,
  onLost: () => void,
): Transport {
  const { apiKey, login } = airline;
  const secrets = [apiKey?.reveal(), login?.clientSecret.reveal(), login?.password.reveal(), login?.username];
  return recordingTransport(transport, {
    file,
    addresses: {
      base_url: airline.baseUrl,
      auth_url: login?.authUrl,
      gateway_url: airline.gatewayUrl,
      rest_url: airline.restUrl,
    },
    key: Buffer.from(keyedDigest(digestKey, 'pseudonyms of recordings')),
    secrets: secrets.filter((secret) => secret !== undefined),
    version: VERSION,
    settings: {
      FARECLERK_CREDENTIALS: airline.credentials,
      FARECLERK_CURRENCY: airline.currency,
      FARECLERK_COUNTRY: airline.country,
      FARECLERK_CARRIER: airline.carrier,
      FARECLERK_ADDRESS_FORM: airline.addressForm,
      FARECLERK_DIALECT: airline.dialect,
      FARECLERK_SEND_FARE: String(airline.sendFare),
      FARECLERK_PAYMENT_AMOUNT: airline.payment.amount,
    },
    onLost,
  });
}

/** Notes with every reply how far the airline's clock is from ours; not with those to logins, because the issuer has its own clock. */
function comparingClocks(transport: Transport, clocks: ClockOffsets): Transport {
  return {
    ...transport,
    async exchange(request) {
      const reply = await transport.exchange(request);
      if (request.purpose !== 'identity') clocks.saw('airline', reply.headers ?? {});
      return reply;
    },
  };
}

/** Makes each request to the airline a span of its own (semantic conventions of HTTP clients). */
function tracedExchange(tracer: Tracer): TraceExchange {
  return ({ operation, attempt, method, url }, send) => {
    const { hostname, port, protocol } = parseAddress(url);
    const fields = {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'fareclerk.airline.operation': operation,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
    return tracer.span({ name: `${method} ${operation}`, kind: 'client', fields }, async () => {
      try {
        const reply = await send(outgoingTrace());
        tracer.mark({ 'http.response.status_code': reply.status });
        if (reply.status >= 400) tracer.fail(String(reply.status));
        return reply;
      } catch (error) {
        if (error instanceof TransportFailure) tracer.mark({ 'fareclerk.airline.failure': error.kind });
        throw error;
      }
    });
  };
}

/** Makes what counts each move of an operation: in the metrics, and as a failed step of its plan if it failed. */
function moveCounter({ metrics, counter }: RuntimeExtras): NonNullable<JournalOptions['moved']> {
  return async (read, from, to) => {
    await metrics?.countSettled(read, from, to);
    if (to === 'refused' || to === 'not_executed') await countFailedStep(read, counter);
  };
}

/** Counts a step of a plan that failed: no call ends with its error, because the plan goes on. */
async function countFailedStep(
  read: () => Promise<Operation | undefined>,
  counter: CallCounter | undefined,
): Promise<void> {
  const operation = counter && (await read().catch(() => undefined));
  if (operation?.plan === undefined) return;
  const { tenant, caller: id, tool, outcome } = operation;
  counter?.failed({ tenant, id }, tool, outcome?.error?.code ?? 'E_AIRLINE_TIMEOUT');
}

/**
 * What readings are compared by.
 * @param watches whether this process reads bookings again: then its paces apply, and not those of other readers
 */
function comparerOf(
  { watching: { paces, readsPerHour } }: Pick<Config, 'watching'>,
  state: State,
  { watches }: Pick<RuntimeExtras, 'watches'>,
): ReadingComparer {
  return readingComparer(state, watches && readsPerHour > 0 ? paces : undefined);
}

/** What the watcher works with. */
interface Watching {
  readonly logs: Logs;
  readonly state: State;
  readonly pointsOfSale: PointsOfSale;
  /** The name of this process, for the lease. */
  readonly owner: string;
  readonly metrics: Metrics | undefined;
  readonly comparer: ReadingComparer;
}

/** Reads bookings again until the signal. Returns at once if the settings switch it off. */
async function watchBookings(
  { watching: { readsPerHour } }: Pick<Config, 'watching'>,
  { logs, state, pointsOfSale: { readerFor, load }, owner, metrics, comparer }: Watching,
  signal: AbortSignal,
): Promise<void> {
  if (readsPerHour === 0) return;
  const { isBusyAt, READING_OUTCOMES } = await import('../../watching/watcher.ts');
  const countReading = metrics?.watchBookings(READING_OUTCOMES);
  const watcher = await openWatcher({
    comparer,
    state,
    owner,
    readsPerHour,
    readerFor,
    log: logs.journal,
    clock: state.clock ?? systemClock,
    isBusy: () => isBusyAt(load().lanes),
    ...(countReading && { countReading }),
  });
  await watcher.run(signal);
}
