/**
 * Decides the question of one act outside the call that asked: on the page or in a terminal. A yes is carried out at
 * once, and the caller learns the outcome by calling again. If travellers entered details on a page, only the caller's
 * next call can carry it out (`needsItsCall`). plans/decide-plan.ts calls this file, and decides the question of a plan
 * itself.
 */

import { ClerkError } from '../core/errors.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Assurance, Operation } from '../journal/operation.ts';
import { type Approval, type GivenAnswer, isPlanQuestion, isQuestion } from './approval.ts';
import { approvalStatus, failureOutcome, statusOnceAnswered } from './approval-status.ts';
import type { BoundAct } from './bound-act.ts';
import { type ApprovalRuntime, type ApprovalSettings, type Asker, unsentError } from './consent-call.ts';
import { staleOutcome } from './endings.ts';
import { answerBy } from './expiry.ts';
import { type DecisionOutcome, grantedOutcome } from './outcome-words.ts';
import { carryOut } from './recheck-and-send.ts';
import { carriedBy, needsItsCall, recordAnswer } from './request.ts';

/** Who decides, and how sure it is that a person did. */
export interface Decider extends Pick<GivenAnswer, 'approver'> {
  /** Decides only this caller's questions. Absent: the page already checked who may answer. */
  readonly caller?: Caller;
  readonly assurance: Extract<Assurance, 'page' | 'caller_confirmed'>;
}

export interface DecisionRequest {
  /** Names the question: the operation that its approval becomes. */
  readonly operationId: string;
  /** The answer. */
  readonly yes: boolean;
  readonly by: Decider;
  readonly runtime: ApprovalRuntime;
  readonly settings: ApprovalSettings;
  /**
   * Binds the act of the question to its arguments and to the caller who asked. Undefined for a tool that this process
   * does not offer (read-only, another toolset).
   */
  actOf(tool: string, args: Readonly<Record<string, unknown>>, asker: Asker): BoundAct | undefined;
}

export const NOTHING_TO_DECIDE: DecisionOutcome = {
  kind: 'unknown',
  title: 'Nothing to decide here',
  lines: ['This question is unknown, or it was already answered. Nothing was sent now.'],
};

/** Finds the question that this person may decide. Undefined if there is none. */
export async function questionFor({
  runtime,
  operationId,
  by,
}: Pick<DecisionRequest, 'runtime' | 'operationId' | 'by'>): Promise<Approval | undefined> {
  const approval = await runtime.state.approvals.byOperation(operationId);
  if (approval === undefined || !isQuestion(approval)) return undefined;
  const { caller } = by;
  if (caller === undefined) return approval;
  return approval.tenant === caller.tenant && approval.caller === caller.id ? approval : undefined;
}

/**
 * Decides one act and returns its status afterwards. Safe to call twice with the same answer.
 *
 * | the question                           | a yes                                             | a no               |
 * | -------------------------------------- | ------------------------------------------------- | ------------------ |
 * | is open                                | is granted and carried out                        | declines it        |
 * | is open, and needs its call            | is granted; the caller's next call carries it out | declines it        |
 * | is granted, not spent                  | is carried out; twice is still one operation      | takes the yes back |
 * | is granted, not spent, needs its call  | changes nothing                                   | takes the yes back |
 * | any other                              | changes nothing                                   | changes nothing    |
 *
 * @param approval the one that questionFor found
 * @param operation of this approval, if the journal has it
 */
export async function decide(
  request: DecisionRequest,
  approval: Approval,
  operation: Operation | undefined,
): Promise<DecisionOutcome> {
  if (isPlanQuestion(approval)) return NOTHING_TO_DECIDE;

  const { yes, by, runtime } = request;
  const asker = { caller: { tenant: approval.tenant, id: approval.caller } };
  const act = request.actOf(approval.tool, carriedBy(approval)?.args ?? {}, asker);
  if (act === undefined) return NOTHING_TO_DECIDE;

  const status = approvalStatus(runtime.acts, approval, operation, runtime.clock.now());
  if (status !== 'question') {
    const changesNothing = yes && needsItsCall(approval);
    if (changesNothing || !isYesLeft(approval, status)) return status;
  }

  const decided = (await recordAnswer(runtime, approval, { ...by, yes })) ?? approval;
  if (yes && decided.decision === 'granted' && !needsItsCall(decided)) return carryOutDecided(request, decided, act);

  const current = (await questionFor(request)) ?? decided;
  const entered = await runtime.state.operations.get(approval.operationId);
  const after = approvalStatus(runtime.acts, current, entered, runtime.clock.now());

  // Still a question if the store took no answer.
  return after === 'question' ? NOTHING_TO_DECIDE : after;
}

/** Whether a yes was granted and is not spent. */
function isYesLeft(approval: Approval, status: DecisionOutcome): boolean {
  return approval.decision === 'granted' && approval.carried !== undefined && status.kind === 'pending';
}

async function carryOutDecided(request: DecisionRequest, approval: Approval, act: BoundAct): Promise<DecisionOutcome> {
  try {
    await carryOutHere(request, approval, act);
    return await outcomeNow(request, approval);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    if (error.code === 'E_APPROVAL_STALE') return staleOutcome(error.changed ?? []);
    const isLeft =
      error.code === 'E_AIRLINE_BUSY' &&
      (await request.runtime.state.operations.get(approval.operationId)) === undefined;
    return isLeft ? grantedIntoPause(approval, error) : failureOutcome(error);
  }
}

/** Tells a person on the page that their yes came into a pause. @param paused what carrying it out threw */
function grantedIntoPause(approval: Approval, paused: ClerkError): DecisionOutcome {
  const counts = `Your approval counts until ${answerBy(approval)}, and is carried out when the assistant calls again after the pause.`;
  return grantedOutcome(paused.message, counts);
}

/** Carries out the act as if its caller had called. An error says so if nothing can have been sent. */
async function carryOutHere({ runtime, settings }: DecisionRequest, approval: Approval, act: BoundAct): Promise<void> {
  const { operationId, tenant, caller: id } = approval;
  const asker = { caller: { tenant, id } };
  const call = { act, asker, runtime, settings, trail: { operationId }, isDecidedOutside: true } as const;
  try {
    await carryOut(call, approval);
  } catch (error) {
    throw await unsentError(call, error);
  }
}

/** The outcome as the page shows it later too. A person waits for it: both readings are made at once. */
async function outcomeNow(request: DecisionRequest, decided: Approval): Promise<DecisionOutcome> {
  const { acts, clock, state } = request.runtime;
  const readings = [state.operations.get(request.operationId), questionFor(request)] as const;
  const [operation, approval = decided] = await Promise.all(readings);
  const status = statusOnceAnswered(acts, approval, operation, clock.now());
  if (status.kind !== 'pending') return status;
  return { ...status, lines: [...status.lines, 'You can close this page, and ask the assistant later.'] };
}
