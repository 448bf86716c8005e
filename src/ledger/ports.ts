/** The stored rows from which questions in SQL are answered, and the stores that read and count them. */
import type { DeskEntry } from '../domain/booking/booking-ledger.ts';
import type { Finding } from '../domain/booking/finding.ts';
import type { Assurance, Operation } from '../journal/operation.ts';

export interface LedgerRowsQuery {
  readonly tenant: string;
  /** Only what this caller did, made or read. Absent: the whole tenant, for supervisors. */
  readonly caller?: string;
  /** Rows of [from, to), milliseconds since 1970, and bookings that depart later. */
  readonly from: number;
  readonly to: number;
  /** First instants of the months in which the rows may begin, the earliest first. Absent: they begin at `from`. */
  readonly months?: readonly number[];
}

/** Rows of one kind, and what is needed beside them to fill a view. */
export interface LedgerSource {
  readonly each: keyof LedgerRows;
  readonly beside: ReadonlySet<keyof LedgerRows>;
  /** Of operations: the fields that are read. Absent: all. */
  readonly fields?: ReadonlySet<OperationField> | undefined;
}

/** A question to a person and its answer, without its terms. */
export interface KeptQuestion {
  /** Id of the operation that a yes becomes. */
  readonly operationId: string;
  readonly caller: string;
  readonly tool: string;
  readonly locator?: string;
  /** Id of the plan of which it is a part. */
  readonly plan?: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly expiresAt: number;
  /** As the approval has it: `pending`, `granted`, `declined` and more (approvals/approval.ts). */
  readonly decision: string;
  readonly decidedAt?: number;
  readonly assurance?: Assurance;
  readonly approver?: string;
  /** Absent: nothing was at stake, the amount was not known, or 0.2.0 asked. */
  readonly amountMinor?: number;
  readonly currency?: string;
  readonly direction?: 'payment' | 'refund';
}

/** Calls of one tool and caller that ended with the same error code, in one hour. */
export interface FailureCount {
  readonly caller: string;
  readonly tool: string;
  readonly code: string;
  /** When the hour began (UTC), milliseconds since 1970. */
  readonly hour: number;
  readonly calls: number;
  /** When the last of them ended, milliseconds since 1970. */
  readonly lastAt: number;
}

/** A count of failed calls as it is stored. */
export interface TenantFailures extends FailureCount {
  readonly tenant: string;
}

/**
 * Adds counts to those that this and other processes wrote.
 * @throws ClerkError E_STATE_DOWN if the state is down or busy
 */
export interface CallRecords {
  /** Counts are unique and always in the same order, so that two processes do not wait for each other's rows. */
  addFailures(counts: readonly TenantFailures[]): Promise<void>;
}

/** What the views need of an operation. */
export type LedgerOperation = Pick<
  Operation,
  | ('id' | 'tenant' | 'caller' | 'tool' | 'locator' | 'state' | 'assurance' | 'approvedBy' | 'direction' | 'amount')
  | ('createdAt' | 'updatedAt' | 'dispatchedAt' | 'subject' | 'outcome' | 'facts')
> & {
  /** Why the customer had it done, until it is erased. */
  readonly reason?: string | undefined;
};

export type OperationField = keyof LedgerOperation;

/** What the views need of a booking. */
export interface LedgerBooking extends DeskEntry {
  /** The trip is long over, and names were removed. */
  readonly isPast?: true | undefined;
}

export interface LedgerRows {
  readonly operations: readonly LedgerOperation[];
  /** Payments of the bookings, or of those that the operations refund or change, the oldest first, whoever made them. */
  readonly sales: readonly LedgerOperation[];
  /** The operations that made those bookings of which the airline has not said when: a reply to a hold may not. The oldest first. */
  readonly makings: readonly LedgerOperation[];
  readonly bookings: readonly LedgerBooking[];
  readonly findings: readonly Finding[];
  readonly questions: readonly KeptQuestion[];
  /** Empty unless the query asks about the whole tenant. */
  readonly failures: readonly FailureCount[];
}

export interface DecidedQuery {
  readonly tenant: string;
  /** The person, without an application: what they asked or answered from any. Absent: what anybody of the tenant did. */
  readonly person?: string | undefined;
  /** Only questions that were open since then, milliseconds since 1970. */
  readonly since: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly limit: number;
}

/** An act of a plan. */
interface DecidedStep {
  /** As {@link KeptQuestion} has it. */
  readonly decision: string;
  readonly operationId: string;
}

/** A question that nobody can answer any more. */
export interface DecidedQuestion extends KeptQuestion {
  /** The trip and its first departure, while the question keeps them. */
  readonly route?: string;
  readonly departs?: string;
  /** Names of the travellers. Empty once they are erased. */
  readonly people: readonly string[];
  /** The terms changed before the yes was carried out. Not known of old questions. */
  readonly isStale: boolean;
  /** The question still has its page. */
  readonly isRecent: boolean;
  /** The acts of a plan, while they are kept. */
  readonly steps?: readonly DecidedStep[];
}

/** Questions that were answered or have ended. */
export interface DecidedQuestions {
  /** Those that a person or a tenant asked or answered, the newest first. */
  lastOf(query: DecidedQuery): Promise<readonly DecidedQuestion[]>;
}

export interface LedgerReader {
  /** Questions about one booking, whoever asked; oldest first. */
  questionsAbout(tenant: string, locator: string): Promise<readonly KeptQuestion[]>;
  /** Finds when the rows of a query begin, milliseconds since 1970: at `from`, or at the month from which there are not too many operations. */
  reach(query: LedgerRowsQuery): Promise<number>;
  /**
   * Reads the rows of one kind, few at a time, so that no process holds a year of them. Each batch has beside its rows
   * what belongs to these: their questions, bookings, open findings, and all open operations.
   */
  batches(query: LedgerRowsQuery, source: LedgerSource): AsyncIterable<LedgerRows>;
}
