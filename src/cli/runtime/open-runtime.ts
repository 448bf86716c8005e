/**
 * Opens what calls work with, except the state: first the airline, then the journal, then the work that reads bookings
 * again. The functions stand in this order. Without an airline in the settings it starts a sandbox.
 */

import { basename, join } from 'node:path';
import { keyedDigest } from '../../approvals/digest.ts';
import type { Runtime } from '../../clerk/clerk.ts';
import { readCallersFile } from '../../config/callers.ts';
import { type AirlineConfig, airlineFromSettings, type Config } from '../../config/load.ts';
import { memoize } from '../../core/memoize.ts';
import { assertOwn, ownFolder } from '../../files/own-files.ts';
import type { CountedAs } from '../../journal/act.ts';
import { systemClock, systemRandom } from '../../journal/clock.ts';
import { createJournal, type Journal, type JournalOptions } from '../../journal/journal.ts';
import type { Operation } from '../../journal/operation.ts';
import type { BookingReader, Clock } from '../../journal/ports.ts';
import type { CallCounter } from '../../ledger/call-counter.ts';
import type { ClockOffsets } from '../../metrics/clock-offsets.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { understandReply, withoutDetails } from '../../ota/errors/classify-reply.ts';
import { TransportFailure } from '../../ota/errors/transport-failure.ts';
import type { OtaLog, OtaOperation, TraceExchange } from '../../ota/options.ts';
import { recordingTransport } from '../../ota/recording/recorder.ts';
import { parseAddress } from '../../ota/transport/addresses.ts';
import { createTransport, type Transport } from '../../ota/transport/http.ts';
import type { State } from '../../store/state.ts';
import { ACTS, noteSettled } from '../../tools/index.ts';
import { ledgerEntry, type Settling, withOwnCancellations } from '../../tools/steps/record-booking.ts';
import { outgoingTrace, type Tracer } from '../../tracing/tracer.ts';
import { VERSION } from '../../version.ts';
import type { ReadingComparer } from '../../watching/compare-reading.ts';
import type { Logs } from '../terminal/log.ts';
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

/** The most digests that are remembered: of the coupons of bookings that are read again and again. */
const MOST_DIGESTS = 2_000;

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
  const users = { logs, state, owner, tracer, extras };
  const pointsOfSale = await connectAirline(config, airline, users).catch(async (error) => {
    await closeAirline();
    throw error;
  });
  const ending = new AbortController();
  const comparer = readingComparer(config, state, extras);
  const compareReading = compareReadingBy(comparer, clock);
  const services = { logs, state, pointsOfSale, comparer, compareReading };
  const journalOptions = { owner, tracing: tracer, ending: ending.signal, moved: moveCounter(extras) };
  const journal = openJournal(config, services, journalOptions);
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
    compareReading,
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
  /** The id of this process, by which it holds leases and the tokens that processes share. */
  readonly owner: string;
  readonly tracer: Tracer;
  readonly extras: RuntimeExtras;
}

/** Connects to the airline for each caller, and wraps its connections: recording, clocks, rehearsal, log. */
async function connectAirline(
  config: Config,
  airline: AirlineConfig,
  { logs, state, owner, tracer, extras }: ConnectionUsers,
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
  const sharedTokens = logins && { store: logins, holder: owner };
  const tokens = await openTokens(airline, transport, sharedTokens, metrics?.countLogin);
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

/** What the journal works with, besides its own options. */
interface JournalServices {
  readonly logs: Logs;
  readonly state: State;
  readonly pointsOfSale: PointsOfSale;
  readonly comparer: ReadingComparer;
  readonly compareReading: NonNullable<Runtime['compareReading']>;
}

/** Creates the journal over the store. */
function openJournal(
  config: Config,
  services: JournalServices,
  journalOptions: Pick<JournalOptions, 'owner' | 'moved' | 'tracing' | 'ending'>,
): Journal {
  const { logs, state, comparer } = services;
  const { clock = systemClock } = state;
  const readerFor = comparingReaders(services);
  const failed = (err: unknown) => logs.journal.warn({ err }, 'what an operation did could not be noted');
  return createJournal({
    acts: ACTS,
    store: state.operations,
    chain: state.chain,
    ends: state.ends,
    clock,
    reader: services.pointsOfSale.airline,
    readerFor,
    settled: noteSettled({ acts: ACTS, state, clock, readerFor, readSoon: readSoonBy(comparer, clock), failed }),
    ...journalOptions,
    digest: (text) => keyedDigest(state.digestKey, text),
    settleMs: config.settleMs,
    // Machines can share names and process numbers, so on PostgreSQL only the lease proves that a process is alive.
    ...(config.state.databaseUrl === undefined && { isGone }),
    understand: async ({ locator, subject }, reply) => {
      // A reply that does not name the booking cannot be compared with its locator.
      const { countedAs, replyLacks } = ACTS.of(subject);
      const operation = ANSWERED[countedAs] ?? 'modify';
      return understandReply(reply, { operation, locator: replyLacks === 'booking' ? undefined : locator });
    },
    withoutDetails,
    log: logs.journal,
  });
}

/** Which message of the airline's a stored reply answers, by what its act is counted as; `modify` for all others. */
const ANSWERED: Partial<Readonly<Record<CountedAs, OtaOperation>>> = { hold: 'book', payment: 'ticket' };

/**
 * Gives the journal's readers, which compare each reading with the booking as it was. If that fails, the reading still counts. A
 * booking that an answer only names may be somebody else's: it is neither kept nor watched.
 */
function comparingReaders({ logs, state, pointsOfSale, compareReading }: JournalServices) {
  const { clock = systemClock } = state;
  return ({ tenant, caller: id, outcome }: Operation): BookingReader => ({
    async read(locator) {
      const begunAt = clock.now();
      const booking = await pointsOfSale.readerFor({ tenant, id }).read(locator);
      if (outcome?.named === locator) return booking;
      await compareReading({ tenant, id }, booking, begunAt).catch((err: unknown) =>
        logs.journal.warn({ err }, 'a reading could not be compared'),
      );
      return booking;
    },
  });
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
 * What {@link compareReadingBy} and the watcher compare readings by.
 * @param watches whether this process reads bookings again: then its paces apply, and not those of other readers
 */
function readingComparer(
  { watching: { paces, readsPerHour } }: Pick<Config, 'watching'>,
  state: State,
  { watches }: Pick<RuntimeExtras, 'watches'>,
): ReadingComparer {
  const digest = memoize((text: string) => keyedDigest(state.digestKey, text), MOST_DIGESTS);
  return { acts: ACTS, state, rules: watches && readsPerHour > 0 ? { paces } : {}, digest };
}

/** Makes what compares a reading that began at `begunAt`. Without that time nothing is compared, and the booking is read soon. */
function compareReadingBy(comparer: ReadingComparer, clock: Clock): NonNullable<Runtime['compareReading']> {
  const readSoon = readSoonBy(comparer, clock);
  return async (caller, booking, begunAt) => {
    if (begunAt === undefined) {
      await readSoon(caller, booking);
      return false;
    }
    const { compareReading } = await import('../../watching/compare-reading.ts');
    return (await compareReading(comparer, caller, booking, begunAt)).isQuiet;
  };
}

/** Makes what has the booking of an operation's reply read soon. */
function readSoonBy(comparer: ReadingComparer, clock: Clock): Settling['readSoon'] {
  return async (caller, booking, hold) => {
    const { readSoon } = await import('../../watching/compare-reading.ts');
    await readSoon(comparer, caller, booking, clock.now(), hold);
  };
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
  const { createWatcher, isBusyAt, READING_OUTCOMES } = await import('../../watching/watcher.ts');
  const countReading = metrics?.watchBookings(READING_OUTCOMES);
  const watcher = createWatcher({
    ...comparer,
    state,
    owner,
    readsPerHour,
    readerFor,
    log: logs.journal,
    clock: state.clock ?? systemClock,
    async renew(tenant, booking, at) {
      const withRefunds = await withOwnCancellations(booking, { acts: comparer.acts, state, caller: { tenant } });
      const digest = (text: string) => keyedDigest(state.digestKey, text);
      await state.ledger.renew(tenant, ledgerEntry(withRefunds, { madeHere: false, now: at, digest }));
    },
    isBusy: () => isBusyAt(load().lanes),
    countReading,
  });
  await watcher.run(signal);
}
