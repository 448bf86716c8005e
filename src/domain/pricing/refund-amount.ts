/**
 * The amount of an estimated refund: what was paid for the cancelled parts less the penalties, in integer arithmetic.
 */
import type { Money } from '../../core/money.ts';
import type { Booking, SegmentOption } from '../booking/booking.ts';
import { amountPaid } from '../booking/paid-and-refunded.ts';
import type { Traveler } from '../people/traveler.ts';
import { uncancelledSegments } from './fare-units.ts';
import { makeCut, paidShares, type Share } from './paid-share.ts';
import type { Assessment, PenaltyLine, RuleGap } from './penalty-rules.ts';

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

type ShareOf = (trip: readonly (PenaltyLine | RuleGap)[]) => Omit<Share, 'currency'>;

/**
 * `paid` overrides what orders and tickets say. Nothing is refunded for a part that is not refundable; anything may
 * be for a part without a rule. A penalty above the price of its part leaves bounds: the other parts may or may not
 * pay it.
 */
export function refundAmount(
  booking: Booking,
  given: CancelledPart,
  { lines, gaps }: Assessment,
  paid = amountPaid(booking),
): RefundAmount {
  if (paid === undefined || (lines.length === 0 && gaps.length === 0)) return {};
  const { currency } = paid;
  if (lines.some((line) => line.penalty.currency !== currency)) return {};
  const money = (minor: number): Money => ({ minor, currency });
  const count = lines.length + gaps.length;
  const share = partShares(booking, given, count, paid);
  const all = share([...lines, ...gaps]);
  const refundable = lines.filter(({ rule }) => rule.refundable);
  if (refundable.length === 0 && gaps.length === 0) {
    return { amount: money(0), penalty: all.least === all.most ? money(all.least) : undefined };
  }
  const kept = refundable.reduce((sum, { penalty }) => sum + penalty.minor, 0);
  const [sure, possible] = [share(refundable), share([...refundable, ...gaps])];
  const above = abovePrice(refundable, share);
  const least = gaps.length > 0 ? 0 : Math.max(0, sure.least - kept);
  const together = Math.max(least, possible.most - kept + above);
  if (least === together) {
    return {
      amount: money(least),
      penalty: all.least === all.most ? money(all.least - least) : undefined,
    };
  }
  // If what was surely paid does not cover the penalties, some of them may not be taken in full.
  const covered = sure.least >= kept;
  const most = covered
    ? together
    : Math.max(together, possible.most - sure.most + mostLeft(refundable, sure.most, share));
  return {
    bounds: { atLeast: money(least), atMost: money(most) },
    penalty: refundable.length === count && above === 0 ? money(kept) : undefined,
    overPrice: above > 0 && sure.least === sure.most ? (true as const) : undefined,
  };
}

/**
 * The most that penalties can leave of what was paid for their parts: a penalty takes no more than its own part, and
 * what cannot be assigned to one part may belong to any.
 */
function mostLeft(lines: readonly PenaltyLine[], paid: number, share: ShareOf): number {
  const shares = lines.map((line) => ({ least: share([line]).least, penalty: line.penalty.minor }));
  const spare = Math.max(0, paid - shares.reduce((sum, { least }) => sum + least, 0));
  const left = ({ least, penalty }: (typeof shares)[number], more = 0) => Math.max(0, least + more - penalty);
  const sure = shares.reduce((sum, part) => sum + left(part), 0);
  return sure + shares.reduce((most, part) => Math.max(most, left(part, spare) - left(part)), 0);
}

/** How far penalties exceed the prices of their own parts, for the parts whose price is known. */
function abovePrice(lines: readonly PenaltyLine[], share: ShareOf): number {
  return lines.reduce((sum, line) => {
    const lineShare = share([line]);
    return lineShare.least === lineShare.most ? sum + Math.max(0, line.penalty.minor - lineShare.least) : sum;
  }, 0);
}

/** What was paid for some of `count` parts. Unless these are all, types are added up: their segments may differ. */
function partShares(booking: Booking, given: CancelledPart, count: number, paid: Money): ShareOf {
  const cutShare = paidShares(booking, paid);
  const everything = makeCut(uncancelledSegments(given.options), given.travelers);
  return (trip) => {
    const byType = () => [...Map.groupBy(trip, ({ type }) => type)];
    const cuts =
      trip.length === count
        ? [everything]
        : byType().map(([type, ofType]) =>
            makeCut(
              ofType.flatMap(({ segmentRefs }) => segmentRefs.map((ref) => ({ ref }))),
              given.travelers.filter((each) => each.type === type),
            ),
          );
    const shares = cuts.flatMap((cut) => cutShare?.(cut) ?? []);
    const sum = (of: 'least' | 'most') => shares.reduce((total, cutOf) => total + cutOf[of], 0);
    return { least: Math.min(sum('least'), paid.minor), most: Math.min(sum('most'), paid.minor) };
  };
}
