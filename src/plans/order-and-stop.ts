/**
 * Decides the order of a plan's steps, and what stops it: whose turn it is, which steps are not begun after one before
 * them failed, was stopped or needs a person, and what is done next. run-plan.ts carries this out, and checks whether
 * the operator paused sending. A refused step stops no other line.
 */
import { isActive } from '../journal/operation.ts';
import type { PlanStep } from './plan.ts';
import type { PlanFacts, StepNow, StepStatus } from './plan-facts.ts';

/** What is done next with a plan. Lines and steps are counted from 0. */
export type Next =
  | { readonly kind: 'send'; readonly line: number; readonly step: number }
  | { readonly kind: 'follow'; readonly operationId: string }
  | { readonly kind: 'end' };

/**
 * Decides what is done next. Only one act is on its way at a time: one that is being sent or in doubt comes first.
 * @param lines the steps of each line
 */
export function whatNext(facts: PlanFacts, lines: readonly (readonly StepNow[])[]): Next {
  // A plan whose terms were erased sends nothing.
  if (facts.plan.body === undefined) return { kind: 'end' };

  const all = lines.flatMap((steps, line) => steps.map((current, step) => ({ current, line, step })));
  if (!all.some(({ current }) => current.state === 'waiting')) return { kind: 'end' };

  const underWay = all.find(({ current }) => current.operation !== undefined && isActive(current.operation.state));
  if (underWay?.current.operation !== undefined) return { kind: 'follow', operationId: underWay.current.operation.id };

  const ready = all.find(({ current }) => current.isReady);
  return ready === undefined ? { kind: 'end' } : { kind: 'send', line: ready.line, step: ready.step };
}

/**
 * The status of a step that has a yes and is not begun. It needs the steps of its line that `after` and `locatorOf` number, and none of
 * another line. The first row that holds counts:
 *
 * | the plan must stop                                     | not_begun      |
 * | a needed step is not_begun                             | not_begun      |
 * | a needed step is skipped, not_ticked or missing        | skipped        |
 * | every needed step is done                              | waiting, ready |
 * | a needed step is not done yet                          | waiting        |
 *
 * @param before the steps before it in its line
 * @param isStopped what {@link mustStop} says of the plan
 */
export function statusInTurn(
  { after = [], locatorOf }: PlanStep,
  before: readonly StepNow[],
  isStopped: boolean,
): StepStatus {
  if (isStopped) return notBegun('A step of this plan needs checking with the airline.');

  const needed = locatorOf === undefined ? after : [...after, locatorOf];
  for (const n of needed) {
    const state = before[n]?.state;
    if (state === 'not_begun') return notBegun('The step before it was not started.');
    if (state === 'skipped' || state === 'not_ticked' || state === undefined)
      return { state: 'skipped', why: 'The step before it was not done.', isUndone: true };
  }

  return needed.every((n) => before[n]?.state === 'done') ? { state: 'waiting', isReady: true } : { state: 'waiting' };
}

export function notBegun(why: string): StepStatus {
  return { state: 'not_begun', why };
}

/**
 * Whether nothing more of the plan may begin, because an act of this yes was handed to a person. Closing the act does
 * not let the plan go on.
 */
export function mustStop({ plan, approvals, operations }: PlanFacts): boolean {
  return approvals.some(({ operationId, part }) => {
    const state = operations.get(operationId)?.state;
    return part.question === plan.question && (state === 'needs_person' || state === 'resolved');
  });
}
