/** What a SELECT is asked of: tables that are filled for it, and the message in which they travel to the process that runs it. */

/** Of a table; SQLite keeps whole numbers and decimals apart by it. */
export type ColumnType = 'text' | 'integer' | 'real';

export type Cell = string | number | null;

export interface SqlTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  /** Columns by which other tables join it, or most questions look for rows. */
  readonly indexes: readonly string[];
  /** Cells in the order of the columns. */
  readonly rows: readonly (readonly Cell[])[];
}

/** The first line that the process reads. Afterwards each line is a {@link RowsLine}, and the end of the input begins the work. */
export interface SqlRequest {
  readonly tables: readonly Omit<SqlTable, 'rows'>[];
  readonly sql: string;
  /** What `now` is, milliseconds since 1970, and the desk's zone (IANA name), whose clock it is read by. */
  readonly now: number;
  readonly timeZone: string;
  readonly mostRows: number;
  /** Characters of all cells together. */
  readonly mostText: number;
  /** Time of a processor that the statement may take, milliseconds. */
  readonly statementMs: number;
}

/** How a process ends whose statement took too long; one that needed too much memory ends by SIGKILL. */
export const TOO_SLOW_SIGNAL = 'SIGTERM';

/** The number of a table, and some of its rows. */
export type RowsLine = readonly [table: number, rows: SqlTable['rows']];

/** What a process answers, a line each: that all rows are there and the statement begins, then its result. */
export type SqlReply = { readonly ready: true } | SqlResult | { readonly failed: SqlFailure };

export interface SqlResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** There are more rows than were asked for, or than the limit of text admits. */
  readonly cut?: 'rows' | 'text' | undefined;
}

/** Why there is no result. `why` has names and words of the statement and of SQLite, none of the rows. */
export interface SqlFailure {
  readonly kind: 'refused' | 'several' | 'unknown' | 'invalid' | 'too_large';
  readonly why: string;
  /** The nearest name that there is. */
  readonly near?: string | undefined;
}

/** A question: the tables with their rows, and one SELECT. */
export type SqlQuestion = Omit<SqlRequest, 'tables' | 'statementMs'> & { readonly tables: readonly SqlTable[] };

/** `busy`: others' statements took all the time. `too_slow`: it was ended. `lost`: its process failed. */
interface SqlInterruption {
  readonly kind: 'busy' | 'too_slow' | 'lost';
  readonly why: string;
}

export type SqlEnd = SqlResult | { readonly failed: SqlFailure | SqlInterruption };

/** Why there is no result, and the nearest name that there is. */
export function failureText(failed: SqlFailure | SqlInterruption): string {
  return 'near' in failed && failed.near !== undefined
    ? `${failed.why} The nearest name is ${failed.near}.`
    : failed.why;
}
