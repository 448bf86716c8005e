/**
 * Takes a question from asking to the answer that counts. The caller then carries out what was approved: one act, or
 * the lines of a plan.
 *
 * | state       | event                                                  | next state                             |
 * | ----------- | ------------------------------------------------------ | -------------------------------------- |
 * | asked       | a person says yes: in the dialog, page or terminal     | granted                                |
 * | asked       | a person says no                                       | declined                               |
 * | asked       | ten minutes pass                                       | expired                                |
 * | asked       | the dialog was not seen, or came back without a choice | asked on the page; without one, again  |
 * | asked       | silent, or shown five times, and there is a page       | asked in both: the first answer counts |
 * | asked       | the settings became stricter                           | asked on the page                      |
 * | asked       | the model's word is enough here, and the call is back  | granted                                |
 * | asked       | the call is back without an answer                     | asked again, or on the page            |
 * | asked       | the same call comes anew, without its approval_id      | found: asked again, or on the page     |
 * | asked       | a call about the same booking and act differs          | replaced by that call's question       |
 * | asked       | the same act is done under another question            | overtaken                              |
 * | asked       | another act of the kind changes the booking            | outdated: a new call asks anew         |
 * | granted     | a call, the page or the terminal begins the operation  | carried out                            |
 * | granted     | a no comes before the send                             | spent; nothing more of a plan begins   |
 * | granted     | the terms changed, or sending is not allowed now       | spent: a new call asks anew            |
 * | granted     | ten minutes pass; thirty for a plan's lines            | expired                                |
 * | carried out | the caller learns the outcome                          | told; an act's question is spent       |
 *
 * The store accepts only the first of two answers, or of an answer and a replacement (compare-and-set). If two calls
 * begin the operation, the journal accepts one. An act that needs no question is granted at once. A caller has one open
 * question for a booking and an act, and may replace five in an hour with other arguments: a sixth is refused. A plan
 * is one question about many acts. Only a newer question of the same plan replaces it.
 *
 * The code names the place where a question is asked by `askedBy` (ports.ts): `elicit` is the dialog, `either` is both
 * the dialog and the page, `page` is the page or a terminal, and `echo` is the model's word. Comments in quotation
 * marks name the row of the table that a branch carries out.
 */
import type { Operation } from '../journal/operation.ts';
import type { Answer } from './answer.ts';
import {
  answerPlace,
  approvalRequired,
  askAfterUnseenDialog,
  giveAddressAgain,
  hasPage,
  isStillAllowed,
  moveToPage,
  moveToPageForYes,
  sayWhereToAnswer,
  showDialogAgain,
} from './ask.ts';
import { type ApprovalRuntime, longestWait, type Question } from './consent-call.ts';
import { isSilent, lastUnseen, mayShowAgain, moveToBoth, readReply, unseenWords } from './dialog-answer.ts';
import {
  type Approval,
  type AskedBy,
  approvalDeclined,
  approvalInvalid,
  assertAnswerable,
  earlierDeclined,
  type GivenAnswer,
  isPlanQuestion,
  type Unseen,
} from './ports.ts';
import { findAsked, needsItsCall, recordAnswer } from './request.ts';

/**
 * What became of a question. `begun`: the act's operation is in the journal already. `granted`: the caller carries it
 * out now. `declined`: a no came later than a yes, and the yes is taken back. A no to a question that nobody had
 * answered throws instead, and so does a question that is over.
 */
export type QuestionEnd =
  | { readonly kind: 'begun'; readonly approval: Approval; readonly operation: Operation }
  | { readonly kind: 'granted' | 'declined'; readonly approval: Approval };

/** What came back from the dialog. */
type ReplyOfDialog = NonNullable<Awaited<ReturnType<typeof readReply>>>;

const YES: GivenAnswer = { yes: true, assurance: 'person' };
const NO: GivenAnswer = { yes: false, assurance: 'person' };
const MODELS_YES: GivenAnswer = { yes: true, assurance: 'caller_confirmed' };

/** Time between two readings of a question that is open on the page, milliseconds. */
const POLL_MS = 250;

const ASKED_IN_BOTH = 'The dialog has not been answered. The first answer counts, in the dialog or here.';

/** How long the page that took a yes may need to enter the operation, milliseconds. */
const PAGE_ENTERS_MS = 2_000;

/** Continues the question of a handle: its dialog was answered, or a call repeats it or asks for the outcome. */
export async function continueQuestion(question: Question, handle: string): Promise<Answer | QuestionEnd> {
  const { act, runtime, asker, trail } = question;
  const approval = await findAsked(runtime.state, handle, act, asker.caller);
  trail.operationId = approval.operationId;
  runtime.tracing?.about(approval.operationId);
  const reply = await readReply(question, approval);
  // The order matters. An operation that was begun is presented, whatever the dialog says. A no to a replaced question
  // reaches the newer one. Only then does a question that is over throw.
  const operation = await enteredOperation(runtime, approval);
  if (operation !== undefined) return { kind: 'begun', approval, operation };
  if (reply?.kind === 'no' && approval.decision === 'replaced') return declineNewer(question, approval);
  assertStillOpenOrGranted(approval, runtime.clock.now());
  if (approval.decision === 'granted' && reply?.kind !== 'no') return { kind: 'granted', approval };
  return reply === undefined ? continueUnanswered(question, approval) : continueWithReply(question, approval, reply);
}

/**
 * Shows an open question again: "the same call comes anew, without its approval_id", such as a request that a client
 * sent twice. The call never counts as an answer, nor as the model's word.
 * @param channel the channel in which a new question would be asked
 */
export async function repeatQuestion(
  question: Question,
  approval: Approval,
  channel: AskedBy,
): Promise<Answer | QuestionEnd> {
  const { operationId } = approval;
  question.trail.operationId = operationId;
  question.runtime.tracing?.about(operationId);
  // Without `askedAt` the dialog has ended: no answer of it counts any more.
  const hasNoDialog = approval.askedBy === 'page' || (approval.askedBy === 'elicit' && approval.askedAt === undefined);
  // There is no other place to ask either: asks as for a new question.
  if (hasNoDialog && !hasPage(question)) return showDialogAgain(question, approval, channel);
  if (approval.askedBy === 'echo' && isStillAllowed(question, approval))
    return approvalRequired(question, approval, { way: 'echo' });
  return (await giveAddressAgain(question, approval)) ?? continueAsking(question, approval);
}

/** Continues an open question, or takes a yes back, by what came back from the dialog. */
async function continueWithReply(
  question: Question,
  approval: Approval,
  reply: ReplyOfDialog,
): Promise<Answer | QuestionEnd> {
  switch (reply.kind) {
    // "The dialog was not seen, or came back without a choice".
    case 'unseen':
      return askAfterUnseenDialog(question, approval, reply.why);
    case 'yes':
      if (isStillAllowed(question, approval)) return recordAndContinue(question, approval, YES);
      // "The settings became stricter".
      return waitOnPage(question, await moveToPage(question, approval));
    // "A person says no", or "a no comes before the send".
    case 'no':
      return recordAndContinue(question, approval, NO);
    // The question is asked elsewhere now, and an answer of this dialog no longer counts.
    case 'moved':
      return sayWhereToAnswer(question, approval, 'again');
    // The client opened the page: the person decides there.
    case 'opened':
      if (approval.askedBy === 'page') return waitOnPage(question, approval);
      return endDialog(question, approval);
    // The person dismissed the dialog.
    case 'closed':
      return endDialog(question, approval);
  }
}

/** Moves the question from a dialog that ended without a choice to the page. */
async function endDialog(question: Question, approval: Approval): Promise<Answer> {
  return sayWhereToAnswer(question, await moveToPage(question, approval), 'nowhere');
}

/** Continues an open question whose call is back without a dialog's answer. */
async function continueUnanswered(question: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  // "The model's word is enough here, and the call is back". Only by setting, or in the sandbox (channelFor).
  if (approval.askedBy === 'echo' && isStillAllowed(question, approval))
    return recordAndContinue(question, approval, MODELS_YES);
  return continueAsking(question, approval);
}

/**
 * "The call is back without an answer": asks on, in the first of these places that fits:
 *
 * 1. in the dialog and on the page, if the dialog is open, if both ask already, or if the dialog stays silent;
 * 2. in this client's dialog, shown again; in both once it was shown as often as is allowed;
 * 3. in another client's dialog, if there is no page;
 * 4. on the page.
 */
async function continueAsking(question: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  const { asker } = question;
  const isInDialog = approval.askedBy === 'elicit';
  const isDialogSilent = isInDialog && hasPage(question) && isSilent(question, approval);
  if (asker.isDialogOpen === true || approval.askedBy === 'either' || isDialogSilent)
    return waitOnPage(question, await moveToBoth(question, approval));
  if (isInDialog && asker.canElicit === true && isStillAllowed(question, approval)) {
    if (!hasPage(question) || mayShowAgain(question, approval)) return showDialogAgain(question, approval);
    return waitOnPage(question, await moveToBoth(question, approval));
  }
  const isInOtherDialog = isInDialog && approval.askedAt !== undefined;
  if (isInOtherDialog && !hasPage(question)) return approvalRequired(question, approval, { way: 'dialog' });
  return waitOnPage(question, await moveToPageForYes(question, approval));
}

/**
 * Records an answer and continues with the answer that counts, which may be an earlier one. `record` returns a granted
 * approval also for a no that takes this yes back: such a no ends as `declined`. A no that is the first answer throws.
 */
async function recordAndContinue(question: Question, asked: Approval, answer: GivenAnswer): Promise<QuestionEnd> {
  const { runtime, act, record = recordAnswer } = question;
  const approval = await record(runtime, asked, answer);
  if (approval?.decision !== 'granted') {
    if (approval?.decision === 'replaced' && !answer.yes) return declineNewer(question, approval);
    if (approval !== undefined) assertAnswerable(approval, runtime.clock.now());
    throw approvalInvalid(act.tool);
  }
  return { kind: answer.yes ? 'granted' : 'declined', approval };
}

/**
 * Answers a no to a question that a later call replaced. If only the model's word is asked for the later question, the
 * no declines it too: the model must not carry out what a person has just refused.
 */
async function declineNewer(question: Question, { tool, replacedBy = '' }: Approval): Promise<never> {
  const { runtime, record = recordAnswer } = question;
  const { approvals } = runtime.state;
  let newer = await approvals.byOperation(replacedBy);
  // The store writes `replacedBy` with every replacement.
  while (newer?.decision === 'replaced') newer = await approvals.byOperation(newer.replacedBy as string);
  const answered = newer?.askedBy === 'echo' ? await record(runtime, newer, NO) : undefined;
  // A no to a granted question that was not begun takes the yes back.
  const isDeclinedToo =
    answered?.decision === 'declined' ||
    (answered?.decision === 'granted' && (await enteredOperation(runtime, answered)) === undefined);
  throw isDeclinedToo ? approvalDeclined(tool) : earlierDeclined(replacedBy);
}

/** Waits until a person decides on the page or in a terminal, at most for the time that a call may wait. */
async function waitOnPage(question: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  const { runtime, asker, settings } = question;
  const { approvals } = runtime.state;
  if (!hasPage(question)) return approvalRequired(question, approval, { way: 'nowhere' });
  // The address of URL elicitation may carry a secret, and the model reads this answer.
  const opened = await settings.page?.open(approval, false);
  const place = answerPlace(opened);
  const unseen = await unseenBefore(question, approval);
  // No screen shows the question then, so waiting would be in vain.
  const waitMs = unseen !== undefined && place.way === 'terminal' ? 0 : longestWait(question);
  const until = runtime.clock.now() + waitMs;
  while (runtime.clock.now() < until && asker.signal?.aborted !== true) {
    const operation = await enteredOperation(runtime, approval);
    if (operation !== undefined) return { kind: 'begun', approval, operation };
    const current = await approvals.get(approval.handleHash);
    if (current !== undefined) assertStillOpenOrGranted(current, runtime.clock.now());
    if (current?.decision === 'granted' && mustCallCarryOut(current, runtime.clock.now()))
      return { kind: 'granted', approval: current };
    await runtime.clock.sleep(POLL_MS, asker.signal);
  }
  const current = (await approvals.get(approval.handleHash)) ?? approval;
  const why = current.askedBy === 'either' ? ASKED_IN_BOTH : unseen && endedUnseen(unseen);
  return approvalRequired(question, current, { ...place, hasWaited: true, why });
}

function endedUnseen(unseen: Unseen): string {
  return `The last dialog of this client was ${unseenWords(unseen)}, before a person can have read it.`;
}

/** The unseen dialog because of which the page asks, although a dialog is allowed. */
async function unseenBefore(question: Question, approval: Approval): Promise<Unseen | undefined> {
  const isDialogAllowed = isStillAllowed(question, { ...approval, askedBy: 'elicit' });
  return approval.askedBy === 'page' && isDialogAllowed ? lastUnseen(question, 1) : undefined;
}

/** The operation of an approval. Undefined for a plan's question: the operations of its lines show what was begun. */
async function enteredOperation({ state }: ApprovalRuntime, approval: Approval): Promise<Operation | undefined> {
  return isPlanQuestion(approval) ? undefined : state.operations.get(approval.operationId);
}

/** Throws if the answer came too late, or was no. A plan goes on for longer than its question could be answered. */
function assertStillOpenOrGranted(approval: Approval, now: number): void {
  if (!isPlanQuestion(approval) || approval.decision !== 'granted') assertAnswerable(approval, now);
}

/** Whether a waiting call must carry out what was granted elsewhere. Otherwise the page that took the yes does. */
function mustCallCarryOut(approval: Approval, now: number): boolean {
  const { decidedAt } = approval;
  if (isPlanQuestion(approval) || needsItsCall(approval) || decidedAt === undefined) return true;
  return now - decidedAt > PAGE_ENTERS_MS;
}
