/**
 * The journal on PostgreSQL: its operations and its chain of events. Every change is one statement that calls a
 * function of the database (functions.ts). Leases are in ../journal/operations.ts, because both databases take them
 * in the same way.
 */
import type { NewOperation } from '../../journal/operation.ts';
import type { InsertMeta, InsertResult, Link, Pause, SendingHold } from '../../journal/ports.ts';
import type { Row } from '../database.ts';
import { birthContent, NO_LINK_YET, newborn, toNewRow, toOperation, toOperationRow } from '../journal/hash-chain.ts';
import type { ChainOptions, JournalChain } from '../journal/journal-chain.ts';
import { type MoveResult, type OperationMove, StoredOperations } from '../journal/operations.ts';
import { takenOver } from '../programs.ts';
import { SCHEMA_VERSION } from '../tables.ts';
import type { PostgresClock } from './clock.ts';
import type { PostgresDatabase } from './database.ts';
import { clockAhead, sqlState } from './errors.ts';
import { CLOCK, CLOCK_AHEAD, STOPPED, TAKEN_OVER, WAITED } from './functions.ts';
import type { Parameter } from './pool.ts';

/** The answer of `enter_operation`. */
type EnterReply =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'exists' | 'busy'; readonly operation: Row }
  | { readonly kind: 'over_limit'; readonly spent: number }
  | { readonly kind: 'stopped'; readonly hold: SendingHold | null; readonly pause: Pause | null };

/** The answer of `move_operation`. */
type MoveReply =
  | { readonly kind: 'behind' | 'unmoved' }
  | { readonly kind: 'moved'; readonly link: Link; readonly operation: Row };

export class PostgresOperations extends StoredOperations<PostgresDatabase, JournalChain<PostgresDatabase>> {
  readonly #clock: PostgresClock | undefined;
  readonly #onWait: ChainOptions['waited'];

  /**
   * @param clock follows the database's clock. Without it, the database accepts any time that this process gives
   * @param onWait receives how long a write waited for its turn, seconds
   */
  constructor(
    db: PostgresDatabase,
    clock: PostgresClock | undefined,
    chain?: JournalChain<PostgresDatabase>,
    onWait?: ChainOptions['waited'],
  ) {
    super(db, chain);
    this.#clock = clock;
    this.#onWait = onWait;
  }

  async insert(operation: NewOperation, meta: InsertMeta): Promise<InsertResult> {
    const entered = newborn(operation, meta);
    const { limit } = meta;
    const call = `${this.db.schema}.enter_operation(entered => $1::text::json, birth => $2, per_day => $3::bigint,
      limit_currency => $4, since => $5::bigint, checked => $6, unless_stopped => $7)`;

    const entry = [JSON.stringify(toNewRow(entered, operation)), birthContent(entered)];
    const dayLimit = [limit?.perDay.minor ?? null, limit?.perDay.currency ?? null, limit?.since ?? null];
    const checks = [this.#checksTimes, meta.unlessStopped === true];
    const values = [...entry, ...dayLimit, ...checks];

    const reply = (await this.#callFunction(this.db.beforeSending, call, ...values)) as EnterReply;

    switch (reply.kind) {
      case 'inserted':
        return { kind: 'inserted', operation: entered };
      case 'over_limit':
        return { kind: 'over_limit', spent: { minor: reply.spent, currency: limit?.perDay.currency ?? '' } };
      case 'stopped':
        return { kind: 'stopped', hold: reply.hold ?? undefined, pause: reply.pause ?? undefined };
      default:
        return { kind: reply.kind, operation: toOperation(reply.operation) };
    }
  }

  protected async move({ id, from, to, patch, meta }: OperationMove): Promise<MoveResult> {
    const { chain } = this;
    // Reads what other processes wrote into the second record, so that `top` is the newest link that was seen.
    if (to === 'dispatched') chain?.record.look();
    const top = chain?.record.top ?? NO_LINK_YET;

    const call = `${this.db.schema}.move_operation(of_id => $1, allowed => $2, target => $3, patch => $4::text::json,
      at => $5::bigint, by_actor => $6, checked => $7, seen_n => $8::bigint, seen_hash => $9,
      of_version => '${SCHEMA_VERSION}')`;
    const row = JSON.stringify(toOperationRow(patch));
    const change = [id, from.join(), to, row, meta.now, meta.actor, this.#checksTimes];

    try {
      const reply = (await this.#callFunction(this.db, call, ...change, top.n, top.hash)) as MoveReply;
      if (reply.kind !== 'moved') return { kind: reply.kind };
      return { kind: 'moved', link: reply.link, operation: toOperation(reply.operation) };
    } catch (error) {
      if (sqlState(error) === TAKEN_OVER) throw takenOver();
      if (sqlState(error) === STOPPED) throw await this.stopped();
      throw error;
    }
  }

  /** Whether the database rejects times that are ahead of its own clock. */
  get #checksTimes(): boolean {
    return this.#clock !== undefined;
  }

  /** Calls a function that adds to the chain, and corrects the clock by the time in the answer. */
  async #callFunction(db: PostgresDatabase, call: string, ...values: Parameter[]): Promise<unknown> {
    const sql = `select ${call} as answer, ${CLOCK} as at, current_setting('${WAITED}', true) as waited`;
    const ask = async () => {
      const row = (await db.change(sql, ...values)) ?? {};
      // Empty if the function wrote nothing.
      if (row.waited) this.#onWait?.(Number(row.waited));
      return row;
    };
    if (this.#clock === undefined) return (await ask()).answer;

    try {
      return (await this.#clock.watch(ask, (row) => Number(row.at))).answer;
    } catch (error) {
      if (sqlState(error) !== CLOCK_AHEAD) throw error;
      await setClock(db, this.#clock);
      throw clockAhead(error);
    }
  }
}

/** Asks the database for its time, and corrects the clock by it. */
export async function setClock(db: PostgresDatabase, clock: PostgresClock): Promise<void> {
  await clock.watch(
    () => db.get(`select ${CLOCK} as at`),
    (row) => Number(row?.at),
  );
}
