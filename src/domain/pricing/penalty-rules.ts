/**
 * Penalty rules: when a rule is in force, and what the airline keeps under it, per passenger of a type and per fare
 * component (docs/wire/notes.md, Money and rules).
 */
import { formatMoney, type Money, percentOf, sameMoney, sumMoney, zero } from '../../core/money.ts';
import { earliest, instantOf } from '../../core/times.ts';
import type { Booking, Segment, SegmentOption } from '../booking/booking.ts';
import { hasPassed } from '../booking/booking-state.ts';
import { standing } from '../booking/status-codes.ts';
import type { Traveler } from '../people/traveler.ts';
import { type FareComponent, type FareRule, isPenalty, type PenaltyRule, type Pricing } from './fare.ts';
import { type FareUnit, ruleTexts } from './fare-units.ts';

/** Whether the rule is in force. A missing bound is open; with an unreadable bound it is never in force. */
export function inForce(rule: FareRule, at: number): boolean {
  const { from, until } = ruleBounds(rule);
  return from !== undefined && until !== undefined && from <= at && at < until;
}

function ruleBounds({ from, until }: FareRule): { from: number | undefined; until: number | undefined } {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : instantOf(from),
    until: until === undefined ? Number.POSITIVE_INFINITY : instantOf(until),
  };
}

/** A percentage from hundredths: 1500 → `15`, 1550 → `15.5`. */
export function percentText(hundredths: number): string {
  return (hundredths / 100).toFixed(2).replace(/\.?0+$/, '');
}

/** The rules in force, for each fare component. */
export type RulesInForce = readonly (readonly FareRule[])[];

type HasRules = Pick<FareComponent, 'refundRules'>;

export function rulesAt(components: readonly HasRules[], at: number): RulesInForce {
  return components.map(({ refundRules }) => refundRules.filter((rule) => inForce(rule, at)));
}

/** By the rules in force; undefined where the airline states none, or does not say it, or where they differ. */
export function isRefundable({ fares }: Pick<Pricing, 'fares'>, now: number): boolean | undefined {
  if (hasPassed(earliest(fares.map(({ cancelUntil }) => cancelUntil)), now)) return false;
  const stated = new Set(rulesAt(fares, now).flatMap((rules) => rules.map(({ refundable }) => refundable)));
  return stated.size === 1 ? [...stated][0] : undefined;
}

/** The rules for a passenger type; else the rules for all types. */
export function rulesFor(holding: readonly FareRule[], type: string): readonly FareRule[] {
  const ofType = holding.filter((rule) => rule.passengerType === type);
  return ofType.length > 0 ? ofType : holding.filter((rule) => rule.passengerType === '');
}

/**
 * When the last rule for a passenger type, or for all types, ends. One without an end holds until `departs`, unless it
 * begins only then. NaN or infinite if that is not known.
 */
export function rulesEnd(rules: readonly FareRule[], type: string, departs: number): number {
  // All rules, not only those in force: which ones count is decided for each moment.
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
export function* ruleChanges(
  components: readonly HasRules[],
  types: ReadonlySet<string>,
  after: number,
): Generator<{ readonly at: number; readonly holding: RulesInForce }> {
  const spans = components.flatMap((unit, i) => ruleSpans(unit, i, types)).filter(({ until }) => until > after);
  const open = components.map(() => new Set<RuleSpan>());
  for (const span of spans) if (span.from <= after) open[span.component]?.add(span);
  const begins = Map.groupBy(spans, ({ from }) => from);
  const ends = Map.groupBy(spans, ({ until }) => until);
  const turns = [...new Set([...begins.keys(), ...ends.keys()])].filter((at) => at > after && Number.isFinite(at));
  const holding = open.map(rulesIn);
  for (const at of turns.sort((a, b) => a - b)) {
    const [ended, begun] = [ends.get(at) ?? [], begins.get(at) ?? []];
    for (const span of ended) open[span.component]?.delete(span);
    for (const span of begun) open[span.component]?.add(span);
    for (const i of new Set([...ended, ...begun].map(({ component }) => component))) holding[i] = rulesIn(open[i]);
    yield { at, holding: [...holding] };
  }
}

function ruleSpans({ refundRules }: HasRules, component: number, types: ReadonlySet<string>): readonly RuleSpan[] {
  return refundRules.flatMap((rule) => {
    const { from, until } = ruleBounds(rule);
    const concerns = rule.passengerType === '' || types.has(rule.passengerType);
    return concerns && from !== undefined && until !== undefined && from < until
      ? [{ component, rule, from, until }]
      : [];
  });
}

/** The text of a rule in English, like the text around it, or in any other language. */
export function ruleWords({ texts }: FareRule): string | undefined {
  const inEnglish = texts.find(({ locale }) => locale?.slice(0, 2).toLowerCase() === 'en');
  const found = (inEnglish ?? texts[0])?.text;
  return found?.trim() === '' ? undefined : found;
}

const AMOUNT = String.raw`(?: of)? (?<currency>[a-z]{3}) (?<amount>\d+(?:\.\d+)?)`;
const EACH = '(?: per (?:passenger|person)(?: and (?:segment|leg|flight|train))?)?';
const NO_REFUND = /^(?:refund not (?:permitted|allowed|possible)|not refundable|non-?refundable)$/;
const REFUND = /^(?:refund(?:able| permitted| allowed)|free (?:refund|cancellation))$/;
const PENALTY = new RegExp(`^refund (?:with|for) a (?:penalty|fee)(?:${AMOUNT})?${EACH}$`);

/**
 * Whether a text only repeats what the figures of its rule say. Any other text may be a condition (`for health reasons
 * only`), so that it belongs beside the sum.
 */
export function repeatsFigures(text: string, rule: PenaltyRule): boolean {
  const words = text.trim().replace(/\.$/, '').toLowerCase();
  if (!rule.refundable) return NO_REFUND.test(words);
  const kept = keptBy(rule)?.total;
  if (kept === undefined) return false;
  if (REFUND.test(words)) return kept.minor === 0 || !words.startsWith('free');
  const { currency, amount } = PENALTY.exec(words)?.groups ?? {};
  if (amount === undefined) return kept.minor > 0 && PENALTY.test(words);
  return [kept, rule.base].some((sum) => sum.currency.toLowerCase() === currency && formatMoney(sum) === amount);
}

function rulesIn(open: ReadonlySet<RuleSpan> | undefined): readonly FareRule[] {
  return [...(open ?? [])].map(({ rule }) => rule);
}

const isActive = (option: SegmentOption) => option.segments.some((segment) => standing(segment) === 'active');

export function activeOptions(booking: Booking): readonly SegmentOption[] {
  return booking.options.filter(isActive);
}

/** What the airline keeps, for one passenger and one fare component. */
export interface Kept {
  /** Tax included. */
  readonly total: Money;
  readonly tax: Money;
  /** The airline's total differs from its base and tax; `total` is the greater. */
  readonly disagrees: boolean;
}

/**
 * `base` plus `tax` (docs/wire/notes.md, Money and rules). Computes a missing tax from the percentage, unless `total`
 * contains it. Undefined if an amount is negative or too large.
 */
export function keptBy({ base, tax, total, totalAlone, vatHundredths }: PenaltyRule): Kept | undefined {
  if ([base, tax, total].some(({ minor }) => minor < 0) || vatHundredths < 0) return undefined;
  const none = zero(total.currency);
  if (base.minor === 0 && tax.minor === 0) {
    return { total, tax: none, disagrees: total.minor > 0 && totalAlone !== true };
  }
  const computed = percentOf(base, vatHundredths);
  const unstated = tax.minor === 0 && computed.minor > 0;
  const withTax = sumMoney([base, unstated ? computed : tax]);
  if (withTax === undefined) return undefined;
  if (unstated && (sameMoney(total, base) || sameMoney(total, withTax))) {
    return { total: withTax, tax: computed, disagrees: false };
  }
  const computedTotal = sumMoney([base, tax]) ?? withTax;
  const greater = computedTotal.minor > total.minor ? computedTotal : total;
  return { total: greater, tax, disagrees: !sameMoney(computedTotal, total) };
}

/** One part of the trip for the passengers of one type. */
export interface TripPart {
  readonly type: string;
  readonly passengers: number;
  readonly segmentRefs: readonly string[];
}

export interface PenaltyLine extends TripPart {
  readonly rule: PenaltyRule;
  /** Kept for one passenger, tax included. */
  readonly each: Money;
  /** The tax in `each`. */
  readonly tax: Money;
  /** Kept for all these passengers, tax included. */
  readonly penalty: Money;
  /** The airline's total differs from its base and tax. */
  readonly disagrees: boolean;
  /** The airline's own words, as sent, that may hold a condition besides the figures. */
  readonly conditions?: readonly string[];
}

export interface RuleGap extends TripPart {
  readonly why: 'not_sent' | 'in_words' | 'not_placed' | 'not_in_force' | 'unclear';
  /** The airline's own words, as sent, where they are its rule. */
  readonly words?: readonly string[];
}

export interface Assessment {
  readonly lines: readonly PenaltyLine[];
  readonly gaps: readonly RuleGap[];
}

/** @param holding the rules in force of each unit */
export function assess(
  booking: Booking,
  { units, uncovered }: { readonly units: readonly FareUnit[]; readonly uncovered: readonly Segment[] },
  holding: RulesInForce,
  travelers: readonly Traveler[],
): Assessment {
  const lines: PenaltyLine[] = [];
  const gaps: RuleGap[] = [];
  for (const [type, people] of Map.groupBy(travelers, (traveler) => traveler.type)) {
    for (const [i, unit] of units.entries()) {
      const found = penaltyLine(type, people.length, unit, holding[i] ?? []);
      if ('rule' in found) lines.push(found);
      else gaps.push(found);
    }
    for (const segment of uncovered) {
      const part = { type, passengers: people.length, segmentRefs: [segment.ref] };
      gaps.push(inWords(part, ruleTexts([segment])) ?? { ...part, why: hasRules(booking) ? 'not_placed' : 'not_sent' });
    }
  }
  return { lines, gaps };
}

function penaltyLine(
  type: string,
  passengers: number,
  { segments, refundRules }: FareUnit,
  holding: readonly FareRule[],
): PenaltyLine | RuleGap {
  const part = { type, passengers, segmentRefs: segments.map(({ ref }) => ref) };
  if (refundRules.length === 0) return inWords(part, ruleTexts(segments)) ?? { ...part, why: 'not_sent' };
  const found = onceEach(rulesFor(holding, type));
  if (found.length === 0) return { ...part, why: 'not_in_force' };
  if (!found.every(isPenalty)) {
    const words = found.flatMap((rule) => ruleWords(rule) ?? []);
    return inWords(part, words.length > 0 ? words : ruleTexts(segments)) ?? { ...part, why: 'unclear' };
  }
  const [rule, ...others] = found;
  const kept = rule && keptBy(rule);
  const minor = (kept?.total.minor ?? Number.NaN) * passengers;
  if (!rule || !kept || others.length > 0 || !Number.isSafeInteger(minor)) return { ...part, why: 'unclear' };
  const { total: each, tax, disagrees } = kept;
  const penalty = { minor, currency: each.currency };
  return { ...part, rule, each, tax, penalty, disagrees, ...conditionsBesideFigures(rule, segments) };
}

function conditionsBesideFigures(rule: PenaltyRule, segments: readonly Segment[]): Pick<PenaltyLine, 'conditions'> {
  const words = [ruleWords(rule) ?? [], ruleTexts(segments)].flat().filter((text) => !repeatsFigures(text, rule));
  return words.length === 0 ? {} : { conditions: [...new Set(words)] };
}

function inWords(part: TripPart, words: readonly string[]): RuleGap | undefined {
  return words.length === 0 ? undefined : { ...part, why: 'in_words', words: [...new Set(words)] };
}

/** Removes repeated rules: a fare can be repeated in the row of each passenger. */
function onceEach(rules: readonly FareRule[]): readonly FareRule[] {
  return rules.length < 2 ? rules : [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function hasRules(booking: Booking): boolean {
  return booking.pricing?.fares.some(({ refundRules }) => refundRules.length > 0) ?? false;
}
