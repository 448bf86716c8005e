/**
 * Keeps the desk's own keys of customers: one for each booking of a tenant, present or past, whoever set it. Airlines give
 * locators anew, so that a row is bound to its booking by the signs of the entry that the key was set for ({@link entrySigns}),
 * as digests with the key of the state.
 *
 * | the entry has              | its customer is that of                                    |
 * | -------------------------- | ---------------------------------------------------------- |
 * | a sign of a row            | the newest such row                                        |
 * | signs, and none of any row | none: another booking had the locator                      |
 * | no sign (long over)        | the row, if the locator has only one                       |
 */
import { keyedDigest } from '../approvals/digest.ts';
import { entrySigns } from '../domain/booking/booking-identity.ts';
import type { BookingSigns, LedgerEntry } from '../domain/booking/booking-ledger.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Database, Row } from './database.ts';

/** Characters of the digest of a sign: 96 bits. */
const SIGN_CHARS = 16;
/** Of a group, so many people are enough to know the booking again. */
const MOST_SIGNS = 10;

/** A key as it is stored. */
export interface CustomerRow {
  readonly tenant: string;
  readonly locator: string;
  /** Digests of the booking's signs. */
  readonly booking: string;
  readonly key: string;
  /** When it was set, milliseconds since 1970. */
  readonly at: number;
}

export class StoredCustomers {
  readonly #db: Database;
  readonly #key: Uint8Array;
  readonly #now: () => number;

  /** @param key the state's key of digests */
  constructor(db: Database, key: Uint8Array, now: () => number) {
    this.#db = db;
    this.#key = key;
    this.#now = now;
  }

  /** Enters a key, in place of another one of the same booking. */
  async set({ tenant, id }: Caller, entry: LedgerEntry, customer: string): Promise<void> {
    const { locator } = entry;
    const known = (await this.#ofLocators([locator], tenant)).filter((row) => this.#isOf(row, entry));

    const signs = this.#signs(tenant, locator, entrySigns(entry)).slice(0, MOST_SIGNS);
    const booking = signs.join(' ');
    const sql = `insert into ${this.#table}(tenant, locator, booking, key, set_by, at) values (?, ?, ?, ?, ?, ?)
      on conflict (tenant, locator, booking) do update set key = excluded.key, set_by = excluded.set_by, at = excluded.at`;
    await this.#db.write(sql, tenant, locator, booking, customer, id, this.#now());
    await this.erase(known.filter((row) => row.booking !== booking));
  }

  /** Enters the key that an operation keeps for the booking that it made. */
  async keep(operationId: string, entry: LedgerEntry): Promise<void> {
    const { prefix: s } = this.#db.dialect;
    const kept = await this.#db.get(
      `select tenant, caller, customer from ${s}operation where id = ? and customer is not null`,
      operationId,
    );
    if (kept === undefined) return;

    await this.set({ tenant: String(kept.tenant), id: String(kept.caller) }, entry, String(kept.customer));
    await this.#db.write(`update ${s}operation set customer = null where id = ?`, operationId);
  }

  /**
   * Enters the keys of bookings whose process died before it did, as the ledger shows them, and erases those of holds that
   * were not made.
   */
  async keepLeft(isOver: string): Promise<void> {
    const { prefix: s } = this.#db.dialect;
    const made = await this.#db.all(
      `select o.id, b.body from ${s}operation o join ${s}booking b on b.tenant = o.tenant and b.caller = o.caller
        and b.locator = o.locator where o.customer is not null and o.state = 'succeeded'`,
    );
    for (const { id, body } of made) await this.keep(String(id), JSON.parse(String(body)) as LedgerEntry);
    await this.#db.write(`update ${s}operation set customer = null where customer is not null and ${isOver}`);
  }

  /**
   * The same entries of a tenant, with the customers that are known.
   * @param db the same database, for other work
   */
  async withCustomers<E extends BookingSigns>(
    tenant: string,
    entries: readonly E[],
    db = this.#db,
  ): Promise<readonly E[]> {
    if (entries.length === 0) return entries;

    const rows = await this.#ofLocators([...new Set(entries.map(({ locator }) => locator))], tenant, db);
    if (rows.length === 0) return entries;

    const byLocator = Map.groupBy(rows, ({ locator }) => locator);
    return entries.map((entry) => {
      const ofLocator = byLocator.get(entry.locator) ?? [];
      const isBare = entrySigns(entry).length === 0;
      const own = isBare && ofLocator.length === 1 ? ofLocator : ofLocator.filter((row) => this.#isOf(row, entry));
      const [newest] = own.toSorted((a, b) => b.at - a.at);
      return newest === undefined ? entry : { ...entry, customer: newest.key };
    });
  }

  /** All rows with this key, or with any. */
  async rows(key?: string): Promise<readonly CustomerRow[]> {
    const ofKey = key === undefined ? '' : 'where key = ?';
    const sql = `select tenant, locator, booking, key, at from ${this.#table} ${ofKey}`;
    return (await this.#db.all(sql, ...(key === undefined ? [] : [key]))).map(toCustomerRow);
  }

  /** Whether a row is of the booking that an entry shows. */
  isOf(row: CustomerRow, entry: BookingSigns): boolean {
    return row.locator === entry.locator && this.#isOf(row, entry);
  }

  async erase(rows: readonly CustomerRow[]): Promise<void> {
    const sql = `delete from ${this.#table} where tenant = ? and locator = ? and booking = ? and at <= ?`;
    for (const { tenant, locator, booking, at } of rows) await this.#db.write(sql, tenant, locator, booking, at);
  }

  get #table(): string {
    return `${this.#db.dialect.prefix}customer`;
  }

  async #ofLocators(locators: readonly string[], tenant: string, db = this.#db): Promise<readonly CustomerRow[]> {
    const sql = `select tenant, locator, booking, key, at from ${this.#table}
      where tenant = ? and locator in (select value from ${this.#db.dialect.elements})`;
    return (await db.all(sql, tenant, JSON.stringify(locators))).map(toCustomerRow);
  }

  #isOf({ tenant, locator, booking }: CustomerRow, { createdAt, travelers = [], contactName }: BookingSigns): boolean {
    // A group that had no names when its key was set is known by its contact.
    const shown = [createdAt, ...travelers, contactName].filter((sign) => sign !== undefined);
    const known = booking.split(' ');
    return shown.length === 0
      ? booking === ''
      : this.#signs(tenant, locator, shown).some((sign) => known.includes(sign));
  }

  #signs(tenant: string, locator: string, signs: readonly string[]): readonly string[] {
    return signs.map((sign) =>
      keyedDigest(this.#key, JSON.stringify(['customer', tenant, locator, sign])).slice(0, SIGN_CHARS),
    );
  }
}

function toCustomerRow({ tenant, locator, booking, key, at }: Row): CustomerRow {
  return {
    tenant: String(tenant),
    locator: String(locator),
    booking: String(booking),
    key: String(key),
    at: Number(at),
  };
}
