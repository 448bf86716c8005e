/**
 * Stores what gives callers access to bookings: claims that they proved, their tries, and the hashes of one-time keys
 * for ticket addresses.
 */
import { randomUUID } from 'node:crypto';
import type { Claims, Try } from '../access/booking-access.ts';
import type { TicketGrant, TicketKeys } from '../domain/booking/booking.ts';
import { SIGN, SIGN_SUFFIX } from '../domain/booking/booking-identity.ts';
import type { Caller } from '../domain/people/caller.ts';
import { ask, type Database, finish, type Transaction } from './database.ts';

/** How many tries are allowed, and since when they count. */
type ClaimLimit = Parameters<Claims['beginTry']>[2];

export class StoredClaims implements Claims {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async has({ tenant, id }: Caller, locator: string): Promise<boolean> {
    const { prefix: s } = this.#db.dialect;
    const sql = `select 1 from ${s}claim where tenant = ? and caller = ? and locator = ?`;
    return (await this.#db.get(sql, tenant, id, locator)) !== undefined;
  }

  async times({ tenant, id }: Caller, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { prefix: s, elements } = this.#db.dialect;
    const sql = `select locator, at from ${s}claim where tenant = ? and caller = ?
      and locator in (select value from ${elements})`;
    const rows = await this.#db.all(sql, tenant, id, JSON.stringify(names));
    return new Map(rows.map(({ locator, at }) => [String(locator), Number(at)]));
  }

  async remove({ tenant, id }: Caller, names: readonly string[]): Promise<void> {
    const { prefix: s, elements, mayBeLost } = this.#db.dialect;
    const given = `locator in (select value from ${elements})`;
    const sql = `delete from ${s}claim where tenant = ? and caller = ? and ${given} and ${mayBeLost}`;
    await this.#db.write(sql, tenant, id, JSON.stringify(names));
  }

  /** A power failure may undo this write: the journal or the surname then proves the claim again. */
  async add({ tenant, id }: Caller, names: readonly string[], now: number): Promise<void> {
    const { prefix: s, elements, mayBeLost } = this.#db.dialect;
    const sql = `insert into ${s}claim(tenant, caller, at, locator)
      select ?, ?, cast(? as bigint), value from ${elements} as given where ${mayBeLost} on conflict do nothing`;
    await this.#db.writeThatMayBeLost(sql, tenant, id, now, JSON.stringify(names));
  }

  async beginTry({ tenant, id: caller }: Caller, now: number, { since, max }: ClaimLimit): Promise<Try> {
    const { prefix: s } = this.#db.dialect;
    const find = `select count(*) as counted, min(at) as oldest from ${s}claim_try
      where tenant = ? and caller = ? and at > ?`;
    const id = randomUUID();

    const steps = function* (): Transaction<Try> {
      const [[row] = []] = yield* ask([find, tenant, caller, since]);
      if (Number(row?.counted) >= max && row?.oldest != null) return { kind: 'too_many', oldest: Number(row.oldest) };
      yield* finish([`insert into ${s}claim_try(id, tenant, caller, at) values (?, ?, ?, ?)`, id, tenant, caller, now]);
      return { kind: 'counted', id };
    };

    return this.#db.transact(steps, { turn: `tries ${tenant} ${caller}` });
  }

  async takeBackTry({ tenant, id: caller }: Caller, id: string): Promise<void> {
    const { prefix: s } = this.#db.dialect;
    const sql = `delete from ${s}claim_try where id = ? and tenant = ? and caller = ?`;
    await this.#db.write(sql, id, tenant, caller);
  }
}

/** SQL: the locator of a claim, whose column has the locator, or a sign: a name that begins with the locator. */
export function locatorOfClaim(column: string): string {
  return `case when ${column} like '%${SIGN}%'
    then substr(${column}, 1, length(${column}) - ${SIGN_SUFFIX}) else ${column} end`;
}

export class StoredTicketKeys implements TicketKeys {
  readonly #db: Database;

  constructor(db: Database) {
    // An error here comes before anything is sent to the airline, and says so.
    this.#db = db.beforeSending;
  }

  /** A power failure may lose a key, whose address is then unknown. */
  async put(hash: string, grant: TicketGrant, expiresAt: number): Promise<void> {
    const { prefix: s, mayBeLost } = this.#db.dialect;
    // Selects the values, because `values` takes no condition.
    const sql = `insert into ${s}ticket_key(hash, expires_at, body) select ?, ?, ? where ${mayBeLost}`;
    await this.#db.writeThatMayBeLost(sql, hash, expiresAt, JSON.stringify(grant));
  }

  async find(hash: string, now: number): Promise<TicketGrant | undefined> {
    const { prefix: s } = this.#db.dialect;
    const row = await this.#db.get(`select body from ${s}ticket_key where hash = ? and expires_at > ?`, hash, now);
    return row && (JSON.parse(String(row.body)) as TicketGrant);
  }

  async spend(hash: string): Promise<boolean> {
    const { prefix: s } = this.#db.dialect;
    return (await this.#db.write(`delete from ${s}ticket_key where hash = ?`, hash)) === 1;
  }
}
