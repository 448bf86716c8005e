/** How the rows of the views are found: by an index, and each page after the one before it without reading that one again. */

import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test, vi } from 'vitest';
import { CLERK, END, manyActs, SQLITE, START } from '../../bench/support/many-acts.ts';
import type { LedgerRows } from '../../src/ledger/ports.ts';
import { NO_LEDGER_ROWS } from '../../src/store/ledger-rows.ts';
import { openSqliteState } from '../../src/store/sqlite/state.ts';
import { newFolder } from '../campaigns/support/folders.ts';

const KINDS = Object.keys(NO_LEDGER_ROWS) as (keyof LedgerRows)[];
const folder = newFolder('row-plans');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The steps by which the second page of each kind is found, without those of sorting. */
async function plansOf(caller?: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const file = `${folder}/${caller ?? 'desk'}.sqlite`;
  const state = await openSqliteState(file, { now: () => END });
  const db = new DatabaseSync(file);
  // Most of them of the first caller, so that both queries have a second page.
  for (const sql of manyActs(SQLITE, 3_000)) db.exec(sql);
  const plans: Record<string, readonly string[]> = {};
  const query = { tenant: CLERK.tenant, from: START, to: END, ...(caller && { caller }) };
  for (const each of ['reach', ...KINDS] as const) {
    const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare');
    if (each === 'reach') await state.ledgerRows.reach({ ...query, months: [START] });
    else for await (const _ of state.ledgerRows.batches(query, { each, beside: new Set(KINDS) }));
    const statements = [...new Set(prepared.mock.calls.map(([sql]) => sql))].filter((sql) => sql.includes('select'));
    prepared.mockRestore();
    // Of two lower bounds SQLite takes the first, and reads for each page all pages before it.
    for (const sql of statements)
      expect(sql.match(/(?:created|seen|asked)_at >= \?/g)?.length ?? 0).toBeLessThan(each === 'bookings' ? 3 : 2);
    const steps = statements.flatMap((sql) => db.prepare(`explain query plan ${sql}`).all());
    const found = steps
      .map(({ detail }) => String(detail))
      .filter((step) => /^(?:SCAN|SEARCH) (?!json|kept$|entry$|made$|value)/.test(step));
    plans[each] = [...new Set(found)].sort();
  }
  db.close();
  await state.close();
  return plans;
}

test('SQLite finds the rows of the whole desk', async () => {
  expect(await plansOf()).toMatchInlineSnapshot(`
    {
      "bookings": [
        "SCAN booking_entries",
        "SCAN past_booking_entries",
        "SEARCH customer USING PRIMARY KEY (tenant=? AND locator=?)",
        "SEARCH kept USING INDEX booking_by_locator (locator=?)",
        "SEARCH kept USING INDEX booking_by_locator (locator>?)",
        "SEARCH kept USING INDEX past_booking_by_locator (locator=?)",
        "SEARCH kept USING INDEX past_booking_by_locator (locator>?)",
        "SEARCH operation USING INDEX op_by_locator (tenant=? AND locator=?)",
        "SEARCH operation USING INDEX op_open (created_at<?)",
      ],
      "failures": [
        "SEARCH failure USING PRIMARY KEY (tenant=?)",
      ],
      "findings": [
        "SEARCH f USING INDEX finding_by_time (tenant=? AND seen_at>? AND seen_at<?)",
        "SEARCH f USING INDEX finding_open (tenant=? AND seen_at>? AND seen_at<?)",
      ],
      "makings": [],
      "operations": [
        "SEARCH approval USING INDEX sqlite_autoindex_approval_2 (operation_id=?)",
        "SEARCH operation USING INDEX op_by_locator (tenant=? AND locator=?)",
        "SEARCH operation USING INDEX op_by_time (created_at>? AND created_at<?)",
        "SEARCH operation USING INDEX op_open (created_at>? AND created_at<?)",
        "SEARCH past_question USING PRIMARY KEY (operation_id=?)",
      ],
      "questions": [
        "SEARCH approval USING INDEX sqlite_autoindex_approval_2 (operation_id>?)",
        "SEARCH past_question USING INDEX past_question_by_time (tenant=? AND asked_at>? AND asked_at<?)",
      ],
      "reach": [
        "SEARCH operation USING INDEX op_by_time (created_at>? AND created_at<?)",
      ],
      "sales": [],
    }
  `);
});

test('SQLite finds the rows of one caller', async () => {
  expect(await plansOf(CLERK.id)).toMatchInlineSnapshot(`
    {
      "bookings": [
        "SCAN booking_entries",
        "SCAN past_booking_entries",
        "SEARCH customer USING PRIMARY KEY (tenant=? AND locator=?)",
        "SEARCH kept USING INDEX booking_by_locator (locator=?)",
        "SEARCH kept USING INDEX past_booking_by_locator (locator=?)",
        "SEARCH kept USING PRIMARY KEY (tenant=? AND caller=? AND locator>?)",
        "SEARCH operation USING INDEX op_by_locator (tenant=? AND locator=?)",
        "SEARCH operation USING INDEX op_open (created_at<?)",
      ],
      "failures": [],
      "findings": [
        "SCAN CONSTANT ROW",
        "SCAN c",
        "SEARCH b USING PRIMARY KEY (tenant=? AND caller=? AND locator=?)",
        "SEARCH f USING INDEX finding_by_time (tenant=? AND seen_at>? AND seen_at<?)",
        "SEARCH f USING INDEX finding_open (tenant=? AND seen_at>? AND seen_at<?)",
      ],
      "makings": [],
      "operations": [
        "SEARCH approval USING INDEX sqlite_autoindex_approval_2 (operation_id=?)",
        "SEARCH operation USING INDEX op_by_caller (tenant=? AND caller=? AND created_at>? AND created_at<?)",
        "SEARCH operation USING INDEX op_by_locator (tenant=? AND locator=?)",
        "SEARCH operation USING INDEX op_open (created_at>? AND created_at<?)",
        "SEARCH past_question USING PRIMARY KEY (operation_id=?)",
      ],
      "questions": [
        "SEARCH approval USING INDEX sqlite_autoindex_approval_2 (operation_id>?)",
        "SEARCH past_question USING INDEX past_question_by_time (tenant=? AND asked_at>? AND asked_at<?)",
      ],
      "reach": [
        "SEARCH operation USING COVERING INDEX op_by_caller (tenant=? AND caller=? AND created_at>? AND created_at<?)",
      ],
      "sales": [],
    }
  `);
});
