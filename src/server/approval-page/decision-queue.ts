/**
 * Takes decisions, one at a time for each approval, and remembers what came of them for the pages that are still open.
 */
import type { Approval } from '../../approvals/ports.ts';
import type { DecisionOutcome } from '../../approvals/status.ts';
import { type ApprovalStatus, approvalStatus, BEING_DONE } from '../../approvals/status.ts';
import type { Operation } from '../../journal/operation.ts';
import { LINGER_MS } from './loopback-gate.ts';

export interface DeskOptions {
  /** The journal's operation of that id, once there is one. */
  operation(operationId: string): Promise<Operation | undefined>;
  /** Decides, and on a yes carries out. Twice is safe. */
  press(operationId: string, yes: boolean, approver?: string): Promise<DecisionOutcome>;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface Desk {
  /**
   * A second answer, given while the first is carried out or after, changes nothing: it waits for the first.
   * `approver`: who signed in to give it.
   */
  decide(approval: Approval, yes: boolean, approver?: string): Promise<void>;
  standing(approval: Approval): Promise<ApprovalStatus>;
}

interface Kept {
  readonly outcome: DecisionOutcome;
  readonly until: number;
}

export function createDesk({ operation, press, now }: DeskOptions): Desk {
  const pressing = new Map<string, Promise<void>>();
  const kept = new Map<string, Kept>();

  async function carry(approval: Approval, yes: boolean, approver: string | undefined): Promise<void> {
    const outcome = await press(approval.operationId, yes, approver);
    for (const [id, { until }] of kept) if (until <= now()) kept.delete(id);
    // The first outcome has the words of the result; a later press would only say that it was decided before.
    if (isSettled(outcome) && !kept.has(approval.operationId)) {
      kept.set(approval.operationId, { outcome, until: now() + LINGER_MS });
    }
  }

  return {
    decide(approval, yes, approver) {
      const id = approval.operationId;
      const running = pressing.get(id);
      if (running !== undefined) return running;
      if (approval.decision !== 'pending') return Promise.resolve();
      const fresh = carry(approval, yes, approver).finally(() => pressing.delete(id));
      pressing.set(id, fresh);
      return fresh;
    },
    async standing(approval) {
      if (pressing.has(approval.operationId)) return BEING_DONE;
      const entered = await operation(approval.operationId);
      const told = kept.get(approval.operationId);
      if (told !== undefined && told.until > now() && !isOvertaken(told.outcome, entered)) return told.outcome;
      return approvalStatus(approval, entered, now());
    },
  };
}

/** A late reply may have corrected a failure: the journal knows better. */
function isOvertaken({ kind }: DecisionOutcome, operation: Operation | undefined): boolean {
  return kind === 'failed' && (operation?.state === 'succeeded' || operation?.state === 'needs_person');
}

/** What can still change is read anew each time. */
function isSettled({ kind }: DecisionOutcome): boolean {
  return kind !== 'pending' && kind !== 'unknown';
}
