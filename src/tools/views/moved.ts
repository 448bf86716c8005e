/**
 * What an operation moved. Never what limits count in its place: that may be the whole price.
 */
import type { Money } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import type { Operation } from '../../guard/terms.ts';

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
    return present({ paid: outcome?.charge?.amount, refunded: outcome?.refund?.amount });
  }
  if (direction === 'payment') return present({ paid: amount });
  if (direction !== 'refund') return {};
  return outcome?.refund ? { refunded: outcome.refund.amount } : { unstated: true };
}
