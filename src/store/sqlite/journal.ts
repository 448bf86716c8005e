/** The journal on SQLite: its operations, and how the chain of events grows. */
import { statSync } from 'node:fs';
import { whyNotSend } from '../../journal/context.ts';
import { isActive, type NewOperation, type Operation } from '../../journal/operation.ts';
import type { InsertMeta, InsertResult, Link, Pause, SendingHold } from '../../journal/ports.ts';
import { type DoneOperationSql, overtakeSql } from '../asking.ts';
import { ACTIVE, insertParts, type Value } from '../database.ts';
import { overDayLimit } from '../journal/day-limit.ts';
import {
  appendEvent,
  birthContent,
  type ChainedEvent,
  changeContent,
  newborn,
  toNewRow,
  toOperation,
  toOperationFields,
  toOperationRow,
} from '../journal/hash-chain.ts';
import { type ChainDependencies, JournalChain } from '../journal/journal-chain.ts';
import { type MoveResult, NOT_DONE, type OperationMove, StoredOperations } from '../journal/operations.ts';
import { takenOver } from '../programs.ts';
import { SCHEMA_VERSION } from '../tables.ts';
import type { SqliteDatabase } from './database.ts';
import { fileGone } from './errors.ts';
import { DIALECT } from './schema.ts';

/** Each value is a bound parameter. */
const DONE_MARKS: DoneOperationSql = {
  argsDigest: '?',
  at: '?',
  tenant: '?',
  caller: '?',
  id: '?',
  locator: '?',
  tool: '?',
};

/**
 * Ends the open questions that an operation has answered. Its values: those of {@link DoneOperationSql} in their order,
 * and the id once more.
 */
const OVERTAKE = overtakeSql(DIALECT, DONE_MARKS);

/** Erases the people of a booking that is paid: its value is the locator. */
const ERASE_PEOPLE = 'update operation set asked = null where locator = ? and asked is not null';

export class SqliteChain extends JournalChain<SqliteDatabase> {
  readonly #file: string | undefined;
  readonly #openedFile: { readonly ino: number; readonly dev: number } | undefined;

  /** @param file absent for a database in memory */
  constructor(db: SqliteDatabase, file: string | undefined, dependencies: ChainDependencies) {
    super(db, dependencies);
    this.#file = file;
    this.#openedFile = file === undefined ? undefined : statSync(file);
  }

  /** Throws ClerkError if the file was removed or replaced under this process. */
  override refresh(): void {
    if (this.#file !== undefined) this.#assertSameFile(this.#file);
    super.refresh();
    // Drops the cache, which would hide what another program wrote into the same file.
    this.db.exec('pragma shrink_memory');
  }

  /**
   * Whether an act may be sent, in the transaction that marks it as sent. False: the journal lacks what was seen
   * before.
   * @throws ClerkError
   */
  maySend(): boolean {
    const reading = this.toReading(this.db.get(...this.headQuery));
    if (reading.version !== String(SCHEMA_VERSION)) throw takenOver();
    const why = whyNotSend(reading);
    if (why !== undefined) throw why;
    return reading.fits;
  }

  #assertSameFile(file: string): void {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) throw fileGone('removed');
    if (stat.ino !== this.#openedFile?.ino || stat.dev !== this.#openedFile.dev) throw fileGone('replaced');
    if (stat.size === 0) throw fileGone('emptied');
  }
}

/** Adds an event to the chain. Must run within a transaction. */
function append(db: SqliteDatabase, fresh: Omit<ChainedEvent, 'n' | 'seq'>): Link {
  const last = db.get('select max(seq) as seq from event where operation_id = ?', fresh.operationId);
  const seq = Number(last?.seq ?? 0) + 1;
  const { link, statements } = appendEvent('', db.get('select n, hash from chain'), { ...fresh, seq });
  for (const statement of statements) db.write(...statement);
  return link;
}

export class SqliteOperations extends StoredOperations<SqliteDatabase, SqliteChain> {
  /** A power failure may undo this write until the change to `dispatched`, before which nothing is sent. */
  async insert(operation: NewOperation, meta: InsertMeta): Promise<InsertResult> {
    const entered = newborn(operation, meta);
    const { id, createdAt: at, owner: actor } = entered;
    const { columns, marks, values } = insertParts(toNewRow(entered, operation));
    const sql = `insert into operation(${columns}) values (${marks}) on conflict do nothing`;

    return this.db.writesThatMayBeLost(() =>
      this.db.transaction<InsertResult>(() => {
        const stopped = meta.unlessStopped ? this.#stopped() : undefined;
        if (stopped !== undefined) return this.#withSameId(operation) ?? stopped;
        if (this.db.write(sql, ...values) === 0) return this.#conflict(operation);

        const overLimit = meta.limit && overDayLimit(this.db, entered, meta.limit);
        if (overLimit !== undefined) {
          this.db.write('delete from operation where id = ?', id);
          return overLimit;
        }

        append(this.db, { operationId: id, at, from: '', to: 'intent', actor, content: birthContent(entered) });
        return { kind: 'inserted', operation: entered };
      }),
    );
  }

  /** The result if sending is held or paused. */
  #stopped(): InsertResult | undefined {
    const rows = this.db.all("select key, value from meta where key in ('hold', 'pause')");
    if (rows.length === 0) return undefined;

    const notes = new Map(rows.map(({ key, value }) => [key, String(value)]));
    const hold = notes.get('hold');
    const pause = notes.get('pause');

    return {
      kind: 'stopped',
      hold: hold === undefined ? undefined : (JSON.parse(hold) as SendingHold),
      pause: pause === undefined ? undefined : (JSON.parse(pause) as Pause),
    };
  }

  /** The result if an operation with this id was entered before. */
  #withSameId({ id }: NewOperation): InsertResult | undefined {
    const same = this.#find('id = ?', id);
    return same && { kind: 'exists', operation: same };
  }

  /** The result of an operation that a constraint kept out: what was there before it. */
  #conflict(operation: NewOperation): InsertResult {
    const { tenant, locator, fingerprint } = operation;
    const same = this.#withSameId(operation);
    if (same !== undefined) return same;

    const active =
      this.#find(`locator = ? and ${ACTIVE}`, locator ?? null) ??
      this.#find(`tenant = ? and fingerprint = ? and ${ACTIVE}`, tenant, fingerprint ?? null);
    if (active === undefined) throw new Error('an operation was refused by an unknown constraint');

    return { kind: 'busy', operation: active };
  }

  /** The change to `dispatched` is the last commit before the first byte. */
  protected async move({ id, from, to, patch, meta }: OperationMove): Promise<MoveResult> {
    if (to === 'dispatched') this.chain?.refresh();

    return this.db.transaction<MoveResult>(() => {
      const before = this.db.get('select state, locator, dispatched_at, outcome from operation where id = ?', id);
      const earlier = before && toOperationFields(before);
      if (earlier?.state === undefined || !from.includes(earlier.state)) return { kind: 'unmoved' };
      if (to === 'dispatched' && this.chain?.maySend() === false) return { kind: 'behind' };

      const row: Record<string, Value> = { state: to, updated_at: meta.now, ...toOperationRow(patch) };
      if (!isActive(to)) row.named = null;
      if (NOT_DONE.includes(to)) row.asked = null;

      const set = Object.keys(row).map((column) => `${column} = ?`);
      this.db.write(`update operation set ${set.join()} where id = ?`, ...Object.values(row), id);

      const content = changeContent({
        locator: patch.locator ?? earlier.locator,
        dispatchedAt: patch.dispatchedAt ?? earlier.dispatchedAt,
        outcome: patch.outcome ?? earlier.outcome,
      });

      const link = append(this.db, {
        operationId: id,
        at: meta.now,
        from: earlier.state,
        to,
        actor: meta.actor,
        content,
      });

      const operation = this.#find('id = ?', id) as Operation;
      if (to === 'succeeded') this.#overtake(operation, meta.now);
      if (to === 'succeeded' && operation.direction === 'payment')
        this.db.write(ERASE_PEOPLE, operation.locator ?? null);

      return { kind: 'moved', link, operation };
    });
  }

  /** Ends the open questions that an operation has answered by succeeding. */
  #overtake({ id, locator, tool, tenant, caller, argsDigest }: Operation, now: number): void {
    this.db.write(OVERTAKE, argsDigest, now, tenant, caller, id, locator ?? null, tool, id);
  }

  #find(condition: string, value: Value, ...more: Value[]): Operation | undefined {
    const row = this.db.get(`select * from operation where ${condition}`, value, ...more);
    return row && toOperation(row);
  }
}
