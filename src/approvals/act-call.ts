/** A call of an act: previews, asks, waits for the yes, carries out once and presents the outcome. */

import { decidingActs } from '../journal/act.ts';
import { untraced } from '../journal/untraced.ts';
import type { Answer, Result } from './answer.ts';
import type { Approval } from './approval.ts';
import { leftOutBefore, withCaution } from './busy-booking.ts';
import { ask, channelFor, replacedNotice } from './channels.ts';
import { type ActCall, unsentError } from './consent-call.ts';
import { areDialogsUnseen } from './dialog-answer.ts';
import { presentRepeat, presentRepeatWithoutOffers } from './earlier-creates.ts';
import { approvalDeclined } from './endings.ts';
import { APPROVAL_MS } from './expiry.ts';
import { assertMayAsk } from './may-ask.ts';
import { waitAndPresent } from './present-outcome.ts';
import { continueQuestion, type QuestionEnd, repeatQuestion } from './question-states.ts';
import { carryOut } from './recheck-and-send.ts';
import { askOnce, grantUnasked, type NewQuestion, withOthers } from './request.ts';
import { tooManyOpen } from './shares-of-one-person.ts';
import { type Terms, withLeftOut } from './terms.ts';

/** Runs a call of an act until it has a result or a question. @param approvalId as the model gave it */
export async function actCall(request: Omit<ActCall, 'trail'>, approvalId: unknown): Promise<Answer> {
  // The handle names a question that was asked before. A dialog's answer brings the handle of its question.
  const handle = request.asker.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';

  // The trail is how far the call got. It tells `unsentError` whether a call that failed can have sent anything.
  const call: ActCall = { ...request, trail: { isNew } };

  try {
    const next = isNew ? await askOrRepeat(call) : await continueQuestion(call, handle);

    // If a question has ended, the call goes on with its end. Any other kind is an answer, for the client as it is.
    switch (next.kind) {
      case 'granted':
        return await carryOut(call, next.approval);
      case 'begun':
        return await waitAndPresent(call, next.approval, next.operation);
      case 'declined':
        return await presentAfterNo(call, next.approval);
      default:
        return next;
    }
  } catch (error) {
    throw await unsentError(call, error);
  }
}

/**
 * Answers a call without a handle. The first of these that fits counts:
 *
 * 1. The call repeats an earlier create: presents that one, and sends nothing.
 * 2. A limit or another operation forbids the act: throws.
 * 3. The act needs no yes: grants it at once.
 * 4. A person must be asked: asks, or shows the question again if it is open already.
 */
async function askOrRepeat(call: ActCall): Promise<Answer | QuestionEnd> {
  let previewed: Terms;
  try {
    previewed = await call.act.preview();
  } catch (error) {
    const repeat = await presentRepeatWithoutOffers(call, error);
    if (repeat === undefined) throw error;
    return repeat;
  }

  const [terms, leftOut] = await Promise.all([withCaution(call, previewed), leftOutBefore(call, previewed)]);

  // The checks run while earlier creates are read. A repeat sends nothing, so it is presented even if they fail.
  const checks = assertMayAsk(call, terms);
  // Only `await checks` throws their failure. Without this, Node.js would take one that comes sooner for uncaught.
  checks.catch(() => undefined);

  const repeat = await presentRepeat(call, terms);
  if (repeat) return repeat;

  await checks;
  return askAbout(call, withLeftOut(terms, leftOut));
}

/** Asks a person for a yes to these terms, if the act needs one. */
async function askAbout(call: ActCall, terms: Terms): Promise<Answer | QuestionEnd> {
  const { runtime } = call;
  const { tracing = untraced } = runtime;
  const operationId = runtime.random.uuid();
  tracing.about(operationId);
  const asked = { terms, operationId, trace: tracing.current() };

  // `echo` is the channel that asks no person.
  if (!terms.ask) {
    const question = newQuestion(call, { ...asked, askedBy: 'echo' });
    return { kind: 'granted', approval: await grantUnasked(runtime.state, question) };
  }

  const unseen = areDialogsUnseen(call);
  const channel = channelFor(call, terms, unseen);
  const question = newQuestion(call, { ...asked, askedBy: channel });
  const { approval, asking } = await askOnce(runtime.state, question, decidingActs(runtime.acts));

  switch (asking.kind) {
    case 'found':
      return repeatQuestion(call, approval);
    case 'too_many_open':
      throw tooManyOpen(APPROVAL_MS);
    case 'asked': {
      tracing.mark({ 'fareclerk.approval.channel': approval.askedBy }, 'approval asked');
      const others = replacedNotice(asking.replaced, [terms.locator]);
      return ask(call, await withOthers(runtime.state, approval, others), { unseen });
    }
  }
}

/** The question that the call asks about its act. */
function newQuestion(
  { act: { tool, args }, asker: { caller, client }, runtime }: ActCall,
  asked: Pick<NewQuestion, 'terms' | 'askedBy' | 'operationId' | 'trace'>,
): NewQuestion {
  const { ofWholeBooking } = runtime.acts.of(asked.terms.subject);
  return { ...asked, caller, client, tool, args, now: runtime.clock.now(), ofWholeBooking };
}

/** Presents the outcome after a no that came later than the yes: it stops only an act that was not begun. */
async function presentAfterNo(call: ActCall, approval: Approval): Promise<Result> {
  const operation = await call.runtime.state.operations.get(approval.operationId);
  if (operation === undefined) throw approvalDeclined(call.act.tool);
  return waitAndPresent(call, approval, operation);
}
