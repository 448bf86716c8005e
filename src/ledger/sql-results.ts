/** Reads and compares the results of statements. */
import type { DatabaseSync } from 'node:sqlite';
import type { SqlRequest, SqlResult } from './sql-tables.ts';

/** More rows than a table of all rows has: two results can be compared only where they are whole. */
export const WHOLE = { mostRows: 10_000, mostText: 4_000_000 };

/** Whether these are the same rows, in any order. */
export function sameRows(
  some: readonly Pick<SqlResult, 'rows'>[],
  others: readonly Pick<SqlResult, 'rows'>[],
): boolean {
  const texts = (all: readonly Pick<SqlResult, 'rows'>[]) =>
    all.flatMap(({ rows }) => rows.map((row) => JSON.stringify(row))).sort();
  return JSON.stringify(texts(some)) === JSON.stringify(texts(others));
}

export function textsOf(database: DatabaseSync, sql: string, ...values: readonly string[]): readonly string[] {
  return database
    .prepare(sql)
    .all(...values)
    .map((row) => String(Object.values(row)[0]));
}

/** The first rows of a result, as many as were asked for. */
export function cutTo(result: SqlResult, { mostRows, mostText }: SqlRequest): SqlResult {
  const { rows } = result;
  let textLength = 0;
  for (const [i, row] of rows.entries()) {
    if (i === mostRows) return { ...result, rows: rows.slice(0, i), cut: 'rows' };
    for (const cell of row) textLength += String(cell).length;
    if (textLength > mostText) return { ...result, rows: rows.slice(0, i), cut: 'text' };
  }
  return result;
}
