/** The stores that are the same on SQLite and PostgreSQL. sqlite/state.ts and postgres/state.ts add those that differ. */

import { StoredClaims, StoredTicketKeys } from './access.ts';
import { StoredPauses } from './airline-pauses.ts';
import { StoredApprovals } from './approvals.ts';
import { StoredCallRecords } from './call-records.ts';
import type { StoredCustomers } from './customers.ts';
import type { Database } from './database.ts';
import { StoredDecidedQuestions } from './decided.ts';
import { StoredDeliveries, StoredOutbox } from './events.ts';
import { StoredLedger } from './ledger.ts';
import { StoredLedgerRows } from './ledger-rows.ts';
import { StoredLogins } from './logins.ts';
import { StoredOffers } from './offers.ts';
import { StoredPlans } from './plans.ts';
import { StoredLeases } from './programs.ts';
import { StoredFindings, StoredWatches } from './watching.ts';

export function sharedStores(db: Database, customers: StoredCustomers, now: () => number) {
  return {
    offers: new StoredOffers(db, now),
    ledger: new StoredLedger(db, customers),
    ledgerRows: new StoredLedgerRows(db, customers),
    approvals: new StoredApprovals(db),
    plans: new StoredPlans(db),
    claims: new StoredClaims(db),
    decided: new StoredDecidedQuestions(db),
    callRecords: new StoredCallRecords(db),
    ticketKeys: new StoredTicketKeys(db),
    leases: new StoredLeases(db),
    outbox: new StoredOutbox(db),
    deliveries: new StoredDeliveries(db),
    findings: new StoredFindings(db),
    watches: new StoredWatches(db),
    logins: new StoredLogins(db),
    airlinePauses: new StoredPauses(db),
  };
}
