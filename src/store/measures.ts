/**
 * What each measure counts, in SQL: the same condition makes a sum and finds the operations behind it. What an operation moved
 * is what journal/operation.ts says: nothing unless it succeeded; for a change of flight, what the airline stated.
 */
import { DAY_MS } from '../core/times.ts';
import { type Acts, actNames, type CountedAs } from '../journal/act.ts';
import {
  type ActivityKey,
  type ActivityQuery,
  type CountedQuery,
  MEASURES,
  type Measure,
} from '../journal/activity.ts';
import { OPEN, type SqlDialect } from './database.ts';
import { type FindingMeasure, isOfFindings } from './finding-measures.ts';
import { UNPAID } from './tables.ts';

interface Measured {
  readonly when: string;
  /** Columns of the amount and its currency, which is null if nobody stated it. */
  readonly minor?: string;
  readonly currency?: 'paid_in' | 'refunded_in' | 'penalty_in';
}

/** Those of operations. */
type OperationMeasure = Exclude<Measure, FindingMeasure>;

const BACK = "moved in ('refund', 'change')";
const REFUND = "(moved = 'refund' or (moved = 'change' and refunded_in is not null))";

export const MEASURED: Readonly<Record<OperationMeasure, Measured>> = {
  operations: { when: 'true' },
  sold: { when: "moved = 'payment'", minor: 'paid', currency: 'paid_in' },
  paid: {
    when: "(moved = 'payment' or (moved = 'change' and (paid_in is not null or refunded_in is null)))",
    minor: 'paid',
    currency: 'paid_in',
  },
  refunded: { when: REFUND, minor: 'refunded', currency: 'refunded_in' },
  penalties: { when: REFUND, minor: 'penalty', currency: 'penalty_in' },
  holds_made: { when: "moved = 'made'" },
  holds_lapsed: { when: 'lapsed = 1' },
  in_doubt: { when: "moved = 'open'" },
  changes: { when: "moved in ('change', 'changed')" },
};

/** The measures of operations that are asked for. */
export function asked({ measures = MEASURES }: ActivityQuery): readonly OperationMeasure[] {
  return measures.filter((measure): measure is OperationMeasure => !isOfFindings(measure));
}

/** Whether nothing but what is open counts: it has small indexes, and is found without a look at all of the time. */
export const isOfOpen = (measures: readonly OperationMeasure[]): boolean =>
  measures.every((measure) => measure === 'in_doubt');

/** What is alike in every measure is grouped first: the conditions of all measures take long for each operation. */
export function sumsSql(dialect: SqlDialect, query: ActivityQuery): string {
  const measures = asked(query);
  const sums = measures.flatMap((measure) => {
    const { when, minor, currency } = MEASURED[measure];
    const count = (condition: string, name: string) => `sum(case when ${condition} then n else 0 end) as ${name}`;
    if (minor === undefined) return [count(when, measure)];
    return [
      count(when, measure),
      `sum(case when ${when} then ${minor} end) as ${measure}_minor`,
      count(`${when} and ${currency} is null`, `${measure}_unstated`),
    ];
  });
  const alike = 'key, moved, lapsed, paid_in, refunded_in, penalty_in';
  return `${moneyOf(dialect, query, { measures, also: '' })}
select key, paid_in, refunded_in, penalty_in, ${sums.join(', ')} from (
  select ${alike}, count(*) as n, sum(paid) as paid, sum(refunded) as refunded, sum(penalty) as penalty
  from money group by ${alike}
) alike group by key, paid_in, refunded_in, penalty_in`;
}

/** Its values: those of the sums, the key, the time and id to continue after, and how many. */
export function countedSql(
  dialect: SqlDialect,
  query: CountedQuery,
  measure: OperationMeasure,
  isKeyed: boolean,
): string {
  const { prefix: s } = dialect;
  const { when, minor = 'null', currency = 'null' } = MEASURED[measure];
  const wanted = [when, ...(isKeyed ? [`key = ?`] : []), ...(query.after === undefined ? [] : ['(at, id) < (?, ?)'])];
  return `${moneyOf(dialect, query, { measures: [measure], also: 'id, at, ' })}
select o.id, o.created_at as at, o.tool as what, o.state as status, coalesce(o.locator, ${dialect.text('o.outcome', ['locator'])}) as locator, found.minor, found.currency
from (select id, at, ${minor} as minor, ${currency} as currency from money
  where ${wanted.join(' and ')} order by at desc, id desc limit ?) found
join ${s}operation o on o.id = found.id order by o.created_at desc, o.id desc`;
}

interface MeasureColumns {
  /** Columns that only a list needs. */
  readonly also: '' | 'id, at, ';
  /** What none of them needs is not read. */
  readonly measures: readonly OperationMeasure[];
}

/**
 * `moved`: the kind of an operation, of which each has one. `materialized`: else each use of it reads the JSON anew. Amounts of
 * refunds and changes are in the JSON of `outcome`, routes in that of the ledger. Columns of their own would have to be written
 * with every operation, for a report once a day.
 */
function moneyOf(dialect: SqlDialect, query: ActivityQuery, { also, measures }: MeasureColumns): string {
  const { prefix: s, text, parsed, inParsed, unindexed } = dialect;
  const { acts, groupBy, caller, ledgerOf } = query;
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
  const stated = (...part: string[]) => inParsed('outcome', [...part, 'currency']);
  const minor = (...part: string[]) => `cast(${inParsed('outcome', [...part, 'minor'])} as bigint)`;
  const isOne = (...counted: CountedAs[]) => `o.tool ${toolIn(acts, ...counted)}`;
  const mayHaveLapsed = `o.state = 'succeeded' and ${isOne('hold')}`;
  // Others are most of the journal, and their outcomes most of its text.
  const isStated = `(o.direction = 'refund' or ${isOne('exchange')})`;
  const needsStated = measures.some((measure) => MEASURED[measure].minor !== undefined);
  const needsLapsed = measures.includes('holds_lapsed');
  // In the order of the small index of what is open.
  const no = isOfOpen(measures) || !ofCaller ? unindexed : '';
  return `
with done as materialized (
  select ${keys[groupBy]} as key, ${also === '' ? '' : 'o.id, o.created_at as at, '}o.currency, o.amount_minor,
    ${needsStated ? `case when ${isStated} then ${parsed('o.outcome')} end` : parsed('null')} as outcome,
    ${needsLapsed ? `case when ${mayHaveLapsed} then ${lapsed(dialect, query)} end` : 'cast(null as integer)'} as lapsed,
    case when o.state = 'succeeded' then case when ${isOne('exchange')} then 'change'
        when o.direction is not null then o.direction when ${isOne('hold')} then 'made'
        when ${isOne('change')} then 'changed' else 'other' end
      when o.${OPEN} then 'open' else 'ended' end as moved
  from ${s}operation o ${groupBy === 'route' ? ledger : ''}
  where ${no}o.tenant = ? and o.created_at >= ? and o.created_at < ? ${ofCaller ? `and ${no}o.caller = ?` : ''}
    and ${isOfOpen(measures) ? `o.${OPEN}` : 'true'}
), money as (
  select key, ${also}moved, lapsed,
    case moved when 'payment' then currency when 'change' then ${stated('charge', 'amount')} end as paid_in,
    case moved when 'payment' then amount_minor when 'change' then ${minor('charge', 'amount')} end as paid,
    case when ${BACK} then ${stated('refund', 'amount')} end as refunded_in,
    case when ${BACK} then ${minor('refund', 'amount')} end as refunded,
    case when ${BACK} then ${stated('refund', 'penalty')} end as penalty_in,
    case when ${BACK} then ${minor('refund', 'penalty')} end as penalty
  from done
)`;
}

/** Names of tools are ours: letters and `_`. */
export function toolIn(acts: Acts, ...counted: readonly CountedAs[]): string {
  return `in (${actNames(acts, ...counted)
    .map((tool) => `'${tool}'`)
    .join(', ')})`;
}

/**
 * 1 for a hold that ended without a payment: by its last reading, whoever's, its time limit has passed, or it is cancelled and
 * nobody cancelled it here. A payment that may have been made keeps it out.
 */
function lapsed({ prefix: s, unindexed }: SqlDialect, { acts, now }: ActivityQuery): string {
  const acted = (
    tools: string,
  ) => `exists (select 1 from ${s}operation a where a.tenant = o.tenant and a.locator = o.locator
    and a.tool ${tools} and a.state not in ('refused', 'not_executed'))`;
  // A small index says of most bookings that no reading of theirs is of interest. `case`: SQLite would make a join of `and`.
  // `limit`: for `exists`, PostgreSQL would read all bookings.
  const may = `(select 1 from ${s}booking u where ${unindexed}u.tenant = o.tenant and u.locator = o.locator and u.${UNPAID} limit 1) = 1`;
  return `case when ${may} then (select case
      when l.state = 'held' and coalesce(l.pay_by_at > ${Math.trunc(now)}, true) or not l.${UNPAID} then 0
      when ${acted(toolIn(acts, 'payment'))} then 0
      when l.state = 'cancelled' and ${acted(toolIn(acts, 'refund', 'release'))} then 0
      else 1 end
    from ${s}booking l where l.tenant = o.tenant and l.locator = o.locator
    order by l.seen_at desc, l.caller desc limit 1) else 0 end`;
}
