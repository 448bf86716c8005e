/** Sums up the journal, and counts what is open. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { OpenCounts } from '../approvals/ports.ts';
import type { Activity, ActivityKey, ActivityQuery, ActivityRow } from '../journal/activity.ts';
import { lastArchive } from './archive/archives.ts';
import { ACTIVE, type Database, type Dialect, type Row } from './database.ts';
import { toOperation } from './operation-row.ts';
import { WAITING } from './tables.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A SQLite statement blocks the whole process, so other calls run between slices. */
export async function activityOf(db: Database, query: ActivityQuery): Promise<Activity> {
  const { groupBy, ledgerOf, tenant, caller } = query;
  const sql = activitySql(db.dialect, query);
  if (groupBy === 'route') db.catchUp();
  const rows: ActivityRow[] = [];
  for (const { from, to } of slicesOf(query, db.dialect.sliceDays)) {
    const values = [
      ...(groupBy === 'route' && ledgerOf !== undefined ? [ledgerOf] : []),
      tenant,
      from,
      to,
      ...(caller === undefined ? [] : [caller]),
    ];
    rows.push(...(await db.all(sql, ...values)).map((row) => toActivityRow(row, groupBy)));
    await letOthersRun();
  }
  const { before } = (await lastArchive(db)) ?? {};
  const isCut = before !== undefined && before > query.from;
  return { rows, ...(await openIn(db, query)), ...(isCut && { archivedBefore: before }) };
}

async function openIn(db: Database, { tenant, caller, from, to, mostOpen }: ActivityQuery) {
  // Unindexed, SQLite does not walk the journal by time: its indexes of open operations are small.
  const { prefix: s, unindexed: no } = db.dialect;
  const ofCaller = caller === undefined ? '' : ` and ${no}caller = ?`;
  const mine = `${no}tenant = ? and ${no}created_at >= ? and ${no}created_at < ?${ofCaller}`;
  const values = [tenant, from, to, ...(caller === undefined ? [] : [caller])];
  const both = (columns: string) => `select ${columns} from ${s}operation where ${ACTIVE} and ${mine}
    union all select ${columns} from ${s}operation where state = 'needs_person' and ${mine}`;
  const total = await db.get(`select count(*) as total from (${both('1')}) as open`, ...values, ...values);
  const sql = `select * from (${both('*')}) as open order by ${no}created_at desc, id desc limit ?`;
  const open = (await db.all(sql, ...values, ...values, mostOpen)).map(toOperation);
  return { open, openTotal: Number(total?.total) };
}

/** @param now to leave out expired approvals */
export async function openCounts(db: Database, now: number): Promise<OpenCounts> {
  const { prefix: s } = db.dialect;
  const lapsed = `${WAITING} and expires_at > ? and expires_at <= ?`;
  const row = await db.brief(
    `select (select count(*) from ${s}operation where ${ACTIVE} and state = 'in_doubt') as in_doubt,
     (select count(*) from ${s}operation where state = 'needs_person') as needs_person,
     (select min(updated_at) from ${s}operation where state = 'needs_person') as since,
     (select count(*) from ${s}approval where ${WAITING} and expires_at > ?) as waiting,
     (select count(*) from ${s}approval where ${lapsed} and asked_by in ('elicit', 'either')) as lapsed_dialog,
     (select count(*) from ${s}approval where ${lapsed} and asked_by = 'page') as lapsed_page,
     (select count(*) from ${s}finding where closed_at is null and (departs_at is null or departs_at > ?)) as findings,
     (select min(next_at) from ${s}watch where next_at <= ?) as due_since,
     (select count(*) from ${s}meta where key = 'hold') as held,
     (select count(*) from ${s}meta where key = 'pause') as paused`,
    ...[now, now - HOUR_MS, now, now - HOUR_MS, now, now, now],
  );
  if (row === undefined) throw new Error('the database returned no counts');
  return {
    inDoubt: Number(row.in_doubt),
    needsPerson: Number(row.needs_person),
    ...(row.since !== null && { needsPersonSince: Number(row.since) }),
    approvalsWaiting: Number(row.waiting),
    approvalsLapsed: { dialog: Number(row.lapsed_dialog), page: Number(row.lapsed_page) },
    findingsOpen: Number(row.findings),
    ...(row.due_since !== null && { readingDueSince: Number(row.due_since) }),
    ...(Number(row.held) > 0 && { held: true }),
    ...(Number(row.paused) > 0 && { paused: true }),
  };
}

/** Cuts a span into pieces, oldest first, so that no statement takes long. An operation never changes its time. */
function slicesOf(query: ActivityQuery, days: number): { readonly from: number; readonly to: number }[] {
  const sliceMs = days * DAY_MS;
  const count = Math.max(0, Math.ceil((query.to - query.from) / sliceMs));
  return Array.from({ length: count }, (_, i) => {
    const from = query.from + i * sliceMs;
    return { from, to: Math.min(from + sliceMs, query.to) };
  });
}

/**
 * Groups by key and by each currency in play, so that two currencies are never added. What an operation moved is what
 * tools/views/money-moved.ts says: nothing unless it succeeded; for a change of flight, what the airline stated.
 *
 * `materialized`: else each use of `moved` reads the JSON anew. Amounts of refunds and changes are in the JSON of `outcome`,
 * routes in that of the ledger. Columns of their own would have to be written with every operation, for a report once a day.
 */
function activitySql({ prefix: s, text, whole, unindexed }: Dialect, query: ActivityQuery): string {
  const { groupBy: key, caller, ledgerOf } = query;
  const ofCaller = caller !== undefined;
  const locator = `coalesce(o.locator, ${text('o.outcome', ['locator'])})`;
  const ledger = `left join ${s}booking b on b.tenant = o.tenant and b.caller = ${ledgerOf === undefined ? 'o.caller' : '?'} and b.locator = ${locator}`;
  const keys: Record<ActivityKey, string> = {
    day: `o.created_at / ${DAY_MS}`,
    route: `coalesce(${text('b.body', ['route'])}, 'unknown')`,
    tool: 'o.tool',
    status: 'o.state',
    caller: 'o.caller',
  };
  const stated = (part: string) => text('outcome', [part, 'amount', 'currency']);
  const minor = (part: string) => whole('outcome', [part, 'amount', 'minor']);
  return `
with done as materialized (
  select ${keys[key]} as key, o.currency, o.amount_minor, o.outcome, o.created_at,
    case when o.state <> 'succeeded' then 'nothing'
      when o.subject like '%rebook_segment%' and ${text('o.subject', ['kind'])} = 'rebook_segment' then 'change'
      else coalesce(o.direction, 'nothing') end as moved
  from ${s}operation o ${key === 'route' ? ledger : ''}
  where ${ofCaller ? '' : unindexed}o.tenant = ? and o.created_at >= ? and o.created_at < ? ${ofCaller ? 'and o.caller = ?' : ''}
), money as (
  select key, currency, created_at,
    case moved when 'payment' then currency when 'change' then ${stated('charge')} end as paid_in,
    case moved when 'payment' then amount_minor when 'change' then ${minor('charge')} end as paid,
    case when moved in ('refund', 'change') then ${stated('refund')} end as refunded_in,
    case when moved in ('refund', 'change') then ${minor('refund')} end as refunded,
    case when moved = 'refund' and ${stated('refund')} is null then 1 else 0 end as unstated
  from done
)
select key, currency, paid_in, refunded_in, count(*) as operations, max(created_at) as newest,
  sum(paid) as paid, sum(refunded) as refunded, sum(unstated) as unstated
from money group by key, currency, paid_in, refunded_in`;
}

function toActivityRow(row: Row, groupBy: ActivityKey): ActivityRow {
  const money = (minor: unknown, currency: unknown) =>
    currency === null ? undefined : { minor: Number(minor), currency: String(currency) };
  const paid = money(row.paid, row.paid_in);
  const refunded = money(row.refunded, row.refunded_in);
  return {
    key: groupBy === 'day' ? new Date(Number(row.key) * DAY_MS).toISOString().slice(0, 10) : String(row.key),
    ...(row.currency !== null && { currency: String(row.currency) }),
    operations: Number(row.operations),
    newest: Number(row.newest),
    ...(paid && { paid }),
    ...(refunded && { refunded }),
    unstated: Number(row.unstated),
  };
}
