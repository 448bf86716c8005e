/**
 * Estimates the refund of a cancellation from the penalty rules in force: now, for each part of the trip, and in each
 * later window. An estimate is never reported as the refund itself (docs/wire/notes.md, Money and rules). Which rules are in force:
 * rules-in-force.ts; what a rule keeps: penalty-rules.ts; what was paid less that: refund-amount.ts.
 */

import { type Money, sumMoney, zero } from '../../core/money.ts';
import { instantOf, utcText } from '../../core/times.ts';
import type { Booking } from '../booking/booking.ts';
import { showDeadline } from '../booking/deadlines.ts';
import { amountPaid } from '../booking/paid-and-refunded.ts';
import type { Traveler } from '../people/traveler.ts';
import { approvedRefund } from './airline-stated-refund.ts';
import { cancelLimit, uncancelledSegments } from './fare-units.ts';
import { makeCut, paidShare } from './paid-share.ts';
import type { Assessment, PenaltyLine } from './penalty-rules.ts';
import { type CancelledPart, type RefundAmount, refundAmount } from './refund-amount.ts';
import type { Windows } from './rules-in-force.ts';

export interface RefundEstimate extends Assessment, RefundAmount {
  /** Why nothing can be cancelled any more, so that nothing comes back. */
  readonly tooLate?: string;
  /** With `tooLate`: no time limit of the airline has passed, so that this too is an estimate. */
  readonly departed?: true;
}

export interface EstimateOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The rules of this cancellation. */
  readonly windows: Windows;
  /** Overrides what orders and tickets say, for a booking about to be paid. */
  readonly paid?: Money | undefined;
}

/** Estimates the refund for cancelling now. */
export function estimateRefund(
  booking: Booking,
  part: CancelledPart,
  { now, windows: { today, ends }, paid }: EstimateOptions,
): RefundEstimate {
  if (ends !== undefined && ends <= now) return estimateTooLate(booking, part, now);
  return { ...today, ...refundAmount(booking, part, today, paid) };
}

/** The estimate once nothing can be cancelled any more. */
function estimateTooLate(booking: Booking, { options }: CancelledPart, now: number): RefundEstimate {
  const limit = instantOf(cancelLimit(booking, options));
  const noRefund = { lines: [], gaps: [] };
  if (limit === undefined || limit > now) {
    return { ...noRefund, tooLate: 'Everything has departed, and the last refund rule is over.', departed: true };
  }
  const passed = showDeadline(utcText(limit), uncancelledSegments(options)[0]?.departs);
  return { ...noRefund, tooLate: `The time limit for cancelling passed on ${passed}.` };
}

/** The amount that counts against limits: the estimate, else the most that can be refunded, else all that was paid. */
export function refundAtStake(booking: Booking, estimate: RefundEstimate): Money | undefined {
  return approvedRefund(estimate, amountPaid(booking) ?? booking.pricing?.total?.total);
}

export interface PartRefund {
  /** Several only if one fare covers them. */
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

/**
 * Splits an estimate by passenger type and segment. Parts without a rule are left out. The refunds add up to the
 * estimate. If they are all known and do not, they are absent, and so is what was paid.
 */
export function refundByPart(
  booking: Booking,
  { travelers }: CancelledPart,
  estimate: RefundEstimate,
  paid?: Money,
): readonly PartRefund[] {
  const { lines, gaps, amount } = estimate;
  const parts = lines.map((line) => {
    const people = travelers.filter(({ type }) => type === line.type);
    const cut = makeCut(
      line.segmentRefs.map((ref) => ({ ref })),
      people,
    );
    return estimatePart(line, people, paidShare(booking, cut, paid), amount);
  });

  const sum = sumMoney(parts.flatMap(({ refund }) => refund ?? []));
  const isComplete = gaps.length === 0 && parts.every(({ refund }) => refund !== undefined);
  const fitsEstimate = amount === undefined || !isComplete || sum?.minor === amount.minor;
  return joinParts(fitsEstimate ? parts : parts.map(withoutFigures));
}

function withoutFigures({ refund: _, paid: __, ...part }: PartRefund): PartRefund {
  return part;
}

/**
 * Estimates one part. `penalty`: that of the rule, for all of `travelers`. "Each": for one of them.
 *
 * | the rule is    | the estimate is    | kept of each                                            | refund         |
 * | -------------- | ------------------ | ------------------------------------------------------- | -------------- |
 * | not refundable | any                | what was paid for each                                  | zero           |
 * | refundable     | zero               | the penalty; what was paid for each if that is not more | zero           |
 * | refundable     | another or unknown | the penalty                                             | paid - penalty |
 *
 * The last refund is unknown if what was paid is unknown, is in another currency, or is less than the penalty.
 */
function estimatePart(
  { rule, each, penalty, segmentRefs }: PenaltyLine,
  travelers: readonly Traveler[],
  share: Money | undefined,
  amount: Money | undefined,
): PartRefund {
  const paid = share?.currency === each.currency || !rule.refundable ? share : undefined;
  const paidEach = paid && shareEach(paid, travelers.length);
  const { refundable } = rule;
  if (!refundable || amount?.minor === 0) {
    const isPenaltyKept = refundable && (paidEach === undefined || paidEach.minor > each.minor);
    const keptEach = isPenaltyKept ? each : paidEach;
    const refund = zero(paid?.currency ?? amount?.currency ?? each.currency);
    return { segmentRefs, travelers, paid, keptEach, refund, refundable };
  }

  // A penalty above the price of its part may be taken from the other parts.
  const coversPenalty = paid !== undefined && paid.minor >= penalty.minor;
  const refund = coversPenalty ? { minor: paid.minor - penalty.minor, currency: each.currency } : undefined;
  return { segmentRefs, travelers, paid, keptEach: each, refund, refundable };
}

/** The amount for each of some people; undefined if it does not divide evenly. */
function shareEach({ minor, currency }: Money, people: number): Money | undefined {
  return minor % people === 0 ? { minor: minor / people, currency } : undefined;
}

/** Joins passenger types with the same figures for each person on the same segments. */
function joinParts(parts: readonly PartRefund[]): readonly PartRefund[] {
  const groups = Map.groupBy(parts, (part, i) => {
    const { segmentRefs, travelers, refundable, keptEach, paid, refund } = part;
    const paidEach = paid && shareEach(paid, travelers.length);
    const refundEach = refund && shareEach(refund, travelers.length);
    // A part that was paid for, and not evenly, is joined with no other: its own number keeps it apart.
    const isUneven = paid !== undefined && paidEach === undefined;
    return JSON.stringify([segmentRefs, refundable, keptEach, paidEach, refundEach, isUneven ? i : '']);
  });

  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined || group.length === 1) return group;
    const sumFigures = (field: 'paid' | 'refund') => sumMoney(group.flatMap((part) => part[field] ?? []));
    const travelers = group.flatMap((part) => part.travelers);
    return [{ ...first, travelers, paid: sumFigures('paid'), refund: sumFigures('refund') }];
  });
}

export interface LaterRefund extends RefundAmount {
  /** UTC. */
  readonly from: string;
  readonly assessment: Assessment;
}

/** Gives the refund in each later window of the rules, one after the other. */
export function laterRefunds(
  booking: Booking,
  part: CancelledPart,
  windows: Windows,
  paid?: Money,
): IteratorObject<LaterRefund> {
  return windows.later().map(({ at, assessment }) => ({
    from: utcText(at),
    assessment,
    ...refundAmount(booking, part, assessment, paid),
  }));
}

/** The refund after the time limit: nothing, and the airline keeps what was paid. */
export function nothingBack(booking: Booking, part: CancelledPart, paid?: Money): RefundAmount {
  const penalty = paidShare(booking, makeCut(uncancelledSegments(part.options), part.travelers), paid);
  const { currency } = penalty ?? paid ?? booking.pricing?.total?.total ?? {};
  return { amount: currency === undefined ? undefined : zero(currency), penalty };
}
