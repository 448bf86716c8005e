/** Loads a plan, and shows it to people and models. */
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import { isActive, type Operation } from '../../journal/operation.ts';
import type { ApprovalRuntime } from '../call-types.ts';
import { isInTime } from '../expiry.ts';
import type { PlanApproval } from '../ports.ts';
import { planDigest } from './digest.ts';
import { at, known } from './parts.ts';
import type { LineView, PlanState, PlanView, StepView } from './plan.ts';
import type { PlanBody } from './ports.ts';
import { lineNow, nextOf, type PlanFacts, questionOf, type StepNow, stepsNow } from './status.ts';
import { sumsOf } from './sums.ts';

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
  return { plan, body: plan.body ?? withoutWords(approvals, operations), approvals, operations, now: clock.now() };
}

/** After arguments and terms were blanked: what was begun, by the names of tools and bookings. */
function withoutWords(approvals: readonly PlanApproval[], operations: ReadonlyMap<string, Operation>): PlanBody {
  const begun = approvals.filter(({ operationId }) => operations.has(operationId));
  const most = Math.max(0, ...begun.map(({ part }) => part.line));
  const lines = Array.from({ length: most }, (_, i) => {
    const own = begun.filter(({ part }) => part.line === i + 1);
    const steps = Math.max(0, ...own.map(({ part }) => part.step + 1));
    const of = (step: number) => own.findLast(({ part }) => part.step === step);
    const specs = Array.from({ length: steps }, (__, step) => ({ tool: of(step)?.tool ?? 'not begun', args: {} }));
    const named = [...new Set(own.flatMap(({ tool, locator }) => `${tool} ${locator ?? ''}`.trim()))];
    return { title: named.length === 0 ? 'not begun' : named.join(', '), steps: specs };
  });
  const terms = lines.map(({ steps }) =>
    steps.map(({ tool }) => ({ tool, act: tool, nature: 'change' as const, sections: [] })),
  );
  return { lines, terms, leftOut: [], notAsked: {} };
}

export function viewOf(facts: PlanFacts): PlanView {
  const { plan, body, approvals } = facts;
  const all = stepsNow(facts);
  const lines = all.map((steps, i) => lineView(facts, steps, i));
  const counted = lines.filter(({ n, state }) => state !== 'not_ticked' && body.notAsked[n] === undefined);
  const asked = lines.flatMap(({ steps }) => steps.filter(({ state }) => state === 'asked'));
  return {
    id: plan.id,
    state: stateOf(facts, all),
    lines,
    leftOut: body.leftOut,
    // A second question is about what was not done by the first.
    sums: sumsOf(asked.length > 0 ? asked : counted.flatMap(({ n }) => termsOf(body, n - 1))),
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
  const now = lineNow(steps);
  const partly = now.state === 'partly_done' && { why: [...halves(views), now.why ?? ''].join(' ').trim() };
  return { n: i + 1, title, steps: views, ...omitUndefined({ locator }), ...now, ...partly } as LineView;
}

/** `Done: Hold …; Pay SAR 100.00. NOT done: Cancel ABC123.` */
function halves(steps: readonly StepView[]): readonly string[] {
  const [done, left] = [true, false].map((isDone) => steps.filter(({ state }) => (state === 'done') === isDone));
  const acts = (some: readonly StepView[] = []) =>
    some
      .map(({ act, state, why }) => (state === 'done' && why !== undefined ? `${act} (${why.slice(0, -1)})` : act))
      .join('; ');
  return [`Done: ${acts(done)}.`, `NOT done: ${acts(left)}.`];
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
