/**
 * Decides an approval outside the call that asked: on the page or in a terminal. A yes is carried out at once, and the
 * caller learns the outcome by calling again. If travellers entered details on a page, only the caller's next call can
 * carry it out.
 */
import { ClerkError } from '../core/errors.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Assurance, Operation } from '../journal/operation.ts';
import {
  approvalStatus,
  type DecisionOutcome,
  failureOutcome,
  staleOutcome,
  statusOnceAnswered,
} from './approval-status.ts';
import type { BoundAct } from './bound-act.ts';
import { carryOut } from './carry-out.ts';
import { type ApprovalRuntime, type ApprovalSettings, type Asker, unsentError } from './consent-call.ts';
import { type Approval, type GivenAnswer, isPlanQuestion, isQuestion } from './ports.ts';
import { carriedBy, needsItsCall, recordAnswer } from './request.ts';

/** Who decides, and how sure it is that a person did. */
export interface Decider extends Pick<GivenAnswer, 'approver'> {
  /** Decides only this caller's questions. Absent: the page already checked who may answer. */
  readonly caller?: Caller;
  readonly assurance: Extract<Assurance, 'page' | 'caller_confirmed'>;
}

export interface DecisionRequest {
  readonly operationId: string;
  readonly yes: boolean;
  readonly by: Decider;
  readonly runtime: ApprovalRuntime;
  readonly settings: ApprovalSettings;
  /** Undefined for a tool that this process does not offer (read-only, another toolset). */
  actOf(tool: string, args: Readonly<Record<string, unknown>>, asker: Asker): BoundAct | undefined;
}

export const NOTHING_TO_DECIDE: DecisionOutcome = {
  kind: 'unknown',
  title: 'Nothing to decide here',
  lines: ['This question is not known, or it was answered already. Nothing was sent now.'],
};

/**
 * Decides one act. Safe to call twice: the second call gives the status. A no sends nothing.
 * @param approval the one that questionFor found
 * @param operation of this approval, if the journal has it
 */
export async function decide(
  request: DecisionRequest,
  approval: Approval,
  operation: Operation | undefined,
): Promise<DecisionOutcome> {
  // plans/decide-plan.ts decides the question of a plan: by its lines.
  if (isPlanQuestion(approval)) return NOTHING_TO_DECIDE;
  const caller = { tenant: approval.tenant, id: approval.caller };
  const { operationId, yes, by, runtime } = request;
  const act = request.actOf(approval.tool, carriedBy(approval)?.args ?? {}, { caller });
  if (act === undefined) return NOTHING_TO_DECIDE;
  const status = approvalStatus(runtime.acts, approval, operation, runtime.clock.now());
  if (status !== 'question' && !isYesLeft(approval, status)) return status;
  const decided = (await recordAnswer(runtime, approval, { ...by, yes })) ?? approval;
  if (decided.decision === 'granted' && yes && !needsItsCall(decided)) return carryOutDecided(request, decided, act);
  const current = (await questionFor(request)) ?? decided;
  const entered = await runtime.state.operations.get(operationId);
  const after = approvalStatus(runtime.acts, current, entered, runtime.clock.now());
  return after === 'question' ? NOTHING_TO_DECIDE : after;
}

/** Whether a yes is granted but not in the journal yet. Carrying it out now, even twice, is still one operation. */
function isYesLeft(approval: Approval, status: DecisionOutcome): boolean {
  const isUnspent = approval.decision === 'granted' && approval.carried !== undefined;
  return isUnspent && !needsItsCall(approval) && status.kind === 'pending';
}

/** The question that this person may decide, if there is one. */
export async function questionFor({
  runtime,
  operationId,
  by,
}: Pick<DecisionRequest, 'runtime' | 'operationId' | 'by'>): Promise<Approval | undefined> {
  const approval = await runtime.state.approvals.byOperation(operationId);
  const mayDecide =
    by.caller === undefined || (approval?.tenant === by.caller.tenant && approval.caller === by.caller.id);
  return mayDecide && approval !== undefined && isQuestion(approval) ? approval : undefined;
}

async function carryOutDecided(request: DecisionRequest, approval: Approval, act: BoundAct): Promise<DecisionOutcome> {
  const { runtime, settings } = request;
  const { operationId, tenant, caller: id } = approval;
  const asker = { caller: { tenant, id } };
  const call = { act, asker, runtime, settings, trail: { operationId }, isDecidedOutside: true } as const;
  try {
    await carryOut(call, approval).catch(async (error) => {
      throw await unsentError(call, error);
    });
    return await outcomeNow(request, approval);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    return error.code === 'E_APPROVAL_STALE'
      ? staleOutcome(error.terms ?? [], approval.sections)
      : failureOutcome(error);
  }
}

/** The outcome as the page shows it later too. */
async function outcomeNow(request: DecisionRequest, approval: Approval): Promise<DecisionOutcome> {
  const { runtime, operationId } = request;
  const [operation, current] = await Promise.all([runtime.state.operations.get(operationId), questionFor(request)]);
  const status = statusOnceAnswered(runtime.acts, current ?? approval, operation, runtime.clock.now());
  if (status.kind !== 'pending') return status;
  return { ...status, lines: [...status.lines, 'You can close this page, and ask the assistant later.'] };
}
