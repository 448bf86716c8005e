/** What clocks mean to a statement: the desk's, by which `now` is, those of stations, and an hour that is there twice. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { DAY_MS, offsetMs } from '../core/times.ts';
import { offsetAt, offsetSpans, secondIn } from '../core/zone.ts';
import { sameRows, textsOf } from './sql-results.ts';
import type { SqlColumn, SqlRead, SqlRequest, SqlResult } from './sql-tables.ts';

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

/** Stands between the place of a time in order, of 20 characters, and the time itself. */
const PLACE_END = '\ue000';
const PLACES = /.{20}\ue000/g;

/** A text without the places of its times. */
export const withoutPlaces = (text: string): string => (text.includes(PLACE_END) ? text.replace(PLACES, '') : text);

/**
 * The result of a statement in the order of time. When the clock goes back, the texts of the hour that it shows twice are not in order:
 * with the second time put behind the first, the same rows come in order.
 * @returns the column whose times are compared as texts, where other rows come
 */
export function inOrder(
  database: DatabaseSync,
  doubled: readonly DoubledHour[],
  result: SqlResult,
  runOnce: () => SqlResult,
): { readonly result: SqlResult; readonly misread?: string | undefined } {
  const [twice] = doubled;
  if (twice === undefined) return { result };
  for (const time of doubled) putInOrder(database, time);
  const ordered = runOnce();
  return sameRows([ordered], [result]) ? { result: ordered } : { result, misread: twice.column };
}

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

/** Times of a column whose hour the clock showed twice: those of the second time. */
interface DoubledHour extends TimeRead {
  /** `2026-10-25T02`. */
  readonly hour: string;
  /** Of the second time: `+01:00`. */
  readonly offset: string;
}

/** The hours that the desk's clock shows twice within the times of a column, if it has times of both. */
export function doubledHours(
  database: DatabaseSync,
  time: TimeRead,
  { timeZone }: Pick<SqlRequest, 'timeZone'>,
): readonly DoubledHour[] {
  const { table, column } = time;
  const [first, last] = Object.values(
    database.prepare(`select min(${column}), max(${column}) from ${table}`).get() ?? {},
  ).map((text) => Date.parse(String(text)));
  if (first === undefined || last === undefined || Number.isNaN(first) || Number.isNaN(last)) return [];
  const spans = offsetSpans(first - DAY_MS, last + DAY_MS, timeZone);
  return spans.flatMap((span, i) => {
    const before = spans[i - 1];
    if (before === undefined || before.offset <= span.offset) return [];
    const text = secondIn(span.from, timeZone);
    const doubled = { ...time, hour: text.slice(0, 13), offset: text.slice(19) };
    const offsets = `select distinct substr(${column}, 20) from ${table} where ${ofHour(doubled)}`;
    return textsOf(database, offsets).length > 1 ? [doubled] : [];
  });
}

/** SQL: the time is of this hour. */
const ofHour = ({ column, hour }: DoubledHour) => `${column} > '${hour}:' and ${column} < '${hour};'`;

/** Puts a place before the times of the second hour: behind the 59th minute of the first, in order. */
function putInOrder(database: DatabaseSync, doubled: DoubledHour): void {
  const { table, column, hour, offset } = doubled;
  const place = `'${hour}:6' || substr(${column}, 15, 5) || '${PLACE_END}'`;
  const condition = `${ofHour(doubled)} and substr(${column}, 20) = '${offset}'`;
  database.exec(`update ${table} set ${column} = ${place} || ${column} where ${condition};`);
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
  const timeIn = (value: SQLInputValue) => (typeof value === 'string' ? withoutPlaces(value) : value);
  const toLocal = (value: SQLInputValue) => {
    if (value === 'now') return nowLocal();
    return typeof value === 'string' ? withoutPlaces(value).replace(/(?<=\d)(?:Z|[+-]\d\d:\d\d)$/, '') : value;
  };
  const toUtc = (value: SQLInputValue) => (value === 'now' ? clock.utc : timeIn(value));
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
