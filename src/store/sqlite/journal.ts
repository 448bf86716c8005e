/** The journal on SQLite: its operations, and how the chain of events grows. */
import { statSync } from 'node:fs';
import { whyNotSend } from '../../journal/context.ts';
import { isActive, type NewOperation, type Operation } from '../../journal/operation.ts';
import type { InsertMeta, InsertResult, Link, Pause, SendingHold } from '../../journal/ports.ts';
import { type DoneOperationSql, overtakeSql } from '../asking.ts';
import { ACTIVE, insertParts, type Value } from '../database.ts';
import { overDayLimit } from '../journal/day-limit.ts';
import {
  birthContent,
  type ChainedEvent,
  chainHash,
  changeContent,
  EVENT_COLUMNS,
  eventValues,
  type JournalStep,
  newborn,
  noteContent,
  OF_JOURNAL,
  toNewRow,
  toOperation,
  toOperationFields,
  toOperationRow,
} from '../journal/hash-chain.ts';
import {
  type ChainDependencies,
  type Changed,
  JournalChain,
  type JournalChange,
  LATER_BODY,
  type LostLink,
} from '../journal/journal-chain.ts';
import { type MoveResult, NOT_DONE, type OperationMove, StoredOperations } from '../journal/operations.ts';
import type { RecordedLink, SecondRecord } from '../journal/second-record.ts';
import { takenOver } from '../programs.ts';
import { SCHEMA_VERSION } from '../tables.ts';
import type { SqliteDatabase } from './database.ts';
import { fileGone } from './errors.ts';
import { DIALECT } from './schema.ts';

/**
 * Deletes all details once the journal lost events: those of an older copy may have been used, erased or forgotten
 * meanwhile.
 */
const FORGET_DETAILS = 'delete from details';

/** Marks lost links as recovered, and erases the bodies of their acts. */
const RECOVER = `update lost set recovered_at = ?, body = case when body is null then null else '' end
  where recovered_at is null`;

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

/** Adds an event: the values of its columns, and its hash. */
const APPEND = `insert into event(${EVENT_COLUMNS.join()}, hash) values (${EVENT_COLUMNS.map(() => '?').join()}, ?)`;

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

  protected async enterLost(lost: readonly LostLink[], now: number): Promise<void> {
    const sql = `insert into lost(n, hash, body, noticed_at) select ?, ?, ?, ?
      where not exists (select 1 from event where n = ? and hash = ?) ${LATER_BODY}`;
    this.db.transaction(() => {
      for (const { n, hash, body } of lost) if (n > 0) this.db.run(sql, n, hash, body, now, n, hash);
    });
  }

  /** The same steps as `change_journal` (postgres/functions.ts). */
  protected async change({ step, by, at, body, lostLinks, isForced }: JournalChange): Promise<Changed> {
    const key = step === 'held' || step === 'restored' ? 'hold' : 'pause';
    return this.db.transaction<Changed>(() => {
      const before = this.db.get('select value from meta where key = ?', key)?.value;
      const lost = this.db.get('select count(*) as n from lost where recovered_at is null')?.n;
      switch (step) {
        case 'held':
          if (lost === 0 && !isForced) return 'known';
          // Even if sending is held already.
          this.db.run(FORGET_DETAILS);
          if (before !== undefined) return 'unchanged';
          break;
        case 'restored':
          if (before === undefined || lost !== lostLinks) return 'unchanged';
          this.db.run(RECOVER, at);
          break;
        case 'paused':
          break;
        case 'resumed':
          if (before === undefined) return 'unchanged';
      }
      const note = body ?? String(before);
      this.db.run('delete from meta where key = ?', key);
      if (step === 'held' || step === 'paused') this.db.run('insert into meta(key, value) values (?, ?)', key, note);
      this.#addNote(step, by, note, at);
      return 'done';
    });
  }

  /** Adds an event without an operation, with its note. */
  #addNote(to: JournalStep, actor: string, body: string, at: number): void {
    const last = this.db.get('select to_state from event where operation_id = ? order by seq desc limit 1', OF_JOURNAL);
    const from = (last?.to_state ?? '') as JournalStep | '';
    const link = appendEvent(this.db, { operationId: OF_JOURNAL, at, from, to, actor, content: noteContent(body) });
    this.db.run('insert into note(n, body) values (?, ?)', link.n, body);
  }
}

/** Adds an event to the chain. Must run within a transaction. */
function appendEvent(db: SqliteDatabase, fresh: Omit<ChainedEvent, 'n' | 'seq'>): Link {
  const head = db.get('select n, hash from chain');
  const last = db.get('select max(seq) as seq from event where operation_id = ?', fresh.operationId);
  const event: ChainedEvent = { ...fresh, n: Number(head?.n) + 1, seq: Number(last?.seq ?? 0) + 1 };
  const hash = chainHash(String(head?.hash), event);
  db.run(APPEND, ...eventValues(event), hash);
  db.run('update chain set n = ?, hash = ?', event.n, hash);
  return { n: event.n, hash };
}

export class SqliteOperations extends StoredOperations<SqliteDatabase, SqliteChain> {
  /** A power failure may undo this write until the change to `dispatched`, before which nothing is sent. */
  async insert(operation: NewOperation, meta: InsertMeta): Promise<InsertResult> {
    const entered = newborn(operation, meta);
    const { id, createdAt: at, owner: actor } = entered;
    const { columns, marks, values } = insertParts(toNewRow(entered, operation));
    const sql = `insert into operation(${columns}) values (${marks}) on conflict do nothing`;
    return this.db.lightly(() =>
      this.db.transaction<InsertResult>(() => {
        const stopped = meta.unlessStopped ? this.#stopped() : undefined;
        if (stopped !== undefined) return this.#withSameId(operation) ?? stopped;
        if (this.db.run(sql, ...values) === 0) return this.#conflict(operation);
        const overLimit = meta.limit && overDayLimit(this.db, entered, meta.limit);
        if (overLimit !== undefined) {
          this.db.run('delete from operation where id = ?', id);
          return overLimit;
        }
        appendEvent(this.db, { operationId: id, at, from: '', to: 'intent', actor, content: birthContent(entered) });
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
      this.db.run(`update operation set ${set.join()} where id = ?`, ...Object.values(row), id);
      const content = changeContent({
        locator: patch.locator ?? earlier.locator,
        dispatchedAt: patch.dispatchedAt ?? earlier.dispatchedAt,
        outcome: patch.outcome ?? earlier.outcome,
      });
      const link = appendEvent(this.db, {
        operationId: id,
        at: meta.now,
        from: earlier.state,
        to,
        actor: meta.actor,
        content,
      });
      const operation = this.#find('id = ?', id) as Operation;
      if (to === 'succeeded') this.#overtake(operation, meta.now);
      if (to === 'succeeded' && operation.direction === 'payment') this.db.run(ERASE_PEOPLE, operation.locator ?? null);
      return { kind: 'moved', link, operation };
    });
  }

  /** Ends the open questions that an operation has answered by succeeding. */
  #overtake({ id, locator, tool, tenant, caller, argsDigest }: Operation, now: number): void {
    this.db.run(OVERTAKE, argsDigest, now, tenant, caller, id, locator ?? null, tool, id);
  }

  /** Synchronous, because this store waits for its disk anyway. */
  protected recordSend(record: SecondRecord, link: RecordedLink): void {
    record.recordSendSync(link);
  }

  #find(condition: string, value: Value, ...more: Value[]): Operation | undefined {
    const row = this.db.get(`select * from operation where ${condition}`, value, ...more);
    return row && toOperation(row);
  }
}
