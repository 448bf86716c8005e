/** What is read from the state for a statement, and how each batch of rows becomes rows of the views. */
import type { ViewContext } from './cells.ts';
import type { LedgerRows, LedgerSource } from './ports.ts';
import type { RowsLine, SqlRead } from './sql-tables.ts';
import { viewNamed } from './views.ts';

/** The stored rows from which the statement's reads are filled, each kind once. */
export function sourcesFor(reads: readonly SqlRead[]): readonly LedgerSource[] {
  const views = reads.flatMap((read) => viewNamed(read.table) ?? []);
  const kinds = new Set(views.flatMap(({ each }) => each));
  return [...kinds].map((each) => ({
    each,
    beside: new Set(reads.flatMap((read) => besideOf(read, each))),
    fields: each === 'operations' ? fieldsOf(reads) : undefined,
  }));
}

/** The fields of operations that the statement's reads need. Undefined: all. */
function fieldsOf(reads: readonly SqlRead[]): LedgerSource['fields'] {
  const needed = reads
    .filter(({ table }) => viewNamed(table)?.each.includes('operations'))
    .map(({ table, columns }) => viewNamed(table)?.fields?.(columns));
  return needed.includes(undefined) ? undefined : new Set(needed.flatMap((fields) => fields ?? []));
}

/** The kinds that are needed beside rows of one kind. */
function besideOf({ table, columns: readColumns }: SqlRead, kind: keyof LedgerRows): readonly (keyof LedgerRows)[] {
  const { each = [], beside = {} } = viewNamed(table) ?? {};
  if (!each.includes(kind)) return [];
  return (Object.keys(beside) as (keyof LedgerRows)[]).filter((other) => {
    const needing = beside[other] ?? [];
    return needing.length === 0 || needing.some((name) => readColumns.includes(name));
  });
}

/** Fills what a statement reads from a batch of rows of one kind. */
export function filledBatch(
  reads: readonly SqlRead[],
  each: keyof LedgerRows,
  rows: LedgerRows,
  ctx: ViewContext,
): readonly RowsLine[] {
  return reads.flatMap(({ table, columns: readColumns }, read): RowsLine[] => {
    const view = viewNamed(table);
    if (view?.each.includes(each) !== true) return [];
    const names = view.hasPlaces ? ['place', ...readColumns] : readColumns;
    const cells = view.fill(rows, ctx, each).map((cellOf) => names.map((name) => cellOf(name) ?? null));
    return [[read, cells]];
  });
}
