/**
 * Sums up the journal and the findings by measure, and lists the operations behind each sum by the same condition. An
 * operation moves money only if it succeeded; a change of flight moves what the airline stated. A finding belongs to
 * the day on which a reading showed it. Days are those of the desk. A database knows no time zones, so a period is cut
 * where the clocks change.
 */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { DAY_MS, isRealDate, utcDay } from '../core/times.ts';
import { daysIn, type OffsetSpan, offsetSpans } from '../core/zone.ts';
import { type Acts, actNames, type CountedAs } from '../journal/act.ts';
import {
  type ActivityKey,
  type ActivityQuery,
  type ActivityRow,
  type CountedOperation,
  type CountedQuery,
  MEASURES,
  type Measure,
} from '../journal/activity.ts';
import { type Database, OPEN, type Row, type SqlDialect, type Value } from './database.ts';
import { UNPAID } from './tables.ts';

/**
 * Sums up a period. Works in slices, because a statement of SQLite blocks the whole process: other calls run between
 * two slices.
 */
export async function sumActivity(database: Database, query: ActivityQuery): Promise<readonly ActivityRow[]> {
  const db = reportingDatabase(database, query);
  db.catchUp();
  const measures = operationMeasures(query);
  const rows = measures.length === 0 ? [] : await sumOperations(db, query, measures);
  if (query.measures?.every((measure) => !isOfFindings(measure))) return rows;
  const found: Row[] = [];
  for (const span of cutSpan(query, query, Number.POSITIVE_INFINITY))
    found.push(...(await db.all(findingSumsSql(db.dialect, query, span), ...queryValues(query, span))));
  return [...rows, ...found.flatMap((row) => toActivityRows(row, query))];
}

async function sumOperations(
  db: Database,
  query: ActivityQuery,
  measures: ReturnType<typeof operationMeasures>,
): Promise<readonly ActivityRow[]> {
  const rows: ActivityRow[] = [];
  const spans = cutSpan(query, query, isOfOpen(measures) ? Number.POSITIVE_INFINITY : db.dialect.sliceDays);
  const sumUp = async () => {
    for (let span = spans.shift(); span !== undefined; span = spans.shift()) {
      const found = await db.all(sumsSql(db.dialect, query, span), ...queryValues(query, span));
      rows.push(...found.flatMap((row) => toActivityRows(row, query)));
      await letOthersRun();
    }
  };
  // After a failure nobody needs the remaining slices.
  const lanes = Array.from({ length: db.dialect.slicesAtOnce }, () => sumUp().finally(() => spans.splice(0)));
  await Promise.all(lanes);
  return rows;
}

/** Lists the operations or findings behind one number, newest first. Reads no further back than the page needs. */
export async function listCounted(database: Database, query: CountedQuery): Promise<readonly CountedOperation[]> {
  const db = reportingDatabase(database, query);
  const { dialect } = db;
  const { after, limit, measure } = query;
  const { from, to } = keySpan(query);
  const span = { from, to: Math.min(to, after === undefined ? to : after.at + 1) };
  // For a report by day, the key has already shortened the span.
  const key = query.groupBy === 'day' ? undefined : query.key;
  const pageValues: Value[] = [
    ...(key === undefined ? [] : [key]),
    ...(after === undefined ? [] : [after.at, after.id]),
  ];
  db.catchUp();
  if (isOfFindings(measure)) {
    const sql = countedFindingsSql(dialect, query, measure, key !== undefined);
    return (await db.all(sql, ...queryValues(query, span), ...pageValues, limit)).map(toCounted);
  }
  const sql = countedSql(dialect, query, measure, key !== undefined);
  const found: CountedOperation[] = [];
  const days = isOfOpen([measure]) ? Number.POSITIVE_INFINITY : dialect.sliceDays;
  for (const slice of cutSpan(query, span, days).reverse()) {
    const values = [...queryValues(query, slice), ...pageValues, limit - found.length];
    found.push(...(await db.all(sql, ...values)).map(toCounted));
    if (found.length === limit) break;
    await letOthersRun();
  }
  return found;
}

/** The database for a report. A caller's own report never waits behind one of the whole desk. */
function reportingDatabase(db: Database, { caller }: ActivityQuery): Database {
  return db.aside(caller === undefined ? 'desk_reports' : 'reports');
}

/** Tables of present and of past bookings: a figure of a closed period needs both. */
export const LEDGERS = ['booking', 'past_booking'] as const;

/** [from, to), milliseconds since 1970. */
interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The period of a query, or the day in it that is the key of the row asked about. */
function keySpan({ groupBy, key, from, to, timeZone }: CountedQuery): TimeSpan {
  if (groupBy !== 'day' || key === undefined) return { from, to };
  if (!isRealDate(key)) return { from, to: from };
  const day = daysIn(key, key, timeZone);
  return { from: Math.max(from, day.from), to: Math.min(to, day.to) };
}

/** The values of every statement here, in their order. */
function queryValues({ tenant, caller }: ActivityQuery, { from, to }: TimeSpan): Value[] {
  return [tenant, from, to, ...(caller === undefined ? [] : [caller])];
}

/**
 * Cuts a span into slices, oldest first, so that no statement takes long. If days are the keys, also cuts it where the
 * clocks change. An operation never changes its time, so each is in one slice.
 */
function cutSpan({ groupBy, timeZone }: ActivityQuery, { from, to }: TimeSpan, days: number): OffsetSpan[] {
  const spans = groupBy === 'day' ? offsetSpans(from, to, timeZone) : [{ from, to, offset: 0 }];
  return spans.flatMap((span) => {
    if (span.to <= span.from) return [];
    const sliceMs = Math.min(days * DAY_MS, span.to - span.from);
    return Array.from({ length: Math.ceil((span.to - span.from) / sliceMs) }, (_, i) => {
      const start = span.from + i * sliceMs;
      return { from: start, to: Math.min(start + sliceMs, span.to), offset: span.offset };
    });
  });
}

/** SQL: the day of an instant, counted from 1970, in a span with one offset. */
function dayNumber(column: string, { offset }: Pick<OffsetSpan, 'offset'>): string {
  return `(${column} + ${Math.trunc(offset)}) / ${DAY_MS}`;
}

/** The offset for a list, which needs no days as keys: its span is the wanted day. */
const NO_DAYS = { offset: 0 };

/** The rows of a report in one row of the database, which has a part of every measure. */
function toActivityRows(row: Row, { groupBy, measures = MEASURES }: ActivityQuery): ActivityRow[] {
  const key = groupBy === 'day' ? utcDay(Number(row.key) * DAY_MS) : String(row.key);
  return measures.flatMap((measure) => {
    const count = Number(row[measure] ?? 0);
    if (count === 0) return [];
    const sum = moneyIn(row[`${measure}_minor`], row[currencyColumn(measure)]);
    return { key, measure, count, unstated: Number(row[`${measure}_unstated`] ?? 0), sum };
  });
}

function currencyColumn(measure: Measure): string {
  return isOfFindings(measure) ? '' : (MEASURED[measure].currency ?? '');
}

function toCounted({ id, at, what, status, locator, minor, currency }: Row): CountedOperation {
  return {
    id: String(id),
    at: Number(at),
    what: String(what),
    status: String(status),
    locator: locator === null ? undefined : String(locator),
    amount: moneyIn(minor, currency),
  };
}

function moneyIn(minor: unknown, currency: unknown) {
  if ((minor ?? null) === null || (currency ?? null) === null) return undefined;
  return { minor: Number(minor), currency: String(currency) };
}

/** How a measure counts and sums operations, in SQL over `money` of {@link moneySql}. */
interface Measured {
  /** The condition of an operation that counts. */
  readonly when: string;
  /** Columns of the amount and its currency, which is null if nobody stated it. */
  readonly minor?: string;
  readonly currency?: 'paid_in' | 'refunded_in' | 'kept_in';
}

/** The measures that count operations; the others count findings. */
type OperationMeasure = Exclude<Measure, FindingMeasure>;

/*
 * `moved` says what an operation did with money or a booking: `payment` and `refund`, `change` (of a flight: it can pay and refund),
 * `made` (a hold), `changed` (a booking, without money), `other`; `open` while its outcome is not known, `ended` where nothing was done.
 */

/** Operations of which the airline can have stated a refund. */
const GIVES_BACK = "moved in ('refund', 'change')";
/** A change of flight is a refund where the airline stated that it refunded something. */
const IS_REFUND = "(moved = 'refund' or (moved = 'change' and refunded_in is not null))";

const MEASURED: Readonly<Record<OperationMeasure, Measured>> = {
  operations: { when: 'true' },
  sold: { when: "moved = 'payment'", minor: 'paid', currency: 'paid_in' },
  paid: {
    when: "(moved = 'payment' or (moved = 'change' and (paid_in is not null or refunded_in is null)))",
    minor: 'paid',
    currency: 'paid_in',
  },
  refunded: { when: IS_REFUND, minor: 'refunded', currency: 'refunded_in' },
  kept: { when: IS_REFUND, minor: 'kept', currency: 'kept_in' },
  holds_made: { when: "moved = 'made'" },
  holds_lapsed: { when: 'lapsed = 1' },
  in_doubt: { when: "moved = 'open'" },
  changes: { when: "moved in ('change', 'changed')" },
};

/** The wanted measures that count operations. */
function operationMeasures({ measures = MEASURES }: ActivityQuery): readonly OperationMeasure[] {
  return measures.filter((measure): measure is OperationMeasure => !isOfFindings(measure));
}

/** Whether only open operations count. A small index finds them without reading the whole period. */
function isOfOpen(measures: readonly OperationMeasure[]): boolean {
  return measures.every((measure) => measure === 'in_doubt');
}

/**
 * SQL for the sums of a span. Groups operations that are alike in every measure first, because evaluating the
 * conditions of all measures for each operation takes long.
 */
function sumsSql(dialect: SqlDialect, query: ActivityQuery, span: OffsetSpan): string {
  const measures = operationMeasures(query);
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
  const alike = 'key, moved, lapsed, paid_in, refunded_in, kept_in';
  return `${moneySql(dialect, query, { measures, also: '', span })}
select key, paid_in, refunded_in, kept_in, ${sums.join(', ')} from (
  select ${alike}, count(*) as n, sum(paid) as paid, sum(refunded) as refunded, sum(kept) as kept
  from money group by ${alike}
) alike group by key, paid_in, refunded_in, kept_in`;
}

/**
 * SQL for the rows behind one number. Its parameters: those of the sums, the key, the time and id to continue after,
 * and the limit.
 */
function countedSql(dialect: SqlDialect, query: CountedQuery, measure: OperationMeasure, isKeyed: boolean): string {
  const { prefix: s } = dialect;
  const { when, minor = 'null', currency = 'null' } = MEASURED[measure];
  const wanted = [when, ...(isKeyed ? [`key = ?`] : []), ...(query.after === undefined ? [] : ['(at, id) < (?, ?)'])];
  return `${moneySql(dialect, query, { measures: [measure], also: 'id, at, ', span: NO_DAYS })}
select o.id, o.created_at as at, o.tool as what, o.state as status, coalesce(o.locator, ${dialect.text('o.outcome', ['locator'])}) as locator, found.minor, found.currency
from (select id, at, ${minor} as minor, ${currency} as currency from money
  where ${wanted.join(' and ')} order by at desc, id desc limit ?) found
join ${s}operation o on o.id = found.id order by o.created_at desc, o.id desc`;
}

interface MeasureColumns {
  /** Columns that only a list needs. */
  readonly also: '' | 'id, at, ';
  /** The measures whose columns are needed. Others are not read. */
  readonly measures: readonly OperationMeasure[];
  readonly span: Pick<OffsetSpan, 'offset'>;
}

/**
 * SQL of the table `money`, a row for each operation, in which `moved` is its kind. `materialized` keeps each use of
 * `done` from reading the JSON anew. Amounts of refunds and changes are in the JSON of `outcome`, routes in that of
 * `facts`: columns of their own would have to be written with every operation, for a report once a day.
 */
function moneySql(dialect: SqlDialect, query: ActivityQuery, { also, measures, span }: MeasureColumns): string {
  const { prefix: s, text, parsed, inParsed, unindexed } = dialect;
  const { acts, groupBy, caller } = query;
  const ofCaller = caller !== undefined;
  const keys: Record<ActivityKey, string> = {
    day: dayNumber('o.created_at', span),
    route: `coalesce(${text('o.facts', ['route'])}, 'unknown')`,
    tool: 'o.tool',
    status: 'o.state',
    caller: 'o.caller',
    payment_type: `coalesce(${text('o.facts', ['paymentType'])}, 'unknown')`,
  };
  const stated = (...part: string[]) => inParsed('outcome', [...part, 'currency']);
  const minor = (...part: string[]) => `cast(${inParsed('outcome', [...part, 'minor'])} as bigint)`;
  // As `amountKept` (domain/pricing/stated-refund.ts): the penalty with its VAT, if both are in one currency.
  const keeps = `${GIVES_BACK} and coalesce(${stated('refund', 'vat')}, ${stated('refund', 'penalty')}) = ${stated('refund', 'penalty')}`;
  const isCountedAs = (...counted: CountedAs[]) => `o.tool ${toolIn(acts, ...counted)}`;
  const mayHaveLapsed = `o.state = 'succeeded' and ${isCountedAs('hold')}`;
  // Reads no other outcomes: they are most of the journal's text.
  const isStated = `(o.direction = 'refund' or ${isCountedAs('exchange')})`;
  const needsStated = measures.some((measure) => MEASURED[measure].minor !== undefined);
  const needsLapsed = measures.includes('holds_lapsed');
  // Makes SQLite use the small index of open operations, or the index of time.
  const mark = isOfOpen(measures) || !ofCaller ? unindexed : '';
  return `
with done as materialized (
  select ${keys[groupBy]} as key, ${also === '' ? '' : 'o.id, o.created_at as at, '}o.currency, o.amount_minor,
    ${needsStated ? `case when ${isStated} then ${parsed('o.outcome')} end` : parsed('null')} as outcome,
    ${needsLapsed ? `case when ${mayHaveLapsed} then ${lapsedSql(dialect, query)} end` : 'cast(null as integer)'} as lapsed,
    case when o.state = 'succeeded' then case when ${isCountedAs('exchange')} then 'change'
        when o.direction is not null then o.direction when ${isCountedAs('hold')} then 'made'
        when ${isCountedAs('change')} then 'changed' else 'other' end
      when o.${OPEN} then 'open' else 'ended' end as moved
  from ${s}operation o
  where ${mark}o.tenant = ? and o.created_at >= ? and o.created_at < ? ${ofCaller ? `and ${mark}o.caller = ?` : ''}
    and ${isOfOpen(measures) ? `o.${OPEN}` : 'true'}
), money as (
  select key, ${also}moved, lapsed,
    case moved when 'payment' then currency when 'change' then ${stated('charge', 'amount')} end as paid_in,
    case moved when 'payment' then amount_minor when 'change' then ${minor('charge', 'amount')} end as paid,
    case when ${GIVES_BACK} then ${stated('refund', 'amount')} end as refunded_in,
    case when ${GIVES_BACK} then ${minor('refund', 'amount')} end as refunded,
    case when ${keeps} then ${stated('refund', 'penalty')} end as kept_in,
    case when ${keeps} then ${minor('refund', 'penalty')} + coalesce(${minor('refund', 'vat')}, 0) end as kept
  from done
)`;
}

/** SQL: `in (…)` with the tools of acts that count as one of these. Their names need no escaping: letters and `_`. */
export function toolIn(acts: Acts, ...counted: readonly CountedAs[]): string {
  return `in (${actNames(acts, ...counted)
    .map((tool) => `'${tool}'`)
    .join(', ')})`;
}

/**
 * SQL: 1 for a hold that ended without a payment, else 0. By its last reading, of any caller, its time limit has
 * passed, or it is cancelled and nobody cancelled it here. It does not count if a payment may have been made.
 */
function lapsedSql({ prefix: s, unindexed }: SqlDialect, { acts, now }: ActivityQuery): string {
  const acted = (
    tools: string,
  ) => `exists (select 1 from ${s}operation a where a.tenant = o.tenant and a.locator = o.locator
    and a.tool ${tools} and a.state not in ('refused', 'not_executed'))`;
  // Small indexes rule out most bookings. Uses `case`, because SQLite would turn `and` into a join, and `limit`,
  // because PostgreSQL would read all bookings for `exists`.
  const unpaid = (table: string) =>
    `(select 1 from ${s}${table} u where ${unindexed}u.tenant = o.tenant and u.locator = o.locator and u.${UNPAID} limit 1)`;
  const readings = LEDGERS.map(
    (table) =>
      `select state, pay_by_at, seen_at, caller from ${s}${table} r where ${unindexed}r.tenant = o.tenant and r.locator = o.locator`,
  );
  return `case when coalesce(${LEDGERS.map(unpaid).join()}) = 1 then (select case
      when l.state = 'held' and coalesce(l.pay_by_at > ${Math.trunc(now)}, true) or not l.${UNPAID} then 0
      when ${acted(toolIn(acts, 'payment'))} then 0
      when l.state = 'cancelled' and ${acted(toolIn(acts, 'refund', 'release'))} then 0
      else 1 end
    from (${readings.join(' union all ')}) l order by l.seen_at desc, l.caller desc limit 1) else 0 end`;
}

const FINDING_CONDITIONS = { findings: 'true', findings_open: "status = 'open'" } as const satisfies Partial<
  Record<Measure, string>
>;
type FindingMeasure = keyof typeof FINDING_CONDITIONS;

function isOfFindings(measure: Measure): measure is FindingMeasure {
  return Object.hasOwn(FINDING_CONDITIONS, measure);
}

/** SQL for the sums of findings. Its parameters: tenant, from, to, and the caller if there is one. */
function findingSumsSql(dialect: SqlDialect, query: ActivityQuery, span: OffsetSpan): string {
  return `${findingsSql(dialect, query, span)}
select key, count(*) as findings, sum(case when ${FINDING_CONDITIONS.findings_open} then 1 else 0 end) as findings_open
from found group by key`;
}

/**
 * SQL for the rows behind one number. Its parameters: those of the sums, the key, the time and id to continue after,
 * and the limit.
 */
function countedFindingsSql(
  dialect: SqlDialect,
  query: CountedQuery,
  measure: FindingMeasure,
  isKeyed: boolean,
): string {
  const wanted = [
    FINDING_CONDITIONS[measure],
    ...(isKeyed ? ['key = ?'] : []),
    ...(query.after === undefined ? [] : ['(at, id) < (?, ?)']),
  ];
  return `${findingsSql(dialect, query, NO_DAYS)}
select id, at, what, status, locator, null as minor, null as currency from found
where ${wanted.join(' and ')} order by at desc, id desc limit ?`;
}

/** SQL of the table `found`: the findings of a span. With a caller, only those of bookings in that caller's ledger. */
function findingsSql(
  { prefix: s, unindexed }: SqlDialect,
  { groupBy, caller, now }: ActivityQuery,
  span: Pick<OffsetSpan, 'offset'>,
): string {
  const status = `case when f.closed_at is null and (f.departs_at is null or f.departs_at > ${Math.trunc(now)}) then 'open' else 'closed' end`;
  const keys: Record<ActivityKey, string> = {
    day: dayNumber('f.seen_at', span),
    route: "coalesce(f.route, 'unknown')",
    tool: 'f.kind',
    status,
    caller: `coalesce((select m.caller from (${LEDGERS.map(
      (table) => `select caller, seen_at from ${s}${table} r
      where ${unindexed}r.tenant = f.tenant and r.locator = f.locator and r.made_here = 1`,
    ).join(' union all ')}) m order by m.seen_at limit 1), 'unknown')`,
    payment_type: "'unknown'",
  };
  const knows = LEDGERS.map(
    (table) =>
      `exists (select 1 from ${s}${table} b where b.tenant = f.tenant and b.caller = c.id and b.locator = f.locator)`,
  );
  // One value, whichever of the two has the booking.
  const isOfCaller = `and exists (select 1 from (select ? as id) c where ${knows.join(' or ')})`;
  return `
with found as (
  select ${keys[groupBy]} as key, f.id, f.seen_at as at, f.kind as what, ${status} as status, f.locator
  from ${s}finding f where f.tenant = ? and f.seen_at >= ? and f.seen_at < ? ${caller === undefined ? '' : isOfCaller}
)`;
}
