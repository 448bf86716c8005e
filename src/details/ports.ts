/** The store of details forms: it keeps the answers, sealed, for the call that uses them. */

import type { KeptDetails, NewDetails } from './details-form.ts';

export interface DetailsStore {
  /** Stores a new form. @throws ClerkError E_LIMIT if this person has a hundred */
  open(details: NewDetails): Promise<void>;
  /** Undefined if the form is unknown, was erased, or is over at `now`. */
  find(idHash: string, now: number): Promise<KeptDetails | undefined>;
  /**
   * Stores a sealed card. A crash of a PostgreSQL server loses it ({@link KeptDetails.isLost}). False: the card was stored
   * before, the form has no such card, or the form is over, closed, used or unknown. Of two calls at once, one wins. The last
   * missing card moves the form's end to half an hour from now.
   */
  submit(idHash: string, card: number, sealed: string, now: number): Promise<boolean>;
  /** Moves the end of an open form to half an hour from now, never back, because its call came. */
  extend(idHash: string, now: number): Promise<void>;
  /** Erases the cards. The form stays until its end, so that a repeat of the call finds its operation. */
  use(idHash: string, operationId: string, usedDigest: string): Promise<void>;
}
