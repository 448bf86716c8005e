/** What a plan does next, decided from what became of its steps: one act at a time, and none after it was stopped. */
import { isActive } from '../journal/operation.ts';
import { isCovered, type PlanFacts, type StepNow, stepsNow } from './plan-status.ts';

export type Next =
  | { readonly kind: 'send' | 'ask_again'; readonly line: number; readonly step: number }
  | { readonly kind: 'follow'; readonly operationId: string }
  | { readonly kind: 'end' };

/** One act at a time: whatever is on its way or in doubt comes first. */
export function whatNext(facts: PlanFacts, all = stepsNow(facts)): Next {
  // Nothing is sent whose words were erased.
  if (facts.plan.body === undefined) return { kind: 'end' };
  const places = all.flatMap((steps, line) => steps.map((now, step) => ({ now, line, step, steps })));
  const again = places.find(({ now, steps }) => mustAskAgain(facts, now, steps));
  if (again !== undefined) return { kind: 'ask_again', line: again.line, step: again.step };
  if (!places.some(({ now }) => now.state === 'waiting')) return { kind: 'end' };
  const open = places.find(({ now }) => now.operation !== undefined && isActive(now.operation.state));
  if (open?.now.operation !== undefined) return { kind: 'follow', operationId: open.now.operation.id };
  const ready = places.find(({ now }) => now.isReady);
  return ready === undefined ? { kind: 'end' } : { kind: 'send', line: ready.line, step: ready.step };
}

/** It will not be done although the step before it was paid: the person must hear of it at once. */
function mustAskAgain(
  { plan, now }: PlanFacts,
  { planned, approval, isUndone }: StepNow,
  steps: readonly StepNow[],
): boolean {
  if (isUndone !== true || approval === undefined || approval.part.alone || planned.insteadOf !== undefined)
    return false;
  const isLast = approval.part.question === plan.question;
  if (!isLast || plan.stoppedAt !== undefined || !isCovered(approval, now)) return false;
  return (planned.after ?? []).some((n) => {
    const before = steps[n]?.operation;
    return before?.state === 'succeeded' && before.direction === 'payment';
  });
}
