/** Runs schedules one after the other and sums up what they showed. */
import { lateViolations, violations } from './invariants.ts';
import type { PlanPolicy } from './plans/plan-desk.ts';
import { endsOf, planViolations } from './plans/plan-invariants.ts';
import { livePlan } from './plans/plan-world.ts';
import { type History, live, type WorldOptions } from './world.ts';

/** Plays the schedule of a seed: what it came to, and what must not be. */
export type Schedule = (seed: number) => Promise<{
  readonly history: Pick<History, 'crashes' | 'endedAt'> & { readonly airline: History['airline'] };
  readonly bad: readonly string[];
  /** How its operations, or the lines of its plan, ended. */
  readonly ends: readonly string[];
  /** Operations settled as not carried out, and found to be carried out by a later look. */
  readonly noticed?: number;
}>;

export type Tally = ReturnType<typeof emptyTally>;

export function emptyTally() {
  return {
    schedules: 0,
    /** Messages that arrived at the airline, and those carried out. */
    ...{ sent: 0, carriedOut: 0 },
    /** Simulated hours. */
    ...{ crashes: 0, hours: 0, noticed: 0, violating: 0 },
    ends: {} as Record<string, number>,
    /** The first few that violate something, with the seed that replays each. */
    examples: [] as { seed: number; bad: readonly string[] }[],
  };
}

/** Acts one by one. */
export const acts =
  (options: WorldOptions): Schedule =>
  async (seed) => {
    const history = await live(seed, options);
    const operations = await history.store.list({});
    const noticed = operations.filter(
      ({ id, state, outcome }) =>
        state === 'needs_person' &&
        outcome?.check?.startsWith('It had been settled') &&
        history.airline.commits.some((commit) => commit.operation === id),
    );
    const bad = await (options.late ? lateViolations : violations)(history);
    return { history, bad, ends: operations.map(({ state }) => state), noticed: noticed.length };
  };

/** Plans: one yes for many acts. */
export const plans =
  (policy: PlanPolicy): Schedule =>
  async (seed) => {
    const history = await livePlan(seed, policy);
    return { history, bad: await planViolations(history), ends: await endsOf(history) };
  };

export async function tallied(schedule: Schedule, first: number, count: number): Promise<Tally> {
  const tally = emptyTally();
  for (let seed = first; seed < first + count; seed++) {
    const { history, bad, ends, noticed = 0 } = await schedule(seed);
    const { airline, crashes, endedAt } = history;
    const own = { ...emptyTally(), schedules: 1, crashes, noticed, hours: endedAt / 3_600_000 };
    for (const end of ends) own.ends[end] = (own.ends[end] ?? 0) + 1;
    const sent = { sent: airline.arrivals.length, carriedOut: airline.commits.length };
    add(tally, { ...own, ...sent, violating: Number(bad.length > 0), examples: bad.length > 0 ? [{ seed, bad }] : [] });
  }
  return tally;
}

export function add(to: Tally, from: Tally): void {
  for (const name of ['schedules', 'sent', 'carriedOut', 'crashes', 'hours', 'noticed', 'violating'] as const)
    to[name] += from[name];
  for (const [end, times] of Object.entries(from.ends)) to.ends[end] = (to.ends[end] ?? 0) + times;
  to.examples.push(...from.examples.slice(0, 5 - to.examples.length));
}

/** How many schedules it took until one showed a mutant, and what it showed; undefined where none did. */
export async function seenAt(schedule: Schedule, first: number, most: number) {
  for (let n = 0; n < most; n++) {
    const [by] = (await schedule(first + n)).bad;
    if (by !== undefined) return { after: n + 1, by };
  }
  return undefined;
}
