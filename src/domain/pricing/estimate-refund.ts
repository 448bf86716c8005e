/**
 * What a cancellation would bring. Before it is made this is an estimate from the penalty rules in force, in integer
 * arithmetic; it is never reported as the refund itself (docs/wire/notes.md, Money and rules).
 */
import type { Booking } from '../booking/booking.ts';
import { amountPaid } from '../booking/booking-state.ts';
import type { SegmentOption } from '../booking/itinerary.ts';
import type { Traveler } from '../people/traveler.ts';
import { omitUndefined } from '../time-and-text/omit-undefined.ts';
import { earliest, instantOf, utcText } from '../time-and-text/times.ts';
import { type Assessment, assess, type PenaltyLine, type RuleGap } from './apply-penalty-rules.ts';
import { laterWords, refundWords, rulesText } from './describe-refund.ts';
import { cancelLimit, type FareUnit, segmentsLeft, unitsOf } from './fare-units.ts';
import type { Money } from './money.ts';
import { type Share, sharesOf } from './paid-share.ts';
import { type RulesHolding, rulesAt, rulesTurns } from './penalty-rules.ts';

export type { PenaltyLine, RuleGap } from './apply-penalty-rules.ts';

export interface Bounds {
  readonly atLeast: Money;
  readonly atMost: Money;
}

export interface RefundAmount {
  /** What would come back; absent where it is not known. */
  readonly amount?: Money;
  /** What it is between, where the amount is not known but what was paid is. */
  readonly bounds?: Bounds;
  /** Kept by the airline, tax included. */
  readonly penalty?: Money;
  /** There are bounds because a penalty is above the price of its part. */
  readonly overPrice?: true;
}

export interface RefundEstimate extends RefundAmount {
  readonly lines: readonly PenaltyLine[];
  /** Where no rule can be applied. */
  readonly gaps: readonly RuleGap[];
  /** The rule in words, or why there is no estimate. */
  readonly rule: string;
  /** The airline's text of the rule, as sent, where it sent no other rule. */
  readonly airlineWords: readonly string[];
  /** Until when it holds, UTC. */
  readonly until?: string;
  /** The next window, and what would come back in it. */
  readonly next?: RefundAmount & { readonly at: string; readonly rule: string };
  /** The time limit for cancelling has passed: nothing can come back. */
  readonly tooLate?: true;
}

export interface GivenBack {
  readonly options: readonly SegmentOption[];
  readonly travelers: readonly Traveler[];
}

/** `paid` stands in for what orders and tickets say, for a booking about to be paid. */
export function estimateRefund(booking: Booking, given: GivenBack, now: number, paid?: Money): RefundEstimate {
  const limit = instantOf(cancelLimit(booking, given.options));
  if (limit !== undefined && limit <= now) return afterLimit(limit);
  const going = unitsOf(booking, given.options);
  const assessAt = (holding: RulesHolding) => assess(booking, going, holding, given.travelers);
  const today = assessAt(rulesAt(going.units, now));
  const refund = price(booking, given, today, paid);
  const turn = turning(going.units, given.travelers, { today, assessAt }, now);
  const { until, next } = withinLimit(turn, today, limitAhead(limit, given));
  const then = next && price(booking, given, next.assessment, paid);
  return {
    ...today,
    rule: refundWords(today, given.travelers.length, refund),
    airlineWords: airlineWords(given, today.gaps),
    ...refund,
    ...(until !== undefined && { until: utcText(until) }),
    ...(next && then && { next: { at: utcText(next.at), rule: laterWords(next.assessment, then), ...then } }),
  };
}

function afterLimit(limit: number): RefundEstimate {
  const rule = `The time limit for cancelling passed at ${utcText(limit)}.`;
  return { lines: [], gaps: [], rule, airlineWords: [], tooLate: true };
}

/** The time limit can be a year after the sale: one past the departure changes nothing (docs/wire/notes.md, Limits). */
function limitAhead(limit: number | undefined, { options }: GivenBack): number | undefined {
  const departs = instantOf(earliest(segmentsLeft(options).map((segment) => segment.departs)));
  return limit !== undefined && departs !== undefined && departs <= limit ? undefined : limit;
}

/** Penalty rules count until the time limit for cancelling alone. */
function withinLimit({ until, next }: Turning, { lines }: Assessment, limit = Number.POSITIVE_INFINITY): Turning {
  const end = lines.length > 0 ? Math.min(until ?? Number.POSITIVE_INFINITY, limit) : until;
  return omitUndefined({
    until: end !== undefined && end <= limit && Number.isFinite(end) ? end : undefined,
    next: next !== undefined && next.at < limit ? next : undefined,
  });
}

function airlineWords({ options }: GivenBack, gaps: readonly RuleGap[]): readonly string[] {
  const refs = new Set(gaps.filter(({ why }) => why === 'in_words').flatMap(({ segmentRefs }) => segmentRefs));
  const segments = segmentsLeft(options).filter(({ ref }) => refs.has(ref));
  return [...new Set(segments.flatMap(({ fareRules = [] }) => fareRules.map(({ text }) => text)))];
}

/**
 * Nothing comes back of what is not refundable, whatever its share of the price was. Anything may come back of a part
 * without a rule. A penalty above the price of its part leaves bounds: it is not known whether the rest pays for it.
 */
function price(booking: Booking, given: GivenBack, { lines, gaps }: Assessment, paid?: Money): RefundAmount {
  const known = paid ?? amountPaid(booking);
  if (known === undefined || (lines.length === 0 && gaps.length === 0)) return {};
  const { currency } = known;
  if (lines.some((line) => line.penalty.currency !== currency)) return {};
  const money = (minor: number): Money => ({ minor, currency });
  const count = lines.length + gaps.length;
  const share = partShares(booking, given, count, known);
  const all = share([...lines, ...gaps]);
  const back = lines.filter(({ rule }) => rule.refundable);
  if (back.length === 0 && gaps.length === 0) {
    return omitUndefined({ amount: money(0), penalty: all.least === all.most ? money(all.least) : undefined });
  }
  const kept = back.reduce((sum, { penalty }) => sum + penalty.minor, 0);
  const [sure, open] = [share(back), share([...back, ...gaps])];
  const above = abovePrice(back, share);
  const least = gaps.length > 0 ? 0 : Math.max(0, sure.least - kept);
  const together = Math.max(least, open.most - kept + above);
  if (least === together) {
    return omitUndefined({
      amount: money(least),
      penalty: all.least === all.most ? money(all.least - least) : undefined,
    });
  }
  // What is known to be paid covers the penalties, or some of them may find nothing to take.
  const covered = sure.least >= kept;
  const most = covered ? together : Math.max(together, open.most - sure.most + mostLeft(back, sure.most, share));
  const pure = back.length === count;
  return omitUndefined({
    bounds: { atLeast: money(least), atMost: money(most) },
    penalty: pure && above === 0 ? money(kept) : undefined,
    overPrice: above > 0 && sure.least === sure.most ? (true as const) : undefined,
  });
}

type Parts = readonly (PenaltyLine | RuleGap)[];
type ShareOf = (parts: Parts) => Omit<Share, 'currency'>;

/**
 * The most that penalties can leave of what was paid for their parts: each takes no more than its own part, and what is
 * not known to be of one part may be of any.
 */
function mostLeft(back: readonly PenaltyLine[], paid: number, share: ShareOf): number {
  const parts = back.map((line) => ({ own: share([line]).least, penalty: line.penalty.minor }));
  const spare = Math.max(0, paid - parts.reduce((sum, { own }) => sum + own, 0));
  const left = ({ own, penalty }: (typeof parts)[number], more = 0) => Math.max(0, own + more - penalty);
  const sure = parts.reduce((sum, part) => sum + left(part), 0);
  return sure + parts.reduce((most, part) => Math.max(most, left(part, spare) - left(part)), 0);
}

/** By how much penalties are above the price of their own parts, where the price of each part is known. */
function abovePrice(back: readonly PenaltyLine[], share: ShareOf): number {
  return back.reduce((sum, line) => {
    const own = share([line]);
    return own.least === own.most ? sum + Math.max(0, line.penalty.minor - own.least) : sum;
  }, 0);
}

/**
 * What was paid for some of `count` parts. All of them are one cut; else each type is looked at by itself, for its parts
 * may be of other segments.
 */
function partShares(booking: Booking, given: GivenBack, count: number, paid: Money) {
  const shareOf = sharesOf(booking, paid);
  const whole = cutOf(given);
  return (parts: Parts): { least: number; most: number } => {
    const cuts = parts.length === count ? [whole] : cutsByType(given.travelers, parts);
    const shares = cuts.flatMap((cut) => shareOf?.(cut) ?? []);
    const sum = (of: 'least' | 'most') => shares.reduce((all, one) => all + one[of], 0);
    return { least: Math.min(sum('least'), paid.minor), most: Math.min(sum('most'), paid.minor) };
  };
}

function cutsByType(travelers: readonly Traveler[], parts: Parts) {
  return [...Map.groupBy(parts, ({ type }) => type)].map(([type, own]) => ({
    segmentRefs: new Set(own.flatMap((part) => part.segmentRefs)),
    travelerRefs: new Set(travelers.filter((each) => each.type === type).map(({ ref }) => ref)),
  }));
}

function cutOf({ options, travelers }: GivenBack) {
  return {
    segmentRefs: new Set(segmentsLeft(options).map(({ ref }) => ref)),
    travelerRefs: new Set(travelers.map(({ ref }) => ref)),
  };
}

interface Turning {
  /** When what holds now ends, milliseconds since 1970. */
  readonly until?: number;
  /** When other rules hold. After a gap without rules that is later. */
  readonly next?: { readonly at: number; readonly assessment: Assessment };
}

/** What changes for these travellers, and when: a rule for others, or one that says the same, changes nothing. */
function turning(
  units: readonly FareUnit[],
  travelers: readonly Traveler[],
  { today, assessAt }: { readonly today: Assessment; readonly assessAt: (holding: RulesHolding) => Assessment },
  now: number,
): Turning {
  const types = new Set(travelers.map(({ type }) => type));
  const words = rulesText(today);
  let until: number | undefined;
  for (const { at, holding } of rulesTurns(units, types, now)) {
    const assessment = assessAt(holding);
    if (rulesText(assessment) === words) continue;
    until ??= at;
    if (assessment.lines.length > 0) return { until, next: { at, assessment } };
  }
  return omitUndefined({ until });
}

/** What limits count: the estimate, else the most that can come back, else all that was paid. */
export function refundAtStake(booking: Booking, estimate: RefundEstimate): Money | undefined {
  return estimate.amount ?? estimate.bounds?.atMost ?? amountPaid(booking) ?? booking.pricing?.total?.total;
}
