/**
 * What keeps reads from hurting an airline in trouble: the budget of second tries, and one breaker per origin. Adapters
 * that speak to the same airline (one for each point of sale) share one guard, or each would have to learn it is down.
 */
import { type Breaker, createBreaker } from './breaker.ts';
import { createRetryBudget, type RetryBudget } from './retry-budget.ts';

export interface ReadGuard {
  readonly budget: RetryBudget;
  breakerOf(url: string): Breaker;
}

/** @param now monotonic milliseconds */
export function createReadGuard(now: () => number): ReadGuard {
  const breakers = new Map<string, Breaker>();
  let last: { readonly url: string; readonly breaker: Breaker } | undefined;
  return {
    budget: createRetryBudget(now),
    breakerOf(url) {
      if (last?.url === url) return last.breaker;
      const { origin } = new URL(url);
      const breaker = breakers.get(origin) ?? createBreaker(now);
      breakers.set(origin, breaker);
      last = { url, breaker };
      return breaker;
    },
  };
}
