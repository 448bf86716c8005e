/**
 * Stores events for other systems ({@link StoredOutbox}), then which address has received which
 * ({@link StoredDeliveries}). Triggers write the events of operations, questions and findings (event-triggers.ts).
 */

import { SECOND_MS } from '../core/times.ts';
import type { DeskEvent, NewEvent } from '../events/event.ts';
import type {
  BookingTimeLimit,
  Deliveries,
  Delivery,
  DeliveryState,
  DueDelivery,
  EntryProgress,
  Outbox,
} from '../events/ports.ts';
import {
  type Columns,
  type Database,
  insertParts,
  numberOrNone,
  type Row,
  toFields,
  toRow,
  type Value,
} from './database.ts';
import { questionColumns } from './event-triggers.ts';
import { WAITING } from './tables.ts';

const COLUMNS: Columns<Omit<DeskEvent, 'type'> & { readonly type: string }> = {
  n: ['n', 'number'],
  id: ['id', 'text'],
  type: ['type', 'text'],
  at: ['at', 'number'],
  tenant: ['tenant', 'text'],
  caller: ['caller', 'text'],
  tool: ['tool', 'text'],
  locator: ['locator', 'text'],
  operationId: ['operation_id', 'text'],
  findingId: ['finding_id', 'text'],
  kind: ['kind', 'text'],
  dueAt: ['due_at', 'number'],
};

/** The time limits of a booking that have events. Each has a column: its name and `_at`. */
const LIMITS = ['pay_by', 'names_until'] as const;

/**
 * After this time a missing number was never written, because the write that took it is over. Until then the event may
 * still appear, so events after it wait. Milliseconds.
 */
const GAP_MS = 10 * SECOND_MS;

function toEvent(row: Row): DeskEvent {
  return toFields(COLUMNS, row) as DeskEvent;
}

export class StoredOutbox implements Outbox {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforeSending;
    this.#table = `${db.dialect.prefix}outbox`;
  }

  async add(events: readonly NewEvent[]): Promise<number> {
    let added = 0;
    for (const event of events) {
      const { columns, marks, values } = insertParts(toRow(COLUMNS, event));
      // A known event must not use up a number, as a refused row does on PostgreSQL.
      const sql = `insert into ${this.#table}(${columns}) select ${marks}
        where not exists (select 1 from ${this.#table} where id = ?) on conflict do nothing`;
      added += await this.#db.write(sql, ...values, event.id);
    }

    return added;
  }

  async after(n: number, limit: number): Promise<readonly DeskEvent[]> {
    const age = `${this.#db.dialect.clock} - written_at`;
    const sql = `select *, ${age} as age from ${this.#table} where n > ? order by n limit ?`;
    const found = await this.#db.all(sql, n, limit);
    const events: DeskEvent[] = [];
    let previous = n;

    for (const row of found) {
      const event = toEvent(row);
      if (event.n !== previous + 1 && Number(row.age) < GAP_MS) break;
      events.push(event);
      previous = event.n;
    }

    return events;
  }

  async newest(limit: number): Promise<readonly DeskEvent[]> {
    return (await this.#db.all(`select * from ${this.#table} order by n desc limit ?`, limit)).map(toEvent);
  }

  async limits(after: number, until: number): Promise<readonly BookingTimeLimit[]> {
    const { prefix: s } = this.#db.dialect;

    // The newest reading decides, whichever caller read the booking.
    const newer = `select 1 from ${s}booking n where n.tenant = b.tenant and n.locator = b.locator
      and (n.seen_at > b.seen_at or n.seen_at = b.seen_at and n.caller > b.caller)`;

    const near = LIMITS.map(
      (what) => `select b.tenant, b.caller, b.locator, b.${what}_at as at, '${what}' as what from ${s}booking b
       where b.${what}_at > ? and b.${what}_at <= ? and not exists (${newer})`,
    );

    const rows = await this.#db.all(
      `${near.join(' union all ')} order by at, locator`,
      ...LIMITS.flatMap(() => [after, until]),
    );

    return rows.map((row) => ({
      tenant: String(row.tenant),
      caller: String(row.caller),
      locator: String(row.locator),
      what: String(row.what),
      at: Number(row.at),
    }));
  }

  async lapsed(after: number, until: number): Promise<readonly NewEvent[]> {
    const questions = await this.#questions('true', after, until);
    return questions.map(({ dueAt = until, ...question }) => {
      return { ...question, ...lapseNames('lapsed', question), at: dueAt };
    });
  }

  async lapsing(after: number, until: number): Promise<readonly NewEvent[]> {
    const questions = await this.#questions(`a.expires_at - a.created_at > ${until - after}`, after, until);
    return questions.map((question) => ({ ...question, ...lapseNames('lapsing', question), at: after }));
  }

  /** Open questions whose time ends in (`after`, `until`]: the fields of an event about each. */
  async #questions(condition: string, after: number, until: number): Promise<readonly QuestionFields[]> {
    const { prefix: s, text } = this.#db.dialect;
    const columns = Object.entries(questionColumns(text, 'a')).map(([name, value]) => `${value} as ${name}`);
    const rows = await this.#db.all(
      `select ${columns.join(', ')} from ${s}approval a
       where ${WAITING} and a.asked_by <> 'echo' and a.expires_at > ? and a.expires_at <= ? and ${condition} order by a.expires_at`,
      after,
      until,
    );

    return rows.map((row) => toFields(COLUMNS, row) as QuestionFields);
  }
}

/** The fields of an event that its question decides. */
type QuestionFields = Omit<NewEvent, 'id' | 'type' | 'at'>;

/** The id and the type of an event about the end of a question. */
function lapseNames(what: 'lapsed' | 'lapsing', { operationId = '' }: QuestionFields) {
  return { id: `question/${operationId}/${what}`, type: `question.${what}` } as const;
}

function toDelivery(row: Row): Delivery {
  return {
    receiver: String(row.receiver),
    n: Number(row.n),
    state: String(row.state) as DeliveryState,
    tries: Number(row.tries),
    nextAt: Number(row.next_at),
    failedAt: numberOrNone(row.failed_at),
    said: row.said === null ? undefined : String(row.said),
  };
}

/**
 * Events about the same booking are a line, and so are events of the same operation. An address gets the events of a
 * line one after the other: of events 1 and 2 about booking AAA111 and 3 about BBB222, it first gets 1 and 3. Event 2
 * waits until 1 is delivered or dead.
 */
export class StoredDeliveries implements Deliveries {
  readonly #db: Database;
  /** Precedes the name of a table. */
  readonly #s: string;

  constructor(db: Database) {
    this.#db = db.beforeSending;
    this.#s = db.dialect.prefix;
  }

  async begin(receiver: string): Promise<EntryProgress> {
    const find = `select up_to, stopped_at from ${this.#s}webhook where receiver = ?`;
    const stored = await this.#db.get(find, receiver);
    if (stored === undefined) {
      const last = `select coalesce(max(n), 0) from ${this.#s}outbox`;
      const sql = `insert into ${this.#s}webhook(receiver, up_to) values (?, (${last})) on conflict do nothing`;
      await this.#db.write(sql, receiver);
    }

    const row = stored ?? (await this.#db.get(find, receiver));
    return { upTo: Number(row?.up_to), stoppedAt: numberOrNone(row?.stopped_at) };
  }

  /** Works in two steps. If a process dies after the first, the next one still enters nothing twice. */
  async enter(receiver: string, events: readonly DeskEvent[], now: number): Promise<void> {
    const end = events.at(-1);
    if (end === undefined) return;

    await this.#db.write(
      `insert into ${this.#s}delivery(n, receiver, state, tries, next_at, locator, operation_id)
       select n, cast(? as text), 'waiting', 0, cast(? as bigint), locator, operation_id from ${this.#s}outbox
       where id in (select value from ${this.#db.dialect.elements}) on conflict do nothing`,
      receiver,
      now,
      JSON.stringify(events.map(({ id }) => id)),
    );

    await this.#db.write(`update ${this.#s}webhook set up_to = ? where receiver = ?`, end.n, receiver);
  }

  async due(receiver: string, by: number, limit: number): Promise<readonly DueDelivery[]> {
    const isFirst = (line: 'locator' | 'operation_id') => `not exists (select 1 from ${this.#s}delivery e
      where e.receiver = d.receiver and e.state = 'waiting' and e.${line} = d.${line} and e.n < d.n)`;
    const condition = `d.receiver = ? and d.state = 'waiting' and d.next_at <= ?
      and ${isFirst('locator')} and ${isFirst('operation_id')} order by d.next_at, d.n limit ?`;
    return this.#readWithEvents(condition, receiver, by, limit);
  }

  async delivered(receiver: string, n: number, now: number): Promise<void> {
    const change = "state = 'delivered', tries = tries + 1, next_at = ? where receiver = ? and n = ?";
    await this.#set(change, now, receiver, n);
  }

  async postpone(receiver: string, n: number, until: number): Promise<void> {
    await this.#set("next_at = ? where receiver = ? and n = ? and state = 'waiting'", until, receiver, n);
  }

  async failed(
    receiver: string,
    n: number,
    { now, nextAt, said, dead }: { now: number; nextAt: number; said: string; dead: boolean },
  ): Promise<void> {
    const change = `state = ?, tries = tries + 1, next_at = ?, failed_at = coalesce(failed_at, ?), said = ?
      where receiver = ? and n = ? and state = 'waiting'`;
    await this.#set(change, dead ? 'dead' : 'waiting', nextAt, now, said, receiver, n);

    // Those that wait for it have their turn no sooner, so until then no pass needs to read them.
    const inLine = (line: 'locator' | 'operation_id') => `select l.n from ${this.#s}delivery d join ${this.#s}delivery l
      on l.receiver = d.receiver and l.${line} = d.${line} and l.state = 'waiting' where d.n = ?`;
    const behind = `n > ? and receiver = ? and state = 'waiting'
      and n in (${inLine('locator')} union ${inLine('operation_id')})`;
    await this.#set(`next_at = ? where ${behind}`, nextAt, n, receiver, n, n);
  }

  async stop(receiver: string, now: number, said: string): Promise<void> {
    await this.#db.write(`update ${this.#s}webhook set stopped_at = ? where receiver = ?`, now, receiver);
    const dead = "state = 'dead', next_at = ?, failed_at = coalesce(failed_at, ?), said = ?";
    await this.#set(`${dead} where receiver = ? and state = 'waiting'`, now, now, said, receiver);
  }

  async reopen(receiver: string): Promise<boolean> {
    const last = `select coalesce(max(n), 0) from ${this.#s}outbox`;
    const sql = `update ${this.#s}webhook set stopped_at = null, up_to = (${last}) where receiver = ? and stopped_at is not null`;
    return (await this.#db.write(sql, receiver)) === 1;
  }

  async forEvents(events: readonly number[]): Promise<readonly Delivery[]> {
    const sql = `select * from ${this.#s}delivery where n in (select cast(value as bigint) from ${this.#db.dialect.elements}) order by n, receiver`;
    return (await this.#db.all(sql, JSON.stringify(events.map(String)))).map(toDelivery);
  }

  async dead(limit: number): Promise<readonly DueDelivery[]> {
    return this.#readWithEvents("d.state = 'dead' order by d.n desc limit ?", limit);
  }

  async resend(receivers: readonly string[], now: number): Promise<number> {
    return this.#set(
      `state = 'waiting', tries = 0, next_at = ?, failed_at = null
       where (state = 'dead' or state = 'waiting' and next_at > ?)
       and receiver in (select value from ${this.#db.dialect.elements})
       and receiver not in (select receiver from ${this.#s}webhook where stopped_at is not null)`,
      now,
      now,
      JSON.stringify(receivers),
    );
  }

  async oldestWaiting(receivers: readonly string[]): Promise<number | undefined> {
    const ofReceivers = `receiver in (select value from ${this.#db.dialect.elements})`;
    const receiverList = JSON.stringify(receivers);
    const entered = `select min(o.at) as oldest from ${this.#s}delivery d join ${this.#s}outbox o on o.n = d.n
      where d.state = 'waiting' and d.${ofReceivers}`;

    // Events whose deliveries are not entered yet.
    const ahead = `select min(o.at) as oldest from ${this.#s}webhook w join ${this.#s}outbox o on o.n > w.up_to
      where w.stopped_at is null and w.${ofReceivers}`;
    const sql = `select min(w.oldest) as oldest from (${entered} union all ${ahead}) w`;
    const row = await this.#db.get(sql, receiverList, receiverList);
    return numberOrNone(row?.oldest);
  }

  /** Reads deliveries `d` with their events `o`. @param condition SQL after `where` */
  async #readWithEvents(condition: string, ...values: Value[]): Promise<readonly DueDelivery[]> {
    const sql = `select d.receiver, d.state, d.tries, d.next_at, d.failed_at, d.said, o.*
      from ${this.#s}delivery d join ${this.#s}outbox o on o.n = d.n where ${condition}`;
    return (await this.#db.all(sql, ...values)).map((row) => ({ ...toDelivery(row), event: toEvent(row) }));
  }

  #set(change: string, ...values: Value[]): Promise<number> | number {
    return this.#db.write(`update ${this.#s}delivery set ${change}`, ...values);
  }
}
