/**
 * The state port: everything that outlives a call. One adapter gives all of it (sqlite.ts, postgres.ts).
 */

import type { Claims } from '../approvals/booking-access.ts';
import type { ApprovalStore, OpenCounts } from '../approvals/ports.ts';
import type { Ledger } from '../domain/booking/booking-ledger.ts';
import type { LoginStore } from '../domain/login-store.ts';
import type { OfferStore } from '../domain/pricing/offer-store.ts';
import type { Chain, Clock, OperationStore } from '../journal/ports.ts';

export interface State {
  readonly operations: OperationStore;
  readonly approvals: ApprovalStore;
  readonly offers: OfferStore;
  readonly ledger: Ledger;
  readonly claims: Claims;
  /** The journal as a whole. */
  readonly chain: Chain;
  /** A random key made with the store and kept in it: digests of personal data are keyed with it. */
  readonly digestKey: Uint8Array;
  /** The clock of all who share the store, where that is not this machine's own. */
  readonly clock?: Clock;
  /** The airline's access token, where it is shared by machines. */
  readonly logins?: LoginStore;
  /** How much is open now; cheap at any size. */
  openCounts(now: number): Promise<OpenCounts>;
  close(): Promise<void>;
}
