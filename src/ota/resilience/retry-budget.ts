/**
 * How many reads may be tried a second time: a tenth of the requests plus one a second, so that an airline in trouble
 * is not asked twice by everybody at once. Sends are never retried and have no budget.
 */

const PER_REQUEST = 0.1;
const PER_MS = 1 / 1_000;
const MOST_SAVED = 10;

export interface RetryBudget {
  /** Counts a first attempt. */
  deposit(): void;
  /** True once for each second attempt that may be made. */
  withdraw(): boolean;
}

/** @param now monotonic milliseconds */
export function createRetryBudget(now: () => number): RetryBudget {
  let balance = 1;
  let at = now();
  const add = (amount: number): void => {
    balance = Math.min(MOST_SAVED, balance + amount);
  };
  return {
    deposit() {
      add(PER_REQUEST);
    },
    withdraw() {
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
