/** All rows of a period at once: the program reads them in batches. */
import { type LedgerReader, type LedgerRows, type LedgerRowsQuery, NO_LEDGER_ROWS } from '../../src/ledger/ports.ts';

const KINDS = Object.keys(NO_LEDGER_ROWS) as (keyof LedgerRows)[];

export async function allRows(reader: LedgerReader, query: LedgerRowsQuery, kinds = KINDS): Promise<LedgerRows> {
  const rows = Object.fromEntries(KINDS.map((kind) => [kind, [] as unknown[]]));
  for (const each of kinds) {
    for await (const batch of reader.batches(query, { each, beside: new Set() })) rows[each]?.push(...batch[each]);
  }
  return rows as unknown as LedgerRows;
}
