/** Stores the bookings that each caller made or read. */
import type { DeskEntry, Ledger, LedgerEntry, LedgerQuery } from '../domain/booking/booking-ledger.ts';
import type { Caller } from '../domain/people/caller.ts';
import { type Database, type Row, where } from './database.ts';

export class StoredLedger implements Ledger {
  readonly #db: Database;
  readonly #table: string;
  readonly #later: ((write: () => void) => void) | undefined;

  /** @param later delays a write; absent, each write is awaited */
  constructor(db: Database, later?: (write: () => void) => void) {
    this.#db = db;
    this.#table = `${db.dialect.prefix}booking`;
    this.#later = later;
  }

  /** A newer reading replaces the one before; `madeHere` stays true. */
  async record({ tenant, id }: Caller, entry: LedgerEntry): Promise<void> {
    const { locator, madeHere, seenAt, state } = entry;
    const sql = `insert into ${this.#table} as b
      (tenant, caller, locator, made_here, seen_at, state, deadline_at, search, body) values (?,?,?,?,?,?,?,?,?)
      on conflict (tenant, caller, locator) do update set
      made_here = case when excluded.made_here = 1 then 1 else b.made_here end,
      seen_at = excluded.seen_at, state = excluded.state, deadline_at = excluded.deadline_at,
      search = excluded.search, body = excluded.body`;
    const write = () =>
      this.#db.run(
        sql,
        ...[tenant, id, locator, madeHere ? 1 : 0, seenAt, state, deadlineAt(entry), searchText(entry)],
        JSON.stringify(entry),
      );
    if (this.#later === undefined) await write();
    else this.#later(write);
  }

  async find({ tenant, id }: Caller, query: LedgerQuery) {
    const rows = await this.#rows(query, tenant, id);
    return { entries: rows.map(toEntry), total: Number(rows[0]?.total ?? 0) };
  }

  async findOfTenant(tenant: string, query: LedgerQuery) {
    const rows = await this.#rows(query, tenant);
    const entries = rows.map((row): DeskEntry => {
      const [readBy, madeBy] = [String(row.caller), row.made_by];
      return { ...toEntry(row), madeHere: madeBy !== null, readBy, ...(madeBy !== null && { madeBy: String(madeBy) }) };
    });
    return { entries, total: Number(rows[0]?.total ?? 0) };
  }

  /** Without a caller: of all callers, the newest reading of each booking. */
  async #rows(
    { query, state, deadlineBefore, locators, limit }: LedgerQuery,
    tenant: string,
    caller?: string,
  ): Promise<readonly Row[]> {
    this.#db.catchUp();
    const { position, elements, unindexed } = this.#db.dialect;
    const [conditions, values] = where([
      // Else SQLite reads all bookings of the tenant to find a few locators.
      [`${caller === undefined && locators !== undefined ? unindexed : ''}tenant = ?`, tenant],
      ['caller = ?', caller],
      [`${position}(search, ?) > 0`, query === undefined ? undefined : searchable(query.trim())],
      ['state = ?', state],
      ['deadline_at < ?', deadlineBefore],
      [`locator in (select value from ${elements})`, locators && JSON.stringify(locators)],
    ]);
    const isWhole = caller === undefined && conditions.length === 1;
    if (caller === undefined) conditions.push(this.#isNewest);
    const found = `from ${this.#table} b where ${conditions.join(' and ')}`;
    const madeBy = caller === undefined ? `, ${this.#madeBy} as made_by` : '';
    // A few locators are found by their own index, not by walking all readings in their order.
    const order = `${locators === undefined ? '' : unindexed}seen_at desc`;
    // Counting locators reads an index alone.
    const total = isWhole
      ? `select count(distinct locator) from ${this.#table} where tenant = ?`
      : `select count(*) ${found}`;
    return this.#db.beforehand.all(
      `select made_here, caller, body${madeBy}, (${total}) as total ${found} order by ${order}, locator limit ?`,
      ...[...values, ...values, limit],
    );
  }

  get #isNewest(): string {
    return `caller = (select n.caller from ${this.#table} n where n.tenant = b.tenant and n.locator = b.locator
      order by n.seen_at desc, n.caller desc limit 1)`;
  }

  /** Ordered by what the index has: SQLite would look for the least caller among all bookings of the tenant. */
  get #madeBy(): string {
    return `(select m.caller from ${this.#table} m
      where m.tenant = b.tenant and m.locator = b.locator and m.made_here = 1 order by m.seen_at limit 1)`;
  }
}

function toEntry({ made_here, body }: Row): LedgerEntry {
  return { ...(JSON.parse(String(body)) as LedgerEntry), madeHere: Number(made_here) === 1 };
}

/** Lower case without diacritics, so that `koln` finds `Köln`; without U+0000, which PostgreSQL cannot hold. */
function searchable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\0]/gu, '')
    .toLowerCase();
}

function searchText({ locator, contactName, route }: LedgerEntry): string {
  return searchable([locator, contactName ?? '', route ?? ''].join('\n'));
}

/** Milliseconds since 1970; null without a deadline, or if it cannot be read. */
function deadlineAt({ nextDeadline }: LedgerEntry): number | null {
  const at = Date.parse(nextDeadline?.at ?? '');
  return Number.isNaN(at) ? null : at;
}
