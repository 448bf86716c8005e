/** The counters and histograms of /metrics. Their labels are closed lists; some series begin at 0, so that `increase()` sees the first event. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { Tool } from '../../tools/definition/define.ts';
import { SIGN_IN_REASONS } from './sign-in-failures.ts';

/** Each bucket is a series for each label: few, and those that an alert or an objective reads. */
const CALL_BUCKETS = [0.1, 0.5, 2.5, 10, 30];
const AIRLINE_BUCKETS = [0.1, 0.5, 2.5, 10, 60];
const STORE_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 5];
/** A question is good for ten minutes. */
const DECISION_BUCKETS = [15, 60, 240, 600];

/** Ten minutes is the objective, half an hour the end of readings that fail. */
const SETTLE_BUCKETS = [5, 60, 300, 600, 1_800];

export const SETTLED = ['succeeded', 'refused', 'not_executed', 'needs_person'];
/** Outcomes of calls that alerts watch. */
const WATCHED_OUTCOMES = ['E_INTERNAL', 'E_STATE_DOWN', 'E_AUTH', 'E_AIRLINE_BUSY'];
const WATCHED_ROUTES = ['/mcp', '/approve/', '/tickets/'];

export type Series = ReturnType<typeof createSeries>;

export function createSeries(registers: Registry[]) {
  const counter = (name: string, labelNames: string[], help: string) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, labelNames: string[], buckets: number[], help: string) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  return {
    ...workSeries(counter, histogram),
    signInFailures: counter(
      'fareclerk_sign_in_failures_total',
      ['by', 'reason'],
      'Refused access tokens of callers (token) and sign-ins on the approval page that failed (page), by reason',
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
      'Time of one request to the state store by kind of work; result is ok or failed',
    ),
    chain: histogram(
      'fareclerk_journal_wait_seconds',
      [],
      STORE_BUCKETS,
      'How long a write to the journal waited for its turn: there is one chain, so writers queue',
    ),
  };
}

function workSeries(
  counter: (name: string, labelNames: string[], help: string) => Counter,
  histogram: (name: string, labelNames: string[], buckets: number[], help: string) => Histogram,
) {
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
    logins: counter(
      'fareclerk_airline_logins_total',
      ['grant', 'result'],
      "Requests for an access token at the airline's identity provider by grant; result is ok, refused or unavailable",
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
  };
}

/** Begins the series of tools at 0. */
export function beginTools({ calls }: Series, tools: readonly Pick<Tool, 'name'>[]): void {
  for (const { name: tool } of tools) {
    for (const outcome of WATCHED_OUTCOMES) calls.inc({ tool, outcome }, 0);
  }
}

/** Begins at 0 what does not depend on tools. */
export function beginAll({
  requests,
  decisions,
  store,
  logins,
  settleTime,
  chain,
  signInFailures,
  events,
}: Series): void {
  for (const [by, reasons] of Object.entries(SIGN_IN_REASONS)) {
    for (const reason of reasons) signInFailures.inc({ by, reason }, 0);
  }
  chain.zero({});
  for (const result of ['delivered', 'failed', 'dead']) events.inc({ result }, 0);
  for (const state of SETTLED) settleTime.zero({ state });
  for (const result of ['ok', 'refused', 'unavailable']) logins.inc({ grant: 'password', result }, 0);
  for (const route of WATCHED_ROUTES) requests.inc({ route, status: '500' }, 0);
  for (const channel of ['dialog', 'page']) {
    for (const decision of ['yes', 'no']) decisions.zero({ decision, channel });
  }
  for (const work of ['journal_read', 'journal_write']) {
    for (const result of ['ok', 'failed']) store.zero({ work, result });
  }
}
