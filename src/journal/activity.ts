/** Queries and rows of activity reports: numbers about the journal, and the operations behind each number. */
import type { Money } from '../core/money.ts';
import type { Acts } from './act.ts';

export const ACTIVITY_KEYS = ['day', 'route', 'tool', 'status', 'caller', 'payment_type'] as const;
export type ActivityKey = (typeof ACTIVITY_KEYS)[number];

/**
 * What a report counts. docs/guides/operations.md, Numbers that agree, defines each. An operation belongs to the day on
 * which it entered the journal, and a finding to that on which it was seen, so that every number is that of a list.
 */
export const MEASURES = [
  'operations',
  'sold',
  'paid',
  'refunded',
  'kept',
  'holds_made',
  'holds_lapsed',
  'in_doubt',
  'changes',
  'findings',
  'findings_open',
] as const;
export type Measure = (typeof MEASURES)[number];

export interface ActivityQuery {
  /** The acts, which say what each operation is counted as. */
  readonly acts: Acts;
  readonly tenant: string;
  /** Only this caller's operations. */
  readonly caller?: string;
  /** createdAt in [from, to), milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly groupBy: ActivityKey;
  /** Time zone of the desk (IANA name), in which days are counted. */
  readonly timeZone: string;
  /** Only these. Absent: all. */
  readonly measures?: readonly Measure[];
  /** Time limits before this have passed. Milliseconds since 1970. */
  readonly now: number;
}

/** One number, or a part of it: several rows of one key and measure add up. */
export interface ActivityRow {
  /**
   * A date in the time zone, a route as it was sold, a tool, a state, a caller or a payment type, or `unknown`. For
   * findings, the tool is the kind, the state is `open` or `closed`, and the caller is who made the booking.
   */
  readonly key: string;
  readonly measure: Measure;
  /** How many operations. */
  readonly count: number;
  /** How many of them have an amount that nobody stated. */
  readonly unstated: number;
  /** The sum of the others, of one currency. */
  readonly sum?: Money;
}

/** An operation behind a number, or a finding. */
export interface CountedOperation {
  readonly id: string;
  /** When it entered the journal or was seen, milliseconds since 1970. */
  readonly at: number;
  /** Name of the tool, or the kind of a finding. */
  readonly what: string;
  readonly status: string;
  readonly locator?: string;
  /** What it adds to the sum; absent: nobody stated it, or the measure has no sum. */
  readonly amount?: Money;
}

/** Asks for a page of the operations or findings behind one number. */
export interface CountedQuery extends ActivityQuery {
  readonly measure: Measure;
  /** Only those of this row. */
  readonly key?: string;
  /** Only those that come after this one. */
  readonly after?: Pick<CountedOperation, 'at' | 'id'>;
  readonly limit: number;
}
