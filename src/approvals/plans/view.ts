/** Loads a plan, and shows it to people and models. */
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { isActive, type Operation } from '../../journal/operation.ts';
import type { ApprovalRuntime } from '../call-types.ts';
import { isInTime } from '../expiry.ts';
import { planDigest } from './digest.ts';
import { at, known } from './parts.ts';
import type { LineView, PlanState, PlanView, StepView } from './plan.ts';
import type { PlanBody } from './ports.ts';
import { lineNow, nextOf, type PlanFacts, questionOf, type StepNow, stepsNow } from './status.ts';
import { sumsOf } from './sums.ts';

const BLANKED: PlanBody = { lines: [], terms: [], leftOut: [], notAsked: {} };

type Reads = Pick<ApprovalRuntime, 'state' | 'clock'>;

/** @param ended operations that change no more, kept between two loads of one plan */
export async function loadPlan(
  { state, clock }: Reads,
  id: string,
  ended = new Map<string, Operation>(),
): Promise<PlanFacts | undefined> {
  const plans = known(state.plans, 'store of plans');
  const plan = await plans.get(id);
  if (plan === undefined) return undefined;
  const approvals = await plans.approvals(id);
  const begun = approvals.filter(
    ({ part, decision }) => part.line !== 0 && decision !== 'pending' && decision !== 'declined',
  );
  const operations = new Map(ended);
  const unknown = begun.filter(({ operationId }) => !operations.has(operationId));
  await Promise.all(
    unknown.map(async ({ operationId }) => {
      const operation = await state.operations.get(operationId);
      if (operation === undefined) return;
      operations.set(operationId, operation);
      if (operation.state === 'succeeded' || operation.state === 'refused') ended.set(operationId, operation);
    }),
  );
  return { plan, body: plan.body ?? BLANKED, approvals, operations, now: clock.now() };
}

export function viewOf(facts: PlanFacts): PlanView {
  const { plan, body, approvals } = facts;
  const all = stepsNow(facts);
  const lines = all.map((steps, i) => lineView(facts, steps, i));
  const counted = lines.filter(({ n, state }) => state !== 'not_ticked' && body.notAsked[n] === undefined);
  const main = counted.flatMap(({ n }) => termsOf(body, n - 1));
  return {
    id: plan.id,
    state: stateOf(facts, all),
    lines,
    leftOut: body.leftOut,
    sums: sumsOf(main),
    expiresAt: plan.expiresAt,
    ...omitUndefined({ digest: planDigest(approvals, plan.question), decidedAt: questionOf(facts)?.decidedAt }),
  };
}

/** What a line does if nothing goes wrong: without what only compensates. */
export function termsOf({ lines, terms }: PlanBody, line: number) {
  return at(terms, line).filter((_, step) => at(at(lines, line).steps, step).insteadOf === undefined);
}

function lineView({ body }: PlanFacts, steps: readonly StepNow[], i: number): LineView {
  const { title, locator } = at(body.lines, i);
  const views = steps.flatMap((step, n): StepView[] => {
    const terms = at(at(body.terms, i), n);
    if (step.spec.insteadOf !== undefined && step.operation === undefined) return [];
    const { state, why, approval } = step;
    return [{ ...terms, state, ...omitUndefined({ why, operationId: approval?.operationId }) }];
  });
  return { n: i + 1, title, steps: views, ...omitUndefined({ locator }), ...lineNow(steps) } as LineView;
}

function stateOf(facts: PlanFacts, all: readonly (readonly StepNow[])[]): PlanState {
  const { plan, now } = facts;
  const question = questionOf(facts);
  if (question === undefined) return plan.expiresAt > now ? 'proposed' : 'lapsed';
  if (question.decision === 'pending') return isInTime(question, now) ? 'asked' : 'lapsed';
  if (question.decision !== 'granted') return question.decision === 'declined' ? 'declined' : 'lapsed';
  const steps = all.flat();
  const isOpen = steps.some(({ operation }) => operation !== undefined && isActive(operation.state));
  if (isOpen || nextOf(facts, all).kind !== 'end') return 'running';
  return plan.stoppedAt === undefined ? 'over' : 'stopped';
}
