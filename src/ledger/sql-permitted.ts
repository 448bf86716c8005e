/**
 * What one statement may do: read the tables of its request by a single SELECT, call the functions that are listed here, within limits.
 * SQLite's authorizer refuses everything else.
 */
import { constants, type DatabaseSync, type StatementSync } from 'node:sqlite';
import type { SqlFailure, SqlRequest } from './sql-tables.ts';

/** Most bytes of one text, also of texts that exist only while the statement runs. */
const LONGEST_TEXT = 200_000;

/** Most characters of the statement. */
const LONGEST_SQL = 20_000;

/** Limits of nesting. SQLite's own are 500 and 1,000, which no question needs. */
const MOST_NESTING = { compoundSelect: 50, exprDepth: 200 };

/**
 * SQL functions that a statement may call. They exclude functions that build large texts (`zeroblob`), open files or
 * describe the database.
 */
export const FUNCTIONS = new Set(
  `abs avg ceil ceiling changes char coalesce concat concat_ws count cume_dist current_date current_time current_timestamp date datetime
  dense_rank exp first_value floor format glob group_concat iif if ifnull instr julianday lag last_value lead length like ln log lower
  ltrim max median min mod nth_value ntile nullif percent_rank percentile percentile_cont percentile_disc pow power printf rank
  replace round row_number rtrim sign sqrt strftime string_agg substr substring sum time timediff total trim trunc typeof unicode
  unixepoch upper`.split(/\s+/),
);

/** Ends the name of a table with the rows of all currencies, while the statement runs for one of them. */
export const OF_ALL = '_of_all_currencies';

/** Names of SQLite's own tables. */
const SQLITE_TABLES = /^(?:sqlite|pragma|json|dbstat|bytecode|tables_used|fts|rtree|generate)/i;

export const READ_ONLY = 'Only one SELECT, or WITH … SELECT, is run: nothing is written, attached or set.';

/** Ends the statement, perhaps before it ran: the failure is the answer. */
export class SqlRefusal extends Error {
  readonly failure: SqlFailure;

  constructor(failure: SqlFailure) {
    super(failure.why);
    this.failure = failure;
  }
}

/** What SQLite asked the authorizer about a statement. */
interface PrepareLog {
  /** Why it was last denied something. */
  denial?: string;
  /** Whether it selects. Some statements, such as `reindex` without an index, ask nothing at all. */
  selects: boolean;
}

/**
 * Calls back while statements can only read the tables, by limits and an authorizer.
 * @param reads gets the columns that a prepared statement reads, by table
 */
export function restricted<T>(
  database: DatabaseSync,
  { tables }: SqlRequest,
  work: (seen: PrepareLog) => T,
  reads = new Map<string, Set<string>>(),
): T {
  const usualLength = database.limits.length;
  Object.assign(database.limits, { length: LONGEST_TEXT, attach: 0, ...MOST_NESTING });

  const names = new Set(tables.map(({ name }) => name));
  const seen: PrepareLog = { selects: false };

  const deny = (why: string) => {
    seen.denial = why;
    return constants.SQLITE_DENY;
  };

  // SQLite names the table and the column of a read, and the function of a call as the second one.
  database.setAuthorizer((...access) => {
    const [action, tableName, columnOrFunction, _database, view] = access;

    switch (action) {
      case constants.SQLITE_SELECT:
        seen.selects = true;
        return constants.SQLITE_OK;
      case constants.SQLITE_RECURSIVE:
        return constants.SQLITE_OK;
      case constants.SQLITE_READ: {
        const table = tableName ?? '';
        if (names.has(table)) {
          const columns = reads.get(table) ?? new Set();
          reads.set(table, columns.add(columnOrFunction ?? ''));
          return constants.SQLITE_OK;
        }

        // The rows of one currency are a view of the table with all of them.
        if (names.has(view ?? '') && table === `${view}${OF_ALL}`) return constants.SQLITE_OK;

        // `count(*)` reads no column, and may name a table that the statement itself defines.
        return columnOrFunction === '' && !SQLITE_TABLES.test(table)
          ? constants.SQLITE_OK
          : deny(`There is no table ${tableName}.`);
      }
      case constants.SQLITE_FUNCTION:
        return FUNCTIONS.has(columnOrFunction ?? '')
          ? constants.SQLITE_OK
          : deny(`The function ${columnOrFunction} is not offered.`);
      default:
        return deny(READ_ONLY);
    }
  });

  try {
    return work(seen);
  } finally {
    database.setAuthorizer(null);
    database.limits.length = usualLength;
  }
}

/** Prepares the statement: one SELECT, and no EXPLAIN. @throws SqlRefusal */
export function prepare(database: DatabaseSync, sql: string, seen: PrepareLog): StatementSync {
  if (sql.length > LONGEST_SQL)
    throw new SqlRefusal({ kind: 'refused', why: `The statement has more than ${LONGEST_SQL} characters.` });
  if (/^(?:\s|;)*explain\b/i.test(withoutComments(sql)))
    throw new SqlRefusal({ kind: 'refused', why: 'EXPLAIN is not run.' });

  let statement: StatementSync;
  try {
    statement = database.prepare(sql);
  } catch (error) {
    if (seen.denial !== undefined) throw new SqlRefusal({ kind: 'refused', why: seen.denial });
    throw error;
  }

  if (!seen.selects) throw new SqlRefusal({ kind: 'refused', why: READ_ONLY });
  if (!isBlank(sql.slice(statement.sourceSQL.length)))
    throw new SqlRefusal({ kind: 'several', why: 'Only one statement is run.' });

  return statement;
}

/** Whether the text has nothing but spaces, semicolons and comments. */
function isBlank(rest: string): boolean {
  return /^[\s;]*$/.test(withoutComments(rest));
}

/** The text with a space for each comment. A comment within a quoted text counts as one too. */
function withoutComments(text: string): string {
  return text.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
}
