/** Gauges of the state store. They are set before the page is written, so that writing it cannot fail. */
import { Gauge, type Registry } from 'prom-client';
import { singleFlight } from '../../core/at-once.ts';
import type { OpenCounts, PoolLoad } from '../../store/open-counts.ts';
import type { Clerk } from '../clerk.ts';
import type { EventCounts } from '../context.ts';

export function stateGauges(registers: Registry[], options?: StateWatchOptions) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const up = gauge('fareclerk_state_store_up', '1 if the state store answered when it was last asked, else 0');
  const age = gauge(
    'fareclerk_state_counts_age_seconds',
    'Age of the counts of operations and approvals: they are the last known while the store does not answer',
  );
  const open = countGauges(registers);
  const stopped = new Gauge({
    name: 'fareclerk_sending_stopped',
    help: '1 while nothing is sent: held (the journal went backwards) or paused (by the operator)',
    labelNames: ['why'],
    registers,
  });
  const events = eventGauges(registers);
  const bookings = watchGauges(registers);
  let watched: Pick<Clerk, 'runtime'> | undefined;
  let now = () => 0;

  const look = stateWatch(async () => {
    if (watched === undefined) throw new Error('no state is watched');
    const { acts, state, clock } = await watched.runtime();
    now = () => clock.now();
    const counts = await state.openCounts(clock.now(), acts);
    stopped.set({ why: 'held' }, counts.held ? 1 : 0);
    stopped.set({ why: 'paused' }, counts.paused ? 1 : 0);
    await events.look(state.deliveries, clock.now());
    return counts;
  }, options);

  // A gauge that was never set would show 0, which would be a guess.
  for (const each of [up, age]) each.remove();
  return {
    watch(clerk: Pick<Clerk, 'runtime'>): void {
      watched = clerk;
    },
    watchEvents: events.watch,
    watchBookings: bookings.begin,
    /** Never rejects. */
    async refresh(): Promise<void> {
      if (watched === undefined) return;
      const load = await look();
      up.set(load.up ? 1 : 0);
      if (load.known === undefined) return;
      const { counts, ageMs } = load.known;
      age.set(ageMs / 1000);
      open.set(counts, now());
      bookings.set(counts, now());
    },
  };
}

/** A gauge that is absent until it is set: it would show 0, which would be a guess. */
function unsetGauge(about: ConstructorParameters<typeof Gauge>[0]): Gauge {
  const gauge = new Gauge(about);
  gauge.remove();
  return gauge;
}

/** 0 without a time. */
function secondsSince(at: number | undefined, now: number): number {
  return at === undefined ? 0 : Math.max(0, now - at) / 1000;
}

/** What is open in the whole state. */
function countGauges(registers: Registry[]) {
  const gauge = (name: string, help: string) => unsetGauge({ name, help, registers });
  const inDoubt = gauge('fareclerk_operations_in_doubt', 'Operations whose outcome is not known yet');
  const needsPerson = gauge('fareclerk_operations_needing_person', 'Operations that a person must check');
  const holds = gauge(
    'fareclerk_operations_needing_person_holds',
    'Those of them that are unpaid holds without a booking reference: they lapse by themselves',
  );
  const checked = gauge(
    'fareclerk_journal_checked_seconds',
    'Time since `journal verify` last found the whole journal whole. Absent: never, or the last check failed',
  );
  const oldest = gauge(
    'fareclerk_operations_needing_person_oldest_seconds',
    'Time since the oldest of them was handed to a person; 0 if there is none',
  );
  const waiting = gauge('fareclerk_approvals_waiting', "Questions that wait for a person's yes");
  const lapsed = new Gauge({
    name: 'fareclerk_approvals_lapsed',
    help: 'Questions of the last hour that nobody answered in time, by channel',
    labelNames: ['channel'],
    registers,
  });
  return {
    set(counts: OpenCounts, now: number): void {
      inDoubt.set(counts.inDoubt);
      needsPerson.set(counts.needsPerson);
      holds.set(counts.needsPersonHolds);
      if (counts.journalCheckedAt === undefined) checked.remove();
      else checked.set(secondsSince(counts.journalCheckedAt, now));
      oldest.set(secondsSince(counts.needsPersonSince, now));
      waiting.set(counts.approvalsWaiting);
      for (const channel of ['dialog', 'page'] as const) lapsed.set({ channel }, counts.approvalsLapsed[channel]);
    },
  };
}

/** What of the store counts the events that addresses lack. */
interface Counting {
  counts(receivers: readonly string[]): Promise<EventCounts>;
}

/** Gauges of events that addresses of other systems lack. They are absent without such an address. */
function eventGauges(registers: Registry[]) {
  const gauge = (name: string, help: string) => unsetGauge({ name, help, registers });
  const waiting = gauge('fareclerk_events_waiting', 'Events that an address lacks, each counted for each address');
  const dead = gauge('fareclerk_events_dead', 'Dead letters: events that an address did not take in three days');
  const oldest = gauge(
    'fareclerk_events_oldest_seconds',
    'Age of the oldest event that an address lacks and still gets; 0 if there is none',
  );
  let receivers: readonly string[] = [];
  return {
    watch(keys: readonly string[]): void {
      receivers = keys;
    },
    async look(deliveries: Counting | undefined, now: number): Promise<void> {
      if (receivers.length === 0 || deliveries === undefined) return;
      const counts = await deliveries.counts(receivers);
      waiting.set(counts.waiting);
      dead.set(counts.dead);
      oldest.set(secondsSince(counts.oldestAt, now));
    },
  };
}

/** Gauges of what readings found, and of readings that are late. */
function watchGauges(registers: Registry[]) {
  const findings = unsetGauge({
    name: 'fareclerk_findings_open',
    help: 'Changes of bookings by the airline that nobody has dealt with yet',
    registers,
  });
  const overdue = unsetGauge({
    name: 'fareclerk_watch_overdue_seconds',
    help: 'How long the reading of a booking is due that is due for longest; 0 if none is. Absent where bookings are not watched',
    registers,
  });
  let watchesBookings = false;
  return {
    /** This server reads bookings again. */
    begin(): void {
      watchesBookings = true;
    },
    set({ findingsOpen, readingDueSince }: OpenCounts, now: number): void {
      findings.set(findingsOpen);
      if (watchesBookings) overdue.set(secondsSince(readingDueSince, now));
    },
  };
}

/** Calls to the airline of one kind, which have slots of their own. */
interface LaneLoad {
  readonly lane: string;
  readonly running: number;
  readonly waiting: number;
  /** The most that run at once. */
  readonly slots: number;
}

export interface AirlineLoad {
  readonly lanes: readonly LaneLoad[];
  /** Addresses whose reads the breaker stops. */
  readonly openBreakers: number;
}

/** Gauges of what this process has under way, read when the page is written. They cost nothing between scrapes. */
export function loadGauges(registers: Registry[]) {
  let airline: (() => AirlineLoad) | undefined;
  let pools: (() => readonly PoolLoad[]) | undefined;
  const gauge = (name: string, labelNames: string[], help: string, collect: (this: Gauge) => void) =>
    new Gauge({ name, help, labelNames, registers, collect });
  const ofLanes = (name: string, field: 'running' | 'waiting' | 'slots', help: string) =>
    gauge(name, ['lane'], help, function () {
      for (const load of airline?.().lanes ?? []) this.set({ lane: load.lane }, load[field]);
    });
  const ofPools = (name: string, field: 'connections' | 'running' | 'waiting', help: string) =>
    gauge(name, ['pool'], help, function () {
      for (const load of pools?.() ?? []) this.set({ pool: load.pool }, load[field]);
    });

  ofLanes('fareclerk_airline_lane_running', 'running', 'Calls to the airline under way, by lane');
  ofLanes('fareclerk_airline_lane_waiting', 'waiting', 'Calls to the airline that wait for a free slot, by lane');
  ofLanes('fareclerk_airline_lane_slots', 'slots', 'The most calls to the airline at once, by lane');
  gauge(
    'fareclerk_airline_breaker_open',
    [],
    'Addresses of the airline that are not read because reads fail',
    function () {
      this.remove();
      if (airline !== undefined) this.set(airline().openBreakers);
    },
  );
  ofPools('fareclerk_postgres_connections', 'connections', 'The most connections to PostgreSQL, by pool');
  ofPools('fareclerk_postgres_statements_running', 'running', 'Statements under way in PostgreSQL, by pool');
  ofPools('fareclerk_postgres_statements_waiting', 'waiting', 'Statements that wait for a connection, by pool');
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

interface StateLoad {
  /** The store answered the last request. */
  readonly up: boolean;
  /** Absent until the first answer. */
  readonly known?: { readonly counts: OpenCounts; readonly ageMs: number };
}

/**
 * Counts open operations and approvals for gauges. Asks the store at most every few seconds and once at a time, waits a
 * limited time, and returns the last known counts if the store does not answer. Never rejects. `ask` must settle: it is not
 * called again before.
 */
function stateWatch(ask: () => Promise<OpenCounts>, options: StateWatchOptions = {}): () => Promise<StateLoad> {
  const { freshMs = 5_000, waitMs = 1_000, tick = () => performance.now() } = options;
  let known: { readonly counts: OpenCounts; readonly at: number } | undefined;
  const look = singleFlight(
    async () => {
      const counts = await ask();
      known = { counts, at: tick() };
    },
    { keepMs: freshMs, tick },
  );

  return async () => {
    const up = await endsInTime(look(), waitMs);
    return { up, known: known && { counts: known.counts, ageMs: tick() - known.at } };
  };
}

/** False if it fails, or takes longer. */
async function endsInTime(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, ms, false);
  const ended = work.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    clearTimeout(timer);
  }
}
