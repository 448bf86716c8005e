/**
 * Approvals: made when a question is due, bound to caller, tool, arguments and terms, good for ten minutes, spent once.
 */
import type { Caller } from '../domain/people/caller.ts';
import { ClerkError } from '../errors.ts';
import type { Assurance } from '../journal/operation.ts';
import { digest, handleHash, newHandle } from './digest.ts';
import type { Approval, ApprovalStore, AskedBy } from './ports.ts';
import { type Terms, termsDigest } from './terms.ts';

export const APPROVAL_MS = 10 * 60_000;

export interface Question {
  readonly caller: Caller;
  readonly tool: string;
  readonly args: unknown;
  /** What carries it out: the arguments and the operation to enter. */
  readonly carried: unknown;
  readonly terms: Terms;
  readonly askedBy: AskedBy;
  readonly operationId: string;
  readonly now: number;
}

/** Digest of the arguments that an approval is bound to. */
export function argsDigest(args: unknown): string {
  return digest(args);
}

/** Enters a question; returns its handle, which is stored nowhere but in the caller's answer. */
export async function askFor(
  store: ApprovalStore,
  question: Question,
): Promise<{ handle: string; approval: Approval }> {
  return enter(store, question, {});
}

/** Enters terms that need no asking as granted, so that their operation can be followed by the same kind of handle. */
export async function grantUnasked(
  store: ApprovalStore,
  question: Question,
): Promise<{ handle: string; approval: Approval }> {
  return enter(store, question, { decision: 'granted', assurance: 'none', decidedAt: question.now });
}

async function enter(store: ApprovalStore, question: Question, extra: Partial<Approval>) {
  const handle = newHandle();
  const { terms } = question;
  const approval: Approval = {
    handleHash: handleHash(handle),
    operationId: question.operationId,
    tenant: question.caller.tenant,
    caller: question.caller.id,
    tool: question.tool,
    ...(terms.locator === undefined ? {} : { locator: terms.locator }),
    argsDigest: argsDigest(question.args),
    termsDigest: termsDigest(question.tool, terms),
    lines: terms.lines,
    act: terms.act,
    carried: question.carried,
    askedBy: question.askedBy,
    decision: 'pending',
    createdAt: question.now,
    expiresAt: question.now + APPROVAL_MS,
    ...extra,
  };
  await store.put(approval);
  return { handle, approval };
}

/**
 * Finds the approval that a caller presents. Unknown, foreign, forged, for another tool or for other arguments: all the
 * same error, so that nothing is learned by trying.
 */
export async function presented(
  store: ApprovalStore,
  handle: string,
  by: { caller: Caller; tool: string; args: unknown },
): Promise<Approval> {
  const approval = await store.get(handleHash(handle));
  const fits =
    approval !== undefined &&
    approval.tenant === by.caller.tenant &&
    approval.caller === by.caller.id &&
    approval.tool === by.tool &&
    approval.argsDigest === argsDigest(by.args);
  if (!fits) throw approvalInvalid(by.tool);
  return approval;
}

/** Whether a pending question can still be answered; throws in the words of its end where it cannot. */
export function assertAnswerable(approval: Approval, now: number): void {
  if (approval.decision === 'declined') throw approvalDeclined(approval.tool);
  if (approval.staleLines !== undefined) throw approvalStale(approval.tool, approval.staleLines);
  if (approval.decision === 'void') throw approvalSpent(approval.tool);
  // A yes that was not carried out in time lapses like one that was not given.
  if (now < approval.expiresAt) return;
  const given = approval.decision === 'granted' ? 'carried out' : 'given';
  throw expired(approval.tool, `The approval was not ${given} within ten minutes.`);
}

/** Records the answer once. False where somebody else answered first, or it came too late. */
export function decide(
  store: ApprovalStore,
  approval: Approval,
  yes: boolean,
  assurance: Assurance,
  now: number,
  approver?: string,
): Promise<boolean> {
  return store.decide(approval.handleHash, yes ? 'granted' : 'declined', assurance, now, approver);
}

export function approvalInvalid(tool: string): ClerkError {
  return new ClerkError('E_APPROVAL_INVALID', 'This approval_id does not fit this call. Nothing was sent.', {
    next: `Call ${tool} without approval_id to ask for a new approval.`,
  });
}

/** The yes was taken back, or another operation or a limit stood in its way. */
export function approvalSpent(tool: string): ClerkError {
  return expired(tool, 'The yes could not be carried out, and is spent.');
}

function expired(tool: string, what: string): ClerkError {
  return new ClerkError('E_APPROVAL_EXPIRED', `${what} Nothing was sent.`, {
    next: `Call ${tool} again without approval_id to ask anew.`,
  });
}

export function approvalDeclined(tool: string): ClerkError {
  return new ClerkError('E_APPROVAL_DECLINED', 'The person said no. Nothing was sent.', {
    next: `Do not ask again unless the person wants it; then call ${tool} without approval_id.`,
  });
}

export function approvalStale(tool: string, lines: readonly string[]): ClerkError {
  return new ClerkError(
    'E_APPROVAL_STALE',
    'The booking or its terms changed after the question. The old yes does not count; nothing was sent.',
    { next: `Show the new terms, then call ${tool} again without approval_id.`, terms: lines },
  );
}
