/**
 * Answers one SELECT over tables in memory: says which columns it reads, takes their rows, and runs it. A process of its own does this
 * (cli/runtime/ledger-reader.ts), because a statement cannot be interrupted from within: it is killed when its time is over or it takes
 * too much memory. What a statement may do: sql-permitted.ts.
 * In order: the answer, the tables, what the statement reads, running it for each currency, hints, and failures.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { nearest } from '../core/nearest-word.ts';
import { addTimeFunctions } from './desk-clock.ts';
import { formerColumn } from './former-columns.ts';
import { hintsAt } from './hints.ts';
import { FUNCTIONS, prepare, READ_ONLY, restricted, SqlRefusal } from './sql-permitted.ts';
import { cutTo, firstRows, overViews, sameRows, tablesOfAmounts, textsOf, WHOLE } from './sql-results.ts';
import { addSums } from './sql-sums.ts';
import {
  type Cell,
  type RowsLine,
  type SqlFailure,
  type SqlRead,
  type SqlRequest,
  type SqlResult,
  type SqlTable,
  TOO_SLOW_SIGNAL,
} from './sql-tables.ts';
import { quoted } from './sql-words.ts';

/** Most characters of one cell of the result. */
const LONGEST_CELL = 2_000;

/** Messages of SQLite about a name that it does not know, after which the name itself comes. */
const NO_SUCH_COLUMN = /^no such column: (?:\w+\.)*"?([^"]+)/;
/** What SQLite adds where the unknown name stands in double quotes. */
const IN_WRONG_QUOTES = 'should this be a string literal';
const NO_SUCH_TABLE = /^no such table: (?:\w+\.)?(.+)$/;
const NO_SUCH_FUNCTION = /^no such function: (.+)$/;

/** A process that uses more memory than this is killed, megabytes. A sort can grow by hundreds in a second. */
const MOST_MEMORY_MB = 480;
const LOOK_EVERY_MS = 20;
/**
 * Source of the watching thread. It kills the process when it uses too much memory, when the statement has used the
 * CPU time, in milliseconds, that a message gives it, or when the process that started it has died. The signal tells which
 * it was. The main thread cannot watch: it is blocked while the statement runs.
 */
const WATCHER_SOURCE = `let cpuLimitMs = Infinity;
const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const { parentPort, workerData: parent } = require('node:worker_threads');
parentPort.on('message', (ms) => { cpuLimitMs = cpuMs() + ms; });
setInterval(() => {
  if (process.memoryUsage.rss() > ${MOST_MEMORY_MB * 1024 * 1024}) process.kill(process.pid, 'SIGKILL');
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  if (cpuMs() > cpuLimitMs) process.kill(process.pid, '${TOO_SLOW_SIGNAL}');
}, ${LOOK_EVERY_MS})`;

/** Starts the watching thread. Returns how it learns what CPU time is left from now on, milliseconds. */
function startWatcher(): (cpuMs: number) => void {
  // Who started this process may have died before the thread runs.
  const watcher = new Worker(WATCHER_SOURCE, { eval: true, workerData: process.ppid });
  watcher.unref();
  return (cpuMs) => watcher.postMessage(cpuMs);
}

/** What the statement waits for. */
interface StatementRows {
  /** Gives the rows of each table that the statement reads, few at a time. Not called for a statement that is refused. */
  rowsOf(reads: readonly SqlRead[]): AsyncIterable<RowsLine>;
  /** Called when all rows are there and the statement starts. */
  starts(): void;
}

/**
 * Runs the statement. The process ends by a signal where it takes more than it may.
 * @throws what `rowsOf` throws
 */
export async function answerStatement(
  request: SqlRequest,
  { rowsOf, starts }: StatementRows,
): Promise<SqlResult | { readonly failed: SqlFailure }> {
  const limitCpu = startWatcher();
  limitCpu(request.statementMs);

  const database = emptyTables(request);
  addSums(database);
  addTimeFunctions(database, request);

  const prepared = orFailure(request, () => ({
    reads: readsOf(database, request).map((read) => withCurrency(read, request)),
  }));
  if ('failed' in prepared) return prepared;

  const { reads } = prepared;

  // Who started the process limits loading, by the clock.
  limitCpu(Infinity);
  await load(database, request, reads, rowsOf(reads));

  const runOnce = (change: Partial<SqlRequest> = {}) => {
    limitCpu(request.statementMs);
    return run(database, { ...request, ...change });
  };

  return orFailure(request, () => {
    addIndexes(database, request, reads);
    starts();
    const begun = process.cpuUsage();
    const result = runByCurrency(database, request, reads, runOnce);
    const runWhole = (sql = request.sql) => runOnce({ sql, ...WHOLE });
    const hints = hintsAt({ database, request, reads, run: runWhole }, begun);
    return { ...result, hints: hints.length === 0 ? undefined : hints };
  });
}

function orFailure<T>(request: SqlRequest, work: () => T): T | { readonly failed: SqlFailure } {
  try {
    return work();
  } catch (error) {
    return { failed: failureOf(error, request) };
  }
}

/** Puts the rows that come into the tables. Columns that the statement does not read stay null. */
async function load(
  database: DatabaseSync,
  { tables }: SqlRequest,
  reads: readonly SqlRead[],
  batches: AsyncIterable<RowsLine>,
): Promise<void> {
  // All rows enter in one transaction, because one for each row takes longer.
  database.exec('begin;');

  const hasPlaces = new Set(tables.filter((table) => table.hasPlaces).map(({ name }) => name));
  const inserts = reads.map(({ table, columns }) => {
    if (hasPlaces.has(table)) {
      const all = ['place', ...columns];
      database.exec(`create table ${table}_unordered (${all.join()});`);
      return database.prepare(`insert into ${table}_unordered values (${all.map(() => '?').join()})`);
    }

    return database.prepare(
      columns.length === 0
        ? `insert into ${table} default values`
        : `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`,
    );
  });
  for await (const [read, rows] of batches) for (const row of rows) inserts[read]?.run(...row);

  for (const { table, columns } of reads.filter((read) => hasPlaces.has(read.table))) {
    const list = columns.length === 0 ? ['rowid'] : columns;
    const from = `select ${list.join()} from ${table}_unordered order by place, rowid`;
    database.exec(`insert into ${table} (${list.join()}) ${from}; drop table ${table}_unordered;`);
  }

  database.exec('commit;');
}

/** Makes a database in memory with the tables of the request, without rows. */
function emptyTables({ tables }: SqlRequest): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  // Sorting must not write rows into a file.
  database.exec('pragma temp_store = memory; pragma journal_mode = off;');

  const definitions = tables.map(
    ({ name, columns }) => `create table ${name} (${columns.map((column) => `${column.name} ${column.type}`).join()});`,
  );
  database.exec(definitions.join('\n'));

  return database;
}

/** Adds the indexes after the rows, because that takes less time. */
function addIndexes(database: DatabaseSync, { tables }: SqlRequest, reads: readonly SqlRead[]): void {
  const readColumns = new Map(reads.map(({ table, columns }) => [table, columns]));
  const indexes = tables.flatMap(({ name, indexes }) =>
    indexes
      .filter((column) => readColumns.get(name)?.includes(column))
      .map((column) => `create index ${name}_by_${column} on ${name}(${column});`),
  );
  database.exec(indexes.join('\n'));
}

/**
 * Tells which tables and columns the statement reads, as SQLite says it when it prepares the statement on empty tables.
 * SQLite's authorizer alone is not enough: it is not asked about columns of `using (…)` and of natural joins, and a
 * table without its rows would give a wrong number in silence.
 * @throws SqlRefusal
 */
function readsOf(database: DatabaseSync, request: SqlRequest): readonly SqlRead[] {
  const tableAtPage = new Map(
    database
      .prepare('select name, rootpage from sqlite_schema')
      .all()
      .map(({ name, rootpage }) => [rootpage, request.tables.find((table) => table.name === name)]),
  );

  const reads = new Map<string, Set<string>>();
  const program = restricted(
    database,
    request,
    (seen) => {
      prepare(database, request.sql, seen);
      return database.prepare(`explain ${request.sql}`).all();
    },
    reads,
  );
  addProgramReads(reads, program, tableAtPage);

  return request.tables
    .filter(({ name }) => reads.has(name))
    .map(({ name: table, columns }) => ({
      table,
      columns: columns.map(({ name }) => name).filter((name) => reads.get(table)?.has(name)),
    }));
}

/** Adds the columns that a program of SQLite reads from tables that it opens: `OpenRead cursor page`, `Column cursor place`. */
function addProgramReads(
  reads: Map<string, Set<string>>,
  program: readonly Readonly<Record<string, unknown>>[],
  tableAtPage: ReadonlyMap<unknown, SqlTable | undefined>,
): void {
  const opened = new Map<unknown, SqlTable>();
  for (const { opcode, p1, p2 } of program) {
    const table = opcode === 'OpenRead' ? tableAtPage.get(p2) : undefined;
    if (table === undefined) continue;
    opened.set(p1, table);
    reads.set(table.name, reads.get(table.name) ?? new Set());
  }

  for (const { opcode, p1, p2 } of program) {
    const table = opcode === 'Column' ? opened.get(p1) : undefined;
    const column = table?.columns[Number(p2)];
    if (table !== undefined && column !== undefined) reads.get(table.name)?.add(column.name);
  }
}

/** Reads the currency of rows whose amounts the statement reads. */
function withCurrency(read: SqlRead, { tables }: SqlRequest): SqlRead {
  const columns = tables.find(({ name }) => name === read.table)?.columns ?? [];
  const readsAmount = columns.some(({ name, isAmount }) => isAmount && read.columns.includes(name));
  if (!readsAmount || read.columns.includes('currency')) return read;
  return { ...read, columns: [...read.columns, 'currency'] };
}

/** The column that says of which currency the rows are. */
const BY_CURRENCY = '(currency)';

/** How much the amounts of other currencies are made larger or smaller, to see whether the statement mixes them. */
const FACTORS = [1e6, 1e-6];

/**
 * Runs the statement. Where it reads amounts of several currencies, it also runs with the amounts of all but one made larger, and
 * smaller. If that changes nothing, no amount was added up, compared or ordered. Else it runs for the rows of each currency, and
 * these are the answer, unless they are the same and say their currency.
 */
function runByCurrency(
  database: DatabaseSync,
  request: SqlRequest,
  reads: readonly SqlRead[],
  runOnce: (change?: Partial<SqlRequest>) => SqlResult,
): SqlResult {
  const split = tablesOfAmounts(request, reads);
  const found = split.flatMap(({ name }) =>
    textsOf(database, `select distinct currency from ${name} where currency is not null`),
  );
  const currencies = [...new Set(found)].sort();
  const [first] = currencies;
  if (first === undefined || currencies.length === 1) return runOnce(request);

  const whole = runOnce(WHOLE);
  const runOver = (views: Parameters<typeof overViews>[2]) => overViews(database, split, views, () => runOnce(WHOLE));
  const isUnmixed = FACTORS.every((factor) => {
    const scaled = (amount: string) => `${amount} * iif(currency = ${quoted(first)}, 1, ${factor})`;
    return sameRows([runOver({ amount: scaled })], [whole]);
  });
  if (isUnmixed) return cutTo(whole, request);

  const parts = [...currencies, undefined].map((currency) => {
    const condition = currency === undefined ? 'is null' : `= ${quoted(currency)}`;
    const part = runOver({ where: `currency ${condition}` });
    // Of no row at all, a sum is a row of nothings.
    return { ...part, currency, rows: part.rows.filter((row) => row.some((cell) => cell !== null && cell !== 0)) };
  });

  const isWhole = [whole, ...parts].every(({ cut }) => cut === undefined);
  const many = parts.filter(({ currency, rows }) => currency !== undefined && rows.length > 0).length > 1;
  const says = whole.columns.includes('currency');
  if (isWhole && (says || !many) && sameRows(parts, [whole])) return cutTo(whole, request);

  const rows = parts.flatMap(({ currency, rows: own }) => own.map((row) => [currency ?? null, ...row]));
  const columns = [BY_CURRENCY, ...whole.columns];
  return { ...cutTo({ columns, rows, cut: isWhole ? undefined : 'rows' }, request), currencies };
}

/** Runs the statement. @throws SqlRefusal */
function run(database: DatabaseSync, request: SqlRequest): SqlResult {
  return restricted(database, request, (seen) => {
    const statement = prepare(database, request.sql, seen);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    return { columns, ...firstRows(cellsOf(statement), request) };
  });
}

function* cellsOf(statement: StatementSync): Iterable<readonly Cell[]> {
  for (const values of statement.iterate() as Iterable<unknown>) yield (values as unknown[]).map(toCell);
}

/** A value as a cell. A whole number beyond 2^53 becomes text, so that no digit is lost. */
function toCell(value: unknown): Cell {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value);
  // A sum of decimals has traces of binary ones: 0.1 + 0.2.
  if (typeof value === 'number') return Number.isFinite(value) ? Math.round(value * 1e6) / 1e6 : String(value);
  if (value === null) return value;
  if (typeof value !== 'string') return '(bytes)';
  return value.length > LONGEST_CELL ? `${value.slice(0, LONGEST_CELL)}…` : value;
}

/** Tells what failed by SQLite's messages: one error code covers everything that it finds when it reads a statement. */
function failureOf(error: unknown, { tables, sql }: SqlRequest): SqlFailure {
  if (error instanceof SqlRefusal) return error.failure;

  const message = error instanceof Error ? error.message : String(error);
  const column = NO_SUCH_COLUMN.exec(message)?.[1];
  if (column !== undefined) {
    const former = formerColumn(column, sql);
    if (former !== undefined) return { kind: 'unknown', why: former };
    return message.includes(IN_WRONG_QUOTES) ? wrongQuotes(column) : unknownColumn(column, tables);
  }

  const table = NO_SUCH_TABLE.exec(message)?.[1];
  if (table !== undefined) {
    const tableNames = tables.map(({ name }) => name);
    return unknownName('table', table, tableNames);
  }

  const functionName = NO_SUCH_FUNCTION.exec(message)?.[1];
  if (functionName !== undefined) return unknownName('function', functionName, FUNCTIONS);
  if (/authoriz/.test(message)) return { kind: 'refused', why: READ_ONLY };
  if (/contains no statements/.test(message)) return { kind: 'invalid', why: 'There is no statement.' };
  if (/too big|out of memory/.test(message)) return { kind: 'too_large', why: 'A text or a list became too large.' };

  return { kind: 'invalid', why: `SQLite says: ${message}.` };
}

const wrongQuotes = (text: string): SqlFailure => ({
  kind: 'invalid',
  why: `"${text}" is a text in wrong quotes: write ${quoted(text)}.`,
});

/** A column may be known to views that the statement does not read. */
function unknownColumn(column: string, tables: readonly SqlTable[]): SqlFailure {
  const names = tables.flatMap(({ columns }) => columns.map(({ name }) => name));
  const unknown = unknownName(
    'column',
    column,
    names.filter((name) => name !== column),
  );

  const views = tables.filter(({ columns }) => columns.some(({ name }) => name === column)).map(({ name }) => name);
  if (views.length === 0) return unknown;

  return {
    ...unknown,
    why: `No view of this statement has the column ${column}, which is one of ${views.join(', ')}.`,
  };
}

function unknownName(thing: 'column' | 'table' | 'function', name: string, knownNames: Iterable<string>): SqlFailure {
  return { kind: 'unknown', why: `There is no ${thing} ${name}.`, near: nearest(name, knownNames) };
}
