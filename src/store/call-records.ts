/**
 * Stores by the hour how many calls failed: the sums of what each process counted. The class writes the counts. The
 * function after it reads them, for the rows of a report (ledger-rows.ts).
 *
 * A write gets its counts as one JSON list, of which `elements` makes rows: each `value` is a count. On SQLite,
 * `select ${text('value', ['tool'])} from ${elements} where ${mayBeLost}` is
 * `select json_extract(value, '$.tool') from json_each(?) where true` (SqlDialect explains the words).
 */

import type { CallRecords, FailureCount, LedgerRowsQuery, TenantFailures } from '../ledger/ports.ts';
import type { Database } from './database.ts';

/** The condition of rows whose hour began in the period. */
const IN_PERIOD = 'tenant = ? and hour >= ? and hour < ?';

export class StoredCallRecords implements CallRecords {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async addFailures(counts: readonly TenantFailures[]): Promise<void> {
    const { prefix: s, text, integer, elements, mayBeLost } = this.#db.dialect;
    const textOf = (name: keyof TenantFailures) => text('value', [name]);
    const numberOf = (name: keyof TenantFailures) => integer('value', [name]);

    const sql = `insert into ${s}failure as kept (tenant, caller, tool, code, hour, calls, last_at)
      select ${textOf('tenant')}, ${textOf('caller')}, ${textOf('tool')}, ${textOf('code')}, ${numberOf('hour')},
        ${numberOf('calls')}, ${numberOf('lastAt')}
      from ${elements} where ${mayBeLost}
      on conflict (tenant, caller, tool, code, hour) do update set
        calls = kept.calls + excluded.calls,
        last_at = ${greater('kept.last_at', 'excluded.last_at')}`;
    if (counts.length > 0) await this.#db.writeInBackground(sql, JSON.stringify(counts));
  }
}

/** SQL: the greater of two numbers. */
function greater(one: string, other: string): string {
  return `case when ${one} > ${other} then ${one} else ${other} end`;
}

type Period = Pick<LedgerRowsQuery, 'tenant' | 'from' | 'to'>;

/** Reads the counts of failed calls of a period, at most `most`. */
export async function failureCounts(db: Database, { tenant, from, to }: Period, most: number): Promise<FailureCount[]> {
  const sql = `select caller, tool, code, hour, calls, last_at from ${db.dialect.prefix}failure
    where ${IN_PERIOD} order by hour, caller, tool, code limit ${most}`;
  return (await db.all(sql, tenant, from, to)).map((row) => ({
    caller: String(row.caller),
    tool: String(row.tool),
    code: String(row.code),
    hour: Number(row.hour),
    calls: Number(row.calls),
    lastAt: Number(row.last_at),
  }));
}
