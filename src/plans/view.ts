/** Loads a plan, and shows it to people and models. */

import type { BookingGist } from '../approvals/about.ts';
import { isInTime } from '../approvals/expiry.ts';
import type { PlanApproval } from '../approvals/ports.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { isActive, moved, type Operation } from '../journal/operation.ts';
import { planDigest } from './bound.ts';
import { actsDone } from './line-words.ts';
import { itemAt, mustHave, type PlanRuntime } from './parts.ts';
import type { LineState, LineView, PlanState, PlanView, StepView } from './plan.ts';
import type { PlanBody } from './ports.ts';
import { isFreed, lineNow, nextOf, type PlanFacts, questionOf, type StepNow, stepsNow } from './status.ts';
import { sumsOf } from './sums.ts';

type Reads = Pick<PlanRuntime, 'state' | 'clock'>;

/** @param ended operations that change no more, kept between two loads of one plan */
export async function loadPlan(
  { state, clock }: Reads,
  id: string,
  ended = new Map<string, Operation>(),
): Promise<PlanFacts | undefined> {
  const plans = mustHave(state.plans, 'store of plans');
  const plan = await plans.get(id);
  if (plan === undefined) return undefined;
  const approvals = await plans.approvals(id);
  const begun = approvals.filter(
    ({ part, decision }) => part.line !== 0 && decision !== 'pending' && decision !== 'declined',
  );
  const operations = new Map(ended);
  const unknown = begun.map(({ operationId }) => operationId).filter((operationId) => !operations.has(operationId));
  for (const operation of await state.operations.getAll(unknown)) {
    operations.set(operation.id, operation);
    if (operation.state === 'succeeded' || operation.state === 'refused') ended.set(operation.id, operation);
  }
  const body = plan.body ?? withoutWords(approvals, operations);
  return { plan, body, approvals, operations, now: clock.now(), digestKey: state.digestKey };
}

/** After arguments and terms were blanked: what was begun, by the names of tools and bookings. */
function withoutWords(approvals: readonly PlanApproval[], operations: ReadonlyMap<string, Operation>): PlanBody {
  const most = Math.max(0, ...approvals.map(({ part }) => part.line));
  const lines = Array.from({ length: most }, (_, i) => {
    const ofLine = approvals.filter(({ part }) => part.line === i + 1);
    const begun = ofLine.filter(({ operationId }) => operations.has(operationId));
    // The plan no longer says which steps only compensate: those that were sent count.
    const used = begun.length > 0 ? begun : ofLine.slice(0, 1);
    const count = Math.max(1, ...used.map(({ part }) => part.step + 1));
    const steps = Array.from({ length: count }, () => ({ tool: used[0]?.tool ?? '', args: {} }));
    return { title: [...new Set(used.map(({ tool, locator = '' }) => `${tool} ${locator}`.trim()))].join(', '), steps };
  });
  const nature = 'change' as const;
  const terms = lines.map(({ steps }) => steps.map(({ tool }) => ({ tool, act: tool, nature, sections: [] })));
  return { lines, terms, leftOut: [], notAsked: {} };
}

export function viewOf(facts: PlanFacts): PlanView {
  const { plan, body, approvals, digestKey } = facts;
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
    digest: planDigest(digestKey, approvals, plan.question),
    decidedAt: questionOf(facts)?.decidedAt,
  };
}

/** What a line does if nothing goes wrong: without what only compensates. */
function termsOf({ lines, terms }: PlanBody, line: number) {
  return itemAt(terms, line).filter((_, step) => itemAt(itemAt(lines, line).steps, step).insteadOf === undefined);
}

function lineView({ body }: PlanFacts, steps: readonly StepNow[], i: number): LineView {
  const { title, locator, reason } = itemAt(body.lines, i);
  const about = aboutLine(body, i);
  const views = steps.flatMap((step, n): StepView[] => {
    const terms = itemAt(itemAt(body.terms, i), n);
    if (step.planned.insteadOf !== undefined && step.operation === undefined) return [];
    const { state, why, approval, operation } = step;
    const moves = state === 'done' && operation !== undefined ? moved(operation) : undefined;
    return [{ ...terms, state, ...omitUndefined({ why, operationId: approval?.operationId, moved: moves }) }];
  });
  const now = lineNow(steps);
  const made = steps.find(({ operation, state }) => state === 'done' && operation?.outcome?.locator !== undefined);
  const newLocator = isFreed(steps) ? undefined : made?.operation?.outcome?.locator;
  const begun = BEGUN.has(now.state) && { why: [...actsDone(views, now.state), now.why ?? ''].join(' ').trim() };
  return {
    n: i + 1,
    title,
    steps: views,
    locator,
    about,
    reason,
    newLocator,
    ...now,
    ...begun,
  } as LineView;
}

/** @param i of the line, from 0 */
export function aboutLine({ lines, terms }: PlanBody, i: number): BookingGist | undefined {
  return itemAt(lines, i).about ?? itemAt(terms, i).find(({ about }) => about !== undefined)?.about;
}

/** A line in one of these states says which of its acts are done, and names the booking that it made. */
const BEGUN: ReadonlySet<LineState> = new Set(['partly_done', 'asks_again', 'doing', 'in_doubt', 'needs_person']);

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
