/** Stores which bookings are read again, and the last reading of each. */
import type { KeptReading } from '../domain/booking/kept-reading.ts';
import type { WatchedBooking, Watches } from '../domain/booking/watched-booking.ts';
import { omitUndefined } from '../domain/time-and-text/omit-undefined.ts';
import type { Database, Row } from './database.ts';

export class StoredWatches implements Watches {
  readonly #db: Database;
  readonly #table: string;
  /** Whoever read it first may have another point of sale than the one who made it. */
  readonly #ofLedger: string;

  constructor(db: Database) {
    this.#db = db.beforehand;
    const { prefix, unindexed } = db.dialect;
    this.#table = `${prefix}watch`;
    // SQLite would look for the last departure in all bookings of the tenant.
    this.#ofLedger = `(select b.caller from ${prefix}booking b where b.tenant = w.tenant and b.locator = w.locator
      and b.made_here = 1 order by b.seen_at limit 1) as maker,
      (select max(b.over_at) from ${prefix}booking b where ${unindexed}b.tenant = w.tenant and b.locator = w.locator) as over_at`;
  }

  async get(tenant: string, locator: string): Promise<WatchedBooking | undefined> {
    const sql = `select w.*, ${this.#ofLedger} from ${this.#table} w where tenant = ? and locator = ?`;
    const row = await this.#db.get(sql, tenant, locator);
    return row && toWatched(row);
  }

  async keep(watched: WatchedBooking, before: KeptReading | undefined): Promise<boolean> {
    const { tenant, locator, caller, kept, readAt, nextAt } = watched;
    const sql = `insert into ${this.#table} as w (tenant, locator, caller, read_at, next_at, reading_at, reading)
      values (?,?,?,?,?,?,?) on conflict (tenant, locator) do update set caller = excluded.caller,
      read_at = excluded.read_at, next_at = excluded.next_at, reading_at = excluded.reading_at, reading = excluded.reading
      where w.reading_at = ?`;
    const changed = await this.#db.run(
      sql,
      ...[
        tenant,
        locator,
        caller,
        readAt,
        nextAt ?? null,
        kept?.at ?? 0,
        kept === undefined ? null : JSON.stringify(kept),
      ],
      before?.at ?? 0,
    );
    return changed === 1;
  }

  async note(tenant: string, locator: string, at: { readAt?: number; nextAt?: number }): Promise<void> {
    const sql = `update ${this.#table} set read_at = coalesce(?, read_at), next_at = ? where tenant = ? and locator = ?`;
    await this.#db.runLightly(sql, at.readAt ?? null, at.nextAt ?? null, tenant, locator);
  }

  async enrol(now: number): Promise<number> {
    this.#db.catchUp();
    const { prefix: s } = this.#db.dialect;
    const sql = `insert into ${this.#table}(tenant, locator, caller, read_at, next_at, reading_at)
      select b.tenant, b.locator, coalesce(max(case when b.made_here = 1 then b.caller end), max(b.caller)), 0, ?, 0
      from ${s}booking b where b.over_at > ? and b.state not in ('cancelled', 'expired')
      and not exists (select 1 from ${this.#table} w where w.tenant = b.tenant and w.locator = b.locator)
      group by b.tenant, b.locator on conflict do nothing`;
    return this.#db.run(sql, now, now);
  }

  async due(now: number, limit: number, exceptTenants: readonly string[] = []): Promise<readonly WatchedBooking[]> {
    this.#db.catchUp();
    // Asks for the ledger about few rows only.
    const sql = `select w.*, ${this.#ofLedger} from (select * from ${this.#table} where next_at <= ?
      and tenant not in (select value from ${this.#db.dialect.elements}) order by next_at, locator limit ?) w
      order by next_at, locator`;
    return (await this.#db.all(sql, now, JSON.stringify(exceptTenants), limit)).map(toWatched);
  }

  async nextDue(): Promise<number | undefined> {
    return numberOr(
      (await this.#db.get(`select min(next_at) as at from ${this.#table} where next_at is not null`))?.at,
    );
  }
}

function numberOr(value: unknown): number | undefined {
  return value === null || value === undefined ? undefined : Number(value);
}

function toWatched({
  tenant,
  locator,
  caller,
  maker,
  over_at: overAt,
  reading,
  read_at: readAt,
  next_at: nextAt,
}: Row): WatchedBooking {
  return {
    ...{ tenant: String(tenant), locator: String(locator), caller: String(maker ?? caller), readAt: Number(readAt) },
    ...omitUndefined({
      kept: reading === null ? undefined : (JSON.parse(String(reading)) as KeptReading),
      nextAt: numberOr(nextAt),
      overAt: numberOr(overAt),
    }),
  };
}
