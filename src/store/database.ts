/**
 * The port to a database, for the stores that SQLite and PostgreSQL share: SQL with `?` for each value, and the words
 * in which the two differ. SQLite answers at once, PostgreSQL later: `await` both.
 *
 * After the port: conditions that several stores use, the table `meta`, and how a record becomes a row and back.
 */
import { randomBytes } from 'node:crypto';
import { ACTIVE_STATES, DIGEST_LENGTH, OPEN_STATES, type OperationState } from '../journal/operation.ts';

export type Row = Readonly<Record<string, unknown>>;

export type Value = string | number | null;

type MaybePromise<T> = T | Promise<T>;

/** SQL with `?` for each value, and the values. */
export type Statement = readonly [sql: string, ...values: Value[]];

/** Statements of a transaction that are sent together. `isLast`: the transaction ends with them. */
interface StatementTrip {
  readonly statements: readonly Statement[];
  readonly isLast: boolean;
}

/**
 * The work of a transaction: it yields statements and gets their rows. It may be done again from its beginning, so it
 * changes nothing but the database.
 */
export type Transaction<T> = Generator<StatementTrip, T, readonly (readonly Row[])[]>;

/** Sends statements that do not need each other's rows. Returns the rows of each. */
export function* ask(...statements: readonly Statement[]): Transaction<readonly (readonly Row[])[]> {
  return yield { statements, isLast: false };
}

/** Sends the last statements of a transaction. Returns the rows of each. */
export function* finish(...statements: readonly Statement[]): Transaction<readonly (readonly Row[])[]> {
  return yield { statements, isLast: true };
}

export interface TransactOptions {
  /** On PostgreSQL, transactions with the same name queue. On SQLite all do. */
  readonly turn: string;
  /** A power failure may undo it on SQLite. PostgreSQL's server may crash alone, so there it is always on the disk. */
  readonly mayBeLost?: boolean;
}

/**
 * Work with connections of its own. `counts`: for monitoring. `questions`: questions in SQL of one caller.
 * `desk_questions`: those of the whole desk, which may take long.
 */
export type SeparateWork = 'counts' | 'questions' | 'desk_questions';

/**
 * One database. The ways to write:
 *
 * | method                 | a power failure may undo it         | use it for                                              |
 * | ---------------------- | ----------------------------------- | ------------------------------------------------------- |
 * | `write`                | not with {@link SqlDialect.durably} | what must survive                                       |
 * | `writeThatMayBeLost`   | until the next durable write        | what can be read again, or needs a later write to count |
 * | `writeInBackground`    | until the next durable write        | what nobody waits for                                   |
 * | `transact`             | only with `mayBeLost`, on SQLite    | statements of which one needs what another one read     |
 *
 * Every write but `transact` returns how many rows it changed.
 */
export interface Database {
  readonly dialect: SqlDialect;

  // The same database for other work.

  /** For calls before anything is sent to the airline: its errors say that nothing was sent. */
  readonly beforeSending: Database;
  /** For work that must delay neither the journal nor other such work. Its errors say that nothing was sent. */
  withConnectionsFor(work: SeparateWork): Database;

  // Reads.

  /** The first row. */
  get(sql: string, ...values: Value[]): MaybePromise<Row | undefined>;
  /** Like `get`, but PostgreSQL gives up after two seconds. */
  getWithTimeout(sql: string, ...values: number[]): MaybePromise<Row | undefined>;
  all(sql: string, ...values: Value[]): MaybePromise<readonly Row[]>;

  // Writes.

  write(sql: string, ...values: Value[]): MaybePromise<number>;
  /** Not forced to the disk: on PostgreSQL only with the condition {@link SqlDialect.mayBeLost}. */
  writeThatMayBeLost(sql: string, ...values: Value[]): MaybePromise<number>;
  /**
   * Like `writeThatMayBeLost`, but delays nobody: SQLite tries again for a second while another process writes, and
   * PostgreSQL has separate connections for it.
   */
  writeInBackground(sql: string, ...values: Value[]): Promise<number>;
  /** Makes a transaction. If `steps` throws, nothing is changed. */
  transact<T>(steps: () => Transaction<T>, options: TransactOptions): MaybePromise<T>;
}

export interface SqlDialect {
  /** Precedes the name of a table: empty, or the schema and a dot. In SQL it is `s`, as in `${s}operation`. */
  readonly prefix: string;
  /** The database's own clock, milliseconds since 1970. */
  readonly clock: string;
  /** The column that numbers rows in the order of their entry. */
  readonly place: string;
  /** Precedes a column for which SQLite must not choose an index: `where +tenant = ?`. */
  readonly unindexed: string;
  /** Rows that are read at once where many are: SQLite answers nobody else meanwhile, PostgreSQL needs a round trip. */
  readonly batchRows: number;
  /**
   * Makes rows of a JSON list, which is the next value: `select value from json_each(?)` of `["a","b"]` gives a and b.
   */
  readonly elements: string;
  /** Makes rows of a JSON list in a row. Null makes none. */
  elementsIn(json: string): string;
  /** The function that finds a text in another: `instr(locator, ?)` is 0 if it is not there. */
  readonly position: string;
  /** A field of a JSON column as text or null: `text('outcome', ['locator'])`. */
  text(column: string, path: readonly string[]): string;
  /** A field of a JSON column as a whole number or null. */
  integer(column: string, path: readonly string[]): string;
  /**
   * A condition for at most `most` of these rows: `(id) in (select id from TABLE where CONDITION limit 100)`. Leaves
   * out rows that another process is changing.
   */
  limitedRows(table: string, key: string, condition: string, most: number): string;
  /** SQL: whether this time, milliseconds since 1970, is not ahead of the database's clock. */
  isNotAhead(time: number): string;
  /** SQL: whether the time in this column has not passed by the database's clock. */
  isAhead(column: string): string;
  /** Words at the end of a query that keep other processes from changing its rows meanwhile: `for update`. */
  readonly forUpdate: string;
  /**
   * A condition that is always true, and forces the statement to the disk on PostgreSQL, whatever the database's
   * default: `update operations set state = ? where id = ? and DURABLY`.
   */
  readonly durably: string;
  /** A condition that is always true, and lets PostgreSQL not wait for the disk: for {@link Database.writeThatMayBeLost}. */
  readonly mayBeLost: string;
}

/** SQL: the condition of rows in one of these states. They need no escaping, because they are plain words. */
export function stateIn(states: readonly OperationState[]): string {
  return states.length === 0 ? 'false' : `state in (${states.map((state) => `'${state}'`).join()})`;
}

/** SQL: the condition of rows of one person, from all applications. Its parameters: tenant, id, and id with a colon. */
export function isOfPerson({ position }: Pick<SqlDialect, 'position'>): string {
  return `tenant = ? and (caller = ? or ${position}(caller, ?) = 1)`;
}

/**
 * Conditions of the partial indexes. Both databases use these indexes only for the same words. They begin with the
 * column, so that a table's name may precede them: `o.${OPEN}`.
 */
export const ACTIVE = stateIn(ACTIVE_STATES);

/** The part of a fingerprint by which creates of one trip are found: {@link tripOf}. */
export const TRIP_OF_FINGERPRINT = `substr(fingerprint, 1, ${DIGEST_LENGTH})`;

export const OPEN = stateIn(OPEN_STATES);

/** The condition of operations whose travellers entered details on the details page. */
export const ENTERED = `facts like '%"details":"page"%'`;

/** The condition of operations whose outcome names the new booking of a split. */
export const SPLIT = `outcome like '%"newLocator"%'`;

/** Returns the conditions that have a value, and these values. */
export function where(
  candidates: readonly (readonly [condition: string, value: Value | undefined])[],
): [conditions: string[], values: Value[]] {
  const used = candidates.filter((candidate): candidate is [string, Value] => candidate[1] !== undefined);
  return [used.map(([condition]) => condition), used.map(([, value]) => value)];
}

/** Stores a value in the table `meta` unless its key has one, and returns the stored value. */
export async function storeFirst(db: Database, key: string, value: string): Promise<string> {
  const { prefix: s } = db.dialect;
  const find = `select value from ${s}meta where key = ?`;
  const stored = await db.get(find, key);
  if (stored !== undefined) return String(stored.value);
  await db.write(`insert into ${s}meta(key, value) values (?, ?) on conflict do nothing`, key, value);
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

/** The columns of the fields that are defined. */
export function toRow<T extends object>(columns: Columns<T>, fields: Partial<T>): Record<string, Value> {
  const entries = Object.entries<Columns<T>[keyof T]>(columns).flatMap(([field, [column, kind]]): [string, Value][] => {
    const value = fields[field as keyof T];
    return value === undefined ? [] : [[column, kind === 'json' ? JSON.stringify(value) : (value as Value)]];
  });
  return Object.fromEntries(entries);
}

/** The parts of an `insert` that enters a row: its columns, a `?` for each, and their values. */
export function insertParts(row: Readonly<Record<string, Value>>): {
  readonly columns: string;
  readonly marks: string;
  readonly values: readonly Value[];
} {
  const columns = Object.keys(row);
  return { columns: columns.join(), marks: columns.map(() => '?').join(), values: Object.values(row) };
}

/** The fields of the columns that are in the row and not null. */
export function toFields<T extends object>(columns: Columns<T>, row: Row): Partial<T> {
  const fields: Record<string, unknown> = {};
  for (const [field, [column, kind]] of Object.entries<Columns<T>[keyof T]>(columns)) {
    const value = row[column] ?? null;
    if (value !== null) fields[field] = DECODE[kind](value);
  }
  return fields as Partial<T>;
}

/** A number of a row. Undefined for null, and if there is no row. */
export function numberOrNone(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

/** SQL: the tenants of a table, each found by one step in an index that begins with the tenant. */
export function tenantsSql(table: string, condition: string): string {
  return `with recursive tenants(tenant) as (select min(tenant) from ${table} where ${condition} union all
    select (select min(n.tenant) from ${table} n where n.tenant > tenants.tenant and ${condition}) from tenants
    where tenants.tenant is not null)`;
}
