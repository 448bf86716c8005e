/**
 * Refunds: the fare paid, less the penalty in force and the tax on it, per passenger and fare component, and never more
 * than was paid (docs/wire/notes.md, Money and rules). What the airline cancelled is refunded without penalty.
 */
import { less, nothing, smaller, sum } from './amounts.ts';
import { type Carrier, departureOf, fareOf } from './carrier.ts';
import { ruleAt } from './fares.ts';
import type { HeldSegment, MadeRefund, RefundShare } from './record.ts';
import { Refusal } from './refusal.ts';

function shareOf(carrier: Carrier, segment: HeldSegment, type: string): RefundShare {
  const { network, now } = carrier;
  const paid = segment.prices[type]?.total ?? nothing(network.currency);
  const none = nothing(network.currency);
  if (departureOf(carrier, segment).cancelled) return { amount: paid, penalty: none, tax: none };
  const rule = ruleAt(network, 'refund', fareOf(carrier, segment), departureOf(carrier, segment).departsAt, type, now);
  if (rule === undefined) throw new Refusal('150', `segment ${segment.ref} has departed`);
  if (!rule.allowed) return { amount: none, penalty: paid, tax: none };
  const penalty = smaller(rule.base, paid);
  const tax = smaller(rule.tax, less(paid, penalty));
  return { amount: less(less(paid, penalty), tax), penalty, tax };
}

function together(currency: string, shares: readonly RefundShare[]): RefundShare {
  const of = (field: keyof RefundShare) =>
    sum(
      currency,
      shares.map((share) => share[field]),
    );
  return { amount: of('amount'), penalty: of('penalty'), tax: of('tax') };
}

/** The refund for `travelers` who cancel `segments` now. */
export function refundFor(
  carrier: Carrier,
  travelers: readonly { readonly type: string }[],
  segments: readonly HeldSegment[],
): MadeRefund {
  const { currency } = carrier.network;
  const types = [...new Set(travelers.map((traveler) => traveler.type))];
  const shares = segments.flatMap((segment) =>
    types.map((type) => {
      const each = travelers.filter((it) => it.type === type).map(() => shareOf(carrier, segment, type));
      return { type, segmentRef: segment.ref, share: together(currency, each) };
    }),
  );
  return {
    whole: together(
      currency,
      shares.map((share) => share.share),
    ),
    shares,
  };
}
