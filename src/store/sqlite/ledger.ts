/**
 * The ledger of bookings on SQLite: what each caller made or read.
 */

import type { Ledger, LedgerEntry, LedgerQuery } from '../../domain/booking/booking-ledger.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { deadlineAt, searchable, searchText } from '../ledger-row.ts';
import type { LightWrites } from '../write-behind.ts';
import type { SqliteDatabase, Value } from './database.ts';

export class SqliteLedger implements Ledger {
  readonly #db: SqliteDatabase;
  readonly #light: LightWrites;

  constructor(db: SqliteDatabase, light: LightWrites) {
    this.#db = db;
    this.#light = light;
  }

  /** The newest look at a booking replaces the one before; that it was made here stays. */
  async record({ tenant, id }: Caller, entry: LedgerEntry): Promise<void> {
    this.#light.add(() => this.#put(tenant, id, entry));
  }

  #put(tenant: string, id: string, entry: LedgerEntry): void {
    const { locator, madeHere, seenAt, state } = entry;
    this.#db.run(
      `insert into booking(tenant, caller, locator, made_here, seen_at, state, deadline_at, search, body)
       values(?,?,?,?,?,?,?,?,?)
       on conflict (tenant, caller, locator) do update set made_here = max(made_here, excluded.made_here),
       seen_at = excluded.seen_at, state = excluded.state, deadline_at = excluded.deadline_at,
       search = excluded.search, body = excluded.body`,
      ...[tenant, id, locator, madeHere ? 1 : 0, seenAt, state, deadlineAt(entry), searchText(entry)],
      JSON.stringify(entry),
    );
  }

  async find(
    { tenant, id }: Caller,
    { query, state, deadlineBefore, locators, limit }: LedgerQuery,
  ): Promise<{ readonly entries: readonly LedgerEntry[]; readonly total: number }> {
    this.#light.flush();
    const wanted: [string, Value | undefined][] = [
      ['tenant = ?', tenant],
      ['caller = ?', id],
      ['instr(search, ?) > 0', query === undefined ? undefined : searchable(query.trim())],
      ['state = ?', state],
      ['deadline_at < ?', deadlineBefore],
      ['locator in (select value from json_each(?))', locators && JSON.stringify(locators)],
    ];
    const given = wanted.filter((one): one is [string, Value] => one[1] !== undefined);
    const where = given.map(([sql]) => sql).join(' and ');
    const values = given.map(([, value]) => value);
    const total = this.#db.get(`select count(*) as total from booking where ${where}`, ...values);
    const sql = `select made_here, body from booking where ${where} order by seen_at desc, locator limit ?`;
    const entries = this.#db.all(sql, ...values, limit).map((row) => {
      return { ...(JSON.parse(String(row.body)) as LedgerEntry), madeHere: row.made_here === 1 };
    });
    return { entries, total: Number(total?.total) };
  }
}
