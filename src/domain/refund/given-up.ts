/**
 * What is given up: it was paid, and does not surely come back. A booking that was paid and is cancelled for nothing moves no money, and is
 * a loss all the same, so that it counts for who must approve (approvals/money-limits.ts). First of a cancellation, then of a change of
 * flight.
 */

import type { Money } from '../../core/money.ts';
import { latestPossibleInstant } from '../../core/times.ts';
import type { Booking, Segment, SegmentOption } from '../booking/booking.ts';
import { amountPaid, isPaid } from '../booking/paid-and-refunded.ts';
import { uncancelledSegments } from './fare-units.ts';
import { type Cut, makeCut, paidShares } from './paid-share.ts';
import type { CancelledPart, RefundAmount } from './refund-amount.ts';

/**
 * The most that a cancellation gives up. Undefined if that is nothing, or if nothing shows what was paid.
 *
 * | the cancelled part           | is given up                                                                    |
 * | ---------------------------- | ------------------------------------------------------------------------------ |
 * | was not paid                 | nothing                                                                        |
 * | has departed                 | nothing: it is used, or was lost before                                        |
 * | has a price of its own       | its price, less what surely comes back                                         |
 * | has none                     | the most that it can have cost, up to all that was paid, less what surely does |
 *
 * Sure is the estimate, or the least that it can be, without what depends on the airline's words.
 * @param now milliseconds since 1970
 */
export function givenUp(
  booking: Booking,
  { options, travelers }: CancelledPart,
  { amount, bounds, onCondition }: RefundAmount,
  now: number,
): Money | undefined {
  const ahead = uncancelledSegments(options).filter((segment) => !hasDeparted(segment, now));
  const paid = mostPaid(booking, makeCut(ahead, travelers));
  if (paid === undefined) return undefined;

  const sure = Math.max(0, ((amount ?? bounds?.atLeast)?.minor ?? 0) - (onCondition?.minor ?? 0));
  return aboveZero({ ...paid, minor: paid.minor - sure });
}

/**
 * The most that a change of flight gives up, if the airline keeps the difference to a cheaper fare: what it saves, or, where that is not
 * known, what the old flight can have cost beyond the cheapest of the new fares. Undefined if the new flight takes over all that was paid.
 */
export function givenUpByChange(
  booking: Booking,
  option: SegmentOption,
  fares: readonly Money[],
  saving: Money | undefined,
): Money | undefined {
  if (saving !== undefined) return aboveZero(saving);

  const paid = mostPaid(booking, makeCut(option.segments, booking.travelers));
  if (paid === undefined) return undefined;

  const taken = fares.map(({ minor, currency }) => (currency === paid.currency ? minor : 0));
  return aboveZero({ ...paid, minor: paid.minor - Math.min(...taken) });
}

/** The most that was paid for these passengers on these segments. Undefined of an unpaid hold, and if nothing shows it. */
function mostPaid(booking: Booking, cut: Cut): Money | undefined {
  if (!isPaid(booking) || cut.segmentRefs.size === 0) return undefined;

  const paid = amountPaid(booking) ?? booking.pricing?.total?.total;
  const shareOf = paidShares(booking, paid);
  if (paid === undefined || shareOf === undefined) return undefined;

  // Where a reading shows nobody, the price rows are of people who are not known.
  return cut.travelerRefs.size === 0 ? paid : { ...paid, minor: shareOf(cut).most };
}

/** A flight that the airline cancelled itself did not depart: its refund is owed. */
function hasDeparted({ departs, owed }: Segment, now: number): boolean {
  const departure = latestPossibleInstant(departs);
  return owed === undefined && departure !== undefined && departure <= now;
}

function aboveZero(money: Money): Money | undefined {
  return money.minor > 0 ? money : undefined;
}
