/**
 * The state port: everything that outlives a call. One adapter gives all of it (sqlite.ts, postgres.ts).
 */
import type { Ledger, OfferShelf } from '../domain/state.ts';
import type { ApprovalStore } from '../guard/ports.ts';
import type { OperationStore } from '../journal/ports.ts';

export interface State {
  readonly operations: OperationStore;
  readonly approvals: ApprovalStore;
  readonly offers: OfferShelf;
  readonly ledger: Ledger;
  /** A random key made with the store and kept in it: digests of personal data are keyed with it. */
  readonly digestKey: Uint8Array;
  close(): Promise<void>;
}
