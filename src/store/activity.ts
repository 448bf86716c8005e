/** Sums up the journal and the findings, and lists what is behind each sum. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import {
  type Activity,
  type ActivityKey,
  type ActivityQuery,
  type ActivityRow,
  type Counted,
  type CountedQuery,
  MEASURES,
  type Measure,
} from '../journal/activity.ts';
import { lastArchive } from './archive/archives.ts';
import type { Database, Row, Value } from './database.ts';
import { countedFindingsSql, findingSumsSql, isOfFindings } from './finding-measures.ts';
import { countedSql, MEASURED, sumsSql } from './measures.ts';

const DAY_MS = 86_400_000;

/** A SQLite statement blocks the whole process, so other calls run between slices. */
export async function activityOf(db: Database, query: ActivityQuery): Promise<Activity> {
  const { before } = (await lastArchive(db)) ?? {};
  const sql = sumsSql(db.dialect, { ...query, archivedBefore: before });
  db.catchUp();
  const rows: ActivityRow[] = [];
  for (const span of slicesOf(query, db.dialect.sliceDays)) {
    const found = await db.all(sql, ...valuesOf(query, span));
    rows.push(...found.flatMap((row) => toActivityRows(row, query.groupBy)));
    await letOthersRun();
  }
  const found = await db.all(findingSumsSql(db.dialect, query), ...findingValues(query, query));
  rows.push(...found.flatMap((row) => toActivityRows(row, query.groupBy)));
  const isCut = before !== undefined && before > query.from;
  return { rows, ...(isCut && { archivedBefore: before }) };
}

/** Newest first. Reads no further back than the page needs. */
export async function countedOf(db: Database, query: CountedQuery): Promise<readonly Counted[]> {
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
  const archivedBefore = (await lastArchive(db))?.before;
  const sql = countedSql(dialect, { ...query, archivedBefore }, measure, key !== undefined);
  const found: Counted[] = [];
  // The few open operations have indexes of their own.
  const days = measure === 'in_doubt' ? Number.POSITIVE_INFINITY : dialect.sliceDays;
  for (const slice of slicesOf(span, days).reverse()) {
    const values = [...valuesOf(query, slice), ...beyond, limit - found.length];
    found.push(...(await db.all(sql, ...values)).map(toCounted));
    if (found.length === limit) break;
    await letOthersRun();
  }
  return found;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function keySpan({ groupBy, key, from, to }: CountedQuery): Span {
  if (groupBy !== 'day' || key === undefined) return { from, to };
  const day = Date.parse(`${key}T00:00:00Z`);
  return Number.isNaN(day) ? { from, to: from } : { from: Math.max(from, day), to: Math.min(to, day + DAY_MS) };
}

function valuesOf({ groupBy, ledgerOf, tenant, caller }: ActivityQuery, { from, to }: Span): Value[] {
  return [
    ...(groupBy === 'route' && ledgerOf !== undefined ? [ledgerOf] : []),
    ...[tenant, from, to],
    ...(caller === undefined ? [] : [caller]),
  ];
}

function findingValues({ tenant, caller }: ActivityQuery, { from, to }: Span): Value[] {
  return [tenant, from, to, ...(caller === undefined ? [] : [caller])];
}

/** Cuts a span into pieces, oldest first, so that no statement takes long. An operation never changes its time. */
function slicesOf({ from, to }: Span, days: number): Span[] {
  if (to <= from) return [];
  const sliceMs = Math.min(days * DAY_MS, to - from);
  return Array.from({ length: Math.ceil((to - from) / sliceMs) }, (_, i) => {
    const start = from + i * sliceMs;
    return { from: start, to: Math.min(start + sliceMs, to) };
  });
}

/** One row of the database has a part of every measure. */
function toActivityRows(row: Row, groupBy: ActivityKey): ActivityRow[] {
  const key = groupBy === 'day' ? new Date(Number(row.key) * DAY_MS).toISOString().slice(0, 10) : String(row.key);
  return MEASURES.flatMap((measure) => {
    const count = Number(row[measure] ?? 0);
    if (count === 0) return [];
    const sum = moneyIn(row[`${measure}_minor`], row[currencyColumn(measure)]);
    return { key, measure, count, unstated: Number(row[`${measure}_unstated`] ?? 0), ...(sum && { sum }) };
  });
}

const currencyColumn = (measure: Measure): string => (isOfFindings(measure) ? '' : (MEASURED[measure].currency ?? ''));

function toCounted({ id, at, what, status, locator, minor, currency }: Row): Counted {
  const amount = moneyIn(minor, currency);
  return {
    ...{ id: String(id), at: Number(at), what: String(what), status: String(status) },
    ...(locator !== null && { locator: String(locator) }),
    ...(amount && { amount }),
  };
}

function moneyIn(minor: unknown, currency: unknown) {
  if ((minor ?? null) === null || (currency ?? null) === null) return undefined;
  return { minor: Number(minor), currency: String(currency) };
}
