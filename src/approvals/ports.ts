/** What approvals need from outside: their store. */

import type { Caller } from '../domain/people/caller.ts';
import type { Assurance } from '../journal/operation.ts';
import type { Approval } from './approval.ts';

/** An open question, and the bookings that it is about. */
export interface OpenQuestion {
  readonly question: Approval;
  /** Of a plan: those of all its lines. */
  readonly locators: readonly string[];
}

/** A question was entered. `replaced`: earlier questions, as they were while they were open. */
type Entered = { readonly kind: 'asked'; readonly replaced?: readonly OpenQuestion[] };

/** The result of asking a question with a topic. */
export type Asking =
  | Entered
  /** A question with the same arguments and terms is open already. Nothing was entered. */
  | { readonly kind: 'found'; readonly open: Approval }
  | { readonly kind: 'too_many_open' };

/** The result of asking a plan's question. `meanwhile`: another question or answer of the plan came in between. */
export type AskingPlan = Entered | { readonly kind: 'meanwhile' };

export interface AskingLimits {
  /** How many open questions one person may have, from all applications. */
  readonly open: number;
  /**
   * Tools whose open questions about the same booking replace one another: those of the acts that decide a booking. A
   * plan is replaced whole if one of its steps does so.
   */
  readonly deciding: readonly string[];
}

/** The answer to a question, as stored. */
export interface StoredAnswer {
  readonly decision: 'granted' | 'declined';
  readonly assurance: Assurance;
  /** Who signed in to answer. */
  readonly approver?: string | undefined;
}

export interface ApprovalStore {
  put(approval: Approval): Promise<void>;
  /**
   * Enters a pending question with a topic. An open question of the same caller, topic and tool is found if it asks the
   * same, else replaced, together with those that `limits.deciding` names. This is one transaction: if two calls ask at once, the second finds or replaces the question
   * of the first.
   */
  ask(question: Approval, limits: AskingLimits): Promise<Asking>;
  /** Finds approvals of all callers. Compare the caller, and treat another caller's approval as unknown. */
  get(handleHash: string): Promise<Approval | undefined>;
  /** Finds an approval by its operation, by which the page, the terminal and lists name it. */
  byOperation(operationId: string): Promise<Approval | undefined>;
  /** Compare-and-set from `pending`, before `expiresAt`. */
  decide(handleHash: string, answer: StoredAnswer, now: number): Promise<boolean>;
  /** Stores what the terms have learned since: other questions, or the outcome's facts; until names are blanked. */
  keepTerms(approval: Approval): Promise<void>;
  /** Turns a yes whose operation was not sent yet into a no, and erases what it carried. */
  takeBack(handleHash: string, by: Omit<StoredAnswer, 'decision'>, now: number): Promise<void>;
  /** Spends a yes that cannot be carried out, and erases what it carried. A reason without lines can get some later. */
  makeVoid(handleHash: string, why: 'not_done' | 'terms_changed', lines?: readonly string[]): Promise<void>;
  /** Notes that the caller knows the outcome, and erases what was carried. False: the caller knew it before. */
  markTold(handleHash: string, now: number): Promise<boolean>;
  /** Erases what the approval carried. */
  erase(handleHash: string): Promise<void>;
  /** How many questions of this person, from all applications, wait for an answer. */
  openOf(caller: Caller, now: number): Promise<number>;
  /** The open questions about any of these bookings, of a caller or of a whole tenant, oldest first. @param tools only about these acts */
  openAbout(
    caller: Pick<Caller, 'tenant'> & Partial<Pick<Caller, 'id'>>,
    locators: readonly string[],
    now: number,
    tools?: readonly string[],
  ): Promise<readonly OpenQuestion[]>;
  /**
   * The newest yes to this act of this booking that was not carried out because the terms had changed; undefined if its names are blanked.
   * @param until only one that expires later, milliseconds since 1970
   */
  lastStale(
    asker: Pick<Approval, 'tenant' | 'caller' | 'tool'>,
    locator: string,
    until: number,
  ): Promise<Approval | undefined>;
  /** Questions that are pending and not expired, oldest first. */
  waiting(now: number): Promise<readonly Approval[]>;
}
