/**
 * Computes an estimated refund if it is known, else its bounds: what was paid for the cancelled parts less the penalties, in
 * integer arithmetic. A part is one passenger type on the segments of one penalty: a line if that is known, else a gap.
 */
import { type Money, sumMoney } from '../../core/money.ts';
import type { Booking, SegmentOption } from '../booking/booking.ts';
import { amountPaid } from '../booking/paid-and-refunded.ts';
import type { Traveler } from '../people/traveler.ts';
import { uncancelledSegments } from './fare-units.ts';
import { type Cut, makeCut, paidShares, type Share } from './paid-share.ts';
import type { Assessment, TripPart } from './penalty-rules.ts';

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
  /**
   * So much of it, or of the most that it can be, depends on words of the airline that say more than its figures. Zero: there are such
   * words, and by the figures nothing comes back. Absent: there are none, or no sum is known.
   */
  readonly onCondition?: Money;
}

/** A refundable part: what was paid for it, and its penalty; minor units. */
interface PricedPart {
  readonly price: Omit<Share, 'currency'>;
  readonly penalty: number;
}

/**
 * Computes the refund, or its bounds. `paid` overrides what orders and tickets say. In this order:
 *
 * 1. Without what was paid, or with penalties in another currency, only the penalty is known, and only if every part is refundable.
 * 2. Without a part that is refundable or lacks a rule, nothing comes back.
 * 3. At least: what was surely paid for the refundable parts, less the penalties; nothing, if a part lacks a rule.
 * 4. At most: what was possibly paid for them and the parts without a rule, less the penalties as far as the prices of
 *    their parts cover them. The airline may take the rest from the other parts, or not at all.
 *
 * For one passenger on two segments, with a penalty of 50 for each that is refundable:
 *
 * | paid for them   | their rules             | refund                                                        |
 * | --------------- | ----------------------- | ------------------------------------------------------------- |
 * | 300 and 300     | both refundable         | 500                                                           |
 * | 300 and 300     | the second is not       | 250                                                           |
 * | 300 and 300     | the second lacks a rule | 0 to 550                                                      |
 * | 30 and 300      | both refundable         | 230 to 250: the 20 that the 30 lack may be taken from the 300 |
 * | 0 to 600 in all | both refundable         | 0 to 550: all may be for one, so that only one 50 is taken    |
 */
export function refundAmount(
  booking: Booking,
  cancelled: CancelledPart,
  assessment: Assessment,
  paid = amountPaid(booking),
): RefundAmount {
  const refund = amountOf(booking, cancelled, assessment, paid);

  const { lines, gaps } = assessment;
  const unconditional = [
    ...lines.filter(({ isConditional }) => !isConditional),
    ...gaps.filter(({ words }) => words === undefined),
  ];
  if (unconditional.length === lines.length + gaps.length) return refund;

  const lost = new Set(unconditional);
  const most = mostBack(refund);
  const ofConditional = lost.size === 0 ? most : mostBack(amountOf(booking, cancelled, { ...assessment, lost }, paid));
  if (most === undefined || ofConditional === undefined) return refund;

  return { ...refund, onCondition: { ...most, minor: Math.min(most.minor, ofConditional.minor) } };
}

/** The most that can come back. Undefined if it is not known. */
export function mostBack({ amount, bounds }: RefundAmount): Money | undefined {
  return amount ?? bounds?.atMost;
}

interface Assessed extends Assessment {
  /** Parts for which nothing comes back, whatever their rule says. */
  readonly lost?: ReadonlySet<TripPart>;
}

function amountOf(
  booking: Booking,
  cancelled: CancelledPart,
  { lines, gaps: allGaps, lost = new Set() }: Assessed,
  paid: Money | undefined,
): RefundAmount {
  const count = lines.length + allGaps.length;
  if (count === 0) return {};

  const refundable = lines.filter((line) => line.rule.refundable && !lost.has(line));
  const gaps = allGaps.filter((gap) => !lost.has(gap));
  const isAllRefundable = refundable.length === count;
  if (paid === undefined || lines.some((line) => line.penalty.currency !== paid.currency)) {
    return { penalty: isAllRefundable ? sumMoney(lines.map(({ penalty }) => penalty)) : undefined };
  }

  const money = (minor: number): Money => ({ minor, currency: paid.currency });
  const shareOf = partShares(booking, cancelled, count, paid);
  const totalShare = shareOf([...lines, ...allGaps]);
  if (refundable.length === 0 && gaps.length === 0) {
    return { amount: money(0), penalty: totalShare.least === totalShare.most ? money(totalShare.least) : undefined };
  }

  const penaltySum = refundable.reduce((sum, { penalty }) => sum + penalty.minor, 0);
  const refundableShare = shareOf(refundable);
  const shareWithGaps = shareOf([...refundable, ...gaps]);

  const pricedParts = refundable.map((line) => ({ price: shareOf([line]), penalty: line.penalty.minor }));
  const penaltyOverPrice = sumOverPrice(pricedParts);
  const least = gaps.length > 0 ? 0 : Math.max(0, refundableShare.least - penaltySum);
  const mostBySum = Math.max(least, shareWithGaps.most - (penaltySum - penaltyOverPrice));
  if (least === mostBySum) {
    return {
      amount: money(least),
      penalty: totalShare.least === totalShare.most ? money(totalShare.least - least) : undefined,
    };
  }

  // If what was surely paid does not cover the penalties, one may find too little in its part: counts by part too.
  const areCovered = refundableShare.least >= penaltySum;
  const mostOfGaps = shareWithGaps.most - refundableShare.most;
  const mostByPart = mostOfGaps + mostLeftByPart(pricedParts, refundableShare.most);
  const most = areCovered ? mostBySum : Math.max(mostBySum, mostByPart);

  return {
    bounds: { atLeast: money(least), atMost: money(most) },
    penalty: isAllRefundable && penaltyOverPrice === 0 ? money(penaltySum) : undefined,
    overPrice: penaltyOverPrice > 0 && refundableShare.least === refundableShare.most ? (true as const) : undefined,
  };
}

/** How far penalties exceed the prices of their own parts, for the parts whose price is known. */
function sumOverPrice(parts: readonly PricedPart[]): number {
  const partsWithPrice = parts.filter(({ price }) => price.least === price.most);
  return partsWithPrice.reduce((sum, { price, penalty }) => sum + Math.max(0, penalty - price.least), 0);
}

/**
 * The most that penalties can leave of what was paid for their parts: a penalty takes no more than its own part, and
 * what cannot be assigned to one part may belong to any. Most is left if it all belongs to the part that gains most.
 */
function mostLeftByPart(parts: readonly PricedPart[], paidForAll: number): number {
  const unassigned = Math.max(0, paidForAll - parts.reduce((sum, { price }) => sum + price.least, 0));
  const leftOf = (part: PricedPart, more: number) => Math.max(0, part.price.least + more - part.penalty);
  const sureLeft = parts.reduce((sum, part) => sum + leftOf(part, 0), 0);
  const gains = parts.map((part) => leftOf(part, unassigned) - leftOf(part, 0));
  return sureLeft + Math.max(0, ...gains);
}

/**
 * Prepares the function that gives what was paid for some of the `count` parts. Unless these are all, it adds up the
 * shares of each passenger type, because the segments of types may differ.
 */
function partShares(booking: Booking, { options, travelers }: CancelledPart, count: number, paid: Money) {
  const shareOfCut = paidShares(booking, paid);
  const everything = makeCut(uncancelledSegments(options), travelers);

  return (parts: readonly TripPart[]): Omit<Share, 'currency'> => {
    const cuts = parts.length === count ? [everything] : cutsByType(parts, travelers);
    const shares = cuts.flatMap((cut) => shareOfCut?.(cut) ?? []);
    const least = shares.reduce((sum, share) => sum + share.least, 0);
    const most = shares.reduce((sum, share) => sum + share.most, 0);
    return { least: Math.min(least, paid.minor), most: Math.min(most, paid.minor) };
  };
}

/** One cut for each passenger type: its segments in these parts, and its travellers. */
function cutsByType(parts: readonly TripPart[], travelers: readonly Traveler[]): readonly Cut[] {
  return [...Map.groupBy(parts, ({ type }) => type)].map(([type, partsOfType]) =>
    makeCut(
      partsOfType.flatMap(({ segmentRefs }) => segmentRefs.map((ref) => ({ ref }))),
      travelers.filter((traveler) => traveler.type === type),
    ),
  );
}
