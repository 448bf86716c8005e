/** Plans, bound to the tools of a clerk and to the runtime of this process. Loaded with the first plan. */
import type { Asker } from '../approvals/call-types.ts';
import { planCall, type RunPlanArgs } from '../approvals/plans/call.ts';
import { stopPlan } from '../approvals/plans/decide-plan.ts';
import type { PlanParts } from '../approvals/plans/parts.ts';
import type { Plans, PlanView } from '../approvals/plans/plan.ts';
import { propose, viewPlan } from '../approvals/plans/propose.ts';
import { tendPlans } from '../approvals/plans/run.ts';
import { loadPlan, viewOf } from '../approvals/plans/view.ts';
import type { Caller } from '../domain/people/caller.ts';
import { isGuarded } from '../tools/definition/define.ts';
import { fanOut } from '../tools/definition/fan-out.ts';
import type { CallHow, ClerkOptions, Runtime } from './context.ts';
import { guardedAct } from './guarded-act.ts';

export { planCall, type RunPlanArgs, stopPlan, tendPlans };

/** Lines whose terms are read at once. */
const WIDTH = 4;

export function planParts(options: ClerkOptions, ready: Runtime): PlanParts {
  return {
    runtime: ready,
    settings: options,
    of: (caller: Caller) => planParts(options, atPointOfSale(ready, caller)),
    actOf(name, args, how: Asker) {
      const tool = options.tools.find((one) => one.name === name);
      const fits = tool !== undefined && isGuarded(tool) && tool.wholePlan !== true;
      return fits ? guardedAct(tool, args, how, options, ready) : undefined;
    },
    async each(items, done, work) {
      const all = await fanOut(items, { width: WIDTH, done }, work);
      return all.flatMap((one) => (one === undefined ? [] : [one]));
    },
    failed: (error) => options.log.failure({ tool: 'run_plan', reference: crypto.randomUUID().slice(0, 8), error }),
  };
}

/** What the page of a plan's caller sells with (http/caller-clerk.ts). */
function atPointOfSale(ready: Runtime, caller: Caller): Runtime {
  const own = ready.pointOfSaleOf?.(caller);
  if (own === undefined) return ready;
  return { ...ready, airline: own.airline, airlineFacts: { ...ready.airlineFacts, currency: own.currency } };
}

/** For propose_plan. */
export function plansFor(parts: PlanParts, how: Pick<CallHow, 'caller' | 'signal' | 'progress'>): Plans {
  const progress = (done: number, total: number) => how.progress?.(done, total, 'lines previewed');
  return {
    propose: (lines, leftOut, reasonsOf) => propose(parts, how, lines, leftOut, { reasonsOf, progress }),
    view: (id) => viewPlan(parts, how, id),
  };
}

/** Whoever's it is: the page and the terminal check who looks. */
export async function anyPlan(parts: PlanParts, id: string): Promise<PlanView | undefined> {
  const facts = await loadPlan(parts.runtime, id);
  return facts && viewOf(facts);
}
