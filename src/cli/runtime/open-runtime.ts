/**
 * Opens what calls work with, except the state: first the airline, then the journal, then the work that reads bookings
 * again. The functions stand in this order. Without an airline in the settings it starts a sandbox.
 */

import { basename, join } from 'node:path';
import { noDialogs } from '../../approvals/consent-call.ts';
import type { Runtime } from '../../clerk/clerk.ts';
import { readCallersFile } from '../../config/callers.ts';
import { type AirlineConfig, airlineFromSettings, type Config } from '../../config/load.ts';
import { VERSION } from '../../core/version.ts';
import { assertOwn, ownFolder } from '../../files/own-files.ts';
import { systemClock, systemRandom } from '../../journal/clock.ts';
import type { Operation } from '../../journal/operation.ts';
import type { CallCounter } from '../../ledger/call-counter.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { TransportFailure } from '../../ota/errors/transport-failure.ts';
import { recordingTransport } from '../../ota/recording/recorder.ts';
import { parseAddress } from '../../ota/transport/addresses.ts';
import { createTransport, type Transport } from '../../ota/transport/http.ts';
import type { OtaLog, TraceExchange } from '../../ota/transport/options.ts';
import type { State } from '../../store/state.ts';
import { ACTS } from '../../tools/index.ts';
import { outgoingTrace, type Tracer } from '../../tracing/tracer.ts';
import type { Logs } from '../terminal/log.ts';
import {
  openJournal,
  openWatcher,
  readingComparer,
  type WatcherServices,
  watchingCalls,
} from './journal-and-watcher.ts';
import { createPointsOfSale, openTokens, type PointsOfSale } from './points-of-sale.ts';
import { isGone, newOwner } from './process-id.ts';
import { onlyTestDoubles } from './rehearsal.ts';

/** What a command adds to the runtime; most of it only `serve --http`. */
export interface RuntimeExtras {
  readonly metrics?: Metrics;
  readonly counter?: CallCounter;
  /** Whether this process reads bookings again (FARECLERK_WATCH_READS_PER_HOUR). */
  readonly watches?: true;
}

/** What the runtime reports to, and shares with its process. */
export interface RuntimeParts {
  readonly logs: Logs;
  readonly state: State;
  readonly tracer: Tracer;
  readonly extras: RuntimeExtras;
}

/** Opens everything that calls need except the state. Its `close` leaves the state open, too. */
export async function openRuntime(config: Config, shared: RuntimeParts): Promise<Runtime & { close(): Promise<void> }> {
  const { logs, state, tracer, extras } = shared;
  const { metrics, counter } = extras;
  const { clock = systemClock } = state;

  const { paces, readsPerHour } = config.watching;
  const watches = extras.watches === true && readsPerHour > 0;
  const { airline, close: closeAirline } = await reachAirline(config);
  const pointsOfSale = await connectAirline(config, airline, shared).catch(async (error) => {
    await closeAirline();
    throw error;
  });

  const owner = newOwner();
  const ending = new AbortController();

  // The paces are those of the process that reads bookings again, and not of other readers.
  const comparer = readingComparer(state, watches ? paces : undefined);
  const readings = watchingCalls(comparer, clock);
  const { readerFor } = pointsOfSale;
  const failed = (err: unknown) => logs.journal.warn({ err }, 'what an operation did could not be noted');

  const journal = openJournal(
    { state, clock, readerFor, readings, failed },
    {
      owner,
      tracing: tracer,
      ending: ending.signal,
      settleMs: config.settleMs,
      // Machines can share names and process numbers, so on PostgreSQL only the lease proves that a process is alive.
      ...(config.state.databaseUrl === undefined && { isGone }),
      log: logs.journal,
      async moved(read, from, to) {
        await metrics?.countSettled(read, from, to);
        if (to === 'refused' || to === 'not_executed') await countFailedStep(read, counter);
      },
    },
  );

  const runningPlans = new Map<string, Promise<void>>();
  // Both loops go on until `ending` aborts.
  const reconcileLoop = journal.keepReconciling(ending.signal);
  const watchLoop = watches
    ? watchBookings(shared, { comparer, paces, owner, readsPerHour, ...pointsOfSale }, ending.signal)
    : undefined;

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
    dialogs: noDialogs(),
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
  const { startSandbox } = await import('../../sandbox/addresses/start.ts');
  const stateFile = join(ownFolder(config.state.directory), basename(config.state.sandboxFile));
  assertOwn(stateFile);
  const sandbox = await startSandbox({ stateFile });
  return { airline: airlineFromSettings(sandbox.settings), close: () => sandbox.close() };
}

/** Connects to the airline, for each caller at their point of sale. */
async function connectAirline(
  config: Config,
  airline: AirlineConfig,
  shared: RuntimeParts,
): Promise<PointsOfSale & { close(): Promise<void> }> {
  const { logs, tracer, extras } = shared;
  const { logins, airlinePauses: pauses } = shared.state;
  const { metrics } = extras;

  const callers = readCallersFile(config.http.callersFile);
  const transport = openTransport(config, airline, shared);

  const log: OtaLog = {
    ...logs.airline,
    call(entry) {
      logs.airline.call(entry);
      metrics?.countAirlineCall(entry);
    },
  };

  const tokens = await openTokens(airline, transport, logins);
  const traced: TraceExchange = (about, send) => tracedExchange(tracer, about, send);
  const pointsOfSale = createPointsOfSale({ airline, transport, tokens, log, callers, traced, pauses });
  metrics?.watchAirline(pointsOfSale.load, airline.currency);

  return { ...pointsOfSale, close: () => transport.close() };
}

/** Opens the connections to the airline. A rehearsal judges each request before it is recorded. */
function openTransport({ environment, recordFile }: Config, airline: AirlineConfig, { logs }: RuntimeParts): Transport {
  const transport = createTransport();
  const recorded = recordFile === undefined ? transport : recording(transport, recordFile, airline, logs);
  return environment === 'rehearsal' ? onlyTestDoubles(recorded) : recorded;
}

/** Records every exchange. */
function recording(transport: Transport, file: string, airline: AirlineConfig, { journal }: Logs): Transport {
  const { apiKey, login } = airline;
  const secrets = [apiKey?.reveal(), login?.clientSecret.reveal(), login?.password.reveal(), login?.username];
  const options = {
    file,
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
    onLost: () => journal.warn({}, 'the recording ended: it could not be written'),
  };
  return recordingTransport(transport, options);
}

/** Makes each request to the airline a span of its own (semantic conventions of HTTP clients). */
function tracedExchange(
  tracer: Tracer,
  { operation, attempt, method, url }: Parameters<TraceExchange>[0],
  send: Parameters<TraceExchange>[1],
): ReturnType<TraceExchange> {
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

interface Watching
  extends Pick<PointsOfSale, 'readerFor' | 'lanes'>,
    Pick<WatcherServices, 'comparer' | 'paces' | 'owner' | 'readsPerHour'> {}

/** Reads bookings again until the signal. */
async function watchBookings(
  { logs, state, extras: { metrics } }: RuntimeParts,
  { comparer, paces, owner, readsPerHour, readerFor, lanes }: Watching,
  signal: AbortSignal,
): Promise<void> {
  const { isBusyAt, READING_OUTCOMES } = await import('../../watching/watcher.ts');
  const countReading = metrics?.watchBookings(READING_OUTCOMES);

  const watcher = await openWatcher({
    comparer,
    paces,
    state,
    owner,
    readsPerHour,
    readerFor,
    log: logs.journal,
    clock: state.clock ?? systemClock,
    isBusy: () => isBusyAt(lanes()),
    ...(countReading && { countReading }),
  });
  await watcher.run(signal);
}
