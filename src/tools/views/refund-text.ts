/** The text of a refund: of one that is estimated (from its fields alone), of the rule that an offer promises, and of a change. */
import { cleanCode, MOST_WORDS, quoted, quotedWords } from '../../core/clean-text.ts';
import { parseMoney, showAmount, showMoney } from '../../core/money.ts';
import { earliest, instantOf, showDeadline, utcText } from '../../core/times.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { hasPassed } from '../../domain/booking/booking-state.ts';
import { type FareRule, isPenalty, type Pricing, ruleWords } from '../../domain/pricing/fare.ts';
import { keptBy, repeatsFigures } from '../../domain/pricing/penalty-rules.ts';
import { inForce } from '../../domain/pricing/rule-windows.ts';
import { type ChangeView, NOT_REBOOKED } from './offer-data.ts';
import type { Refund, RefundLine, RefundStep } from './refund-schema.ts';

type Amounts = Pick<RefundStep, 'back' | 'kept' | 'between'>;

/**
 * The sentence, the steps, who gets what, the note and the airline's words.
 *
 * @param currency of the result, unless the refund has its own
 */
export function refundText({ valid_until: until, ...refund }: Refund, currency: string): readonly string[] {
  // Where there are later steps, the first of them says until when this holds.
  const shownRefund = refund.later === undefined && until !== undefined ? { ...refund, valid_until: until } : refund;
  return [refundSentence(shownRefund, currency), ...refundDetails(shownRefund, currency)].filter(
    (line) => line !== undefined,
  );
}

/**
 * `SAR 1,078.00 comes back, SAR 345.00 is kept, tax included. This holds until Wed 9 Dec 09:36 (UTC+3).` Undefined if no
 * amount is known.
 */
export function refundSentence(refund: Refund, currency: string, when = ''): string | undefined {
  const { refund_now: back, kept_now: kept, between, valid_until: until, kept_includes_vat: withTax } = refund;
  const sums = sumsText({ back, kept, between }, refund.currency ?? currency, { when, withTax });
  if (sums === undefined) return undefined;
  const limit = until === undefined ? '' : ` This holds until ${showDeadline(until, firstTime(refund))}.`;
  return `${sums.slice(0, 1).toUpperCase()}${sums.slice(1)}.${limit}`;
}

/** What {@link refundSentence} leaves out. */
export function refundDetails(refund: Refund, resultCurrency: string): readonly string[] {
  const near = firstTime(refund);
  const { currency = resultCurrency, later = [], cancel_until: ends, lines = [], note } = refund;
  const isKnown = (refund.refund_now ?? refund.between) !== undefined;
  // A note stands first where it says why no amount is known, and else last.
  return [
    ...(note === undefined || isKnown ? [] : [ends === undefined ? note : `${note.replace(/\.$/, '')}.`]),
    ...later.map((step) => stepText(step, currency, near)),
    ...(ends === undefined ? [] : [`It can be cancelled until ${showDeadline(ends, near)}; then nothing comes back.`]),
    ...lines.map((line, i) => lineText({ ...line, passengers: peopleAt(lines, i) }, currency)),
    ...(note === undefined || !isKnown ? [] : [note]),
    ...saysText(refund.airline_says ?? []),
  ];
}

/** Quoted; empty without words. */
export function saysText(says: readonly string[]): readonly string[] {
  return says.length === 0 ? [] : [`The airline says: ${says.map((text) => quoted(text, MOST_WORDS)).join(' ')}`];
}

/** The first time of the text: the times after it show their year only if it is another one. */
function firstTime({ valid_until: until, later = [], cancel_until: ends }: Refund): string | undefined {
  return until ?? later[0]?.from ?? ends;
}

function stepText(step: RefundStep, currency: string, near: string | undefined): string {
  const sums = sumsText(step, currency) ?? 'what comes back then is not known';
  const why = step.note === undefined ? '' : ` ${step.note}`;
  return [`From ${showDeadline(step.from, near)}: ${sums}.${why}`, ...saysText(step.airline_says ?? [])].join(' ');
}

/** `SAR 20.00 comes back, nothing is kept`; undefined if what comes back is not known. */
export function sumsText(
  { back, kept, between }: Amounts,
  currency: string,
  { when = '', withTax = false }: { readonly when?: string; readonly withTax?: boolean | undefined } = {},
): string | undefined {
  const sum = (amount: string) => (isZero(amount) ? 'nothing' : shown(amount, currency));
  const returned = between
    ? `between ${shown(between.at_least, currency)} and ${shown(between.at_most, currency)}`
    : back && sum(back);
  if (returned === undefined) return undefined;
  const tax = withTax && kept !== undefined && !isZero(kept) ? ', tax included' : '';
  return `${returned} comes back${when}${kept === undefined ? '' : `, ${sum(kept)} is kept${tax}`}`;
}

/** Names of people stand in the first of their lines. */
function peopleAt(lines: readonly RefundLine[], i: number): string {
  return lines.slice(0, i + 1).findLast(({ passengers }) => passengers !== undefined)?.passengers ?? '';
}

function lineText({ passengers, segments, paid, ...line }: RefundLine, currency: string): string {
  const { kept_each: kept, kept_per: per = 'person and segment', back, refundable } = line;
  const isOneCharge = line.segment_refs.length === 1 && line.passenger_refs?.length === 1;
  const figures = [
    paid && `${shown(paid, currency)} paid`,
    refundable === false && 'not refundable',
    kept && (isZero(kept) ? 'nothing kept' : `${shown(kept, currency)} kept${isOneCharge ? '' : ` per ${per}`}`),
    refundable !== false && back && `${isZero(back) ? 'nothing' : shown(back, currency)} back`,
  ];
  return `${passengers}, ${segments}: ${figures.filter(Boolean).join('; ')}`;
}

/** `change: at most SAR 46.00 to pay, at most SAR 12.00 may come back`. */
export function changeTexts(change: ChangeView, currency: string): string[] {
  const { pays_at_most: pays, gets_back: back, rule, airline_says: says = [], anew } = change ?? {};
  const sums = [
    pays && `at most ${showAmount(pays, currency)} to pay`,
    back && (isZero(back) ? 'nothing back' : `at most ${showAmount(back, currency)} may come back`),
  ].filter(Boolean);
  const { gets_back: refund, between, costs_at_most: costs, note } = anew ?? {};
  const instead = [sumsText({ back: refund, between }, currency), note, costs && costsText(costs, currency)].filter(
    Boolean,
  );
  return [
    ...(sums.length === 0 ? [] : [`change: ${sums.join(', ')}`]),
    ...(rule === undefined
      ? []
      : [`${rule.startsWith(NOT_REBOOKED) ? '' : 'change rule: '}${rule.replace(/\.$/, '')}`]),
    ...saysText(says),
    ...(anew === undefined ? [] : [`booked anew and the old one cancelled: ${instead.join(', ')}`]),
  ];
}

/** An amount below zero is left over. */
function costsText(costs: string, currency: string): string {
  const surplus = costs.startsWith('-') ? costs.slice(1) : undefined;
  if (surplus !== undefined) return `at least ${showAmount(surplus, currency)} more than the new one costs`;
  return `at most ${showAmount(costs, currency)} in all`;
}

/** `SAR 1,725.00`. */
function shown(amount: string, currency: string): string {
  const money = parseMoney(amount, currency);
  return money === undefined ? `${currency} ${amount}` : showMoney(money);
}

export function isZero(amount: string): boolean {
  return Number(amount) === 0;
}

/** The rules of most offers come with the hold. */
const REFUND_NOT_KNOWN = 'Refund known once held; holding is free.';

/** What comes back by the rules in force now. Names the end of the rule, or of cancelling, if it is before `departs`. */
export function offerRuleText(pricing: Pricing, now: number, departs: string | undefined): string {
  const rules = pricing.fares.flatMap((fare) => fare.refundRules).filter((rule) => inForce(rule, now));
  const cancelUntil = earliest(pricing.fares.map((fare) => fare.cancelUntil));
  if (hasPassed(cancelUntil, now)) return 'Cannot be cancelled any more';
  if (rules.length === 0) return REFUND_NOT_KNOWN;
  const byCharge = [...Map.groupBy(rules, (rule) => chargeText(rule))].map(([charge, ofCharge]) => ({
    charge,
    types: [...new Set(ofCharge.map((rule) => cleanCode(rule.passengerType)))].join(', '),
  }));
  const until = instantOf(earliest([...rules.map((rule) => rule.until), cancelUntil]));
  const endsBeforeDeparture = until !== undefined && until < (instantOf(departs) ?? Number.POSITIVE_INFINITY);
  const [first] = byCharge;
  const chargesByType = byCharge.map(({ charge, types }) => `${types || 'all'}: ${charge}`).join('; ');
  const words = byCharge.length === 1 && first !== undefined ? first.charge : chargesByType;
  const isRefundable = rules.some((rule) => rule.refundable);
  const comma = words.includes(',') ? ',' : '';
  const limit = endsBeforeDeparture && isRefundable ? `${comma} until ${showDeadline(utcText(until), departs)}` : '';
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${limit}`;
}

/** Warns that a hold has another rule than its offer named. Undefined if both are the same, or one is not known. */
export function ruleChangeText(
  { pricing }: Pick<Booking, 'pricing'>,
  offered: string | undefined,
  now: number,
  departs: string | undefined,
): string | undefined {
  if (offered === undefined || pricing === undefined) return undefined;
  if (offerRuleText(pricing, now, departs) === offered) return undefined;
  return `The refund rule changed: the offer said “${offered}”. Tell the person before paying.`;
}

/** What one rule keeps, in words: `keeps SAR 46.00 per person and segment, tax included`. */
function chargeText(rule: FareRule): string {
  if (!isPenalty(rule)) {
    const words = ruleWords(rule);
    return words === undefined ? 'refund rule unclear' : `the airline's words: ${quotedWords(words)}`;
  }
  if (!rule.refundable) return 'not refundable';
  const kept = keptBy(rule);
  if (kept === undefined) return 'refund rule unclear';
  const words = ruleWords(rule);
  const condition =
    words === undefined || repeatsFigures(words, rule) ? '' : `, the airline says ${quotedWords(words)}`;
  if (kept.total.minor === 0) return `free cancellation${condition}`;
  return `keeps ${showMoney(kept.total)} per person and segment${kept.tax.minor > 0 ? ', tax included' : ''}${condition}`;
}
