/** A call of an act: previews, asks, waits for the yes, carries out once and presents the outcome. */
import { untraced } from '../journal/tracing.ts';
import type { Answer } from './answer.ts';
import { ask, channelFor } from './ask.ts';
import { assertMayAsk, withCaution } from './before-asking.ts';
import type { ActCall, Question, QuestionCall } from './call-types.ts';
import { carryOut, toItsTerms } from './carry-out.ts';
import { repeatOfCreate } from './earlier-creates.ts';
import { approvalDeclined, assertAnswerable } from './expiry.ts';
import type { Approval, AskedBy } from './ports.ts';
import { waitAndPresent } from './present.ts';
import { again } from './question.ts';
import { askFor, grantUnasked, type NewQuestion, recordAnswer, toCarry } from './request.ts';
import { lastUnseen } from './unseen-dialogs.ts';
import { markingUnsent } from './unsent.ts';

/** `approvalId`: as the model gave it. A dialog that comes back brings its own. */
export async function actCall(call: Omit<ActCall, 'trail'>, approvalId: unknown): Promise<Answer> {
  const handle = call.how.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';
  return markingUnsent(call, { isNew }, (bound) => (isNew ? first(bound) : again(asQuestion(bound), handle)));
}

async function first(call: ActCall): Promise<Answer> {
  const { act, runtime, how } = call;
  const terms = await withCaution(call, await act.preview());
  const repeat = await repeatOfCreate(call, terms);
  if (repeat) return repeat;
  await assertMayAsk(call, terms);
  const { tracing = untraced } = runtime;
  const operationId = runtime.random.uuid();
  tracing.about(operationId);
  const question = (askedBy: AskedBy): NewQuestion => ({
    caller: how.caller,
    client: how.client,
    tool: act.tool,
    args: act.args,
    carried: toCarry(act.args, terms),
    terms,
    askedBy,
    operationId,
    now: runtime.clock.now(),
    trace: tracing.current(),
  });
  if (!terms.ask) return carryOut(call, await grantUnasked(runtime.state, question('echo')), toItsTerms(call));
  const unseen = await lastUnseen(call);
  const { approval, handle } = await askFor(runtime.state, question(channelFor(call, terms.money, unseen)));
  tracing.mark({ 'fareclerk.approval.channel': approval.askedBy }, 'approval asked');
  return ask(asQuestion(call), approval, handle, unseen);
}

/** The question about one act. */
function asQuestion(call: ActCall): QuestionCall {
  const { act, how, runtime, settings, trail } = call;
  const { operations } = runtime.state;
  const begun: Question['begun'] = async (presented) => {
    const operation = await operations.get(presented.approval.operationId);
    return operation && waitAndPresent(call, presented, operation);
  };
  const question: Question = {
    tool: act.tool,
    args: act.args,
    record: (asked, answer) => recordAnswer(runtime, asked, answer),
    assertGoesOn: assertAnswerable,
    isLeftToCalls: isOverdue,
    begun,
    carryOut: (presented) => carryOut(call, presented, toItsTerms(call)),
    async declined(presented) {
      const told = await begun(presented);
      if (told === undefined) throw approvalDeclined(act.tool);
      return told;
    },
  };
  return { question, how, runtime, settings, trail };
}

/** A page that works enters the operation sooner than this. */
const OVERDUE_MS = 2_000;

function isOverdue({ decidedAt }: Approval, now: number): boolean {
  return decidedAt === undefined || now - decidedAt > OVERDUE_MS;
}
