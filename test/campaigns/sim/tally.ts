/**
 * Runs schedules one after the other and sums up what they showed.
 */
import type { OperationState } from '../../../src/journal/operation.ts';
import { lateViolations, violations } from './invariants.ts';
import { type History, live, type WorldOptions } from './world.ts';

/** What simulations of single operations and of plans both count. */
export interface CommonTally {
  schedules: number;
  /** Messages that arrived at the airline, and those carried out. */
  sent: number;
  carriedOut: number;
  crashes: number;
  /** Simulated hours. */
  hours: number;
  violating: number;
  /** The first few, with the seed that replays each. */
  examples: { seed: number; bad: string[] }[];
}

export interface Tally extends CommonTally {
  operations: Partial<Record<OperationState, number>>;
  /** Settled as not carried out, and found to be carried out by a later look. */
  noticed: number;
}

interface Lived {
  readonly airline: { readonly arrivals: readonly unknown[]; readonly commits: readonly unknown[] };
  readonly crashes: number;
  readonly endedAt: number;
}

/** Counts one schedule, and what was wrong with it. */
export function count(tally: CommonTally, seed: number, history: Lived, bad: string[]): void {
  tally.schedules++;
  tally.sent += history.airline.arrivals.length;
  tally.carriedOut += history.airline.commits.length;
  tally.crashes += history.crashes;
  tally.hours += history.endedAt / 3_600_000;
  if (bad.length === 0) return;
  tally.violating++;
  if (tally.examples.length < 5) tally.examples.push({ seed, bad });
}

export function addCommon(to: CommonTally, from: CommonTally): void {
  for (const name of ['schedules', 'sent', 'carriedOut', 'crashes', 'hours', 'violating'] as const)
    to[name] += from[name];
  to.examples.push(...from.examples);
}

export function emptyTally(): Tally {
  const none = { schedules: 0, sent: 0, carriedOut: 0, crashes: 0, noticed: 0, hours: 0, violating: 0 };
  return { ...none, operations: {}, examples: [] };
}

export async function runSchedule(tally: Tally, seed: number, options: WorldOptions = {}): Promise<string[]> {
  const history = await live(seed, options);
  const bad = await (options.late ? lateViolations : violations)(history);
  count(tally, seed, history, bad);
  for (const { state } of await history.store.list({})) {
    tally.operations[state] = (tally.operations[state] ?? 0) + 1;
  }
  tally.noticed += await noticed(history);
  return bad;
}

async function noticed({ airline, store }: History): Promise<number> {
  const called = await store.list({ states: ['needs_person'] });
  const carriedOut = called.filter(({ id }) => airline.commits.some((commit) => commit.operation === id));
  return carriedOut.filter(({ outcome }) => outcome?.check?.startsWith('It had been settled')).length;
}

export function add(to: Tally, from: Tally): void {
  addCommon(to, from);
  to.noticed += from.noticed;
  for (const [state, times] of Object.entries(from.operations) as [OperationState, number][]) {
    to.operations[state] = (to.operations[state] ?? 0) + times;
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
