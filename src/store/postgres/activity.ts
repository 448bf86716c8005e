/**
 * Sums of the journal, and counts of what is open, on PostgreSQL: on connections of their own, so that a long one costs
 * no payment its connection.
 */
import type { OpenCounts } from '../../approvals/ports.ts';
import type { Activity, ActivityQuery, ActivityRow } from '../../journal/activity.ts';
import { type ActivitySql, activitySql, activityValues, slicesOf, toActivityRow, toOpenCounts } from '../activity.ts';
import { toOperation } from '../operation-row.ts';
import type { PostgresDatabase } from './database.ts';
import { ACTIVE } from './functions.ts';

/** A statement for each day would cost a year's report 366 ways to the server and back. */
const SLICE_DAYS = 7;

/** The server gives counts up after this, milliseconds: what waits for a lock must not gather there. */
const COUNT_MS = 2_000;

/**
 * A text of PostgreSQL cannot hold U+0000 or half a surrogate pair, which JSON can write as an escape: reading any field
 * beside one would fail. The escape for an unknown character takes its place. `chr(92)` is the backslash, whatever
 * `standard_conforming_strings` says.
 */
function json(column: string): string {
  const odd = "chr(92) || chr(92) || 'u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})'";
  const tame = `regexp_replace(${column}, ${odd}, chr(92) || chr(92) || 'ufffd', 'g')`;
  return `(case when strpos(${column}, chr(92) || 'u') = 0 then ${column} else ${tame} end)::json`;
}

function sqlIn(schema: string, query: ActivityQuery): ActivitySql {
  const first = query.groupBy === 'route' ? 1 : 0;
  const text = (column: string, path: readonly string[]) => `${json(column)} #>> '{${path.join()}}'`;
  return {
    operation: `${schema}.operation`,
    booking: `${schema}.booking`,
    tenant: 'o.tenant',
    text: (column, path) => `(${text(column, path)})`,
    whole: (column, path) => `(${text(column, path)})::bigint`,
    marks: {
      ledgerOf: '$1',
      tenant: `$${first + 1}`,
      from: `$${first + 2}::bigint`,
      to: `$${first + 3}::bigint`,
      caller: `$${first + 4}`,
    },
  };
}

export async function activityOf(db: PostgresDatabase, query: ActivityQuery): Promise<Activity> {
  const { groupBy, caller } = query;
  const sql = activitySql(sqlIn(db.schema, query), groupBy, caller !== undefined);
  const rows: ActivityRow[] = [];
  for (const slice of slicesOf(query, SLICE_DAYS)) {
    const found = await db.all(sql, ...activityValues(slice));
    rows.push(...found.map((row) => toActivityRow(row, groupBy)));
  }
  return { rows, ...(await openIn(db, query)) };
}

async function openIn(db: PostgresDatabase, { tenant, caller, from, to, mostOpen }: ActivityQuery) {
  const mine = `tenant = $1 and created_at >= $2::bigint and created_at < $3::bigint${caller === undefined ? '' : ' and caller = $4'}`;
  const values = [tenant, from, to, ...(caller === undefined ? [] : [caller])];
  const both = (columns: string) => `select ${columns} from ${db.schema}.operation where state in ${ACTIVE} and ${mine}
    union all select ${columns} from ${db.schema}.operation where state = 'needs_person' and ${mine}`;
  const total = await db.get(`select count(*) as total from (${both('1')}) as open`, ...values);
  const sql = `select * from (${both('*')}) as open order by created_at desc, id desc limit $${values.length + 1}::bigint`;
  const open = (await db.all(sql, ...values, mostOpen)).map(toOperation);
  return { open, openTotal: Number(total?.total) };
}

/** `now`: approvals that have lapsed wait no more. */
export async function openCounts(db: PostgresDatabase, now: number): Promise<OpenCounts> {
  const operation = `${db.schema}.operation`;
  const row = await db.within(
    COUNT_MS,
    `select (select count(*) from ${operation} where state = 'in_doubt') as in_doubt,
     (select count(*) from ${operation} where state = 'needs_person') as needs_person,
     (select min(updated_at) from ${operation} where state = 'needs_person') as since,
     (select count(*) from ${db.schema}.approval where decision = 'pending' and expires_at > ${Math.trunc(now)}) as waiting`,
  );
  return toOpenCounts(row ?? {});
}
