/**
 * Approvals: a question put to a person, and the answer, kept across restarts.
 */
import type { Assurance } from '../journal/operation.ts';

/** How the question is being put. */
export type AskedBy = 'elicit' | 'page' | 'echo';

/** `void`: granted, but it could not be carried out (another operation, a limit): the yes is spent all the same. */
export type Decision = 'pending' | 'granted' | 'declined' | 'void';

export interface Approval {
  /** SHA-256 of the handle: the handle itself is stored nowhere. */
  readonly handleHash: string;
  /** The operation that this approval becomes, chosen beforehand. */
  readonly operationId: string;
  readonly tenant: string;
  readonly caller: string;
  readonly tool: string;
  readonly locator?: string;
  readonly argsDigest: string;
  readonly termsDigest: string;
  /** The terms as shown, and the words of the yes. Blanked an hour after it lapsed: they name people. */
  readonly lines: readonly string[];
  readonly act: string;
  /** What carries it out (JSON), so that the page or another process can; absent once spent and told. */
  readonly carried?: unknown;
  readonly askedBy: AskedBy;
  readonly decision: Decision;
  readonly assurance?: Assurance;
  /** Who signed in and decided on the page, as callers are named; absent where only the way is known. */
  readonly approver?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly decidedAt?: number;
  /** When its outcome was first told to the caller: from then on it is a repeat. */
  readonly toldAt?: number;
  /** New terms after a press that came too late, and the handle's fate with them. */
  readonly staleLines?: readonly string[];
}

export interface ApprovalStore {
  put(approval: Approval): Promise<void>;
  /** By hash of the handle, of any caller: the guard compares the caller and answers alike for foreign and unknown. */
  get(handleHash: string): Promise<Approval | undefined>;
  /** By the operation id: how the page, the terminal and lists name an approval. */
  byOperation(operationId: string): Promise<Approval | undefined>;
  /** Compare-and-set from `pending`, before `expiresAt`. */
  decide(
    handleHash: string,
    decision: 'granted' | 'declined',
    assurance: Assurance,
    now: number,
    approver?: string,
  ): Promise<boolean>;
  /** Puts the question another way (a closed dialog: the next call asks on the page). */
  ask(handleHash: string, by: AskedBy): Promise<boolean>;
  markStale(handleHash: string, lines: readonly string[]): Promise<void>;
  /** Spends a yes that could not be carried out; what it carried is erased. */
  revoke(handleHash: string): Promise<void>;
  /** Notes the first telling of the outcome and erases what was carried. False: it was told before. */
  tell(handleHash: string, now: number): Promise<boolean>;
  /** Erases what was carried. */
  erase(handleHash: string): Promise<void>;
  /** Pending and not lapsed, oldest first. */
  waiting(now: number): Promise<readonly Approval[]>;
}

/** What is open in a whole state, of every caller. */
export interface OpenCounts {
  readonly inDoubt: number;
  readonly needsPerson: number;
  /** When the first of them was handed to a person, milliseconds since 1970; absent where none was. */
  readonly needsPersonSince?: number;
  readonly approvalsWaiting: number;
}
