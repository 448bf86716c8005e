/** Stores events for other systems. Triggers write those of operations, questions and findings (event-triggers.ts). */
import type { BookingTimeLimit, DeskEvent, NewEvent, Outbox } from '../events/ports.ts';
import type { Database, Row, Value } from './database.ts';
import { questionColumns } from './event-triggers.ts';
import { type Columns, toFields, toRow } from './row-codec.ts';
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

/** Limits that have events. */
const LIMITS = ['pay_by', 'names_until'] as const;

/** A write that took a number is over by then, milliseconds. */
const GAP_MS = 10_000;

export const toEvent = (row: Row): DeskEvent => toFields(COLUMNS, row) as DeskEvent;

export class StoredOutbox implements Outbox {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforehand;
    this.#table = `${db.dialect.prefix}outbox`;
  }

  /** Looks first: on PostgreSQL a row that is not written uses up a number all the same. */
  async add(events: readonly NewEvent[]): Promise<number> {
    const { elements } = this.#db.dialect;
    const known = await this.#db.all(
      `select id from ${this.#table} where id in (select value from ${elements})`,
      JSON.stringify(events.map(({ id }) => id)),
    );
    const ids = new Set(known.map(({ id }) => String(id)));
    let added = 0;
    for (const event of events) {
      if (ids.has(event.id)) continue;
      const row = toRow(COLUMNS, event);
      const columns = Object.keys(row);
      const sql = `insert into ${this.#table}(${columns.join()}) values (${columns.map(() => '?').join()}) on conflict do nothing`;
      added += await this.#db.run(sql, ...Object.values(row));
    }
    return added;
  }

  async after(n: number, limit: number): Promise<readonly DeskEvent[]> {
    const age = `${this.#db.dialect.clock} - written_at`;
    const sql = `select *, ${age} as age from ${this.#table} where n > ? order by n limit ?`;
    const found = await this.#db.all(sql, n, limit);
    let before = n;
    const gap = found.findIndex(({ n: its, age }) => {
      const isBehindGap = Number(its) !== before + 1 && Number(age) < GAP_MS;
      before = Number(its);
      return isBehindGap;
    });
    return (gap === -1 ? found : found.slice(0, gap)).map(toEvent);
  }

  async last(): Promise<number> {
    return Number((await this.#db.get(`select max(n) as n from ${this.#table}`))?.n ?? 0);
  }

  async find(id: string): Promise<DeskEvent | undefined> {
    const [row] = await this.#all('where id = ?', id);
    return row && toEvent(row);
  }

  async newest(limit: number): Promise<readonly DeskEvent[]> {
    return (await this.#all('order by n desc limit ?', limit)).map(toEvent);
  }

  async limits(after: number, until: number): Promise<readonly BookingTimeLimit[]> {
    this.#db.catchUp();
    const { prefix: s } = this.#db.dialect;
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
    return rows.map(({ tenant, caller, locator, what, at }) => {
      return {
        tenant: String(tenant),
        caller: String(caller),
        locator: String(locator),
        what: String(what),
        at: Number(at),
      };
    });
  }

  async lapsed(after: number, until: number): Promise<readonly NewEvent[]> {
    const found = await this.#questions('true', after, until);
    return found.map(({ dueAt: at = until, ...event }) => ({ ...event, ...ofQuestion('lapsed', event), at }));
  }

  async lapsing(after: number, until: number): Promise<readonly NewEvent[]> {
    const found = await this.#questions(`a.expires_at - a.created_at > ${until - after}`, after, until);
    return found.map((event) => ({ ...event, ...ofQuestion('lapsing', event), at: after }));
  }

  /** Those that wait and end in (`after`, `until`]. */
  async #questions(condition: string, after: number, until: number): Promise<readonly Omit<DeskEvent, 'n'>[]> {
    const { prefix: s, text } = this.#db.dialect;
    const columns = Object.entries(questionColumns(text, 'a')).map(([name, value]) => `${value} as ${name}`);
    const rows = await this.#db.all(
      `select ${columns.join(', ')} from ${s}approval a
       where ${WAITING} and a.asked_by <> 'echo' and a.expires_at > ? and a.expires_at <= ? and ${condition} order by a.expires_at`,
      ...[after, until],
    );
    return rows.map((row) => {
      const { n: _, ...event } = toEvent(row);
      return event;
    });
  }

  async #all(condition: string, ...values: Value[]): Promise<readonly Row[]> {
    return this.#db.all(`select * from ${this.#table} ${condition}`, ...values);
  }
}

function ofQuestion(what: 'lapsed' | 'lapsing', { operationId = '' }: Pick<NewEvent, 'operationId'>) {
  return { id: `question/${operationId}/${what}`, type: `question.${what}` } as const;
}
