/** Runs schedules one after the other, each on a store of its own, and sums up what they showed. */
import type { Operation } from '../../../src/journal/operation.ts';
import { openSqliteState } from '../../../src/store/sqlite/state.ts';
import type { State } from '../support/office.ts';
import { lateViolations, violations } from './invariants.ts';
import type { PlanPolicy } from './plans/plan-desk.ts';
import { endsOf, planViolations } from './plans/plan-invariants.ts';
import { livePlan } from './plans/plan-world.ts';
import { live, type WorldOptions } from './world.ts';

/** Plays the schedule of a seed: what it came to, and what must not be. */
export type Schedule = ReturnType<typeof acts | typeof plans>;

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

/** Acts one by one. `noticed`: settled as not carried out, and found to be carried out by a later look. */
export const acts = (options: WorldOptions) => (seed: number) =>
  onStore(async (state) => {
    const history = await live(seed, state, options);
    const operations = await state.operations.list({});
    const wasCarriedOut = ({ id }: Operation) => history.airline.commits.some((commit) => commit.operation === id);
    const handedOver = await Promise.all(operations.filter(wasCarriedOut).map(({ id }) => isHandedOver(state, id)));
    const bad = await (options.late ? lateViolations : violations)(history);
    return { history, bad, ends: operations.map(({ state }) => state), noticed: handedOver.filter(Boolean).length };
  });

/** Whether a person was asked to check it after it was settled as not carried out. */
async function isHandedOver({ operations }: State, id: string): Promise<boolean> {
  const events = await operations.events(id);
  return events.some(({ from, to }) => from === 'not_executed' && to === 'needs_person');
}

/** Plans: one yes for many acts. `ends`: those of their lines. */
export const plans = (policy: PlanPolicy) => (seed: number) =>
  onStore(async (state) => {
    const history = await livePlan(seed, state, policy);
    return { history, bad: await planViolations(history), ends: await endsOf(history), noticed: 0 };
  });

/** The chain of the journal must hold in the end. */
async function onStore<T extends { readonly bad: readonly string[] }>(play: (state: State) => Promise<T>): Promise<T> {
  const state = await openSqliteState(':memory:');
  try {
    const played = await play(state);
    const broken = await state.operations.verify();
    return broken === undefined ? played : { ...played, bad: [...played.bad, `CHAIN BROKEN ${broken.operationId}`] };
  } finally {
    await state.close();
  }
}

export async function tallied(schedule: Schedule, first: number, count: number): Promise<Tally> {
  const tally = emptyTally();
  for (let seed = first; seed < first + count; seed++) {
    const { history, bad, ends, noticed } = await schedule(seed);
    const { airline, crashes, endedAt } = history;
    const single = { ...emptyTally(), schedules: 1, crashes, noticed, hours: endedAt / 3_600_000 };
    for (const end of ends) single.ends[end] = (single.ends[end] ?? 0) + 1;
    const sent = { sent: airline.arrivals.length, carriedOut: airline.commits.length };
    add(tally, {
      ...single,
      ...sent,
      violating: Number(bad.length > 0),
      examples: bad.length > 0 ? [{ seed, bad }] : [],
    });
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
