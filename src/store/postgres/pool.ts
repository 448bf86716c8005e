/**
 * Connections to one PostgreSQL database. No session has settings or locks that outlive a transaction, so that a
 * transaction pooler can be used. Without a pooler, repeated statements are prepared, which saves a round trip. No statement waits for
 * ever: if the server neither answers nor closes the connection, the connection is given up.
 *
 * The driver's own transactions (its `begin`) are not used, but ours (transactions.ts): one whose connection breaks fails
 * outside of any promise, and would end the process.
 */
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import postgres, { type Sql } from 'postgres';
import { Turns, withinTime } from '../../core/at-once.ts';
import type { Row, SeparateWork, Transaction, Value } from '../database.ts';
import { isBroken, isUnread } from './errors.ts';
import { silent, Transactions } from './transactions.ts';

export type Parameter = Value | boolean;

/** The rows of an answer, and how many rows the statement changed. */
type CountedRows = Row[] & { readonly count: number };

export interface PoolOptions {
  /** How long a statement may take before its connection is given up, milliseconds: 10_000. */
  readonly deadlineMs?: number;
  /** Connections at once, instead of what the address says. */
  readonly max?: number;
  /** A statement's time begins once it has a connection. Before that, it may wait for any time. */
  readonly queues?: boolean;
  /** PostgreSQL does not compile these statements (JIT), because compiling takes longer than reading their rows. */
  readonly uncompiled?: boolean;
}

/** How often a statement is tried that clashed with another, or met a starting server. */
const TRIES = 4;
/** How long making or converting the tables may take, milliseconds. */
const SCRIPT_MS = 30 * 60_000;
/** How many statements each connection prepares, the last used ones: several times as many as the program has. */
const MOST_PREPARED = 256;

/** Pools for other work, so that the journal's connections stay free. Each is made when first used. */
const SEPARATE_POOLS: Readonly<Record<SeparateWork, PoolOptions>> = {
  counts: { max: 2 },
  questions: { max: 1, queues: true, uncompiled: true },
  desk_questions: { max: 2, queues: true, uncompiled: true },
};

export const SEPARATE_WORK = Object.keys(SEPARATE_POOLS) as readonly SeparateWork[];

interface DriverOptions {
  readonly max?: number | undefined;
  /** How many statements are sent on a connection before the answer to the first. */
  readonly max_pipeline: number;
  readonly max_lifetime?: number | null;
}

/** A pool of the driver, which takes new statements until one of its connections is lost. */
interface Generation {
  readonly sql: Sql;
  /** Statements that were given to the driver and have no answer yet. */
  running: number;
  /** Whether new statements go to another generation. */
  retired: boolean;
}

/**
 * Runs statements on connections of the current generation. After a connection is lost, the driver would report the old
 * error to its next user. So new statements go to a new generation, and the old one closes once its statements have
 * ended.
 */
export class Pool {
  readonly #url: string;
  readonly #deadlineMs: number;
  readonly #max: number | undefined;
  readonly #uncompiled: boolean;
  readonly #turns: Turns | undefined;
  #current: Generation;
  readonly #separatePools = new Map<SeparateWork, Pool>();
  readonly #transactions: Transactions;
  #closed = false;
  /** How many statements of all generations have no answer yet, including those that wait for a connection. */
  #unanswered = 0;
  /** Whether each connection is one session of the server, because there is no pooler. */
  #isDirect = false;
  /** Texts of statements that were asked before, the latest last. */
  readonly #askedBefore = new Set<string>();

  constructor(url: string, { deadlineMs = 10_000, max, queues, uncompiled = false }: PoolOptions) {
    this.#url = url;
    this.#deadlineMs = deadlineMs;
    this.#max = max;
    this.#uncompiled = uncompiled;
    this.#turns = queues && max !== undefined ? new Turns(max) : undefined;
    this.#current = this.#connect();

    // Only the end of a transaction ends the use of its connection.
    const forOne = { max: 1, max_pipeline: 100, max_lifetime: null };
    this.#transactions = new Transactions({ connect: (onClose) => connect(url, forOne, onClose), deadlineMs });
  }

  /** Makes a transaction, again if it clashed with another one. */
  async transact<T>(turn: string, steps: () => Transaction<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await this.#transactions.run(turn, steps(), this.#isDirect);
      } catch (error) {
        if (!mayRepeat(error, tried, false)) throw error;
      }
    }
  }

  /** Runs a statement. @param onlyReads it changes nothing, so it may be repeated after a broken connection */
  async ask(sql: string, values: Parameter[], { onlyReads }: { readonly onlyReads: boolean }): Promise<CountedRows> {
    for (let tried = 1; ; tried++) {
      try {
        if (this.#uncompiled) return await this.#withSetting('jit = off', withValues(sql, values));
        const prepare = this.#isDirect && this.#wasAskedBefore(sql);
        const run = ({ unsafe }: Sql) => unsafe<Row[]>(sql, values, { prepare });
        return ownRows(await this.#takeTurn(this.#deadlineMs, run));
      } catch (error) {
        if (!mayRepeat(error, tried, onlyReads)) throw error;
      }
    }
  }

  /**
   * Prepares statements from now on, unless a pooler is between: it tells clients a session number of its own. The
   * driver prepares a statement again that a session does not know.
   */
  async lookForPooler(): Promise<void> {
    const rows = await this.#takeTurn(this.#deadlineMs, ({ unsafe }) => unsafe('select pg_backend_pid() as pid'));
    this.#isDirect = rows[0]?.pid === rows.state?.pid;
    for (const pool of this.#separatePools.values()) pool.#isDirect = this.#isDirect;
  }

  /** Whether the statement was asked before; remembers it as the last one asked. */
  #wasAskedBefore(sql: string): boolean {
    const wasAsked = this.#askedBefore.delete(sql);
    this.#askedBefore.add(sql);
    const [oldest] = this.#askedBefore;
    if (this.#askedBefore.size > MOST_PREPARED && oldest !== undefined) this.#askedBefore.delete(oldest);
    return wasAsked;
  }

  /** Runs several statements, which make the tables. */
  async script(sql: string): Promise<void> {
    await this.#takeTurn(SCRIPT_MS, ({ unsafe }) => unsafe(sql).simple());
  }

  /** Runs a statement that the server cancels after `limitMs`. The connection stays usable. */
  async within(limitMs: number, sql: string): Promise<Row[]> {
    return this.#withSetting(`statement_timeout = ${limitMs}`, sql);
  }

  /**
   * Sends the setting and the statement in one message. That is one transaction, and the setting ends with it, also
   * behind a transaction pooler. The protocol allows no values beside a message with two statements.
   */
  async #withSetting(setting: string, sql: string): Promise<CountedRows> {
    const both = `set local ${setting}; ${sql}`;
    // The first result is that of the setting. A statement that gives no rows has none.
    const [, rows = []] = await this.#takeTurn(this.#deadlineMs, ({ unsafe }) => unsafe<Row[][]>(both).simple());
    return ownRows(rows as CountedRows);
  }

  /** The pool for other work, which is made once. It learns from this one whether a pooler is between. */
  poolFor(work: SeparateWork): Pool {
    const known = this.#separatePools.get(work);
    if (known !== undefined) return known;
    const pool = new Pool(this.#url, { deadlineMs: this.#deadlineMs, ...SEPARATE_POOLS[work] });
    pool.#isDirect = this.#isDirect;
    this.#separatePools.set(work, pool);
    return pool;
  }

  /** How many statements wait because each connection has one already. */
  get waiting(): number {
    return Math.max(0, this.#unanswered - this.#current.sql.options.max);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([
      this.#current.sql.end({ timeout: 1 }),
      this.#transactions.close(),
      ...[...this.#separatePools.values()].map((pool) => pool.close()),
    ]);
  }

  /** Waits for a turn, if the pool has turns, then for the answer. */
  async #takeTurn<T>(ms: number, ask: (sql: Sql) => PromiseLike<T>): Promise<T> {
    this.#unanswered += 1;
    try {
      await this.#turns?.take();
      return await this.#withDeadline(ms, ask).finally(() => this.#turns?.end());
    } finally {
      this.#unanswered -= 1;
    }
  }

  /** Waits for an answer. If it does not come in time, gives up all connections of the pool. */
  async #withDeadline<T>(ms: number, ask: (sql: Sql) => PromiseLike<T>): Promise<T> {
    const generation = this.#current;

    const tooLate = () => {
      // Afterwards: what ends with the connections says less.
      queueMicrotask(() => {
        this.#retire(generation);
        void generation.sql.end({ timeout: 0 });
      });
      return silent();
    };

    generation.running += 1;
    try {
      return await withinTime(ask(generation.sql), ms, tooLate);
    } finally {
      generation.running -= 1;
      endIfDone(generation);
    }
  }

  #connect(): Generation {
    const generation: Generation = {
      sql: connect(this.#url, { max: this.#max, max_pipeline: 0 }, () => this.#retire(generation)),
      running: 0,
      retired: false,
    };
    return generation;
  }

  #retire(generation: Generation): void {
    if (this.#current !== generation || this.#closed) return;
    this.#current = this.#connect();
    generation.retired = true;
    endIfDone(generation);
  }
}

/** Moves the rows out of the driver's list: the driver's query keeps that list in memory until a full garbage collection. */
function ownRows(list: CountedRows): CountedRows {
  return Object.assign(list.splice(0), { count: list.count });
}

/**
 * Writes the values into a statement, for a message that cannot carry values. A text becomes an escape string (`E'…'`),
 * in which a backslash means the same under all settings of the server. PostgreSQL cannot store U+0000 in a text.
 */
function withValues(sql: string, values: readonly Parameter[]): string {
  return sql.replace(/\$(\d+)/g, (_, n) => {
    const value = values[Number(n) - 1] ?? null;
    if (typeof value !== 'string') return value === null ? 'null' : `(${value})`;
    return `E'${value.replaceAll('\0', '\ufffd').replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  });
}

/** Whether a statement may be tried again that was `tried` so often, the last time with this error. */
function mayRepeat(error: unknown, tried: number, onlyReads: boolean): boolean {
  if (isUnread(error)) return tried < TRIES;
  return onlyReads && tried === 1 && isBroken(error);
}

/** Closes the connections of a retired generation once nothing runs on them. */
function endIfDone({ sql, running, retired }: Generation): void {
  if (retired && running === 0) void sql.end({ timeout: 0 });
}

/**
 * Makes a pool of the driver. Without `max_pipeline`, a statement that waits for a lock holds up no other: that one goes
 * to another connection, or waits for the first free one.
 * @param onClose called for every connection that ends, also idle ones
 */
function connect(url: string, { max, ...options }: DriverOptions, onClose: () => void): Sql {
  const ssl = verifiedTls(url);
  return postgres(url, {
    ...options,
    ...(ssl !== undefined && { ssl }),
    ...(max !== undefined && { max }),
    // Asking for types would be one more statement.
    fetch_types: false,
    // Seconds between two tries to connect: a statement's own time limits how long that goes on.
    backoff: () => 0.01,
    onnotice: () => undefined,
    onclose: onClose,
    connection: { application_name: 'fareclerk' },
    // Seconds, unless the address says its own.
    ...(/[?&]connect_timeout=/.test(url) ? {} : { connect_timeout: 5 }),
    ...(/[?&]idle_timeout=/.test(url) ? {} : { idle_timeout: 60 }),
  });
}

/**
 * Checks the server's certificate with `sslmode=verify-full`. If the address is an IP, the driver gives TLS no
 * host name. Node would then compare with `localhost` and accept a certificate issued for `localhost`.
 *
 * Returns undefined if the address does not ask for verification.
 */
export function verifiedTls(url: string) {
  if (!/[?&](?:sslmode|ssl)=verify-/.test(url)) return undefined;

  const hosts = hostsIn(url);
  const addresses = hosts.filter((host) => isIP(host) !== 0);

  return {
    checkServerIdentity(name: string, certificate: PeerCertificate): Error | undefined {
      if (name !== 'localhost' || addresses.length === 0) return checkServerIdentity(name, certificate);
      // The driver does not say which host it reached, so the certificate must be for one of them.
      const candidates = hosts.includes('localhost') ? [...addresses, 'localhost'] : addresses;
      const errors = candidates.map((host) => checkServerIdentity(host, certificate));
      return errors.includes(undefined) ? undefined : errors[0];
    },
  };
}

/** `postgres://user:password@host1:5432,[::1]:5433/name`: several hosts are no URL to Node. */
function hostsIn(url: string): readonly string[] {
  const authority = /^[a-z]+:\/\/(?:[^@/?]*@)?([^/?]*)/.exec(url)?.[1] ?? '';
  return authority.split(',').map((host) => host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'));
}
