/** Sums up the journal and the findings, lists what is behind each sum, and counts what is open. */

import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { OpenCounts } from '../approvals/ports.ts';
import { DAY_MS, HOUR_MS } from '../core/times.ts';
import type { Acts } from '../journal/act.ts';
import {
  type ActivityQuery,
  type ActivityRow,
  type CountedOperation,
  type CountedQuery,
  MEASURES,
  type Measure,
} from '../journal/activity.ts';
import { ACTIVE, type Database, type Row, type Value } from './database.ts';
import { countedFindingsSql, findingSumsSql, isOfFindings } from './finding-measures.ts';
import { completeAtOf } from './journal/checkpoint.ts';
import { asked, countedSql, isOfOpen, MEASURED, sumsSql, toolIn } from './measures.ts';
import { WAITING } from './tables.ts';

/** A SQLite statement blocks the whole process, so other calls run between slices. */
export async function activityOf(database: Database, query: ActivityQuery): Promise<readonly ActivityRow[]> {
  const db = besides(database, query);
  db.catchUp();
  const measures = asked(query);
  const rows = measures.length === 0 ? [] : await sumsOf(db, query, measures);
  if (query.measures?.every((measure) => !isOfFindings(measure))) return rows;
  const found = await db.all(findingSumsSql(db.dialect, query), ...findingValues(query, query));
  return [...rows, ...found.flatMap((row) => toActivityRows(row, query))];
}

async function sumsOf(
  db: Database,
  query: ActivityQuery,
  measures: ReturnType<typeof asked>,
): Promise<readonly ActivityRow[]> {
  const sql = sumsSql(db.dialect, query);
  const rows: ActivityRow[] = [];
  const spans = slicesOf(query, isOfOpen(measures) ? Number.POSITIVE_INFINITY : db.dialect.sliceDays);
  const sumUp = async () => {
    for (let span = spans.shift(); span !== undefined; span = spans.shift()) {
      const found = await db.all(sql, ...valuesOf(query, span));
      rows.push(...found.flatMap((row) => toActivityRows(row, query)));
      await letOthersRun();
    }
  };
  // After a failure nobody waits for the rest.
  const lanes = Array.from({ length: db.dialect.slicesAtOnce }, () => sumUp().finally(() => spans.splice(0)));
  await Promise.all(lanes);
  return rows;
}

/** Newest first. Reads no further back than the page needs. */
export async function countedOf(database: Database, query: CountedQuery): Promise<readonly CountedOperation[]> {
  const db = besides(database, query);
  const { dialect } = db;
  const { after, limit, measure } = query;
  const { from, to } = keySpan(query);
  const span = { from, to: Math.min(to, after === undefined ? to : after.at + 1) };
  // A row of a report by day is a shorter span.
  const key = query.groupBy === 'day' ? undefined : query.key;
  const beyond: Value[] = [...(key === undefined ? [] : [key]), ...(after === undefined ? [] : [after.at, after.id])];
  db.catchUp();
  if (isOfFindings(measure)) {
    const sql = countedFindingsSql(dialect, query, measure, key !== undefined);
    return (await db.all(sql, ...findingValues(query, span), ...beyond, limit)).map(toCounted);
  }
  const sql = countedSql(dialect, query, measure, key !== undefined);
  const found: CountedOperation[] = [];
  const days = isOfOpen([measure]) ? Number.POSITIVE_INFINITY : dialect.sliceDays;
  for (const slice of slicesOf(span, days).reverse()) {
    const values = [...valuesOf(query, slice), ...beyond, limit - found.length];
    found.push(...(await db.all(sql, ...values)).map(toCounted));
    if (found.length === limit) break;
    await letOthersRun();
  }
  return found;
}

/** A caller's own report never waits behind one of the whole desk. */
function besides(db: Database, { caller }: ActivityQuery): Database {
  return db.aside(caller === undefined ? 'desk_reports' : 'reports');
}

interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

function keySpan({ groupBy, key, from, to }: CountedQuery): TimeSpan {
  if (groupBy !== 'day' || key === undefined) return { from, to };
  const day = Date.parse(`${key}T00:00:00Z`);
  return Number.isNaN(day) ? { from, to: from } : { from: Math.max(from, day), to: Math.min(to, day + DAY_MS) };
}

function valuesOf({ groupBy, ledgerOf, tenant, caller }: ActivityQuery, { from, to }: TimeSpan): Value[] {
  return [
    ...(groupBy === 'route' && ledgerOf !== undefined ? [ledgerOf] : []),
    ...[tenant, from, to],
    ...(caller === undefined ? [] : [caller]),
  ];
}

function findingValues({ tenant, caller }: ActivityQuery, { from, to }: TimeSpan): Value[] {
  return [tenant, from, to, ...(caller === undefined ? [] : [caller])];
}

/** @param now to leave out expired approvals */
export async function openCounts(db: Database, now: number, acts: Acts): Promise<OpenCounts> {
  const { prefix: s } = db.dialect;
  const lapsed = `${WAITING} and expires_at > ? and expires_at <= ?`;
  const row = await db.brief(
    `select (select count(*) from ${s}operation where ${ACTIVE} and state = 'in_doubt') as in_doubt,
     (select count(*) from ${s}operation where state = 'needs_person') as needs_person,
     (select count(*) from ${s}operation where state = 'needs_person' and tool ${toolIn(acts, 'hold')}) as holds,
     (select min(updated_at) from ${s}operation where state = 'needs_person') as since,
     (select count(*) from ${s}approval where ${WAITING} and expires_at > ?) as waiting,
     (select count(*) from ${s}approval where ${lapsed} and asked_by in ('elicit', 'either')) as lapsed_dialog,
     (select count(*) from ${s}approval where ${lapsed} and asked_by = 'page') as lapsed_page,
     (select count(*) from ${s}finding where closed_at is null and (departs_at is null or departs_at > ?)) as findings,
     (select min(next_at) from ${s}watch where next_at <= ?) as due_since,
     (select value from ${s}meta where key = 'verified') as verified,
     (select count(*) from ${s}meta where key = 'hold') as held,
     (select count(*) from ${s}meta where key = 'pause') as paused`,
    ...[now, now - HOUR_MS, now, now - HOUR_MS, now, now, now],
  );
  if (row === undefined) throw new Error('the database returned no counts');
  return {
    inDoubt: Number(row.in_doubt),
    needsPerson: Number(row.needs_person),
    needsPersonHolds: Number(row.holds),
    ...(row.since !== null && { needsPersonSince: Number(row.since) }),
    approvalsWaiting: Number(row.waiting),
    approvalsLapsed: { dialog: Number(row.lapsed_dialog), page: Number(row.lapsed_page) },
    findingsOpen: Number(row.findings),
    ...(row.due_since !== null && { readingDueSince: Number(row.due_since) }),
    ...(row.verified !== null && { journalCheckedAt: completeAtOf(String(row.verified)) }),
    ...(Number(row.held) > 0 && { held: true }),
    ...(Number(row.paused) > 0 && { paused: true }),
  };
}

/** Cuts a span into pieces, oldest first, so that no statement takes long. An operation never changes its time. */
function slicesOf({ from, to }: TimeSpan, days: number): TimeSpan[] {
  if (to <= from) return [];
  const sliceMs = Math.min(days * DAY_MS, to - from);
  return Array.from({ length: Math.ceil((to - from) / sliceMs) }, (_, i) => {
    const start = from + i * sliceMs;
    return { from: start, to: Math.min(start + sliceMs, to) };
  });
}

/** One row of the database has a part of every measure. */
function toActivityRows(row: Row, { groupBy, measures = MEASURES }: ActivityQuery): ActivityRow[] {
  const key = groupBy === 'day' ? new Date(Number(row.key) * DAY_MS).toISOString().slice(0, 10) : String(row.key);
  return measures.flatMap((measure) => {
    const count = Number(row[measure] ?? 0);
    if (count === 0) return [];
    const sum = moneyIn(row[`${measure}_minor`], row[currencyColumn(measure)]);
    return { key, measure, count, unstated: Number(row[`${measure}_unstated`] ?? 0), ...(sum && { sum }) };
  });
}

const currencyColumn = (measure: Measure): string => (isOfFindings(measure) ? '' : (MEASURED[measure].currency ?? ''));

function toCounted({ id, at, what, status, locator, minor, currency }: Row): CountedOperation {
  const amount = moneyIn(minor, currency);
  return {
    id: String(id),
    at: Number(at),
    what: String(what),
    status: String(status),
    ...(locator !== null && { locator: String(locator) }),
    ...(amount && { amount }),
  };
}

function moneyIn(minor: unknown, currency: unknown) {
  if ((minor ?? null) === null || (currency ?? null) === null) return undefined;
  return { minor: Number(minor), currency: String(currency) };
}
