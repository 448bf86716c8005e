/** Finds the refund rules in force at a moment, each later window with other rules, and when cancelling ends. */
import { earliestTime, instantOf, latestPossibleInstant } from '../../core/times.ts';
import type { Booking } from '../booking/booking.ts';
import { hasPassed } from '../booking/booking-state.ts';
import { conditionsIn, rulesText } from './describe-refund.ts';
import type { FareComponent, FareRule, Pricing } from './fare.ts';
import { cancelLimit, fareUnits, uncancelledSegments } from './fare-units.ts';
import { type Assessment, assess, type RulesInForce } from './penalty-rules.ts';
import type { CancelledPart } from './refund-if-known.ts';

export interface RuleWindow {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly assessment: Assessment;
}

export interface Windows {
  readonly today: Assessment;
  /**
   * Yields the later windows, in order: each begins before `ends`, and its rules differ from those before. Assesses each one
   * only when it is read, because callers read only the first few.
   */
  later(): Iterable<RuleWindow>;
  /** From when on nothing comes back, milliseconds since 1970; undefined if that is not known. */
  readonly ends: number | undefined;
}

/** The rules for cancelling a part of a booking, from now on. */
export function ruleWindows(booking: Booking, cancelled: CancelledPart, now: number): Windows {
  const { options, travelers } = cancelled;
  const coverage = fareUnits(booking, options);
  const assessUnder = (rules: RulesInForce) => assess(booking, coverage, rules, travelers);
  const today = assessUnder(rulesAt(coverage.units, now));
  const ends = cancellingEnds(booking, cancelled);
  const types = new Set(travelers.map(({ type }) => type));
  return {
    today,
    ends,
    later: () => windowsUntil(today, ruleChanges(coverage.units, types, now), assessUnder, ends),
  };
}

/** Yields a window for each moment before `ends` at which the rules, in words, change. */
function* windowsUntil(
  today: Assessment,
  changes: Iterable<RuleStep>,
  assessUnder: (rules: RulesInForce) => Assessment,
  ends: number | undefined,
): Generator<RuleWindow> {
  let lastWords = fullWords(today);
  for (const { at, rules } of changes) {
    if (ends !== undefined && at >= ends) return;
    const assessment = assessUnder(rules);
    const words = fullWords(assessment);
    if (words === lastWords) continue;
    lastWords = words;
    yield { at, assessment };
  }
}

/** Everything that rules say, for comparing them: equal words mean equal rules. */
const fullWords = (assessment: Assessment) => [rulesText(assessment), ...conditionsIn(assessment)].join('\n');

/**
 * When cancelling ends: at the time limit, which can be a year after the sale (docs/wire/notes.md, Limits). If every part
 * has a rule, it ends earlier: once everything has departed and the last rule is over.
 */
export function cancellingEnds(booking: Booking, { options, travelers }: CancelledPart): number | undefined {
  // The airline still refunds what it cancelled itself after that, and does not say until when.
  if (isOwed({ options })) return undefined;
  const limit = instantOf(cancelLimit(booking, options));
  const overAt = everythingOver(booking, { options, travelers });
  return overAt === undefined ? limit : Math.min(limit ?? overAt, overAt);
}

/** Whether the airline cancelled a segment of these options itself, so that it may owe a refund. */
export function isOwed({ options }: Pick<CancelledPart, 'options'>): boolean {
  return uncancelledSegments(options).some(({ owed }) => owed !== undefined);
}

/**
 * When everything has departed and the last rule is over. Undefined if a part has no rule, or its rules or departure
 * have no known end.
 */
function everythingOver(booking: Booking, { options, travelers }: CancelledPart): number | undefined {
  const { units, uncovered } = fareUnits(booking, options);
  if (uncovered.length > 0) return undefined;
  const lastDeparture = latestIfKnown(
    uncancelledSegments(options).map(({ departs }) => latestPossibleInstant(departs)),
  );
  if (lastDeparture === undefined) return undefined;
  const types = [...new Set(travelers.map(({ type }) => type))];
  const ends = units.flatMap(({ refundRules }) => types.map((type) => rulesEnd(refundRules, type, lastDeparture)));
  return latestIfKnown([lastDeparture, ...ends]);
}

/** Returns the latest of some instants. Undefined if there are none, or if one is not known: it may be the latest. */
function latestIfKnown(instants: readonly (number | undefined)[]): number | undefined {
  const knownInstants = instants.filter((instant) => instant !== undefined);
  if (knownInstants.length === 0 || knownInstants.length < instants.length) return undefined;
  return Math.max(...knownInstants);
}

/** Whether the rule is in force. A missing bound is open; with an unreadable bound it is never in force. */
export function inForce(rule: FareRule, at: number): boolean {
  const { from, until } = ruleBounds(rule);
  return from !== undefined && until !== undefined && from <= at && at < until;
}

/** Milliseconds since 1970. A missing bound is infinite, an unreadable one undefined. */
function ruleBounds({ from, until }: FareRule): { from: number | undefined; until: number | undefined } {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : instantOf(from),
    until: until === undefined ? Number.POSITIVE_INFINITY : instantOf(until),
  };
}

type HasRules = Pick<FareComponent, 'refundRules'>;

/** The rules of each component that are in force. */
function rulesAt(components: readonly HasRules[], at: number): RulesInForce {
  return components.map(({ refundRules }) => refundRules.filter((rule) => inForce(rule, at)));
}

/**
 * Whether a booking with this pricing can be refunded, by the rules in force. Undefined if there are none, if one does
 * not say it, or if they differ.
 */
export function isRefundable({ fares }: Pick<Pricing, 'fares'>, now: number): boolean | undefined {
  if (hasPassed(earliestTime(fares.map(({ cancelUntil }) => cancelUntil)), now)) return false;
  const stated = new Set(rulesAt(fares, now).flatMap((rules) => rules.map(({ refundable }) => refundable)));
  return stated.size === 1 ? [...stated][0] : undefined;
}

/**
 * When the last rule for a passenger type, or for all types, ends. A rule without an end holds until the last departure.
 * Milliseconds since 1970; undefined if there is no rule, if a bound is unreadable, or if a rule without an end begins
 * only at the last departure or later.
 */
function rulesEnd(rules: readonly FareRule[], type: string, lastDeparture: number): number | undefined {
  // Also those that are not in force now: each may be the last one.
  const ends = rules.flatMap((rule) => {
    if (rule.passengerType !== type && rule.passengerType !== '') return [];
    const { from, until } = ruleBounds(rule);
    if (from === undefined || until === undefined) return undefined;
    if (from >= until) return [];
    if (Number.isFinite(until)) return until;
    return from < lastDeparture ? lastDeparture : undefined;
  });
  return latestIfKnown(ends);
}

/** A rule with the index of its component. Times in milliseconds since 1970; open ends are infinite. */
interface RuleSpan {
  readonly component: number;
  readonly rule: FareRule;
  readonly from: number;
  readonly until: number;
}

/** A moment, in milliseconds since 1970, and the rules in force from then on. */
interface RuleStep {
  readonly at: number;
  readonly rules: RulesInForce;
}

/**
 * Yields each later moment at which a rule for these passenger types begins or ends, with the rules in force from then
 * on. Derives each step from the previous one, because examining all rules each time would be quadratic.
 */
function* ruleChanges(components: readonly HasRules[], types: ReadonlySet<string>, after: number): Generator<RuleStep> {
  const spans = components
    .flatMap((component, i) => ruleSpans(component, i, types))
    .filter(({ until }) => until > after);
  // For each component, the spans that hold at the moment that is looked at.
  const openSpans = components.map(() => new Set<RuleSpan>());
  for (const span of spans) if (span.from <= after) openSpans[span.component]?.add(span);
  const rules = openSpans.map(rulesOf);
  const edges = spans.flatMap((span) => [
    { at: span.from, span, isBegin: true },
    { at: span.until, span, isBegin: false },
  ]);
  const laterEdges = edges.filter(({ at }) => at > after && Number.isFinite(at));
  const moments = [...Map.groupBy(laterEdges, ({ at }) => at)].sort(([a], [b]) => a - b);
  for (const [at, edgesNow] of moments) {
    for (const { span, isBegin } of edgesNow) {
      if (isBegin) openSpans[span.component]?.add(span);
      else openSpans[span.component]?.delete(span);
    }
    const changedComponents = new Set(edgesNow.map(({ span }) => span.component));
    for (const i of changedComponents) rules[i] = rulesOf(openSpans[i]);
    yield { at, rules: [...rules] };
  }
}

/** When each rule of a component is in force. Leaves out rules for other passenger types, and those never in force. */
function ruleSpans({ refundRules }: HasRules, component: number, types: ReadonlySet<string>): readonly RuleSpan[] {
  return refundRules.flatMap((rule) => {
    const { from, until } = ruleBounds(rule);
    const isForTypes = rule.passengerType === '' || types.has(rule.passengerType);
    return isForTypes && from !== undefined && until !== undefined && from < until
      ? [{ component, rule, from, until }]
      : [];
  });
}

function rulesOf(spans: ReadonlySet<RuleSpan> | undefined): readonly FareRule[] {
  return [...(spans ?? [])].map(({ rule }) => rule);
}
