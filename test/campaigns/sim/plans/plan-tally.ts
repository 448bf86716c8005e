/** Runs schedules of plans one after the other and sums up what they showed. */
import { loadPlan, viewOf } from '../../../../src/approvals/plans/view.ts';
import type { PlanPolicy } from './plan-desk.ts';
import { planViolations } from './plan-invariants.ts';
import { livePlan, type PlanHistory } from './plan-world.ts';

export interface PlanTally {
  schedules: number;
  sent: number;
  carriedOut: number;
  crashes: number;
  hours: number;
  /** Lines by their end. */
  lines: Record<string, number>;
  violating: number;
  examples: { seed: number; bad: string[] }[];
}

export function emptyPlanTally(): PlanTally {
  return { schedules: 0, sent: 0, carriedOut: 0, crashes: 0, hours: 0, lines: {}, violating: 0, examples: [] };
}

export async function runPlanSchedule(tally: PlanTally, seed: number, policy: PlanPolicy = {}): Promise<string[]> {
  const history = await livePlan(seed, policy);
  const bad = await planViolations(history);
  tally.schedules++;
  tally.sent += history.airline.arrivals.length;
  tally.carriedOut += history.airline.commits.length;
  tally.crashes += history.crashes;
  tally.hours += history.endedAt / 3_600_000;
  for (const state of await endsOf(history)) tally.lines[state] = (tally.lines[state] ?? 0) + 1;
  if (bad.length > 0) {
    tally.violating++;
    if (tally.examples.length < 5) tally.examples.push({ seed, bad });
  }
  return bad;
}

async function endsOf({ memory, store, plan, endedAt }: PlanHistory): Promise<readonly string[]> {
  const state = { plans: memory, approvals: memory, operations: store } as never;
  const facts = plan && (await loadPlan({ state, clock: { now: () => endedAt, sleep: async () => undefined } }, plan));
  return facts ? viewOf(facts).lines.map((line) => line.state) : [];
}

export function addPlans(to: PlanTally, from: PlanTally): void {
  to.schedules += from.schedules;
  to.sent += from.sent;
  to.carriedOut += from.carriedOut;
  to.crashes += from.crashes;
  to.hours += from.hours;
  to.violating += from.violating;
  to.examples.push(...from.examples);
  for (const [state, count] of Object.entries(from.lines)) to.lines[state] = (to.lines[state] ?? 0) + count;
}
