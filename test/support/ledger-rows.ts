/** All rows of a period at once, which the program reads in batches, and what a statement answers over them. */

import { filledBatch, sourcesFor } from '../../src/ledger/filling.ts';
import type { LedgerReader, LedgerRows, LedgerRowsQuery } from '../../src/ledger/ports.ts';
import { viewTables } from '../../src/ledger/views.ts';
import { NO_LEDGER_ROWS } from '../../src/store/ledger-rows.ts';
import { ACTS } from './rules.ts';
import { runMadeNow } from './run-sql.ts';

const KINDS = Object.keys(NO_LEDGER_ROWS) as (keyof LedgerRows)[];

export async function allRows(reader: LedgerReader, query: LedgerRowsQuery, kinds = KINDS): Promise<LedgerRows> {
  const rows = Object.fromEntries(KINDS.map((kind) => [kind, [] as unknown[]]));
  for (const each of kinds) {
    for await (const batch of reader.batches(query, { each, beside: new Set() })) rows[each]?.push(...batch[each]);
  }
  return rows as unknown as LedgerRows;
}

export interface LedgerQuestion extends LedgerRowsQuery {
  readonly now: number;
  readonly timeZone: string;
}

/** The rows that one SELECT over the views gives. */
export async function askLedger(
  reader: LedgerReader,
  { now, timeZone, ...query }: LedgerQuestion,
  sql: string,
): Promise<readonly (readonly unknown[])[]> {
  const context = { acts: ACTS, timeZone, now, changeWords: () => '' };
  const question: Parameters<typeof runMadeNow>[0] = {
    ...{ tables: viewTables(true), sql, now, timeZone, mostRows: 2_000, mostText: 400_000 },
    rowsOf: async function* (reads) {
      for (const source of sourcesFor(reads)) {
        for await (const rows of reader.batches(query, source)) yield* filledBatch(reads, source.each, rows, context);
      }
    },
  };
  const end = await runMadeNow(question, 30_000);
  if ('failed' in end) throw new Error(JSON.stringify(end.failed));
  return end.rows;
}
