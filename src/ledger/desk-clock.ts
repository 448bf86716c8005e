/** What `now` is in a statement: the desk's time. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { secondIn } from '../core/zone.ts';
import type { SqlRequest } from './sql-tables.ts';

type CallSqlite = (name: string, values: readonly SQLInputValue[]) => SQLInputValue;

/** Calls SQLite's own functions of time, in a database where they are not replaced. */
function sqliteCaller(): CallSqlite {
  const database = new DatabaseSync(':memory:');
  const statements = new Map<string, StatementSync>();

  return (name, values) => {
    const key = `${name} ${values.length}`;
    const statement =
      statements.get(key) ?? database.prepare(`select ${name}(${values.map(() => '?').join()}) as value`);
    statements.set(key, statement);
    const value = statement.get(...values)?.value ?? null;
    // As the columns write times, so that the two compare: `pay_by <= datetime('now', '+1 day')`.
    return name === 'datetime' && typeof value === 'string' ? value.replace(' ', 'T') : value;
  };
}

/**
 * Replaces SQLite's functions of time by ones with the desk's clock. There `now` is the desk's local time, and a time with an offset counts
 * as its local part, so that `date(departs_at)` is the day at the station. Functions that compare two instants (`julianday`, `unixepoch`, `timediff`, the seconds of `strftime`) keep the offset.
 */
export function addTimeFunctions(
  database: DatabaseSync,
  { now, timeZone }: Pick<SqlRequest, 'now' | 'timeZone'>,
): void {
  const utc = new Date(now).toISOString().slice(0, 19);
  const local = secondIn(now, timeZone).slice(0, 19).replace('T', ' ');

  const toLocal = (value: SQLInputValue) => {
    if (value === 'now') return local;
    return typeof value === 'string' ? value.replace(/(?<=\d)(?:Z|[+-]\d\d:\d\d)$/, '') : value;
  };

  const toUtc = (value: SQLInputValue) => (value === 'now' ? utc : value);
  const callSqlite = sqliteCaller();
  /** Replaces a function by itself with changed arguments. */
  const redefine = (name: string, change: (values: readonly SQLInputValue[]) => readonly SQLInputValue[]) =>
    database.function(name, { varargs: true }, (...values: SQLInputValue[]) => callSqlite(name, change(values)));

  for (const name of ['date', 'time', 'datetime']) {
    redefine(name, ([value = 'now', ...modifiers]) => [toLocal(value), ...modifiers]);
  }

  for (const name of ['julianday', 'unixepoch']) {
    redefine(name, ([value = 'now', ...modifiers]) => [toUtc(value), ...modifiers]);
  }

  redefine('timediff', ([first = 'now', second = 'now']) => [toUtc(first), toUtc(second)]);
  redefine('strftime', ([format = '', value = 'now', ...modifiers]) => {
    const convert = /%[sJ]/.test(String(format)) ? toUtc : toLocal;
    return [format, convert(value), ...modifiers];
  });

  database.function('current_date', () => local.slice(0, 10));
  database.function('current_time', () => local.slice(11));
  database.function('current_timestamp', () => local.replace(' ', 'T'));
}
