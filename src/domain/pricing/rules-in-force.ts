/** Finds the refund rules in force at a moment, each later window with other rules, and when cancelling ends. */
import { earliestTime, instantOf, latestPossibleInstant } from '../../core/times.ts';
import type { Booking } from '../booking/booking.ts';
import { hasPassed } from '../booking/booking-state.ts';
import { conditionsIn, rulesText } from './describe-refund.ts';
import type { FareComponent, FareRule, Pricing } from './fare.ts';
import { cancelLimit, fareUnits, uncancelledSegments } from './fare-units.ts';
import { type Assessment, assess, type RulesInForce } from './penalty-rules.ts';
import type { CancelledPart } from './refund-amount.ts';

export interface RuleWindow {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly assessment: Assessment;
}

export interface Windows {
  readonly today: Assessment;
  /** In order; each begins before `ends`, and its rules differ from those before. */
  readonly later: Iterable<RuleWindow>;
  /** From when on nothing comes back, milliseconds since 1970; undefined if that is not known. */
  readonly ends: number | undefined;
}

/** The rules for cancelling a part of a booking, from now on. */
export function ruleWindows(booking: Booking, cancelled: CancelledPart, now: number): Windows {
  const { options, travelers } = cancelled;
  const units = fareUnits(booking, options);
  const assessUnder = (rules: RulesInForce) => assess(booking, units, rules, travelers);
  const today = assessUnder(rulesAt(units.units, now));
  const ends = cancellingEnds(booking, cancelled);
  const types = new Set(travelers.map(({ type }) => type));
  const changes = () => ruleChanges(units.units, types, now);
  return { today, ends, later: { [Symbol.iterator]: () => windowsUntil(ends, today, changes(), assessUnder) } };
}

/** Yields a window for each moment before `ends` at which the rules, in words, change. */
function* windowsUntil(
  ends = Number.POSITIVE_INFINITY,
  today: Assessment,
  changes: ReturnType<typeof ruleChanges>,
  assessUnder: (rules: RulesInForce) => Assessment,
): Generator<RuleWindow> {
  let lastWords = fullWords(today);
  for (const { at, rules } of changes) {
    if (at >= ends) return;
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
  const segments = uncancelledSegments(options);
  if (uncovered.length > 0) return undefined;
  const departs = Math.max(...segments.map(({ departs: at }) => latestPossibleInstant(at) ?? Number.NaN));
  const types = [...new Set(travelers.map(({ type }) => type))];
  const ends = units.flatMap(({ refundRules }) => types.map((type) => rulesEnd(refundRules, type, departs)));
  // NaN or infinite if one of them is not known.
  const overAt = Math.max(departs, ...ends);
  return Number.isFinite(overAt) ? overAt : undefined;
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
 * When the last rule for a passenger type, or for all types, ends. A rule without an end holds until `departs`, unless it
 * begins only then. Milliseconds since 1970; NaN or infinite if that is not known.
 */
function rulesEnd(rules: readonly FareRule[], type: string, departs: number): number {
  // Also those that are not in force now: each may be the last one.
  const ends = rules.flatMap((rule) => {
    if (rule.passengerType !== type && rule.passengerType !== '') return [];
    const { from, until } = ruleBounds(rule);
    if (from === undefined || until === undefined) return Number.NaN;
    if (from >= until) return [];
    return Number.isFinite(until) || from >= departs ? until : departs;
  });
  return ends.length === 0 ? Number.NaN : Math.max(...ends);
}

/** A rule with the index of its component. Times in milliseconds since 1970; open ends are infinite. */
interface RuleSpan {
  readonly component: number;
  readonly rule: FareRule;
  readonly from: number;
  readonly until: number;
}

/**
 * Yields each later moment at which a rule for these passenger types begins or ends, with the rules in force from then
 * on. Derives each step from the previous one, because examining all rules each time would be quadratic.
 */
function* ruleChanges(
  components: readonly HasRules[],
  types: ReadonlySet<string>,
  after: number,
): Generator<{ readonly at: number; readonly rules: RulesInForce }> {
  const spans = components.flatMap((unit, i) => ruleSpans(unit, i, types)).filter(({ until }) => until > after);
  // For each component, the rules in force at the moment that is looked at.
  const open = components.map(() => new Set<RuleSpan>());
  for (const span of spans) if (span.from <= after) open[span.component]?.add(span);
  const begins = Map.groupBy(spans, ({ from }) => from);
  const ends = Map.groupBy(spans, ({ until }) => until);
  const moments = [...new Set([...begins.keys(), ...ends.keys()])].filter((at) => at > after && Number.isFinite(at));
  const rules = open.map(rulesOf);
  for (const at of moments.sort((a, b) => a - b)) {
    const [ended, begun] = [ends.get(at) ?? [], begins.get(at) ?? []];
    for (const span of ended) open[span.component]?.delete(span);
    for (const span of begun) open[span.component]?.add(span);
    for (const i of new Set([...ended, ...begun].map(({ component }) => component))) rules[i] = rulesOf(open[i]);
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
