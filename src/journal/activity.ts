/** Numbers about the journal, made by the store, and the operations behind each. */
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
  /** They say what each operation is counted as. */
  readonly acts: Acts;
  readonly tenant: string;
  /** Only this caller's operations. */
  readonly caller?: string;
  /** createdAt in [from, to), milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly groupBy: ActivityKey;
  /** IANA name: days are those of the desk. */
  readonly timeZone: string;
  /** Only these. Absent: all. */
  readonly measures?: readonly Measure[];
  /** By which time a time limit has passed, milliseconds since 1970. */
  readonly now: number;
}

/** One number, or a part of it: several rows of one key and measure add up. */
export interface ActivityRow {
  /**
   * A date in the time zone, a route as it was sold, a tool, a state, a caller or a payment type. `unknown` is what
   * nobody noted. A finding has its kind for a tool, `open` or `closed` for a state, and for a caller who made the
   * booking.
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

/** A page of what is behind one number. */
export interface CountedQuery extends ActivityQuery {
  readonly measure: Measure;
  /** Only those of this row. */
  readonly key?: string;
  /** Only those that come after this one. */
  readonly after?: Pick<CountedOperation, 'at' | 'id'>;
  readonly limit: number;
}
