/** A call of an act: previews, asks, waits for the yes, carries out once and presents the outcome. */

import type { ClerkError } from '../core/errors.ts';
import { MINUTE_MS, showLeft } from '../core/times.ts';
import { untraced } from '../journal/ports.ts';
import type { Answer } from './answer.ts';
import { ask, channelFor } from './ask.ts';
import { enterAndRun } from './carry-out.ts';
import { type ActCall, markingUnsent } from './consent-call.ts';
import { lastUnseen } from './dialog.ts';
import { repeatOfCreate, repeatWithoutOffers } from './earlier-creates.ts';
import { assertMayAsk, QUESTIONS, shareUsedUp, tooManyOpen, withCaution } from './limits.ts';
import { APPROVAL_MS, type Approval, type AskedBy, type Asking, approvalDeclined, assertAnswerable } from './ports.ts';
import { waitAndPresent } from './present.ts';
import { continueQuestion, type Question, repeatQuestion } from './question.ts';
import { askOnce, grantUnasked, type NewQuestion, recordAnswer } from './request.ts';
import type { Terms } from './terms.ts';

/** `approvalId`: as the model gave it. A dialog that comes back brings its own. */
export async function actCall(called: Omit<ActCall, 'trail'>, approvalId: unknown): Promise<Answer> {
  const handle = called.asker.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';
  const call: ActCall = { ...called, trail: { isNew } };
  return markingUnsent(call, () => (isNew ? first(call) : continueQuestion(questionOf(call), handle)));
}

async function first(call: ActCall): Promise<Answer> {
  const { act, runtime, asker } = call;
  let previewed: Terms;
  try {
    previewed = await act.preview();
  } catch (error) {
    const repeat = await repeatWithoutOffers(call, error);
    if (repeat === undefined) throw error;
    return repeat;
  }
  const terms = await withCaution(call, previewed);
  const mayAsk = assertMayAsk(call, terms);
  mayAsk.catch(() => undefined);
  const repeat = await repeatOfCreate(call, terms);
  if (repeat) return repeat;
  await mayAsk;
  const { tracing = untraced } = runtime;
  const operationId = runtime.random.uuid();
  tracing.about(operationId);
  const question = (askedBy: AskedBy): NewQuestion => ({
    caller: asker.caller,
    client: asker.client,
    tool: act.tool,
    args: act.args,
    terms,
    askedBy,
    operationId,
    now: runtime.clock.now(),
    trace: tracing.current(),
    ofWholeBooking: runtime.acts.of(terms.subject).ofWholeBooking,
  });
  if (!terms.ask) return enterAndRun(call, await grantUnasked(runtime.state, question('echo')));
  const unseen = await lastUnseen(call);
  const channel = channelFor(call, terms.money, unseen);
  const asked = await askOnce(runtime.state, question(channel));
  const { approval, handle, asking } = asked;
  switch (asking.kind) {
    case 'found':
      return repeatQuestion(questionOf(call), asked, channel);
    case 'replaced_too_often':
      throw replacedTooOften(asking, runtime.clock.now());
    case 'too_many_open':
      throw tooManyOpen(APPROVAL_MS);
    case 'asked':
      tracing.mark({ 'fareclerk.approval.channel': approval.askedBy }, 'approval asked');
      return ask(call, approval, handle, { unseen, replaced: asking.replaced });
  }
}

/** So that people are not kept from answering. Names the question that is open. */
function replacedTooOften({ open, freeAt }: Asking & { readonly kind: 'replaced_too_often' }, now: number): ClerkError {
  const { tool, operationId, act, locator = 'this trip', expiresAt } = open;
  const until = Math.max(1_000, Math.min(expiresAt, freeAt) - now);
  const minutes = Math.ceil(until / MINUTE_MS);
  return shareUsedUp(
    `${QUESTIONS.replaced} questions about ${locator} were replaced within an hour. Nothing was asked, replaced or sent: the question that is open stays (${act}, operation ${operationId}).`,
    `A person must answer that question first, or wait ${showLeft(minutes)}. To go on with it, call ${tool} with its arguments and without approval_id.`,
    until,
  );
}

/** The question about one act. */
function questionOf(call: ActCall): Question {
  const { act, runtime } = call;
  const begun: Question['begun'] = async (asked) => {
    const operation = await runtime.state.operations.get(asked.approval.operationId);
    return operation && waitAndPresent(call, asked, operation);
  };
  return {
    ...call,
    tool: act.tool,
    args: act.args,
    record: (asked, answer) => recordAnswer(runtime, asked, answer),
    assertGoesOn: assertAnswerable,
    isLeftToCalls: isOverdue,
    begun,
    carryOut: (asked) => enterAndRun(call, asked),
    async declined(asked) {
      const result = await begun(asked);
      if (result === undefined) throw approvalDeclined(act.tool);
      return result;
    },
  };
}

/** A page that works enters the operation sooner than this. */
const OVERDUE_MS = 2_000;

function isOverdue({ decidedAt }: Approval, now: number): boolean {
  return decidedAt === undefined || now - decidedAt > OVERDUE_MS;
}
