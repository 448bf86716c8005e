/**
 * Activity reports in SQL: sums up the journal and the findings by measure, and lists the operations behind each sum by
 * the same condition. Each statement reads a slice of the period, in these steps:
 *
 * | step    | has for each operation                           | made by             |
 * | ------- | ------------------------------------------------ | ------------------- |
 * | `done`  | its key, what it moved, and its parsed outcome   | {@link doneSql}     |
 * | `money` | what it paid, refunded and kept, by currency     | {@link moneySql}    |
 * | result  | the sums of each measure, or the rows behind one | {@link MEASURE_SQL} |
 *
 * Findings have one step, `found` ({@link findingsSql}), and their own measures ({@link FINDING_CONDITIONS}).
 *
 * An operation moves money only if it succeeded; a change of flight moves what the airline stated. A finding belongs to
 * the day on which a reading showed it. Days are those of the desk. The SQL here uses no time zones, so a period is cut
 * where the clocks change.
 *
 * In this order: the two reports, what a query asks for, its slices, the rows of a result, the SQL of operations, and
 * the SQL of findings.
 */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Money } from '../core/money.ts';
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
import { LEDGERS, UNPAID } from './tables.ts';

/** [from, to), milliseconds since 1970. */
interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** The offset for a list. It needs no days as keys, because its span is already the day. */
const NO_DAYS = { offset: 0 };

/** The measures that count findings, each with its condition in SQL over `found` of {@link findingsSql}. */
const FINDING_CONDITIONS = { findings: 'true', findings_open: "status = 'open'" } as const satisfies Partial<
  Record<Measure, string>
>;

type FindingMeasure = keyof typeof FINDING_CONDITIONS;

/** The measures that count operations; the others count findings. */
type OperationMeasure = Exclude<Measure, FindingMeasure>;

/** How a measure counts and sums operations, in SQL over `money` of {@link moneySql}. */
interface MeasureSql {
  /** The condition of an operation that counts. */
  readonly when: string;
  /** Columns of the amount and its currency, which is null if nobody stated it. */
  readonly minor?: string;
  readonly currency?: 'paid_in' | 'refunded_in' | 'kept_in';
}

/** Operations of which the airline can have stated a refund. */
const MAY_REFUND = "moved in ('refund', 'change')";
/** A change of flight is a refund where the airline stated that it refunded something. */
const IS_REFUND = "(moved = 'refund' or (moved = 'change' and refunded_in is not null))";
/** A change of flight is a payment unless the airline only refunded something. */
const IS_PAYMENT = "(moved = 'payment' or (moved = 'change' and (paid_in is not null or refunded_in is null)))";

const MEASURE_SQL: Readonly<Record<OperationMeasure, MeasureSql>> = {
  operations: { when: 'true' },
  sold: { when: "moved = 'payment'", minor: 'paid', currency: 'paid_in' },
  paid: { when: IS_PAYMENT, minor: 'paid', currency: 'paid_in' },
  refunded: { when: IS_REFUND, minor: 'refunded', currency: 'refunded_in' },
  kept: { when: IS_REFUND, minor: 'kept', currency: 'kept_in' },
  holds_made: { when: "moved = 'made'" },
  holds_lapsed: { when: 'lapsed = 1' },
  in_doubt: { when: "moved = 'open'" },
  changes: { when: "moved in ('change', 'changed')" },
};

/**
 * Sums up a period. Works in slices, because a statement of SQLite blocks the whole process: other calls run between
 * two slices.
 */
export async function sumActivity(database: Database, query: ActivityQuery): Promise<readonly ActivityRow[]> {
  const db = reportingDatabase(database, query);
  db.catchUp();
  const measures = operationMeasures(query);
  const rows = measures.length === 0 ? [] : await sumOperations(db, query, measures);
  if (query.measures?.every((measure) => !countsFindings(measure))) return rows;
  const findingSums: Row[] = [];
  for (const span of cutSpan(query, query, Number.POSITIVE_INFINITY))
    findingSums.push(...(await db.all(findingSumsSql(db.dialect, query, span), ...queryValues(query, span))));
  return [...rows, ...findingSums.flatMap((row) => toActivityRows(row, query))];
}

async function sumOperations(
  db: Database,
  query: ActivityQuery,
  measures: readonly OperationMeasure[],
): Promise<readonly ActivityRow[]> {
  const rows: ActivityRow[] = [];
  const slices = cutSpan(query, query, daysAtOnce(db.dialect, measures));
  const sumRemainingSlices = async () => {
    for (let slice = slices.shift(); slice !== undefined; slice = slices.shift()) {
      const sums = await db.all(sumsSql(db.dialect, query, slice), ...queryValues(query, slice));
      rows.push(...sums.flatMap((row) => toActivityRows(row, query)));
      await letOthersRun();
    }
  };
  // After a failure nobody needs the remaining slices.
  const dropSlices = () => slices.splice(0);
  const workers = Array.from({ length: db.dialect.slicesAtOnce }, () => sumRemainingSlices().finally(dropSlices));
  await Promise.all(workers);
  return rows;
}

/** Lists the operations or findings behind one number, newest first. Reads no further back than the page needs. */
export async function listCounted(database: Database, query: CountedQuery): Promise<readonly CountedOperation[]> {
  const db = reportingDatabase(database, query);
  const { dialect } = db;
  const { after, limit, measure } = query;
  const { from, to } = keySpan(query);
  const span = { from, to: Math.min(to, after === undefined ? to : after.at + 1) };
  const page = listConditions(query);
  db.catchUp();
  if (countsFindings(measure)) {
    const sql = countedFindingsSql(dialect, query, measure, page.conditions);
    return (await db.all(sql, ...queryValues(query, span), ...page.values, limit)).map(toCounted);
  }
  const sql = countedSql(dialect, query, measure, page.conditions);
  const counted: CountedOperation[] = [];
  for (const slice of cutSpan(query, span, daysAtOnce(dialect, [measure])).reverse()) {
    const values = [...queryValues(query, slice), ...page.values, limit - counted.length];
    counted.push(...(await db.all(sql, ...values)).map(toCounted));
    if (counted.length === limit) break;
    await letOthersRun();
  }
  return counted;
}

/** Limits a list to one key, and to what comes after the page before. The values are in the order of the conditions. */
function listConditions({ after, groupBy, key }: CountedQuery): { conditions: readonly string[]; values: Value[] } {
  const conditions: string[] = [];
  const values: Value[] = [];
  // For a report by day, `keySpan` has already shortened the span.
  if (key !== undefined && groupBy !== 'day') {
    conditions.push('key = ?');
    values.push(key);
  }
  if (after !== undefined) {
    conditions.push('(at, id) < (?, ?)');
    values.push(after.at, after.id);
  }
  return { conditions, values };
}

/** The database for a report. A caller's own report never waits behind one of the whole desk. */
function reportingDatabase(db: Database, { caller }: ActivityQuery): Database {
  return db.aside(caller === undefined ? 'desk_reports' : 'reports');
}

function countsFindings(measure: Measure): measure is FindingMeasure {
  return Object.hasOwn(FINDING_CONDITIONS, measure);
}

/** The wanted measures that count operations. */
function operationMeasures({ measures = MEASURES }: ActivityQuery): readonly OperationMeasure[] {
  return measures.filter((measure): measure is OperationMeasure => !countsFindings(measure));
}

/** Whether only open operations count. A small index finds them without reading the whole period. */
function countOnlyOpen(measures: readonly OperationMeasure[]): boolean {
  return measures.every((measure) => measure === 'in_doubt');
}

/** The period of a query, or the day in it that is the key of the row asked about. */
function keySpan({ groupBy, key, from, to, timeZone }: CountedQuery): TimeSpan {
  if (groupBy !== 'day' || key === undefined) return { from, to };
  if (!isRealDate(key)) return { from, to: from };
  const day = daysIn(key, key, timeZone);
  return { from: Math.max(from, day.from), to: Math.min(to, day.to) };
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

/** How many days of operations one statement may read. Infinity: the whole period, because an index keeps it quick. */
function daysAtOnce(dialect: SqlDialect, measures: readonly OperationMeasure[]): number {
  return countOnlyOpen(measures) ? Number.POSITIVE_INFINITY : dialect.sliceDays;
}

/** The values of every statement here, in their order. */
function queryValues({ tenant, caller }: ActivityQuery, { from, to }: TimeSpan): Value[] {
  return [tenant, from, to, ...(caller === undefined ? [] : [caller])];
}

/** The rows of a report in one row of the database, which has a part of every measure. */
function toActivityRows(row: Row, { groupBy, measures = MEASURES }: ActivityQuery): ActivityRow[] {
  const key = groupBy === 'day' ? utcDay(Number(row.key) * DAY_MS) : String(row.key);
  return measures.flatMap((measure) => {
    const count = Number(row[measure] ?? 0);
    if (count === 0) return [];
    const currency = currencyColumn(measure);
    const sum = currency === undefined ? undefined : moneyIn(row[`${measure}_minor`], row[currency]);
    return { key, measure, count, unstated: Number(row[`${measure}_unstated`] ?? 0), sum };
  });
}

/** The column that has the currency of a measure's sum. Undefined if the measure only counts. */
function currencyColumn(measure: Measure): string | undefined {
  return countsFindings(measure) ? undefined : MEASURE_SQL[measure].currency;
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

function moneyIn(minor: unknown, currency: unknown): Money | undefined {
  if ((minor ?? null) === null || (currency ?? null) === null) return undefined;
  return { minor: Number(minor), currency: String(currency) };
}

/**
 * SQL for the sums of a span. Groups operations that are alike in every measure first, because evaluating the
 * conditions of all measures for each operation takes long.
 */
function sumsSql(dialect: SqlDialect, query: ActivityQuery, span: OffsetSpan): string {
  const measures = operationMeasures(query);
  const sums = measures.flatMap((measure) => {
    const { when, minor, currency } = MEASURE_SQL[measure];
    const count = (condition: string, name: string) => `sum(case when ${condition} then n else 0 end) as ${name}`;
    if (minor === undefined) return [count(when, measure)];
    return [
      count(when, measure),
      `sum(case when ${when} then ${minor} end) as ${measure}_minor`,
      count(`${when} and ${currency} is null`, `${measure}_unstated`),
    ];
  });
  const alike = 'key, moved, lapsed, paid_in, refunded_in, kept_in';
  return `${moneySql(dialect, query, { measures, isList: false, span })}
select key, paid_in, refunded_in, kept_in, ${sums.join(', ')} from (
  select ${alike}, count(*) as n, sum(paid) as paid, sum(refunded) as refunded, sum(kept) as kept
  from money group by ${alike}
) alike group by key, paid_in, refunded_in, kept_in`;
}

/**
 * SQL for the rows behind one number. Its parameters: those of the sums, those of `conditions`
 * ({@link listConditions}), and the limit.
 */
function countedSql(
  dialect: SqlDialect,
  query: CountedQuery,
  measure: OperationMeasure,
  conditions: readonly string[],
): string {
  const { prefix: s } = dialect;
  const { when, minor = 'null', currency = 'null' } = MEASURE_SQL[measure];
  return `${moneySql(dialect, query, { measures: [measure], isList: true, span: NO_DAYS })}
select o.id, o.created_at as at, o.tool as what, o.state as status, coalesce(o.locator, ${dialect.text('o.outcome', ['locator'])}) as locator, found.minor, found.currency
from (select id, at, ${minor} as minor, ${currency} as currency from money
  where ${[when, ...conditions].join(' and ')} order by at desc, id desc limit ?) found
join ${s}operation o on o.id = found.id order by o.created_at desc, o.id desc`;
}

/** What the statements over `money` need of it. Other columns are not read. */
interface NeededColumns {
  /** Whether the statement lists operations, so that it needs their id and time. */
  readonly isList: boolean;
  readonly measures: readonly OperationMeasure[];
  readonly span: Pick<OffsetSpan, 'offset'>;
}

/**
 * SQL of the table `money`: what each operation paid, refunded and kept, each with its currency. Amounts of refunds
 * and changes are in the JSON of `outcome`, routes in that of `facts`: columns of their own would have to be written with
 * every operation, for a report once a day.
 */
function moneySql(dialect: SqlDialect, query: ActivityQuery, needed: NeededColumns): string {
  const { inParsed } = dialect;
  const currencyOf = (...path: string[]) => inParsed('outcome', [...path, 'currency']);
  const minorOf = (...path: string[]) => `cast(${inParsed('outcome', [...path, 'minor'])} as bigint)`;
  // As `amountKept` (domain/pricing/airline-stated-refund.ts): the penalty with its VAT, if both are in one currency.
  const mayKeep = `${MAY_REFUND} and coalesce(${currencyOf('refund', 'vat')}, ${currencyOf('refund', 'penalty')}) = ${currencyOf('refund', 'penalty')}`;
  return `
with done as materialized (${doneSql(dialect, query, needed)}
), money as (
  select key, ${needed.isList ? 'id, at, ' : ''}moved, lapsed,
    case moved when 'payment' then currency when 'change' then ${currencyOf('charge', 'amount')} end as paid_in,
    case moved when 'payment' then amount_minor when 'change' then ${minorOf('charge', 'amount')} end as paid,
    case when ${MAY_REFUND} then ${currencyOf('refund', 'amount')} end as refunded_in,
    case when ${MAY_REFUND} then ${minorOf('refund', 'amount')} end as refunded,
    case when ${mayKeep} then ${currencyOf('refund', 'penalty')} end as kept_in,
    case when ${mayKeep} then ${minorOf('refund', 'penalty')} + coalesce(${minorOf('refund', 'vat')}, 0) end as kept
  from done
)`;
}

/**
 * SQL of the table `done`: the operations of a span with their key, their `moved` and their parsed outcome. It must be
 * `materialized`, or each use would parse the JSON again.
 */
function doneSql(dialect: SqlDialect, query: ActivityQuery, { isList, measures, span }: NeededColumns): string {
  const { prefix: s, text, parsed, unindexed } = dialect;
  const { acts, groupBy, caller } = query;
  const keys: Record<ActivityKey, string> = {
    day: dayNumber('o.created_at', span),
    route: `coalesce(${text('o.facts', ['route'])}, 'unknown')`,
    tool: 'o.tool',
    status: 'o.state',
    caller: 'o.caller',
    payment_type: `coalesce(${text('o.facts', ['paymentType'])}, 'unknown')`,
  };
  const mayHaveLapsed = `o.state = 'succeeded' and ${isCountedAs(acts, 'hold')}`;
  // Reads no other outcomes: they are most of the journal's text.
  const mayStateAmounts = `(o.direction = 'refund' or ${isCountedAs(acts, 'exchange')})`;
  const needsAmounts = measures.some((measure) => MEASURE_SQL[measure].minor !== undefined);
  const outcome = needsAmounts ? `case when ${mayStateAmounts} then ${parsed('o.outcome')} end` : parsed('null');
  const lapsed = measures.includes('holds_lapsed')
    ? `case when ${mayHaveLapsed} then ${lapsedSql(dialect, query)} end`
    : 'cast(null as integer)';
  const onlyOpen = countOnlyOpen(measures);
  // Makes SQLite use the small index of open operations, or the index of time.
  const skipsIndex = onlyOpen || caller === undefined ? unindexed : '';
  const conditions = [
    `${skipsIndex}o.tenant = ? and o.created_at >= ? and o.created_at < ?`,
    ...(caller === undefined ? [] : [`${skipsIndex}o.caller = ?`]),
    ...(onlyOpen ? [`o.${OPEN}`] : []),
  ];
  return `
  select ${keys[groupBy]} as key, ${isList ? 'o.id, o.created_at as at, ' : ''}o.currency, o.amount_minor,
    ${outcome} as outcome, ${lapsed} as lapsed, ${movedSql(acts)} as moved
  from ${s}operation o where ${conditions.join(' and ')}`;
}

/**
 * SQL: what an operation did.
 *
 * | `moved`             | the operation                                   |
 * | ------------------- | ----------------------------------------------- |
 * | `open`              | may still act, or its outcome is unknown        |
 * | `ended`             | did nothing                                     |
 * | `change`            | changed a flight, and may have paid or refunded |
 * | `payment`, `refund` | did that, as its `direction` says               |
 * | `made`              | made a hold                                     |
 * | `changed`           | changed a booking without money                 |
 * | `other`             | did something else                              |
 */
function movedSql(acts: Acts): string {
  return `case when o.${OPEN} then 'open' when o.state <> 'succeeded' then 'ended'
      when ${isCountedAs(acts, 'exchange')} then 'change' when o.direction is not null then o.direction
      when ${isCountedAs(acts, 'hold')} then 'made' when ${isCountedAs(acts, 'change')} then 'changed' else 'other' end`;
}

/** SQL: the condition of operations `o` of acts that count as one of these. */
function isCountedAs(acts: Acts, ...counted: readonly CountedAs[]): string {
  return `o.tool ${toolIn(acts, ...counted)}`;
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
  const mayHaveDone = (...counted: CountedAs[]) => `exists (select 1 from ${s}operation a
    where a.tenant = o.tenant and a.locator = o.locator
    and a.tool ${toolIn(acts, ...counted)} and a.state not in ('refused', 'not_executed'))`;
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
      when ${mayHaveDone('payment')} then 0
      when l.state = 'cancelled' and ${mayHaveDone('refund', 'release')} then 0
      else 1 end
    from (${readings.join(' union all ')}) l order by l.seen_at desc, l.caller desc limit 1) else 0 end`;
}

/** SQL for the sums of findings. Its parameters: tenant, from, to, and the caller if there is one. */
function findingSumsSql(dialect: SqlDialect, query: ActivityQuery, span: OffsetSpan): string {
  return `${findingsSql(dialect, query, span)}
select key, count(*) as findings, sum(case when ${FINDING_CONDITIONS.findings_open} then 1 else 0 end) as findings_open
from found group by key`;
}

/**
 * SQL for the rows behind one number. Its parameters: those of the sums, those of `conditions`
 * ({@link listConditions}), and the limit.
 */
function countedFindingsSql(
  dialect: SqlDialect,
  query: CountedQuery,
  measure: FindingMeasure,
  conditions: readonly string[],
): string {
  return `${findingsSql(dialect, query, NO_DAYS)}
select id, at, what, status, locator, null as minor, null as currency from found
where ${[FINDING_CONDITIONS[measure], ...conditions].join(' and ')} order by at desc, id desc limit ?`;
}

/** SQL of the table `found`: the findings of a span. With a caller, only those of bookings in that caller's ledger. */
function findingsSql(
  dialect: SqlDialect,
  { groupBy, caller, now }: ActivityQuery,
  span: Pick<OffsetSpan, 'offset'>,
): string {
  const { prefix: s, unindexed } = dialect;
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
  const ofCaller = caller === undefined ? '' : `and ${isFindingOfCaller(dialect)}`;
  return `
with found as (
  select ${keys[groupBy]} as key, f.id, f.seen_at as at, f.kind as what, ${status} as status, f.locator
  from ${s}finding f where f.tenant = ? and f.seen_at >= ? and f.seen_at < ? ${ofCaller}
)`;
}

/** SQL: the condition of findings `f` of bookings in the ledger of one caller, which is its one value ({@link isAbout}). */
export function isFindingOfCaller({ prefix: s, text }: SqlDialect): string {
  const [of, made] = [text('f.body', ['bookedAt']), text('b.body', ['createdAt'])];
  const isInLedger = LEDGERS.map(
    (
      table,
    ) => `exists (select 1 from ${s}${table} b where b.tenant = f.tenant and b.caller = c.id and b.locator = f.locator
      and coalesce(${of} = ${made}, true))`,
  );
  return `exists (select 1 from (select ? as id) c where ${isInLedger.join(' or ')})`;
}

/** SQL: the day of an instant, counted from 1970, in a span with one offset. */
function dayNumber(column: string, { offset }: Pick<OffsetSpan, 'offset'>): string {
  return `(${column} + ${Math.trunc(offset)}) / ${DAY_MS}`;
}
