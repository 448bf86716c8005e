/** The stores that are the same on SQLite and PostgreSQL. sqlite/state.ts and postgres/state.ts add those that differ. */

import { StoredTicketKeys } from './access.ts';
import { StoredPauses } from './airline-pauses.ts';
import { StoredCallRecords } from './call-records.ts';
import type { StoredCustomers } from './customers.ts';
import type { Database } from './database.ts';
import { StoredDecidedQuestions } from './decided.ts';
import { StoredDeliveries, StoredOutbox } from './events.ts';
import type { ChainOptions } from './journal/journal-chain.ts';
import { StoredEnds } from './journal/waiting-ends.ts';
import { StoredLedgerRows } from './ledger-rows.ts';
import { StoredLogins } from './logins.ts';
import { StoredLeases } from './programs.ts';
import { StoredFindings } from './watching.ts';

/** @param secondRecords the folder of second records; undefined for a state that has none */
export function sharedStores(db: Database, customers: StoredCustomers, secondRecords: ChainOptions['secondRecords']) {
  return {
    ends: new StoredEnds(secondRecords),
    ledgerRows: new StoredLedgerRows(db, customers),
    decided: new StoredDecidedQuestions(db),
    callRecords: new StoredCallRecords(db),
    ticketKeys: new StoredTicketKeys(db),
    leases: new StoredLeases(db),
    outbox: new StoredOutbox(db),
    deliveries: new StoredDeliveries(db),
    findings: new StoredFindings(db),
    logins: new StoredLogins(db),
    airlinePauses: new StoredPauses(db),
  };
}
