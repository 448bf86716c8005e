/** The status of each step and line of a plan, worked out from its approvals and operations. */

import type { Approval, PlanApproval } from '../approvals/approval.ts';
import { lineWords } from '../approvals/endings.ts';
import { isInTime } from '../approvals/expiry.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import { mustStop, notBegun, statusInTurn } from './order-and-stop.ts';
import type { LineState, PlanStep } from './plan.ts';
import { isCovered, type PlanFacts, type StepNow, type StepStatus } from './plan-facts.ts';

/** The steps of each line, with their status. */
export function stepsNow(facts: PlanFacts): readonly (readonly StepNow[])[] {
  const isStopped = mustStop(facts);
  // Lines count from 1.
  return facts.body.lines.map(({ steps }, i) => stepsOfLine(facts, i + 1, steps, isStopped));
}

/** The steps of one line in their order: whether a step waits depends on those before it. */
function stepsOfLine(
  facts: PlanFacts,
  line: number,
  steps: readonly PlanStep[],
  isStopped: boolean,
): readonly StepNow[] {
  const { approvals, operations } = facts;
  const before: StepNow[] = [];

  // Steps count from 0.
  for (const [step, planned] of steps.entries()) {
    const approval = approvals.findLast(({ part }) => part.line === line && part.step === step);
    const operation = approval && operations.get(approval.operationId);

    const stored = operation ? stepStatusOfOperation(operation, approval) : stepStatusOfApproval(facts, line, approval);
    const status = stored.state === 'waiting' ? statusInTurn(planned, before, isStopped) : stored;

    before.push({ planned, approval, operation, ...status });
  }

  return before;
}

const STOPPED = 'The plan was stopped.';

/** The status of a step that has an operation. `isUndone`: it was certainly not done, and will not be under this yes. */
function stepStatusOfOperation({ state, outcome }: Operation, { voidWhy, voidLines }: Approval): StepStatus {
  if (state === 'intent' || state === 'dispatched') return { state: 'doing' };
  if (state === 'in_doubt') return { state: 'in_doubt', why: 'Sent, but the outcome is not known yet.' };
  if (state === 'succeeded') return { state: 'done', why: outcome?.locator && `Booked as ${outcome.locator}.` };
  if (state === 'needs_person') return { state, why: outcome?.check ?? 'The booking needs checking with the airline.' };
  if (state === 'resolved') return { state: 'skipped', why: 'The operator checked it with the airline and closed it.' };

  const { code, message = 'It was not carried out.' } = outcome?.error ?? {};
  if (code === 'E_APPROVAL_EXPIRED' || code === 'E_INTERRUPTED')
    return { state: 'not_begun', why: message, isUndone: true };

  const why = voidWhy === 'terms_changed' ? lineWords(voidWhy, voidLines) : message;
  return { state: 'skipped', why, isUndone: true };
}

/**
 * The status of a step that has no operation. The approval decides, and its question must be the plan's last one. "Over" stands for: too
 * late, asked anew, or the plan was stopped.
 *
 * | approval | status                      |
 * | -------- | --------------------------- |
 * | none     | proposed, left out: skipped |
 * | pending  | asked, over: not_begun      |
 * | declined | not_ticked                  |
 * | granted  | waiting, over: not_begun    |
 * | replaced | not_begun                   |
 * | void     | skipped, stopped or upgraded: not_begun |
 *
 * "Left out": the plan's last question did not ask about its line.
 */
function stepStatusOfApproval(
  { plan, body, now }: PlanFacts,
  line: number,
  approval: PlanApproval | undefined,
): StepStatus {
  if (approval === undefined) {
    const why = body.notAsked[line];
    return why === undefined ? { state: 'proposed' } : { state: 'skipped', why, isUndone: true };
  }

  const { decision, part, voidWhy = 'not_done', voidLines } = approval;
  const isOfLastQuestion = part.question === plan.question;

  switch (decision) {
    case 'pending':
      return isOfLastQuestion && isInTime(approval, now) ? { state: 'asked' } : notBegun(lineWords('unanswered'));
    case 'declined':
      return { state: 'not_ticked' };
    case 'granted':
      if (!isOfLastQuestion) return notBegun('It was asked again.');
      if (plan.stoppedAt !== undefined) return notBegun(STOPPED);
      return isCovered(approval, now)
        ? { state: 'waiting' }
        : notBegun('It was not started within 30 minutes of the approval.');
    case 'replaced':
      return notBegun(isOfLastQuestion ? lineWords('replaced') : 'It was asked again.');
    case 'void':
      if (voidWhy === 'stopped') return notBegun(STOPPED);
      if (voidWhy === 'upgraded') return notBegun(lineWords(voidWhy));
      return { state: 'skipped', why: lineWords(voidWhy, voidLines), isUndone: true };
  }
}

/** The state of a line is the first of these that one of its steps has. */
const STATE_RANK: readonly LineState[] = [
  'needs_person',
  'in_doubt',
  'doing',
  'asked',
  'waiting',
  'not_begun',
  'skipped',
  'not_ticked',
  'proposed',
  'done',
];

/** The state of the steps of a line that are not done. Undefined if all are done. */
export function unfinishedState(steps: readonly StepNow[]): LineState | undefined {
  return STATE_RANK.find((state) => state !== 'done' && steps.some((step) => step.state === state));
}

/** States in which a step stays without being done. The line is then partly done if another step was done. */
const FINAL_BUT_NOT_DONE: readonly (LineState | undefined)[] = ['not_begun', 'skipped', 'not_ticked', 'proposed'];

/** The state of a line, from those of its steps, and why. The reason is that of the step whose state the line has. */
export function lineNow(steps: readonly StepNow[]): Pick<StepNow, 'state' | 'why'> {
  const unfinished = unfinishedState(steps);
  const lineWhy = steps.find(({ state }) => state === (unfinished ?? 'done'))?.why;
  const isBegun = steps.some(({ state }) => state === 'done');
  const state = lineState(unfinished, isBegun);
  return lineWhy === undefined ? { state } : { state, why: lineWhy };
}

function lineState(unfinished: LineState | undefined, isBegun: boolean): LineState {
  if (unfinished === undefined) return 'done';
  if (isBegun && unfinished === 'waiting') return 'doing';
  return isBegun && FINAL_BUT_NOT_DONE.includes(unfinished) ? 'partly_done' : unfinished;
}

/** Locator of the booking that an earlier step of the line made, if this step is about that one. */
export function madeBy(steps: readonly StepNow[], { locatorOf: makingStep }: PlanStep): string | undefined {
  const operation = makingStep === undefined ? undefined : steps[makingStep]?.operation;
  return operation?.state === 'succeeded' ? locatorOf(operation) : undefined;
}
