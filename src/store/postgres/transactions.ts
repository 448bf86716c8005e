/**
 * Transactions of several statements. Each has a connection for itself meanwhile, on which the statements of a trip are
 * sent one behind the other, without waits between them.
 *
 * A connection that broke is never used again: on a new one, the rest of a transaction would be writes by themselves.
 */
import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import { Turns, withinTime } from '../../core/at-once.ts';
import type { Row, Statement, Transaction } from '../database.ts';

/** How many transactions run at once, each on a connection of its own. */
const AT_ONCE = 2;

const COMMIT: Statement = ['commit'];
const ROLLBACK: Statement = ['rollback'];

interface Connection {
  readonly sql: Sql;
  isLost: boolean;
}

interface TransactionOptions {
  /** Opens one connection. */
  readonly connect: (onClose: () => void) => Sql;
  /** How long a trip may take before its connection is given up, and a transaction may wait for one, milliseconds. */
  readonly deadlineMs: number;
}

export class Transactions {
  readonly #options: TransactionOptions;
  readonly #turns = new Turns(AT_ONCE);
  readonly #idle = new Set<Connection>();

  constructor(options: TransactionOptions) {
    this.#options = options;
  }

  /**
   * Makes a transaction, which waits for its turn on the server.
   * @param prepare whether the connection is one session of the server, so that statements can be prepared
   */
  async run<T>(turn: string, steps: Transaction<T>, prepare: boolean): Promise<T> {
    if (!(await this.#turns.take(this.#options.deadlineMs))) throw silent();

    const [connection = this.#connect()] = this.#idle;
    this.#idle.delete(connection);

    const send = (statements: readonly Statement[]) => this.#send(connection, statements, prepare);
    try {
      return await transact(beginning(turn), steps, send);
    } catch (error) {
      if (!connection.isLost) await send([ROLLBACK]).catch(() => this.#giveUp(connection));
      throw error;
    } finally {
      if (!connection.isLost) this.#idle.add(connection);
      this.#turns.end();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#idle].map(({ sql }) => sql.end({ timeout: 1 })));
  }

  #connect(): Connection {
    const connection: Connection = { sql: this.#options.connect(() => this.#giveUp(connection)), isLost: false };
    return connection;
  }

  #giveUp(connection: Connection): void {
    connection.isLost = true;
    this.#idle.delete(connection);
    void connection.sql.end({ timeout: 0 });
  }

  /** Sends statements at once, and waits for all answers. @throws the first error */
  async #send(connection: Connection, statements: readonly Statement[], prepare: boolean): Promise<Row[][]> {
    if (connection.isLost) throw Object.assign(new Error('the connection is closed'), { code: 'CONNECTION_CLOSED' });

    const { sql } = connection;
    const asked = statements.map(([text, ...values]) =>
      values.length === 0 ? sql.unsafe(text).simple() : sql.unsafe<Row[]>(numbered(text), values, { prepare }),
    );

    const answers = await withinTime(Promise.allSettled(asked), this.#options.deadlineMs, () => {
      // Afterwards: what ends with the connection says less.
      queueMicrotask(() => this.#giveUp(connection));
      return silent();
    });

    // Those after a statement that failed fail too, the commit among them.
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return [...answer.value];
    });
  }
}

/** The error of a database that does not answer in time. */
export function silent(): Error {
  return Object.assign(new Error('the database did not answer in time'), { code: 'CONNECTION_SILENT' });
}

/**
 * Begins a transaction, whose commit is on the disk when it returns, whatever the default of the database. The server ends
 * one whose process sleeps, so that nobody waits for its locks.
 */
function beginning(turn: string): Statement {
  const key = createHash('sha256').update(turn).digest().readBigInt64BE();
  return [
    `begin; set local lock_timeout = '5s'; set local idle_in_transaction_session_timeout = '5s';
    select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off';
    select pg_advisory_xact_lock('${key}'::bigint)`,
  ];
}

async function transact<T>(
  begin: Statement,
  steps: Transaction<T>,
  send: (statements: readonly Statement[]) => Promise<Row[][]>,
): Promise<T> {
  let first = [begin];
  let isOver = false;
  let next = steps.next([]);

  while (!next.done) {
    const { statements, isLast } = next.value;
    const last = isLast ? [COMMIT] : [];
    const answers = await send([...first, ...statements, ...last]);
    next = steps.next(answers.slice(first.length, first.length + statements.length));
    first = [];
    isOver = isLast;
  }

  if (!isOver) await send([COMMIT]);
  return next.value;
}

/** Replaces each `?` by a numbered parameter of PostgreSQL: `$1` for the first. */
export function numbered(sql: string): string {
  let n = 0;
  return sql.replaceAll('?', () => {
    n += 1;
    return `$${n}`;
  });
}
