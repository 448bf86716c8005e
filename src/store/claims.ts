/**
 * Claims: which bookings a caller has shown to be theirs, and the tries that were made.
 */
import { randomUUID } from 'node:crypto';
import type { Claims, Try } from '../approvals/booking-access.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Database } from './database.ts';

/** A try to count, in one transaction, unless `max` were made after `since`. */
export interface NewTry {
  readonly id: string;
  readonly tenant: string;
  readonly caller: string;
  readonly now: number;
  readonly since: number;
  readonly max: number;
}

export class StoredClaims implements Claims {
  readonly #db: Database;
  readonly #count: (fresh: NewTry) => number | undefined | Promise<number | undefined>;

  /** `count` returns when the oldest try was made if there were too many. */
  constructor(db: Database, count: (fresh: NewTry) => number | undefined | Promise<number | undefined>) {
    this.#db = db;
    this.#count = count;
  }

  async has({ tenant, id }: Caller, locator: string): Promise<boolean> {
    const sql = `select 1 from ${this.#db.dialect.in}claim where tenant = ? and caller = ? and locator = ?`;
    return (await this.#db.get(sql, tenant, id, locator)) !== undefined;
  }

  async add({ tenant, id }: Caller, locators: readonly string[], now: number): Promise<void> {
    const { in: s, elements } = this.#db.dialect;
    const sql = `insert into ${s}claim(tenant, caller, at, locator)
      select ?, ?, cast(? as bigint), value from ${elements} as given where true on conflict do nothing`;
    await this.#db.run(sql, tenant, id, now, JSON.stringify(locators));
  }

  async begin({ tenant, id: caller }: Caller, now: number, limit: { since: number; max: number }): Promise<Try> {
    const id = randomUUID();
    const oldest = await this.#count({ id, tenant, caller, now, ...limit });
    return oldest === undefined ? { kind: 'counted', id } : { kind: 'too_many', oldest };
  }

  async forget({ tenant, id: caller }: Caller, id: string): Promise<void> {
    const sql = `delete from ${this.#db.dialect.in}claim_try where id = ? and tenant = ? and caller = ?`;
    await this.#db.run(sql, id, tenant, caller);
  }
}
