/** What comes back for each part of a trip: one line per segment and passengers of the same figures. */

import { type Money, sumMoney, zero } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Booking } from '../booking/booking.ts';
import type { Traveler } from '../people/traveler.ts';
import type { PenaltyLine } from './apply-penalty-rules.ts';
import type { RefundEstimate } from './estimate-refund.ts';
import { cutOf, paidShare } from './paid-share.ts';
import type { CancelledPart } from './refund-amount.ts';

export interface PartRefund {
  /** Several only where one fare covers them. */
  readonly segmentRefs: readonly string[];
  readonly travelers: readonly Traveler[];
  /** For all of `travelers`; absent if the price does not show it. */
  readonly paid?: Money;
  /** Kept for one of them, tax included. */
  readonly keptEach?: Money;
  /** For all of `travelers`. */
  readonly refund?: Money;
  readonly refundable: boolean;
}

/** Parts without a rule have no line. The refunds of the lines add up to the estimate, or are absent. */
export function refundByPart(
  booking: Booking,
  { travelers }: CancelledPart,
  estimate: RefundEstimate,
  paid?: Money,
): readonly PartRefund[] {
  const { lines, gaps, amount } = estimate;
  const parts = lines.map((line) => {
    const people = travelers.filter(({ type }) => type === line.type);
    const cut = cutOf(
      line.segmentRefs.map((ref) => ({ ref })),
      people,
    );
    return partOf(line, people, paidShare(booking, cut, paid), amount);
  });
  const sum = sumMoney(parts.flatMap(({ refund }) => refund ?? []));
  const isComplete = gaps.length === 0 && parts.every(({ refund }) => refund !== undefined);
  const fits = amount === undefined || !isComplete || sum?.minor === amount.minor;
  return merged(fits ? parts : parts.map(({ refund: _, paid: __, ...part }) => part));
}

function partOf(
  { rule, each, penalty, segmentRefs }: PenaltyLine,
  travelers: readonly Traveler[],
  share: Money | undefined,
  amount: Money | undefined,
): PartRefund {
  const paid = share?.currency === each.currency || !rule.refundable ? share : undefined;
  const paidEach = paid && shareEach(paid, travelers.length);
  const { refundable } = rule;
  if (!refundable || amount?.minor === 0) {
    const all = refundable && paidEach === undefined ? each : paidEach;
    const keptEach = refundable && all !== undefined && all.minor > each.minor ? each : all;
    const refund = zero(paid?.currency ?? amount?.currency ?? each.currency);
    return omitUndefined({ segmentRefs, travelers, paid, keptEach, refund, refundable });
  }
  // A penalty above the price of its part may be taken from the other parts.
  const left = paid === undefined || paid.minor < penalty.minor ? undefined : paid.minor - penalty.minor;
  const refund = left === undefined ? undefined : { minor: left, currency: each.currency };
  return omitUndefined({ segmentRefs, travelers, paid, keptEach: each, refund, refundable });
}

function shareEach({ minor, currency }: Money, people: number): Money | undefined {
  return minor % people === 0 ? { minor: minor / people, currency } : undefined;
}

/** Joins passenger types with the same figures for each person on the same segments. */
function merged(parts: readonly PartRefund[]): readonly PartRefund[] {
  const alike = Map.groupBy(parts, (part, i) => {
    const figures = [part.paid, part.refund].map((sum) => sum && shareEach(sum, part.travelers.length));
    const uneven = (figures[0] === undefined) !== (part.paid === undefined);
    return JSON.stringify([part.segmentRefs, part.refundable, part.keptEach, ...figures, uneven ? i : '']);
  });
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined || same.length === 1) return same;
    const { segmentRefs, keptEach, refundable } = first;
    const sumOf = (of: 'paid' | 'refund') => sumMoney(same.flatMap((part) => part[of] ?? []));
    const travelers = same.flatMap((part) => part.travelers);
    return [
      omitUndefined({ segmentRefs, travelers, paid: sumOf('paid'), keptEach, refund: sumOf('refund'), refundable }),
    ];
  });
}
