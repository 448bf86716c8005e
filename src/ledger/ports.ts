/** The rows of which questions in SQL are answered, as the state keeps them. */
import type { DeskEntry } from '../domain/booking/booking-ledger.ts';
import type { Finding } from '../domain/booking/finding.ts';
import type { Assurance, Operation } from '../journal/operation.ts';

export interface LedgerRowsQuery {
  readonly tenant: string;
  /** Only what this caller did, made or read. Absent: the whole tenant, for supervisors. */
  readonly caller?: string;
  /** What happened in [from, to), milliseconds since 1970; bookings also that depart from then on. */
  readonly from: number;
  readonly to: number;
  /** The statement: counts that it does not name are not read. Absent: everything is. */
  readonly sql?: string;
}

/** A question to a person and its answer, without its terms. */
export interface KeptQuestion {
  /** Of the operation that a yes becomes. */
  readonly operationId: string;
  readonly caller: string;
  readonly tool: string;
  readonly locator?: string;
  /** Id of the plan of which it is a part. */
  readonly plan?: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly expiresAt: number;
  /** As the approval has it: `pending`, `granted`, `declined` and more (approvals/ports.ts). */
  readonly decision: string;
  readonly decidedAt?: number;
  readonly assurance?: Assurance;
  readonly approver?: string;
  /** Absent: nothing was at stake, the amount was not known, or an earlier version asked. */
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

/** How the airline answered one kind of request in one hour. */
export interface AirlineHour {
  /** When the hour began (UTC), milliseconds since 1970. */
  readonly hour: number;
  /** As logs and metrics name it: `fare_search`, `read`, `ticket`. */
  readonly request: string;
  readonly requests: number;
  /** Those without a reply, or with an HTTP status from 400. */
  readonly errors: number;
  readonly medianMs: number;
  readonly slowestMs: number;
}

/** As it is counted and kept: of one tenant. */
export interface TenantFailures extends FailureCount {
  readonly tenant: string;
}

/** Requests by their time: how many in each bucket (call-counter.ts). */
export type Latencies = Readonly<Record<string, number>>;

/** As it is counted and kept: of one tenant, and with what the median follows from. */
export interface TenantRequests extends Omit<AirlineHour, 'medianMs'> {
  readonly tenant: string;
  readonly latencies: Latencies;
}

/** Adds counts to those that this and other processes wrote. @throws ClerkError E_STATE_DOWN: the state is away, or busy */
export interface CallRecords {
  /** None twice in one call, and always in the same order: two programs must not wait for each other's rows. */
  addFailures(counts: readonly TenantFailures[]): Promise<void>;
  addRequests(counts: readonly TenantRequests[]): Promise<void>;
}

export interface LedgerRows {
  readonly operations: readonly Operation[];
  /** `isPast`: long over; names are gone. */
  readonly bookings: readonly (DeskEntry & { readonly isPast?: true })[];
  readonly findings: readonly Finding[];
  readonly questions: readonly KeptQuestion[];
  /** For supervisors; else empty. */
  readonly failures: readonly FailureCount[];
  readonly airlineHours: readonly AirlineHour[];
}

export interface LedgerReader {
  /** Questions about one booking, whoever asked; oldest first. */
  questionsAbout(tenant: string, locator: string): Promise<readonly KeptQuestion[]>;
  rows(query: LedgerRowsQuery): Promise<LedgerRows>;
}
