/**
 * What comes back when a passenger's segment is given up: the fare paid, less the penalty in force and the VAT on it
 * (field-notes.md, money and rules). The penalty is per passenger and fare component, and never more than was paid.
 */
import type { StatedRefund } from '../domain/fare.ts';
import { addMoney, type Money, percentOf, subtractMoney, zero } from '../domain/money.ts';
import type { Traveler } from '../domain/traveler.ts';
import { type Carrier, departureOf, fareOf } from './carrier.ts';
import { penaltyRuleAt } from './fares.ts';
import { Fault } from './fault.ts';
import type { HeldSegment, MadeRefund } from './record.ts';

interface Share {
  readonly amount: Money;
  readonly penalty: Money;
  readonly vat: Money;
}

function smaller(a: Money, b: Money): Money {
  return a.minor <= b.minor ? a : b;
}

function shareOf(carrier: Carrier, segment: HeldSegment, type: string): Share {
  const { currency } = carrier.network;
  const paid = segment.prices[type]?.total ?? zero(currency);
  const departure = departureOf(carrier, segment);
  const rule = penaltyRuleAt(
    carrier.network,
    'refund',
    fareOf(carrier, segment),
    departure.departsAt,
    type,
    carrier.now,
  );
  if (rule === undefined) throw new Fault('150', `segment ${segment.ref} has departed`);
  if (!rule.refundable) return { amount: zero(currency), penalty: paid, vat: zero(currency) };
  const penalty = smaller(rule.total, paid);
  const vat = smaller(percentOf(penalty, rule.vatHundredths), subtractMoney(paid, penalty));
  return { amount: subtractMoney(paid, addMoney(penalty, vat)), penalty, vat };
}

function add(sum: StatedRefund | undefined, share: Share): StatedRefund {
  if (sum?.penalty === undefined || sum.vat === undefined) return share;
  return {
    amount: addMoney(sum.amount, share.amount),
    penalty: addMoney(sum.penalty, share.penalty),
    vat: addMoney(sum.vat, share.vat),
  };
}

/** The refund for `travelers` giving up `segments` now, as a whole and by passenger type. */
export function refundFor(
  carrier: Carrier,
  travelers: readonly Traveler[],
  segments: readonly HeldSegment[],
): MadeRefund {
  const { currency } = carrier.network;
  let whole: StatedRefund = { amount: zero(currency), penalty: zero(currency), vat: zero(currency) };
  const perType: Record<string, StatedRefund> = {};
  for (const segment of segments) {
    for (const { type } of travelers) {
      const share = shareOf(carrier, segment, type);
      whole = add(whole, share);
      perType[type] = add(perType[type], share);
    }
  }
  return { whole, perType };
}
