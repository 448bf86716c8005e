/**
 * Estimates the cost of a change of flight, from the price of the new flight and the change rules in force. The airline
 * states it only after the change (docs/wire/notes.md, Money and rules).
 */

import { addMoney, type Money, multiplyMoney, showMoney, subtractMoney, zero } from '../../core/money.ts';
import type { Booking } from '../booking/booking.ts';
import type { SegmentOption } from '../booking/itinerary.ts';
import { countOf } from '../booking/status-codes.ts';
import { type FareRule, isPenalty, type PenaltyRule } from './fare.ts';
import { componentsOf, ruleTexts } from './fare-units.ts';
import { paidShare } from './paid-share.ts';
import { inForce, type Kept, keptBy, rulesFor, ruleWords } from './penalty-rules.ts';

export interface ChangeCharge {
  /**
   * At most: fees with tax, plus the new price less what was paid for the old flight if that is known. Absent if a rule
   * or a price is missing, or a rule permits no change.
   */
  readonly atMost?: Money;
  /** The rule in words, or why there is none. */
  readonly rule: string;
  /** The airline's own text, if it sent no rule with amounts. */
  readonly airlineWords?: readonly string[];
}

const NO_RULE: ChangeCharge = { rule: 'The airline sent no rule for changing this flight.' };

/** `price`: of the new flight for the whole party. `now`: milliseconds since 1970. */
export function changeCharge(
  booking: Booking,
  option: SegmentOption,
  price: Money | undefined,
  now: number,
): ChangeCharge {
  const found = rulesByType(booking, option, now);
  const rules = found?.flatMap((each) => penaltyOf(each) ?? []);
  if (rules === undefined || rules.length === 0 || rules.length !== found?.length) {
    return withoutRule(option, found);
  }
  const rule = `${rules.map(describe).join('; ')}.`;
  const fees = rules.map(({ kept, passengers }) => multiplyMoney(kept.total, passengers));
  if (rules.some((each) => !each.rule.refundable)) return { rule };
  if (price === undefined || fees.some(({ currency }) => currency !== price.currency)) return { rule };
  return { rule, atMost: addMoney(dearer(booking, option, price), ...fees) };
}

/** Reports rules that came only as text (docs/wire/notes.md, Fares and prices). */
function withoutRule({ segments }: SegmentOption, found: readonly OfType[] = []): ChangeCharge {
  const words = found.flatMap(({ rules }) => rules.flatMap((rule) => (isPenalty(rule) ? [] : (ruleWords(rule) ?? []))));
  const airlineWords = words.length > 0 ? [...new Set(words)] : ruleTexts(segments);
  if (airlineWords.length === 0) return NO_RULE;
  return { rule: 'The airline sent the rules of this flight as text only.', airlineWords };
}

interface TypeRule {
  readonly type: string;
  readonly passengers: number;
  readonly rule: PenaltyRule;
  readonly kept: Kept;
}

interface OfType {
  readonly type: string;
  readonly passengers: number;
  readonly rules: readonly FareRule[];
}

/** The rules in force for each passenger type; undefined if the airline does not say whose they are. */
function rulesByType(booking: Booking, option: SegmentOption, now: number): readonly OfType[] | undefined {
  const holding = componentsOf(booking, [option])?.flatMap(({ changeRules }) =>
    changeRules.filter((rule) => inForce(rule, now)),
  );
  const types = Map.groupBy(booking.travelers, ({ type }) => type);
  return (
    holding && [...types].map(([type, { length }]) => ({ type, passengers: length, rules: rulesFor(holding, type) }))
  );
}

/** The only rule of a type; undefined if it has none or several, or one in words. */
function penaltyOf({ type, passengers, rules }: OfType): TypeRule | undefined {
  const [rule, ...others] = rules;
  if (rule === undefined || others.length > 0 || !isPenalty(rule)) return undefined;
  const kept = keptBy(rule);
  return kept && { type, passengers, rule, kept };
}

/** What the party paid for a flight; undefined if the price rows do not show it. */
export function paidFor(booking: Booking, option: SegmentOption): Money | undefined {
  return paidShare(booking, {
    segmentRefs: new Set(option.segments.map(({ ref }) => ref)),
    travelerRefs: new Set(booking.travelers.map(({ ref }) => ref)),
  });
}

function dearer(booking: Booking, option: SegmentOption, price: Money): Money {
  const paid = paidFor(booking, option);
  if (paid === undefined || paid.currency !== price.currency) return price;
  return paid.minor >= price.minor ? zero(price.currency) : subtractMoney(price, paid);
}

function describe({ type, passengers, rule, kept }: TypeRule): string {
  const who = countOf(type, passengers);
  if (!rule.refundable) return `${who}: no change permitted`;
  const tax = kept.tax.minor > 0 ? ', tax included' : '';
  return `${who} × ${showMoney(kept.total)} = ${showMoney(multiplyMoney(kept.total, passengers))}${tax}`;
}
