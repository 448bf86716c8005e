/**
 * What was done in a span of time, as sums that the store makes: a report needs no operation but those still open.
 */
import type { Money } from '../domain/pricing/money.ts';
import type { Operation } from './operation.ts';

export const ACTIVITY_KEYS = ['day', 'route', 'tool', 'status', 'caller'] as const;
export type ActivityKey = (typeof ACTIVITY_KEYS)[number];

export interface ActivityQuery {
  readonly tenant: string;
  /** Only this caller's operations. */
  readonly caller?: string;
  /** createdAt in [from, to), milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly groupBy: ActivityKey;
  /** Whose ledger names the routes: the journal has none. */
  readonly ledgerOf: string;
  /** At most so many open operations. */
  readonly mostOpen: number;
}

/**
 * Operations that have key and currencies in common. One key may come in several rows, also with the same currencies:
 * they add up.
 */
export interface ActivityRow {
  /** A UTC date, a route, a tool, a state or a caller. `unknown` is a route that the ledger does not have. */
  readonly key: string;
  /** Of the amount that limits count; absent where there is none. */
  readonly currency?: string;
  readonly operations: number;
  /** createdAt of the newest. */
  readonly newest: number;
  /** What was paid, in the currency it was paid in. */
  readonly paid?: Money;
  readonly refunded?: Money;
  /** Refunds that were made, and that the airline stated no amount of. */
  readonly unstated: number;
}

export interface Activity {
  readonly rows: readonly ActivityRow[];
  /** Operations whose outcome is not known, newest first, as far as asked for. */
  readonly open: readonly Operation[];
  readonly openTotal: number;
}
