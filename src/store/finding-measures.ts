/** How findings are counted, in SQL. A finding belongs to the day on which a reading showed it. */
import { DAY_MS } from '../core/times.ts';
import type { ActivityKey, ActivityQuery, CountedQuery, Measure } from '../journal/activity.ts';
import type { SqlDialect } from './database.ts';

const CONDITIONS = { findings: 'true', findings_open: "status = 'open'" } as const satisfies Partial<
  Record<Measure, string>
>;
export type FindingMeasure = keyof typeof CONDITIONS;

export const isOfFindings = (measure: Measure): measure is FindingMeasure => Object.hasOwn(CONDITIONS, measure);

/** Its values: tenant, from, to, and the caller if there is one. */
export function findingSumsSql(dialect: SqlDialect, query: ActivityQuery): string {
  return `${foundOf(dialect, query)}
select key, count(*) as findings, sum(case when ${CONDITIONS.findings_open} then 1 else 0 end) as findings_open
from found group by key`;
}

/** Its values: those of the sums, the key, the time and id to continue after, and how many. */
export function countedFindingsSql(
  dialect: SqlDialect,
  query: CountedQuery,
  measure: FindingMeasure,
  isKeyed: boolean,
): string {
  const wanted = [
    CONDITIONS[measure],
    ...(isKeyed ? ['key = ?'] : []),
    ...(query.after === undefined ? [] : ['(at, id) < (?, ?)']),
  ];
  return `${foundOf(dialect, query)}
select id, at, what, status, locator, null as minor, null as currency from found
where ${wanted.join(' and ')} order by at desc, id desc limit ?`;
}

/** With a caller, only those of bookings in that caller's ledger. */
function foundOf({ prefix: s }: SqlDialect, { groupBy, caller, now }: ActivityQuery): string {
  const status = `case when f.closed_at is null and (f.departs_at is null or f.departs_at > ${Math.trunc(now)}) then 'open' else 'closed' end`;
  const keys: Record<ActivityKey, string> = {
    day: `f.seen_at / ${DAY_MS}`,
    route: "coalesce(f.route, 'unknown')",
    tool: 'f.kind',
    status,
    caller: `coalesce((select m.caller from ${s}booking m where m.tenant = f.tenant and m.locator = f.locator and m.made_here = 1
      order by m.seen_at limit 1), 'unknown')`,
  };
  const isOfCaller = `and exists (select 1 from ${s}booking b where b.tenant = f.tenant and b.caller = ? and b.locator = f.locator)`;
  return `
with found as (
  select ${keys[groupBy]} as key, f.id, f.seen_at as at, f.kind as what, ${status} as status, f.locator
  from ${s}finding f where f.tenant = ? and f.seen_at >= ? and f.seen_at < ? ${caller === undefined ? '' : isOfCaller}
)`;
}
