/** Opens a database once more, only to read the rows of questions in SQL, in a process of their own. */
import { StoredCustomers } from '../customers.ts';
import { digestKey } from '../database.ts';
import { StoredLedgerRows } from '../ledger-rows.ts';
import { postgresAt } from './database.ts';

/** The server has opened it and knows that it is of this version. @throws ClerkError E_STATE_DOWN if it cannot be read */
export async function openPostgresRows(url: string, schema: string): Promise<StoredLedgerRows> {
  const db = postgresAt(url, schema, { checksTimes: false, max: 1 }).beforehand;
  return new StoredLedgerRows(db, new StoredCustomers(db, await digestKey(db), Date.now));
}
