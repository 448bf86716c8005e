/**
 * The journal's table of operations on PostgreSQL. Constraints and locks of the database decide what may enter; every
 * change is a compare-and-set that appends its event in the same statement (postgres-functions.ts).
 */
import type { RawReply } from '../../domain/airline.ts';
import type { Money } from '../../domain/pricing/money.ts';
import type { ClerkError } from '../../errors.ts';
import type { Activity, ActivityQuery } from '../../journal/activity.ts';
import { FAR_MS, isActive, type NewOperation, type Operation, type OperationState } from '../../journal/operation.ts';
import type {
  DayLimit,
  InsertResult,
  OperationEvent,
  OperationFilter,
  OperationStore,
  Patch,
  ReadingNote,
} from '../../journal/ports.ts';
import { whyNotSend } from '../../journal/standstill.ts';
import { birthContent, type ChainedEvent, NO_LINK_YET, toOperationEvent } from '../chain.ts';
import {
  INSERT_COLUMNS,
  type InsertMeta,
  insertValues,
  newborn,
  type OperationRow,
  patchValues,
  toOperation,
} from '../operation-row.ts';
import { keepSent, noteEnd } from '../witness-writes.ts';
import { activityOf } from './activity.ts';
import type { PostgresChain } from './chain.ts';
import type { PostgresClock } from './clock.ts';
import type { PostgresDatabase, Row, Value } from './database.ts';
import { clockAhead, databaseAway, sqlState } from './errors.ts';
import { ACTIVE, AHEAD_MS, CLOCK, CLOCK_AHEAD, spentBy } from './functions.ts';
import { verify } from './verify.ts';
import { STOPPED } from './whole.ts';

/** What `enter_operation` answers. */
type Entered =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'exists' | 'busy'; readonly operation: OperationRow }
  | { readonly kind: 'over_limit'; readonly spent: number };

/** What `move_linked` answers. */
type Moved =
  | { readonly kind: 'behind' | 'unmoved' }
  | { readonly kind: 'moved'; readonly n: number; readonly hash: string; readonly operation?: OperationRow };

export class PostgresOperations implements OperationStore {
  readonly #db: PostgresDatabase;
  readonly #in: string;
  readonly #clock: PostgresClock | undefined;
  readonly #chain: PostgresChain | undefined;

  /** Without a clock the times given are believed as they are; without a chain nothing is compared with what was seen. */
  constructor(db: PostgresDatabase, clock: PostgresClock | undefined, chain?: PostgresChain) {
    this.#db = db;
    this.#chain = chain;
    this.#in = db.schema;
    this.#clock = clock;
  }

  async insert(operation: NewOperation, meta: InsertMeta, limit?: DayLimit): Promise<InsertResult> {
    const entered = newborn(operation, meta);
    const values = insertValues(entered);
    const row = Object.fromEntries(INSERT_COLUMNS.map((column, i) => [column, values[i] ?? null]));
    const { answer } = await this.#journal(
      this.#db.beforehand,
      `select ${this.#in}.enter_operation($1::text::json, $2, $3::bigint, $4, $5::bigint, $6) as answer, ${CLOCK} as at`,
      ...[JSON.stringify(row), birthContent(entered)],
      ...[limit?.perDay.minor ?? null, limit?.perDay.currency ?? null, limit?.since ?? null, this.#checked],
    );
    const told = answer as Entered;
    switch (told.kind) {
      case 'inserted':
        return { kind: 'inserted', operation: entered };
      case 'over_limit':
        return { kind: 'over_limit', spent: { minor: told.spent, currency: limit?.perDay.currency ?? '' } };
      default:
        return { kind: told.kind, operation: toOperation(told.operation) };
    }
  }

  async spent(tenant: string, caller: string, { perDay: { currency }, since }: DayLimit): Promise<Money> {
    const by = { tenant: '$1', caller: '$2', currency: '$3', since: '$4::bigint', exceptId: "''" };
    const sql = `select coalesce(sum(amount_minor), 0) as minor ${spentBy(this.#in, by)}`;
    const sum = await this.#db.get(sql, tenant, caller, currency, since);
    return { minor: Number(sum?.minor), currency };
  }

  async get(id: string): Promise<Operation | undefined> {
    return this.#find(`select * from ${this.#in}.operation where id = $1`, id);
  }

  async transition(
    id: string,
    from: readonly OperationState[],
    to: OperationState,
    patch: Patch,
    meta: { now: number; actor: string },
  ): Promise<boolean> {
    const move = () => this.#move(id, from, to, patch, meta);
    let moved = await move();
    if (moved.kind === 'behind') {
      await this.#chain?.notice();
      moved = await move();
    }
    if (moved.kind === 'behind') throw await this.#stopped();
    if (moved.kind !== 'moved') return false;
    const { n, hash, operation } = moved;
    const link = { n: Number(n), hash };
    if (operation !== undefined && this.#chain) await keepSent(this.#chain.witness, link, toOperation(operation));
    else if (isActive(to)) this.#chain?.witness.see(link);
    else noteEnd(this.#chain?.witness, link, { id, state: to, ...patch });
    return true;
  }

  async #move(
    id: string,
    from: readonly OperationState[],
    to: OperationState,
    patch: Patch,
    meta: { now: number; actor: string },
  ): Promise<Moved> {
    const changes = JSON.stringify(Object.fromEntries(patchValues(patch)));
    const chain = this.#chain;
    if (to === 'dispatched') chain?.witness.look();
    const seen = chain?.witness.top ?? NO_LINK_YET;
    const sql = `select ${this.#in}.move_linked($1, $2, $3, $4::text::json, $5::bigint, $6, $7,
      coalesce($8, (select value from ${this.#in}.meta where key = 'journal_id')), $9::bigint, $10) as answer, ${CLOCK} as at`;
    const values = [id, from.join(), to, changes, meta.now, meta.actor, this.#checked];
    try {
      const { answer } = await this.#journal(this.#db, sql, ...values, chain?.id ?? null, seen.n, seen.hash);
      return answer as Moved;
    } catch (error) {
      throw sqlState(error) === STOPPED ? await this.#stopped() : error;
    }
  }

  /** Why nothing may be sent. */
  async #stopped(): Promise<ClerkError> {
    const standing = await this.#chain?.standing();
    return (standing && whyNotSend(standing)) ?? databaseAway('none', undefined);
  }

  async lease(id: string, owner: string, leaseUntil: number, now: number): Promise<boolean> {
    const sql = `update ${this.#in}.operation set owner = $1, lease_until = $2::bigint where id = $3 and state in ${ACTIVE}
      and (lease_until <= $4::bigint or lease_until > $4::bigint + ${FAR_MS} or owner = $1) and ${this.#believed('$4')}`;
    return (await this.#db.run(sql, owner, leaseUntil, id, now)) === 1;
  }

  async note(id: string, owner: string, { negatives, lastReadAt, failingSince }: ReadingNote): Promise<boolean> {
    const sql = `update ${this.#in}.operation set negatives = $1, last_read_at = $2::bigint, failing_since = $3::bigint,
      lease_until = $2::bigint where id = $4 and owner = $5 and state = 'in_doubt' and ${this.#believed('$2')}`;
    return (await this.#db.run(sql, negatives, lastReadAt, failingSince ?? null, id, owner)) === 1;
  }

  /** As JSON: a text here cannot hold the character U+0000, which a broken reply may. */
  async keepReply(id: string, { status, body, truncated }: RawReply): Promise<void> {
    if (truncated) return;
    const sql = `insert into ${this.#in}.reply(operation_id, status, body)
      select id, $1::integer, $2 from ${this.#in}.operation where id = $3 and state in ${ACTIVE}
      on conflict (operation_id) do update set status = excluded.status, body = excluded.body`;
    await this.#db.run(sql, status, JSON.stringify(body), id);
  }

  async reply(id: string): Promise<RawReply | undefined> {
    const row = await this.#db.get(`select status, body from ${this.#in}.reply where operation_id = $1`, id);
    return row && { status: Number(row.status), body: String(JSON.parse(String(row.body))) };
  }

  async list(filter: OperationFilter): Promise<readonly Operation[]> {
    const { tenant, caller, locator, states, from, to, limit } = filter;
    const wanted: [string, Value | undefined][] = [
      ['tenant =', tenant],
      ['caller =', caller],
      ['locator =', locator],
      ['created_at >=', from],
      ['created_at <', to],
    ];
    const given = wanted.filter((one): one is [string, Value] => one[1] !== undefined);
    const where = given.map(([sql], i) => `${sql} $${i + 1}`);
    if (states !== undefined) where.push(states.length === 0 ? 'false' : `state in (${quoted(states)})`);
    const sql = `select * from ${this.#in}.operation ${where.length > 0 ? `where ${where.join(' and ')}` : ''}
      order by created_at desc, id desc limit $${given.length + 1}::bigint`;
    return (await this.#db.all(sql, ...given.map(([, value]) => value), limit ?? null)).map(toOperation);
  }

  activity(query: ActivityQuery): Promise<Activity> {
    return activityOf(this.#db.aside, query);
  }

  async byFingerprint(tenant: string, fingerprint: string, exceptId = ''): Promise<readonly Operation[]> {
    const sql = `select * from ${this.#in}.operation where tenant = $1 and fingerprint = $2 and id <> $3
      order by created_at desc, place desc`;
    return (await this.#db.all(sql, tenant, fingerprint, exceptId)).map(toOperation);
  }

  async events(operationId: string): Promise<readonly OperationEvent[]> {
    const sql = `select * from ${this.#in}.event where operation_id = $1 order by seq`;
    return (await this.#db.all(sql, operationId)).map((row) => {
      return toOperationEvent(toEvent(row), String(row.hash));
    });
  }

  verify(): Promise<{ operationId: string; seq: number } | undefined> {
    return verify(this.#db, toEvent);
  }

  async #find(sql: string, ...values: Value[]): Promise<Operation | undefined> {
    const row = await this.#db.get(sql, ...values);
    return row && toOperation(row);
  }

  get #checked(): boolean {
    return this.#clock !== undefined;
  }

  /** Whether a time that this process decides by can be. */
  #believed(time: string): string {
    return this.#checked ? `${time}::bigint <= ${CLOCK} + ${AHEAD_MS}` : 'true';
  }

  /** Asks what enters the chain, and sets the clock by the answer. */
  async #journal(db: PostgresDatabase, sql: string, ...values: Value[]): Promise<Row> {
    const ask = async () => (await db.change(sql, ...values)) ?? {};
    if (this.#clock === undefined) return ask();
    try {
      return await this.#clock.watch(ask, (row) => Number(row.at));
    } catch (error) {
      if (sqlState(error) !== CLOCK_AHEAD) throw error;
      await setClock(db, this.#clock);
      throw clockAhead(error);
    }
  }
}

/** Asks the database what time it is. */
export async function setClock(db: PostgresDatabase, clock: PostgresClock): Promise<void> {
  await clock.watch(
    () => db.get(`select ${CLOCK} as at`),
    (row) => Number(row?.at),
  );
}

function toEvent(row: Row): ChainedEvent {
  return {
    n: Number(row.n),
    operationId: String(row.operation_id),
    seq: Number(row.seq),
    at: Number(row.at),
    from: row.from_state as ChainedEvent['from'],
    to: row.to_state as ChainedEvent['to'],
    actor: String(row.actor),
    content: String(row.content),
  };
}

/** States are a closed list of plain words. */
function quoted(states: readonly OperationState[]): string {
  return states.map((state) => `'${state}'`).join();
}
