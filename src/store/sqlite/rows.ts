/** Opens a state file once more, only to read the rows of questions in SQL, in a process of their own. */
import { DatabaseSync } from 'node:sqlite';
import { StoredCustomers } from '../customers.ts';
import { digestKey } from '../database.ts';
import { type OpenRows, StoredLedgerRows } from '../ledger-rows.ts';
import { cannotUse } from '../opening.ts';
import { SqliteDatabase } from './database.ts';

/** How long a read waits for another process that changes the file as a whole, milliseconds. */
const BUSY_MS = 5_000;

/**
 * The server has opened the file and knows that it is of this version.
 * @throws ClerkError E_STATE_DOWN if it cannot be read
 */
export async function openSqliteRows(file: string): Promise<OpenRows> {
  try {
    const db = new SqliteDatabase(new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS }), BUSY_MS);
    // Sorting must not write rows into a file.
    db.exec('pragma temp_store = memory; pragma query_only = on;');
    const rows = new StoredLedgerRows(db, new StoredCustomers(db, await digestKey(db), Date.now));
    return { rows, close: async () => db.close() };
  } catch (error) {
    throw cannotUse('The state file cannot be read.', 'Nothing was changed.', 'none', error);
  }
}
