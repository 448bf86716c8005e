/** The breaker and the budget of second tries, on a clock of their own. */
import { describe, expect, it } from 'vitest';
import { createBreaker } from '../../../src/ota/resilience/breaker.ts';
import { createRetryBudget, retryPause } from '../../../src/ota/resilience/read-guard.ts';

function clocked() {
  const clock = { at: 5_000_000 };
  return { clock, breaker: createBreaker(() => clock.at), budget: createRetryBudget(() => clock.at) };
}

describe('breaker', () => {
  const fail = (breaker: ReturnType<typeof createBreaker>, times: number): void => {
    for (let count = 0; count < times; count += 1) breaker.record(false);
  };

  it('opens the breaker at the twentieth failure, not before', () => {
    const { breaker } = clocked();
    fail(breaker, 19);
    expect(breaker.allows()).toBe(true);
    fail(breaker, 1);
    expect(breaker.allows()).toBe(false);
    expect(breaker.waitMs()).toBe(5_000);
  });

  it('opens the breaker if half of the calls fail, and not below that', () => {
    const { breaker } = clocked();
    for (let count = 0; count < 11; count += 1) breaker.record(true);
    fail(breaker, 10);
    expect(breaker.allows()).toBe(true);
    fail(breaker, 1);
    expect(breaker.allows()).toBe(false);
  });

  it('forgets failures that are older than ten seconds', () => {
    const { breaker, clock } = clocked();
    fail(breaker, 19);
    clock.at += 10_000;
    fail(breaker, 19);
    expect(breaker.allows()).toBe(true);
  });

  it('lets one probe through, closes after a good one and waits longer after a bad one', () => {
    const { breaker, clock } = clocked();
    fail(breaker, 20);
    const waits: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      waits.push(breaker.waitMs());
      clock.at += breaker.waitMs();
      expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
      breaker.record(false);
    }
    expect(waits).toEqual([5_000, 8_000, 8_000, 8_000, 8_000, 8_000]);
    clock.at += 8_000;
    expect(breaker.allows()).toBe(true);
    breaker.record(true);
    fail(breaker, 19);
    expect(breaker.allows()).toBe(true);
    fail(breaker, 1);
    expect(breaker.waitMs()).toBe(5_000);
  });

  it('ignores late results from before it opened, and replaces a lost probe', () => {
    const { breaker, clock } = clocked();
    fail(breaker, 20);
    breaker.record(true);
    expect(breaker.allows()).toBe(false);
    clock.at += 5_000;
    expect(breaker.allows()).toBe(true);
    clock.at += 30_000;
    expect(breaker.allows()).toBe(true);
  });
});

describe('the retry budget', () => {
  it('allows retries for a tenth of the requests', () => {
    const { budget } = clocked();
    let given = 0;
    for (let request = 0; request < 1_000; request += 1) {
      budget.deposit();
      if (budget.withdraw()) given += 1;
    }
    expect(given).toBeGreaterThanOrEqual(100);
    expect(given).toBeLessThanOrEqual(101);
  });

  it('allows one retry a second without requests, and saves at most ten', () => {
    const { budget, clock } = clocked();
    expect([budget.withdraw(), budget.withdraw()]).toEqual([true, false]);
    clock.at += 999;
    expect(budget.withdraw()).toBe(false);
    clock.at += 1;
    expect([budget.withdraw(), budget.withdraw()]).toEqual([true, false]);
    clock.at += 3_600_000;
    expect(Array.from({ length: 12 }, () => budget.withdraw()).filter(Boolean)).toHaveLength(10);
  });

  it('pauses between a tenth of a second and one second before a retry', () => {
    expect([retryPause(() => 0), retryPause(() => 0.5), retryPause(() => 1)]).toEqual([100, 550, 1_000]);
  });
});
