/** Reads and compares the results of statements. */
import type { DatabaseSync } from 'node:sqlite';
import { OF_ALL } from './sql-permitted.ts';
import type { Cell, SqlRead, SqlRequest, SqlResult, SqlTable } from './sql-tables.ts';

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

/** The first rows, as many as were asked for. */
export function firstRows(
  all: Iterable<readonly Cell[]>,
  { mostRows, mostText }: SqlRequest,
): Pick<SqlResult, 'rows' | 'cut'> {
  const rows: (readonly Cell[])[] = [];
  let textLength = 0;

  for (const row of all) {
    if (rows.length === mostRows) return { rows, cut: 'rows' };
    for (const cell of row) textLength += String(cell).length;
    if (textLength > mostText) return { rows, cut: 'text' };
    rows.push(row);
  }

  return { rows };
}

/** The result with its first rows alone. */
export function cutTo(result: SqlResult, request: SqlRequest): SqlResult {
  return { ...result, ...firstRows(result.rows, request) };
}

/** The tables with amounts that the statement reads. */
export function tablesOfAmounts({ tables }: SqlRequest, reads: readonly SqlRead[]): readonly SqlTable[] {
  return tables.filter(({ name, columns }) => {
    const read = reads.find(({ table }) => table === name);
    return columns.some((each) => each.isAmount && read?.columns.includes(each.name));
  });
}

/** Calls back while views stand in the place of tables: of some of their rows, or with amounts that are worked out from their own. */
export function overViews<T>(
  database: DatabaseSync,
  tables: readonly SqlTable[],
  { amount = (name: string) => name, where = 'true' },
  work: () => T,
): T {
  for (const { name: table, columns } of tables) {
    const cells = columns.map(({ name, isAmount }) => (isAmount ? `${amount(name)} as ${name}` : name));
    database.exec(`alter table ${table} rename to ${table}${OF_ALL};
      create view ${table} as select ${cells.join()} from ${table}${OF_ALL} where ${where};`);
  }

  const result = work();
  for (const { name } of tables) database.exec(`drop view ${name}; alter table ${name}${OF_ALL} rename to ${name};`);
  return result;
}
