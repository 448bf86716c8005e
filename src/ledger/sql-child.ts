/**
 * A process that fills tables in memory with the rows it reads, runs one SELECT over them, writes the result and ends. It has no
 * environment and no file; run-sql.ts starts it, and kills it when its time is over: a statement cannot be interrupted from within.
 */
import { createInterface } from 'node:readline';
import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { formatMoney } from '../core/money.ts';
import { nearest } from '../core/nearest-word.ts';
import { minuteIn } from '../core/zone.ts';
import {
  type Cell,
  type RowsLine,
  type SqlFailure,
  type SqlReply,
  type SqlRequest,
  type SqlResult,
  TOO_SLOW_SIGNAL,
} from './sql-tables.ts';

/** Bytes of one text, also of those that exist only within the statement. */
const LONGEST_TEXT = 200_000;
/** Characters of the statement. */
const LONGEST_SQL = 20_000;
/** SQLite's own limits are 500 and 1,000: no question needs so much. */
const MOST_NESTING = { compoundSelect: 50, exprDepth: 200 };
/** Characters of one cell of the result. */
const LONGEST_CELL = 2_000;

/** Those that read rows, texts, numbers and times. What makes text from nothing, opens files or tells about the database is not among them. */
const FUNCTIONS = new Set(
  `abs avg ceil ceiling changes char coalesce concat concat_ws count cume_dist current_date current_time current_timestamp date datetime
  dense_rank exp first_value floor format glob group_concat iif if ifnull instr julianday lag last_value lead length like ln log lower
  ltrim max median min mod money nth_value ntile nullif percent_rank percentile percentile_cont percentile_disc pow power printf rank
  replace round row_number rtrim sign sqrt strftime string_agg substr substring sum time timediff total trim trunc typeof unicode
  unixepoch upper`.split(/\s+/),
);

/** Tables that SQLite has of its own. */
const OF_SQLITE = /^(?:sqlite|pragma|json|dbstat|bytecode|tables_used|fts|rtree|generate)/i;

const READ_ONLY = 'Only one SELECT, or WITH … SELECT, is run: nothing is written, attached or set.';

/**
 * A thread ends the process once that needs more memory than this, megabytes, or its statement more time of a processor: a sort can
 * grow by hundreds in a second, and the thread of the statement sees nothing while it runs. The signal tells which it was.
 */
const MOST_MEMORY_MB = 400;
const LOOK_EVERY_MS = 20;
const WATCH = `let last = Infinity;
const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
require('node:worker_threads').parentPort.on('message', (ms) => { last = used() + ms; });
setInterval(() => {
  if (process.memoryUsage.rss() > ${MOST_MEMORY_MB * 1024 * 1024}) process.kill(process.pid, 'SIGKILL');
  if (used() > last) process.kill(process.pid, '${TOO_SLOW_SIGNAL}');
}, ${LOOK_EVERY_MS})`;

/** The statement is not run, or not to its end: the failure is the answer. */
class NotRun extends Error {
  readonly failure: SqlFailure;

  constructor(failure: SqlFailure) {
    super(failure.why);
    this.failure = failure;
  }
}

function say(reply: SqlReply): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

/** Reads the request and the rows from stdin, runs the statement and writes what came of it. */
async function answer(): Promise<void> {
  const watch = new Worker(WATCH, { eval: true });
  watch.unref();
  const lines = createInterface({ input: process.stdin });
  let request: SqlRequest | undefined;
  let database: DatabaseSync | undefined;
  let inserts: readonly StatementSync[] = [];
  for await (const line of lines) {
    if (request === undefined) {
      request = JSON.parse(line) as SqlRequest;
      database = emptyTables(request);
      inserts = request.tables.map(({ name, columns }) =>
        (database as DatabaseSync).prepare(`insert into ${name} values (${columns.map(() => '?').join()})`),
      );
    } else {
      const [table, rows] = JSON.parse(line) as RowsLine;
      for (const row of rows) inserts[table]?.run(...row);
    }
  }
  if (request === undefined || database === undefined) return;
  addIndexes(database, request);
  watch.postMessage(request.statementMs);
  say({ ready: true });
  try {
    say(run(database, request));
  } catch (error) {
    say({ failed: failureOf(error, request) });
  }
}

function emptyTables({ tables }: SqlRequest): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  // Sorting must not write rows into a file.
  database.exec('pragma temp_store = memory; pragma journal_mode = off;');
  const definitions = tables.map(
    ({ name, columns }) => `create table ${name} (${columns.map((column) => `${column.name} ${column.type}`).join()});`,
  );
  database.exec(`${definitions.join('\n')} begin;`);
  return database;
}

function addIndexes(database: DatabaseSync, { tables }: SqlRequest): void {
  const indexes = tables.flatMap(({ name, indexes }) =>
    indexes.map((column) => `create index ${name}_by_${column} on ${name}(${column});`),
  );
  database.exec(`commit; ${indexes.join('\n')}`);
}

function run(database: DatabaseSync, request: SqlRequest): SqlResult {
  const { sql } = request;
  if (sql.length > LONGEST_SQL)
    throw new NotRun({ kind: 'refused', why: `The statement has more than ${LONGEST_SQL} characters.` });
  addFunctions(database, request);
  const denied = closeDatabase(database, request);
  const statement = prepared(database, sql, denied);
  if (!isBlank(sql.slice(statement.sourceSQL.length)))
    throw new NotRun({ kind: 'several', why: 'Only one statement is run.' });
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const columns = statement.columns().map(({ name }) => name);
  return { columns, ...readRows(statement, request) };
}

/** From here on the statement can read the tables, and nothing else. `why` of the result names what was refused last. */
function closeDatabase(database: DatabaseSync, { tables }: SqlRequest): { why?: string } {
  Object.assign(database.limits, { length: LONGEST_TEXT, attach: 0, ...MOST_NESTING });
  const names = new Set(tables.map(({ name }) => name));
  const denied: { why?: string } = {};
  const deny = (why: string) => {
    denied.why = why;
    return constants.SQLITE_DENY;
  };
  // Of a read, the names are table and column; of a call, the second one is the function.
  database.setAuthorizer((action, tableName, columnOrFunction) => {
    switch (action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return constants.SQLITE_OK;
      case constants.SQLITE_READ:
        // Without a column, `count(*)` names what the statement itself defines too.
        return names.has(tableName ?? '') || (columnOrFunction === '' && !OF_SQLITE.test(tableName ?? ''))
          ? constants.SQLITE_OK
          : deny(`There is no table ${tableName}.`);
      case constants.SQLITE_FUNCTION:
        return FUNCTIONS.has(columnOrFunction ?? '')
          ? constants.SQLITE_OK
          : deny(`The function ${columnOrFunction} is not offered.`);
      default:
        return deny(READ_ONLY);
    }
  });
  return denied;
}

function prepared(database: DatabaseSync, sql: string, denied: { why?: string }): StatementSync {
  if (/^\s*explain\b/i.test(sql)) throw new NotRun({ kind: 'refused', why: 'EXPLAIN is not run.' });
  try {
    return database.prepare(sql);
  } catch (error) {
    if (denied.why !== undefined) throw new NotRun({ kind: 'refused', why: denied.why });
    throw error;
  }
}

/** Whether the text has nothing but spaces, semicolons and comments. */
function isBlank(rest: string): boolean {
  return /^[\s;]*$/.test(rest.replace(/--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, ' '));
}

function readRows(statement: StatementSync, { mostRows, mostText }: SqlRequest): Pick<SqlResult, 'rows' | 'cut'> {
  const rows: (readonly Cell[])[] = [];
  let textLength = 0;
  for (const found of statement.iterate() as Iterable<unknown>) {
    if (rows.length === mostRows) return { rows, cut: 'rows' };
    const row = (found as unknown[]).map(toCell);
    textLength += row.reduce((sum: number, cell) => sum + String(cell).length, 0);
    if (textLength > mostText) return { rows, cut: 'text' };
    rows.push(row);
  }
  return { rows };
}

/** A whole number beyond 2^53 as text, so that no digit is lost. */
function toCell(value: unknown): Cell {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  if (typeof value === 'number' || value === null) return value;
  if (typeof value !== 'string') return '(bytes)';
  return value.length > LONGEST_CELL ? `${value.slice(0, LONGEST_CELL)}…` : value;
}

/**
 * `money(minor, currency)`, and SQLite's own functions of time with the desk's clock: `now` is the local time there, and of a time with
 * an offset they take the local part, so that `date(departs_at)` is the day at the station. Where two instants are compared
 * (`julianday`, `unixepoch`, `timediff`, the seconds of `strftime`), the offset counts.
 */
function addFunctions(database: DatabaseSync, { now, timeZone }: SqlRequest): void {
  // `2026-11-24 01:30:00`.
  const nowLocal = `${minuteIn(now, timeZone).slice(0, 16).replace('T', ' ')}:00`;
  database.function('money', { useBigIntArguments: true, deterministic: true }, money);
  const calendar = new DatabaseSync(':memory:');
  const statements = new Map<string, StatementSync>();
  const call = (name: string, values: readonly SQLInputValue[]): SQLInputValue => {
    const key = `${name} ${values.length}`;
    const statement =
      statements.get(key) ?? calendar.prepare(`select ${name}(${values.map(() => '?').join()}) as value`);
    statements.set(key, statement);
    const value = statement.get(...values)?.value ?? null;
    // As the columns write times, so that the two compare: `pay_by <= datetime('now', '+1 day')`.
    return name === 'datetime' && typeof value === 'string' ? value.replace(' ', 'T') : value;
  };
  const nowUtc = new Date(now).toISOString().slice(0, 19);
  const local = (value: SQLInputValue) => {
    if (value === 'now') return nowLocal;
    return typeof value === 'string' ? value.replace(/(?<=\d)(?:Z|[+-]\d\d:\d\d)$/, '') : value;
  };
  const instant = (value: SQLInputValue) => (value === 'now' ? nowUtc : value);
  const define = (name: string, values: (given: readonly SQLInputValue[]) => readonly SQLInputValue[]) =>
    database.function(name, { varargs: true }, (...given: SQLInputValue[]) => call(name, values(given)));
  for (const name of ['date', 'time', 'datetime']) {
    define(name, ([value = 'now', ...modifiers]) => [local(value), ...modifiers]);
  }
  for (const name of ['julianday', 'unixepoch']) {
    define(name, ([value = 'now', ...modifiers]) => [instant(value), ...modifiers]);
  }
  define('timediff', ([first = 'now', second = 'now']) => [instant(first), instant(second)]);
  define('strftime', ([format = '', value = 'now', ...modifiers]) => {
    const read = /%[sJ]/.test(String(format)) ? instant : local;
    return [format, read(value), ...modifiers];
  });
  for (const [name, part] of [
    ['current_date', nowLocal.slice(0, 10)],
    ['current_time', nowLocal.slice(11)],
    ['current_timestamp', nowLocal.replace(' ', 'T')],
  ] as const) {
    database.function(name, () => part);
  }
}

/** The exact decimals of an amount in minor units: `5427.77`, `400` (JPY), `12.345` (KWD). Of an average, to the nearest unit. */
function money(minor: SQLInputValue, currency: SQLInputValue): string | null {
  if (typeof currency !== 'string' || (typeof minor !== 'bigint' && typeof minor !== 'number')) return null;
  return formatMoney({ minor: Math.round(Number(minor)), currency });
}

function failureOf(error: unknown, { tables }: SqlRequest): SqlFailure {
  if (error instanceof NotRun) return error.failure;
  const why = error instanceof Error ? error.message : String(error);
  const [, column] = /^no such column: (?:\w+\.)*"?([^"]+)/.exec(why) ?? [];
  const [, table] = /^no such table: (?:\w+\.)?(.+)$/.exec(why) ?? [];
  const [, unknownFunction] = /^no such function: (.+)$/.exec(why) ?? [];
  if (column !== undefined) {
    const columnNames = tables.flatMap(({ columns }) => columns.map(({ name }) => name));
    return { kind: 'unknown', why: `There is no column ${column}.`, near: nearest(column, columnNames) };
  }
  if (table !== undefined) {
    const near = nearest(
      table,
      tables.map(({ name }) => name),
    );
    return { kind: 'unknown', why: `There is no table ${table}.`, near };
  }
  if (unknownFunction !== undefined)
    return {
      kind: 'unknown',
      why: `There is no function ${unknownFunction}.`,
      near: nearest(unknownFunction, FUNCTIONS),
    };
  if (/authoriz/.test(why)) return { kind: 'refused', why: READ_ONLY };
  if (/contains no statements/.test(why)) return { kind: 'invalid', why: 'There is no statement.' };
  if (/too big|out of memory/.test(why)) return { kind: 'too_large', why: 'A text or a list became too large.' };
  return { kind: 'invalid', why: `SQLite says: ${why}.` };
}

answer().catch(() => {
  process.exitCode = 1;
});
