/**
 * Keeps reads from hurting an airline in trouble: a budget of second tries, and one breaker per origin. Adapters of the
 * same airline (one for each point of sale) share one guard, so that all learn at once that it is down.
 */
import { parseAddress } from '../transport/addresses.ts';

const WINDOW_MS = 10_000;
const BUCKET_MS = 1_000;
const MIN_SAMPLES = 20;
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 8_000;
/** A probe whose caller gave up never reports. It is forgotten after this long. */
const PROBE_MS = 30_000;

interface OutcomeSlot {
  readonly slot: number;
  good: number;
  bad: number;
}

/** `slow`: the airline took the request, and did not answer in time. */
export type ReadEnd = 'good' | 'bad' | 'slow';

interface Breaker {
  /** Asked before a read. False: fail at once, see {@link Breaker.waitMs}. */
  allows(): boolean;
  record(end: ReadEnd): void;
  /** True from the failure until a probe succeeds. */
  isOpen(): boolean;
  /** Milliseconds until the next probe; 0 when closed. */
  waitMs(): number;
}

/**
 * Stops reads from an airline that is down: one that refuses, loses connections or fails. Opens when half of at least
 * 20 reads fail within 10 s. Lets one probe through after 5 s, then one every 8 s. An airline that is slow is not
 * down: its bulkhead (bulkhead.ts) limits how many reads wait for it at once.
 * @param now monotonic milliseconds
 * @param changed called when it opens, and when it closes again
 */
function createBreaker(now: () => number, changed: (isOpen: boolean) => void = () => undefined): Breaker {
  let buckets: OutcomeSlot[] = [];
  let openUntil: number | undefined;
  let wait = FIRST_WAIT_MS;
  let probeSince: number | undefined;

  const open = (): void => {
    if (openUntil === undefined) changed(true);
    openUntil = now() + wait;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    probeSince = undefined;
  };
  const close = (): void => {
    if (openUntil !== undefined) changed(false);
    openUntil = undefined;
    wait = FIRST_WAIT_MS;
    probeSince = undefined;
    buckets = [];
  };
  const currentBucket = (): OutcomeSlot => {
    const slot = Math.floor(now() / BUCKET_MS);
    const last = buckets.at(-1);
    if (last?.slot === slot) return last;
    const fresh = { slot, good: 0, bad: 0 };
    buckets = [...buckets.filter((bucket) => bucket.slot > slot - WINDOW_MS / BUCKET_MS), fresh];
    return fresh;
  };

  return {
    allows() {
      if (openUntil === undefined) return true;
      if (now() < openUntil) return false;
      if (probeSince !== undefined && now() - probeSince < PROBE_MS) return false;
      probeSince = now();
      return true;
    },
    record(end) {
      if (openUntil !== undefined) {
        // A call that began before the breaker opened is no probe.
        if (probeSince === undefined) return;
        return end === 'bad' ? open() : close();
      }
      if (end === 'slow') return;
      currentBucket()[end] += 1;
      const bad = buckets.reduce((sum, bucket) => sum + bucket.bad, 0);
      const all = buckets.reduce((sum, bucket) => sum + bucket.bad + bucket.good, 0);
      if (all >= MIN_SAMPLES && bad * 2 >= all) open();
    },
    isOpen: () => openUntil !== undefined,
    waitMs: () => (openUntil === undefined ? 0 : Math.max(0, openUntil - now())),
  };
}

export type ReadGuard = ReturnType<typeof createReadGuard>;

/**
 * @param now monotonic milliseconds
 * @param changed called when reading stops because the airline fails, and when it goes on
 */
export function createReadGuard(now: () => number, changed?: (isDown: boolean) => void) {
  const breakers = new Map<string, Breaker>();
  return {
    budget: createRetryBudget(now),
    /** How many addresses are not read because they fail. */
    openBreakers: () => [...breakers.values()].filter((breaker) => breaker.isOpen()).length,
    breakerOf(url: string): Breaker {
      const { origin } = parseAddress(url);
      const breaker = breakers.get(origin) ?? createBreaker(now, changed);
      breakers.set(origin, breaker);
      return breaker;
    },
  };
}

const TRIES_PER_REQUEST = 0.1;
const TRIES_PER_MS = 1 / 1_000;
const MOST_SAVED_TRIES = 10;

/**
 * A tenth of the requests plus one a second may be tried again, so that not everybody asks twice at once. Sends are
 * never retried.
 * @param now monotonic milliseconds
 */
function createRetryBudget(now: () => number) {
  let balance = 1;
  let filledAt = now();
  const add = (amount: number): void => {
    balance = Math.min(MOST_SAVED_TRIES, balance + amount);
  };
  return {
    /** Counts a first attempt. */
    deposit: () => add(TRIES_PER_REQUEST),
    /** True if a second attempt may be made; counts it. */
    withdraw(): boolean {
      add((now() - filledAt) * TRIES_PER_MS);
      filledAt = now();
      if (balance < 1) return false;
      balance -= 1;
      return true;
    },
  };
}

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** Full jitter between 100 ms and 1 s. `random` in [0, 1). */
export function retryPause(random: () => number): number {
  return SHORTEST_PAUSE_MS + random() * (LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS);
}
