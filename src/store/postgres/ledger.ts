/**
 * The ledger of bookings on PostgreSQL: what each caller made or read.
 */

import type { Ledger, LedgerEntry, LedgerQuery } from '../../domain/booking/booking-ledger.ts';
import type { Caller } from '../../domain/people/caller.ts';
import { deadlineAt, searchable, searchText } from '../ledger-row.ts';
import type { PostgresDatabase, Value } from './database.ts';

export class PostgresLedger implements Ledger {
  readonly #db: PostgresDatabase;
  readonly #in: string;

  constructor(db: PostgresDatabase) {
    this.#db = db;
    this.#in = db.schema;
  }

  /** The newest look at a booking replaces the one before; that it was made here stays. */
  async record({ tenant, id }: Caller, entry: LedgerEntry): Promise<void> {
    const { locator, madeHere, seenAt, state } = entry;
    await this.#db.run(
      `insert into ${this.#in}.booking as b
       (tenant, caller, locator, made_here, seen_at, state, deadline_at, search, body)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (tenant, caller, locator) do update set made_here = b.made_here or excluded.made_here,
       seen_at = excluded.seen_at, state = excluded.state, deadline_at = excluded.deadline_at,
       search = excluded.search, body = excluded.body`,
      ...[tenant, id, locator, madeHere, seenAt, state, deadlineAt(entry), storable(searchText(entry))],
      JSON.stringify(entry),
    );
  }

  async find(
    { tenant, id }: Caller,
    { query, state, deadlineBefore, locators, limit }: LedgerQuery,
  ): Promise<{ readonly entries: readonly LedgerEntry[]; readonly total: number }> {
    const wanted: [(n: number) => string, Value | undefined][] = [
      [(n) => `tenant = $${n}`, tenant],
      [(n) => `caller = $${n}`, id],
      [(n) => `strpos(search, $${n}) > 0`, query === undefined ? undefined : storable(searchable(query.trim()))],
      [(n) => `state = $${n}`, state],
      [(n) => `deadline_at < $${n}`, deadlineBefore],
      [(n) => `locator in (select json_array_elements_text($${n}::text::json))`, locators && JSON.stringify(locators)],
    ];
    const given = wanted.filter((one): one is [(n: number) => string, Value] => one[1] !== undefined);
    const where = given.map(([sql], i) => sql(i + 1)).join(' and ');
    const values = given.map(([, value]) => value);
    const rows = await this.#db.beforehand.all(
      `select made_here, body, (select count(*) from ${this.#in}.booking where ${where}) as total
       from ${this.#in}.booking where ${where} order by seen_at desc, locator limit $${given.length + 1}`,
      ...values,
      limit,
    );
    const entries = rows.map((row) => {
      return { ...(JSON.parse(String(row.body)) as LedgerEntry), madeHere: row.made_here === true };
    });
    return { entries, total: Number(rows[0]?.total ?? 0) };
  }
}

/** A text here cannot hold the character U+0000; nobody looks for it. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '');
}
