/** Sums up the journal, and finds the operations behind each sum. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Money } from '../domain/pricing/money.ts';
import {
  type Activity,
  type ActivityKey,
  type ActivityQuery,
  type ActivityRow,
  type CountedQuery,
  MEASURES,
  type Measure,
} from '../journal/activity.ts';
import type { Operation } from '../journal/operation.ts';
import { lastArchive } from './archive/archives.ts';
import type { Database, Row } from './database.ts';
import { countedSql, KEY, MEASURED, sumsSql } from './measures.ts';
import { toOperation } from './operation-row.ts';

const DAY_MS = 86_400_000;

/** A SQLite statement blocks the whole process, so other calls run between slices. */
export async function activityOf(db: Database, query: ActivityQuery): Promise<Activity> {
  const sql = sumsSql(db.dialect, query);
  db.catchUp();
  const rows: ActivityRow[] = [];
  for (const span of slicesOf(query, db.dialect.sliceDays)) {
    const found = await db.all(sql, ...valuesOf(query, span));
    rows.push(...found.flatMap((row) => toActivityRows(row, query.groupBy)));
    await letOthersRun();
  }
  const { before } = (await lastArchive(db)) ?? {};
  const isCut = before !== undefined && before > query.from;
  return { rows, ...(isCut && { archivedBefore: before }) };
}

/** Newest first. Reads no further back than the page needs. */
export async function countedOf(db: Database, query: CountedQuery): Promise<readonly Operation[]> {
  const { dialect } = db;
  const { after, limit, measure } = query;
  const { from, to } = keySpan(query);
  const end = Math.min(to, after === undefined ? to : after.createdAt + 1);
  const key = query.groupBy === 'day' ? undefined : query.key;
  const sql = countedSql(dialect, query, key !== undefined);
  db.catchUp();
  const found: Operation[] = [];
  // The few open operations have indexes of their own.
  const days = measure === 'in_doubt' ? Number.POSITIVE_INFINITY : dialect.sliceDays;
  for (const span of slicesOf({ from, to: end }, days).reverse()) {
    const beyond = after === undefined ? [] : [after.createdAt, after.id];
    const values = [...valuesOf(query, span), ...(key === undefined ? [] : [key]), ...beyond];
    found.push(...(await db.all(sql, ...values, limit - found.length)).map(toOperation));
    if (found.length === limit) break;
    await letOthersRun();
  }
  return found;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A row of a report by day is a shorter span. */
function keySpan({ groupBy, key, from, to }: CountedQuery): Span {
  const day = groupBy === 'day' && key !== undefined ? Date.parse(`${key}T00:00:00Z`) : undefined;
  if (day === undefined) return { from, to };
  return Number.isNaN(day) ? { from, to: from } : { from: Math.max(from, day), to: Math.min(to, day + DAY_MS) };
}

function valuesOf({ groupBy, ledgerOf, tenant, caller }: ActivityQuery, { from, to }: Span) {
  return [
    ...(groupBy === 'route' && ledgerOf !== undefined ? [ledgerOf] : []),
    ...[tenant, from, to],
    ...(caller === undefined ? [] : [caller]),
  ];
}

/** Cuts a span into pieces, oldest first, so that no statement takes long. An operation never changes its time. */
function slicesOf({ from, to }: Span, days: number): Span[] {
  const sliceMs = days * DAY_MS;
  if (to <= from) return [];
  if (sliceMs >= to - from) return [{ from, to }];
  const count = Math.ceil((to - from) / sliceMs);
  return Array.from({ length: count }, (_, i) => {
    const start = from + i * sliceMs;
    return { from: start, to: Math.min(start + sliceMs, to) };
  });
}

/** One row of the database has a part of every measure. */
function toActivityRows(row: Row, groupBy: ActivityKey): ActivityRow[] {
  const key = groupBy === 'day' ? new Date(Number(row[KEY]) * DAY_MS).toISOString().slice(0, 10) : String(row[KEY]);
  return MEASURES.flatMap((measure) => {
    const count = Number(row[measure]);
    if (count === 0) return [];
    const sum = sumOf(row, measure);
    return { key, measure, count, unstated: Number(row[`${measure}_unstated`] ?? 0), ...(sum && { sum }) };
  });
}

function sumOf(row: Row, measure: Measure): Money | undefined {
  const { currency } = MEASURED[measure];
  if (currency === undefined || row[currency] === null) return undefined;
  const minor = row[`${measure}_minor`];
  return minor === null ? undefined : { minor: Number(minor), currency: String(row[currency]) };
}
