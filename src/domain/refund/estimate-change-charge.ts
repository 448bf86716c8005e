/**
 * Estimates the cost of a change of flight, from the fares of the new flight and the change rules in force. The airline
 * states it only after the change (docs/wire/notes.md, Money and rules).
 */

import {
  addMoney,
  addUpTo,
  greatestIfAllKnown,
  type Money,
  multiplyMoney,
  showMoney,
  sumIfAllKnown,
  sumMoney,
} from '../../core/money.ts';
import type { Booking, Segment, SegmentOption } from '../booking/booking.ts';
import {
  type FareRule,
  isPenalty,
  type PenaltyRule,
  type Price,
  type Pricing,
  ruleWords,
  totalsByType,
} from '../booking/fare.ts';
import type { FareSearchResult } from '../booking/offers.ts';
import { countType } from '../booking/status-codes.ts';
import { flightKey, sameFlight } from '../facts/pair.ts';
import type { Traveler } from '../people/traveler.ts';
import { componentsAlong, fareUnits, ruleTexts } from './fare-units.ts';
import { givenUpByChange } from './given-up.ts';
import { makeCut, paidShare } from './paid-share.ts';
import { type Kept, keptBy, rulesFor } from './penalty-rules.ts';
import { feeInWords, ruleFigures } from './rule-words.ts';
import { inForce } from './rules-in-force.ts';

/** The fares of the new flight that the airline may take, each with its price for the whole party. */
type NewFares = readonly Pick<Pricing, 'total' | 'perType'>[];

export interface ChangeCharge {
  /** What the rules keep for the change, tax included. Absent if a rule is missing, or permits no change. */
  readonly fees?: Money | undefined;
  /**
   * The change costs at most this: the fees, plus the most that the fare, each tax and the fees of a new flight cost beyond
   * the fare and the taxes paid for the old one, or its whole price if these are not known. Absent without fees or fares, or if the price of a fare is missing or in another
   * currency.
   */
  readonly atMost?: Money | undefined;
  /**
   * At most this comes back, if a new fare is cheaper and the airline does not keep the difference. Absent without
   * `atMost`, or if it is not known what was paid.
   */
  readonly backAtMost?: Money | undefined;
  /** So much is given up at most, if a new fare is cheaper and the airline keeps the difference. Absent without `atMost`, or if it is nothing. */
  readonly givenUp?: Money | undefined;
  /** The rule in words, or why there is none. */
  readonly rule: string;
  /** The airline's own text of the rules and of the flight: it may permit less than the amounts say. */
  readonly airlineWords?: readonly string[] | undefined;
  /** No rule has amounts: there are only the airline's words. */
  readonly isInWords?: true;
}

/** The rules in force for the passengers of a type: none, one or several. */
interface TypeRules {
  readonly type: string;
  readonly passengers: number;
  readonly rules: readonly FareRule[];
}

/** The only rule for the passengers of a type, with what it keeps of each of them. */
interface AppliedRule extends Omit<TypeRules, 'rules'> {
  readonly rule: PenaltyRule;
  readonly kept: Kept;
}

/** What a fare costs some passengers, and what they paid for the old flight, as far as that is known, in one currency. */
interface ComparedPrice {
  readonly price: Money;
  readonly parts?: PriceParts | undefined;
  readonly paid?: Money | undefined;
  readonly paidParts?: PriceParts | undefined;
}

/** The parts of a price that add up to it, minor units. */
interface PriceParts {
  readonly base: number;
  /** By code. */
  readonly taxes: ReadonlyMap<string, number>;
  readonly fees: number;
}

/** The airline sent no rule of a change. */
export const NO_RULE: ChangeCharge = { rule: 'The airline sent no rule for changing this flight.' };

/**
 * Estimates the cost of moving a booking's option to a flight with these fares.
 * @param now milliseconds since 1970
 */
export function changeCharge(booking: Booking, option: SegmentOption, fares: NewFares, now: number): ChangeCharge {
  const rulesByType = rulesByPassengerType(booking, option, now);
  const appliedRules = rulesByType.flatMap((rulesOfType) => appliedRule(rulesOfType) ?? []);
  // Each type of passenger needs exactly one rule with amounts.
  const hasRuleForEachType = appliedRules.length > 0 && appliedRules.length === rulesByType.length;
  if (!hasRuleForEachType) return withoutRule(option, rulesByType);

  const words = [...appliedRules.flatMap(({ rule }) => ruleWords(rule) ?? []), ...ruleTexts(option.segments)];
  const inWords = {
    rule: `${appliedRules.map(ruleSentence).join('; ')}.`,
    airlineWords: words.length === 0 ? undefined : [...new Set(words)],
  };
  // In a change rule, `refundable` means that the change is permitted.
  if (appliedRules.some((each) => !each.rule.refundable)) return inWords;

  const fees = sumMoney(appliedRules.map(({ kept, passengers }) => multiplyMoney(kept.total, passengers)));
  if (fees === undefined) return inWords;

  // The airline may take any of the fares, so that the greatest difference counts.
  const compared = fares.map((fare) => comparedPrices(booking, option, fare, fees.currency));
  const sums = (difference: (price: ComparedPrice) => Money | undefined) =>
    compared.map((prices) => sumIfAllKnown(prices.map(difference)));
  const mostExtra = greatestIfAllKnown(sums(extraCost));
  if (mostExtra === undefined) return { ...inWords, fees };

  const backAtMost = greatestIfAllKnown(sums(saving));
  const prices = fares.flatMap(({ total }) => total?.total ?? []);

  return {
    ...inWords,
    fees,
    atMost: addMoney(fees, mostExtra),
    backAtMost,
    givenUp: givenUpByChange(booking, option, prices, backAtMost),
  };
}

/** The flights of a connection, each as an option: airlines change them one by one, by the rule of each. */
export function flightsToChange(booking: Booking, option: SegmentOption): readonly SegmentOption[] {
  const { units, uncovered } = fareUnits(booking, [option]);
  const parts = [...units.map(({ segments }) => segments), ...uncovered.map((segment) => [segment])];
  return parts.map((segments) => ({ ...option, segments }));
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
function withoutRule({ segments }: SegmentOption, rulesByType: readonly TypeRules[]): ChangeCharge {
  const words = rulesByType.flatMap(({ rules }) =>
    rules.flatMap((rule) => (isPenalty(rule) ? [] : (ruleWords(rule) ?? []))),
  );
  const airlineWords = words.length > 0 ? [...new Set(words)] : ruleTexts(segments);
  if (airlineWords.length === 0) return NO_RULE;
  return { rule: 'The airline sent the rules of this flight as text only.', airlineWords, isInWords: true };
}

/** The rules in force for each passenger type; empty if the airline does not say whose they are. */
function rulesByPassengerType(booking: Booking, option: SegmentOption, now: number): readonly TypeRules[] {
  const rulesNow = componentsAlong(booking, [option])?.flatMap(({ changeRules }) =>
    changeRules.filter((rule) => inForce(rule, now)),
  );
  if (rulesNow === undefined) return [];
  const types = Map.groupBy(booking.travelers, ({ type }) => type);
  return [...types].map(([type, { length }]) => ({ type, passengers: length, rules: rulesFor(rulesNow, type) }));
}

/** The only rule of a type; undefined if it has none or several, or one in words. */
function appliedRule({ type, passengers, rules }: TypeRules): AppliedRule | undefined {
  const [rule, ...others] = rules;
  if (rule === undefined || others.length > 0 || !isPenalty(rule)) return undefined;
  const kept = keptBy(rule);
  return kept && { type, passengers, rule, kept };
}

/** What some travellers paid for a flight, by default all; undefined if the price rows do not show it. */
export function paidFor(booking: Booking, option: SegmentOption, people = booking.travelers): Money | undefined {
  return paidShare(booking, makeCut(option.segments, people));
}

/**
 * The prices of a fare that are compared with what was paid. Empty if the fare has no price in this currency. Two adults paid 690 and
 * now cost 790, a child paid 345 and now costs 210: 100 extra and 135 saved, because an airline may compare the fares of each passenger, so
 * that a cheaper fare of one type does not offset a dearer one of another.
 *
 * | passenger types | known of every type        | compared                                    |
 * | --------------- | -------------------------- | ------------------------------------------- |
 * | one             | any                        | the whole fare with what all paid, if known |
 * | several         | its price and what it paid | the price of each type with what it paid    |
 * | several         | less                       | the whole fare with nothing                 |
 */
function comparedPrices(
  booking: Booking,
  option: SegmentOption,
  { total, perType }: NewFares[number],
  currency: string,
): readonly ComparedPrice[] {
  const price = total?.total;
  if (total === undefined || price?.currency !== currency) return [];

  const paidBy = (people: readonly Traveler[]) => {
    const paid = paidFor(booking, option, people);
    if (paid?.currency !== currency) return {};
    return { paid, paidParts: partsOf(pricesPaid(booking, option, people), paid) };
  };

  const types = [...Map.groupBy(booking.travelers, ({ type }) => type)];
  if (types.length === 1) return [{ price, parts: partsOf([total], price), ...paidBy(booking.travelers) }];

  const prices = new Map(totalsByType(perType).map((each) => [each.type, each.total]));
  const byType = types.flatMap(([type, people]) => {
    const [typePrice, paid] = [prices.get(type), paidBy(people)];
    if (typePrice?.currency !== currency || paid.paid === undefined) return [];
    const parts = partsOf(
      perType.flatMap((row) => (row.type === type ? (row.price ?? []) : [])),
      typePrice,
    );
    return [{ price: typePrice, parts, ...paid }];
  });
  return byType.length === types.length ? byType : [{ price }];
}

/** The prices that some travellers of one type paid for an option: their rows, or that of the whole booking if it is no more. */
function pricesPaid({ pricing, options, travelers }: Booking, option: SegmentOption, people: readonly Traveler[]) {
  const refs = new Set(option.segments.map(({ ref }) => ref));
  const rows = (pricing?.perType ?? []).filter(
    ({ type, segmentRefs }) =>
      type === people[0]?.type && segmentRefs.length > 0 && segmentRefs.every((ref) => refs.has(ref)),
  );
  if (rows.length > 0) return rows.flatMap(({ price }) => price ?? []);

  const isAll = options.length === 1 && people.length === travelers.length;
  return isAll && pricing?.total !== undefined ? [pricing.total] : [];
}

/**
 * Adds up the parts of prices. Undefined unless they come to the total, or a share of them does: after passengers were
 * cancelled, rows are for more people than are left. Shares are rounded down. An airline may round each part by one minor unit.
 */
function partsOf(prices: readonly Price[], total: Money): PriceParts | undefined {
  const sums = { base: 0, taxes: new Map<string, number>(), fees: 0, stated: 0 };
  for (const { base, taxes, fees, total: stated, lines } of prices) {
    const taxLines = lines.filter(({ kind }) => kind === 'tax');
    const parts = [base, taxes, fees];
    const isWhole = addUpTo(
      taxLines.map(({ amount }) => amount),
      taxes,
    );

    const isSum = addUpTo(parts, stated);
    if (!isSum || !isWhole || stated.currency !== total.currency || parts.some(({ minor }) => minor < 0)) {
      return undefined;
    }

    for (const { code, amount } of taxLines) sums.taxes.set(code, (sums.taxes.get(code) ?? 0) + amount.minor);
    sums.base += base.minor;
    sums.fees += fees.minor;
    sums.stated += stated.minor;
  }

  const totals = prices.map((price) => price.total);
  if (addUpTo(totals, total)) return sums;
  if (sums.stated < total.minor || !Number.isSafeInteger(sums.stated * total.minor)) return undefined;

  const share = (minor: number) => Math.floor((minor * total.minor) / sums.stated);
  const taxes = new Map([...sums.taxes].map(([code, minor]) => [code, share(minor)]));
  return { base: share(sums.base), taxes, fees: share(sums.fees) };
}

/**
 * How much more a fare costs at most, fare by fare and tax by tax: airlines set each part off against the same part of the
 * old flight. A fee of the old flight is set off against nothing, because no message shows that one comes back
 * (docs/wire/notes.md, Money and rules). The whole price, if the parts of what was paid are not known.
 */
function extraCost({ price, parts, paidParts }: ComparedPrice): Money {
  if (parts === undefined || paidParts === undefined) return price;
  const moreThan = (minor: number, paid: number) => Math.max(0, minor - paid);
  const taxes = [...parts.taxes].map(([code, minor]) => moreThan(minor, paidParts.taxes.get(code) ?? 0));
  const extra = taxes.reduce((sum, minor) => sum + minor, moreThan(parts.base, paidParts.base) + parts.fees);
  return { minor: Math.min(extra, price.minor), currency: price.currency };
}

/** How much less a fare costs; undefined if it is not known what was paid. */
function saving({ price, paid }: ComparedPrice): Money | undefined {
  return paid && { minor: Math.max(0, paid.minor - price.minor), currency: price.currency };
}

function ruleSentence({ type, passengers, rule, kept }: AppliedRule): string {
  const who = countType(type, passengers);
  if (!rule.refundable) return `${who}: ${feeInWords(ruleFigures('change', rule))}`;
  const tax = kept.tax.minor > 0 ? ', tax included' : '';
  return `${who} × ${showMoney(kept.total)} = ${showMoney(multiplyMoney(kept.total, passengers))}${tax}`;
}
