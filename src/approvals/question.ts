/**
 * A question, from asking to the answer that counts. What follows the answer is for who asked: one act is carried
 * out, or the lines of a plan.
 *
 * | it is       | and then                                               | it is                                  |
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
 * | asked       | a call of the same booking and act asks otherwise      | replaced by that one's question        |
 * | asked       | the same is done under another question                | overtaken                              |
 * | asked       | another act of the kind changes the booking            | outdated: a new call asks anew         |
 * | granted     | a call, the page or the terminal begins it             | carried out                            |
 * | granted     | a no comes before it is sent                           | spent; of a plan nothing more begins   |
 * | granted     | the terms are others, or it may not be sent now        | spent: a new call asks anew            |
 * | granted     | ten minutes pass, for a plan's lines thirty            | expired                                |
 * | carried out | the caller learns the outcome                          | told, and an act's is spent            |
 *
 * Of two answers the store takes the first (compare-and-set), and so of an answer and a replacing. Of two that begin
 * it the journal takes one. What needs no question is granted at once. A caller has one question open for a booking
 * and an act, and replaces five in an hour at most by other arguments: a sixth is refused. A plan is one question
 * about many acts, replaced only by a newer one of the same plan.
 */
import type { Operation } from '../journal/operation.ts';
import type { Answer } from './answer.ts';
import {
  approvalRequired,
  askAgain,
  askElsewhere,
  askOnPage,
  closedDialog,
  giveAddressAgain,
  hasPage,
  isStillAllowed,
  moveToPage,
  whereShown,
} from './ask.ts';
import { type ApprovalRuntime, longestWait, type Question } from './consent-call.ts';
import { askInBoth, isSilent, lastUnseen, mayShowAgain, readReply, unseenWords } from './dialog-answer.ts';
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

/** `begun`: the act was entered before. `granted`: it is carried out now. `declined`: a no came later than a yes. */
export type QuestionEnd =
  | { readonly kind: 'begun'; readonly approval: Approval; readonly operation: Operation }
  | { readonly kind: 'granted' | 'declined'; readonly approval: Approval };

/** Time between two readings of a question that is open on the page. */
const POLL_MS = 250;

/** A handle came: the dialog's answer, a repeat, or a call that asks what became of it. */
export async function continueQuestion(question: Question, handle: string): Promise<Answer | QuestionEnd> {
  const { act, runtime, asker, trail } = question;
  const approval = await findAsked(runtime.state, handle, act, asker.caller);
  trail.operationId = approval.operationId;
  runtime.tracing?.about(approval.operationId);
  const reply = await readReply(question, approval);
  const operation = await enteredOperation(runtime, approval);
  if (operation !== undefined) return { kind: 'begun', approval, operation };
  if (reply?.kind === 'no' && approval.decision === 'replaced') return declineNewer(question, approval);
  assertGoesOn(approval, runtime.clock.now());
  if (approval.decision === 'granted' && reply?.kind !== 'no') return { kind: 'granted', approval };
  switch (reply?.kind) {
    case 'unseen':
      return askElsewhere(question, approval, reply.why);
    case 'yes':
      if (isStillAllowed(question, approval)) return goOnWith(question, approval, YES);
      return waitOnPage(question, await moveToPage(question, approval));
    case 'no':
      return goOnWith(question, approval, NO);
    case 'moved':
      return closedDialog(question, approval, 'again');
    case undefined:
      // Two calls: the model's word, allowed only by setting or in the sandbox (channelFor).
      if (approval.askedBy === 'echo' && isStillAllowed(question, approval))
        return goOnWith(question, approval, { yes: true, assurance: 'caller_confirmed' });
      return goOnAsking(question, approval);
    case 'opened':
      if (approval.askedBy === 'page') return waitOnPage(question, approval);
  }
  return closedDialog(question, await moveToPage(question, approval), 'nowhere');
}

const YES: GivenAnswer = { yes: true, assurance: 'person' };
const NO: GivenAnswer = { yes: false, assurance: 'person' };

/** A plan's question enters no operation: what was begun of it is in the operations of its lines. */
async function enteredOperation({ state }: ApprovalRuntime, approval: Approval): Promise<Operation | undefined> {
  return isPlanQuestion(approval) ? undefined : state.operations.get(approval.operationId);
}

/** Throws if the answer came too late, or was no. A plan goes on for longer than its question could be answered. */
function assertGoesOn(approval: Approval, now: number): void {
  if (!isPlanQuestion(approval) || approval.decision !== 'granted') assertAnswerable(approval, now);
}

/** A page that works enters the operation sooner than this. */
const OVERDUE_MS = 2_000;

/** Whether a call that waits carries out what was granted elsewhere, or leaves it to where it was granted. */
function isLeftToCalls(approval: Approval, now: number): boolean {
  const { decidedAt } = approval;
  const isNow = isPlanQuestion(approval) || needsItsCall(approval) || decidedAt === undefined;
  return isNow || now - decidedAt > OVERDUE_MS;
}

/**
 * The same call came without its handle, such as a request that a client sent again: the question is open already.
 * Never counts as an answer, nor as the model's word.
 * @param channel of a new question
 */
export async function repeatQuestion(
  question: Question,
  approval: Approval,
  channel: AskedBy,
): Promise<Answer | QuestionEnd> {
  const { operationId } = approval;
  question.trail.operationId = operationId;
  question.runtime.tracing?.about(operationId);
  // Its dialog ended, and nothing else can ask it: it is asked as a new one would be.
  const isOver = approval.askedBy === 'page' || (approval.askedBy === 'elicit' && approval.askedAt === undefined);
  if (isOver && !hasPage(question)) return askAgain(question, approval, channel);
  if (approval.askedBy === 'echo' && isStillAllowed(question, approval))
    return approvalRequired(question, approval, { way: 'echo' });
  return (await giveAddressAgain(question, approval)) ?? goOnAsking(question, approval);
}

async function goOnAsking(question: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  const { asker } = question;
  const inDialog = approval.askedBy === 'elicit';
  const isUnanswered = inDialog && hasPage(question) && isSilent(question, approval);
  if (asker.isDialogOpen === true || approval.askedBy === 'either' || isUnanswered)
    return waitOnPage(question, await askInBoth(question, approval));
  if (inDialog && asker.canElicit === true && isStillAllowed(question, approval)) {
    if (!hasPage(question) || mayShowAgain(question, approval)) return askAgain(question, approval);
    return waitOnPage(question, await askInBoth(question, approval));
  }
  // Another client shows it: on a page that is not there nobody could answer.
  if (inDialog && approval.askedAt !== undefined && !hasPage(question))
    return approvalRequired(question, approval, { way: 'dialog' });
  return waitOnPage(question, await askOnPage(question, approval));
}

/** Goes on with the answer that counts, which may be another one. */
async function goOnWith(question: Question, asked: Approval, answer: GivenAnswer): Promise<QuestionEnd> {
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
 * A no to a question that a later call replaced. Where nobody else is asked the later one, it is declined too: a
 * model's word must not carry out what a person has just said no to.
 */
async function declineNewer(question: Question, { tool, replacedBy = '' }: Approval): Promise<never> {
  const { runtime, record = recordAnswer } = question;
  const { approvals } = runtime.state;
  let newer = await approvals.byOperation(replacedBy);
  // The store names it with every replacing.
  while (newer?.decision === 'replaced') newer = await approvals.byOperation(newer.replacedBy as string);
  const answered = newer?.askedBy === 'echo' ? await record(runtime, newer, NO) : undefined;
  // A no to what was granted and not begun takes the yes back.
  const isOver =
    answered?.decision === 'declined' ||
    (answered?.decision === 'granted' && (await enteredOperation(runtime, answered)) === undefined);
  throw isOver ? approvalDeclined(tool) : earlierDeclined(replacedBy);
}

async function waitOnPage(question: Question, approval: Approval): Promise<Answer | QuestionEnd> {
  const { runtime, asker, settings } = question;
  const { approvals } = runtime.state;
  if (!hasPage(question)) return approvalRequired(question, approval, { way: 'nowhere' });
  // The address of URL elicitation may carry a secret, and the model reads this answer.
  const shown = await settings.page?.open(approval, false);
  const where = whereShown(shown);
  const unseen = await unseenBefore(question, approval);
  // Nothing is on a screen that a person could answer while this call waits.
  const patience = unseen !== undefined && where.way === 'terminal' ? 0 : longestWait(question);
  const until = runtime.clock.now() + patience;
  while (runtime.clock.now() < until && asker.signal?.aborted !== true) {
    const operation = await enteredOperation(runtime, approval);
    if (operation !== undefined) return { kind: 'begun', approval, operation };
    const current = await approvals.get(approval.handleHash);
    if (current !== undefined) assertGoesOn(current, runtime.clock.now());
    if (current?.decision === 'granted' && isLeftToCalls(current, runtime.clock.now()))
      return { kind: 'granted', approval: current };
    await runtime.clock.sleep(POLL_MS, asker.signal);
  }
  const current = (await approvals.get(approval.handleHash)) ?? approval;
  const why = current.askedBy === 'either' ? ASKED_IN_BOTH : unseen && endedUnseen(unseen);
  return approvalRequired(question, current, { ...where, hasWaited: true, why });
}

const ASKED_IN_BOTH = 'The dialog has not been answered. The first answer counts, in the dialog or here.';

const endedUnseen = (unseen: Unseen) =>
  `The last dialog of this client was ${unseenWords(unseen)}, before a person can have read it.`;

/** The unseen dialog because of which the page asks, where a dialog would. */
async function unseenBefore(question: Question, approval: Approval): Promise<Unseen | undefined> {
  const moved = approval.askedBy === 'page' && isStillAllowed(question, { ...approval, askedBy: 'elicit' });
  return moved ? lastUnseen(question, 1) : undefined;
}
