/** What plans need from outside: their store, the runtime of this process, and the tools that a step may use. */

import type { Approval, PlanApproval } from '../approvals/approval.ts';
import type { BoundAct } from '../approvals/bound-act.ts';
import type { ApprovalRuntime, ApprovalSettings, Asker } from '../approvals/consent-call.ts';
import type { AskingPlan } from '../approvals/ports.ts';
import type { ChangeLines } from '../approvals/terms.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Assurance } from '../journal/operation.ts';
import type { Leases } from '../journal/ports.ts';
import type { StoredPlan } from './plan.ts';

export interface PlanAnswer {
  readonly assurance: Assurance;
  readonly approver?: string | undefined;
  /** Operation ids of the granted steps. The others are declined. Empty for a no. */
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
  /** Erases the oldest plan of this person that nobody was asked about. False: there is none. */
  dropProposal(caller: Caller): Promise<boolean>;
  /**
   * Enters a question and its steps. The question before and its steps can no longer be answered, and a stop ends. A step
   * that waits for a yes of its own goes on waiting.
   * It also replaces the caller's other open questions, of acts and whole plans, that decide a booking of its steps.
   * @param approvals the question first
   * @param before the latest question that the caller saw, with its decision
   * @param deciding the tools of the acts that decide a booking
   */
  ask(
    plan: Required<Pick<StoredPlan, 'id' | 'question' | 'expiresAt' | 'body'>>,
    approvals: readonly Approval[],
    before: Pick<Approval, 'operationId' | 'decision'> | undefined,
    deciding: readonly string[],
  ): Promise<AskingPlan>;
  /** Decides the plan's last question and its steps, if they are pending and in time. */
  decide(plan: string, question: string, answer: PlanAnswer, now: number): Promise<boolean>;
  /** All approvals of a plan, oldest first: questions, and steps. */
  approvals(plan: string): Promise<readonly PlanApproval[]>;
  /** Stops a plan: its open question is withdrawn, and it begins no further act. False: it was stopped before, or is unknown. */
  stop(id: string, now: number): Promise<boolean>;
  /**
   * Plans that are not stopped and have a step that was granted after `since`, and either has no operation in the journal,
   * or was not done although the payment before it was, and about which nobody was asked again.
   */
  unfinished(since: number): Promise<readonly StoredPlan[]>;
}

/** What one process needs to carry out plans. */
export interface PlanWork {
  readonly leases: Leases;
  /** Unique id of this process. */
  readonly owner: string;
  /** Plans that this process carries out now, by id. */
  readonly running: Map<string, Promise<void>>;
  /** Aborts when this process ends: it finishes the act that it is sending and begins no other. */
  readonly ending: AbortSignal;
}

export interface PlanRuntime extends ApprovalRuntime {
  readonly state: ApprovalRuntime['state'] & {
    /** Absent: there are no plans. */
    readonly plans?: PlanStore;
  };
  /** Absent: this process carries out no plans. */
  readonly plans?: PlanWork;
}

/** What a call about a plan needs: the runtime, the settings, and the tools of its steps. */
export interface Planner {
  readonly runtime: PlanRuntime;
  readonly settings: ApprovalSettings;
  /** The planner for a caller with a point of sale of their own. */
  plannerFor?(caller: Caller): Planner;
  /** Undefined for a tool that is not offered here. */
  actOf(tool: string, args: Readonly<Record<string, unknown>>, asker: Asker): BoundAct | undefined;
  /** Works on many items, a few at a time, in their order. A failure does not stop the others. */
  each<T, R>(
    items: readonly T[],
    done: (count: number) => void,
    work: (item: T) => Promise<R>,
  ): Promise<readonly PromiseSettledResult<R>[]>;
  /** What the airline changed of these bookings since a time, milliseconds since 1970, and nobody has dealt with. */
  changesSince?(locators: readonly string[], since: number, asker: Asker): Promise<ChangeLines | undefined>;
  /** Called for a failure of this program or the store. The plan goes on later. */
  failed?(error: unknown): void;
}
