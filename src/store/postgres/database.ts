/** One PostgreSQL database, asked one statement at a time. */

import type { Effect } from '../../core/errors.ts';
import { type Aside, type Database, type Move, movedRows, type Row, type SqlDialect, type Value } from '../database.ts';
import type { PoolLoad } from '../open-counts.ts';
import { databaseAway, isAway, isLimited, takesNoWrites } from './errors.ts';
import { AHEAD_MS, CLOCK, inParsed, jsonField, parsed } from './functions.ts';
import { ASIDE, type Parameter, Pool, type PoolOptions } from './pool.ts';

/** The server cancels counts after this, milliseconds, so that waits for a lock do not pile up. */
const BRIEF_MS = 2_000;

function createDialect(schema: string, checked: boolean): SqlDialect {
  return {
    prefix: `${schema}.`,
    clock: CLOCK,
    place: 'place',
    unindexed: '',
    // A statement for each day would cost a year's report 366 round trips.
    sliceDays: 30,
    slicesAtOnce: 2,
    elements: 'json_array_elements_text(?::text::json)',
    elementsIn: (json) => `json_array_elements_text((${json})::json)`,
    position: 'strpos',
    text: jsonField,
    parsed,
    inParsed,
    fields: (column) => `json_each_text(${column}::json)`,
    toObject: (key, value) => `json_object_agg(${key}, ${value})::text`,
    integer: (column, path) => `${jsonField(column, path)}::bigint`,
    some: (table, key, condition, most) =>
      `(${key}) in (select ${key} from ${table} where ${condition} limit ${most} for update skip locked)`,
    believed: (time) => (checked ? `${Math.trunc(time)} <= ${CLOCK} + ${AHEAD_MS}` : 'true'),
    isAhead: (column) => (checked ? `${column} > ${CLOCK}` : 'true'),
    unchanging: 'for share',
    durably: "(current_setting('synchronous_commit') <> 'off' or set_config('synchronous_commit', 'on', true) = 'on')",
    lightly: "set_config('synchronous_commit', 'off', true) = 'off'",
  };
}

/** What several objects of one database know together. */
interface Shared {
  /** The version of tables that are of an earlier program. */
  earlier?: number | undefined;
  /** The last write that the database did not take, and when, monotonic milliseconds. */
  refused?: { readonly error: unknown; readonly at: number };
}

/** A write that failed counts for so long, milliseconds, whatever a probe shows: a small one may still fit. */
const REFUSED_MS = 10_000;

/** With little memory, so that the server writes some hundred kilobytes to the disk of its tables, and drops them. */
const SPILL = "set local work_mem = '64kB'; select count(*) as n from generate_series(1, 20000)";

export class PostgresDatabase implements Database {
  /** All tables are in it. */
  readonly schema: string;
  readonly dialect: SqlDialect;
  readonly #pool: Pool;
  /** Whether times to decide by must not be ahead of the database's clock. */
  readonly #checked: boolean;
  /** What its errors say of the airline: `none` for a database that is asked before anything is sent. */
  readonly #effect: Effect;
  /** What all that use the pool know. */
  readonly #shared: Shared;

  constructor(pool: Pool, schema: string, checked: boolean, effect: Effect, shared: Shared = {}) {
    this.#pool = pool;
    this.schema = schema;
    this.#checked = checked;
    this.#effect = effect;
    this.#shared = shared;
    this.dialect = createDialect(schema, checked);
  }

  get earlier(): number | undefined {
    return this.#shared.earlier;
  }

  /** Nothing is written from now on, if the tables are of an earlier version. */
  onlyRead(earlier: number | undefined): void {
    this.#shared.earlier = earlier;
  }

  get beforehand(): PostgresDatabase {
    return new PostgresDatabase(this.#pool, this.schema, this.#checked, 'none', this.#shared);
  }

  /** Has connections of its own. */
  aside(work: Aside): PostgresDatabase {
    return new PostgresDatabase(this.#pool.aside(work), this.schema, this.#checked, 'none', this.#shared);
  }

  /** A script takes no values, so they are written into it. */
  brief(sql: string, ...values: number[]): Promise<Row | undefined> {
    const rest = values.map(Math.trunc);
    return this.within(
      BRIEF_MS,
      sql.replaceAll('?', () => String(rest.shift())),
    );
  }

  /** Asks without values. @throws ClerkError after `ms`, when the server gives up. */
  async within(ms: number, sql: string): Promise<Row | undefined> {
    const [row] = await this.#worded(() => this.#pool.brief(ms, sql));
    return row;
  }

  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    const [row] = await this.all(sql, ...values);
    return row;
  }

  all(sql: string, ...values: Value[]): Promise<Row[]> {
    return this.#worded(() => this.#pool.ask(numbered(sql), values, true));
  }

  /** Asks a statement that changes something, never twice. */
  async change(sql: string, ...values: Parameter[]): Promise<Row | undefined> {
    const [row] = await this.#write(sql, values);
    return row;
  }

  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.#write(sql, values)).count;
  }

  runLightly(sql: string, ...values: Value[]): Promise<number> {
    return this.run(sql, ...values);
  }

  eraseLightly(sql: string, ...values: Value[]): Promise<number> {
    return this.run(sql, ...values);
  }

  runBehind(sql: string, ...values: Value[]): Promise<number> {
    return this.aside('counts').run(sql, ...values);
  }

  catchUp(): void {
    // No writes are delayed.
  }

  /**
   * Writes a row, and more room on the disk than an operation takes: a few bytes still fit into the tables of a disk
   * that is full. @throws ClerkError if the server is full or read-only, or takes over two seconds
   */
  async assertWritable(): Promise<void> {
    const { refused } = this.#shared;
    if (refused !== undefined && performance.now() - refused.at < REFUSED_MS) throw refused.error;
    const row = `insert into ${this.schema}.meta(key, value) values ('probe', now()::text)
      on conflict (key) do update set value = excluded.value`;
    await this.within(BRIEF_MS, row);
    await this.within(BRIEF_MS, SPILL).catch((error: unknown) => {
      if (!(error instanceof Error && isLimited(error.cause))) throw error;
    });
  }

  move(move: Move): Promise<number> {
    const { from, condition, values, given = [] } = move;
    const gone = `with gone as (delete from ${from} where ${condition} and ${this.dialect.lightly} returning *)`;
    return this.run(`${gone} ${movedRows(move, 'gone')}`, ...values, ...given);
  }

  /** Statements that come again take one round trip from now on, if no pooler is between. */
  lookForPooler(): Promise<void> {
    return this.#worded(() => this.#pool.lookForPooler());
  }

  /** Several statements without values, which PostgreSQL takes as one transaction. */
  script(sql: string): Promise<void> {
    return this.#worded(() => this.#pool.script(sql));
  }

  /** Statements of the journal, and those of other work, which have connections of their own. */
  pools(): readonly PoolLoad[] {
    const others = ASIDE.map((work) => ({ pool: work, ...this.#pool.aside(work).load }));
    return [{ pool: 'journal', ...this.#pool.load }, ...others];
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #write(sql: string, values: Parameter[]) {
    if (this.earlier !== undefined) throw new Error('a state of an earlier version is only read');
    try {
      return await this.#worded(() => this.#pool.ask(numbered(sql), values, false));
    } catch (error) {
      if (error instanceof Error && takesNoWrites(error.cause)) this.#shared.refused = { error, at: performance.now() };
      throw error;
    }
  }

  async #worded<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw isAway(error) ? databaseAway(this.#effect, error) : error;
    }
  }
}

/** PostgreSQL numbers the values: `$1` for the first `?`. */
function numbered(sql: string): string {
  let n = 0;
  return sql.replaceAll('?', () => {
    n += 1;
    return `$${n}`;
  });
}

/** Connects with the first statement. `checked`: times to decide by must not be ahead of the database's clock. */
export function postgresAt(url: string, schema: string, options: PoolOptions = {}, checked = false): PostgresDatabase {
  return new PostgresDatabase(new Pool(url, options), schema, checked, 'unknown');
}
