/** The money that an operation moved; limits can count more. */
import type { Money } from '../core/money.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { paymentsBeforeOf } from '../domain/booking/expected-change.ts';
import type { Operation } from './operation.ts';

export interface MovedMoney {
  readonly paid?: Money;
  readonly refunded?: Money;
  /** The airline charged or refunded an amount that it did not state. */
  readonly unstated?: 'charge' | 'refund';
}

/** Empty for an operation that did not succeed. */
export function moved({ state, direction, amount, outcome, subject }: Operation): MovedMoney {
  if (state !== 'succeeded') return {};
  // The amount approved is an upper bound; only the airline states what moved.
  if (paymentsBeforeOf(subject) !== undefined) {
    const [charge, refund] = [outcome?.charge, outcome?.refund];
    const isUnstated = charge === undefined && refund === undefined;
    return isUnstated ? { unstated: 'charge' } : omitUndefined({ paid: charge?.amount, refunded: refund?.amount });
  }
  if (direction === 'payment') return amount ? { paid: amount } : { unstated: 'charge' };
  if (direction !== 'refund') return {};
  return outcome?.refund ? { refunded: outcome.refund.amount } : { unstated: 'refund' };
}
