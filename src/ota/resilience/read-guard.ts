/**
 * Keeps reads from hurting an airline in trouble: a budget of second tries, and one breaker per origin. Adapters of the
 * same airline (one for each point of sale) share one guard, so that all learn at once that it is down.
 */
import { partsOf } from '../transport/addresses.ts';
import { type Breaker, createBreaker } from './breaker.ts';

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
      const { origin } = partsOf(url);
      const breaker = breakers.get(origin) ?? createBreaker(now, changed);
      breakers.set(origin, breaker);
      return breaker;
    },
  };
}

const PER_REQUEST = 0.1;
const PER_MS = 1 / 1_000;
const MOST_SAVED = 10;

/**
 * A tenth of the requests plus one a second may be tried again, so that not everybody asks twice at once. Sends are
 * never retried.
 * @param now monotonic milliseconds
 */
function createRetryBudget(now: () => number) {
  let balance = 1;
  let at = now();
  const add = (amount: number): void => {
    balance = Math.min(MOST_SAVED, balance + amount);
  };
  return {
    /** Counts a first attempt. */
    deposit: () => add(PER_REQUEST),
    /** True if a second attempt may be made; counts it. */
    withdraw(): boolean {
      add((now() - at) * PER_MS);
      at = now();
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
