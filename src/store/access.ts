/**
 * Stores what lets callers reach bookings: those that they proved to be theirs, with their tries, and keys of one-time
 * addresses for tickets, as hashes.
 */
import { randomUUID } from 'node:crypto';
import type { Claims, Try } from '../access/booking-access.ts';
import type { TicketGrant, TicketKeys } from '../domain/booking/ticket-documents.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Database } from './database.ts';

/** How many tries count since when. */
type ClaimLimit = Parameters<Claims['beginTry']>[2];

/** Counts a try in one transaction, or returns the time of the oldest if there are too many. */
export type CountTry = (id: string, caller: Caller, now: number, limit: ClaimLimit) => Promise<number | undefined>;

export class StoredClaims implements Claims {
  readonly #db: Database;
  readonly #count: CountTry;

  constructor(db: Database, count: CountTry) {
    this.#db = db;
    this.#count = count;
  }

  async has({ tenant, id }: Caller, locator: string): Promise<boolean> {
    const sql = `select 1 from ${this.#db.dialect.prefix}claim where tenant = ? and caller = ? and locator = ?`;
    return (await this.#db.get(sql, tenant, id, locator)) !== undefined;
  }

  /** A power failure may undo it: the journal, or the surname, proves it again. */
  async add({ tenant, id }: Caller, locators: readonly string[], now: number): Promise<void> {
    const { prefix: s, elements, lightly } = this.#db.dialect;
    const sql = `insert into ${s}claim(tenant, caller, at, locator)
      select ?, ?, cast(? as bigint), value from ${elements} as given where ${lightly} on conflict do nothing`;
    await this.#db.runLightly(sql, tenant, id, now, JSON.stringify(locators));
  }

  async beginTry(caller: Caller, now: number, limit: ClaimLimit): Promise<Try> {
    const id = randomUUID();
    const oldest = await this.#count(id, caller, now, limit);
    return oldest === undefined ? { kind: 'counted', id } : { kind: 'too_many', oldest };
  }

  async takeBackTry({ tenant, id: caller }: Caller, id: string): Promise<void> {
    const sql = `delete from ${this.#db.dialect.prefix}claim_try where id = ? and tenant = ? and caller = ?`;
    await this.#db.run(sql, id, tenant, caller);
  }
}

export class StoredTicketKeys implements TicketKeys {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforehand;
    this.#table = `${db.dialect.prefix}ticket_key`;
  }

  /** Also forgets expired keys. A power failure that loses a key makes its address one that is not known. */
  async put(hash: string, grant: TicketGrant, now: number, expiresAt: number): Promise<void> {
    const { lightly } = this.#db.dialect;
    const sql = `insert into ${this.#table}(hash, expires_at, body) select ?, ?, ? where ${lightly}`;
    await Promise.all([
      this.#db.runLightly(sql, hash, expiresAt, JSON.stringify(grant)),
      this.#db.eraseLightly(`delete from ${this.#table} where expires_at <= ? and ${lightly}`, now),
    ]);
  }

  async find(hash: string, now: number): Promise<TicketGrant | undefined> {
    const row = await this.#db.get(`select body from ${this.#table} where hash = ? and expires_at > ?`, hash, now);
    return row && (JSON.parse(String(row.body)) as TicketGrant);
  }

  async spend(hash: string): Promise<boolean> {
    return (await this.#db.run(`delete from ${this.#table} where hash = ?`, hash)) === 1;
  }
}
