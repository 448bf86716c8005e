/**
 * Takes a question from asking to the answer that counts. The caller then carries out what was approved
 * (recheck-and-send.ts): one act, or the lines of a plan. The question is stored as an `Approval` (approval.ts); a `call`
 * asks it, repeats it or brings its answer.
 *
 * A person can answer on the page or in the terminal, and in a dialog too wherever the settings allow one. The store
 * accepts only the first answer, and decides that a question is found, replaced or void (store/asking.ts). decide.ts and
 * plans/decide-plan.ts take the answers of the page and the terminal. If two calls begin the operation, the journal
 * accepts one.
 */

import type { Operation } from '../journal/operation.ts';
import type { Answer } from './answer.ts';
import { type Approval, type GivenAnswer, isPlanQuestion } from './approval.ts';
import {
  allowsDialog,
  answerPlace,
  approvalRequired,
  askAfterUnseenDialog,
  giveAddressAgain,
  hasPage,
  isModelsWordEnough,
  sayWhereToAnswer,
  showDialogAgain,
} from './channels.ts';
import { type ApprovalRuntime, longestWait, type Question } from './consent-call.ts';
import { areDialogsUnseen, hasDialogEnded, isShownTooOften, isSilent, readReply } from './dialog-answer.ts';
import { approvalInvalid, assertAnswerable, earlierDeclined } from './endings.ts';
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

const UNREAD = 'No person can have read the last dialog of this client.';
const ASKED_IN_BOTH = 'The dialog has not been answered. The first answer counts, in the dialog or here.';

/** Continues the question of a handle: its dialog was answered, or a call repeats it or asks for the outcome. */
export async function continueQuestion(call: Question, handle: string): Promise<Answer | QuestionEnd> {
  const { act, runtime, asker } = call;
  const approval = await findAsked(runtime.state, handle, act, asker.caller);
  follow(call, approval);

  const reply = readReply(call, approval);
  const operation = await enteredOperation(runtime, approval);
  if (operation !== undefined) return { kind: 'begun', approval, operation };

  const isNo = reply.kind === 'no';
  if (isNo && approval.decision === 'replaced') throw earlierDeclined(approval);
  assertNotOver(approval, runtime.clock.now());

  // A no takes the yes back.
  if (!isNo && approval.decision === 'granted') return { kind: 'granted', approval };

  switch (reply.kind) {
    case 'no_dialog':
      if (isModelsWordEnough(call, approval)) return recordAndContinue(call, approval, MODELS_YES);
      return continueAsking(call, approval);
    case 'yes':
      // The settings may have become stricter.
      if (allowsDialog(call, approval)) return recordAndContinue(call, approval, YES);
      return waitOnPage(call, approval);
    case 'no':
      return recordAndContinue(call, approval, NO);
    case 'unseen':
      return askAfterUnseenDialog(call, approval, reply.why);
    case 'late':
      return sayWhereToAnswer(call, approval, 'again');
    case 'closed':
      return sayWhereToAnswer(call, approval, 'nowhere');
    case 'opened':
      return waitOnPage(call, approval);
  }
}

/**
 * Shows an open question again: the same call comes anew, without its approval_id, such as a request that a client sent
 * twice. The call never counts as an answer, nor as the model's word.
 */
export async function repeatQuestion(call: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  follow(call, approval);
  if (isModelsWordEnough(call, approval)) return approvalRequired(call, approval, { way: 'echo' });
  return (await giveAddressAgain(call, approval)) ?? continueAsking(call, approval);
}

/** The trail and the trace of this call are about the question from now on. */
function follow({ trail, runtime }: Question, { operationId }: Approval): void {
  trail.operationId = operationId;
  runtime.tracing?.about(operationId);
}

/** Asks on, because the call is back without an answer: in this client's dialog, else wherever a person can answer. */
async function continueAsking(call: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  if (call.asker.isDialogOpen === true) return waitOnPage(call, approval);
  if (isDialogsTurn(call, approval)) return showDialogAgain(call, approval);
  const isDialogElsewhere = approval.askedBy === 'elicit' && !hasDialogEnded(call, approval);
  if (isDialogElsewhere && !hasPage(call)) return approvalRequired(call, approval, { way: 'dialog' });
  return waitOnPage(call, approval);
}

/** Whether this client shows the question in a dialog: where a page can ask instead, not one that nobody answered or saw. */
function isDialogsTurn(call: Question, approval: Approval): boolean {
  if (call.asker.canElicit !== true || !allowsDialog(call, approval)) return false;
  if (!hasPage(call)) return true;
  if (areDialogsUnseen(call) || isShownTooOften(call, approval)) return false;
  // Of a question that is asked elsewhere, no dialog of this client has ended yet.
  return approval.askedBy !== 'elicit' || !(hasDialogEnded(call, approval) || isSilent(call, approval));
}

/**
 * Records an answer and continues with the answer that counts, which may be an earlier one. If a yes counts, a no takes
 * it back and ends as `declined`. If a no counts, this or an earlier one, it throws. A no to a question that a newer one
 * replaced throws too, and the newer one stays as it is.
 */
async function recordAndContinue(call: Question, asked: Approval, answer: GivenAnswer): Promise<QuestionEnd> {
  const { runtime, act, record = recordAnswer } = call;
  const current = await record(runtime, asked, answer);
  if (current?.decision === 'granted') return { kind: answer.yes ? 'granted' : 'declined', approval: current };
  if (current?.decision === 'replaced' && !answer.yes) throw earlierDeclined(current);
  if (current !== undefined) assertAnswerable(current, runtime.clock.now());
  throw approvalInvalid(act.tool);
}

/** Waits until a person decides, on the page, in a terminal or elsewhere, at most for the time that a call may wait. */
async function waitOnPage(call: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  if (!hasPage(call)) return approvalRequired(call, approval, { way: 'again' });

  // The address of URL elicitation may carry a secret, and the model reads this answer.
  const opened = await call.settings.page?.open(approval, 'opens_none');
  const place = answerPlace(opened);
  const why = whyOnPage(call, approval);

  // No screen shows the question then, so waiting would be in vain.
  const isShownNowhere = why.isUnseen && place.way === 'terminal';
  const end = await waitForEnd(call, approval, isShownNowhere ? 0 : longestWait(call));
  return end === 'undecided' ? approvalRequired(call, approval, { ...place, hasWaited: true, why: why.text }) : end;
}

/** Why the page asks although a dialog is allowed: the dialog asks too, or no person can have seen the last one. */
function whyOnPage(call: Question, approval: Approval): { readonly text?: string; readonly isUnseen: boolean } {
  if (!allowsDialog(call, approval)) return { isUnseen: false };
  if (approval.askedBy === 'elicit' && !hasDialogEnded(call, approval)) return { text: ASKED_IN_BOTH, isUnseen: false };
  const isUnseen = areDialogsUnseen(call, { inARow: 1 });
  return { isUnseen, ...(isUnseen && { text: UNREAD }) };
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
