/**
 * What an operation moved. Never what limits count in its place: that may be the whole price.
 */

import type { Operation } from '../../approvals/terms.ts';
import type { Money } from '../../domain/pricing/money.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';

export interface Moved {
  readonly paid?: Money;
  readonly refunded?: Money;
  /** A refund came to pass, and the airline did not say how much. */
  readonly unstated?: true;
}

/** Of an operation that came to pass; of any other, nothing. */
export function moved({ state, direction, amount, outcome, subject }: Operation): Moved {
  if (state !== 'succeeded') return {};
  // What a change of flight costs is known only where the airline stated it: its amount is what limits count.
  if (subject.kind === 'rebook_segment') {
    return omitUndefined({ paid: outcome?.charge?.amount, refunded: outcome?.refund?.amount });
  }
  if (direction === 'payment') return omitUndefined({ paid: amount });
  if (direction !== 'refund') return {};
  return outcome?.refund ? { refunded: outcome.refund.amount } : { unstated: true };
}
