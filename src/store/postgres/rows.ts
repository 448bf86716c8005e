/** Opens a database once more, only to read the rows of questions in SQL, in a process of their own. */
import { StoredCustomers } from '../customers.ts';
import { digestKey } from '../database.ts';
import { type OpenRows, StoredLedgerRows } from '../ledger-rows.ts';
import { postgresAt } from './database.ts';

/** The server has opened it and knows that it is of this version. @throws ClerkError E_STATE_DOWN if it cannot be read */
export async function openPostgresRows(url: string, schema: string): Promise<OpenRows> {
  const database = postgresAt(url, schema, { checksTimes: false, max: 1 });
  const db = database.beforeSending;
  const rows = new StoredLedgerRows(db, new StoredCustomers(db, await digestKey(db), Date.now));
  return { rows, close: () => database.close() };
}
