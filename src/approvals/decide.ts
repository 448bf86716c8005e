/**
 * Decides an approval outside the call that asked, on the page or in a terminal, and shows what became of it. A yes is carried out
 * at once, and the caller learns the outcome by calling again.
 */
import { cleanCode } from '../core/clean-text.ts';
import { type AirlineFault, ClerkError, type Effect } from '../core/errors.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Acts } from '../journal/act.ts';
import { type Assurance, isActive, type Operation } from '../journal/operation.ts';
import type { BoundAct } from './bound-act.ts';
import { carryOut } from './carry-out.ts';
import { type ApprovalRuntime, type ApprovalSettings, type Asker, unsentError } from './consent-call.ts';
import {
  CHECK_BOOKING,
  DECISION_FAILED_TEXT,
  doneLines,
  GRANTED,
  issuedTickets,
  NOT_KNOWN_YET,
  type PageText,
  PLAN_GRANTED,
} from './outcome-words.ts';
import { type Approval, type GivenAnswer, isInTime, isPlanQuestion, isQuestion, type TicketFact } from './ports.ts';
import { carriedBy, recordAnswer } from './request.ts';
import { changedLines, type TermsSection } from './terms.ts';

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
 * @param approval of questionFor
 * @param operation of this approval, if the journal has it
 */
export async function decide(
  decisionRequest: DecisionRequest,
  approval: Approval,
  operation: Operation | undefined,
): Promise<DecisionOutcome> {
  // A plan's question is decided by its lines (plans/call.ts).
  if (isPlanQuestion(approval)) return NOTHING_TO_DECIDE;
  const caller = { tenant: approval.tenant, id: approval.caller };
  const act = decisionRequest.actOf(approval.tool, carriedBy(approval)?.args ?? {}, { caller });
  if (act === undefined) return NOTHING_TO_DECIDE;
  const status = approvalStatus(decisionRequest.runtime.acts, approval, operation, decisionRequest.runtime.clock.now());
  if (status !== 'question' && !isYesLeft(approval, status)) return status;
  const decided =
    (await recordAnswer(decisionRequest.runtime, approval, { ...decisionRequest.by, yes: decisionRequest.yes })) ??
    approval;
  if (decided.decision === 'granted' && decisionRequest.yes) return carriedOut(decisionRequest, decided, act, caller);
  const after = await currentStatus(decisionRequest, (await questionFor(decisionRequest)) ?? decided);
  return after === 'question' ? NOTHING_TO_DECIDE : after;
}

/** Granted, but not in the journal yet: carries it out now. Doing so twice is still one operation. */
function isYesLeft(approval: Approval, status: DecisionOutcome): boolean {
  return approval.decision === 'granted' && approval.carried !== undefined && status.kind === 'pending';
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

async function currentStatus({ runtime, operationId }: DecisionRequest, approval: Approval) {
  return approvalStatus(runtime.acts, approval, await runtime.state.operations.get(operationId), runtime.clock.now());
}

async function carriedOut(
  decisionRequest: DecisionRequest,
  approval: Approval,
  act: BoundAct,
  caller: Caller,
): Promise<DecisionOutcome> {
  const { operationId } = approval;
  const call = {
    act,
    asker: { caller },
    runtime: decisionRequest.runtime,
    settings: decisionRequest.settings,
    trail: { operationId },
  };
  try {
    await carryOut(call, { approval }).catch(async (error) => {
      throw await unsentError(call, error);
    });
    return await outcomeNow(decisionRequest, approval);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    return error.code === 'E_APPROVAL_STALE' ? stale(error.terms ?? [], approval.sections) : failure(error);
  }
}

/** The same as a later look at the page gives. */
async function outcomeNow(decisionRequest: DecisionRequest, approval: Approval): Promise<DecisionOutcome> {
  const [operation, now] = await Promise.all([
    decisionRequest.runtime.state.operations.get(decisionRequest.operationId),
    questionFor(decisionRequest),
  ]);
  const status = statusOnceAnswered(
    decisionRequest.runtime.acts,
    now ?? approval,
    operation,
    decisionRequest.runtime.clock.now(),
  );
  if (status.kind !== 'pending') return status;
  return { ...status, lines: [...status.lines, 'You can close this page, and ask the assistant later.'] };
}

export interface DecisionOutcome extends PageText {
  readonly kind: 'done' | 'pending' | 'declined' | 'failed' | 'stale' | 'unknown';
  /** Issued by a payment. */
  readonly tickets?: readonly TicketFact[];
}

export type ApprovalStatus = 'question' | DecisionOutcome;

/** Read from the approval and the journal, never decided here. */
export function approvalStatus(
  acts: Acts,
  approval: Approval,
  operation: Operation | undefined,
  now: number,
): ApprovalStatus {
  const { decision, staleLines } = approval;
  const unanswered =
    operation === undefined && staleLines === undefined && decision === 'pending' && isInTime(approval, now);
  return unanswered ? 'question' : statusOnceAnswered(acts, approval, operation, now);
}

/** The status of an approval that was answered, or expired. */
export function statusOnceAnswered(
  acts: Acts,
  approval: Approval,
  operation: Operation | undefined,
  now: number,
): DecisionOutcome {
  if (operation !== undefined) return ofOperation(acts, approval, operation);
  // Goes on for longer than its question could be answered.
  if (approval.part?.line === 0 && approval.decision === 'granted') return { kind: 'pending', ...PLAN_GRANTED };
  if (approval.staleLines !== undefined) return stale(approval.staleLines, approval.sections);
  if (approval.decision === 'declined') return DECLINED;
  if (approval.decision === 'void') return VOID;
  if (approval.decision === 'replaced') return REPLACED;
  if (approval.decision === 'overtaken') return OVERTAKEN;
  if (approval.decision === 'outdated') return OUTDATED;
  if (isInTime(approval, now)) return { kind: 'pending', ...GRANTED };
  return approval.decision === 'granted' ? LAPSED : EXPIRED;
}

const DECLINED: DecisionOutcome = {
  kind: 'declined',
  title: 'You said no',
  lines: ['Nothing was sent, and nothing is changed.'],
};

const AGAIN = 'If it is still wanted, ask the assistant to start again.';

const VOID: DecisionOutcome = {
  kind: 'failed',
  title: 'Your yes could not be carried out',
  lines: ['Nothing was sent, and nothing will be.', AGAIN],
};

const REPLACED: DecisionOutcome = {
  kind: 'unknown',
  title: 'A newer question replaced this one',
  lines: ['The assistant asked anew about the same booking. Nothing was sent by this question, and nothing will be.'],
};

const OVERTAKEN: DecisionOutcome = {
  kind: 'unknown',
  title: 'This was done under another question',
  lines: ['Nothing was sent by this question, and nothing will be.'],
};

const OUTDATED: DecisionOutcome = {
  kind: 'unknown',
  title: 'The booking was changed meanwhile',
  lines: [
    'Another operation changed it, so these terms no longer hold. Nothing was sent by this question, and nothing will be.',
    AGAIN,
  ],
};

const EXPIRED: DecisionOutcome = {
  kind: 'failed',
  title: 'Too late to answer',
  lines: ['Nobody answered in time. Nothing was sent.', AGAIN],
};

const LAPSED: DecisionOutcome = {
  ...EXPIRED,
  lines: ['The yes was not carried out in time. Nothing was sent.', AGAIN],
};

const CLOSED: DecisionOutcome = {
  kind: 'failed',
  title: 'A person has checked it',
  lines: ['It was checked with the airline and closed. Ask the assistant to read the booking.'],
};

export const BEING_DONE: DecisionOutcome = { kind: 'pending', ...NOT_KNOWN_YET.intent.page };
export const DECISION_FAILED: DecisionOutcome = { kind: 'pending', ...DECISION_FAILED_TEXT };

/** Shows what is new and what was before, or all if nothing that was shown differs. */
function stale(now: readonly string[], sections: readonly TermsSection[]): DecisionOutcome {
  const { fresh, gone } = changedLines(sections, now);
  const lines = [...gone.map((line) => `Before: ${line}`), ...fresh.map((line) => `Now: ${line}`)];
  return {
    kind: 'stale',
    title: 'Something changed: nothing was sent',
    lines: lines.length > 0 ? lines : ['A detail of the booking that is not shown here changed.'],
  };
}

function needsPerson(lines: readonly string[]): DecisionOutcome {
  return { kind: 'failed', title: 'A person must check', lines };
}

/** `Paid SAR 1,423.00`, `Cancelled; SAR 562.00 comes back`, `Names changed`. */
function doneTitle(acts: Acts, { subject, outcome }: Operation): string {
  return acts.of(subject).title(subject, outcome);
}

function ofOperation(acts: Acts, approval: Approval, operation: Operation): DecisionOutcome {
  const { state, outcome } = operation;
  if (isActive(state)) return { kind: 'pending', ...NOT_KNOWN_YET[state].page };
  if (state === 'succeeded') {
    const tickets = issuedTickets(approval, operation);
    const done = { kind: 'done' as const, title: doneTitle(acts, operation), lines: doneLines(approval, operation) };
    return tickets.length === 0 ? done : { ...done, tickets };
  }
  if (state === 'needs_person') return needsPerson([outcome?.check ?? CHECK_BOOKING]);
  if (state === 'resolved') return CLOSED;
  if (approval.staleLines !== undefined) return stale(approval.staleLines, approval.sections);
  return outcome?.error === undefined
    ? { kind: 'failed', title: 'Nothing was done', lines: ['It was not carried out.'] }
    : failure(outcome.error);
}

interface FailureFacts {
  readonly message: string;
  readonly effect: Effect;
  readonly airline?: AirlineFault | undefined;
}

/** What went wrong, for a person. What to do next is for the assistant. */
function failure(error: FailureFacts): DecisionOutcome {
  return {
    kind: 'failed',
    title: error.effect === 'none' ? 'Nothing was done' : 'The outcome is not known',
    lines: [error.message, ...airlineSaid(error.airline)],
  };
}

function airlineSaid({ title, correlationId }: AirlineFault = {}): string[] {
  if (title === undefined)
    return correlationId === undefined ? [] : [`The airline's reference: ${cleanCode(correlationId, 100)}`];
  const reference = correlationId === undefined ? '' : ` (reference ${cleanCode(correlationId, 100)})`;
  return [`The airline said: "${title}"${reference}`];
}
