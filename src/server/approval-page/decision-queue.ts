/** Carries out the decisions of the page, one at a time for each approval, and keeps their outcomes for open pages. */

import { type ApprovalStatus, approvalStatus, BEING_DONE, type DecisionOutcome } from '../../approvals/decide.ts';
import type { Approval } from '../../approvals/ports.ts';
import type { Operation } from '../../journal/operation.ts';
import { ACTS } from '../../tools/index.ts';
import { LINGER_MS } from './one-time-link.ts';

export interface DecisionQueueOptions {
  /** Decides, and on a yes carries out. Safe to call twice. */
  decide(
    approval: Approval,
    yes: boolean,
    approver: string | undefined,
    ticked: readonly number[],
  ): Promise<DecisionOutcome>;
  /** Milliseconds since 1970. */
  now(): number;
}

interface DecisionQueue {
  /**
   * A second answer, during or after the first, changes nothing: it waits for the first.
   * @param approver who signed in to answer
   * @param ticked lines of a plan
   */
  decide(approval: Approval, yes: boolean, approver?: string, ticked?: readonly number[]): Promise<void>;
  /** @param operation reads it from the journal */
  status(approval: Approval, operation: () => Promise<Operation | undefined>): Promise<ApprovalStatus>;
}

export function createDecisionQueue({ decide, now }: DecisionQueueOptions): DecisionQueue {
  const running = new Map<string, Promise<void>>();
  const kept = new Map<string, { readonly outcome: DecisionOutcome; readonly until: number }>();

  async function carry(
    approval: Approval,
    yes: boolean,
    approver: string | undefined,
    ticked: readonly number[],
  ): Promise<void> {
    const outcome = await decide(approval, yes, approver, ticked);
    for (const [id, { until }] of kept) if (until <= now()) kept.delete(id);
    // The first outcome has the result; a later one says only that it was decided before.
    if (isSettled(outcome) && !kept.has(approval.operationId)) {
      kept.set(approval.operationId, { outcome, until: now() + LINGER_MS });
    }
  }

  return {
    decide(approval, yes, approver, ticked = []) {
      const id = approval.operationId;
      const first = running.get(id);
      if (first !== undefined) return first;
      if (approval.decision !== 'pending') return Promise.resolve();
      const fresh = carry(approval, yes, approver, ticked).finally(() => running.delete(id));
      running.set(id, fresh);
      return fresh;
    },
    async status(approval, operation) {
      if (running.has(approval.operationId)) return BEING_DONE;
      const entered = await operation();
      const last = kept.get(approval.operationId);
      if (last !== undefined && last.until > now() && !isOvertaken(last.outcome, entered)) return last.outcome;
      return approvalStatus(ACTS, approval, entered, now());
    },
  };
}

/** Whether a late reply has corrected a failure in the journal. */
function isOvertaken({ kind }: DecisionOutcome, operation: Operation | undefined): boolean {
  return kind === 'failed' && (operation?.state === 'succeeded' || operation?.state === 'needs_person');
}

/** Outcomes that can still change are read again each time. */
function isSettled({ kind }: DecisionOutcome): boolean {
  return kind !== 'pending' && kind !== 'unknown';
}
