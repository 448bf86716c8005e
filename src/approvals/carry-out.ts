/**
 * From the yes to the airline: the operation is entered, the terms are read again, and the act is sent once.
 */
import type { Confirmed } from '../domain/airline.ts';
import { ClerkError } from '../errors.ts';
import type { NewOperation } from '../journal/operation.ts';
import type { Act } from '../journal/ports.ts';
import { whyNotSend } from '../journal/standstill.ts';
import type { Answer } from '../server/answer.ts';
import type { GuardedCall } from '../server/context.ts';
import { toolContext } from '../server/context.ts';
import { mintConfirmed } from './confirmed.ts';
import { assertNoTwin, followTwin } from './earlier-creates.ts';
import { termsNow } from './fresh-terms.ts';
import { assertWithinLimits, dayExceeded, dayLimit } from './limits.ts';
import type { Approval } from './ports.ts';
import { bookingBusy, follow, tell } from './present.ts';
import { approvalInvalid, approvalSpent, approvalStale } from './request.ts';
import { type MoneyAtStake, type Terms, termsDigest } from './terms.ts';

/** What an approval keeps so that any process can carry it out. Erased once it is spent. */
export interface Draft {
  readonly args: Readonly<Record<string, unknown>>;
  readonly operation: Pick<NewOperation, 'subject'> &
    Partial<Pick<NewOperation, 'amount' | 'direction' | 'fingerprint' | 'supersedes' | 'outcome'>>;
}

export function draftOf(args: Readonly<Record<string, unknown>>, terms: Terms): Draft {
  return {
    args,
    operation: {
      subject: terms.subject,
      ...terms.money,
      ...(terms.fingerprint !== undefined && { fingerprint: terms.fingerprint }),
      ...(terms.supersedes !== undefined && { supersedes: terms.supersedes }),
      ...(terms.estimate && { outcome: { estimate: terms.estimate } }),
    },
  };
}

/** What the act moves: the direction stands alone where the amount is not known. */
export function moneyOf({ operation: { direction, amount } }: Draft): MoneyAtStake | undefined {
  return direction && { direction, ...(amount && { amount }) };
}

/** Carries a granted approval out. Called twice, or by two processes, it is still one operation. */
export async function carryOut(call: GuardedCall, approval: Approval, handle: string | undefined): Promise<Answer> {
  const { parts, options } = call;
  const draft = approval.carried as Draft | undefined;
  if (draft === undefined) {
    // Spent and told while this call was on its way: it is told how that went.
    const operation = await parts.state.operations.get(approval.operationId);
    if (operation !== undefined) return follow(call, approval, handle, operation);
    // Not in this journal: nothing is known to carry out.
    throw approvalInvalid(call.tool.name);
  }
  try {
    await assertMaySend(call);
  } catch (error) {
    const operation = await parts.state.operations.get(approval.operationId);
    if (operation !== undefined) return follow(call, approval, handle, operation);
    // A yes is for now: it must not act by itself once sending goes on.
    if (error instanceof ClerkError && error.code === 'E_NOT_PERMITTED')
      await parts.state.approvals.revoke(approval.handleHash);
    throw error;
  }
  const now = parts.clock.now();
  const limit = dayLimit(options.limits, now);
  const opened = await parts.journal.open(newOperation(approval, draft), limit);
  if (opened.kind === 'over_limit') {
    await parts.state.approvals.revoke(approval.handleHash);
    if (limit === undefined || draft.operation.amount === undefined) throw new Error('a limit without an amount');
    throw dayExceeded(limit, opened.spent, draft.operation.amount);
  }
  if (opened.kind === 'exists') return follow(call, approval, handle, opened.operation);
  if (opened.kind === 'busy') {
    // A yes is for now: it must not act by itself when the other operation is over.
    await parts.state.approvals.revoke(approval.handleHash);
    if (opened.operation.locator === undefined) return followTwin(call, opened.operation, draft.operation.subject);
    throw bookingBusy(approval.tenant, opened.operation, opened.operation.locator);
  }
  const sending = sendingOf(call, approval);
  call.trail.ran = true;
  const running = parts.journal.run(opened.operation, sending.act);
  parts.inFlight.add(running);
  const over = () => parts.inFlight.delete(running);
  void running.then(over, over);
  const patience = new AbortController();
  const ran = await Promise.race([running, parts.clock.sleep(options.answerMs, patience.signal).then(() => undefined)]);
  patience.abort();
  if (ran === undefined) {
    const operation = (await parts.state.operations.get(opened.operation.id)) ?? opened.operation;
    return tell(call, approval, handle, { operation, repeat: false });
  }
  const terms = sending.terms();
  return tell(call, approval, handle, { ...ran, ...(terms && { terms }), repeat: false });
}

/** Said before anybody is asked. The journal decides again when the act is marked as sent. */
export async function assertMaySend({ parts }: Pick<GuardedCall, 'parts'>): Promise<void> {
  const standing = await parts.state.chain?.standing();
  const why = standing && whyNotSend(standing);
  if (why !== undefined) throw why;
}

function newOperation(approval: Approval, draft: Draft): NewOperation {
  return {
    id: approval.operationId,
    tenant: approval.tenant,
    caller: approval.caller,
    tool: approval.tool,
    ...(approval.locator !== undefined && { locator: approval.locator }),
    assurance: approval.assurance ?? 'none',
    ...(approval.approver !== undefined && { approvedBy: approval.approver }),
    argsDigest: approval.argsDigest,
    termsDigest: approval.termsDigest,
    ...draft.operation,
  };
}

/** The second reading, and the one sending. Neither knows the caller's signal: a caller who leaves stops nothing. */
function sendingOf(call: GuardedCall, approval: Approval): { act: Act; terms(): Terms | undefined } {
  const context = toolContext(call.options, call.parts, { caller: call.how.caller });
  const { tool } = call;
  let approved: Terms | undefined;
  const act: Act = {
    async recheck() {
      // A no that came meanwhile revokes, then looks into the journal: one of the two sees the other.
      const current = await call.parts.state.approvals.get(approval.handleHash);
      if (current?.decision === 'void') throw approvalSpent(tool.name);
      const terms = await termsNow(call, context);
      await assertNoTwin(call, terms, approval.operationId);
      if (termsDigest(tool.name, terms) !== approval.termsDigest) {
        await call.parts.state.approvals.markStale(approval.handleHash, terms.lines);
        throw approvalStale(tool.name, terms.lines);
      }
      // The operator may have become stricter since the question was put.
      assertWithinLimits(call.options.limits, terms.money);
      approved = terms;
    },
    async send(dispatch) {
      if (approved === undefined) throw new Error('sent before the terms were read again');
      const confirmed: Confirmed<unknown> = mintConfirmed(approved.send, approval.operationId, dispatch);
      return tool.commit(confirmed, context);
    },
  };
  return { act, terms: () => approved };
}
