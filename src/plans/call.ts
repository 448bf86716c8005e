/** A call of run_plan: asks once for all lines, carries out the ticked ones, and tells how far it is. */

import type { Answer, Result } from '../approvals/answer.ts';
import { ask } from '../approvals/ask.ts';
import { assertFewOpen } from '../approvals/before-asking.ts';
import { type Asked, type Asker, type ConsentCall, patienceOf } from '../approvals/call-types.ts';
import { channelFor } from '../approvals/channels.ts';
import { assertAnswerable } from '../approvals/expiry.ts';
import { assertWithinDay, assertWithinLimits } from '../approvals/limits.ts';
import type { PlanApproval } from '../approvals/ports.ts';
import { continueQuestion, type Question } from '../approvals/question.ts';
import { lastUnseen } from '../approvals/unseen-dialogs.ts';
import { markingUnsent } from '../approvals/unsent.ts';
import { ClerkError } from '../core/errors.ts';
import type { Operation } from '../journal/operation.ts';
import { untraced } from '../journal/ports.ts';
import { approvalsFor, askedMeanwhile, expiryOf, type Prepared, prepare, RUN_PLAN } from './ask-plan.ts';
import { recordPlanAnswer, stopPlan } from './decide-plan.ts';
import { type PlanParts, storeOf } from './parts.ts';
import { MOST_LINES_IN_DIALOG, type PlanState, type PlanView } from './plan.ts';
import { planResult, present, waiting } from './present-plan.ts';
import { isOfCaller } from './propose.ts';
import { runPlan } from './run.ts';
import { type PlanFacts, questionOf } from './status.ts';
import { loadPlan, viewOf } from './view.ts';
import { stateText } from './words.ts';

export type RunPlanArgs = {
  readonly plan_id: string;
  readonly stop?: boolean | undefined;
  /** Asks for what was not done of a plan that is over. Without it, only its state is read. */
  readonly again?: boolean | undefined;
};

/** `done` of `total` lines have their end. */
type PlanProgress = (done: number, total: number, message: string) => void;

type PlanAsker = Asker & { readonly progress?: PlanProgress };

interface PlanCall extends ConsentCall {
  readonly asker: PlanAsker;
  readonly parts: PlanParts;
  /** Of the plan. */
  readonly id: string;
}

/** Between two looks at a plan that is being carried out. */
const POLL_MS = 1_000;

/** `approvalId`: as the model gave it. A dialog that comes back brings its own. */
export async function planCall(
  parts: PlanParts,
  asking: PlanAsker,
  { plan_id: id, stop, again: isAgain = false }: RunPlanArgs,
  approvalId: unknown,
): Promise<Answer> {
  const facts = await planOf(parts, asking, id);
  const { runtime, settings } = parts;
  const isLong = facts.body.lines.length > MOST_LINES_IN_DIALOG;
  const asker: PlanAsker = isLong ? { ...asking, canElicit: false } : asking;
  const handle = asking.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';
  const call: PlanCall = { asker, runtime, settings, trail: { isNew }, parts, id };
  if (stop === true) return stopped(call);
  return markingUnsent(call, () => {
    if (!isNew) return continueQuestion(questionOn(call), handle);
    return isOver(facts) && !isAgain ? present(call, undefined, viewOf(facts)) : first(call, facts);
  });
}

/** A person answered, or something was done: it is asked for anew only on purpose. */
function isOver(facts: PlanFacts): boolean {
  const { state } = viewOf(facts);
  return ENDED.has(state) || (state === 'lapsed' && facts.operations.size > 0);
}

const ENDED: ReadonlySet<PlanState> = new Set(['over', 'stopped', 'declined']);

async function planOf(parts: PlanParts, asker: Asker, id: string, ended?: Map<string, Operation>): Promise<PlanFacts> {
  const facts = await loadPlan(parts.runtime, id, ended);
  if (facts !== undefined && isOfCaller(facts, asker)) return facts;
  throw new ClerkError('E_NOT_FOUND', 'plan_id: there is no such plan of yours. Nothing was sent.', {
    next: 'Call propose_plan to make one.',
  });
}

/** The question about a plan: its lines are carried out, each at most once, and a call tells how far they are. */
function questionOn(call: PlanCall): Question {
  const carryOut = (asked: Asked) => goOn(call, asked);
  return {
    ...call,
    tool: RUN_PLAN,
    args: { plan_id: call.id },
    record: (asked, answer) => recordPlanAnswer(call.parts.runtime, asked, answer),
    // It goes on for longer than its question could be answered.
    assertGoesOn(approval, now) {
      if (approval.decision !== 'granted') assertAnswerable(approval, now);
    },
    isLeftToCalls: () => true,
    // What was begun of it is in the operations of its lines.
    begun: async () => undefined,
    carryOut,
    declined: carryOut,
  };
}

async function first(call: PlanCall, facts: PlanFacts): Promise<Answer> {
  const { runtime, settings, asker, parts, id } = call;
  const view = viewOf(facts);
  if (view.state === 'running') return goOn(call);
  const before = questionOf(facts);
  if (view.state === 'asked' && before?.askedBy === 'page') return waitForPage(call, before);
  if (facts.plan.body === undefined || facts.plan.expiresAt <= facts.now) {
    if (facts.operations.size === 0) throw lapsed();
    return present(call, undefined, view);
  }
  const progress = (done: number, total: number) => asker.progress?.(done, total, 'terms read');
  const prepared = await prepare(parts, asker, facts, progress);
  if (prepared.lines.length === 0) return nothingToAsk(call, facts, prepared);
  assertWithinLimits({ perDay: settings.limits.perDay }, prepared.stake);
  await assertWithinDay(call, prepared.stake);
  await assertFewOpen(call);
  const unseen = await lastUnseen(call);
  const askedBy = channelFor(call, prepared.stake, unseen);
  const { tracing = untraced } = runtime;
  const { caller, client } = asker;
  const asking = { caller, askedBy, now: runtime.clock.now(), uuid: () => runtime.random.uuid() };
  const optional = { client, trace: tracing.current() };
  const { handle, question, steps } = approvalsFor(facts, prepared, { ...asking, ...optional });
  const asked = { id, question: question.operationId, expiresAt: expiryOf(facts), body: prepared.body };
  if (!(await storeOf(parts).ask(asked, [question, ...steps], before))) throw askedMeanwhile(id);
  tracing.mark({ 'fareclerk.approval.channel': askedBy }, 'approval asked');
  return ask(call, question, handle, { unseen });
}

/** Everything is done, on its way, left out by the person, or refused now. */
function nothingToAsk(call: ConsentCall, facts: PlanFacts, { body }: Prepared): Promise<Result> | Result {
  const view = viewOf({ ...facts, body });
  const refused = Object.entries(body.notAsked).map(([n, why]) => `${n}. cannot be done now: ${why}`);
  if (facts.operations.size === 0) throw nothingCanBeDone(refused);
  const isDone = view.lines.every(({ state }) => state === 'done');
  if (!isDone) return present(call, undefined, view, refused);
  const summary = `Nothing is left to ask for. Nothing was sent now. ${stateText(view)}`;
  return planResult(call, 'already_done', view, { summary });
}

function nothingCanBeDone(refused: readonly string[]): ClerkError {
  const what = `No line of the plan can be done now. ${refused.join(' ')} Nothing was asked or sent.`;
  return new ClerkError('E_NOT_PERMITTED', what, {
    next: 'Tell the user why, and propose another plan if one is wanted.',
  });
}

/** The question is on the page already: asking anew would take it from the person who reads it. */
async function waitForPage(call: PlanCall, question: PlanApproval): Promise<Result> {
  const { runtime, asker, settings, parts, id } = call;
  const { clock } = runtime;
  const shown = await settings.page?.open(question, false);
  const until = clock.now() + patienceOf(call);
  for (;;) {
    const facts = await planOf(parts, asker, id);
    const view = viewOf(facts);
    if (view.state === 'running') return goOn(call);
    if (view.state !== 'asked') return present(call, undefined, view);
    if (clock.now() >= until || asker.signal?.aborted === true) return waiting(call, question, view, shown?.publicUrl);
    await clock.sleep(POLL_MS, asker.signal);
  }
}

async function goOn(call: PlanCall, asked?: Asked): Promise<Result> {
  const { runtime, asker, settings, trail, parts, id } = call;
  const { clock } = runtime;
  trail.ran = true;
  void runPlan(parts, id);
  const until = clock.now() + settings.answerMs;
  const known = new Map<string, Operation>();
  let reported = -1;
  for (;;) {
    const facts = await planOf(parts, asker, id, known);
    const view = viewOf(facts);
    const ended = view.lines.filter(({ state }) => state !== 'waiting' && state !== 'doing' && state !== 'in_doubt');
    if (ended.length !== reported) asker.progress?.(ended.length, view.lines.length, lastWords(view));
    reported = ended.length;
    if (view.state === 'running' && clock.now() < until && asker.signal?.aborted !== true) {
      await clock.sleep(POLL_MS, asker.signal);
      // Nobody else carries it out.
      void runPlan(parts, id);
      continue;
    }
    return present(call, asked, view);
  }
}

function lastWords({ lines }: PlanView): string {
  return lines.find(({ state }) => state === 'doing' || state === 'in_doubt')?.title ?? 'lines carried out';
}

async function stopped(call: PlanCall): Promise<Result> {
  const { asker, parts, id } = call;
  await stopPlan(parts, { id });
  return present(call, undefined, viewOf(await planOf(parts, asker, id)));
}

function lapsed(): ClerkError {
  return new ClerkError('E_APPROVAL_EXPIRED', 'The plan was proposed too long ago. Nothing was sent of it.', {
    next: 'Call propose_plan again: it reads the terms anew.',
  });
}
