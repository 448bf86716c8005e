/** Runs schedules of plans one after the other and sums up what they showed. */
import { loadPlan, viewOf } from '../../../../src/approvals/plans/view.ts';
import { addCommon, type CommonTally, count } from '../tally.ts';
import { DIGEST_KEY, type PlanPolicy } from './plan-desk.ts';
import { planViolations } from './plan-invariants.ts';
import { livePlan, type PlanHistory } from './plan-world.ts';

export interface PlanTally extends CommonTally {
  /** Lines by their end. */
  lines: Record<string, number>;
}

export function emptyPlanTally(): PlanTally {
  return { schedules: 0, sent: 0, carriedOut: 0, crashes: 0, hours: 0, lines: {}, violating: 0, examples: [] };
}

export async function runPlanSchedule(tally: PlanTally, seed: number, policy: PlanPolicy = {}): Promise<string[]> {
  const history = await livePlan(seed, policy);
  const bad = await planViolations(history);
  count(tally, seed, history, bad);
  for (const state of await endsOf(history)) tally.lines[state] = (tally.lines[state] ?? 0) + 1;
  return bad;
}

async function endsOf({ memory, store, plan, endedAt }: PlanHistory): Promise<readonly string[]> {
  const state = { plans: memory, approvals: memory, operations: store, digestKey: DIGEST_KEY } as never;
  const facts = plan && (await loadPlan({ state, clock: { now: () => endedAt, sleep: async () => undefined } }, plan));
  return facts ? viewOf(facts).lines.map((line) => line.state) : [];
}

export function addPlans(to: PlanTally, from: PlanTally): void {
  addCommon(to, from);
  for (const [state, times] of Object.entries(from.lines)) to.lines[state] = (to.lines[state] ?? 0) + times;
}
