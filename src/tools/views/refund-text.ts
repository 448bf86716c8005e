/**
 * Writes refunds in words: first an estimated refund, then what a change of trains costs and returns, at last the refund rule of an
 * offer.
 */

import { cleanCode, MOST_WORDS, plainText, quotedWords } from '../../core/clean-text.ts';
import { parseMoney, sameMoney, showAmount, showMoney } from '../../core/money.ts';
import { earliestTime, instantOf, utcText } from '../../core/times.ts';
import { capitalized, uncapitalized } from '../../core/words.ts';
import type { Segment } from '../../domain/booking/booking.ts';
import { hasPassed } from '../../domain/booking/booking-state.ts';
import { showDeadline } from '../../domain/booking/deadlines.ts';
import { type FareRule, isPenalty, type Pricing, ruleWords } from '../../domain/pricing/fare.ts';
import { conditionSentence } from '../../domain/refund/describe-refund.ts';
import { keptBy } from '../../domain/refund/penalty-rules.ts';
import { inForce } from '../../domain/refund/rules-in-force.ts';
import { type ChangeView, NOT_REBOOKED } from './offer-data.ts';
import type { Refund, RefundLine, RefundStep } from './refund-schema.ts';
import { endLine } from './terms-text.ts';

/** Shown for an offer without refund rules. Most holds show them. */
const REFUND_NOT_KNOWN = 'Refund known once held; holding is free.';

type Amounts = Pick<RefundStep, 'back' | 'kept' | 'between'>;

/**
 * Writes a refund as a sentence, the steps, who gets what, the note and the airline's words.
 *
 * @param currency of the result, unless the refund has its own
 */
export function refundText({ valid_until: until, ...refund }: Refund, currency: string): readonly string[] {
  // If there are later steps, the first of them says until when the first amount applies.
  const shownRefund = refund.later === undefined && until !== undefined ? { ...refund, valid_until: until } : refund;
  return [refundSentence(shownRefund, currency), ...refundDetails(shownRefund, currency)].filter(
    (line) => line !== undefined,
  );
}

/**
 * `SAR 1,078.00 comes back, SAR 345.00 is kept, tax included. This holds until Wed 9 Dec 09:36 (UTC+3).` Conditions come right
 * behind the sums. Undefined if no amount is known. `when` stands after “comes back”: ` now`.
 */
export function refundSentence(refund: Refund, currency: string, when = ''): string | undefined {
  const { refund_now: back, kept_now: kept, between, valid_until: until, kept_includes_vat: withTax } = refund;
  const sums = sumsText({ back, kept, between }, refund.currency ?? currency, { when, withTax });
  if (sums === undefined) return undefined;
  const conditions = conditionTexts(refund.refund_condition);
  const limit = until === undefined ? '' : ` This holds until ${showDeadline(until, firstTime(refund))}.`;
  return [`${capitalized(sums)}.`, ...conditions].join(' ') + limit;
}

/** The lines of a refund after {@link refundSentence}. */
export function refundDetails(refund: Refund, resultCurrency: string): readonly string[] {
  const firstShown = firstTime(refund);
  const { currency = resultCurrency, later = [], cancel_until: cancelUntil, lines = [], note } = refund;
  const isKnown = (refund.refund_now ?? refund.between) !== undefined;
  const details: string[] = [];
  // A note that says why no amount is known comes first, any other note after the lines.
  if (note !== undefined && !isKnown) {
    details.push(cancelUntil === undefined ? note : `${note.replace(/\.$/, '')}.`);
  }
  details.push(...later.map((step) => stepText(step, currency, firstShown)));
  // Where nothing comes back now, and nothing will, the first sentence has said so.
  const isNever = refund.refund_now !== undefined && isZero(refund.refund_now) && later.length === 0;
  details.push(...endLine(cancelUntil, firstShown, isNever));
  details.push(...lines.map((line, i) => lineText({ ...line, passengers: passengersAt(lines, i) }, currency)));
  if (note !== undefined && isKnown) details.push(note);
  // Beside a sum they stand in its sentence.
  return isKnown ? details : [...details, ...conditionTexts(refund.refund_condition)];
}

/** Quotes the airline's words in one line; none if there are no words. */
export function airlineQuotes(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [] : [`The airline says: ${words.map(quotedWords).join(' ')}`];
}

/** `The airline's condition for train HHR101: “…”`, a sentence for each. */
export function conditionTexts(conditions: Refund['refund_condition'] = []): readonly string[] {
  return conditions.map(({ says, fare_of: whose }) =>
    conditionSentence(whose === undefined ? { says } : { says, whose: plainText(whose, MOST_WORDS) }),
  );
}

/** The first time that the text shows. Later ones show their year only if it differs. */
function firstTime({ valid_until: validUntil, later = [], cancel_until: cancelUntil }: Refund): string | undefined {
  return validUntil ?? later[0]?.from ?? cancelUntil;
}

function stepText(step: RefundStep, currency: string, firstShown: string | undefined): string {
  const sums = sumsText(step, currency) ?? 'what comes back then is not known';
  const note = step.note === undefined ? '' : ` ${step.note}`;
  const text = `From ${showDeadline(step.from, firstShown)}: ${sums}.${note}`;
  return [text, ...conditionTexts(step.refund_condition)].join(' ');
}

/** `SAR 20.00 comes back, nothing is kept`; undefined if what comes back is not known. `when` stands after “comes back”: ` now`. */
export function sumsText(
  { back, kept, between }: Amounts,
  currency: string,
  { when = '', withTax = false }: { readonly when?: string; readonly withTax?: boolean | undefined } = {},
): string | undefined {
  const returned = between
    ? `between ${amountText(between.at_least, currency)} and ${amountText(between.at_most, currency)}`
    : back && amountOrNothing(back, currency);
  if (returned === undefined) return undefined;
  if (kept === undefined) return `${returned} comes back${when}`;
  const tax = withTax && !isZero(kept) ? ', tax included' : '';
  return `${returned} comes back${when}, ${amountOrNothing(kept, currency)} is kept${tax}`;
}

/** The passengers of line `i`: those of the last line that names any. */
function passengersAt(lines: readonly RefundLine[], i: number): string {
  return lines.slice(0, i + 1).findLast(({ passengers }) => passengers !== undefined)?.passengers ?? '';
}

function lineText({ passengers, segments, paid, ...line }: RefundLine, currency: string): string {
  const { kept_each: kept, kept_per: chargedPer = 'person and segment', back, refundable } = line;
  const isOneCharge = line.segment_refs.length === 1 && line.passenger_refs?.length === 1;
  const per = isOneCharge || (kept !== undefined && isZero(kept)) ? '' : ` per ${chargedPer}`;
  const figures = [
    paid && `${amountText(paid, currency)} paid`,
    refundable === false && 'not refundable',
    kept && `${amountOrNothing(kept, currency)} kept${per}`,
    refundable !== false && back && `${amountOrNothing(back, currency)} back`,
  ];
  return `${passengers}, ${segments}: ${figures.filter(Boolean).join('; ')}`;
}

/** `change: at most SAR 46.00 to pay, at most SAR 12.00 may come back`. */
export function changeTexts(change: ChangeView | undefined, currency: string): string[] {
  const { pays_at_most: pays, gets_back_at_most: back, rule, airline_says: airlineSays = [], anew } = change ?? {};
  const sums = [
    pays && `at most ${showAmount(pays, currency)} to pay`,
    back && (isZero(back) ? 'nothing back' : `at most ${showAmount(back, currency)} may come back`),
  ].filter(Boolean);
  const texts: string[] = [];
  if (sums.length > 0) texts.push(`change: ${sums.join(', ')}`);
  if (rule !== undefined) {
    texts.push(`${rule.startsWith(NOT_REBOOKED) ? '' : 'change rule: '}${rule.replace(/\.$/, '')}`);
  }
  texts.push(...airlineQuotes(airlineSays));
  if (anew !== undefined) texts.push(newBookingText(anew, currency));
  return texts;
}

/** `booked anew and the old one cancelled: SAR 20.00 comes back, at most SAR 150.00 in all`. */
function newBookingText(anew: NonNullable<ChangeView['anew']>, currency: string): string {
  const { gets_back: back, between, costs_at_most: costs, note, refund_condition: conditions } = anew;
  const facts = [
    sumsText({ back, between }, currency),
    note,
    ...conditionTexts(conditions).map(uncapitalized),
    // Words of the airline can say that it does not come back.
    costs && `${conditions === undefined ? '' : 'if so '}${costsText(costs, currency)}`,
  ].filter(Boolean);
  return `booked anew and the old one cancelled: ${facts.join(', ')}`;
}

/** What a new booking costs beyond the refund of the old one. Negative: the refund is more than the new one costs. */
function costsText(costs: string, currency: string): string {
  const surplus = costs.startsWith('-') ? costs.slice(1) : undefined;
  if (surplus !== undefined) return `at least ${showAmount(surplus, currency)} more than the new one costs`;
  return `at most ${showAmount(costs, currency)} in all`;
}

function amountOrNothing(amount: string, currency: string): string {
  return isZero(amount) ? 'nothing' : amountText(amount, currency);
}

/** `SAR 1,725.00`. */
function amountText(amount: string, currency: string): string {
  const money = parseMoney(amount, currency);
  return money === undefined ? `${currency} ${amount}` : showMoney(money);
}

export function isZero(amount: string): boolean {
  return Number(amount) === 0;
}

/** What comes back by the rules in force now. Names the end of the rule, or of cancelling, if it is before the first departure. */
export function offerRuleText(pricing: Pricing, now: number, segments: readonly Segment[]): string {
  const departs = segments[0]?.departs;
  const rules = pricing.fares.flatMap(({ refundRules }) => refundRules.filter((rule) => inForce(rule, now)));
  const cancelUntil = earliestTime(pricing.fares.map((fare) => fare.cancelUntil));
  if (hasPassed(cancelUntil, now)) return 'Cannot be cancelled any more';
  if (rules.length === 0) return REFUND_NOT_KNOWN;
  const charges = chargesText(rules);
  const end = instantBefore(earliestTime([...rules.map(({ until }) => until), cancelUntil]), departs);
  if (end === undefined || !rules.some(({ refundable }) => refundable)) return capitalized(charges);
  const comma = charges.includes(',') ? ',' : '';
  return `${capitalized(charges)}${comma} until ${showDeadline(utcText(end), departs)}`;
}

/** Gives the time in milliseconds since 1970. Undefined if it is not known, or not before the departure. */
function instantBefore(time: string | undefined, departs: string | undefined): number | undefined {
  const instant = instantOf(time);
  return instant !== undefined && instant < (instantOf(departs) ?? Number.POSITIVE_INFINITY) ? instant : undefined;
}

/** Writes what the rules keep: once if it is the same for everybody, or else for each type of passenger. */
function chargesText(rules: readonly FareRule[]): string {
  const byCharge = [...Map.groupBy(rules, chargeText)];
  if (byCharge.length === 1) return byCharge.map(([charge]) => charge).join('');
  const texts = byCharge.map(([charge, sameCharge]) => {
    const types = [...new Set(sameCharge.map(({ passengerType }) => cleanCode(passengerType)))].join(', ');
    return `${types || 'all'}: ${charge}`;
  });
  return texts.join('; ');
}

/** What one rule keeps, in words: `keeps SAR 46.00 per person and segment, tax included`. */
function chargeText(rule: FareRule): string {
  const words = ruleWords(rule);
  if (!isPenalty(rule))
    return words === undefined ? 'refund rule unclear' : `the airline's words: ${quotedWords(words)}`;
  const kept = keptBy(rule);
  if (rule.refundable && kept === undefined) return 'refund rule unclear';
  // In one language: the hold can have more than the offer, and is not another rule for that.
  const condition = words === undefined ? '' : `, the airline's condition: ${quotedWords(words)}`;
  if (!rule.refundable || kept === undefined) return `not refundable${condition}`;
  if (kept.total.minor === 0) return condition === '' ? 'free cancellation' : `nothing is kept${condition}`;
  const tax = kept.tax.minor > 0 ? ', tax included' : '';
  const stated =
    kept.disagrees && !sameMoney(rule.total, kept.total) ? `, though its total says ${showMoney(rule.total)}` : '';
  return `keeps ${showMoney(kept.total)} per person and segment${tax}${stated}${condition}`;
}
