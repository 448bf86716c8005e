/** Remembers offers between calls of tools. */
import type { Caller } from '../people/caller.ts';
import type { Offer, PassengerCounts } from './fare-search.ts';

export interface ShelvedOffer {
  readonly offer: Offer;
  readonly passengers: PassengerCounts;
  /** Milliseconds since 1970. */
  readonly shownAt: number;
  /** UTC; until when the airline's search reply is valid (`reservationTimeLimit`). */
  readonly validUntil?: string;
  readonly legs: readonly { readonly from: string; readonly to: string; readonly date: string }[];
  /** The refund note that was shown, if the airline stated a rule. */
  readonly refundNote?: string;
}

/** Keeps offers under short handles, so that models do not copy segments. A handle is valid only for its tenant. */
export interface OfferStore {
  /** Returns one handle per offer, in order: `o` and six to eight letters and digits. */
  put(caller: Caller, offers: readonly ShelvedOffer[]): Promise<readonly string[]>;
  get(caller: Caller, handle: string): Promise<ShelvedOffer | undefined>;
}
