/** Decides the question of a plan: which lines a person's answer grants, and how a later no stops the plan. */

import { type Approval, type GivenAnswer, isPlanQuestion, type PlanApproval } from '../approvals/approval.ts';
import { type DecisionRequest, decide, NOTHING_TO_DECIDE, questionFor } from '../approvals/decide.ts';
import { isInTime } from '../approvals/expiry.ts';
import type { DecisionOutcome } from '../approvals/outcome-words.ts';
import { recordAnswer } from '../approvals/request.ts';
import { untraced } from '../journal/untraced.ts';
import type { PlanView } from './plan.ts';
import { loadPlan } from './plan-facts.ts';
import { planView } from './plan-view.ts';
import { planOutcome } from './plan-words.ts';
import { mustHave, planStore } from './planner.ts';
import type { Planner, PlanRuntime } from './ports.ts';
import { runPlan } from './run-plan.ts';

const PLAN_UNKNOWN: DecisionOutcome = {
  kind: 'unknown',
  title: 'Nothing to decide here',
  lines: ['This question is unknown, or a newer one replaced it. Nothing was sent.'],
};

interface ActOrPlanDecision extends DecisionRequest {
  /** Lines of a plan, from 1, that the person ticked. Default: all. */
  readonly ticked?: readonly number[] | undefined;
  /** Absent: plans are not offered here. */
  readonly plans?: Planner | undefined;
  /** Whether the tool of a plan's question is offered here. Absent: it is. */
  offers?(tool: string): boolean;
}

/** Decides whatever the question is about: one act, or the lines of a plan. Safe to call twice. */
export async function decideActOrPlan({
  plans,
  offers,
  ticked,
  ...request
}: ActOrPlanDecision): Promise<DecisionOutcome> {
  const { operationId, yes, by, runtime } = request;
  const [approval, operation] = await Promise.all([questionFor(request), runtime.state.operations.get(operationId)]);
  if (approval === undefined) return NOTHING_TO_DECIDE;

  const { tracing = untraced } = runtime;
  tracing.about(approval.operationId);

  if (!isPlanQuestion(approval)) return decide(request, approval, operation);
  if (plans === undefined || offers?.(approval.tool) === false) return NOTHING_TO_DECIDE;

  return decidePlan(plans, approval, { ...by, yes }, ticked);
}

/** Decides a plan. Safe to call twice: the second call gives the status. @param ticked lines, from 1; default: all */
async function decidePlan(
  planner: Planner,
  approval: PlanApproval,
  answer: GivenAnswer,
  ticked?: readonly number[],
): Promise<DecisionOutcome> {
  const id = approval.part.plan;
  const plan = await planStore(planner).get(id);
  if (plan?.question !== approval.operationId) return PLAN_UNKNOWN;

  const isOpen = approval.decision === 'pending' && isInTime(approval, planner.runtime.clock.now());
  if (isOpen || (approval.decision === 'granted' && !answer.yes)) {
    const decided = await recordPlanAnswer(planner.runtime, approval, answer, ticked);
    if (decided?.decision === 'granted' && answer.yes) void runPlan(planner, id);
  }

  return planOutcome(planView(mustHave(await loadPlan(planner.runtime, id), `plan ${id}`)));
}

/** Stops a plan: it finishes the act that it is sending and begins no other. False: stopped before, or unknown. */
export function stopPlan(planner: Planner, { id }: Pick<PlanView, 'id'>): Promise<boolean> {
  return planStore(planner).stop(id, planner.runtime.clock.now());
}

/**
 * Grants the ticked lines and declines the others, together, unless another answer came first. A no after the yes
 * stops the plan.
 * @param ticked lines, from 1; default: all
 */
export async function recordPlanAnswer(
  runtime: PlanRuntime,
  approval: Approval,
  answer: GivenAnswer,
  ticked?: readonly number[],
): Promise<Approval | undefined> {
  const plans = planStore({ runtime });
  // Only plans record their answers here.
  const { operationId: questionId, part } = approval as PlanApproval;
  const id = part.plan;

  return recordAnswer(runtime, approval, answer, {
    async decide(now) {
      const granted = answer.yes ? await tickedSteps(runtime, id, questionId, ticked) : [];
      const { assurance, approver } = answer;
      return plans.decide(id, questionId, { assurance, approver, granted }, now);
    },
    takeBack: () => plans.stop(id, runtime.clock.now()),
  });
}

/** Operation ids of the steps of the ticked lines that this question decides. */
async function tickedSteps(
  runtime: PlanRuntime,
  id: string,
  questionId: string,
  ticked: readonly number[] | undefined,
): Promise<readonly string[]> {
  const approvals = await planStore({ runtime }).approvals(id);
  // Line 0 is the question itself.
  const isStepOfQuestion = ({ part }: PlanApproval) => part.question === questionId && part.line > 0;
  const isTicked = ({ part }: PlanApproval) => ticked === undefined || ticked.includes(part.line);
  return approvals.filter((step) => isStepOfQuestion(step) && isTicked(step)).map(({ operationId }) => operationId);
}
