/** Metrics for Prometheus. Labels are closed lists (tools, outcomes, operations, currencies) without personal data. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Answer } from '../../approvals/answer.ts';
import { type Money, minorDigits } from '../../domain/pricing/money.ts';
import type { Context } from '../../journal/context.ts';
import type { Operation } from '../../journal/operation.ts';
import type { OperationStore } from '../../journal/ports.ts';
import { moved } from '../../tools/views/money-moved.ts';
import type { Clerk } from '../clerk.ts';
import { type HealthSources, healthGauges } from './health-gauges.ts';
import type { StateWatchOptions } from './open-counts.ts';
import { stateGauges } from './state-gauges.ts';

/** One call to the airline, as logged by the adapter. */
export interface AirlineCall {
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
  answered(route: string, status: number): void;
  /** Returns the journal's hook that counts the operations which this process settles. */
  settledIn(store: Pick<OperationStore, 'get'>): Context['moved'];
  /** Counts what is open in the clerk's state at each scrape. */
  watchState(clerk: Pick<Clerk, 'parts'>): void;
  watchHealth(sources: HealthSources): void;
  /** Never fails; waits a limited time for the state store. */
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
  close(): void;
}

export interface MetricsOptions {
  /** CPU, memory, event loop. Default true. */
  readonly process?: boolean;
  readonly state?: StateWatchOptions;
}

const TOOL_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const AIRLINE_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 60, 180];

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const register = new Registry();
  if (options.process !== false) collectDefaultMetrics({ register });
  const registers = [register];

  const { calls, durations, airline, requests, settled, money } = counters(registers);
  const stateOf = stateGauges(registers, options.state);

  function add(direction: 'payment' | 'refund', amount: Money | undefined): void {
    if (amount === undefined) return;
    const { currency, minor } = amount;
    money.inc({ currency, direction }, minor / 10 ** minorDigits(currency));
  }

  function ended(operation: Operation): void {
    settled.inc({ tool: operation.tool, state: operation.state });
    const { paid, refunded, unstated } = moved(operation);
    add('payment', paid);
    add('refund', unstated ? operation.amount : refunded);
  }

  return {
    called(tool, seconds, answer) {
      calls.inc({ tool, outcome: outcomeOf(answer) });
      durations.observe({ tool }, seconds);
    },
    airlineCall({ operation, ms, status, code }) {
      const result = status === undefined ? (code ?? 'failed') : `${Math.floor(status / 100)}xx`;
      airline.observe({ operation, result }, ms / 1000);
    },
    answered: (route, status) => requests.inc({ route, status: String(status) }),
    settledIn: (store) => async (id, from, to) => {
      // From a final state to the same state nothing is settled.
      if (!FINAL.includes(to) || from.includes(to)) return;
      const operation = await store.get(id).catch(() => undefined);
      if (operation !== undefined) ended(operation);
    },
    watchState: stateOf.watch,
    watchHealth: (sources) => healthGauges(registers, sources),
    async text() {
      await stateOf.refresh();
      return { contentType: register.contentType, body: await register.metrics() };
    },
    close: () => register.clear(),
  };
}

function counters(registers: Registry[]) {
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
      TOOL_BUCKETS,
      'Time to the answer of a tool call',
    ),
    airline: histogram(
      'fareclerk_airline_call_duration_seconds',
      ['operation', 'result'],
      AIRLINE_BUCKETS,
      'Time of one call to the airline by operation; result is an HTTP status class or a failure',
    ),
    requests: counter('fareclerk_http_requests_total', ['route', 'status'], 'HTTP requests by route and status'),
    settled: counter('fareclerk_operations_settled_total', ['tool', 'state'], 'Operations by tool and how they ended'),
    money: counter(
      'fareclerk_money_moved_total',
      ['currency', 'direction'],
      'Money that operations moved which this process settled as done, in units of the currency; a refund that was not stated as limits count it',
    ),
  };
}

/** A status, `ok`, `asked`, or an error code. */
function outcomeOf(answer: Answer): string {
  if (answer.kind !== 'result') return 'asked';
  const { error, status } = answer.structured as { error?: { code?: unknown }; status?: unknown };
  if (answer.isError) return typeof error?.code === 'string' ? error.code : 'error';
  return typeof status === 'string' ? status : 'ok';
}

const FINAL = ['succeeded', 'refused', 'not_executed', 'needs_person'];
