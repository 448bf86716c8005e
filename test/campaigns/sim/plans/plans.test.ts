import { describe, expect, test } from 'vitest';
import { killPlanMutant, PLAN_MUTANTS } from './plan-mutants.ts';
import { emptyPlanTally, runPlanSchedule } from './plan-tally.ts';

describe('plans under a bad airline, crashes, pauses, drifts and stops', () => {
  test('send no line twice, none without its tick, and lose none in 200 schedules', async () => {
    const tally = emptyPlanTally();
    for (let seed = 1; seed <= 200; seed++) await runPlanSchedule(tally, seed);
    expect(tally.examples).toEqual([]);
    const { done = 0, skipped = 0, not_ticked = 0, not_begun = 0 } = tally.lines;
    expect(Math.min(done, skipped, not_ticked, not_begun)).toBeGreaterThan(20);
    expect(tally.crashes).toBeGreaterThan(250);
  }, 60_000);
});

describe('mutants of the engine of plans', () => {
  for (const [name, mutant] of Object.entries(PLAN_MUTANTS)) {
    test(`detects mutant ${name}: ${mutant.what}`, async () => {
      expect(await killPlanMutant(mutant, 1, 3000)).toBeDefined();
    }, 60_000);
  }
});
