/** A call of an act: previews, asks, waits for the yes, carries out once and presents the outcome. */
import { untraced } from '../journal/tracing.ts';
import type { Answer } from './answer.ts';
import { ask } from './ask.ts';
import { assertMayAsk, withCaution } from './before-asking.ts';
import type { ActCall } from './call-types.ts';
import { enterAndRun } from './carry-out.ts';
import { channelFor } from './channels.ts';
import { repeatOfCreate, repeatWithoutOffers } from './earlier-creates.ts';
import { approvalDeclined, assertAnswerable } from './expiry.ts';
import type { Approval, AskedBy } from './ports.ts';
import { waitAndPresent } from './present.ts';
import { continueQuestion, type Question } from './question.ts';
import { askFor, grantUnasked, type NewQuestion, recordAnswer } from './request.ts';
import type { Terms } from './terms.ts';
import { lastUnseen } from './unseen-dialogs.ts';
import { markingUnsent } from './unsent.ts';

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
  const repeat = await repeatOfCreate(call, terms);
  if (repeat) return repeat;
  await assertMayAsk(call, terms);
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
  });
  if (!terms.ask) return enterAndRun(call, await grantUnasked(runtime.state, question('echo')));
  const unseen = await lastUnseen(call);
  const { approval, handle } = await askFor(runtime.state, question(channelFor(call, terms.money, unseen)));
  tracing.mark({ 'fareclerk.approval.channel': approval.askedBy }, 'approval asked');
  return ask(call, approval, handle, unseen);
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
