/**
 * Estimates the cost of a change of flight, from the fares of the new flight and the change rules in force. The airline
 * states it only after the change (docs/wire/notes.md, Money and rules).
 */

import { addMoney, type Money, multiplyMoney, showMoney, sumMoney } from '../../core/money.ts';
import type { Booking, Segment, SegmentOption } from '../booking/booking.ts';
import { flightKey, sameFlight } from '../booking/expected-change.ts';
import { countType } from '../booking/status-codes.ts';
import type { Traveler } from '../people/traveler.ts';
import { type FareRule, isPenalty, type PenaltyRule, type Pricing, ruleWords, totalsByType } from './fare.ts';
import { componentsAlong, ruleTexts } from './fare-units.ts';
import type { FareSearchResult } from './offers.ts';
import { makeCut, paidShare } from './paid-share.ts';
import { type Kept, keptBy, rulesFor } from './penalty-rules.ts';
import { inForce } from './rules-in-force.ts';

/** The fares of the new flight that the airline may take, each with its price for the whole party. */
type NewFares = readonly Pick<Pricing, 'total' | 'perType'>[];

export interface ChangeCharge {
  /** What the rules keep for the change, tax included. Absent if a rule is missing, or permits no change. */
  readonly fees?: Money;
  /**
   * The change costs at most this: the fees, plus the most that a fare costs beyond what was paid for the old flight, or
   * its whole price if that is not known. Absent without fees or fares, or if the price of a fare is missing or in another
   * currency.
   */
  readonly atMost?: Money;
  /**
   * At most this comes back, if a new fare is cheaper and the airline does not keep the difference. Absent without
   * `atMost`, or if it is not known what was paid.
   */
  readonly backAtMost?: Money;
  /** The rule in words, or why there is none. */
  readonly rule: string;
  /** The airline's own text, if it sent no rule with amounts. */
  readonly airlineWords?: readonly string[];
}

/** All rules in force for the passengers of a type. */
interface AllRulesOfType {
  readonly type: string;
  readonly passengers: number;
  readonly rules: readonly FareRule[];
}

/** The one rule that applies to the passengers of a type, with what it keeps of each of them. */
interface OneRuleOfType {
  readonly type: string;
  readonly passengers: number;
  readonly rule: PenaltyRule;
  readonly kept: Kept;
}

const NO_RULE: ChangeCharge = { rule: 'The airline sent no rule for changing this flight.' };

/**
 * Estimates the cost of moving a booking's option to a flight with these fares.
 * @param now milliseconds since 1970
 */
export function changeCharge(booking: Booking, option: SegmentOption, fares: NewFares, now: number): ChangeCharge {
  const rulesInForce = allRulesByType(booking, option, now);
  const rules = rulesInForce.flatMap((allRules) => onlyRule(allRules) ?? []);
  // Each type of passenger needs exactly one rule with amounts.
  const hasRuleForEachType = rules.length > 0 && rules.length === rulesInForce.length;
  if (!hasRuleForEachType) return withoutRule(option, rulesInForce);
  const rule = `${rules.map(ruleSentence).join('; ')}.`;
  // In a change rule, `refundable` means that the change is permitted.
  if (rules.some(({ rule: { refundable } }) => !refundable)) return { rule };
  const fees = sumMoney(rules.map(({ kept, passengers }) => multiplyMoney(kept.total, passengers)));
  if (fees === undefined) return { rule };
  const compared = fares.map((fare) => comparedPrices(booking, option, fare, fees.currency));
  const mostExtra = greatest(compared.map((prices) => prices && sumOver(prices, fees.currency, extraCost)));
  if (mostExtra === undefined) return { rule, fees };
  const mostSaved = greatest(compared.map((prices) => prices && sumOver(prices, fees.currency, saving)));
  return { rule, fees, atMost: addMoney(fees, mostExtra), backAtMost: mostSaved };
}

/**
 * Every fare of a flight's class that a search for that leg found; empty unless the search shows all of them. A
 * request to change a flight names its class, and the airline may take any fare of it.
 */
export function faresOfClass({ offers, unread = 0 }: FareSearchResult, wanted: Segment): NewFares {
  if (unread > 0 || wanted.bookingClass === undefined) return [];
  const key = flightKey(wanted);
  return offers.flatMap(({ options, pricing }) => {
    const [segment, ...more] = options.flatMap(({ segments }) => segments);
    return segment !== undefined && more.length === 0 && sameFlight(flightKey(segment), key) ? [pricing] : [];
  });
}

/** The charge if no rule has amounts: quotes rules that came only as text (docs/wire/notes.md, Fares and prices). */
function withoutRule({ segments }: SegmentOption, rulesInForce: readonly AllRulesOfType[]): ChangeCharge {
  const words = rulesInForce.flatMap(({ rules }) =>
    rules.flatMap((rule) => (isPenalty(rule) ? [] : (ruleWords(rule) ?? []))),
  );
  const airlineWords = words.length > 0 ? [...new Set(words)] : ruleTexts(segments);
  if (airlineWords.length === 0) return NO_RULE;
  return { rule: 'The airline sent the rules of this flight as text only.', airlineWords };
}

/** The rules in force for each passenger type; empty if the airline does not say whose they are. */
function allRulesByType(booking: Booking, option: SegmentOption, now: number): readonly AllRulesOfType[] {
  const rulesNow = componentsAlong(booking, [option])?.flatMap(({ changeRules }) =>
    changeRules.filter((rule) => inForce(rule, now)),
  );
  if (rulesNow === undefined) return [];
  const types = Map.groupBy(booking.travelers, ({ type }) => type);
  return [...types].map(([type, { length }]) => ({ type, passengers: length, rules: rulesFor(rulesNow, type) }));
}

/** The only rule of a type; undefined if it has none or several, or one in words. */
function onlyRule({ type, passengers, rules }: AllRulesOfType): OneRuleOfType | undefined {
  const [rule, ...others] = rules;
  if (rule === undefined || others.length > 0 || !isPenalty(rule)) return undefined;
  const kept = keptBy(rule);
  return kept && { type, passengers, rule, kept };
}

/** What some travellers paid for a flight, by default all; undefined if the price rows do not show it. */
export function paidFor(booking: Booking, option: SegmentOption, people = booking.travelers): Money | undefined {
  return paidShare(booking, makeCut(option.segments, people));
}

/** The greatest sum; undefined if there is none, or one is not known. */
function greatest(sums: readonly (Money | undefined)[]): Money | undefined {
  const knownSums = sums.flatMap((sum) => sum ?? []);
  if (knownSums.length < sums.length) return undefined;
  return knownSums.toSorted((a, b) => b.minor - a.minor)[0];
}

/** What a fare costs some passengers, and what they paid for the old flight, if that is known, in one currency. */
interface ComparedPrice {
  readonly price: Money;
  readonly paid?: Money | undefined;
}

/**
 * Compares a fare with what was paid for the old flight, for each passenger type: an airline may compare the fares of
 * each passenger, so that a cheaper fare of one type does not offset a dearer one of another. Without prices by type,
 * the whole fare counts, and nothing as paid. Undefined if the fare has no price in this currency.
 */
function comparedPrices(
  booking: Booking,
  option: SegmentOption,
  { total, perType }: NewFares[number],
  currency: string,
): readonly ComparedPrice[] | undefined {
  const price = total?.total;
  if (price?.currency !== currency) return undefined;
  const paidBy = (people: readonly Traveler[]) => {
    const paid = paidFor(booking, option, people);
    return paid?.currency === currency ? paid : undefined;
  };
  const types = [...Map.groupBy(booking.travelers, ({ type }) => type)];
  // One type: the price of the fare is the price of that type.
  if (types.length === 1) return [{ price, paid: paidBy(booking.travelers) }];
  // Several types: each is compared if the price and the paid amount of all types are known.
  const prices = new Map(totalsByType(perType).map((each) => [each.type, each.total]));
  const byType = types.flatMap(([type, people]) => {
    const [typePrice, paid] = [prices.get(type), paidBy(people)];
    return typePrice?.currency === currency && paid !== undefined ? [{ price: typePrice, paid }] : [];
  });
  if (byType.length === types.length) return byType;
  // Else the whole fare is compared with nothing.
  return [{ price }];
}

/** How much more a fare costs, minor units; its whole price if it is not known what was paid. */
const extraCost = ({ price, paid }: ComparedPrice): number => Math.max(0, price.minor - (paid?.minor ?? 0));

/** How much less a fare costs, minor units; undefined if it is not known what was paid. */
const saving = ({ price, paid }: ComparedPrice): number | undefined => paid && Math.max(0, paid.minor - price.minor);

/** The sum of a measure over all prices; undefined if it is not known for one of them. */
function sumOver(
  prices: readonly ComparedPrice[],
  currency: string,
  measure: (price: ComparedPrice) => number | undefined,
): Money | undefined {
  const measures = prices.flatMap((price) => measure(price) ?? []);
  return measures.length < prices.length
    ? undefined
    : { minor: measures.reduce((sum, each) => sum + each, 0), currency };
}

function ruleSentence({ type, passengers, rule, kept }: OneRuleOfType): string {
  const who = countType(type, passengers);
  if (!rule.refundable) return `${who}: no change permitted`;
  const tax = kept.tax.minor > 0 ? ', tax included' : '';
  return `${who} × ${showMoney(kept.total)} = ${showMoney(multiplyMoney(kept.total, passengers))}${tax}`;
}
