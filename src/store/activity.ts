/**
 * What both databases have in common when they sum up the journal: the parts of the statement, and how its rows are read.
 */
import type { OpenCounts } from '../approvals/ports.ts';
import type { ActivityKey, ActivityQuery, ActivityRow } from '../journal/activity.ts';

const DAY_MS = 86_400_000;

/**
 * The span of a query in pieces of so many days, oldest first: no single statement takes long, however much was done. An
 * operation never changes its time: it is in one of them.
 */
export function slicesOf<Q extends Pick<ActivityQuery, 'from' | 'to'>>(query: Q, days: number): Q[] {
  const sliceMs = days * DAY_MS;
  const count = Math.max(0, Math.ceil((query.to - query.from) / sliceMs));
  return Array.from({ length: count }, (_, i) => {
    const from = query.from + i * sliceMs;
    return { ...query, from, to: Math.min(from + sliceMs, query.to) };
  });
}

/** What of a database's own the statement needs. */
export interface ActivitySql {
  /** The tables, with their schema. */
  readonly operation: string;
  readonly booking: string;
  /** The column to find all of a tenant by. */
  readonly tenant: string;
  /** A value in a column of JSON, as text or null: `path` is a list of names. */
  text(column: string, path: readonly string[]): string;
  /** The same as a whole number. */
  whole(column: string, path: readonly string[]): string;
  /** Placeholders of the values, in the order of {@link activityValues}. */
  readonly marks: Readonly<Record<'ledgerOf' | 'tenant' | 'from' | 'to' | 'caller', string>>;
}

/**
 * Groups by key and by each currency that is in play, so that no two are ever added. What an operation moved is what
 * `moved` (tools/views/money-moved.ts) says: nothing unless it succeeded; of a change of flight, what the airline stated.
 *
 * `materialized`: else each use of `moved` would read the JSON anew. Amounts of refunds and of changes lie in the JSON of `outcome`, routes in that of the ledger. Only rows that need it
 * are read so: a column of its own would have to be written with every operation, for a report that is asked for daily.
 */
export function activitySql(sql: ActivitySql, key: ActivityKey, ofCaller: boolean): string {
  const { marks } = sql;
  const locator = `coalesce(o.locator, ${sql.text('o.outcome', ['locator'])})`;
  const ledger = `left join ${sql.booking} b on b.tenant = o.tenant and b.caller = ${marks.ledgerOf} and b.locator = ${locator}`;
  const keys: Record<ActivityKey, string> = {
    day: `o.created_at / ${DAY_MS}`,
    route: `coalesce(${sql.text('b.body', ['route'])}, 'unknown')`,
    tool: 'o.tool',
    status: 'o.state',
    caller: 'o.caller',
  };
  const stated = (part: string) => sql.text('outcome', [part, 'amount', 'currency']);
  const minor = (part: string) => sql.whole('outcome', [part, 'amount', 'minor']);
  return `
with done as materialized (
  select ${keys[key]} as key, o.currency, o.amount_minor, o.outcome, o.created_at,
    case when o.state <> 'succeeded' then 'nothing'
      when o.subject like '%rebook_segment%' and ${sql.text('o.subject', ['kind'])} = 'rebook_segment' then 'change'
      else coalesce(o.direction, 'nothing') end as moved
  from ${sql.operation} o ${key === 'route' ? ledger : ''}
  where ${ofCaller ? 'o.tenant' : sql.tenant} = ${marks.tenant} and o.created_at >= ${marks.from} and o.created_at < ${marks.to}
    ${ofCaller ? `and o.caller = ${marks.caller}` : ''}
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

/** Values for the marks, without those that the statement does not have. */
export function activityValues(query: ActivityQuery): (string | number)[] {
  const { groupBy, ledgerOf, tenant, from, to, caller } = query;
  return [...(groupBy === 'route' ? [ledgerOf] : []), tenant, from, to, ...(caller === undefined ? [] : [caller])];
}

export function toActivityRow(row: Readonly<Record<string, unknown>>, groupBy: ActivityKey): ActivityRow {
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

export function toOpenCounts(row: Readonly<Record<string, unknown>>): OpenCounts {
  return {
    inDoubt: Number(row.in_doubt),
    needsPerson: Number(row.needs_person),
    ...(row.since !== null && { needsPersonSince: Number(row.since) }),
    approvalsWaiting: Number(row.waiting),
  };
}
