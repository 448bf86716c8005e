/**
 * The gauges of the state store and of the load of this process. Those of the store are set before the page of metrics is written,
 * so that writing it cannot fail. In order: the gauges of the store, those of the load, how the store is asked for counts, and the time
 * of requests to the store.
 */
import { Gauge, type Registry } from 'prom-client';
import type { Clerk } from '../clerk/clerk.ts';
import type { Runtime } from '../clerk/context.ts';
import { singleFlight } from '../core/at-once.ts';
import { ClerkError, isOwnFailure } from '../core/errors.ts';
import { systemClock, within } from '../journal/clock.ts';
import type { OpenCounts, PoolLoad } from '../store/open-counts.ts';

/**
 * Makes the gauges of what is open in the state. It asks the store at most every few seconds and once at a time, waits a limited time, and
 * shows the last known counts if the store does not answer. Nothing is asked before a clerk is watched.
 */
export function stateGauges(registers: Registry[], options: StateWatchOptions = {}) {
  const { freshMs = 5_000, waitMs = 1_000, tick = () => performance.now() } = options;
  const gauges = openGauges(registers);
  let clerk: Pick<Clerk, 'runtime'> | undefined;
  let receivers: readonly string[] = [];
  let watchesBookings = false;

  /** The last answer of the store, and the clock of the state, by which the times in the counts are. */
  let known: { readonly counts: OpenCounts; readonly clock: Runtime['clock']; readonly answeredAt: number } | undefined;

  async function askStore(): Promise<void> {
    if (clerk === undefined) throw new Error('no state is watched');

    const { acts, state, clock } = await clerk.runtime();
    const counts = await state.openCounts(clock.now(), acts);

    // Set here and not with the other counts: what is stopped shows even if the events cannot be counted.
    gauges.stopped.set({ why: 'held' }, counts.held ? 1 : 0);
    gauges.stopped.set({ why: 'paused' }, counts.paused ? 1 : 0);
    if (receivers.length > 0 && state.deliveries !== undefined)
      gauges.eventsOldest.set(secondsSince(await state.deliveries.oldestWaiting(receivers), clock.now()));
    known = { counts, clock, answeredAt: tick() };
  }

  const askOnce = singleFlight(askStore, { keepMs: freshMs, tick });

  return {
    watch(watchedClerk: Pick<Clerk, 'runtime'>): void {
      clerk = watchedClerk;
    },

    watchEvents(keys: readonly string[]): void {
      receivers = keys;
    },

    /** Notes that this server reads bookings again. */
    watchBookings(): void {
      watchesBookings = true;
    },

    /** Reads the state and sets its gauges. Never rejects. */
    async refresh(): Promise<void> {
      if (clerk === undefined) return;

      const answered = askOnce().then(
        () => true,
        () => false,
      );
      gauges.isUp.set((await within(systemClock, waitMs, answered)) === true ? 1 : 0);
      if (known === undefined) return;

      const { counts, clock, answeredAt } = known;
      gauges.age.set((tick() - answeredAt) / 1000);
      setCounts(gauges, counts, clock.now());
      if (watchesBookings) gauges.overdue.set(secondsSince(counts.readingDueSince, clock.now()));
    },
  };
}

/** Returns 0 if there is no time. @param at milliseconds since 1970, like `now` */
function secondsSince(at: number | undefined, now: number): number {
  return at === undefined ? 0 : Math.max(0, now - at) / 1000;
}

type OpenGauges = ReturnType<typeof openGauges>;

/** The gauges of the whole state. Each is absent until it is set: else it would show 0, which would be a guess. */
function openGauges(registers: Registry[]) {
  function gauge(name: string, help: string): Gauge {
    const unset = new Gauge({ name, help, registers });
    unset.remove();
    return unset;
  }

  const byLabel = (name: string, label: string, help: string) =>
    new Gauge({ name, help, labelNames: [label], registers });

  return {
    isUp: gauge('fareclerk_state_store_up', '1 if the state store answered when it was last asked, else 0'),
    age: gauge(
      'fareclerk_state_counts_age_seconds',
      'Age of the counts of operations and approvals: they are the last known while the store does not answer',
    ),
    inDoubt: gauge('fareclerk_operations_in_doubt', 'Operations whose outcome is not known yet'),
    needsPerson: gauge('fareclerk_operations_needing_person', 'Operations that need checking with the airline'),
    holds: gauge(
      'fareclerk_operations_needing_person_holds',
      'Those of them that are unpaid holds without a booking reference, which expire by themselves',
    ),
    oldest: gauge(
      'fareclerk_operations_needing_person_oldest_seconds',
      'Time since the oldest of them was handed to a person; 0 if there is none',
    ),
    waiting: gauge('fareclerk_approvals_waiting', "Questions that wait for a person's approval"),
    lapsed: byLabel(
      'fareclerk_approvals_lapsed',
      'channel',
      'Questions of the last hour that expired without an answer, by channel',
    ),
    stopped: byLabel(
      'fareclerk_sending_stopped',
      'why',
      '1 while nothing is sent: held (the journal went backwards) or paused (by the operator)',
    ),
    eventsOldest: gauge(
      'fareclerk_events_oldest_seconds',
      'Age of the oldest event that an address lacks and still gets; 0 if there is none',
    ),
    findings: gauge('fareclerk_findings_open', 'Changes of bookings by the airline that nobody has dealt with yet'),
    overdue: gauge(
      'fareclerk_watch_overdue_seconds',
      'How long the reading of a booking is due that is due for longest; 0 if none is. Absent where bookings are not watched',
    ),
  };
}

function setCounts(gauges: OpenGauges, counts: OpenCounts, now: number): void {
  gauges.inDoubt.set(counts.inDoubt);
  gauges.needsPerson.set(counts.needsPerson);
  gauges.holds.set(counts.needsPersonHolds);
  gauges.oldest.set(secondsSince(counts.needsPersonSince, now));
  gauges.waiting.set(counts.approvalsWaiting);
  for (const channel of ['dialog', 'page'] as const) gauges.lapsed.set({ channel }, counts.approvalsLapsed[channel]);
  gauges.findings.set(counts.findingsOpen);
}

export interface AirlineLoad {
  /** Addresses whose reads the breaker stops. */
  readonly openBreakers: number;
  /** What is left of the pause that the airline wants, milliseconds, of each kind of message: 0 where it wants none. */
  readonly pauses: readonly { readonly operation: string; readonly leftMs: number }[];
}

/** Gauges of the calls and statements that this process runs. They are read while the page is written: they cost nothing between scrapes. */
export function loadGauges(registers: Registry[]) {
  let airline: (() => AirlineLoad) | undefined;
  let pools: (() => readonly PoolLoad[]) | undefined;
  const gauge = (name: string, labelNames: string[], help: string, collect: (this: Gauge) => void) =>
    new Gauge({ name, help, labelNames, registers, collect });

  gauge(
    'fareclerk_airline_breaker_open',
    [],
    'Addresses of the airline that are not read because reads fail',
    function () {
      this.remove();
      if (airline !== undefined) this.set(airline().openBreakers);
    },
  );

  gauge(
    'fareclerk_airline_pause_seconds',
    ['operation'],
    'Seconds until calls of an operation are sent again, because the airline asked for a pause; 0 without one',
    function () {
      for (const { operation, leftMs } of airline?.().pauses ?? []) this.set({ operation }, leftMs / 1000);
    },
  );

  gauge(
    'fareclerk_postgres_statements_waiting',
    ['pool'],
    'Statements that wait for a connection, by pool',
    function () {
      for (const { pool, waiting } of pools?.() ?? []) this.set({ pool }, waiting);
    },
  );

  return {
    watchAirline(load: () => AirlineLoad): void {
      airline = load;
    },

    watchPools(load: () => readonly PoolLoad[]): void {
      pools = load;
    },
  };
}

export interface StateWatchOptions {
  /** Counts up to this age are reused, milliseconds. Default 5_000. */
  readonly freshMs?: number;
  /** How long a scrape waits for the store, milliseconds. Default 1_000. */
  readonly waitMs?: number;
  /** A monotonic clock, milliseconds. */
  readonly tick?: () => number;
}

/** Receives the time of one request to the store, and whether the store failed. */
type Observe = (work: string, seconds: number, failed: boolean) => void;

type OperationMethod = keyof Awaited<ReturnType<Clerk['runtime']>>['state']['operations'];

/** Methods of the operations that write. */
const WRITES: ReadonlySet<string> = new Set<OperationMethod>(['insert', 'transition', 'lease', 'note', 'keepNamed']);

/** What of the state is timed. */
export interface JournalState {
  readonly operations: object;
}

/** Returns the same state; its operations report how long their methods take. */
export function timedJournal<S extends JournalState>(state: S, observe: Observe): S {
  const operations = new Proxy(state.operations, {
    get(target, name) {
      // Private fields need the operations themselves, not their proxy.
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || typeof name === 'symbol') return value;
      return timedMethod(target, value as Method, WRITES.has(name) ? 'journal_write' : 'journal_read', observe);
    },
  });
  return { ...state, operations };
}

type Method = (...args: unknown[]) => unknown;

function timedMethod(target: object, method: Method, work: string, observe: Observe): Method {
  return async (...args) => {
    const startedAt = performance.now();
    const report = (error?: unknown) => observe(work, (performance.now() - startedAt) / 1000, isFailure(error));
    try {
      const answer = await method.apply(target, args);
      report();
      return answer;
    } catch (error) {
      report(error);
      throw error;
    }
  };
}

/** Whether the store failed. A refusal, such as a stopped journal, is an answer of the store. */
function isFailure(error: unknown): boolean {
  return error !== undefined && (!(error instanceof ClerkError) || isOwnFailure(error));
}
