/** Makes the view of a plan for people and programs: the state of each line and of the whole plan. */

import type { BookingGist } from '../approvals/booking-gist.ts';
import { isInTime } from '../approvals/expiry.ts';
import { isActive } from '../journal/operation.ts';
import { movedMoney } from '../journal/outcome.ts';
import { whatNext } from './order-and-stop.ts';
import type { LineState, LineView, PlanBody, PlanState, PlanView, StepView } from './plan.ts';
import { lastQuestion, type PlanFacts, type StepNow } from './plan-facts.ts';
import { sumByCurrency } from './plan-money.ts';
import { actsDone, shownAct } from './plan-words.ts';
import { itemAt } from './planner.ts';
import { lineNow, stepsNow } from './step-status.ts';

/** In these states the reason of a line begins with the acts that are done, and with the booking that it made. */
const BEGUN_STATES: ReadonlySet<LineState> = new Set(['partly_done', 'doing', 'in_doubt', 'needs_person']);

export function planView(facts: PlanFacts): PlanView {
  const { plan, body } = facts;
  const question = lastQuestion(facts);
  const stepsByLine = stepsNow(facts);
  const lines = stepsByLine.map((steps, i) => lineView(facts, steps, i));
  const counted = lines.filter(({ n, state }) => state !== 'not_ticked' && body.notAsked[n] === undefined);
  const asked = lines.flatMap(({ steps }) => steps.filter(({ state }) => state === 'asked'));

  return {
    id: plan.id,
    state: planState(facts, stepsByLine),
    lines,
    leftOut: body.leftOut,
    // A later question is only about what the first one did not get done.
    sums: sumByCurrency(asked.length > 0 ? asked : counted.flatMap(({ n }) => itemAt(body.terms, n - 1))),
    expiresAt: plan.expiresAt,
    digest: question?.termsDigest,
    decidedAt: question?.decidedAt,
    isUpgraded: question?.voidWhy === 'upgraded' || undefined,
  };
}

function lineView({ body }: PlanFacts, steps: readonly StepNow[], i: number): LineView {
  const { title, locator, reason } = itemAt(body.lines, i);
  const about = aboutLine(body, i);

  const views = steps.map(({ state, why, approval, operation }, n): StepView => {
    const terms = itemAt(itemAt(body.terms, i), n);
    const moves = state === 'done' && operation !== undefined ? movedMoney(operation) : undefined;
    const act = shownAct(terms, itemAt(body.lines, i));
    return { ...terms, act, state, why, operationId: approval?.operationId, moved: moves };
  });

  const lineStatus = lineNow(steps);
  const made = steps.find(({ operation, state }) => state === 'done' && operation?.outcome?.locator !== undefined);
  const newLocator = made?.operation?.outcome?.locator;
  const begun = BEGUN_STATES.has(lineStatus.state) && {
    why: [...actsDone(views, lineStatus.state), lineStatus.why ?? ''].join(' ').trim(),
  };

  return {
    n: i + 1,
    title,
    steps: views,
    locator,
    about,
    reason,
    newLocator,
    ...lineStatus,
    ...begun,
  } as LineView;
}

/** The booking that a line is about. @param i index of the line, from 0 */
export function aboutLine({ lines, terms }: PlanBody, i: number): BookingGist | undefined {
  return itemAt(lines, i).about ?? itemAt(terms, i).find(({ about }) => about !== undefined)?.about;
}

function planState(facts: PlanFacts, stepsByLine: readonly (readonly StepNow[])[]): PlanState {
  const { plan, now } = facts;
  const question = lastQuestion(facts);
  if (question === undefined) return plan.expiresAt > now ? 'proposed' : 'lapsed';
  if (question.decision === 'replaced') return 'replaced';

  const isStopped = question.decision === 'pending' && plan.stoppedAt !== undefined;
  if (question.voidWhy === 'stopped' || question.voidWhy === 'upgraded' || isStopped) return 'withdrawn';
  if (question.decision === 'pending') return isInTime(question, now) ? 'asked' : 'lapsed';
  if (question.decision !== 'granted') return question.decision === 'declined' ? 'declined' : 'lapsed';

  const steps = stepsByLine.flat();
  const isOpen = steps.some(({ operation }) => operation !== undefined && isActive(operation.state));
  if (isOpen || whatNext(facts, stepsByLine).kind !== 'end') return 'running';

  return plan.stoppedAt === undefined ? 'over' : 'stopped';
}
