/**
 * The metrics for Prometheus. Labels come from closed lists (tools, outcomes, operations, currencies), without personal data. In order: what
 * is counted, then the series.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Answer } from '../approvals/answer.ts';
import type { MeasuredAnswer } from '../approvals/consent-call.ts';
import { APPROVAL_MS } from '../approvals/expiry.ts';
import type { Clerk } from '../clerk/clerk.ts';
import { GENERAL_FAILURES } from '../core/errors.ts';
import { type Money, minorDigits } from '../core/money.ts';
import { SECOND_MS } from '../core/times.ts';
import { type SignIn, TOKEN_PROBLEMS } from '../domain/people/caller.ts';
import type { JournalContext } from '../journal/context.ts';
import type { Operation } from '../journal/operation.ts';
import { movedMoney } from '../journal/outcome.ts';
import type { PoolLoad } from '../store/open-counts.ts';
import type { Tool } from '../tools/definition/define.ts';
import {
  type AirlineLoad,
  type JournalState,
  loadGauges,
  type StateWatchOptions,
  stateGauges,
  timedJournal,
} from './state-gauges.ts';

// Buckets in seconds. Each is a series for each label, so there are few: those that an alert or an objective reads.
const CALL_BUCKETS = [0.1, 0.5, 2.5, 10, 30];
const AIRLINE_BUCKETS = [0.1, 0.5, 2.5, 10, 60];
const STORE_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 5];
/** The last is as long as a question waits. */
const DECISION_BUCKETS = [15, 60, 240, APPROVAL_MS / SECOND_MS];

/** Ten minutes is the objective. After half an hour, readings that fail end. */
const SETTLE_BUCKETS = [5, 60, 300, 600, 1_800];

/** States in which an operation ends. */
const FINAL_STATES = ['succeeded', 'refused', 'not_executed', 'needs_person'];
/** Errors of operations that say neither yes nor no to them. Any other is an ordinary refusal. */
const NO_ANSWER: readonly string[] = [...GENERAL_FAILURES, 'E_AIRLINE_REPLY'];
/** Outcomes of calls that alerts watch. */
const WATCHED_OUTCOMES = ['E_INTERNAL', 'E_STATE_DOWN', 'E_AUTH', 'E_AIRLINE_BUSY'];
const WATCHED_ROUTES = ['/mcp', '/approve/', '/tickets/'];

/** The series of the process that an alert or a panel reads: prom-client has sixty more. */
const PROCESS_SERIES =
  /^process_(?:cpu_seconds_total|resident_memory_bytes|open_fds|max_fds|start_time_seconds)$|_lag(?:_p99)?_seconds$/;

/** One call to the airline, as logged by the adapter. */
interface AirlineCall {
  readonly operation: string;
  readonly ms: number;
  /** HTTP status, if there was a reply. */
  readonly status?: number;
  /** The kind of failure. */
  readonly code?: string;
}

export type Metrics = ReturnType<typeof createMetrics>;

interface MetricsOptions {
  /** Whether to measure CPU, memory and event loop. Default true. */
  readonly process?: boolean;
  readonly state?: StateWatchOptions;
  /** Labels of fareclerk_build_info. */
  readonly build?: Readonly<Record<'version' | 'environment' | 'store', string>>;
  readonly register?: Registry;
}

export function createMetrics(options: MetricsOptions = {}) {
  const { register = new Registry() } = options;
  if (options.process !== false) collectProcess(register);
  const registers = [register];

  const series = createSeries(registers);
  const readState = stateGauges(registers, options.state);
  const loads = loadGauges(registers);

  setBuildInfo(registers, options.build);
  startFixedSeries(series);

  const countOperation = operationCounter(series);

  /** The journal's hook: counts the operations that this process settles, and those that get no answer. */
  const countSettled: NonNullable<JournalContext['moved']> = async (read, from, to) => {
    // A move to the same state settles nothing.
    if (from.includes(to) || ![...FINAL_STATES, 'in_doubt'].includes(to)) return;
    const operation = await read().catch(() => undefined);
    if (operation === undefined) return;
    if (lacksAnswer(operation)) series.failed.inc({ tool: operation.tool });
    if (to !== 'in_doubt') countOperation(operation);
  };

  return {
    countSettled,

    countCall(tool: string, seconds: number, answer: Answer): void {
      series.calls.inc({ tool, outcome: callOutcome(answer) });
      series.durations.observe({ tool }, seconds);
    },

    countAirlineCall({ operation, ms, status, code }: AirlineCall): void {
      const result = status === undefined ? (code ?? 'failed') : `${Math.floor(status / 100)}xx`;
      series.airlineCalls.inc({ operation, result });
      series.airlineDurations.observe({ operation }, ms / 1000);
    },

    /** Counts an HTTP request that was answered. */
    countRequest(route: string, status: number, seconds: number): void {
      series.requests.inc({ route, status: String(status) });
      series.requestDurations.observe({ route }, seconds);
    },

    /** Counts a person's answer to a question. */
    countDecision({ yes, channel, ms }: MeasuredAnswer): void {
      series.decisions.observe({ decision: yes ? 'yes' : 'no', channel }, ms / 1000);
    },

    /** Counts an HTTP request whose caller was refused. */
    countRefusal: (reason: string) => series.refused.inc({ reason }),
    /** Records how long a write to the journal waited for its turn. */
    observeJournalWait: (seconds: number) => series.chain.observe(seconds),
    /** Counts a try to send an event to an address. */
    countDelivery: (result: 'delivered' | 'failed' | 'dead') => series.events.inc({ result }),

    /** Counts what is open in the clerk's state at each scrape. */
    watchState(clerk: Pick<Clerk, 'runtime' | 'tools'>): void {
      startToolSeries(series, clerk.tools);
      readState.watch(clerk);
    },

    /** Counts at each scrape the deliveries that these addresses wait for, by the keys of the store. */
    watchEvents: readState.watchEvents,

    /** Returns the hook that counts the readings of watched bookings, by outcome. */
    watchBookings(outcomes: readonly string[]) {
      readState.watchBookings();
      for (const outcome of outcomes) series.readings.inc({ outcome }, 0);
      return (outcome: string) => series.readings.inc({ outcome });
    },

    /** Returns the same state; it measures the time of requests to the journal. */
    timeState<S extends JournalState & { pools?(): readonly PoolLoad[] }>(state: S): S {
      if (state.pools !== undefined) loads.watchPools(state.pools);
      return timedJournal(state, (work, seconds, failed) =>
        series.store.observe({ work, result: failed ? 'failed' : 'ok' }, seconds),
      );
    },

    /** Reads the load at each scrape. @param currency that of the server's own point of sale */
    watchAirline(load: () => AirlineLoad, currency: string): void {
      loads.watchAirline(load);
      for (const direction of ['payment', 'refund']) series.money.inc({ currency, direction }, 0);
    },

    /** Reads the age of the issuer's keys at each scrape. */
    watchSignIn: (signIn: Pick<SignIn, 'keysAge' | 'warm'> | undefined) => signIn && keysGauge(registers, signIn),

    /** Writes the page of all metrics. Never fails; waits a limited time for the state store. */
    async text() {
      await readState.refresh();
      return { contentType: register.contentType, body: await register.metrics() };
    },

    close: () => register.clear(),
  };
}

/** Returns the function that counts an operation that ended, and the money that it moved. */
function operationCounter({ money, settled, settleTime }: Series): (operation: Operation) => void {
  function add(direction: 'payment' | 'refund', amount: Money | undefined): void {
    if (amount === undefined) return;
    const { currency, minor } = amount;
    money.inc({ currency, direction }, minor / 10 ** minorDigits(currency));
  }

  return (operation) => {
    const { tool, state, createdAt, updatedAt } = operation;
    settled.inc({ tool, state });
    settleTime.observe({ state }, Math.max(0, updatedAt - createdAt) / 1000);
    const { paid, refunded, unstated } = movedMoney(operation);
    add('payment', paid);
    add('refund', unstated === 'refund' ? operation.amount : refunded);
  };
}

/** Whether the airline said neither yes nor no to an operation that ended or is in doubt. Once readings began, it was counted. */
function lacksAnswer({ state, outcome, lastReadAt }: Operation): boolean {
  if (lastReadAt !== undefined || outcome?.receipt !== undefined) return false;
  return state === 'in_doubt' || NO_ANSWER.includes(outcome?.error?.code ?? '');
}

function collectProcess(register: Registry): void {
  collectDefaultMetrics({ register });
  for (const { name } of register.getMetricsAsArray())
    if (!PROCESS_SERIES.test(name)) register.removeSingleMetric(name);
}

function setBuildInfo(registers: Registry[], build: MetricsOptions['build']): void {
  const info = new Gauge({
    name: 'fareclerk_build_info',
    help: 'Always 1. Version of fareclerk and Node.js, live or sandbox, and the kind of state store',
    labelNames: ['version', 'node', 'environment', 'store'],
    registers,
  });
  if (build !== undefined) info.set({ ...build, node: process.versions.node }, 1);
}

/** Names how a call ended: a status, `ok`, `asked`, or an error code. */
function callOutcome(answer: Answer): string {
  if (answer.kind !== 'result') return 'asked';
  const { error, status } = answer.structured as { error?: { code?: unknown }; status?: unknown };
  if (answer.isError) return typeof error?.code === 'string' ? error.code : 'error';
  return typeof status === 'string' ? status : 'ok';
}

type Series = ReturnType<typeof createSeries>;

/** Creates the counters and histograms. Some of their series start at 0 ({@link startFixedSeries}), so that `increase()` sees the first event. */
function createSeries(registers: Registry[]) {
  const counter = (name: string, labelNames: string[], help: string) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, labelNames: string[], buckets: number[], help: string) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  return {
    calls: counter(
      'fareclerk_tool_calls_total',
      ['tool', 'outcome'],
      'Tool calls by tool and outcome: a status, ok, asked, or an error code',
    ),
    durations: histogram(
      'fareclerk_tool_call_duration_seconds',
      ['tool'],
      CALL_BUCKETS,
      'Time to the answer of a tool call',
    ),
    airlineCalls: counter(
      'fareclerk_airline_calls_total',
      ['operation', 'result'],
      'Calls to the airline by operation; result is an HTTP status class or a failure',
    ),
    airlineDurations: histogram(
      'fareclerk_airline_call_duration_seconds',
      ['operation'],
      AIRLINE_BUCKETS,
      'Time of one call to the airline by operation',
    ),
    decisions: histogram(
      'fareclerk_approval_decision_seconds',
      ['decision', 'channel'],
      DECISION_BUCKETS,
      'Time from a question to its answer by decision (yes, no) and channel (dialog, page, echo)',
    ),
    events: counter(
      'fareclerk_event_deliveries_total',
      ['result'],
      'Tries to deliver an event to an address: delivered, failed (it is tried again) or dead (given up after three days)',
    ),
    readings: counter(
      'fareclerk_watch_readings_total',
      ['outcome'],
      'Bookings that were read again by outcome: first, same, changed, stale, not_found, airline_down or failed',
    ),
    failed: counter(
      'fareclerk_operations_failed_total',
      ['tool'],
      'Operations by tool to which the airline said neither yes nor no: no answer, a failure, a pause, refused credentials',
    ),
    settled: counter('fareclerk_operations_settled_total', ['tool', 'state'], 'Operations by tool and how they ended'),
    settleTime: histogram(
      'fareclerk_operation_settle_seconds',
      ['state'],
      SETTLE_BUCKETS,
      'Time from the entry of an operation in the journal to its end by state',
    ),
    money: counter(
      'fareclerk_money_moved_total',
      ['currency', 'direction'],
      'Money that operations moved which this process settled as done, in units of the currency; a refund that was not stated as limits count it',
    ),
    refused: counter(
      'fareclerk_callers_refused_total',
      ['reason'],
      'HTTP requests whose caller was refused, by reason: a problem of the token, or unavailable if the issuer does not answer',
    ),
    requests: counter('fareclerk_http_requests_total', ['route', 'status'], 'HTTP requests by route and status'),
    requestDurations: histogram(
      'fareclerk_http_request_duration_seconds',
      ['route'],
      CALL_BUCKETS,
      'Time until an HTTP request was answered, by route',
    ),
    store: histogram(
      'fareclerk_state_store_duration_seconds',
      ['work', 'result'],
      STORE_BUCKETS,
      'Time of one request to the journal in the state store: journal_read or journal_write; result is ok or failed',
    ),
    chain: histogram(
      'fareclerk_journal_wait_seconds',
      [],
      STORE_BUCKETS,
      'How long a write to the journal waited for its turn: there is one chain, so writers queue',
    ),
  };
}

/** Starts the series of tools at 0. */
function startToolSeries({ calls, failed, settled }: Series, tools: readonly Pick<Tool, 'name' | 'effect'>[]): void {
  for (const { name: tool, effect } of tools) {
    for (const outcome of WATCHED_OUTCOMES) calls.inc({ tool, outcome }, 0);
    if (effect !== 'commit') continue;
    failed.inc({ tool }, 0);
    settled.inc({ tool, state: 'succeeded' }, 0);
  }
}

/** Starts at 0 the series that do not depend on tools. */
function startFixedSeries(series: Series): void {
  for (const reason of [...TOKEN_PROBLEMS, 'unavailable', 'wrong_token']) series.refused.inc({ reason }, 0);
  series.chain.zero({});
  for (const result of ['delivered', 'failed', 'dead']) series.events.inc({ result }, 0);
  for (const state of FINAL_STATES) series.settleTime.zero({ state });
  for (const route of WATCHED_ROUTES) series.requests.inc({ route, status: '500' }, 0);

  for (const channel of ['dialog', 'page']) {
    for (const decision of ['yes', 'no']) series.decisions.zero({ decision, channel });
  }

  for (const work of ['journal_read', 'journal_write']) {
    for (const result of ['ok', 'failed']) series.store.zero({ work, result });
  }
}

/** Makes the gauge of the issuer's keys. It is absent while their age is unknown: 0 would be a guess. */
function keysGauge(registers: Registry[], signIn: Pick<SignIn, 'keysAge' | 'warm'>): void {
  new Gauge({
    name: 'fareclerk_issuer_keys_age_seconds',
    help: "Age of the issuer's keys. They are fetched again after 10 minutes; without new ones, tokens are refused after an hour",
    registers,
    collect() {
      // Fetches the keys. An idle server without probes would have old keys, and the gauge would report a failed issuer.
      void signIn.warm();
      const age = signIn.keysAge();
      if (age === undefined) this.remove();
      else this.set(age / 1000);
    },
  });
}
