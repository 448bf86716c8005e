/**
 * Claims on PostgreSQL: which bookings a caller has shown to be theirs, and the tries that were made.
 */
import { randomUUID } from 'node:crypto';
import type { Claims, Try } from '../../approvals/booking-access.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { PostgresDatabase } from './database.ts';

export class PostgresClaims implements Claims {
  readonly #db: PostgresDatabase;
  readonly #in: string;

  constructor(db: PostgresDatabase) {
    this.#db = db;
    this.#in = db.schema;
  }

  async has({ tenant, id }: Caller, locator: string): Promise<boolean> {
    const sql = `select 1 from ${this.#in}.claim where tenant = $1 and caller = $2 and locator = $3`;
    return (await this.#db.get(sql, tenant, id, locator)) !== undefined;
  }

  async add({ tenant, id }: Caller, locators: readonly string[], now: number): Promise<void> {
    const sql = `insert into ${this.#in}.claim(tenant, caller, locator, at)
      select $1, $2, l, $4::bigint from json_array_elements_text($3::text::json) l on conflict do nothing`;
    await this.#db.run(sql, tenant, id, JSON.stringify(locators), now);
  }

  async begin({ tenant, id: caller }: Caller, now: number, limit: { since: number; max: number }): Promise<Try> {
    const id = randomUUID();
    const sql = `select ${this.#in}.begin_try($1, $2, $3, $4::bigint, $5::bigint, $6::integer) as oldest`;
    const row = await this.#db.change(sql, tenant, caller, id, now, limit.since, limit.max);
    const oldest = row?.oldest ?? null;
    return oldest === null ? { kind: 'counted', id } : { kind: 'too_many', oldest: Number(oldest) };
  }

  async forget({ tenant, id: caller }: Caller, id: string): Promise<void> {
    const sql = `delete from ${this.#in}.claim_try where id = $1 and tenant = $2 and caller = $3`;
    await this.#db.run(sql, id, tenant, caller);
  }
}
