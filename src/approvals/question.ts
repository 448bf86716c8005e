/**
 * A question, from asking to the answer that counts. What follows the answer is the question's own: one act is carried out, or
 * the lines of a plan.
 *
 * | it is       | and then                                               | it is                                  |
 * | ----------- | ------------------------------------------------------ | -------------------------------------- |
 * | asked       | a person says yes: in the dialog, page or terminal     | granted                                |
 * | asked       | a person says no                                       | declined                               |
 * | asked       | ten minutes pass                                       | expired                                |
 * | asked       | the dialog was not seen, or came back without a choice | asked on the page; without one, again  |
 * | asked       | the dialog stays silent, and there is a page           | asked in both: the first answer counts |
 * | asked       | the settings became stricter                           | asked on the page                      |
 * | asked       | the model's word is enough here, and the call is back  | granted                                |
 * | asked       | the call is back without an answer                     | asked again, or on the page            |
 * | granted     | a call, the page or the terminal begins it             | carried out                            |
 * | granted     | a no comes before it is sent                           | spent; of a plan nothing more begins   |
 * | granted     | the terms are others, or it may not be sent now        | spent: a new call asks anew            |
 * | granted     | ten minutes pass, for a plan's lines thirty            | expired                                |
 * | carried out | the caller learns the outcome                          | told, and an act's is spent            |
 *
 * Of two answers the store takes the first (compare-and-set). Of two that begin it the journal takes one. What needs no question
 * is granted at once.
 */
import type { Answer } from './answer.ts';
import {
  approvalRequired,
  askAgain,
  askElsewhere,
  askOnPage,
  hasPage,
  isStillAllowed,
  moveToPage,
  whereOf,
} from './ask.ts';
import { type DialogReply, patienceOf, type QuestionCall } from './call-types.ts';
import { type DialogAnswer, readAnswer, readPageAnswer } from './dialog.ts';
import { approvalInvalid, assertAnswerable } from './expiry.ts';
import type { Approval, GivenAnswer } from './ports.ts';
import { findAsked } from './request.ts';
import { noteSeen, noteUnseen, openBeside, unseenWords } from './unseen-dialogs.ts';

const POLL_MS = 250;

/** A handle came: the dialog's answer, a repeat, or a call that asks what became of it. */
export async function again(call: QuestionCall, handle: string): Promise<Answer> {
  const { runtime, how, question } = call;
  const { tool, args } = question;
  const approval = await findAsked(runtime.state, handle, { caller: how.caller, tool, args });
  call.trail.operationId = approval.operationId;
  runtime.tracing?.about(approval.operationId);
  const reply = how.dialog && (await readReply(call, approval, how.dialog));
  const begun = await question.begun({ approval, handle });
  if (begun !== undefined) return begun;
  question.assertGoesOn(approval, runtime.clock.now());
  if (approval.decision === 'granted' && reply?.kind !== 'no') return question.carryOut({ approval, handle });
  if (reply !== undefined) return dialogAnswered(call, approval, handle, reply);
  // Two calls: the model's word, allowed only by setting or in the sandbox (channels.ts).
  if (approval.askedBy === 'echo' && isStillAllowed(call, approval))
    return answered(call, approval, handle, { yes: true, assurance: 'caller_confirmed' });
  if (how.isDialogOpen === true || approval.askedBy === 'either')
    return waitOnPage(call, await openBeside(call, approval), handle);
  if (approval.askedBy === 'elicit' && how.canElicit === true && isStillAllowed(call, approval))
    return askAgain(call, approval, handle);
  return waitOnPage(call, await askOnPage(call, approval), handle);
}

async function dialogAnswered(
  call: QuestionCall,
  approval: Approval,
  handle: string,
  reply: ChannelReply,
): Promise<Answer> {
  switch (reply.kind) {
    case 'unseen':
      return askElsewhere(call, approval, handle, reply.why);
    case 'yes':
      if (!isStillAllowed(call, approval)) return waitOnPage(call, await moveToPage(call, approval), handle);
      return answered(call, approval, handle, { yes: true, assurance: 'person' });
    case 'no':
      return answered(call, approval, handle, { yes: false, assurance: 'person' });
    case 'opened':
      if (approval.askedBy === 'page') return waitOnPage(call, approval, handle);
      break;
    case 'moved':
      return approvalRequired(call, approval, handle, { way: hasPage(call) ? 'closed' : 'again' });
  }
  const moved = await moveToPage(call, approval);
  return approvalRequired(call, moved, handle, { way: hasPage(call) ? 'closed' : 'nowhere' });
}

async function answered(call: QuestionCall, asked: Approval, handle: string, answer: GivenAnswer): Promise<Answer> {
  const { question } = call;
  const approval = await question.record(asked, answer);
  if (approval?.decision !== 'granted') {
    if (approval !== undefined) assertAnswerable(approval, call.runtime.clock.now());
    throw approvalInvalid(question.tool);
  }
  return answer.yes ? question.carryOut({ approval, handle }) : question.declined({ approval, handle });
}

async function waitOnPage(call: QuestionCall, approval: Approval, handle: string): Promise<Answer> {
  const { runtime, how, settings, question } = call;
  const { approvals } = runtime.state;
  if (!hasPage(call)) return approvalRequired(call, approval, handle, { way: 'nowhere' });
  // The address of URL elicitation may carry a secret, and the model reads this answer.
  const shown = await settings.page?.open(approval, false);
  const until = runtime.clock.now() + patienceOf(call);
  while (runtime.clock.now() < until && how.signal?.aborted !== true) {
    const begun = await question.begun({ approval, handle });
    if (begun !== undefined) return begun;
    const current = await approvals.get(approval.handleHash);
    if (current !== undefined) question.assertGoesOn(current, runtime.clock.now());
    if (current?.decision === 'granted' && question.isLeftToCalls(current, runtime.clock.now()))
      return question.carryOut({ approval: current, handle });
    await runtime.clock.sleep(POLL_MS, how.signal);
  }
  const current = (await approvals.get(approval.handleHash)) ?? approval;
  return approvalRequired(call, current, handle, { ...whereOf(shown), ...(current.askedBy === 'either' && BOTH) });
}

const BOTH = { why: 'The dialog has not been answered. The first answer counts, in the dialog or here.' };

/** `opened`: the client opened the page. `moved`: the dialog may no longer answer. `unseen`: no person saw it; says why. */
type ChannelReply =
  | { readonly kind: DialogAnswer | 'opened' | 'moved' }
  | { readonly kind: 'unseen'; readonly why: string };

/**
 * Remembers whether this client's dialogs are seen. A yes is measured from the last showing. A no sends nothing: it is measured
 * from the first showing, because that dialog may still be open, and counts after the question moved to the page too.
 */
async function readReply(call: QuestionCall, approval: Approval, dialog: DialogReply): Promise<ChannelReply> {
  const inDialog = approval.askedBy === 'elicit' || approval.askedBy === 'either';
  const answer = readAnswer(dialog.raw, approval.act);
  const kind = inDialog || answer === 'no' ? answer : readPageAnswer(dialog.raw);
  const { askedAt, shownAt = askedAt } = approval;
  if (askedAt === undefined || shownAt === undefined) return { kind: kind === 'opened' ? kind : 'moved' };
  const tookMs = dialog.tookMs ?? call.runtime.clock.now() - (kind === 'no' ? shownAt : askedAt);
  const why = whyUnseen(kind, tookMs, call.settings.dialogFloorMs);
  if (why === undefined) {
    await noteSeen(call);
    return { kind };
  }
  await noteUnseen(call, tookMs);
  return { kind: 'unseen', why };
}

function whyUnseen(kind: ChannelReply['kind'], tookMs: number, floorMs: number): string | undefined {
  if (tookMs < floorMs) {
    const how = unseenWords({ tookMs });
    return `The dialog was ${how}, before a person can have read it: that does not count as an answer.`;
  }
  return kind === 'none' ? 'The dialog came back without a choice: that does not count as an answer.' : undefined;
}
