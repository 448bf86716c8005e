/** A plan as it is kept, and its store. What becomes of its steps is in their approvals and in the journal. */

import type { Approval, PlanApproval } from '../approvals/ports.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Assurance } from '../journal/operation.ts';
import type { PlanLine, PlanView, StepView } from './plan.ts';

/** What a step does, as read when it was proposed or asked last. */
export type StepTerms = Omit<StepView, 'state' | 'why' | 'operationId' | 'moved'>;

export interface PlanBody {
  readonly lines: readonly PlanLine[];
  /** By line and step. */
  readonly terms: readonly (readonly StepTerms[])[];
  readonly leftOut: PlanView['leftOut'];
  /** Lines, from 1, that the last question left out, and why. */
  readonly notAsked: Readonly<Record<number, string>>;
}

export interface StoredPlan {
  readonly id: string;
  readonly tenant: string;
  readonly caller: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly stoppedAt?: number;
  /** Operation id of the question asked last. */
  readonly question?: string;
  /** Arguments and terms, with names. Blanked an hour after the plan expired. */
  readonly body?: PlanBody;
}

export interface PlanAnswer {
  readonly assurance: Assurance;
  readonly approver?: string | undefined;
  /** Operation ids of the steps that are granted; the others are declined. Empty: a no. */
  readonly granted: readonly string[];
}

export interface KeptPlans {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly firstExpiresAt?: number;
}

/** Every call is one atomic, durable transaction. */
export interface PlanStore {
  put(plan: StoredPlan): Promise<void>;
  get(id: string): Promise<StoredPlan | undefined>;
  /** Plans of this person, from all their applications, that have their body, and when the first of them expires. */
  kept(caller: Caller): Promise<KeptPlans>;
  /** Of all callers, the newest first. */
  list(limit: number): Promise<readonly StoredPlan[]>;
  /**
   * Enters a question and its steps. The question before and its steps can no longer be answered, and a stop is over. A step
   * that waits for a yes of its own goes on waiting.
   * @param before the question, and its decision, that the caller saw. False: another question or answer came in between.
   */
  ask(
    plan: Required<Pick<StoredPlan, 'id' | 'question' | 'expiresAt' | 'body'>>,
    approvals: readonly Approval[],
    before: Pick<Approval, 'operationId' | 'decision'> | undefined,
  ): Promise<boolean>;
  /** Decides the plan's last question and its steps, if they are pending and in time. */
  decide(plan: string, question: string, answer: PlanAnswer, now: number): Promise<boolean>;
  /** All approvals of a plan, oldest first: questions, and steps. */
  approvals(plan: string): Promise<readonly PlanApproval[]>;
  /** Begins nothing more. False: it was stopped before, or is unknown. */
  stop(id: string, now: number): Promise<boolean>;
  /**
   * Plans, not stopped, with a step that was granted after `since` and that the journal does not have, or that was not done
   * after the payment before it and of which nobody was asked again.
   */
  unfinished(since: number): Promise<readonly StoredPlan[]>;
}
