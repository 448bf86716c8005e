/**
 * What tools remember between calls: offers they showed, and bookings they saw.
 */
import type { Offer, PassengerCounts } from '../pricing/fare-search.ts';

/** Who calls: on stdio the OS user and the state folder, over HTTP the signed-in subject. */
export interface Caller {
  readonly tenant: string;
  readonly id: string;
}

export interface ShelvedOffer {
  readonly offer: Offer;
  readonly passengers: PassengerCounts;
  /** Milliseconds since 1970. */
  readonly shownAt: number;
  /** UTC; until when the airline's search reply holds (`reservationTimeLimit`), where it says so. */
  readonly validUntil?: string;
  readonly legs: readonly { readonly from: string; readonly to: string; readonly date: string }[];
  /** What it says of the refund, where the airline stated a rule with it. */
  readonly refundNote?: string;
}

/** Keeps offers under short handles, so that a model never copies segments. Handles belong to their tenant. */
export interface OfferStore {
  /** Returns one handle per offer, in order: `o` and six to eight letters and digits. */
  put(caller: Caller, offers: readonly ShelvedOffer[]): Promise<readonly string[]>;
  get(caller: Caller, handle: string): Promise<ShelvedOffer | undefined>;
}

/** A booking this server made or read. */
export interface LedgerEntry {
  readonly locator: string;
  readonly madeHere: boolean;
  readonly seenAt: number;
  readonly state: string;
  readonly contactName?: string;
  readonly route?: string;
  readonly departs?: string;
  readonly total?: string;
  readonly currency?: string;
  readonly nextDeadline?: { readonly what: string; readonly at: string };
}

export interface LedgerQuery {
  readonly query?: string;
  readonly state?: string;
  readonly deadlineBefore?: number;
  readonly locators?: readonly string[];
  readonly limit: number;
}

export interface Ledger {
  record(caller: Caller, entry: LedgerEntry): Promise<void>;
  find(
    caller: Caller,
    query: LedgerQuery,
  ): Promise<{ readonly entries: readonly LedgerEntry[]; readonly total: number }>;
}
