/**
 * Claims on SQLite: which bookings a caller has shown to be theirs, and the tries that were made.
 */
import { randomUUID } from 'node:crypto';
import type { Claims, Try } from '../../approvals/booking-access.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { SqliteDatabase } from './database.ts';

export class SqliteClaims implements Claims {
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async has({ tenant, id }: Caller, locator: string): Promise<boolean> {
    const sql = 'select 1 from claim where tenant = ? and caller = ? and locator = ?';
    return this.#db.get(sql, tenant, id, locator) !== undefined;
  }

  async add({ tenant, id }: Caller, locators: readonly string[], now: number): Promise<void> {
    const sql = 'insert into claim(tenant, caller, locator, at) values (?, ?, ?, ?) on conflict do nothing';
    this.#db.transaction<void>(() => {
      for (const locator of locators) this.#db.run(sql, tenant, id, locator, now);
    });
  }

  async begin({ tenant, id: caller }: Caller, now: number, limit: { since: number; max: number }): Promise<Try> {
    return this.#db.transaction<Try>(() => {
      const mine = 'from claim_try where tenant = ? and caller = ?';
      this.#db.run(`delete ${mine} and at <= ?`, tenant, caller, limit.since);
      const row = this.#db.get(`select count(*) as counted, min(at) as oldest ${mine}`, tenant, caller);
      if (Number(row?.counted) >= limit.max && row?.oldest != null)
        return { kind: 'too_many', oldest: Number(row.oldest) };
      const id = randomUUID();
      this.#db.run('insert into claim_try(id, tenant, caller, at) values (?, ?, ?, ?)', id, tenant, caller, now);
      return { kind: 'counted', id };
    });
  }

  async forget({ tenant, id: caller }: Caller, id: string): Promise<void> {
    this.#db.run('delete from claim_try where id = ? and tenant = ? and caller = ?', id, tenant, caller);
  }
}
