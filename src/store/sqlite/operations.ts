/**
 * The journal's table of operations on SQLite. Constraints decide what may enter; every change is a compare-and-set
 * that appends its event in the same transaction.
 */

import type { RawReply } from '../../domain/airline.ts';
import type { Money } from '../../domain/pricing/money.ts';
import type { Activity, ActivityQuery } from '../../journal/activity.ts';
import {
  ACTIVE_STATES,
  FAR_MS,
  isActive,
  type NewOperation,
  type Operation,
  type OperationState,
} from '../../journal/operation.ts';
import type {
  DayLimit,
  InsertResult,
  Link,
  OperationEvent,
  OperationFilter,
  OperationStore,
  Patch,
  ReadingNote,
} from '../../journal/ports.ts';
import { birthContent, ChainCheck, type ChainedEvent, changeContent, OF_JOURNAL, toOperationEvent } from '../chain.ts';
import {
  CHANGING_COLUMNS,
  INSERT_COLUMNS,
  type InsertMeta,
  insertValues,
  newborn,
  patchValues,
  toChanging,
  toOperation,
} from '../operation-row.ts';
import { keepSentNow, noteEnd } from '../witness-writes.ts';
import { activityOf } from './activity.ts';
import { Behind, type SqliteChain } from './chain.ts';
import type { SqliteDatabase, Value } from './database.ts';
import { appendEvent, headOf, toEvent } from './events.ts';

const ACTIVE = `state in (${quoted(ACTIVE_STATES)})`;
const INSERT = `insert into operation(${INSERT_COLUMNS.join()}) values(${INSERT_COLUMNS.map(() => '?').join()}) on conflict do nothing`;

export class SqliteOperations implements OperationStore {
  readonly #db: SqliteDatabase;
  readonly #chain: SqliteChain | undefined;

  /** Without a chain nothing stops sending. */
  constructor(db: SqliteDatabase, chain?: SqliteChain) {
    this.#db = db;
    this.#chain = chain;
  }

  /** Forced to the disk with the change to `dispatched`, which is before the first byte: until then nothing is sent. */
  async insert(operation: NewOperation, meta: InsertMeta, limit?: DayLimit): Promise<InsertResult> {
    const entered = newborn(operation, meta);
    return this.#db.lightly(() =>
      this.#db.transaction<InsertResult>((undo) => {
        if (this.#db.run(INSERT, ...insertValues(entered)) === 0) return this.#conflict(operation);
        const spent = limit && this.#overLimit(entered, limit);
        if (spent !== undefined) undo({ kind: 'over_limit', spent });
        this.#append(entered.id, meta.now, '', 'intent', meta.owner, birthContent(entered));
        return { kind: 'inserted', operation: entered };
      }),
    );
  }

  #conflict({ id, tenant, locator, fingerprint }: NewOperation): InsertResult {
    const same = this.#find('select * from operation where id = ?', id);
    if (same !== undefined) return { kind: 'exists', operation: same };
    const other =
      this.#find(`select * from operation where locator = ? and ${ACTIVE}`, locator ?? null) ??
      this.#find(
        `select * from operation where tenant = ? and fingerprint = ? and ${ACTIVE}`,
        tenant,
        fingerprint ?? null,
      );
    if (other === undefined) throw new Error('the constraint that refused an operation cannot be told');
    return { kind: 'busy', operation: other };
  }

  /** What the day has moved, when this operation takes it over the limit. It is in the table already. */
  #overLimit({ id, tenant, caller, amount }: Operation, limit: DayLimit): Money | undefined {
    if (amount === undefined || amount.minor === 0) return undefined;
    const spent = this.#spent(tenant, caller, limit, id);
    const over = amount.currency !== spent.currency || spent.minor + amount.minor > limit.perDay.minor;
    return over ? spent : undefined;
  }

  #spent(tenant: string, caller: string, { perDay: { currency }, since }: DayLimit, exceptId = ''): Money {
    const sum = this.#db.get(
      `select coalesce(sum(amount_minor), 0) as minor from operation where tenant = ? and caller = ? and currency = ?
       and created_at >= ? and id <> ? and state not in ('not_executed', 'refused')`,
      ...[tenant, caller, currency, since, exceptId],
    );
    return { minor: Number(sum?.minor), currency };
  }

  async spent(tenant: string, caller: string, limit: DayLimit): Promise<Money> {
    return this.#spent(tenant, caller, limit);
  }

  async get(id: string): Promise<Operation | undefined> {
    return this.#find('select * from operation where id = ?', id);
  }

  async transition(
    id: string,
    from: readonly OperationState[],
    to: OperationState,
    patch: Patch,
    meta: { now: number; actor: string },
  ): Promise<boolean> {
    const link = to === 'dispatched' ? await this.#send(id, from, patch, meta) : this.#move(id, from, to, patch, meta);
    if (link !== undefined && !isActive(to)) noteEnd(this.#chain?.witness, link, { id, state: to, ...patch });
    return link !== undefined;
  }

  /** The last commit before the first byte: not where sending is stopped, and seen in a second place. */
  async #send(id: string, from: readonly OperationState[], patch: Patch, meta: { now: number; actor: string }) {
    const chain = this.#chain;
    const move = () => {
      chain?.beforehand();
      return this.#move(id, from, 'dispatched', patch, meta, () => chain?.assertMaySend());
    };
    let link: Link | undefined;
    try {
      link = move();
    } catch (error) {
      if (!(error instanceof Behind)) throw error;
      await chain?.notice();
      link = move();
    }
    const sent = link && this.#find('select * from operation where id = ?', id);
    if (link !== undefined && sent !== undefined && chain !== undefined) keepSentNow(chain.witness, link, sent);
    return link;
  }

  #move(
    id: string,
    from: readonly OperationState[],
    to: OperationState,
    patch: Patch,
    meta: { now: number; actor: string },
    check?: () => void,
  ): Link | undefined {
    return this.#db.transaction<Link | undefined>(() => {
      const row = this.#db.get(`select ${CHANGING_COLUMNS} from operation where id = ?`, id);
      if (row === undefined) return undefined;
      const before = toChanging(row);
      if (!from.includes(before.state)) return undefined;
      check?.();
      const changes = [['state', to], ['updated_at', meta.now], ...patchValues(patch)] as [string, Value][];
      const set = changes.map(([column]) => `${column} = ?`).join();
      const values = changes.map(([, value]) => value);
      this.#db.run(`update operation set ${set} where id = ?`, ...values, id);
      const link = this.#append(id, meta.now, before.state, to, meta.actor, changeContent({ ...before, ...patch }));
      if (!isActive(to)) this.#db.run('delete from reply where operation_id = ?', id);
      return link;
    });
  }

  async lease(id: string, owner: string, leaseUntil: number, now: number): Promise<boolean> {
    const sql = `update operation set owner = ?, lease_until = ? where id = ? and ${ACTIVE} and (lease_until <= ? or lease_until > ? or owner = ?)`;
    return this.#db.run(sql, owner, leaseUntil, id, now, now + FAR_MS, owner) === 1;
  }

  async note(id: string, owner: string, { negatives, lastReadAt, failingSince }: ReadingNote): Promise<boolean> {
    const sql = `update operation set negatives = ?, last_read_at = ?, failing_since = ?, lease_until = ?
      where id = ? and owner = ? and state = 'in_doubt'`;
    return this.#db.run(sql, negatives, lastReadAt, failingSince ?? null, lastReadAt, id, owner) === 1;
  }

  /** Forced to the disk with what it proves. Lost by a power failure in between, the operation is settled by reading. */
  async keepReply(id: string, { status, body, truncated }: RawReply): Promise<void> {
    if (truncated) return;
    const sql = `insert or replace into reply(operation_id, status, body)
      select id, ?, ? from operation where id = ? and ${ACTIVE}`;
    this.#db.lightly(() => this.#db.run(sql, status, body, id));
  }

  async reply(id: string): Promise<RawReply | undefined> {
    const row = this.#db.get('select status, body from reply where operation_id = ?', id);
    return row && { status: Number(row.status), body: String(row.body) };
  }

  async list(filter: OperationFilter): Promise<readonly Operation[]> {
    const { tenant, caller, locator, states, from, to, limit } = filter;
    const wanted: [string, Value | undefined][] = [
      // A state has few tenants: an index is of use for more than that alone.
      [caller === undefined && locator === undefined ? '+tenant = ?' : 'tenant = ?', tenant],
      ['caller = ?', caller],
      ['locator = ?', locator],
      ['created_at >= ?', from],
      ['created_at < ?', to],
    ];
    const given = wanted.filter((one): one is [string, Value] => one[1] !== undefined);
    const active = states?.every(isActive) === true;
    const where = [
      ...given.map(([sql]) => sql),
      ...(states ? [`state in (${quoted(states)})`] : []),
      // Said so, SQLite finds that the index of what is active will do.
      ...(active ? [ACTIVE] : []),
    ];
    // At most one (of a journal from before, one for each tenant): sorting it would take longer than finding it.
    const one = locator !== undefined && active;
    // What is active is few: the sign keeps SQLite from walking the whole journal by time instead.
    const order = one ? '' : `order by ${active ? '+' : ''}created_at desc, id desc`;
    // Not as a parameter: SQLite prepares a statement anew for every one that its limit hangs on.
    const most = limit === undefined ? '' : `limit ${Math.max(0, Math.trunc(limit))}`;
    const sql = `select * from operation ${where.length > 0 ? `where ${where.join(' and ')}` : ''} ${order} ${most}`;
    return this.#db.all(sql, ...given.map(([, value]) => value)).map(toOperation);
  }

  activity(query: ActivityQuery): Promise<Activity> {
    return activityOf(this.#db, query);
  }

  async byFingerprint(tenant: string, fingerprint: string, exceptId = ''): Promise<readonly Operation[]> {
    const sql =
      'select * from operation where tenant = ? and fingerprint = ? and id <> ? order by created_at desc, rowid desc';
    return this.#db.all(sql, tenant, fingerprint, exceptId).map(toOperation);
  }

  async events(operationId: string): Promise<readonly OperationEvent[]> {
    const rows = this.#db.all('select * from event where operation_id = ? order by seq', operationId);
    return rows.map((row) => {
      return toOperationEvent(toEvent(row), String(row.hash));
    });
  }

  async verify(): Promise<{ operationId: string; seq: number } | undefined> {
    this.#db.exec('begin');
    try {
      return this.#verify();
    } finally {
      this.#db.exec('commit');
    }
  }

  #verify(): { operationId: string; seq: number } | undefined {
    const check = new ChainCheck();
    let last: ChainedEvent | undefined;
    for (const row of this.#db.rows('select * from event order by n')) {
      last = toEvent(row);
      if (!check.add(last, String(row.hash))) return { operationId: last.operationId, seq: last.seq };
    }
    if (!check.endsAt(headOf(this.#db).hash))
      return { operationId: last?.operationId ?? '', seq: (last?.seq ?? 0) + 1 };
    for (const row of this.#db.rows('select * from operation order by rowid')) {
      const operation = toOperation(row);
      const seq = check.disagreement(operation);
      if (seq !== undefined) return { operationId: operation.id, seq };
    }
    for (const { n, body } of this.#db.rows('select n, body from note order by n')) {
      const seq = check.wrongNote(Number(n), String(body));
      if (seq !== undefined) return { operationId: OF_JOURNAL, seq };
    }
    const operationId = check.missing();
    return operationId === undefined ? undefined : { operationId, seq: 1 };
  }

  #find(sql: string, ...values: Value[]): Operation | undefined {
    const row = this.#db.get(sql, ...values);
    return row && toOperation(row);
  }

  #append(
    operationId: string,
    at: number,
    from: OperationState | '',
    to: OperationState,
    actor: string,
    content: string,
  ): Link {
    return appendEvent(this.#db, { operationId, at, from, to, actor, content });
  }
}

/** States are a closed list of plain words. */
function quoted(states: readonly OperationState[]): string {
  return states.map((state) => `'${state}'`).join();
}
