/**
 * Runs schedules one after the other and sums up what they showed.
 */
import type { OperationState } from '../../../src/journal/operation.ts';
import { lateViolations, violations } from './invariants.ts';
import { type History, live, type WorldOptions } from './world.ts';

export interface Tally {
  schedules: number;
  operations: Partial<Record<OperationState, number>>;
  /** Messages that arrived at the airline, and those carried out. */
  sent: number;
  carriedOut: number;
  crashes: number;
  /** Settled as not carried out, and found to be carried out by a later look. */
  noticed: number;
  /** Simulated hours. */
  hours: number;
  violating: number;
  /** The first few, with the seed that replays each. */
  examples: { seed: number; bad: string[] }[];
}

export function emptyTally(): Tally {
  const none = { schedules: 0, sent: 0, carriedOut: 0, crashes: 0, noticed: 0, hours: 0, violating: 0 };
  return { ...none, operations: {}, examples: [] };
}

export async function runSchedule(tally: Tally, seed: number, options: WorldOptions = {}): Promise<string[]> {
  const history = await live(seed, options);
  const bad = await (options.late ? lateViolations : violations)(history);
  tally.schedules++;
  tally.sent += history.airline.arrivals.length;
  tally.carriedOut += history.airline.commits.length;
  tally.crashes += history.crashes;
  tally.hours += history.endedAt / 3_600_000;
  for (const { state } of await history.store.list({})) {
    tally.operations[state] = (tally.operations[state] ?? 0) + 1;
  }
  tally.noticed += await noticed(history);
  if (bad.length > 0) {
    tally.violating++;
    if (tally.examples.length < 5) tally.examples.push({ seed, bad });
  }
  return bad;
}

async function noticed({ airline, store }: History): Promise<number> {
  const called = await store.list({ states: ['needs_person'] });
  const carriedOut = called.filter(({ id }) => airline.commits.some((commit) => commit.operation === id));
  return carriedOut.filter(({ outcome }) => outcome?.check?.startsWith('It had been settled')).length;
}

export function add(to: Tally, from: Tally): void {
  to.schedules += from.schedules;
  to.sent += from.sent;
  to.carriedOut += from.carriedOut;
  to.crashes += from.crashes;
  to.noticed += from.noticed;
  to.hours += from.hours;
  to.violating += from.violating;
  to.examples.push(...from.examples);
  for (const [state, count] of Object.entries(from.operations) as [OperationState, number][]) {
    to.operations[state] = (to.operations[state] ?? 0) + count;
  }
}

export interface Kill {
  /** How many schedules it took; undefined where none showed it. */
  readonly after: number | undefined;
  readonly seed?: number;
  readonly by?: string;
}

/** The first schedule that shows a mutant. */
export async function kill(options: WorldOptions, firstSeed: number, most: number): Promise<Kill> {
  const tally = emptyTally();
  for (let n = 0; n < most; n++) {
    const [by] = await runSchedule(tally, firstSeed + n, options);
    if (by !== undefined) return { after: n + 1, seed: firstSeed + n, by };
  }
  return { after: undefined };
}
