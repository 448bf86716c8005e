/** The port to one PostgreSQL database. Each call is one statement, and so one transaction. */

import type { Effect } from '../../core/errors.ts';
import type { Database, Row, SeparateWork, SqlDialect, Transaction, TransactOptions, Value } from '../database.ts';
import type { PoolLoad } from '../open-counts.ts';
import { databaseAway, isAway, isLimited, takesNoWrites } from './errors.ts';
import { AHEAD_MS, CLOCK, jsonField } from './functions.ts';
import { type Parameter, Pool, type PoolOptions, SEPARATE_WORK } from './pool.ts';
import { numbered } from './transactions.ts';

/** The server cancels counts and probes after this, milliseconds, so that waits for a lock do not pile up. */
const TIMEOUT_MS = 2_000;

/** How long a refused write counts, milliseconds. A probe may succeed meanwhile, because it is small. */
const REFUSED_MS = 10_000;

/**
 * SQL: two statements, of which the second needs more memory than the first allows, so that the server writes some
 * hundred kilobytes to the disk of its tables.
 */
const SPILL = "set local work_mem = '64kB'; select count(*) as n from generate_series(1, 20000)";

/** PostgreSQL's words, which {@link SqlDialect} explains one by one. */
function createDialect(schema: string, checksTimes: boolean): SqlDialect {
  return {
    prefix: `${schema}.`,
    clock: CLOCK,
    place: 'place',
    unindexed: '',
    batchRows: 2_000,
    elements: 'json_array_elements_text(?::text::json)',
    elementsIn: (json) => `json_array_elements_text((${json})::json)`,
    position: 'strpos',
    text: jsonField,
    integer: (column, path) => `${jsonField(column, path)}::bigint`,
    limitedRows: (table, key, condition, most) =>
      `(${key}) in (select ${key} from ${table} where ${condition} limit ${most} for update skip locked)`,
    isNotAhead: (time) => (checksTimes ? `${Math.trunc(time)} <= ${CLOCK} + ${AHEAD_MS}` : 'true'),
    isAhead: (column) => (checksTimes ? `${column} > ${CLOCK}` : 'true'),
    forUpdate: 'for update',
    durably: "(current_setting('synchronous_commit') <> 'off' or set_config('synchronous_commit', 'on', true) = 'on')",
    mayBeLost: "set_config('synchronous_commit', 'off', true) = 'off'",
  };
}

/** How the objects of one database differ. */
interface Conduct {
  /** Whether times to decide by must not be ahead of the database's clock. */
  readonly checksTimes: boolean;
  /** The effect that its errors name: `none` for a database that is asked before anything is sent to the airline. */
  readonly effect: Effect;
}

/** State that the objects of one database share. */
interface Shared {
  /** The last write that the database refused, and when, monotonic milliseconds. */
  refusedWrite?: { readonly error: unknown; readonly at: number };
}

export class PostgresDatabase implements Database {
  /** The schema of all tables. */
  readonly schema: string;
  readonly dialect: SqlDialect;
  readonly #pool: Pool;
  readonly #conduct: Conduct;
  /** Shared by all objects that use the pool. */
  readonly #shared: Shared;

  constructor(pool: Pool, schema: string, conduct: Conduct, shared: Shared = {}) {
    this.#pool = pool;
    this.schema = schema;
    this.#conduct = conduct;
    this.#shared = shared;
    this.dialect = createDialect(schema, conduct.checksTimes);
  }

  get beforeSending(): PostgresDatabase {
    return this.#beforeSendingOn(this.#pool);
  }

  /** The same database with separate connections. */
  withConnectionsFor(work: SeparateWork): PostgresDatabase {
    return this.#beforeSendingOn(this.#pool.poolFor(work));
  }

  /** The same database on these connections. Its errors say that nothing was sent to the airline. */
  #beforeSendingOn(pool: Pool): PostgresDatabase {
    return new PostgresDatabase(pool, this.schema, { ...this.#conduct, effect: 'none' }, this.#shared);
  }

  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    const [row] = await this.all(sql, ...values);
    return row;
  }

  all(sql: string, ...values: Value[]): Promise<Row[]> {
    return this.#withOurErrors(() => this.#pool.ask(numbered(sql), values, { onlyReads: true }));
  }

  /** Writes the values into the SQL, because a message with two statements cannot carry values. */
  getWithTimeout(sql: string, ...values: number[]): Promise<Row | undefined> {
    const rest = values.map(Math.trunc);
    const withValues = sql.replaceAll('?', () => String(rest.shift()));
    return this.within(TIMEOUT_MS, withValues);
  }

  /** Asks without values. @throws ClerkError after `limitMs`, when the server cancels the statement */
  async within(limitMs: number, sql: string): Promise<Row | undefined> {
    const [row] = await this.#withOurErrors(() => this.#pool.within(limitMs, sql));
    return row;
  }

  /** Runs a statement that changes something. Never repeats it. */
  async change(sql: string, ...values: Parameter[]): Promise<Row | undefined> {
    const [row] = await this.#change(sql, values);
    return row;
  }

  async write(sql: string, ...values: Value[]): Promise<number> {
    return (await this.#change(sql, values)).count;
  }

  /** The statement's own condition `mayBeLost` lets nothing wait for the disk. */
  writeThatMayBeLost(sql: string, ...values: Value[]): Promise<number> {
    return this.write(sql, ...values);
  }

  writeInBackground(sql: string, ...values: Value[]): Promise<number> {
    return this.withConnectionsFor('counts').write(sql, ...values);
  }

  transact<T>(steps: () => Transaction<T>, { turn }: TransactOptions): Promise<T> {
    return this.#notingRefusal(() => this.#pool.transact(turn, steps));
  }

  /**
   * Writes a row, and temporarily more bytes than an operation needs, because a few bytes may still fit on a full disk.
   * @throws ClerkError if the server is full or read-only, or takes over two seconds
   */
  async assertWritable(): Promise<void> {
    const { refusedWrite } = this.#shared;
    if (refusedWrite !== undefined && performance.now() - refusedWrite.at < REFUSED_MS) throw refusedWrite.error;

    const row = `insert into ${this.schema}.meta(key, value) values ('probe', now()::text)
      on conflict (key) do update set value = excluded.value`;
    await this.within(TIMEOUT_MS, row);

    try {
      await this.within(TIMEOUT_MS, SPILL);
    } catch (error) {
      // The server's `temp_file_limit` forbids the larger write, so it shows nothing about the disk.
      if (!(error instanceof Error && isLimited(error.cause))) throw error;
    }
  }

  /** Runs several statements without values, which PostgreSQL takes as one transaction. */
  script(sql: string): Promise<void> {
    return this.#withOurErrors(() => this.#pool.script(sql));
  }

  /** Prepares repeated statements from now on, if there is no pooler. */
  lookForPooler(): Promise<void> {
    return this.#withOurErrors(() => this.#pool.lookForPooler());
  }

  /** Loads of the journal's pool, and of the pools for other work. */
  pools(): readonly PoolLoad[] {
    const others = SEPARATE_WORK.map((work) => ({ pool: work, waiting: this.#pool.poolFor(work).waiting }));
    return [{ pool: 'journal', waiting: this.#pool.waiting }, ...others];
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #change(sql: string, values: Parameter[]) {
    return this.#notingRefusal(() => this.#pool.ask(numbered(sql), values, { onlyReads: false }));
  }

  /** Runs work that writes. If the database takes no writes, notes that for {@link assertWritable}. */
  async #notingRefusal<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#withOurErrors(work);
    } catch (error) {
      if (error instanceof Error && takesNoWrites(error.cause))
        this.#shared.refusedWrite = { error, at: performance.now() };
      throw error;
    }
  }

  /** Runs work. If the database cannot be used, throws our error of that. */
  async #withOurErrors<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw isAway(error) ? databaseAway(this.#conduct.effect, error) : error;
    }
  }
}

/** Makes a database that connects with its first statement. Its errors name an unknown effect. */
export function postgresAt(
  url: string,
  schema: string,
  options: PoolOptions & Pick<Conduct, 'checksTimes'>,
): PostgresDatabase {
  return new PostgresDatabase(new Pool(url, options), schema, { checksTimes: options.checksTimes, effect: 'unknown' });
}
