/** What clocks mean to a statement: the desk's, by which `now` is, and those of stations. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { offsetMs } from '../core/times.ts';
import { offsetAt, secondIn } from '../core/zone.ts';
import { textsOf } from './sql-results.ts';
import type { SqlColumn, SqlRead, SqlRequest } from './sql-tables.ts';

/** What `now` is in a statement. */
export interface DeskClock {
  readonly timeZone: string;
  /** `2026-11-24T01:30:09` in UTC. */
  readonly utc: string;
  /** `2026-11-24 01:30:09` at the desk. */
  local: string;
  /** The statement has asked for it. */
  isAsked: boolean;
}

export function deskClock({ now, timeZone }: SqlRequest): DeskClock {
  const utc = new Date(now).toISOString().slice(0, 19);
  return { timeZone, utc, local: localText(secondIn(now, timeZone)), isAsked: false };
}

const localText = (time: string): string => time.slice(0, 19).replace('T', ' ');

const WITH_OFFSET = /^\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d$/;

/** Calls back while `now` is later by so many milliseconds. */
export function atShiftedNow<T>(clock: DeskClock, shift: number, work: () => T): T {
  const { local } = clock;
  clock.local = localText(new Date(Date.parse(`${local}Z`) + shift).toISOString());
  try {
    return work();
  } finally {
    clock.local = local;
  }
}

export interface TimeRead {
  readonly table: string;
  readonly column: string;
}

/** The columns with times of this clock that the statement reads. */
export function timesRead(
  clock: SqlColumn['clock'],
  { tables }: SqlRequest,
  reads: readonly SqlRead[],
): readonly TimeRead[] {
  return reads.flatMap(({ table, columns }) => {
    const ofTable = tables.find(({ name }) => name === table)?.columns ?? [];
    const times = ofTable.filter((each) => each.clock === clock && columns.includes(each.name));
    return times.map(({ name: column }) => ({ table, column }));
  });
}

/** Most shifts of a column that are looked at. */
const MOST_SHIFTS = 3;

/** By how many milliseconds the clocks of a column's stations are ahead of the desk's, where they differ. */
export function shiftsOf(database: DatabaseSync, { table, column }: TimeRead, timeZone: string): readonly number[] {
  const times = textsOf(database, `select distinct ${column} from ${table} where ${column} is not null`);
  const shifts = times
    .filter((time) => WITH_OFFSET.test(time))
    .map((time) => offsetMs(time.slice(-6)) - offsetAt(Date.parse(time), timeZone));
  return [...new Set(shifts)].filter((shift) => shift !== 0).slice(0, MOST_SHIFTS);
}

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
export function addTimeFunctions(database: DatabaseSync, clock: DeskClock): void {
  const nowLocal = () => {
    clock.isAsked = true;
    return clock.local;
  };
  const toLocal = (value: SQLInputValue) => {
    if (value === 'now') return nowLocal();
    return typeof value === 'string' ? value.replace(/(?<=\d)(?:Z|[+-]\d\d:\d\d)$/, '') : value;
  };
  const toUtc = (value: SQLInputValue) => (value === 'now' ? clock.utc : value);
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
  database.function('current_date', () => nowLocal().slice(0, 10));
  database.function('current_time', () => nowLocal().slice(11));
  database.function('current_timestamp', () => nowLocal().replace(' ', 'T'));
}
