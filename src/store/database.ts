/**
 * What the shared stores ask of a database: SQL with `?` for each value, and the words in which the two databases
 * differ. SQLite answers at once, PostgreSQL later: `await` both.
 */
import { randomBytes } from 'node:crypto';
import { ACTIVE_STATES, OPEN_STATES, type OperationState } from '../journal/operation.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | null;
type MaybePromise<T> = T | Promise<T>;

/** `counts`: of monitoring. `reports`: one caller's. `desk_reports`: of the whole desk, which may take long. */
export type Aside = 'counts' | 'reports' | 'desk_reports';

export interface Database {
  readonly dialect: SqlDialect;
  /** The version of its tables, if they are of an earlier program: then it is only read. */
  readonly earlier: number | undefined;
  /** The same database for questions before anything is sent to the airline: its errors say so. */
  readonly beforehand: Database;
  /** The same database for what must not hold up the journal, nor each other. */
  aside(work: Aside): Database;
  get(sql: string, ...values: Value[]): MaybePromise<Row | undefined>;
  all(sql: string, ...values: Value[]): MaybePromise<readonly Row[]>;
  /** Returns the number of rows changed. */
  run(sql: string, ...values: Value[]): MaybePromise<number>;
  /**
   * Like `run`, but a power failure may undo it until the next durable write: on PostgreSQL only if the statement has
   * the condition {@link SqlDialect.lightly}.
   */
  runLightly(sql: string, ...values: Value[]): MaybePromise<number>;
  /** Like `runLightly`; what it erases leaves SQLite's log a second later. */
  eraseLightly(sql: string, ...values: Value[]): MaybePromise<number>;
  /**
   * Like `runLightly`, for what nobody waits for. It holds up nobody either: SQLite tries again for a second while
   * another process writes, PostgreSQL has connections of their own for it.
   */
  runBehind(sql: string, ...values: Value[]): Promise<number>;
  /** Moves rows to another table in one transaction, which a power failure may undo. Returns how many. */
  move(move: Move): MaybePromise<number>;
  /** Like `get`, but PostgreSQL gives up after two seconds. */
  brief(sql: string, ...values: number[]): MaybePromise<Row | undefined>;
  /** Flushes delayed writes (sqlite/database.ts) before a read. */
  catchUp(): void;
}

/** Rows that leave one table and enter another; `into` keeps what it has of a key, or takes `columns` over. */
export interface Move {
  readonly from: string;
  readonly condition: string;
  readonly values: readonly Value[];
  readonly into: string;
  /** SQL of each column of a new row, of the columns of the old one. Of those with a `?` the value is in `given`. */
  readonly columns: Readonly<Record<string, string>>;
  readonly given?: readonly Value[];
  /** What is set where `into` has the key already. */
  readonly conflict: string;
}

/** SQL that enters the rows of `from`. */
export function movedRows({ into, columns, conflict }: Move, from: string): string {
  return `insert into ${into} as kept(${Object.keys(columns).join()}) select ${Object.values(columns).join()}
    from ${from} on conflict ${conflict}`;
}

export interface SqlDialect {
  /** Precedes the name of a table: empty, or the schema and a dot. */
  readonly prefix: string;
  /** The database's own clock, milliseconds since 1970. */
  readonly clock: string;
  /** The column that numbers rows in the order of their entry. */
  readonly place: string;
  /** Precedes a column for which SQLite must not choose an index: `where +tenant = ?`. */
  readonly unindexed: string;
  /** Days that a report sums up in one statement, and how many such statements it asks at once. */
  readonly sliceDays: number;
  readonly slicesAtOnce: number;
  /**
   * Makes rows of a JSON list, which is the next value: `select value from json_each(?)` of `["a","b"]` gives a and b.
   */
  readonly elements: string;
  /** The same of a text in a row: null has none. */
  elementsIn(json: string): string;
  /** The function that finds a text in another: `instr(locator, ?)` is 0 if it is not there. */
  readonly position: string;
  /** A field of a JSON column as text or null: `text('outcome', ['locator'])`. */
  text(column: string, path: readonly string[]): string;
  /** A field of a JSON column as a whole number or null. */
  integer(column: string, path: readonly string[]): string;
  /** Makes rows, `key` and `value`, of the fields of a JSON column; and one such object of rows that are grouped. */
  fields(column: string): string;
  toObject(key: string, value: string): string;
  /** A JSON column for {@link inParsed}: PostgreSQL reads it once for many fields. */
  parsed(column: string): string;
  /** A field of a parsed column as text or null. */
  inParsed(column: string, path: readonly string[]): string;
  /**
   * At most so many of these rows: `(id) in (select id from TABLE where CONDITION limit 100)`, without rows under
   * change.
   */
  some(table: string, key: string, condition: string, most: number): string;
  /** Whether this time, milliseconds since 1970, is not ahead of the database's clock. */
  believed(time: number): string;
  /** Whether the time in this column has not passed by the database's clock. */
  isAhead(column: string): string;
  /** Ends a query whose rows no other process may change until the statement is over: `for share`. */
  readonly unchanging: string;
  /**
   * Always true, and forces the statement to the disk on PostgreSQL, whatever the default of the database is:
   * `update operations set state = ? where id = ? and DURABLY`.
   */
  readonly durably: string;
  /** The opposite, for {@link Database.runLightly}: true as well, and PostgreSQL does not wait for the disk. */
  readonly lightly: string;
}

/** States are a closed list of plain words. */
export function stateIn(states: readonly OperationState[]): string {
  return states.length === 0 ? 'false' : `state in (${states.map((state) => `'${state}'`).join()})`;
}

/** The condition of rows of one person, of this tenant, id, and id with a colon: whatever application asks. */
export function ofPerson({ position }: Pick<SqlDialect, 'position'>): string {
  return `tenant = ? and (caller = ? or ${position}(caller, ?) = 1)`;
}

/** The condition of the partial indexes, always in the same words, so that both databases use them. */
export const ACTIVE = stateIn(ACTIVE_STATES);
export const OPEN = stateIn(OPEN_STATES);
/** Facts of an operation say that travellers entered details on the details page; its outcome names a split's new booking. */
export const ENTERED = `facts like '%"details":"page"%'`;
export const SPLIT = `outcome like '%"newLocator"%'`;

/** Keeps the conditions that have a value. */
export function where(
  wanted: readonly (readonly [condition: string, value: Value | undefined])[],
): [conditions: string[], values: Value[]] {
  const given = wanted.filter((condition): condition is [string, Value] => condition[1] !== undefined);
  return [given.map(([condition]) => condition), given.map(([, value]) => value)];
}

/**
 * Stores a value in the table `meta` unless its key has one, and returns what is stored. An earlier state is not
 * changed.
 */
export async function storeFirst(db: Database, key: string, value: string): Promise<string> {
  const { prefix: s } = db.dialect;
  const find = `select value from ${s}meta where key = ?`;
  const stored = await db.get(find, key);
  if (stored !== undefined) return String(stored.value);
  if (db.earlier !== undefined) return value;
  await db.run(`insert into ${s}meta(key, value) values (?, ?) on conflict do nothing`, key, value);
  return String((await db.get(find, key))?.value);
}

/** The random key of a state for digests of personal data, made by whichever process comes first. */
export async function digestKey(db: Database): Promise<Uint8Array> {
  const fresh = randomBytes(32).toString('base64');
  return new Uint8Array(Buffer.from(await storeFirst(db, 'digest_key', fresh), 'base64'));
}

type ColumnKind = 'text' | 'number' | 'json';

/** Fields of a record as columns of a row. JSON columns are text; an absent field is null. */
export type Columns<T> = { readonly [K in keyof T]-?: readonly [column: string, kind: ColumnKind] };

const DECODE: Readonly<Record<ColumnKind, (value: unknown) => unknown>> = {
  text: String,
  number: Number,
  json: (value) => JSON.parse(String(value)),
};

/** The columns of the fields that are given. */
export function toRow<T extends object>(columns: Columns<T>, fields: Partial<T>): Record<string, Value> {
  const given = Object.entries<Columns<T>[keyof T]>(columns).flatMap(([field, [column, kind]]): [string, Value][] => {
    const value = fields[field as keyof T];
    return value === undefined ? [] : [[column, kind === 'json' ? JSON.stringify(value) : (value as Value)]];
  });
  return Object.fromEntries(given);
}

/** The fields of the columns that the row has and that are not null. */
export function toFields<T extends object>(columns: Columns<T>, row: Row): Partial<T> {
  const given = Object.entries<Columns<T>[keyof T]>(columns).flatMap(([field, [column, kind]]) => {
    const value = row[column] ?? null;
    return value === null ? [] : [[field, DECODE[kind](value)] as const];
  });
  return Object.fromEntries(given) as Partial<T>;
}

/** A number of a row; undefined for null and for a row that is not there. */
export function numberOrNone(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}
