/**
 * Stores by the hour how many calls failed and how the airline answered: the sums of what each process counted. The
 * class writes the counts. The functions after it read them, for the rows of a report (ledger-rows.ts).
 *
 * A write gets its counts as one JSON list, of which `elements` makes rows: each `value` is a count. On SQLite,
 * `select ${text('value', ['tool'])} from ${elements} where ${lightly}` is
 * `select json_extract(value, '$.tool') from json_each(?) where true` (SqlDialect explains the words).
 */

import { medianMs } from '../ledger/call-counter.ts';
import type {
  AirlineHour,
  CallRecords,
  FailureCount,
  Latencies,
  LedgerRowsQuery,
  TenantFailures,
  TenantRequests,
} from '../ledger/ports.ts';
import type { Database, SqlDialect } from './database.ts';

/** The condition of rows whose hour began in the period. */
const IN_PERIOD = 'tenant = ? and hour >= ? and hour < ?';

export class StoredCallRecords implements CallRecords {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async addFailures(counts: readonly TenantFailures[]): Promise<void> {
    const { prefix: s, text, integer, elements, lightly } = this.#db.dialect;
    const textOf = (name: keyof TenantFailures) => text('value', [name]);
    const numberOf = (name: keyof TenantFailures) => integer('value', [name]);
    const sql = `insert into ${s}failure as kept (tenant, caller, tool, code, hour, calls, last_at)
      select ${textOf('tenant')}, ${textOf('caller')}, ${textOf('tool')}, ${textOf('code')}, ${numberOf('hour')},
        ${numberOf('calls')}, ${numberOf('lastAt')}
      from ${elements} where ${lightly}
      on conflict (tenant, caller, tool, code, hour) do update set
        calls = kept.calls + excluded.calls,
        last_at = ${greater('kept.last_at', 'excluded.last_at')}`;
    await this.#add(sql, counts);
  }

  /** Columns with other names than the fields: `message` has `request`, `calls` `requests`, `buckets` `latencies`. */
  async addRequests(counts: readonly TenantRequests[]): Promise<void> {
    const { prefix: s, text, integer, elements, lightly } = this.#db.dialect;
    const textOf = (name: keyof TenantRequests) => text('value', [name]);
    const numberOf = (name: keyof TenantRequests) => integer('value', [name]);
    const sql = `insert into ${s}airline_hour as kept (tenant, hour, message, calls, errors, slowest_ms, buckets)
      select ${textOf('tenant')}, ${numberOf('hour')}, ${textOf('request')}, ${numberOf('requests')},
        ${numberOf('errors')}, ${numberOf('slowestMs')}, ${textOf('latencies')}
      from ${elements} where ${lightly}
      on conflict (tenant, hour, message) do update set
        calls = kept.calls + excluded.calls,
        errors = kept.errors + excluded.errors,
        slowest_ms = ${greater('kept.slowest_ms', 'excluded.slowest_ms')},
        buckets = ${sumOfBuckets(this.#db.dialect, 'kept.buckets', 'excluded.buckets')}`;
    await this.#add(sql, counts);
  }

  /** @param sql has one `?`, the list of counts as JSON */
  async #add(sql: string, counts: readonly object[]): Promise<void> {
    const list = JSON.stringify(counts);
    if (counts.length > 0) await this.#db.runBehind(sql, list);
  }
}

/**
 * SQL: the sum of two JSON objects of counts, by key: `{"3":1,"4":2}` and `{"4":5}` give `{"3":1,"4":7}`. `fields`
 * makes rows of an object, and `toObject` makes an object of rows.
 */
function sumOfBuckets({ fields, toObject }: SqlDialect, one: string, other: string): string {
  return `(select ${toObject('key', 'total')} from (
    select key, sum(cast(value as bigint)) as total from (
      select key, value from ${fields(one)} union all select key, value from ${fields(other)}
    ) each_bucket group by key
  ) sums)`;
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

/** Reads how the airline answered in each hour of a period, at most `most` rows. */
export async function airlineHours(db: Database, { tenant, from, to }: Period, most: number): Promise<AirlineHour[]> {
  const sql = `select hour, message, calls, errors, slowest_ms, buckets from ${db.dialect.prefix}airline_hour
    where ${IN_PERIOD} order by hour, message limit ${most}`;
  return (await db.all(sql, tenant, from, to)).map((row) => {
    const slowestMs = Number(row.slowest_ms);
    return {
      hour: Number(row.hour),
      request: String(row.message),
      requests: Number(row.calls),
      errors: Number(row.errors),
      medianMs: medianMs(JSON.parse(String(row.buckets)) as Latencies, slowestMs),
      slowestMs,
    };
  });
}
