/**
 * The tables that a SELECT reads, what is asked and answered about them, and whether this Node.js can restrict a SELECT to its tables.
 */

import type { LedgerRowsQuery } from './ports.ts';

/** Type of a column. SQLite stores whole numbers as integers in one that is `integer`, and as decimals in `real`. */
export type ColumnType = 'text' | 'integer' | 'real';

export type Cell = string | number | null;

export interface SqlColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** It is an amount in the currency of the row's column `currency`. */
  readonly isAmount?: true | undefined;
  /** The words that it can have. */
  readonly words?: readonly string[] | undefined;
  /** A hint may name its values: they are no name, contact or locator. */
  readonly tellsValues?: true | undefined;
}

export interface SqlTable {
  readonly name: string;
  readonly columns: readonly SqlColumn[];
  /** Columns with an index: other tables join by them, or most questions filter by them. */
  readonly indexes: readonly string[];
  /** Each row begins with a number, its place: rows of several kinds come one kind after another. */
  readonly hasPlaces?: true;
}

/** A table that a statement reads, and which of its columns. None: it only counts the rows. */
export interface SqlRead {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Rows of a table: the cells of those columns that the statement reads, in their order. */
export type SqlRows = readonly (readonly Cell[])[];

/** One SELECT and the tables that it may read. */
export interface SqlRequest {
  readonly tables: readonly SqlTable[];
  readonly sql: string;
  /** What `now` means in the statement, milliseconds since 1970. */
  readonly now: number;
  /** Time zone of the desk (IANA name), in which `now` is shown. */
  readonly timeZone: string;
  readonly mostRows: number;
  /** Most characters of all cells together. */
  readonly mostText: number;
  /** CPU time that the statement may use, milliseconds. */
  readonly statementMs: number;
}

/** Ends a process whose statement used too much CPU time. One that used too much memory ends by SIGKILL. */
export const TOO_SLOW_SIGNAL = 'SIGTERM';

/** Some rows of a table, and the index of that table in what the statement reads. */
export type RowsLine = readonly [read: number, rows: SqlRows];

export interface SqlResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Rows were left out: there are more than `mostRows`, or their text is longer than `mostText`. */
  readonly cut?: 'rows' | 'text' | undefined;
  /** The statement ran once for each of these currencies, which the first column names, because it mixes amounts of several. */
  readonly currencies?: readonly string[] | undefined;
  /** Where it may not mean what it says, in these rows. The likeliest first. */
  readonly hints?: readonly SqlHint[] | undefined;
}

/** What an answer says of the stored rows that were read for it. */
export interface StoredRowsSeen {
  /** Operations whose outcome is not known. */
  readonly unsettled: number;
  /** When the booking was read that was read longest ago, milliseconds since 1970. */
  readonly oldest?: number | undefined;
  /** When the rows begin, milliseconds since 1970. */
  readonly from: number;
  /** Operations and findings from before, which are there because they are still open. */
  readonly stillOpen: number;
}

/** Something in a statement that gives other figures than it seems to ask for. */
export interface SqlHint {
  /** Of the table in hints.ts. */
  readonly kind: string;
  readonly column: string;
  readonly text: string;
  /** Texts that rows have, or could have. */
  readonly values: readonly string[];
}

/** Why there is no result. `why` may quote the statement and SQLite's message, but never a row. */
export interface SqlFailure {
  readonly kind: 'refused' | 'several' | 'unknown' | 'invalid' | 'too_large';
  readonly why: string;
  /** The existing name that is most like the unknown one. */
  readonly near?: string | undefined;
}

/** A SELECT about the stored rows of a desk. */
export interface SqlQuestion extends Omit<SqlRequest, 'statementMs'> {
  /** Who asks: one question of theirs runs at a time. Absent: nobody else does. */
  readonly asker?: string | undefined;
  /** Ends the process: who asked has left. */
  readonly signal?: AbortSignal | undefined;
  readonly query: LedgerRowsQuery;
  readonly dialect?: 'rail' | 'airline' | undefined;
  /** Stores what the rows must have and is not stored yet. Returns the names of stations, by code, that the words need. */
  prepare(reads: readonly SqlRead[]): Promise<Readonly<Record<string, string>>>;
}

/** `busy`: other statements used all the time. `too_slow`: the process was ended. `lost`: who asked has left. `broken`: it does not run. */
interface SqlInterruption {
  readonly kind: 'busy' | 'too_slow' | 'lost' | 'broken';
  readonly why: string;
}

/** How a question ended. */
export type SqlEnd =
  | (SqlResult & { readonly seen: StoredRowsSeen })
  | { readonly failed: SqlFailure | SqlInterruption };

/** A sentence with the reason of a failure, and the nearest name if there is one. */
export function failureText(failed: SqlFailure | SqlInterruption): string {
  return 'near' in failed && failed.near !== undefined
    ? `${failed.why} The nearest name is ${failed.near}.`
    : failed.why;
}

/** The version of Node.js that has what {@link canRestrictSql} looks for. */
export const RESTRICTS_SINCE = '24.15';

/** Whether this Node.js can keep a SELECT within its tables: by an authorizer and by limits. */
export function canRestrictSql(): boolean {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const unopened = new DatabaseSync(':memory:', { open: false });
  return 'setAuthorizer' in unopened && 'limits' in unopened && 'aggregate' in unopened;
}
