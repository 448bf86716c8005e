/**
 * Computes an estimated refund if it is known, else its bounds: what was paid for the cancelled parts less the penalties, in
 * integer arithmetic.
 */
import type { Money } from '../../core/money.ts';
import type { Booking, SegmentOption } from '../booking/booking.ts';
import { amountPaid } from '../booking/paid-and-refunded.ts';
import type { Traveler } from '../people/traveler.ts';
import { uncancelledSegments } from './fare-units.ts';
import { type Cut, makeCut, paidShares, type Share } from './paid-share.ts';
import type { Assessment, PenaltyLine, RuleGap } from './penalty-rules.ts';

/** What is cancelled of a booking. */
export interface CancelledPart {
  readonly options: readonly SegmentOption[];
  readonly travelers: readonly Traveler[];
}

export interface RefundAmount {
  /** The refund; absent if it is unknown. */
  readonly amount?: Money;
  /** Limits of the refund, if it is unknown but the amount paid is known. */
  readonly bounds?: { readonly atLeast: Money; readonly atMost: Money };
  /** Kept by the airline, tax included. */
  readonly penalty?: Money;
  /** The refund is unknown because a penalty exceeds the price of its part. */
  readonly overPrice?: true;
}

/** Gives what was paid for some parts of a trip, at least and at most, minor units. */
type ShareOf = (trip: readonly (PenaltyLine | RuleGap)[]) => Omit<Share, 'currency'>;

/**
 * Computes the refund, or its bounds. `paid` overrides what orders and tickets say. In this order:
 *
 * 1. Nothing is known without what was paid, without parts, or with penalties in another currency.
 * 2. Without a part that is refundable or lacks a rule, nothing comes back.
 * 3. Else at least what was surely paid for the refundable parts comes back, less the penalties; nothing, if a part lacks a
 *    rule. At most what was possibly paid for them and the parts without a rule comes back, less the penalties as far as
 *    the prices of their parts cover them: the airline may take the rest from the other parts, or not at all.
 */
export function refundAmount(
  booking: Booking,
  part: CancelledPart,
  { lines, gaps }: Assessment,
  paid = amountPaid(booking),
): RefundAmount {
  if (paid === undefined || (lines.length === 0 && gaps.length === 0)) return {};
  const { currency } = paid;
  if (lines.some((line) => line.penalty.currency !== currency)) return {};
  const money = (minor: number): Money => ({ minor, currency });
  const count = lines.length + gaps.length;
  const share = partShares(booking, part, count, paid);
  const totalShare = share([...lines, ...gaps]);
  const refundable = lines.filter(({ rule }) => rule.refundable);
  if (refundable.length === 0 && gaps.length === 0) {
    return { amount: money(0), penalty: totalShare.least === totalShare.most ? money(totalShare.least) : undefined };
  }
  const penaltySum = refundable.reduce((sum, { penalty }) => sum + penalty.minor, 0);
  const refundableShare = share(refundable);
  const possibleShare = share([...refundable, ...gaps]);
  const uncoveredPenalties = abovePrice(refundable, share);
  const least = gaps.length > 0 ? 0 : Math.max(0, refundableShare.least - penaltySum);
  const mostIfCovered = Math.max(least, possibleShare.most - (penaltySum - uncoveredPenalties));
  if (least === mostIfCovered) {
    return {
      amount: money(least),
      penalty: totalShare.least === totalShare.most ? money(totalShare.least - least) : undefined,
    };
  }
  // If what was surely paid does not cover the penalties, the airline may not take all of them in full.
  const areCovered = refundableShare.least >= penaltySum;
  const mostOfGaps = possibleShare.most - refundableShare.most;
  const mostIfUncovered = mostOfGaps + mostLeft(refundable, refundableShare.most, share);
  const most = areCovered ? mostIfCovered : Math.max(mostIfCovered, mostIfUncovered);
  return {
    bounds: { atLeast: money(least), atMost: money(most) },
    penalty: refundable.length === count && uncoveredPenalties === 0 ? money(penaltySum) : undefined,
    overPrice: uncoveredPenalties > 0 && refundableShare.least === refundableShare.most ? (true as const) : undefined,
  };
}

/**
 * The most that penalties can leave of what was paid for their parts: a penalty takes no more than its own part, and
 * what cannot be assigned to one part may belong to any.
 */
function mostLeft(lines: readonly PenaltyLine[], paid: number, share: ShareOf): number {
  const shares = lines.map((line) => ({ least: share([line]).least, penalty: line.penalty.minor }));
  const unassigned = Math.max(0, paid - shares.reduce((sum, { least }) => sum + least, 0));
  const leftOf = ({ least, penalty }: (typeof shares)[number], more = 0) => Math.max(0, least + more - penalty);
  const sureLeft = shares.reduce((sum, part) => sum + leftOf(part), 0);
  const mostGain = Math.max(0, ...shares.map((part) => leftOf(part, unassigned) - leftOf(part)));
  return sureLeft + mostGain;
}

/** How far penalties exceed the prices of their own parts, for the parts whose price is known. */
function abovePrice(lines: readonly PenaltyLine[], share: ShareOf): number {
  return lines.reduce((sum, line) => {
    const lineShare = share([line]);
    return lineShare.least === lineShare.most ? sum + Math.max(0, line.penalty.minor - lineShare.least) : sum;
  }, 0);
}

/**
 * Prepares the function that gives what was paid for some of the `count` parts. Unless these are all, it adds up the
 * shares of each passenger type, because the segments of types may differ.
 */
function partShares(booking: Booking, cancelled: CancelledPart, count: number, paid: Money): ShareOf {
  const cutShare = paidShares(booking, paid);
  const everything = makeCut(uncancelledSegments(cancelled.options), cancelled.travelers);
  return (trip) => {
    const cuts = trip.length === count ? [everything] : cutsByType(trip, cancelled.travelers);
    const shares = cuts.flatMap((cut) => cutShare?.(cut) ?? []);
    const sum = (bound: 'least' | 'most') => shares.reduce((total, share) => total + share[bound], 0);
    return { least: Math.min(sum('least'), paid.minor), most: Math.min(sum('most'), paid.minor) };
  };
}

/** One cut for each passenger type: its segments in these parts, and its travellers. */
function cutsByType(trip: readonly (PenaltyLine | RuleGap)[], travelers: readonly Traveler[]): readonly Cut[] {
  return [...Map.groupBy(trip, ({ type }) => type)].map(([type, parts]) =>
    makeCut(
      parts.flatMap(({ segmentRefs }) => segmentRefs.map((ref) => ({ ref }))),
      travelers.filter((traveler) => traveler.type === type),
    ),
  );
}
