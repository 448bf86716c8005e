/**
 * The journal's table of operations.
 *
 * Constraints of the database decide what may enter: one operation for each approval, whose id it has, and one active
 * operation for each booking. Every change is a compare-and-set that appends its event in the same transaction. The two
 * databases differ in how they make such a transaction.
 */
import { ClerkError } from '../../core/errors.ts';
import type { Money } from '../../core/money.ts';
import { whyNotSend } from '../../journal/context.ts';
import {
  FAR_MS,
  isActive,
  isOpen,
  type KeptPeople,
  type NewOperation,
  type Operation,
  type OperationState,
  tripOf,
} from '../../journal/operation.ts';
import type {
  DayLimit,
  InsertMeta,
  InsertResult,
  Link,
  MoveMeta,
  OperationEvent,
  OperationFilter,
  OperationStore,
  Patch,
  ReadingNote,
  StateChange,
  TripKeys,
} from '../../journal/ports.ts';
import {
  ACTIVE,
  type Database,
  ENTERED,
  OPEN,
  SPLIT,
  type SqlDialect,
  stateIn,
  TRIP_OF_FINGERPRINT,
  type Value,
  where,
} from '../database.ts';
import { SPENT_MARKS, spentSql } from './day-limit.ts';
import { toEvent, toOperation, toOperationEvent, withoutNote } from './hash-chain.ts';
import type { JournalChain } from './journal-chain.ts';
import type { RecordedLink, SecondRecord } from './second-record.ts';
import { type Misfit, verify } from './verify.ts';

/** A compare-and-set of one operation's state, with other fields to change. */
export interface OperationMove extends StateChange {
  readonly id: string;
  readonly meta: MoveMeta;
}

export type MoveResult =
  | { readonly kind: 'unmoved' }
  /** The journal lacks links that were seen before, so nothing may be sent. */
  | { readonly kind: 'behind' }
  | { readonly kind: 'moved'; readonly link: Link; readonly operation: Operation };

interface PageQuery {
  /** createdAt in [from, to), milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  /** The last operation of the page before. */
  readonly after?: Pick<Operation, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

export interface ListedOperation {
  readonly operation: Operation;
  /** Its last event. */
  readonly last: Link;
}

/** States of operations that were not done, or of which nobody knows more than a person said: their people are erased. */
export const NOT_DONE: readonly OperationState[] = ['refused', 'not_executed', 'resolved'];

/** States of an operation that made a booking or may have made one. */
const MAY_HAVE_MADE = ['dispatched', 'in_doubt', 'succeeded', 'needs_person', 'resolved'] as const;

export abstract class StoredOperations<D extends Database, C extends JournalChain<D>> implements OperationStore {
  protected readonly db: D;
  protected readonly chain: C | undefined;
  readonly #table: string;

  /** Without a chain, nothing checks for lost links or stops sending. */
  constructor(db: D, chain?: C) {
    this.db = db;
    this.#table = `${db.dialect.prefix}operation`;
    this.chain = chain;
  }

  abstract insert(operation: NewOperation, meta: InsertMeta): Promise<InsertResult>;

  /**
   * Makes the compare-and-set, appends its event, and erases the people of a hold that is paid, and of what was not done, in
   * one transaction.
   */
  protected abstract move(move: OperationMove): Promise<MoveResult>;

  async spent(tenant: string, caller: string, { perDay: { currency }, since }: DayLimit): Promise<Money> {
    const sql = spentSql(this.db.dialect, { ...SPENT_MARKS, exceptId: "''" });
    const sum = await this.db.get(sql, tenant, caller, currency, since);
    return { minor: Number(sum?.minor), currency };
  }

  async get(id: string): Promise<Operation | undefined> {
    const [found] = await this.#find('id = ?', id);
    return found;
  }

  async getAll(ids: readonly string[]): Promise<readonly Operation[]> {
    if (ids.length === 0) return [];
    return this.#find(`id in (select value from ${this.db.dialect.elements})`, JSON.stringify(ids));
  }

  async transition(id: string, change: StateChange, meta: MoveMeta): Promise<boolean> {
    const move = { id, ...change, meta };
    let result = await this.move(move);
    if (result.kind === 'behind') {
      // Either sending is held now, or the lost links were all recovered before.
      await this.chain?.recordLoss();
      result = await this.move(move);
    }

    if (result.kind === 'behind') throw await this.stopped();
    if (result.kind === 'unmoved') return false;

    const { link, operation } = result;
    if (this.chain !== undefined) await this.#recordMove(this.chain.record, link, operation, move);
    meta.moved?.(operation);

    return true;
  }

  /** Writes to the second record that an act is about to be sent, or how it ended. @throws ClerkError */
  async #recordMove(record: SecondRecord, link: Link, operation: Operation, move: OperationMove): Promise<void> {
    const { id, to, patch } = move;
    if (to === 'dispatched') await this.#recordSendOrThrow(record, { ...link, sent: operation });
    else if (isActive(to)) record.raiseTop(link);
    else record.recordIfPossible({ ...link, end: recordedEnd(id, to, patch) });
  }

  /** @throws ClerkError if the write fails: then nothing may be sent. */
  async #recordSendOrThrow(record: SecondRecord, link: RecordedLink): Promise<void> {
    try {
      await record.recordSend(link);
    } catch (cause) {
      throw new ClerkError('E_STATE_DOWN', 'Cannot write the second record of the journal. Nothing was sent.', {
        next: 'Tell the operator: the folder of second records (docs/guides/running.md, State) needs room and must be writable.',
        cause,
      });
    }
  }

  /** Why nothing may be sent now. */
  protected async stopped(): Promise<ClerkError> {
    const status = await this.chain?.status();
    return (status && whyNotSend(status)) ?? anotherJournal();
  }

  /**
   * Takes or renews the lease on an active operation, if it has ended or is this owner's, or if the clock was set back
   * after it was taken. Returns false if another process has it, or if this process's clock is ahead of the database's
   * (`isNotAhead`).
   *
   * A lease allows settling, not sending: whether a process may still send is checked where its operation moves to
   * `dispatched` (postgres/functions.ts, `move_operation`; sqlite/journal.ts, `maySend`).
   */
  async lease(id: string, owner: string, leaseUntil: number, now: number): Promise<boolean> {
    const sql = `update ${this.#table} set owner = ?, lease_until = ? where id = ? and ${ACTIVE}
        and (lease_until <= ? or lease_until > ? or owner = ?) and ${this.db.dialect.isNotAhead(now)}`;
    return (await this.db.write(sql, owner, leaseUntil, id, now, now + FAR_MS, owner)) === 1;
  }

  /** Stores what a reading showed and ends the lease with it. Returns false if this owner no longer has the lease. */
  async note(id: string, owner: string, reading: ReadingNote): Promise<boolean> {
    const { negatives, lastReadAt, failingSince } = reading;
    const sql = `update ${this.#table} set negatives = ?, last_read_at = ?, failing_since = ?, lease_until = ?
        where id = ? and owner = ? and state = 'in_doubt' and ${this.db.dialect.isNotAhead(lastReadAt)}`;
    return (await this.db.write(sql, negatives, lastReadAt, failingSince ?? null, lastReadAt, id, owner)) === 1;
  }

  /** A power failure may lose them until the next durable write. */
  async keepNamed(id: string, locators: readonly string[]): Promise<void> {
    // Stores nothing for an operation that ended while this statement waited for a server that hangs.
    const sql = `update ${this.#table} set named = ? where id = ? and ${ACTIVE} and ${this.db.dialect.mayBeLost}`;
    await this.db.writeThatMayBeLost(sql, JSON.stringify(locators), id);
  }

  async named(id: string): Promise<readonly string[]> {
    const row = await this.db.get(`select named from ${this.#table} where id = ? and named is not null`, id);
    return row === undefined ? [] : JSON.parse(String(row.named));
  }

  async list(filter: OperationFilter): Promise<readonly Operation[]> {
    const { tenant, caller, locator, tool, argsDigest, states, from, to, limit } = filter;
    const { unindexed, fewest, order } = listPlan(filter, this.db.dialect);

    const [conditions, values] = where([
      [`${unindexed}tenant = ?`, tenant],
      [`${unindexed}caller = ?`, caller],
      ['locator = ?', locator],
      ['tool = ?', tool],
      ['args_digest = ?', argsDigest],
      ['created_at >= ?', from],
      ['created_at < ?', to],
    ]);
    if (states !== undefined) conditions.push(stateIn(states));

    // The limit is part of the SQL, because SQLite prepares a statement again for each value of a limit parameter.
    const most = limit === undefined ? '' : `limit ${Math.max(0, Math.trunc(limit))}`;
    return this.#find(`${[fewest, ...conditions].join(' and ')} ${order} ${most}`, ...values);
  }

  async ofTrip(
    tenant: string,
    { fingerprint, before = fingerprint, exceptId = '' }: TripKeys,
  ): Promise<readonly Operation[]> {
    const { place } = this.db.dialect;
    const isOfTrip = `fingerprint is not null and ${TRIP_OF_FINGERPRINT} in (?, ?)`;
    const condition = `tenant = ? and ${isOfTrip} and id <> ? order by created_at desc, ${place} desc`;
    return this.#find(condition, tenant, tripOf(fingerprint), tripOf(before), exceptId);
  }

  withEnteredDetails(tenant: string, locators: readonly string[]): Promise<readonly Operation[]> {
    const { elements, text, unindexed } = this.db.dialect;
    const ids = (condition: string) => `select id from ${this.#table} where ${ENTERED} and ${condition}`;
    const names = JSON.stringify(locators);

    // Each condition has an index of its own.
    const made = `${unindexed}tenant = ? and ${stateIn(MAY_HAVE_MADE)}`;
    const conditions = [
      `tenant = ? and locator in (select value from ${elements})`,
      `${made} and locator is null`,
      `${made} and ${SPLIT} and ${text('outcome', ['newLocator'])} in (select value from ${elements})`,
    ];
    const values = [tenant, names, tenant, tenant, names];
    return this.#find(`id in (${conditions.map(ids).join(' union all ')})`, ...values);
  }

  async askedPeople(ids: readonly string[]): Promise<ReadonlyMap<string, KeptPeople>> {
    const kept = await this.#keptBeside('asked', ids);
    return new Map(kept.map(([id, asked]) => [id, JSON.parse(asked) as KeptPeople]));
  }

  async reasons(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map(await this.#keptBeside('reason', ids));
  }

  /** What operations keep in a column that is no part of them, by id. */
  async #keptBeside(column: 'asked' | 'reason', ids: readonly string[]): Promise<[id: string, kept: string][]> {
    const sql = `select id, ${column} as kept from ${this.#table}
      where id in (select value from ${this.db.dialect.elements}) and ${column} is not null`;
    const rows = ids.length === 0 ? [] : await this.db.all(sql, JSON.stringify(ids));
    return rows.map(({ id, kept }) => [String(id), String(kept)]);
  }

  async events(operationId: string): Promise<readonly OperationEvent[]> {
    const sql = `select * from ${this.db.dialect.prefix}event where operation_id = ? order by seq`;
    return (await this.db.all(sql, operationId)).map((row) => toOperationEvent(toEvent(row), String(row.hash)));
  }

  verify(): Promise<Misfit | undefined> {
    return verify(this.db);
  }

  /** A page of operations after `after`, oldest first, each with its last event. */
  async page({ from, to, after, limit }: PageQuery): Promise<readonly ListedOperation[]> {
    const { prefix: s } = this.db.dialect;
    const [conditions, values] = where([
      ['o.created_at >= ?', from],
      ['o.created_at < ?', to],
      ['o.created_at >= ?', after?.createdAt],
    ]);

    const beyond = after === undefined ? '' : 'and (o.created_at > ? or o.id > ?)';
    const beyondValues = after === undefined ? [] : [after.createdAt, after.id];

    const rows = await this.db.all(
      // Selects the page first. PostgreSQL would otherwise look up the last event of every operation for each page.
      `select page.*, e.n as last_n, e.hash as last_hash from (
         select * from ${this.#table} o where ${['true', ...conditions].join(' and ')} ${beyond}
         order by o.created_at, o.id limit ${limit}
       ) page join ${s}event e on e.operation_id = page.id
       and e.seq = (select max(seq) from ${s}event where operation_id = page.id) order by page.created_at, page.id`,
      ...values,
      ...beyondValues,
    );

    return rows.map((row) => {
      return { operation: toOperation(row), last: { n: Number(row.last_n), hash: String(row.last_hash) } };
    });
  }

  /** Operations whose id begins so, at most two. */
  beginningWith(beginning: string): Promise<readonly Operation[]> {
    return this.#find('id >= ? and id < ? order by id limit 2', beginning, `${beginning}\u{10ffff}`);
  }

  async #find(condition: string, ...values: Value[]): Promise<readonly Operation[]> {
    return (await this.db.all(`select * from ${this.#table} where ${condition}`, ...values)).map(toOperation);
  }
}

/** How a list of operations makes SQLite read few rows. PostgreSQL chooses its indexes by itself. */
interface ListPlan {
  /** Precedes `tenant` and `caller`, unless SQLite may use their indexes. */
  readonly unindexed: string;
  /** The condition of the index to use, or one that is always true. */
  readonly fewest: string;
  /** Words that sort the list. */
  readonly order: string;
}

function listPlan(
  { caller, locator, states, from }: OperationFilter,
  { unindexed, place }: Pick<SqlDialect, 'unindexed' | 'place'>,
): ListPlan {
  const newestFirst = 'order by created_at desc, id desc';
  const isActiveOnly = states?.every(isActive) === true;
  const isOpenOnly = states?.every(isOpen) === true;

  // A booking has at most one active operation, so nothing is sorted.
  if (isActiveOnly && locator !== undefined) return { unindexed: '', fewest: ACTIVE, order: '' };

  // Few operations are active, so SQLite must not walk the whole journal by time.
  if (isActiveOnly) return { unindexed, fewest: ACTIVE, order: `order by ${unindexed}created_at desc, id desc` };

  // A booking has few operations. Those of one moment are in the order of their entry: a later one changes an earlier one.
  if (locator !== undefined) return { unindexed: '', fewest: 'true', order: `order by created_at desc, ${place} desc` };

  // The index of open operations is small, and has the order of the list.
  if (isOpenOnly) return { unindexed, fewest: OPEN, order: newestFirst };

  // The caller's index has the order of the list.
  if (caller !== undefined) return { unindexed: '', fewest: 'true', order: newestFirst };

  // A condition on the time makes SQLite use the index of time, instead of sorting the whole journal for the newest.
  return { unindexed, fewest: from === undefined ? 'created_at >= 0' : 'true', order: newestFirst };
}

/** The end of an act as the second record has it. */
function recordedEnd(id: string, state: OperationState, { locator, outcome }: Patch): NonNullable<RecordedLink['end']> {
  return { id, state, locator, outcome: outcome && withoutNote(outcome) };
}

/** The error of a journal that lacks links although none was found lost: it is another journal than before. */
function anotherJournal(): ClerkError {
  return new ClerkError('E_STATE_DOWN', 'The journal is not the one that this server opened. Nothing was sent.', {
    next: 'Call the tool again; if it fails again, tell the operator to run `fareclerk journal verify`.',
    retry: 'after_s:5',
  });
}
