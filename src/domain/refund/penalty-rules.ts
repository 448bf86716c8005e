/**
 * Assesses what the airline keeps under the penalty rules in force, per passenger type and fare component
 * (docs/wire/notes.md, Money and rules).
 */
import { type Money, percentOf, sameMoney, sumMoney, zero } from '../../core/money.ts';
import type { Booking } from '../booking/booking.ts';
import { allWords, type FareRule, isPenalty, type PenaltyRule, ruleWords } from '../booking/fare.ts';
import type { Traveler } from '../people/traveler.ts';
import { type Coverage, type FareUnit, ruleTexts } from './fare-units.ts';
import { saysMore } from './says-more.ts';

/** One part of the trip for the passengers of one type. */
export interface TripPart {
  readonly type: string;
  readonly passengers: number;
  readonly segmentRefs: readonly string[];
}

/** The segments that parts of a trip are about, each once. */
export function distinctSegments(parts: readonly TripPart[]): readonly string[] {
  return [...new Set(parts.flatMap(({ segmentRefs }) => segmentRefs))];
}

/** A part of the trip whose penalty is known. */
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
  /** The airline's own words, as sent, in one language. */
  readonly conditions?: readonly string[];
  /** Some of these words say more than the figures and times of the rule: the refund may depend on them. */
  readonly isConditional?: true;
}

/**
 * A part of the trip whose penalty is not known.
 *
 * - `not_sent`: the airline sent no rule for it. `not_in_force`: it sent rules, and none is in force.
 * - `in_words`: its rule is only a text. `unclear`: several rules are in force, or the figures are impossible.
 * - `not_placed`: the airline sent rules, and none can be assigned to this segment.
 */
export interface RuleGap extends TripPart {
  readonly why: 'not_sent' | 'in_words' | 'not_placed' | 'not_in_force' | 'unclear';
  /** With `in_words`: the airline's own words, as sent. */
  readonly words?: readonly string[];
}

export interface Assessment {
  readonly lines: readonly PenaltyLine[];
  readonly gaps: readonly RuleGap[];
}

/** The rules in force, for each fare unit or component, in their order. */
export type RulesInForce = readonly (readonly FareRule[])[];

/**
 * Makes for each passenger type and each unit either a line, or a gap with its reason.
 * @param rules `rules[i]` are those in force of `units[i]`
 */
export function assess(
  booking: Booking,
  { units, uncovered }: Coverage,
  rules: RulesInForce,
  travelers: readonly Traveler[],
): Assessment {
  const lines: PenaltyLine[] = [];
  const gaps: RuleGap[] = [];

  for (const [type, people] of Map.groupBy(travelers, (traveler) => traveler.type)) {
    for (const [i, unit] of units.entries()) {
      const unitRules = rules[i] ?? [];
      const lineOrGap = penaltyLine(type, people.length, unit, unitRules);
      if ('rule' in lineOrGap) lines.push(lineOrGap);
      else gaps.push(lineOrGap);
    }

    for (const segment of uncovered) {
      const part = { type, passengers: people.length, segmentRefs: [segment.ref] };
      gaps.push(inWords(part, ruleTexts([segment])) ?? { ...part, why: hasRules(booking) ? 'not_placed' : 'not_sent' });
    }
  }

  return { lines, gaps };
}

/** A line if exactly one rule is in force and has figures; else a gap. */
function penaltyLine(
  type: string,
  passengers: number,
  unit: FareUnit,
  inForce: readonly FareRule[],
): PenaltyLine | RuleGap {
  const { segments, refundRules } = unit;
  const part = { type, passengers, segmentRefs: segments.map(({ ref }) => ref) };
  if (refundRules.length === 0) return inWords(part, ruleTexts(segments)) ?? { ...part, why: 'not_sent' };

  const typeRules = distinctRules(rulesFor(inForce, type));
  if (typeRules.length === 0) return { ...part, why: 'not_in_force' };

  if (!typeRules.every(isPenalty)) {
    const words = typeRules.flatMap((rule) => ruleWords(rule) ?? []);
    return inWords(part, words.length > 0 ? words : ruleTexts(segments)) ?? { ...part, why: 'unclear' };
  }

  const [rule, ...others] = typeRules;
  const kept = rule && keptBy(rule);
  if (rule === undefined || kept === undefined || others.length > 0) return { ...part, why: 'unclear' };

  const { total: each, tax, disagrees } = kept;
  const minor = each.minor * passengers;
  if (!Number.isSafeInteger(minor)) return { ...part, why: 'unclear' };

  const penalty = { minor, currency: each.currency };
  const line = { ...part, rule, each, tax, penalty, disagrees };
  const words = [...new Set([...allWords(rule), ...ruleTexts(segments)])];
  if (words.length === 0) return line;

  const departures = segments.map(({ departs }) => departs);
  const isConditional = words.some((text) => saysMore(text, { rule, each, departures }));
  return isConditional ? { ...line, conditions: words, isConditional } : { ...line, conditions: words };
}

/** The rules for a passenger type; else the rules for all types. */
export function rulesFor(rules: readonly FareRule[], type: string): readonly FareRule[] {
  const ofType = rules.filter((rule) => rule.passengerType === type);
  return ofType.length > 0 ? ofType : rules.filter((rule) => rule.passengerType === '');
}

/** The gap of a rule that is only a text; undefined without a text. */
function inWords(part: TripPart, words: readonly string[]): RuleGap | undefined {
  return words.length === 0 ? undefined : { ...part, why: 'in_words', words: [...new Set(words)] };
}

/** Removes repeated rules: a fare can be repeated in the row of each passenger. */
function distinctRules(rules: readonly FareRule[]): readonly FareRule[] {
  return rules.length < 2 ? rules : [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function hasRules(booking: Booking): boolean {
  return booking.pricing?.fares.some(({ refundRules }) => refundRules.length > 0) ?? false;
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
 * Computes what the airline keeps. The airline states `base`, `tax` and `total`, and any of them can be zero because it was not sent
 * (docs/wire/notes.md, Money and rules). Undefined if an amount is negative or too large.
 *
 * | base | tax | total    | percentage | kept     | tax in it | disagrees                                   |
 * | ---- | --- | -------- | ---------- | -------- | --------- | ------------------------------------------- |
 * | 0    | 0   | 46       | any        | 46       | 0         | unless only the total was sent              |
 * | 40   | 0   | 40 or 46 | 15         | 46       | 6         | no: the tax was not sent, and is added      |
 * | 40   | 0   | 50       | 15         | 50       | 0         | yes: this tax does not explain the total    |
 * | 40   | 0   | 40       | 0          | 40       | 0         | no                                          |
 * | 40   | 6   | 46       | any        | 46       | 6         | no                                          |
 * | 40   | 6   | 40 or 50 | any        | 46 or 50 | 6         | yes: base and tax count, or a greater total |
 */
export function keptBy({ base, tax, total, totalAlone, vatHundredths }: PenaltyRule): Kept | undefined {
  if ([base, tax, total].some(({ minor }) => minor < 0) || vatHundredths < 0) return undefined;
  if (base.minor === 0 && tax.minor === 0) {
    return { total, tax: zero(total.currency), disagrees: total.minor > 0 && totalAlone !== true };
  }

  const taxByPercentage = percentOf(base, vatHundredths);
  const isTaxMissing = tax.minor === 0 && taxByPercentage.minor > 0;
  const baseAndTax = sumMoney([base, isTaxMissing ? taxByPercentage : tax]);
  if (baseAndTax === undefined) return undefined;

  if (isTaxMissing && (sameMoney(total, base) || sameMoney(total, baseAndTax))) {
    return { total: baseAndTax, tax: taxByPercentage, disagrees: false };
  }

  const statedSum = sumMoney([base, tax]) ?? baseAndTax;
  const greater = statedSum.minor > total.minor ? statedSum : total;
  return { total: greater, tax, disagrees: !sameMoney(statedSum, total) };
}
