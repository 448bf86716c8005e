/**
 * Stores which bookings are read again with the last reading of each ({@link StoredWatches}), then the findings of such
 * readings ({@link StoredFindings}). What each method promises stands at the interfaces Watches and Findings (domain).
 */
import type { Finding, FindingQuery, Findings } from '../domain/booking/finding.ts';
import type { WatchedBooking, Watches } from '../domain/booking/reading-schedule.ts';
import type { KeptReading } from '../domain/facts/kept-reading.ts';
import {
  type Columns,
  type Database,
  insertParts,
  numberOrNone,
  type Row,
  tenantsSql,
  toFields,
  toRow,
  type Value,
  where,
} from './database.ts';

/** How many open findings are returned at most, the newest first. */
const MOST_OPEN = 1_000;

export class StoredWatches implements Watches {
  readonly #db: Database;
  readonly #table: string;
  /**
   * SQL: two columns from the ledger for a row `w`. `maker` made the booking, while the caller in the row only read it
   * first and may have another point of sale. `over_at` is the last departure.
   */
  readonly #ofLedger: string;

  constructor(db: Database) {
    this.#db = db.beforeSending;
    const { prefix, unindexed } = db.dialect;
    this.#table = `${prefix}watch`;
    // Keeps SQLite from choosing the index of the tenant alone, by which it would read all of their bookings.
    const ofBooking = `${prefix}booking b where ${unindexed}b.tenant = w.tenant and b.locator = w.locator`;
    this.#ofLedger = `(select b.caller from ${ofBooking} and b.made_here = 1 order by b.seen_at limit 1) as maker,
      (select max(b.over_at) from ${ofBooking}) as over_at`;
  }

  async get(tenant: string, locator: string): Promise<WatchedBooking | undefined> {
    const sql = `select * from ${this.#table} where tenant = ? and locator = ?`;
    const row = await this.#db.get(sql, tenant, locator);
    return row && toWatched(row);
  }

  /**
   * Returns false if another process has stored a reading since `before`. A power failure may undo this write: the next
   * reading finds the changes again.
   */
  async keep(watched: WatchedBooking, before: KeptReading | undefined): Promise<boolean> {
    const { tenant, locator, caller, kept, readAt, nextAt } = watched;

    const sql = `insert into ${this.#table} as w (tenant, locator, caller, read_at, next_at, reading_at, reading)
      select ?,?,?,?,?,?,? where ${this.#db.dialect.mayBeLost} on conflict (tenant, locator) do update set caller = excluded.caller,
      read_at = excluded.read_at, next_at = excluded.next_at, reading_at = excluded.reading_at, reading = excluded.reading
      where w.reading_at = ?`;

    const reading = kept === undefined ? null : JSON.stringify(kept);
    const row = [tenant, locator, caller, readAt, nextAt ?? null, kept?.at ?? 0, reading];
    return (await this.#db.writeThatMayBeLost(sql, ...row, before?.at ?? 0)) === 1;
  }

  async note(tenant: string, locator: string, at: { readAt?: number; nextAt?: number }): Promise<void> {
    const { readAt = null, nextAt = null } = at;
    const sql = `update ${this.#table} set read_at = coalesce(?, read_at), next_at = ?
      where tenant = ? and locator = ? and ${this.#db.dialect.mayBeLost}`;
    await this.#db.writeInBackground(sql, readAt, nextAt, tenant, locator);
  }

  async want({ tenant, locator, caller }: Pick<WatchedBooking, 'tenant' | 'locator' | 'caller'>, at: number) {
    // If a power failure undoes this write, the booking is read at its usual time.
    const sql = `insert into ${this.#table}(tenant, locator, caller, read_at, next_at, reading_at)
      select ?,?,?,0,?,0 where ${this.#db.dialect.mayBeLost}
      on conflict (tenant, locator) do update set next_at = excluded.next_at`;
    await this.#db.writeThatMayBeLost(sql, tenant, locator, caller, at);
  }

  async enrol(now: number, enteredSince: number): Promise<number> {
    const { prefix: s } = this.#db.dialect;

    // Of each tenant, the bookings that are ahead and not watched, each with the caller who made it here, else any caller.
    // SQLite joins by `cross join` in the order written: tenants first, so that it uses the index that begins with them.
    const sql = `${tenantsSql(`${s}booking`, 'true')} insert into ${this.#table}(tenant, locator, caller, read_at, next_at, reading_at)
      select b.tenant, b.locator, coalesce(max(case when b.made_here = 1 then b.caller end), max(b.caller)), 0, ?, 0
      from tenants cross join ${s}booking b where b.tenant = tenants.tenant and b.seen_at >= ?
      and b.over_at > ? and b.state not in ('cancelled', 'expired')
      and not exists (select 1 from ${this.#table} w where w.tenant = b.tenant and w.locator = b.locator)
      group by b.tenant, b.locator on conflict do nothing`;
    return this.#db.write(sql, now, enteredSince, now);
  }

  async due(now: number, exceptTenants: readonly string[] = []): Promise<WatchedBooking | undefined> {
    // `first`: the booking of one tenant that has been due for longest. `firsts` has one row for each tenant, and the
    // statement returns the row of them that has been due for longest.
    const first = `select f.locator from ${this.#table} f where f.tenant = tenants.tenant and f.next_at <= ?
      order by f.next_at, f.locator limit 1`;
    const sql = `${tenantsSql(this.#table, 'next_at is not null')}, firsts as (
        select tenant, (${first}) as locator from tenants
        where tenant not in (select value from ${this.#db.dialect.elements}))
      select w.*, ${this.#ofLedger} from firsts cross join ${this.#table} w
      where w.tenant = firsts.tenant and w.locator = firsts.locator order by w.next_at, w.locator limit 1`;
    const row = await this.#db.get(sql, now, JSON.stringify(exceptTenants));
    return row && toWatched(row);
  }

  async nextDue(): Promise<number | undefined> {
    return numberOrNone(
      (await this.#db.get(`select min(next_at) as at from ${this.#table} where next_at is not null`))?.at,
    );
  }
}

function toWatched(row: Row): WatchedBooking {
  return {
    tenant: String(row.tenant),
    locator: String(row.locator),
    caller: String(row.maker ?? row.caller),
    readAt: Number(row.read_at),
    kept: row.reading === null ? undefined : (JSON.parse(String(row.reading)) as KeptReading),
    nextAt: numberOrNone(row.next_at),
    overAt: numberOrNone(row.over_at),
  };
}

/** The fields that are JSON in `body`. */
type FindingField = 'bookedAt' | 'segment' | 'before' | 'after' | 'since' | 'missed' | 'deadlines';

const COLUMNS: Columns<Omit<Finding, FindingField>> = {
  id: ['id', 'text'],
  tenant: ['tenant', 'text'],
  locator: ['locator', 'text'],
  kind: ['kind', 'text'],
  route: ['route', 'text'],
  seenAt: ['seen_at', 'number'],
  departsAt: ['departs_at', 'number'],
  closedAt: ['closed_at', 'number'],
  closedBy: ['closed_by', 'text'],
};

export class StoredFindings implements Findings {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforeSending;
    this.#table = `${db.dialect.prefix}finding`;
  }

  async add(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const added: Finding[] = [];
    for (const finding of findings) {
      const { bookedAt, segment, before, after, since, missed, deadlines } = finding;
      const body = JSON.stringify({ bookedAt, segment, before, after, since, missed, deadlines });
      const { columns, marks, values } = insertParts({ ...toRow(COLUMNS, finding), body });
      const sql = `insert into ${this.#table}(${columns}) values (${marks}) on conflict (id) do nothing`;
      if ((await this.#db.write(sql, ...values)) === 1) added.push(finding);
    }

    return added;
  }

  async open(tenant: string | undefined, now: number, locators?: readonly string[]): Promise<readonly Finding[]> {
    const isOpen = 'closed_at is null and (departs_at is null or departs_at > ?)';
    return this.#find([['tenant = ?', tenant], [isOpen, now], this.#isAmong(locators)], MOST_OPEN);
  }

  async close(tenant: string | undefined, ids: readonly string[], by: string, now: number): Promise<number> {
    if (ids.length === 0) return 0;
    const [conditions, values] = where([
      ['tenant = ?', tenant],
      [`id in (select value from ${this.#db.dialect.elements})`, JSON.stringify(ids)],
    ]);
    const sql = `update ${this.#table} set closed_at = ?, closed_by = ? where closed_at is null and ${conditions.join(' and ')}`;
    return this.#db.write(sql, now, by, ...values);
  }

  async list(tenant: string | undefined, { from, to, locators, limit }: FindingQuery): Promise<readonly Finding[]> {
    return this.#find(
      [['tenant = ?', tenant], ['seen_at >= ?', from], ['seen_at < ?', to], this.#isAmong(locators)],
      limit,
    );
  }

  #isAmong(locators: readonly string[] | undefined): Condition {
    return [`locator in (select value from ${this.#db.dialect.elements})`, locators && JSON.stringify(locators)];
  }

  async #find(candidates: readonly Condition[], limit: number): Promise<readonly Finding[]> {
    const [conditions, values] = where(candidates);
    const sql = `select * from ${this.#table} where ${['true', ...conditions].join(' and ')} order by seen_at desc, id limit ${limit}`;
    return (await this.#db.all(sql, ...values)).map(toFinding);
  }
}

/** A condition with its value. Without a value it is left out. */
type Condition = readonly [condition: string, value: Value | undefined];

export function toFinding(row: Row): Finding {
  return { ...(JSON.parse(String(row.body)) as Finding), ...toFields(COLUMNS, row) };
}
