/**
 * Applies penalty rules to each part of a trip and each passenger type, and lists the parts without an applicable rule.
 */
import type { Booking } from '../booking/booking.ts';
import type { Segment } from '../booking/itinerary.ts';
import type { Traveler } from '../people/traveler.ts';
import type { PenaltyRule } from './fare.ts';
import { type FareUnit, ruleTexts } from './fare-units.ts';
import type { Money } from './money.ts';
import { keptBy, type RulesInForce, rulesFor } from './penalty-rules.ts';

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
}

export interface RuleGap extends TripPart {
  readonly why: 'not_sent' | 'in_words' | 'not_placed' | 'not_in_force' | 'unclear';
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
      const found = lineOf(type, people.length, unit, holding[i] ?? []);
      if ('rule' in found) lines.push(found);
      else gaps.push(found);
    }
    for (const segment of bare) {
      const why = ruleTexts([segment]).length > 0 ? 'in_words' : hasRules(booking) ? 'not_placed' : 'not_sent';
      gaps.push({ type, passengers: people.length, segmentRefs: [segment.ref], why });
    }
  }
  return { lines, gaps };
}

function lineOf(
  type: string,
  passengers: number,
  { segments, refundRules }: FareUnit,
  holding: readonly PenaltyRule[],
): PenaltyLine | RuleGap {
  const part = { type, passengers, segmentRefs: segments.map(({ ref }) => ref) };
  if (refundRules.length === 0) return { ...part, why: ruleTexts(segments).length > 0 ? 'in_words' : 'not_sent' };
  const [rule, ...others] = onceEach(rulesFor(holding, type));
  if (rule === undefined) return { ...part, why: 'not_in_force' };
  const kept = keptBy(rule);
  const minor = (kept?.total.minor ?? Number.NaN) * passengers;
  if (others.length > 0 || kept === undefined || !Number.isSafeInteger(minor)) return { ...part, why: 'unclear' };
  const { total: each, tax, disagrees } = kept;
  return { ...part, rule, each, tax, penalty: { minor, currency: each.currency }, disagrees };
}

/** Removes repeated rules: a fare can be repeated in the row of each passenger. */
function onceEach(rules: readonly PenaltyRule[]): readonly PenaltyRule[] {
  return rules.length < 2 ? rules : [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}

function hasRules(booking: Booking): boolean {
  return booking.pricing?.fares.some(({ refundRules }) => refundRules.length > 0) ?? false;
}
