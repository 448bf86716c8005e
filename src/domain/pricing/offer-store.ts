/**
 * Offers that tools remember between calls.
 */

import type { Caller } from '../people/caller.ts';
import type { Offer, PassengerCounts } from './fare-search.ts';

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
