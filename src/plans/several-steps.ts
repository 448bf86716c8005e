/**
 * A call of one act that takes several messages, such as the change of all flights of a connection: one question, one bound, and the
 * messages one after the other as the line of a plan (run-plan.ts), stopped at the first that is not done. Works where plans are off, too:
 * the caller knows only its own tool. In this order: the call, the question, the outcome.
 */

import { accountLines } from '../approvals/account-lines.ts';
import { type Answer, type Result, result, sameCall } from '../approvals/answer.ts';
import { type Approval, isPlanQuestion, type PlanApproval } from '../approvals/approval.ts';
import { actSentence } from '../approvals/asked-act.ts';
import { ask, channelFor } from '../approvals/channels.ts';
import { type ActCall, type Asker, type Question, unsentError } from '../approvals/consent-call.ts';
import { areDialogsUnseen } from '../approvals/dialog-answer.ts';
import { digest, handleHash } from '../approvals/digest.ts';
import { approvalDeclined } from '../approvals/endings.ts';
import { assertMaySend } from '../approvals/may-ask.ts';
import { assertWithinDay, assertWithinLimits } from '../approvals/money-limits.ts';
import { presentOutcome } from '../approvals/present-outcome.ts';
import { continueQuestion, repeatQuestion } from '../approvals/question-states.ts';
import { questionHandle } from '../approvals/request.ts';
import { assertFewOpen } from '../approvals/shares-of-one-person.ts';
import { inReadingOrder, type TermsSection } from '../approvals/terms.ts';
import { ClerkError } from '../core/errors.ts';
import type { BookingNames } from '../domain/booking/booking-names.ts';
import { isOpen } from '../journal/operation.ts';
import { enterQuestion, followPlan, type PlanCall } from './call.ts';
import { recordPlanAnswer } from './decide-plan.ts';
import type { PlanBody, PlanLine, PlanView, StepTerms, StepView } from './plan.ts';
import type { PlanFacts, StepNow } from './plan-facts.ts';
import { lineMoved, sumLines, totalStake } from './plan-money.ts';
import { planView } from './plan-view.ts';
import { actsDone } from './plan-words.ts';
import { itemAt, mustHave, planStore, stepCall } from './planner.ts';
import type { Planner } from './ports.ts';
import { assertFewPlans, digestOfTerms, type FreshStep, freshStep, newPlan, type Prepared } from './propose.ts';
import { stepsNow } from './step-status.ts';

/** The line of a call, and what the parts of its booking are called. */
export interface LineOfCall {
  readonly line: PlanLine;
  readonly names: BookingNames;
}

interface CallOfSteps {
  /** Reads the line of a new call. Undefined if it is one act. */
  lineOf(): Promise<LineOfCall | undefined>;
  /** As the model gave it. A dialog's answer brings its own. */
  readonly approvalId: unknown;
}

/** Answers the call if it takes several messages. Undefined if it is about one act, as most calls are. */
export async function severalStepsCall(
  planner: Planner,
  asker: Asker,
  act: Question['act'],
  { lineOf, approvalId }: CallOfSteps,
): Promise<Answer | undefined> {
  const { runtime, settings } = planner;
  const handle = asker.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';
  const record: Question['record'] = (_, asked, answer) => recordPlanAnswer(runtime, asked, answer);
  const call = { act, asker, runtime, settings, trail: { isNew }, record, planner };
  try {
    if (isNew) {
      const found = await lineOf();
      return found && (await askAboutLine(call, found));
    }
    const asked = await runtime.state.approvals.get(handleHash(handle));
    return asked && isPlanQuestion(asked) ? await goOn({ ...call, id: asked.part.plan }, handle) : undefined;
  } catch (error) {
    throw await unsentError(call, error);
  }
}

// The question.

/** Asks about all steps at once, or shows the question again if the same is open. */
async function askAboutLine(call: Omit<PlanCall, 'id'>, { line, names }: LineOfCall): Promise<Answer> {
  const { planner, asker, runtime, settings, act } = call;
  await assertMaySend(planner);
  await assertFewPlans(planner, asker);
  const steps: FreshStep[] = [];
  for (const [step, planned] of line.steps.entries())
    steps.push({ step, ...(await freshStep(planner, asker, planned, undefined)) });
  const terms = steps.map((one) => one.terms);
  const stake = totalStake(terms);
  assertWithinLimits(settings.limits, stake);
  await assertWithinDay(call, stake);
  const body: PlanBody = { lines: [line], terms: [terms], leftOut: [], notAsked: {} };
  const prepared: Prepared = { body, lines: [{ line: 1, steps }], stake };
  const unseen = areDialogsUnseen(call);
  const channel = channelFor(call, stake, unseen);
  const open = await openQuestion(call, line, steps);
  if (open !== undefined) {
    const again: PlanCall = { ...call, id: open.part.plan };
    const next = await repeatQuestion(again, open);
    return 'approval' in next ? present(again, next.approval) : next;
  }
  await assertFewOpen(call);
  const plan = newPlan(planner, asker, body);
  await planStore(planner).put(plan);
  const facts: PlanFacts = { plan, body, approvals: [], operations: new Map(), now: plan.createdAt };
  const sum = { moves: 'paid', atMost: stake?.amount } as const;
  const asAct = {
    tool: act.tool,
    argsDigest: digest(runtime.state.digestKey, act.args),
    names,
    act: { verb: line.title, sum },
    sections: questionSections(terms),
  };
  const question = await enterQuestion({ ...call, id: plan.id }, { facts, prepared }, channel, asAct);
  return ask(call, question, { unseen });
}

/** The open question of the same call about the same terms: a client may send a call twice. */
async function openQuestion(
  { runtime, asker, act }: Omit<PlanCall, 'id'>,
  { locator }: PlanLine,
  steps: readonly FreshStep[],
): Promise<PlanApproval | undefined> {
  const { approvals, digestKey } = runtime.state;
  const open = await approvals.openAbout(asker.caller, [String(locator)], runtime.clock.now(), [act.tool]);
  const argsDigest = digest(digestKey, act.args);
  const termsDigest = digestOfTerms(
    digestKey,
    steps.map(({ approval }) => approval),
  );
  return open
    .map(({ question }) => question)
    .filter(isPlanQuestion)
    .find((one) => one.tool === act.tool && one.argsDigest === argsDigest && one.termsDigest === termsDigest);
}

/** The acts and their sum, then the terms of each; what several have alike stands once. */
function questionSections(terms: readonly StepTerms[]): readonly TermsSection[] {
  const acts = terms.map(({ act }, i) => `${i + 1}. ${actSentence(act)}.`);
  const sections = terms.flatMap((step) => step.sections);
  const texts = sections.map((section) => JSON.stringify(section));
  const each = sections.filter((section, i) => texts.indexOf(JSON.stringify(section)) === i);
  const { warnings, notes } = accountLines(terms);
  const sums: TermsSection = { kind: 'act', lines: [...acts, ...sumLines(terms), ...warnings, ...notes] };
  return [sums, ...inReadingOrder(each)];
}

// The outcome.

/** Goes on with a question: its dialog was answered, or a call repeats it or asks for the outcome. */
async function goOn(call: PlanCall, handle: string): Promise<Answer> {
  const next = await continueQuestion(call, handle);
  return 'approval' in next ? present(call, next.approval) : next;
}

/** Carries the steps out, and tells what became of them. Throws ClerkError if not all are done and none goes on. */
async function present(call: PlanCall, question: Approval): Promise<Result> {
  const facts = await followPlan(call);
  const view = planView(facts);
  const steps = itemAt(stepsNow(facts), 0);
  const actCall = callOfAct(call);
  const unfinished = steps.find(({ state }) => state !== 'done');
  if (unfinished === undefined) {
    const operations = steps.map(({ operation }) => mustHave(operation, 'operation of a step that is done'));
    const last = itemAt(operations, operations.length - 1);
    const joined = call.runtime.acts.of(last.subject).joins?.(operations);
    return presentOutcome(actCall, question, { operation: joined ?? last });
  }
  const isBegun = steps.some(({ state }) => state === 'done');
  const before = isBegun ? doneAndNot(view) : undefined;
  const { operation } = unfinished;
  if (operation !== undefined && isOpen(operation.state))
    return presentOutcome(actCall, question, { operation, before });
  if (view.state === 'running') return waitsItsTurn(call, question, before);
  await call.runtime.state.approvals.markTold(question.handleHash, call.runtime.clock.now());
  const error = await whyUnfinished(actCall, unfinished, facts);
  throw before === undefined ? error : partlyDone(error, before, call.act.tool);
}

/** The call of the whole act, whose result reads like that of any other. */
function callOfAct({ planner, act: { tool, args }, asker, trail }: PlanCall): ActCall {
  const { isDecidedOutside: _, ...call } = stepCall(planner, { tool, args }, asker);
  return { ...call, trail };
}

/** `Done: Change flight … (AED 10.00 was paid). NOT done: …` */
function doneAndNot({ lines }: PlanView): string {
  const { steps } = itemAt(lines, 0);
  const moneyNote = (step: StepView) => {
    const money = lineMoved({ steps: [step] }).join(', ');
    return step.state === 'done' && money !== '' ? ` (${money})` : '';
  };
  return actsDone(steps, 'partly_done', moneyNote).join(' ');
}

function waitsItsTurn(call: PlanCall, question: Approval, before = ''): Result {
  const id = questionHandle(call, question);
  const head = {
    summary: `${before} Being carried out; nothing is sent twice.`.trim(),
    next: `In 60 seconds ${sameCall(call.act.tool, id)}, then once a minute.`,
  };
  return result(call, 'pending', { head, fields: { approval: { id } } });
}

/** Why a step that is not done will not be, under this yes. */
async function whyUnfinished(call: ActCall, { operation, approval, why, state }: StepNow, facts: PlanFacts) {
  if (operation !== undefined) {
    const told: unknown = await presentOutcome(call, approval, { operation }).catch((error: unknown) => error);
    if (!(told instanceof ClerkError)) throw told;
    return told;
  }
  if (facts.plan.stoppedAt !== undefined && facts.operations.size === 0) return approvalDeclined(call.act.tool);
  const code = state === 'not_begun' ? 'E_APPROVAL_EXPIRED' : 'E_NOT_PERMITTED';
  return new ClerkError(code, `${mustHave(why, 'reason of a step that is not done')} Nothing was sent for it.`, {
    next: `If the person still wants it, call ${call.act.tool} again without approval_id.`,
  });
}

function partlyDone({ code, message, airline, changed }: ClerkError, before: string, tool: string): ClerkError {
  return new ClerkError(code, `PARTLY DONE. ${before} Why not: ${message}`, {
    airline,
    changed,
    effect: 'unknown',
    next: `Tell the user at once what is done and what is NOT done. If the person still wants the rest, read_booking shows the refs as they are now. Call ${tool} with one of them and without approval_id, which asks only for what is not done.`,
  });
}
