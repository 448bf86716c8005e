/** Sums of operations in a span of time, made by the store. */
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
  /** Whose ledger names the routes. Absent: for each operation, that of its caller. */
  readonly ledgerOf?: string;
  /** The most open operations to return. */
  readonly mostOpen: number;
}

/** Operations with the same key and currencies. Several rows of one key add up. */
export interface ActivityRow {
  /** A UTC date, a route, a tool, a state or a caller. `unknown` is a route that the ledger does not have. */
  readonly key: string;
  /** Currency of the amount that limits count. */
  readonly currency?: string;
  readonly operations: number;
  /** createdAt of the newest. */
  readonly newest: number;
  readonly paid?: Money;
  readonly refunded?: Money;
  /** Refunds without an amount stated by the airline. */
  readonly unstated: number;
}

export interface Activity {
  readonly rows: readonly ActivityRow[];
  /** Operations whose outcome is not known, newest first, at most `mostOpen`. */
  readonly open: readonly Operation[];
  readonly openTotal: number;
  /** Operations of the span from before this time, milliseconds since 1970, are in an archive and not counted. */
  readonly archivedBefore?: number;
}
