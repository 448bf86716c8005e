/**
 * A call of a guarded tool: preview, ask, wait for the yes, carry out once, tell the outcome.
 */
import { ClerkError } from '../errors.ts';
import type { Answer } from '../server/answer.ts';
import type { PageOpener } from '../server/context.ts';
import { type GuardedCall, WAIT_MS } from '../server/context.ts';
import { assertMaySend, carryOut, type Draft, draftOf, moneyOf } from './carry-out.ts';
import { chooseChannel } from './channels.ts';
import { type DialogAnswer, formSchema, readAnswer } from './dialog.ts';
import { repeatOfCreate } from './earlier-creates.ts';
import { termsNow } from './fresh-terms.ts';
import { assertWithinLimits, dayExceeded, dayLimit } from './limits.ts';
import type { Approval, AskedBy } from './ports.ts';
import { approvalRequired, bookingBusy, follow, type WaitingWay } from './present.ts';
import {
  approvalDeclined,
  askFor,
  assertAnswerable,
  decide,
  grantUnasked,
  presented,
  type Question,
} from './request.ts';
import type { MoneyAtStake, Terms } from './terms.ts';
import { tellingUnsent } from './unsent.ts';

const POLL_MS = 250;

export async function guardedCall(call: Omit<GuardedCall, 'trail'>): Promise<Answer> {
  const { approval_id: approvalId, ...args } = call.args;
  const handle = call.how.dialog?.handle ?? approvalId;
  const isNew = typeof handle !== 'string';
  return tellingUnsent({ ...call, args }, { isNew }, (bound) => (isNew ? first(bound) : again(bound, handle)));
}

/** No approval yet: the terms, then the question. */
async function first(call: GuardedCall): Promise<Answer> {
  const { tool, args, options, parts } = call;
  const terms = await termsNow(call, call.context);
  const repeat = await repeatOfCreate(call, terms);
  if (repeat) return repeat;
  await assertMaySend(call);
  assertWithinLimits(options.limits, terms.money);
  await assertNotBusy(call, terms);
  await assertWithinDay(call, terms.money);
  const question = (askedBy: AskedBy): Question => ({
    caller: call.how.caller,
    tool: tool.name,
    args,
    carried: draftOf(args, terms),
    terms,
    askedBy,
    operationId: parts.random.uuid(),
    now: parts.clock.now(),
  });
  if (!terms.ask) {
    const { approval, handle } = await grantUnasked(parts.state.approvals, question('echo'));
    return carryOut(call, approval, handle);
  }
  const asked = question(rung(call, terms.money));
  const { approval, handle } = await askFor(parts.state.approvals, asked);
  return put(call, approval, handle);
}

function rung(call: GuardedCall, money: MoneyAtStake | undefined): AskedBy {
  const { options, how } = call;
  return chooseChannel({
    mode: options.approval,
    environment: options.environment,
    // A dialog that came back was shown.
    canElicit: how.canElicit === true || how.dialog !== undefined,
    canShowPage: options.page !== undefined && (options.page.canOpen() || how.canOpenUrls === true),
    canUseTerminal: options.canUseTerminal,
    ...(money && { money }),
    ...(options.pageAbove && { pageAbove: options.pageAbove }),
  });
}

/** Puts the question the way it was decided. */
async function put(call: GuardedCall, approval: Approval, handle: string): Promise<Answer> {
  switch (approval.askedBy) {
    case 'elicit':
      return { kind: 'ask', message: approval.lines.join('\n'), form: formSchema(approval.act), handle };
    case 'echo':
      return approvalRequired(call, approval, handle, { way: 'echo' });
    case 'page':
      return showPage(call, approval, handle);
  }
}

async function showPage(call: GuardedCall, approval: Approval, handle: string): Promise<Answer> {
  const shown = await call.options.page?.open(approval, call.how.canOpenUrls === true);
  if (shown?.url !== undefined && call.how.canOpenUrls === true && call.how.dialog === undefined) {
    return { kind: 'ask_url', message: `Please decide on the page: ${approval.act}`, url: shown.url, handle };
  }
  return approvalRequired(call, approval, handle, wayOf(shown));
}

type Shown = Awaited<ReturnType<PageOpener['open']>> | undefined;

function wayOf(shown: Shown): { way: WaitingWay; url?: string } {
  if (shown?.publicUrl !== undefined) return { way: 'link', url: shown.publicUrl };
  return { way: shown?.opened ? 'page' : 'terminal' };
}

/** A handle was presented: the dialog's answer, a repeat, or a question how it stands. */
async function again(call: GuardedCall, handle: string): Promise<Answer> {
  const { parts, how } = call;
  const approval = await presented(parts.state.approvals, handle, {
    caller: how.caller,
    tool: call.tool.name,
    args: call.args,
  });
  call.trail.operationId = approval.operationId;
  const operation = await parts.state.operations.get(approval.operationId);
  if (operation !== undefined) return follow(call, approval, handle, operation);
  assertAnswerable(approval, parts.clock.now());
  const saysNo = how.dialog !== undefined && dialogAnswer(how.dialog.raw, approval) === 'no';
  if (approval.decision === 'granted' && !saysNo) return carryOut(call, approval, handle);
  if (how.dialog !== undefined) return dialogAnswered(call, approval, handle);
  if (approval.askedBy === 'echo' && mayStill(call, approval)) return echoed(call, approval, handle);
  if (approval.askedBy === 'elicit' && how.canElicit === true && mayStill(call, approval))
    return put(call, approval, handle);
  return waitOnPage(call, await onPage(call, approval), handle);
}

/** Only a question that was put in the dialog can be answered by the dialog. */
async function dialogAnswered(call: GuardedCall, approval: Approval, handle: string): Promise<Answer> {
  const { how } = call;
  const raw = how.dialog?.raw;
  if (approval.askedBy === 'page' && actionOf(raw) === 'accept') return waitOnPage(call, approval, handle);
  const answer = dialogAnswer(raw, approval);
  if (answer === 'closed') {
    const moved = await onPage(call, approval);
    return approvalRequired(call, moved, handle, { way: hasPage(call) ? 'closed' : 'nowhere' });
  }
  if (answer === 'yes' && !mayStill(call, approval)) return waitOnPage(call, await onPage(call, approval), handle);
  return decided(call, approval, handle, answer === 'yes', 'person');
}

function dialogAnswer(raw: unknown, approval: Approval): DialogAnswer {
  if (approval.askedBy === 'elicit') return readAnswer(raw, approval.act);
  // A no is a no, wherever it is said.
  return actionOf(raw) === 'decline' ? 'no' : 'closed';
}

/** Of URL elicitation: `accept` means only that the page was opened, never a yes. */
function actionOf(raw: unknown): unknown {
  return typeof raw === 'object' && raw !== null ? (raw as { action?: unknown }).action : undefined;
}

async function decided(
  call: GuardedCall,
  approval: Approval,
  handle: string,
  yes: boolean,
  assurance: 'person' | 'caller_confirmed',
): Promise<Answer> {
  const { approvals } = call.parts.state;
  const now = call.parts.clock.now();
  const won = await decide(approvals, approval, yes, assurance, now);
  const current = (await approvals.get(approval.handleHash)) ?? approval;
  if (!won && current.decision !== 'granted') assertAnswerable(current, now);
  if (current.decision === 'granted' && !yes) return takenBack(call, current, handle);
  if (current.decision === 'declined') {
    await approvals.erase(approval.handleHash);
    throw approvalDeclined(call.tool.name);
  }
  return carryOut(call, current, handle);
}

/** A no never sends: a yes given elsewhere that was not carried out yet is spent (carry-out.ts, recheck). */
async function takenBack(call: GuardedCall, approval: Approval, handle: string): Promise<Answer> {
  const { approvals, operations } = call.parts.state;
  await approvals.revoke(approval.handleHash);
  const operation = await operations.get(approval.operationId);
  if (operation !== undefined) return follow(call, approval, handle, operation);
  throw approvalDeclined(call.tool.name);
}

/** The operator may have become stricter since the question was put: then only the page takes a yes. */
function mayStill(call: GuardedCall, approval: Approval): boolean {
  const draft = approval.carried as Draft | undefined;
  return rung(call, draft && moneyOf(draft)) === approval.askedBy;
}

/** Two calls: the model's word, allowed only by setting or in the sandbox (ladder.ts). */
function echoed(call: GuardedCall, approval: Approval, handle: string): Promise<Answer> {
  return decided(call, approval, handle, true, 'caller_confirmed');
}

/** A dialog that gave no answer, or may not give it any more: from now on this question is asked on the page. */
async function onPage(call: GuardedCall, approval: Approval): Promise<Approval> {
  if (approval.askedBy === 'page') return approval;
  await call.parts.state.approvals.ask(approval.handleHash, 'page');
  return { ...approval, askedBy: 'page' };
}

/** The page, or its twin in a terminal. */
function hasPage({ options }: GuardedCall): boolean {
  return options.page !== undefined || options.canUseTerminal;
}

async function waitOnPage(call: GuardedCall, approval: Approval, handle: string): Promise<Answer> {
  const { parts, how, options } = call;
  if (!hasPage(call)) return approvalRequired(call, approval, handle, { way: 'nowhere' });
  // The address of URL elicitation may carry a secret, and this answer is the model's to read.
  const shown = await options.page?.open(approval, false);
  const until = parts.clock.now() + (options.waitMs ?? WAIT_MS);
  while (parts.clock.now() < until && how.signal?.aborted !== true) {
    const operation = await parts.state.operations.get(approval.operationId);
    if (operation !== undefined) return follow(call, approval, handle, operation);
    const current = await parts.state.approvals.get(approval.handleHash);
    if (current !== undefined) assertAnswerable(current, parts.clock.now());
    // Granted, but whoever took the yes did not get as far as the journal, or only decides: this call does.
    if (current?.decision === 'granted' && isOverdue(current, parts.clock.now()))
      return carryOut(call, current, handle);
    await parts.clock.sleep(POLL_MS, how.signal);
  }
  const current = (await parts.state.approvals.get(approval.handleHash)) ?? approval;
  return approvalRequired(call, current, handle, wayOf(shown));
}

/** The page that took the yes needs no longer than this to enter the operation, milliseconds. */
const OVERDUE_MS = 2_000;

function isOverdue({ decidedAt }: Approval, now: number): boolean {
  return decidedAt === undefined || now - decidedAt > OVERDUE_MS;
}

/** Nobody is asked for what the day has no room for. The store decides again when the operation is entered. */
async function assertWithinDay({ options, parts, how }: GuardedCall, money: MoneyAtStake | undefined): Promise<void> {
  const limit = dayLimit(options.limits, parts.clock.now());
  const amount = money?.amount;
  if (limit === undefined || amount === undefined || amount.minor === 0) return;
  const spent = await parts.state.operations.spent(how.caller.tenant, how.caller.id, limit);
  if (spent.minor + amount.minor > limit.perDay.minor) throw dayExceeded(limit, spent, amount);
}

/** A reading that is due needs no longer than this, as a rule, milliseconds. */
const SETTLING_MS = 2_000;

/** One operation at a time on a booking; an open one is settled first, if a reading can. */
async function assertNotBusy(call: GuardedCall, terms: Terms): Promise<void> {
  if (terms.locator === undefined) return;
  const { journal } = call.parts;
  const { tenant } = call.how.caller;
  const open = await journal.openOn(terms.locator);
  if (open === undefined) return;
  if (open.tenant !== tenant) throw bookingBusy(tenant, open, terms.locator);
  const now = await journal.follow(open.id, Math.min(call.options.waitMs ?? WAIT_MS, SETTLING_MS), call.how.signal);
  if (now.state !== 'intent' && now.state !== 'dispatched' && now.state !== 'in_doubt') {
    throw new ClerkError(
      'E_BOOKING_BUSY',
      `An earlier ${now.tool} of ${terms.locator} has just been settled (${now.state.replace('_', ' ')}). Nothing was sent now.`,
      { next: 'Call read_booking to see how the booking stands, then decide again.', retry: 'same_call' },
    );
  }
  throw bookingBusy(tenant, now, terms.locator);
}
