/**
 * Records a person's answer about a plan, and decides a plan outside the call that asked: on the page, or in a terminal. A yes
 * begins at once, in the background.
 */

import { type DecisionRequest, decide, NOTHING_TO_DECIDE, questionFor } from '../approvals/decide.ts';
import { isInTime } from '../approvals/expiry.ts';
import { type Approval, type GivenAnswer, isPlanQuestion, type PlanApproval } from '../approvals/ports.ts';
import { recordAnswer } from '../approvals/request.ts';
import type { DecisionOutcome } from '../approvals/status.ts';
import { untraced } from '../journal/ports.ts';
import { mustHave, type PlanParts, type PlanRuntime, storeOf } from './parts.ts';
import type { PlanView } from './plan.ts';
import { runPlan } from './run.ts';
import { loadPlan, viewOf } from './view.ts';
import { planOutcome } from './words.ts';

const UNKNOWN: DecisionOutcome = {
  kind: 'unknown',
  title: 'Nothing to decide here',
  lines: ['This question is not known, or the plan was asked anew. Nothing was sent.'],
};

interface AnyDecision extends DecisionRequest {
  /** Lines of a plan, from 1, that the person ticked. Default: all. */
  readonly ticked?: readonly number[] | undefined;
  /** Absent: plans are not offered here. */
  readonly plans?: PlanParts | undefined;
}

/** Decides whatever the question is about: one act, or the lines of a plan. Safe to call twice. */
export async function decideAny({ plans, ticked, ...it }: AnyDecision): Promise<DecisionOutcome> {
  const [approval, operation] = await Promise.all([questionFor(it), it.runtime.state.operations.get(it.operationId)]);
  if (approval === undefined) return NOTHING_TO_DECIDE;
  const { tracing = untraced } = it.runtime;
  tracing.about(approval.operationId);
  if (!isPlanQuestion(approval)) return decide(it, approval, operation);
  if (plans === undefined) return NOTHING_TO_DECIDE;
  return decidePlan(plans, approval, { ...it.by, yes: it.yes }, ticked);
}

/** Safe to call twice: the second call gives the status. @param ticked lines, from 1; default: all */
async function decidePlan(
  parts: PlanParts,
  question: PlanApproval,
  answer: GivenAnswer,
  ticked?: readonly number[],
): Promise<DecisionOutcome> {
  const id = question.part.plan;
  const plan = await storeOf(parts).get(id);
  if (plan?.question !== question.operationId) return UNKNOWN;
  const open = question.decision === 'pending' && isInTime(question, parts.runtime.clock.now());
  if (open || (question.decision === 'granted' && !answer.yes)) {
    const decided = await recordPlanAnswer(parts.runtime, question, answer, ticked);
    if (decided?.decision === 'granted' && answer.yes) void runPlan(parts, id);
  }
  return planOutcome(viewOf(mustHave(await loadPlan(parts.runtime, id), `plan ${id}`)));
}

/** The act that is being sent is finished, and nothing more begins. False: it was stopped before, or is unknown. */
export function stopPlan(parts: PlanParts, { id }: Pick<PlanView, 'id'>): Promise<boolean> {
  return storeOf(parts).stop(id, parts.runtime.clock.now());
}

/**
 * Grants the ticked lines and declines the others, together, unless another answer came first. A no after the yes stops the plan.
 * @param ticked lines, from 1; default: all
 */
export async function recordPlanAnswer(
  runtime: PlanRuntime,
  question: Approval,
  answer: GivenAnswer,
  ticked?: readonly number[],
): Promise<Approval | undefined> {
  const plans = storeOf({ runtime });
  const { operationId, part } = question as PlanApproval;
  const id = part.plan;
  return recordAnswer(runtime, question, answer, {
    async decide(now) {
      const granted = answer.yes ? await stepsOf(runtime, id, operationId, ticked) : [];
      const { assurance, approver } = answer;
      return plans.decide(id, operationId, { assurance, approver, granted }, now);
    },
    takeBack: () => plans.stop(id, runtime.clock.now()),
  });
}

/** Operation ids of the steps of the ticked lines. */
async function stepsOf(
  runtime: PlanRuntime,
  id: string,
  question: string,
  ticked: readonly number[] | undefined,
): Promise<readonly string[]> {
  const approvals = await storeOf({ runtime }).approvals(id);
  const isMeant = ({ part }: PlanApproval) =>
    part.question === question && part.line > 0 && !part.alone && (ticked === undefined || ticked.includes(part.line));
  return approvals.filter(isMeant).map(({ operationId }) => operationId);
}
