/**
 * One PostgreSQL database, asked one statement at a time. Nothing here lives in a session (no prepared statements, no
 * settings, no session locks), so that a transaction pooler may stand between. No question waits for ever: a server
 * that neither answers nor closes the connection is given up.
 *
 * The driver's own transactions (`begin`) are not used: one whose connection breaks fails outside of any promise, and
 * would end the process.
 */
import postgres, { type Sql } from 'postgres';
import type { Effect } from '../../errors.ts';
import { databaseAway, isAway, isBroken, isUnread } from './errors.ts';
import { verifiedTls } from './identity.ts';

export type Row = Record<string, unknown>;
export type Value = string | number | boolean | null;

export interface PoolOptions {
  /** How long a statement may take before its connection is given up, milliseconds: 10_000. */
  readonly deadlineMs?: number;
  /** The same for the statements that bring the tables up to date: 120_000. */
  readonly longMs?: number;
  /** Connections at once, instead of what the address says. */
  readonly max?: number;
}

/** A statement that clashed with another, or met a server that was just starting, is asked so often. */
const TRIES = 4;

/** Connections for what may take long, or may be given up, without those of the journal's writes being touched. */
const ASIDE = 2;

/** The driver's pool, until one of its connections is lost. */
interface Generation {
  readonly sql: Sql;
  /** Statements under way. */
  asked: number;
  retired: boolean;
}

/**
 * Connections to one database. After a connection was lost the driver tells its next user of the old error; so new
 * statements go to new connections, and the old ones end with what is under way on them.
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
  async ask(sql: string, values: Value[], again: boolean): Promise<Row[] & { readonly count: number }> {
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

  /** What does not answer in time has lost its connection, and with it all others of the pool. */
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

/** `lost` is told of every connection that ends, idle ones too. */
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

export class PostgresDatabase {
  /** The schema that all tables are in: put before every name. */
  readonly schema: string;
  readonly #pool: Pool;
  readonly #effect: Effect;

  constructor(pool: Pool, schema: string, effect: Effect = 'unknown') {
    this.#pool = pool;
    this.schema = schema;
    this.#effect = effect;
  }

  /** The same database, for what is asked before anything is sent to the airline: its errors say so. */
  get beforehand(): PostgresDatabase {
    return new PostgresDatabase(this.#pool, this.schema, 'none');
  }

  /** The same database on connections of their own: for reports and counts. They change nothing. */
  get aside(): PostgresDatabase {
    return new PostgresDatabase(this.#pool.aside, this.schema, 'none');
  }

  /** Asks without values; the server gives up after `ms`. Throws ClerkError then. */
  async within(ms: number, sql: string): Promise<Row | undefined> {
    const [row] = await this.#told(() => this.#pool.brief(ms, sql));
    return row;
  }

  async get(sql: string, ...values: Value[]): Promise<Row | undefined> {
    const [row] = await this.all(sql, ...values);
    return row;
  }

  all(sql: string, ...values: Value[]): Promise<Row[]> {
    return this.#told(() => this.#pool.ask(sql, values, true));
  }

  /** Asks what changes something: never twice. */
  async change(sql: string, ...values: Value[]): Promise<Row | undefined> {
    const [row] = await this.#told(() => this.#pool.ask(sql, values, false));
    return row;
  }

  /** Returns the number of rows changed. */
  async run(sql: string, ...values: Value[]): Promise<number> {
    return (await this.#told(() => this.#pool.ask(sql, values, false))).count;
  }

  /** Several statements without values, which PostgreSQL takes as one transaction. */
  script(sql: string): Promise<void> {
    return this.#told(() => this.#pool.script(sql));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #told<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      throw isAway(error) ? databaseAway(this.#effect, error) : error;
    }
  }
}

/** Connects with the first statement. */
export function postgresAt(url: string, schema: string, options: PoolOptions = {}): PostgresDatabase {
  return new PostgresDatabase(new Pool(url, options), schema);
}
