/**
 * Sums of the journal, and counts of what is open, on SQLite.
 */
import { setImmediate as others } from 'node:timers/promises';
import type { OpenCounts } from '../../approvals/ports.ts';
import type { Activity, ActivityQuery, ActivityRow } from '../../journal/activity.ts';
import { ACTIVE_STATES } from '../../journal/operation.ts';
import { type ActivitySql, activitySql, activityValues, slicesOf, toActivityRow, toOpenCounts } from '../activity.ts';
import { toOperation } from '../operation-row.ts';
import type { SqliteDatabase } from './database.ts';

const ACTIVE = `state in (${ACTIVE_STATES.map((state) => `'${state}'`).join()})`;

const extract = (column: string, path: readonly string[]) => `json_extract(${column}, '$.${path.join('.')}')`;

const SQL: ActivitySql = {
  operation: 'operation',
  booking: 'booking',
  // The sign: few tenants have nearly all of it, so that the index by time is of more use.
  tenant: '+o.tenant',
  text: extract,
  whole: extract,
  marks: { ledgerOf: '?', tenant: '?', from: '?', to: '?', caller: '?' },
};

/** A statement holds up the whole process: others have their turn after each day. */
export async function activityOf(db: SqliteDatabase, query: ActivityQuery): Promise<Activity> {
  const { groupBy, caller } = query;
  const sql = activitySql(SQL, groupBy, caller !== undefined);
  if (groupBy === 'route') db.catchUp();
  const rows: ActivityRow[] = [];
  for (const slice of slicesOf(query, 1)) {
    rows.push(...db.all(sql, ...activityValues(slice)).map((row) => toActivityRow(row, groupBy)));
    await others();
  }
  return { rows, ...openIn(db, query) };
}

/** The sign keeps SQLite from walking the journal by time: its indexes of what is open are small. */
function openIn(db: SqliteDatabase, { tenant, caller, from, to, mostOpen }: ActivityQuery) {
  const mine = `+tenant = ? and +created_at >= ? and +created_at < ?${caller === undefined ? '' : ' and +caller = ?'}`;
  const values = [tenant, from, to, ...(caller === undefined ? [] : [caller])];
  const both = (columns: string) => `select ${columns} from operation where ${ACTIVE} and ${mine}
    union all select ${columns} from operation where state = 'needs_person' and ${mine}`;
  const total = db.get(`select count(*) as total from (${both('1')})`, ...values, ...values);
  const sql = `select * from (${both('*')}) order by +created_at desc, id desc limit ?`;
  const open = db.all(sql, ...values, ...values, mostOpen).map(toOperation);
  return { open, openTotal: Number(total?.total) };
}

/** `now`: approvals that have lapsed wait no more. */
export function openCounts(db: SqliteDatabase, now: number): OpenCounts {
  const row = db.get(
    `select (select count(*) from operation where ${ACTIVE} and state = 'in_doubt') as in_doubt,
     (select count(*) from operation where state = 'needs_person') as needs_person,
     (select min(updated_at) from operation where state = 'needs_person') as since,
     (select count(*) from approval where decision = 'pending' and expires_at > ?) as waiting`,
    now,
  );
  return toOpenCounts(row ?? {});
}
