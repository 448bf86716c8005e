/** A call of a guarded tool: previews, asks, waits for the yes, carries out once and presents the outcome. */
import { untraced } from '../journal/tracing.ts';
import type { Answer } from './answer.ts';
import {
  approvalRequired,
  ask,
  askAgain,
  askElsewhere,
  askOnPage,
  channelFor,
  hasPage,
  isStillAllowed,
  moveToPage,
  whereOf,
} from './ask.ts';
import { assertMayAsk } from './before-asking.ts';
import { type DialogReply, type GuardedCall, type Presented, patienceOf } from './call-types.ts';
import { carryOut } from './carry-out.ts';
import { type DialogAnswer, readAnswer, readPageAnswer } from './dialog.ts';
import { draftOf } from './draft.ts';
import { repeatOfCreate } from './earlier-creates.ts';
import { approvalDeclined, approvalInvalid, assertAnswerable } from './expiry.ts';
import { withCaution } from './fresh-terms.ts';
import type { Approval, AskedBy, GivenAnswer } from './ports.ts';
import { waitAndPresent } from './present.ts';
import { askFor, grantUnasked, presented, type Question, recordAnswer } from './request.ts';
import { openBeside } from './silence.ts';
import { lastUnseen, noteSeen, noteUnseen, unseenWords } from './unseen-dialogs.ts';
import { markingUnsent } from './unsent.ts';

const POLL_MS = 250;

/** `approvalId`: as the model gave it. A dialog that comes back brings its own. */
export async function guardedCall(call: Omit<GuardedCall, 'trail'>, approvalId: unknown): Promise<Answer> {
  const handle = call.how.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';
  return markingUnsent(call, { isNew }, (bound) => (isNew ? first(bound) : again(bound, handle)));
}

async function first(call: GuardedCall): Promise<Answer> {
  const { act, runtime, how } = call;
  const terms = await withCaution(call, await act.preview());
  const repeat = await repeatOfCreate(call, terms);
  if (repeat) return repeat;
  await assertMayAsk(call, terms);
  const { tracing = untraced } = runtime;
  const operationId = runtime.random.uuid();
  tracing.about(operationId);
  const question = (askedBy: AskedBy): Question => ({
    caller: how.caller,
    client: how.client,
    tool: act.tool,
    args: act.args,
    carried: draftOf(act.args, terms),
    terms,
    askedBy,
    operationId,
    now: runtime.clock.now(),
    trace: tracing.current(),
  });
  if (!terms.ask) return carryOut(call, await grantUnasked(runtime.state, question('echo')));
  const unseen = await lastUnseen(call);
  const { approval, handle } = await askFor(runtime.state, question(channelFor(call, terms.money, unseen)));
  tracing.mark({ 'fareclerk.approval.channel': approval.askedBy }, 'approval asked');
  return ask(call, approval, handle, unseen);
}

/** A handle came: the dialog's answer, a repeat, or a call that asks what became of it. */
export async function again(call: GuardedCall, handle: string): Promise<Answer> {
  const { runtime, how, act } = call;
  const { operations } = runtime.state;
  const approval = await presented(runtime.state, handle, { caller: how.caller, tool: act.tool, args: act.args });
  call.trail.operationId = approval.operationId;
  runtime.tracing?.about(approval.operationId);
  const reply = how.dialog && (await readReply(call, approval, how.dialog));
  const operation = await operations.get(approval.operationId);
  if (operation !== undefined) return waitAndPresent(call, { approval, handle }, operation);
  // A plan goes on for longer than its question could be answered.
  if (call.whole === undefined || approval.decision !== 'granted') assertAnswerable(approval, runtime.clock.now());
  if (approval.decision === 'granted' && reply?.kind !== 'no') return carry(call, { approval, handle });
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

function carry(call: GuardedCall, presented: Presented & { readonly handle: string }): Promise<Answer> {
  return call.whole?.goOn(call, presented) ?? carryOut(call, presented);
}

async function dialogAnswered(call: GuardedCall, approval: Approval, handle: string, reply: Reply): Promise<Answer> {
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

async function answered(call: GuardedCall, asked: Approval, handle: string, answer: GivenAnswer): Promise<Answer> {
  const { state, clock } = call.runtime;
  const approval = await (call.whole?.record(asked, answer) ?? recordAnswer(call.runtime, asked, answer));
  if (approval?.decision !== 'granted') {
    if (approval !== undefined) assertAnswerable(approval, clock.now());
    throw approvalInvalid(call.act.tool);
  }
  if (answer.yes || call.whole !== undefined) return carry(call, { approval, handle });
  const operation = await state.operations.get(approval.operationId);
  if (operation !== undefined) return waitAndPresent(call, { approval, handle }, operation);
  throw approvalDeclined(call.act.tool);
}

async function waitOnPage(call: GuardedCall, approval: Approval, handle: string): Promise<Answer> {
  const { runtime, how, settings } = call;
  const { approvals, operations } = runtime.state;
  if (!hasPage(call)) return approvalRequired(call, approval, handle, { way: 'nowhere' });
  // The address of URL elicitation may carry a secret, and the model reads this answer.
  const shown = await settings.page?.open(approval, false);
  const until = runtime.clock.now() + patienceOf(call);
  while (runtime.clock.now() < until && how.signal?.aborted !== true) {
    const operation = await operations.get(approval.operationId);
    if (operation !== undefined) return waitAndPresent(call, { approval, handle }, operation);
    const current = await approvals.get(approval.handleHash);
    if (current !== undefined) assertAnswerable(current, runtime.clock.now());
    if (current?.decision === 'granted' && call.whole !== undefined) return carry(call, { approval: current, handle });
    // Nobody carried out the yes in time, so this call does.
    if (current?.decision === 'granted' && isOverdue(current, runtime.clock.now()))
      return carryOut(call, { approval: current, handle });
    await runtime.clock.sleep(POLL_MS, how.signal);
  }
  const current = (await approvals.get(approval.handleHash)) ?? approval;
  return approvalRequired(call, current, handle, { ...whereOf(shown), ...(current.askedBy === 'either' && BOTH) });
}

const BOTH = { why: 'The dialog has not been answered. The first answer counts, in the dialog or here.' };

/** A page that works enters the operation sooner than this. */
const OVERDUE_MS = 2_000;

function isOverdue({ decidedAt }: Approval, now: number): boolean {
  return decidedAt === undefined || now - decidedAt > OVERDUE_MS;
}

/** `opened`: the client opened the page. `moved`: the dialog may no longer answer. `unseen`: no person saw it; says why. */
type Reply = { readonly kind: DialogAnswer | 'opened' | 'moved' } | { readonly kind: 'unseen'; readonly why: string };

/**
 * Remembers whether this client's dialogs are seen. A yes is measured from the last showing. A no sends nothing: it is measured
 * from the first showing, because that dialog may still be open, and counts after the question moved to the page too.
 */
async function readReply(call: GuardedCall, approval: Approval, dialog: DialogReply): Promise<Reply> {
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

function whyUnseen(kind: Reply['kind'], tookMs: number, floorMs: number): string | undefined {
  if (tookMs < floorMs) {
    const how = unseenWords({ tookMs });
    return `The dialog was ${how}, before a person can have read it: that does not count as an answer.`;
  }
  return kind === 'none' ? 'The dialog came back without a choice: that does not count as an answer.' : undefined;
}
