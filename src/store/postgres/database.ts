/**
 * One PostgreSQL database, asked one statement at a time. Nothing here lives in a session (no prepared statements, no
 * settings, no session locks), so that a transaction pooler can be used. No question waits for ever: a server that
 * neither answers nor closes the connection is given up.
 *
 * The driver's own transactions (`begin`) are not used: one whose connection breaks fails outside of any promise, and
 * would end the process.
 */
import postgres, { type Sql } from 'postgres';
import type { Effect } from '../../errors.ts';
import type { Database, Dialect, Row, Value } from '../database.ts';
import { databaseAway, isAway, isBroken, isUnread } from './errors.ts';
import { AHEAD_MS, CLOCK } from './functions.ts';
import { verifiedTls } from './identity.ts';

export interface PoolOptions {
  /** How long a statement may take before its connection is given up, milliseconds: 10_000. */
  readonly deadlineMs?: number;
  /** The same for the statements that make the tables: 120_000. */
  readonly longMs?: number;
  /** Connections at once, instead of what the address says. */
  readonly max?: number;
}

/** So often is a statement asked that clashed with another, or met a server that was just starting. */
const TRIES = 4;

/** Connections for reports and counts: those of the journal's writes stay free. */
const ASIDE = 2;
/** The server gives counts up after this, milliseconds: those that wait for a lock must not gather there. */
const BRIEF_MS = 2_000;

/** The driver's pool, until one of its connections is lost. */
interface Generation {
  readonly sql: Sql;
  /** Statements under way. */
  asked: number;
  retired: boolean;
}

/**
 * Connections to one database. After a connection was lost the driver gives its next user the old error; so new statements
 * go to new connections, and the old ones end with what is under way on them.
 */
class Pool {
  readonly #url: string;
  readonly #deadlineMs: number;
  readonly #longMs: number;
  readonly #max: number | undefined;
  #now: Generation;
  #aside: Pool | undefined;
  #closed = false;

  constructor(url: string, { deadlineMs = 10_000, longMs = 120_000, max }: PoolOptions) {
    this.#url = url;
    this.#deadlineMs = deadlineMs;
    this.#longMs = longMs;
    this.#max = max;
    this.#now = this.#connect();
  }

  /** `again`: it changes nothing, and may be asked once more where the connection broke. */
  async ask(sql: string, values: (Value | boolean)[], again: boolean): Promise<Row[] & { readonly count: number }> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.#within(this.#deadlineMs, ({ unsafe }) => unsafe<Row[]>(sql, values));
      } catch (error) {
        const unread = isUnread(error) && tried < TRIES;
        if (!unread && !(again && tried === 1 && isBroken(error))) throw error;
      }
    }
  }

  async script(sql: string): Promise<void> {
    await this.#within(this.#longMs, ({ unsafe }) => unsafe(sql).simple());
  }

  /** The server gives the statement up after `ms`, and keeps its connection. */
  async brief(ms: number, sql: string): Promise<Row[]> {
    // One message is one transaction, and the setting ends with it: a transaction pooler may stand between.
    const both = `set local statement_timeout = ${ms}; ${sql}`;
    const [, rows = []] = await this.#within(this.#deadlineMs, ({ unsafe }) => unsafe<Row[][]>(both).simple());
    return rows;
  }

  /** Few connections of their own, made when first used. */
  get aside(): Pool {
    this.#aside ??= new Pool(this.#url, { deadlineMs: this.#deadlineMs, max: ASIDE });
    return this.#aside;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#now.sql.end({ timeout: 1 }), this.#aside?.close()]);
  }

  /** If it does not answer in time, its connection and all others of the pool are given up. */
  async #within<T>(ms: number, ask: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const generation = this.#now;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(Object.assign(new Error('the database did not answer in time'), { code: 'CONNECTION_SILENT' }));
      this.#retire(generation);
      void generation.sql.end({ timeout: 0 });
    }, ms);
    generation.asked += 1;
    try {
      return await Promise.race([ask(generation.sql), late]);
    } finally {
      clearTimeout(timer);
      generation.asked -= 1;
      endIfDone(generation);
    }
  }

  #connect(): Generation {
    const generation: Generation = {
      sql: connect(this.#url, this.#max, () => this.#retire(generation)),
      asked: 0,
      retired: false,
    };
    return generation;
  }

  #retire(generation: Generation): void {
    if (this.#now !== generation || this.#closed) return;
    this.#now = this.#connect();
    generation.retired = true;
    endIfDone(generation);
  }
}

function endIfDone({ sql, asked, retired }: Generation): void {
  if (retired && asked === 0) void sql.end({ timeout: 0 });
}

/** Calls `lost` for every connection that ends, idle ones too. */
function connect(url: string, max: number | undefined, lost: () => void): Sql {
  const ssl = verifiedTls(url);
  return postgres(url, {
    ...(ssl !== undefined && { ssl }),
    ...(max !== undefined && { max }),
    // A pooler gives the next statement to another session; asking for types would be one more.
    prepare: false,
    fetch_types: false,
    backoff: () => 0.01,
    onnotice: () => undefined,
    onclose: lost,
    connection: { application_name: 'fareclerk' },
    ...(/[?&]connect_timeout=/.test(url) ? {} : { connect_timeout: 5 }),
    ...(/[?&]idle_timeout=/.test(url) ? {} : { idle_timeout: 60 }),
  });
}

/**
 * A text of PostgreSQL cannot hold U+0000 or half a surrogate pair, which JSON can write as an escape: reading any field
 * beside one would fail. The escape for an unknown character replaces it. `chr(92)` is the backslash, whatever
 * `standard_conforming_strings` says.
 */
function json(column: string): string {
  const odd = "chr(92) || chr(92) || 'u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})'";
  const tame = `regexp_replace(${column}, ${odd}, chr(92) || chr(92) || 'ufffd', 'g')`;
  return `(case when strpos(${column}, chr(92) || 'u') = 0 then ${column} else ${tame} end)::json`;
}

function dialectOf(schema: string, checked: boolean): Dialect {
  const text = (column: string, path: readonly string[]) => `(${json(column)} #>> '{${path.join()}}')`;
  return {
    in: `${schema}.`,
    place: 'place',
    unindexed: '',
    // A statement for each day would cost a year's report 366 round trips.
    sliceDays: 7,
    elements: 'json_array_elements_text(?::text::json)',
    position: 'strpos',
    text,
    whole: (column, path) => `${text(column, path)}::bigint`,
    unlocked: (table, key, condition) =>
      `${key} in (select ${key} from ${table} where ${condition} limit 1000 for update skip locked)`,
    believed: (time) => (checked ? `${Math.trunc(time)} <= ${CLOCK} + ${AHEAD_MS}` : 'true'),
    isAhead: (column) => (checked ? `${column} > ${CLOCK}` : 'true'),
  };
}

export class PostgresDatabase implements Database {
  /** All tables are in it. */
  readonly schema: string;
  readonly dialect: Dialect;
  readonly #pool: Pool;
  readonly #checked: boolean;
  readonly #effect: Effect;

  constructor(pool: Pool, schema: string, checked: boolean, effect: Effect) {
    this.#pool = pool;
    this.schema = schema;
    this.#checked = checked;
    this.#effect = effect;
    this.dialect = dialectOf(schema, checked);
  }

  get beforehand(): PostgresDatabase {
    return new PostgresDatabase(this.#pool, this.schema, this.#checked, 'none');
  }

  /** Has connections of its own. */
  get aside(): PostgresDatabase {
    return new PostgresDatabase(this.#pool.aside, this.schema, this.#checked, 'none');
  }

  /** A script takes no values: they are written into it. */
  brief(sql: string, ...values: number[]): Promise<Row | undefined> {
    const left = values.map(Math.trunc);
    return this.within(
      BRIEF_MS,
      sql.replaceAll('?', () => String(left.shift())),
    );
  }

  /** Asks without values; the server gives up after `ms`. Throws ClerkError then. */
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

  /** Asks what changes something: never twice. */
  async change(sql: string, ...values: (Value | boolean)[]): Promise<Row | undefined> {
    const [row] = await this.#worded(() => this.#pool.ask(numbered(sql), values, false));
    return row;
  }

  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.#worded(() => this.#pool.ask(numbered(sql), values, false))).count;
  }

  runLightly(sql: string, ...values: Value[]): Promise<number> {
    return this.run(sql, ...values);
  }

  catchUp(): void {
    // Nothing is put off.
  }

  /** Several statements without values, which PostgreSQL takes as one transaction. */
  script(sql: string): Promise<void> {
    return this.#worded(() => this.#pool.script(sql));
  }

  close(): Promise<void> {
    return this.#pool.close();
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
