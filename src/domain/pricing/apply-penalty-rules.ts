/**
 * Applies penalty rules to each part of a trip and each passenger type, and lists the parts without an applicable rule.
 */

import type { Money } from '../../core/money.ts';
import type { Booking } from '../booking/booking.ts';
import type { Segment } from '../booking/itinerary.ts';
import type { Traveler } from '../people/traveler.ts';
import { type FareRule, isPenalty, type PenaltyRule } from './fare.ts';
import { type FareUnit, ruleTexts } from './fare-units.ts';
import { keptBy, type RulesInForce, repeatsFigures, rulesFor, ruleWords } from './penalty-rules.ts';

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

/** `bare` are the segments without a fare component. */
export function assess(
  booking: Booking,
  { units, bare }: { readonly units: readonly FareUnit[]; readonly bare: readonly Segment[] },
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
    for (const segment of bare) {
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
    const words = found.flatMap((one) => ruleWords(one) ?? []);
    return inWords(part, words.length > 0 ? words : ruleTexts(segments)) ?? { ...part, why: 'unclear' };
  }
  const [rule, ...others] = found;
  const kept = rule && keptBy(rule);
  const minor = (kept?.total.minor ?? Number.NaN) * passengers;
  if (!rule || !kept || others.length > 0 || !Number.isSafeInteger(minor)) return { ...part, why: 'unclear' };
  const { total: each, tax, disagrees } = kept;
  const penalty = { minor, currency: each.currency };
  return { ...part, rule, each, tax, penalty, disagrees, ...unsaidByFigures(rule, segments) };
}

function unsaidByFigures(rule: PenaltyRule, segments: readonly Segment[]): Pick<PenaltyLine, 'conditions'> {
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
