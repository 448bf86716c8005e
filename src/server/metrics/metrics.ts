/** Metrics for Prometheus. Labels are closed lists (tools, outcomes, operations, currencies) without personal data. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Answer } from '../../approvals/answer.ts';
import type { MeasuredAnswer } from '../../approvals/consent-call.ts';
import type { PoolLoad } from '../../approvals/ports.ts';
import { type Money, minorDigits } from '../../core/money.ts';
import type { SignIn } from '../../domain/people/caller.ts';
import type { Context } from '../../journal/context.ts';
import { moved, type Operation } from '../../journal/operation.ts';
import type { Clerk } from '../clerk.ts';
import type { ClockOffsets } from '../clock-offsets.ts';
import { beginAll, beginTools, createSeries, SETTLED, type Series } from './series.ts';
import type { SIGN_IN_REASONS } from './sign-in-failures.ts';
import { type AirlineLoad, loadGauges, type StateWatchOptions, stateGauges } from './state-gauges.ts';
import { timedState } from './timed-state.ts';

/** One call to the airline, as logged by the adapter. */
interface AirlineCall {
  readonly operation: string;
  readonly ms: number;
  /** HTTP status, if there was a reply. */
  readonly status?: number;
  /** The kind of failure. */
  readonly code?: string;
}

export interface Metrics {
  called(tool: string, seconds: number, answer: Answer): void;
  airlineCall(call: AirlineCall): void;
  /** A request for an access token of the airline. */
  loggedIn(grant: 'password' | 'refresh', result: 'ok' | 'refused' | 'unavailable'): void;
  answered(route: string, status: number, seconds: number): void;
  /** A person answered a question. */
  decided(answer: MeasuredAnswer): void;
  /** A caller's token was refused, or a sign-in on the page failed; see {@link SIGN_IN_REASONS}. */
  signInFailed(by: keyof typeof SIGN_IN_REASONS, reason: string): void;
  /** How long a write to the journal waited for its turn. */
  waited(seconds: number): void;
  /** The journal's hook: counts the operations which this process settles. */
  readonly settled: Context['moved'];
  /** Counts what is open in the clerk's state at each scrape. */
  watchState(clerk: Pick<Clerk, 'parts' | 'tools'>): void;
  /** Returns the state, with its requests timed. */
  timed<S extends object>(state: S & { pools?(): readonly PoolLoad[] }): S;
  /** `currency` of the server's own point of sale. */
  watchAirline(load: () => AirlineLoad, currency: string): void;
  /** Counts at each scrape what these addresses lack, by the keys of the store. */
  watchEvents(receivers: readonly string[]): void;
  /** An event was sent to an address. */
  eventTried(result: 'delivered' | 'failed' | 'dead'): void;
  watchHealth(sources: HealthSources): void;
  /** Returns the hook that counts the readings of watched bookings, by outcome. */
  watchBookings(outcomes: readonly string[]): (outcome: string) => void;
  /** Never fails; waits a limited time for the state store. */
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
  close(): void;
}

interface MetricsOptions {
  /** CPU, memory, event loop. Default true. */
  readonly process?: boolean;
  readonly state?: StateWatchOptions;
  /** Labels of fareclerk_build_info. */
  readonly build?: Readonly<Record<'version' | 'environment' | 'store', string>>;
  readonly register?: Registry;
}

/** Counts an operation that ended, and the money that it moved. */
function counting({ money, settled, settleTime }: Series): (operation: Operation) => void {
  function add(direction: 'payment' | 'refund', amount: Money | undefined): void {
    if (amount === undefined) return;
    const { currency, minor } = amount;
    money.inc({ currency, direction }, minor / 10 ** minorDigits(currency));
  }

  return (operation) => {
    const { tool, state, createdAt, updatedAt } = operation;
    settled.inc({ tool, state });
    settleTime.observe({ state }, Math.max(0, updatedAt - createdAt) / 1000);
    const { paid, refunded, unstated } = moved(operation);
    add('payment', paid);
    add('refund', unstated === 'refund' ? operation.amount : refunded);
  };
}

/** What an alert or a panel reads of the process, and what sets it: prom-client has sixty series more. */
const OF_PROCESS =
  /^process_(?:cpu_seconds_total|resident_memory_bytes|open_fds|max_fds|start_time_seconds)$|_lag(?:_p99)?_seconds$/;

function collectProcess(register: Registry): void {
  collectDefaultMetrics({ register });
  for (const { name } of register.getMetricsAsArray()) if (!OF_PROCESS.test(name)) register.removeSingleMetric(name);
}

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const { register = new Registry() } = options;
  if (options.process !== false) collectProcess(register);
  const registers = [register];

  const series = createSeries(registers);
  const stateOf = stateGauges(registers, options.state);
  const loads = loadGauges(registers);
  buildInfo(registers, options.build);
  beginAll(series);

  const ended = counting(series);

  return {
    called(tool, seconds, answer) {
      series.calls.inc({ tool, outcome: outcomeOf(answer) });
      series.durations.observe({ tool }, seconds);
    },
    airlineCall({ operation, ms, status, code }) {
      const result = status === undefined ? (code ?? 'failed') : `${Math.floor(status / 100)}xx`;
      series.airlineCalls.inc({ operation, result });
      series.airlineDurations.observe({ operation }, ms / 1000);
    },
    loggedIn: (grant, result) => series.logins.inc({ grant, result }),
    answered(route, status, seconds) {
      series.requests.inc({ route, status: String(status) });
      series.requestDurations.observe({ route }, seconds);
    },
    decided: ({ yes, channel, ms }) => series.decisions.observe({ decision: yes ? 'yes' : 'no', channel }, ms / 1000),
    signInFailed: (by, reason) => series.signInFailures.inc({ by, reason }),
    waited: (seconds) => series.chain.observe(seconds),
    async settled(read, from, to) {
      // From a final state to the same state nothing is settled.
      if (!SETTLED.includes(to) || from.includes(to)) return;
      const operation = await read().catch(() => undefined);
      if (operation !== undefined) ended(operation);
    },
    watchState(clerk) {
      beginTools(series, clerk.tools);
      stateOf.watch(clerk);
    },
    timed(state) {
      if (state.pools !== undefined) loads.watchPools(state.pools);
      return timedState(state, (work, seconds, failed) =>
        series.store.observe({ work, result: failed ? 'failed' : 'ok' }, seconds),
      );
    },
    watchAirline(load, currency) {
      loads.watchAirline(load);
      for (const direction of ['payment', 'refund']) series.money.inc({ currency, direction }, 0);
    },
    watchEvents: stateOf.watchEvents,
    eventTried: (result) => series.events.inc({ result }),
    watchBookings(outcomes) {
      stateOf.watchBookings();
      for (const outcome of outcomes) series.readings.inc({ outcome }, 0);
      return (outcome) => series.readings.inc({ outcome });
    },
    watchHealth: (sources) => healthGauges(registers, sources),
    async text() {
      await stateOf.refresh();
      return { contentType: register.contentType, body: await register.metrics() };
    },
    close: () => register.clear(),
  };
}

function buildInfo(registers: Registry[], build: MetricsOptions['build']): void {
  const info = new Gauge({
    name: 'fareclerk_build_info',
    help: 'Always 1. Version of fareclerk and Node.js, live or sandbox, and the kind of state store',
    labelNames: ['version', 'node', 'environment', 'store'],
    registers,
  });
  if (build !== undefined) info.set({ ...build, node: process.versions.node }, 1);
}

/** A status, `ok`, `asked`, or an error code. */
function outcomeOf(answer: Answer): string {
  if (answer.kind !== 'result') return 'asked';
  const { error, status } = answer.structured as { error?: { code?: unknown }; status?: unknown };
  if (answer.isError) return typeof error?.code === 'string' ? error.code : 'error';
  return typeof status === 'string' ? status : 'ok';
}

/** Gauges of what sign-in depends on: the issuer's keys and this machine's clock. */
interface HealthSources {
  readonly clocks?: ClockOffsets;
  readonly signIn?: Pick<SignIn, 'keysAge' | 'warm'>;
}

/** Leaves out what is not known: 0 would be a guess. */
function healthGauges(registers: Registry[], { clocks, signIn }: HealthSources): void {
  new Gauge({
    name: 'fareclerk_issuer_keys_age_seconds',
    help: "Age of the issuer's keys. They are fetched again after 10 minutes; without new ones, tokens are refused after an hour",
    registers,
    collect() {
      // An idle server without probes would keep old keys, and this gauge would tell of an issuer that failed.
      void signIn?.warm();
      const age = signIn?.keysAge();
      if (age === undefined) this.remove();
      else this.set(age / 1000);
    },
  });
  new Gauge({
    name: 'fareclerk_clock_offset_seconds',
    help: "By how much this machine's clock is ahead of another (issuer, database, airline); negative: behind",
    labelNames: ['of'],
    registers,
    collect() {
      for (const [of, ms] of clocks?.all() ?? []) this.set({ of }, ms / 1000);
    },
  });
}
