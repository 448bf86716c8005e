/**
 * Estimates the refund of a cancellation, now, for each part of the trip and in each later window, from the penalty
 * rules in force. An estimate is never reported as the refund itself (docs/wire/notes.md, Money and rules).
 */
import { type Money, sumMoney, zero } from '../../core/money.ts';
import { instantOf, showDeadline, utcText } from '../../core/times.ts';
import type { Booking } from '../booking/booking.ts';
import { amountPaid } from '../booking/paid-and-refunded.ts';
import type { Traveler } from '../people/traveler.ts';
import { laterSentences, refundSentences } from './describe-refund.ts';
import { cancelLimit, uncancelledSegments } from './fare-units.ts';
import { makeCut, paidShare } from './paid-share.ts';
import type { Assessment, PenaltyLine, RuleGap } from './penalty-rules.ts';
import { type CancelledPart, type RefundAmount, refundAmount } from './refund-amount.ts';
import { type RuleWindow, ruleWindows } from './rules-in-force.ts';

export interface RefundEstimate extends RefundAmount {
  readonly lines: readonly PenaltyLine[];
  /** Parts to which no rule can be applied. */
  readonly gaps: readonly RuleGap[];
  /** The rule in words, or why there is no estimate. */
  readonly rule: string;
  /** Until when the estimate is valid, UTC. */
  readonly until?: string;
  /** The next window with a rule, with its estimate. */
  readonly next?: RefundAmount & { readonly at: string; readonly rule: string };
  /** Cancelling has ended: there is no refund. */
  readonly tooLate?: true;
  /** No time limit of the airline has passed: that cancelling has ended is an estimate too. */
  readonly departed?: true;
}

export interface EstimateOptions {
  /** Overrides what orders and tickets say, for a booking about to be paid. */
  readonly paid?: Money | undefined;
  /** Language of the airline's words. Default `en`. */
}

/** `now`: milliseconds since 1970. */
export function estimateRefund(
  booking: Booking,
  given: CancelledPart,
  now: number,
  { paid }: EstimateOptions = {},
): RefundEstimate {
  const { today, later, ends } = ruleWindows(booking, given, now);
  if (ends !== undefined && ends <= now) return afterEnd(booking, given, now);
  const refund = refundAmount(booking, given, today, paid);
  const { until = today.lines.length > 0 ? ends : undefined, next } = nextChange(later);
  const then = next && refundAmount(booking, given, next.assessment, paid);
  return {
    ...today,
    rule: refundSentences(today, given.travelers.length, refund),
    ...refund,
    until: until === undefined ? undefined : utcText(until),
    ...(next && then && { next: { at: utcText(next.at), rule: laterSentences(next.assessment, then), ...then } }),
  };
}

function afterEnd(booking: Booking, { options }: CancelledPart, now: number): RefundEstimate {
  const limit = instantOf(cancelLimit(booking, options));
  const late = { lines: [], gaps: [], tooLate: true } as const;
  if (limit === undefined || limit > now) {
    return { ...late, rule: 'Everything has departed, and the last refund rule is over.', departed: true };
  }
  const passed = showDeadline(utcText(limit), uncancelledSegments(options)[0]?.departs);
  return { ...late, rule: `The time limit for cancelling passed on ${passed}.` };
}

interface RuleChange {
  /** When the rules in force end, milliseconds since 1970. */
  readonly until?: number;
  /** When other rules begin: later, if there is a gap without rules. */
  readonly next?: RuleWindow;
}

function nextChange(windows: Iterable<RuleWindow>): RuleChange {
  let until: number | undefined;
  for (const window of windows) {
    until ??= window.at;
    const { lines, gaps } = window.assessment;
    if (lines.length > 0 || gaps.some(({ words }) => words)) return { until, next: window };
  }
  return { until };
}

/** The amount that limits count: the estimate, else the most that can be refunded, else all that was paid. */
export function refundAtStake(booking: Booking, estimate: RefundEstimate): Money | undefined {
  return estimate.amount ?? estimate.bounds?.atMost ?? amountPaid(booking) ?? booking.pricing?.total?.total;
}

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
  const refunds = lines.map((line) => {
    const people = travelers.filter(({ type }) => type === line.type);
    const cut = makeCut(
      line.segmentRefs.map((ref) => ({ ref })),
      people,
    );
    return estimatePart(line, people, paidShare(booking, cut, paid), amount);
  });
  const sum = sumMoney(refunds.flatMap(({ refund }) => refund ?? []));
  const isComplete = gaps.length === 0 && refunds.every(({ refund }) => refund !== undefined);
  const fits = amount === undefined || !isComplete || sum?.minor === amount.minor;
  return merged(fits ? refunds : refunds.map(({ refund: _, paid: __, ...part }) => part));
}

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
    const all = refundable && paidEach === undefined ? each : paidEach;
    const keptEach = refundable && all !== undefined && all.minor > each.minor ? each : all;
    const refund = zero(paid?.currency ?? amount?.currency ?? each.currency);
    return { segmentRefs, travelers, paid, keptEach, refund, refundable };
  }
  // A penalty above the price of its part may be taken from the other parts.
  const left = paid === undefined || paid.minor < penalty.minor ? undefined : paid.minor - penalty.minor;
  const refund = left === undefined ? undefined : { minor: left, currency: each.currency };
  return { segmentRefs, travelers, paid, keptEach: each, refund, refundable };
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
    const sumFigures = (of: 'paid' | 'refund') => sumMoney(same.flatMap((part) => part[of] ?? []));
    const travelers = same.flatMap((part) => part.travelers);
    return [
      {
        segmentRefs,
        travelers,
        paid: sumFigures('paid'),
        keptEach,
        refund: sumFigures('refund'),
        refundable,
      },
    ];
  });
}

export interface LaterRefund extends RefundAmount {
  /** UTC. */
  readonly from: string;
  /** UTC; absent for the last window. */
  readonly until?: string;
  readonly assessment: Assessment;
  /** Nothing can be cancelled any more by then: nothing comes back. */
  readonly closed?: true;
}

interface LaterRefunds {
  readonly windows: readonly LaterRefund[];
  /** There are later windows than these. */
  readonly more: boolean;
  /** From when nothing comes back any more, UTC; absent if that is not known. */
  readonly ends?: string;
}

/** Bounds the work for a booking with very many rules. */
const MOST_WINDOWS = 24;

export function laterRefunds(
  booking: Booking,
  given: CancelledPart,
  now: number,
  { paid }: EstimateOptions = {},
): LaterRefunds {
  const { later, ends } = ruleWindows(booking, given, now);
  if (ends !== undefined && ends <= now) return { windows: [], more: false };
  const found: (Omit<LaterRefund, 'from'> & { readonly at: number })[] = [];
  for (const { at, assessment } of later) {
    if (found.length > MOST_WINDOWS) break;
    found.push({ at, assessment, ...refundAmount(booking, given, assessment, paid) });
  }
  if (ends !== undefined && found.length <= MOST_WINDOWS) found.push(closedAt(booking, given, ends, paid));
  const windows = found.map(({ at, ...window }, i) => {
    const next = found[i + 1]?.at;
    return { from: utcText(at), until: next === undefined ? undefined : utcText(next), ...window };
  });
  return {
    windows: windows.slice(0, MOST_WINDOWS),
    more: windows.length > MOST_WINDOWS,
    ends: ends === undefined ? undefined : utcText(ends),
  };
}

/** What cancelling gives after the time limit: nothing. */
export function nothingBack(booking: Booking, given: CancelledPart, paid?: Money): RefundAmount {
  const penalty = paidShare(booking, makeCut(uncancelledSegments(given.options), given.travelers), paid);
  const { currency } = penalty ?? paid ?? booking.pricing?.total?.total ?? {};
  return { amount: currency === undefined ? undefined : zero(currency), penalty };
}

function closedAt(booking: Booking, given: CancelledPart, at: number, paid: Money | undefined) {
  return { at, assessment: { lines: [], gaps: [] }, closed: true as const, ...nothingBack(booking, given, paid) };
}
