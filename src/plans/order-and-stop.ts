/**
 * Decides the order of a plan's steps, and what stops it: whose turn it is, which steps are not begun after one before them
 * failed, was stopped or needs a person, and what is done next. run-plan.ts does as it says.
 * A refused step stops no other. The operator's pause is asked for in run-plan.ts.
 */
import { isActive } from '../journal/operation.ts';
import type { PlanStep } from './plan.ts';
import { isCovered, type PlanFacts, type StepNow, type StepStatus } from './plan-facts.ts';

/** What is done next with a plan. Lines and steps are counted from 0. */
export type Next =
  | { readonly kind: 'send' | 'ask_again'; readonly line: number; readonly step: number }
  | { readonly kind: 'follow'; readonly operationId: string }
  | { readonly kind: 'end' };

/** One act at a time: whatever is on its way or in doubt comes first. @param lines the steps of each line */
export function whatNext(facts: PlanFacts, lines: readonly (readonly StepNow[])[]): Next {
  // Nothing is sent whose words were erased.
  if (facts.plan.body === undefined) return { kind: 'end' };
  const all = lines.flatMap((steps, line) => steps.map((current, step) => ({ current, line, step, steps })));
  const toAskAgain = all.find(({ current, steps }) => mustAskAgain(facts, current, steps));
  if (toAskAgain !== undefined) return { kind: 'ask_again', line: toAskAgain.line, step: toAskAgain.step };
  if (!all.some(({ current }) => current.state === 'waiting')) return { kind: 'end' };
  const underWay = all.find(({ current }) => current.operation !== undefined && isActive(current.operation.state));
  if (underWay?.current.operation !== undefined) return { kind: 'follow', operationId: underWay.current.operation.id };
  const first = all.find(({ current }) => current.isReady);
  return first === undefined ? { kind: 'end' } : { kind: 'send', line: first.line, step: first.step };
}

/** Whether a step will not be done although the one before it was paid: the person must hear of it at once. */
function mustAskAgain(
  { plan, now }: PlanFacts,
  { planned, approval, isUndone }: StepNow,
  steps: readonly StepNow[],
): boolean {
  if (isUndone !== true || approval === undefined || approval.part.alone || planned.insteadOf !== undefined)
    return false;
  const isOfLastQuestion = approval.part.question === plan.question;
  if (!isOfLastQuestion || plan.stoppedAt !== undefined || !isCovered(approval, now)) return false;
  return (planned.after ?? []).some((n) => {
    const before = steps[n]?.operation;
    return before?.state === 'succeeded' && before.direction === 'payment';
  });
}

/**
 * The status of a step that has a yes and is not begun: by the steps before it of its line, whose numbers `after`,
 * `locatorOf` and `insteadOf` are. A line does not depend on another one.
 * @param isStopped by {@link mustStop}
 */
export function statusInTurn(
  { after = [], locatorOf, insteadOf }: PlanStep,
  before: readonly StepNow[],
  isStopped: boolean,
): StepStatus {
  if (isStopped) return notBegun('An act of this plan had to be checked by a person.');
  const needed = [...new Set([...after, ...(locatorOf === undefined ? [] : [locatorOf])])];
  for (const n of needed) {
    const state = before[n]?.state;
    if (state === 'not_begun') return notBegun('The step before it was not begun.');
    if (state === 'skipped' || state === 'not_ticked' || state === undefined)
      return { state: 'skipped', why: 'The step before it was not done.', isUndone: true };
  }
  if (insteadOf !== undefined) {
    const undone = before[insteadOf];
    if (undone?.state === 'done') return { state: 'skipped', why: 'Not needed.', isUndone: true };
    if (undone?.isUndone !== true) return { state: 'waiting' };
  }
  return needed.every((n) => before[n]?.state === 'done') ? { state: 'waiting', isReady: true } : { state: 'waiting' };
}

export const notBegun = (why: string): StepStatus => ({ state: 'not_begun', why });

/** An act of this yes was handed to a person: nothing more of the plan begins, also after the person closed it. */
export function mustStop({ plan, approvals, operations }: PlanFacts): boolean {
  return approvals.some(({ operationId, part }) => {
    const state = operations.get(operationId)?.state;
    return part.question === plan.question && (state === 'needs_person' || state === 'resolved');
  });
}
