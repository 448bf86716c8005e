/** Records a person's answer about a plan: the ticked lines are granted and the others declined, together. */
import type { Approval, GivenAnswer, PlanApproval } from '../ports.ts';
import { recordAnswer } from '../request.ts';
import { type PlanRuntime, storeOf } from './parts.ts';

/**
 * Unless another answer came first. A no after the yes stops the plan.
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
