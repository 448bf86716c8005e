/**
 * Takes a question from asking to the answer that counts. The caller then carries out what was approved
 * (recheck-and-send.ts): one act, or the lines of a plan. The question is stored as an `Approval` (approval.ts); a `call`
 * asks it, repeats it or brings its answer.
 *
 * | state       | event                                                   | next state                            |
 * | ----------- | ------------------------------------------------------- | ------------------------------------- |
 * | asked       | a person says yes: in the dialog, page or terminal      | granted                               |
 * | asked       | a person says no                                        | declined                              |
 * | asked       | the model's word is enough here, and the call is back   | granted                               |
 * | asked       | ten minutes pass                                        | expired                               |
 * | asked       | the dialog was not seen, or came back without a choice  | asked on the page; without one, again |
 * | asked       | silent, or shown five times, and there is a page        | the page asks too                     |
 * | asked       | the settings became stricter                            | asked on the page                     |
 * | asked       | the call is back without an answer                      | asked again, or on the page           |
 * | asked       | the same call comes anew, without its approval_id       | found: asked again, or on the page    |
 * | asked       | another call decides the same booking, or asks anew     | replaced by its question, whole       |
 * | asked       | its plan is stopped, or what it asks is done or changed | void                                  |
 * | granted     | a call, the page or the terminal begins the operation   | carried out                           |
 * | granted     | a no comes before the send                              | declined; no more of a plan begins    |
 * | granted     | the terms changed, or sending is not allowed now        | void: a new call asks anew            |
 * | granted     | ten minutes pass; thirty for a plan's lines             | expired                               |
 * | carried out | the caller learns the outcome                           | told; an act's question is spent      |
 *
 * The store decides that a question is found, replaced or void (store/approvals.ts). decide.ts and
 * plans/decide-plan.ts take the answers of the page and the terminal. dialog-answer.ts watches a silent dialog.
 * recheck-and-send.ts begins the operation, and decides about changed terms and forbidden sending. `assertAnswerable`
 * (endings.ts) says what expired. present-outcome.ts marks a question as told. The rest is decided here.
 *
 * The store accepts only the first of two answers, or of an answer and a replacement (compare-and-set). If two calls
 * begin the operation, the journal accepts one. An act that needs no question is granted at once. A caller has one open
 * question for a booking and an act, and one for all acts that decide a booking (`decidesBooking` of an act: pay, cancel,
 * move, split), whether alone or in a plan. A plan is one question about many acts, and is replaced whole. Questions about
 * seats, services, contact and names stand beside. Five of a booking may be replaced in an hour: a sixth is refused.
 *
 * `askedBy` of the stored question names where it is asked: `elicit` is the dialog, and the page or a terminal takes an
 * answer too; `page` is only these, and `echo` is the model's word. If there is neither a page nor a terminal
 * (`hasPage`), only the dialog or the model can answer.
 *
 * Comments in quotation marks name the row of the table that a branch carries out.
 */

import type { Operation } from '../journal/operation.ts';
import type { Answer } from './answer.ts';
import { type Approval, type AskedBy, type GivenAnswer, isPlanQuestion, type PlanApproval } from './approval.ts';
import {
  answerPlace,
  approvalRequired,
  askAfterUnseenDialog,
  giveAddressAgain,
  hasPage,
  isStillAllowed,
  letOnlyPageSayYes,
  moveToPage,
  sayWhereToAnswer,
  showDialogAgain,
} from './ask.ts';
import { type ApprovalRuntime, longestWait, type PlanQuestions, type Question } from './consent-call.ts';
import {
  countDialog,
  type DialogResult,
  isSilent,
  lastUnseen,
  readReply,
  type Unseen,
  unseenWords,
} from './dialog-answer.ts';
import { approvalDeclined, approvalInvalid, assertAnswerable, earlierDeclined } from './endings.ts';
import type { ApprovalStore } from './ports.ts';
import { findAsked, needsItsCall, recordAnswer } from './request.ts';

/**
 * What became of a question. `begun`: the act's operation is in the journal already. `granted`: the caller carries it
 * out now. `declined`: a no came later than a yes, and the yes is taken back. A no to a question that nobody had
 * answered throws instead, and so does a question that is over.
 */
export type QuestionEnd =
  | { readonly kind: 'begun'; readonly approval: Approval; readonly operation: Operation }
  | { readonly kind: 'granted' | 'declined'; readonly approval: Approval };

const YES: GivenAnswer = { yes: true, assurance: 'person' };
const NO: GivenAnswer = { yes: false, assurance: 'person' };
const MODELS_YES: GivenAnswer = { yes: true, assurance: 'caller_confirmed' };

/** Time between two readings of a question that is open on the page, milliseconds. */
const POLL_MS = 250;

/** How long the page that took a yes may need to enter the operation, milliseconds. */
const PAGE_ENTERS_MS = 2_000;

const ASKED_IN_BOTH = 'The dialog has not been answered. The first answer counts, in the dialog or here.';

/**
 * Continues the question of a handle: its dialog was answered, or a call repeats it or asks for the outcome. The first
 * of these cases that fits counts:
 *
 * 1. The operation is in the journal: begun, whatever the dialog says.
 * 2. The question was replaced, and the person says no: the no may decline the newest question.
 * 3. The question is over, such as replaced or expired: throws.
 * 4. The question is granted, and nobody says no: granted.
 * 5. The question is granted, and the person says no: the yes is taken back.
 * 6. The question is open: continues by what the call brings back from the dialog.
 */
export async function continueQuestion(call: Question, handle: string): Promise<Answer | QuestionEnd> {
  const { act, runtime, asker, trail } = call;
  const approval = await findAsked(runtime.state, handle, act, asker.caller);
  trail.operationId = approval.operationId;
  runtime.tracing?.about(approval.operationId);
  const reply = readReply(call, approval);
  const operation = await enteredOperation(runtime, approval);
  if (operation !== undefined) return { kind: 'begun', approval, operation };
  const isNo = reply.kind === 'no';
  if (isNo && approval.decision === 'replaced') return declineNewest(call, approval);
  assertNotOver(approval, runtime.clock.now());
  if (!isNo && approval.decision === 'granted') return { kind: 'granted', approval };
  return continueWithReply(call, approval, reply);
}

/**
 * Shows an open question again: "the same call comes anew, without its approval_id", such as a request that a client
 * sent twice. The call never counts as an answer, nor as the model's word.
 * @param channel the channel in which a new question would be asked
 */
export async function repeatQuestion(
  call: Question,
  approval: Approval,
  channel: AskedBy,
): Promise<Answer | QuestionEnd> {
  const { operationId } = approval;
  call.trail.operationId = operationId;
  call.runtime.tracing?.about(operationId);
  // Nobody can answer where the question is asked now, so it is asked where a new one would be.
  if (isOnPageOnly(approval) && !hasPage(call)) return showDialogAgain(call, approval, channel);
  if (approval.askedBy === 'echo' && isStillAllowed(call, approval))
    return approvalRequired(call, approval, { way: 'echo' });
  return (await giveAddressAgain(call, approval)) ?? continueAsking(call, approval);
}

/** Whether neither a dialog nor the model's word may answer. */
function isOnPageOnly({ askedBy, askedAt }: Approval): boolean {
  if (askedBy === 'page') return true;
  // Without `askedAt` the dialog has ended: no answer of it counts any more.
  return askedBy === 'elicit' && askedAt === undefined;
}

/** Continues an open question, or takes a yes back, by what the call brings back from the dialog. */
async function continueWithReply(
  call: Question,
  approval: Approval,
  reply: DialogResult,
): Promise<Answer | QuestionEnd> {
  switch (reply.kind) {
    case 'no_dialog':
      return continueWithout(call, approval);
    // "The dialog was not seen, or came back without a choice".
    case 'unseen':
      return askAfterUnseenDialog(call, approval, reply.why);
    case 'yes':
      if (isStillAllowed(call, approval)) return recordAndContinue(call, approval, YES);
      // "The settings became stricter".
      return waitOnPage(call, await moveToPage(call, approval));
    // "A person says no", or "a no comes before the send".
    case 'no':
      return recordAndContinue(call, approval, NO);
    // The question is asked elsewhere now, and an answer of this dialog no longer counts.
    case 'moved':
      return sayWhereToAnswer(call, approval, 'again');
    // The client opened the page: the person decides there.
    case 'opened':
      if (approval.askedBy === 'page') return waitOnPage(call, approval);
      return endDialog(call, approval);
    // The person dismissed the dialog.
    case 'closed':
      return endDialog(call, approval);
  }
}

/** Moves the question from a dialog that ended without a choice to the page. */
async function endDialog(call: Question, approval: Approval): Promise<Answer> {
  return sayWhereToAnswer(call, await moveToPage(call, approval), 'nowhere');
}

/** Continues an open question whose call is back without a dialog's answer. */
async function continueWithout(call: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  // "The model's word is enough here, and the call is back". Only by setting, or in the sandbox (channelFor).
  if (approval.askedBy === 'echo' && isStillAllowed(call, approval))
    return recordAndContinue(call, approval, MODELS_YES);
  return continueAsking(call, approval);
}

/**
 * "The call is back without an answer": asks on, in the first of these places that fits. A terminal counts as a page.
 * If there is none, `on the page` still moves the question, and the answer says that a new call asks anew.
 *
 * 1. in both, if the dialog is open in this client;
 * 2. on the page, if no dialog asks;
 * 3. in both, if there is a page and the dialog has been silent for too long;
 * 4. in this client's dialog, shown again; in both, if there is a page and the dialog was shown as often as is allowed;
 * 5. in another client's dialog, if there is no page;
 * 6. on the page.
 */
async function continueAsking(call: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  const { asker } = call;
  if (asker.isDialogOpen === true) return waitOnPage(call, approval);
  if (approval.askedBy !== 'elicit') return askOnPage(call, approval);
  if (hasPage(call) && isSilent(call, approval)) return waitOnPage(call, approval);
  const canShowDialog = asker.canElicit === true && isStillAllowed(call, approval);
  if (canShowDialog) {
    if (hasPage(call) && countDialog(call, approval) === 'shown_too_often') return waitOnPage(call, approval);
    return showDialogAgain(call, approval);
  }
  const isDialogElsewhere = approval.askedAt !== undefined;
  if (isDialogElsewhere && !hasPage(call)) return approvalRequired(call, approval, { way: 'dialog' });
  return askOnPage(call, approval);
}

async function askOnPage(call: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  return waitOnPage(call, await letOnlyPageSayYes(call, approval));
}

/**
 * Records an answer and continues with the answer that counts, which may be an earlier one. If a yes counts, a no takes
 * it back and ends as `declined`. If a no counts, this or an earlier one, it throws. If a newer question replaced this
 * one, a no may decline the newest question.
 */
async function recordAndContinue(call: Question, asked: Approval, answer: GivenAnswer): Promise<QuestionEnd> {
  const { runtime, act, record = recordAnswer } = call;
  const current = await record(runtime, asked, answer);
  if (current?.decision === 'granted') return { kind: answer.yes ? 'granted' : 'declined', approval: current };
  if (current?.decision === 'replaced' && !answer.yes) return declineNewest(call, current);
  if (current !== undefined) assertAnswerable(current, runtime.clock.now());
  throw approvalInvalid(act.tool);
}

/**
 * Answers a no to a question that later calls replaced. If only the model's word is asked for the newest question, the
 * no declines it too, or takes its yes back: the model must not carry out what a person has just refused. A newest
 * question that a person is asked stays as it is, and so does one whose operation has begun.
 */
async function declineNewest(call: Question, replaced: Approval): Promise<never> {
  const { tool, replacedBy = '' } = replaced;
  const newest = await newestQuestion(call.runtime.state.approvals, replaced);
  const isStopped = newest?.askedBy === 'echo' && (await stopByNo(call, newest));
  throw isStopped ? approvalDeclined(tool) : earlierDeclined(replacedBy);
}

/** Records a no. Returns whether it stopped the act: it declined the question, or came before the operation began. */
async function stopByNo(call: Question, asked: Approval): Promise<boolean> {
  const { runtime } = call;
  // The newest question may be of another kind than the call: an act's replaces a plan's, and the other way round.
  const { plans } = runtime.state;
  const recorder = plans && isPlanQuestion(asked) ? noToPlan(plans, asked) : undefined;
  const answered = await recordAnswer(runtime, asked, NO, recorder);
  if (answered?.decision === 'declined') return true;
  return answered?.decision === 'granted' && (await enteredOperation(runtime, answered)) === undefined;
}

/** Records a no with the steps of a plan too. */
function noToPlan(plans: PlanQuestions, { operationId, part }: PlanApproval) {
  const { plan } = part;
  return {
    decide: (now: number) => plans.decide(plan, operationId, { assurance: NO.assurance, granted: [] }, now),
    takeBack: (now: number) => plans.stop(plan, now),
  };
}

/** Finds the question that replaced this one and was not replaced itself. Undefined if the store has deleted it. */
async function newestQuestion(approvals: ApprovalStore, replaced: Approval): Promise<Approval | undefined> {
  let newest: Approval | undefined = replaced;
  // The store writes `replacedBy` with every replacement.
  while (newest?.decision === 'replaced') newest = await approvals.byOperation(newest.replacedBy as string);
  return newest;
}

/** Waits until a person decides on the page or in a terminal, at most for the time that a call may wait. */
async function waitOnPage(call: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  const { runtime, settings } = call;
  if (!hasPage(call)) return approvalRequired(call, approval, { way: 'nowhere' });
  // The address of URL elicitation may carry a secret, and the model reads this answer.
  const opened = await settings.page?.open(approval, 'opens_none');
  const place = answerPlace(opened);
  const unseen = unseenBefore(call, approval);
  // No screen shows the question then, so waiting would be in vain.
  const isShownNowhere = unseen !== undefined && place.way === 'terminal';
  const end = await waitForEnd(call, approval, isShownNowhere ? 0 : longestWait(call));
  if (end !== 'undecided') return end;
  const current = (await runtime.state.approvals.get(approval.handleHash)) ?? approval;
  const why = current.askedBy === 'elicit' ? ASKED_IN_BOTH : unseen && endedUnseen(unseen);
  return approvalRequired(call, current, { ...place, hasWaited: true, why });
}

/** Finds the unseen dialog because of which the page asks, although a dialog is allowed. */
function unseenBefore(call: Question, approval: Approval): Unseen | undefined {
  const isDialogAllowed = isStillAllowed(call, { ...approval, askedBy: 'elicit' });
  return approval.askedBy === 'page' && isDialogAllowed ? lastUnseen(call, { inARow: 1 }) : undefined;
}

function endedUnseen(unseen: Unseen): string {
  return `The last dialog of this client was ${unseenWords(unseen)}, before a person can have read it.`;
}

/** Waits for at most `waitMs`, and no longer than the caller does, until the question is begun or granted. */
async function waitForEnd(call: Question, approval: Approval, waitMs: number): Promise<QuestionEnd | 'undecided'> {
  const { runtime, asker } = call;
  const { clock, state } = runtime;
  const until = clock.now() + waitMs;
  while (clock.now() < until && asker.signal?.aborted !== true) {
    const operation = await enteredOperation(runtime, approval);
    if (operation !== undefined) return { kind: 'begun', approval, operation };
    const current = await state.approvals.get(approval.handleHash);
    if (current !== undefined) assertNotOver(current, clock.now());
    if (current?.decision === 'granted' && mustCallCarryOut(current, clock.now()))
      return { kind: 'granted', approval: current };
    await clock.sleep(POLL_MS, asker.signal);
  }
  return 'undecided';
}

/** Whether a waiting call must carry out what was granted elsewhere. Otherwise the page that took the yes does. */
function mustCallCarryOut(approval: Approval, now: number): boolean {
  if (isPlanQuestion(approval) || needsItsCall(approval)) return true;
  const { decidedAt } = approval;
  // The page is late, so its process may have ended. If both begin the operation, the journal accepts one.
  return decidedAt === undefined || now - decidedAt > PAGE_ENTERS_MS;
}

/** The operation of an approval. Undefined for a plan's question: the operations of its lines show what was begun. */
async function enteredOperation({ state }: ApprovalRuntime, approval: Approval): Promise<Operation | undefined> {
  return isPlanQuestion(approval) ? undefined : state.operations.get(approval.operationId);
}

/** Throws why a question is over. A granted plan is not over: its lines take longer than its question is open. */
function assertNotOver(approval: Approval, now: number): void {
  if (isPlanQuestion(approval) && approval.decision === 'granted') return;
  assertAnswerable(approval, now);
}
