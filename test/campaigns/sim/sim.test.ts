import { describe, expect, test } from 'vitest';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import { MUTANTS, worldOf } from './mutants.ts';
import { emptyTally, kill, runSchedule } from './tally.ts';

describe('the journal under a bad airline, crashes and pauses', () => {
  test('repeats, loses and misreports no operation and sends none without approval in 1,500 schedules', async () => {
    const tally = emptyTally();
    for (let seed = 1; seed <= 1500; seed++) await runSchedule(tally, seed);
    expect(tally.examples).toEqual([]);
    // The schedules must contain enough crashes and operations to prove something.
    expect(tally.crashes).toBeGreaterThan(500);
    expect(tally.carriedOut).toBeGreaterThan(1000);
    expect(tally.sent).toBeGreaterThan(tally.carriedOut);
    const { succeeded = 0, needs_person = 0, not_executed = 0, refused = 0 } = tally.operations;
    expect(Math.min(refused, not_executed)).toBeGreaterThan(50);
    // A journal that hands everything to a person would be safe, and of no use. A create that is cut off after it was
    // recorded and before it was sent looks like one that was sent: only a person can ask the airline.
    expect(needs_person).toBeLessThan(0.25 * succeeded);
  }, 60_000);

  test('keeps the same invariants on SQLite', async () => {
    const tally = emptyTally();
    for (let seed = 1; seed <= 60; seed++) {
      const { operations, close } = await openSqliteState(':memory:');
      await runSchedule(tally, seed, { store: operations, late: seed > 50 });
      expect(await operations.verify()).toBeUndefined();
      await close();
    }
    expect(tally.examples).toEqual([]);
  }, 60_000);

  test('detects an airline that acts after the settle time, and sends nothing again', async () => {
    const tally = emptyTally();
    for (let seed = 1; seed <= 250; seed++) await runSchedule(tally, seed, { late: true });
    expect(tally.examples).toEqual([]);
    expect(tally.noticed).toBeGreaterThan(10);
  }, 60_000);

  test('repeats a schedule exactly for the same seed', async () => {
    const [first, second] = [emptyTally(), emptyTally()];
    for (const tally of [first, second]) {
      for (let seed = 500; seed < 520; seed++) await runSchedule(tally, seed);
    }
    expect(second).toEqual(first);
  });
});

describe('mutants of the journal', () => {
  for (const [name, mutant] of Object.entries(MUTANTS)) {
    test(`detects mutant ${name}: ${mutant.what}`, async () => {
      expect((await kill(worldOf(mutant), 1, 5000)).by).toBeDefined();
    }, 60_000);
  }
});
