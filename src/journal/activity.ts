/** Queries and rows of activity reports: numbers about the journal, and the operations behind each number. */
import type { Money } from '../core/money.ts';
import type { Acts } from './act.ts';

export const ACTIVITY_KEYS = ['day', 'route', 'tool', 'status', 'caller', 'payment_type'] as const;
export type ActivityKey = (typeof ACTIVITY_KEYS)[number];

/**
 * What a report counts; docs/guides/operations.md, Numbers that agree, says more. An operation belongs to the day on
 * which it entered the journal, and a finding to that on which it was seen, so that every number is that of a list.
 */
export const MEASURES = [
  /** All operations, in any state. */
  'operations',
  /** Payments of bookings that are done; their sum is what was paid. */
  'sold',
  /** Those of `sold`, and rebookings unless the airline stated only a refund; their sum is what the airline took. */
  'paid',
  /** Cancellations of paid bookings that are done, and changes with a stated refund; their sum is that refund. */
  'refunded',
  /** The operations of `refunded`; their sum is what the airline keeps. */
  'kept',
  /** Holds that were made. */
  'holds_made',
  /** Those of `holds_made` that ended without a payment. */
  'holds_lapsed',
  /** Operations whose outcome is not known. */
  'in_doubt',
  /** Changes of a booking that are done. */
  'changes',
  /** What the airline changed, by the day on which a reading showed it. */
  'findings',
  /** Those of `findings` that nobody closed and whose departure is ahead. */
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
   * What the row is about, by `groupBy`; `unknown` if that is not known:
   *
   * | groupBy        | of an operation         | of a finding         |
   * | -------------- | ----------------------- | -------------------- |
   * | `day`          | a date in the time zone | the same             |
   * | `route`        | as it was sold          | the same             |
   * | `tool`         | the tool                | the kind             |
   * | `status`       | the state               | `open` or `closed`   |
   * | `caller`       | who called              | who made the booking |
   * | `payment_type` | how it was paid         | `unknown`            |
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
