/**
 * Writes refunds in words: first an estimated refund, then what a change of trains costs and returns.
 */

import type { TermsSection } from '../../approvals/terms.ts';
import { MOST_WORDS, plainText, quotedWords } from '../../core/clean-text.ts';
import { type Money, parseMoney, sameMoney, showAmount } from '../../core/money.ts';
import { capitalized, joined, present, uncapitalized, withoutTrailing } from '../../core/words.ts';
import { showDeadline } from '../../domain/booking/deadlines.ts';
import {
  type SaidCondition,
  type SaidLine,
  type SaidPart,
  saidCondition,
  saidLimit,
  saidLoss,
  saidShare,
  saidStep,
  saidSum,
  saidWords,
} from '../../domain/facts/said.ts';
import { comesBackText, givenUpText, onConditionWords } from '../../domain/refund/back-words.ts';
import { conditionSentence } from '../../domain/refund/describe-refund.ts';
import { holdsUntil } from './holds-until.ts';
import type { ChangeView } from './offer-data.ts';
import type { AskedRefund } from './refund-data.ts';
import { ALL, type Refund, type RefundLine, type RefundStep } from './refund-schema.ts';
import { section } from './terms-text.ts';

/** How many conditions of one sum a question quotes, and its operation keeps. */
export const MOST_CONDITIONS = 6;

interface Amounts extends Pick<RefundStep, 'back' | 'kept' | 'between'> {
  /** As in a {@link Refund}. */
  readonly on_condition?: string | undefined;
}

/**
 * Writes a refund as a sentence, the steps, who gets what, the note and the airline's words.
 *
 * @param currency of the result, unless the refund has its own
 */
export function refundText(refund: Refund, currency: string): readonly string[] {
  // If there are later steps, the first of them says until when the first amount applies.
  const sentence = withConditions(refund, currency, refund.valid_until);
  return present([sentence, ...refundDetails(refund, currency)]);
}

/**
 * `SAR 1,078.00 comes back, SAR 345.00 is kept, tax included. The airline's condition: “…” This holds until Wed 9 Dec 09:36 (UTC+3).`
 * Undefined if no sum is known. `when` stands after “comes back”: ` now`.
 */
export function refundSentence(refund: Refund, currency: string, when = ''): string | undefined {
  return withConditions(refund, currency, holdsUntil(refund), when);
}

function withConditions(refund: Refund, currency: string, until: string | undefined, when = ''): string | undefined {
  const sums = sumsSentence(refund, currency, { when });
  return sums && [sums, ...conditionTexts(refund.refund_condition), ...limitSentence(until)].join(' ');
}

/** The lines of a refund after {@link refundSentence}. */
export function refundDetails(refund: Refund, currency: string): readonly string[] {
  const { note, refund_condition: conditions } = refund;
  const notes = note === undefined ? [] : [note];
  const details = [...laterLines(refund, currency), ...partLines(refund, currency)];
  // A note that says why no sum is known comes first. Conditions stand in the sentence of a sum, if there is one.
  return hasSums(refund) ? [...details, ...notes] : [...notes, ...details, ...conditionTexts(conditions)];
}

/**
 * Two sections of terms: what comes back, with its conditions and what it rests on; then what follows, and who gets what back for which
 * train. `before`: the beginning of the first line, and to what its sums belong. `givenUp`: the most that the act gives up.
 */
export function refundSections(
  { refund, bound, booking, currency }: Pick<AskedRefund, 'refund' | 'bound' | 'booking' | 'currency'>,
  { before = '', givenUp }: { readonly before?: string; readonly givenUp?: Money | undefined } = {},
): readonly TermsSection[] {
  const known = sumsSentence(refund, currency, { givenUp }) ?? 'What comes back is not known.';
  const sums = [known, ...givenUpSentence(refund, currency, givenUp)].join(' ');
  const sentence = `${before}${[sums, ...limitSentence(holdsUntil(refund))].join(' ')}`;
  const loss = givenUp === undefined ? [] : [saidLoss('what is given up', givenUp)];

  const saidConditions = conditionsSaid(bound.refund_condition);
  const conditions = conditionTexts(refund.refund_condition, MOST_CONDITIONS).map((line, i) => {
    const condition = saidConditions[i];
    return condition === undefined ? { line } : { line, said: [saidCondition('the condition', condition)] };
  });
  const note =
    refund.note === undefined ? undefined : { line: refund.note, said: [saidWords('note', bound.note ?? '')] };

  const saidLater = saidOfLater(bound, currency);
  const later = laterLines(refund, currency, MOST_CONDITIONS).map((line, i) => ({ line, said: saidLater[i] }));

  return [
    section('refund', { line: sentence, said: [...saidOfSums(bound, currency, before), ...loss] }, ...conditions, note),
    section('computed', ...later, ...shareLines({ refund, booking, currency })),
  ];
}

const conditionsSaid = (conditions: Refund['refund_condition'] = []): readonly SaidCondition[] =>
  conditions.slice(0, MOST_CONDITIONS).map(({ says, fare_of: of }) => ({ says, of }));

const amountIn = (amount: string | undefined, currency: string): Money | undefined =>
  amount === undefined ? undefined : parseMoney(amount, currency);

/** What the sentence of a refund says. */
function saidOfSums(refund: Refund, resultCurrency: string, before: string): readonly SaidPart[] {
  const { refund_now: back, kept_now: kept, between, currency = resultCurrency } = refund;
  const until = holdsUntil(refund);

  const said = [
    saidSum(`${before}what comes back`, {
      amount: amountIn(back, currency),
      atLeast: amountIn(between?.at_least, currency),
      atMost: amountIn(between?.at_most, currency),
    }),
    saidSum(`${before}what the airline keeps`, { amount: amountIn(kept, currency) }),
  ];

  if (kept !== undefined && refund.kept_includes_vat === true) said.push(saidWords('kept', 'tax included'));
  if (until !== undefined) said.push(saidLimit('until when that holds', until));
  return said;
}

/** What the lines about later times say, each. */
function saidOfLater(refund: Refund, resultCurrency: string): readonly (readonly SaidPart[])[] {
  const { currency = resultCurrency, refund_now: back, between, later = [], cancel_until: ends } = refund;
  const minor = (amount: string | undefined) => amountIn(amount, currency)?.minor ?? 0;

  let before = minor(back ?? between?.at_most);
  const steps = later.map(({ from, note = '', refund_condition: conditions, ...amounts }) => {
    const most = minor(amounts.back ?? amounts.between?.at_most);
    const isLess = most <= before;
    before = most;
    const { back: amount, kept, between: bounds } = amounts;
    const sums = `${sumsText({ back: amount, kept, between: bounds }, currency) ?? ''} ${note}`;
    return [saidStep('later', { from, sums, conditions: conditionsSaid(conditions), isLess })];
  });
  return ends === undefined ? steps : [...steps, [saidLimit('until when it can be cancelled', ends)]];
}

function shareLines({
  refund,
  booking,
  currency,
}: Pick<AskedRefund, 'refund' | 'booking' | 'currency'>): readonly SaidLine[] {
  return partsWithPeople(refund).map((part) => {
    const { segment_refs: segments, passenger_refs: people = [], passengers: party = '' } = part;
    const line = lineText(part, refund.currency ?? currency);
    const figures = figuresText(part, refund.currency ?? currency);
    return { line, said: [saidShare('share', booking, { segments, people, party }, figures)] };
  });
}

const hasSums = ({ refund_now: back, between, kept_now: kept }: Refund) => (back ?? between ?? kept) !== undefined;

interface SumsWords {
  /** After “comes back”: ` now`. */
  readonly when?: string | undefined;
  readonly withTax?: boolean | undefined;
  /** Of what is kept, where that is what the act gives up: `is given up`. */
  readonly isKept?: string | undefined;
}

function sumsSentence(
  refund: Refund,
  resultCurrency: string,
  { when, givenUp }: Pick<SumsWords, 'when'> & { readonly givenUp?: Money | undefined } = {},
): string | undefined {
  const { refund_now: back, kept_now: kept, between, currency = resultCurrency, kept_includes_vat: withTax } = refund;
  const isKept = isKeptGivenUp(refund, resultCurrency, givenUp) ? 'is given up' : undefined;
  const sums = sumsText({ back, kept, between, on_condition: refund.on_condition }, currency, {
    when,
    withTax,
    isKept,
  });
  return sums && `${capitalized(sums)}.`;
}

/** Whether exactly what the airline keeps is given up: then one sum says both. */
function isKeptGivenUp(
  { refund_now: back, kept_now: kept, currency }: Refund,
  resultCurrency: string,
  givenUp: Money | undefined,
): boolean {
  if (back === undefined || kept === undefined) return false;
  return sameMoney(parseMoney(kept, currency ?? resultCurrency), givenUp);
}

/** `At most EUR 6,917.00 is given up.` Empty if nothing is, or the sums say it. */
function givenUpSentence(refund: Refund, currency: string, givenUp: Money | undefined): readonly string[] {
  if (givenUp === undefined || isKeptGivenUp(refund, currency, givenUp)) return [];
  return [`At most ${givenUpText(givenUp)}.`];
}

function limitSentence(until: string | undefined): readonly string[] {
  return until === undefined ? [] : [`This holds until ${showDeadline(until, until)}.`];
}

/** What comes back from each later time on, and where cancelling ends. */
function laterLines(refund: Refund, resultCurrency: string, mostConditions?: number): readonly string[] {
  const { currency = resultCurrency, later = [], cancel_until: ends, refund_now: back } = refund;
  // Times show their year only if it differs from that of the first one.
  const firstShown = holdsUntil(refund) ?? ends;
  const steps = later.map(({ from, note, refund_condition: conditions, ...amounts }) => {
    const sums = sumsText(amounts, currency) ?? 'what comes back then is not known';
    const step = `From ${showDeadline(from, firstShown)}: ${sums}.`;
    const texts = [step, note, ...conditionTexts(conditions, mostConditions)];
    return texts.filter((text) => text !== undefined).join(' ');
  });

  // Where nothing comes back now, and nothing will, the first sentence has said so.
  const isNever = back !== undefined && isZero(back) && later.length === 0;
  return [...steps, ...endLine(ends, firstShown, isNever)];
}

/**
 * The last line about later refunds, the same in a quote, in terms and in a reading. Empty if the end is not known.
 * @param isNever whether nothing comes back before it either, which another line says
 */
function endLine(ends: string | undefined, near: string | undefined, isNever = false): string[] {
  const then = isNever ? '' : '; then nothing comes back';
  return ends === undefined ? [] : [`It can be cancelled until ${showDeadline(ends, near)}${then}.`];
}

/** Quotes the airline's words in one line; none if there are no words. */
export function airlineQuotes(words: readonly string[]): readonly string[] {
  return words.length === 0 ? [] : [`The airline says: ${words.map(quotedWords).join(' ')}`];
}

/** `The airline's condition for train HHR101: “…”`, a sentence for each of at most `most`. */
export function conditionTexts(
  conditions: Refund['refund_condition'] = [],
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  const more = conditions.length - most;
  const texts = conditions
    .slice(0, most)
    .map(({ says, fare_of: whose }) =>
      conditionSentence(whose === undefined ? { says } : { says, whose: plainText(whose, MOST_WORDS) }),
    );
  return more > 0 ? [...texts, `The airline states ${more} more in words: ask it.`] : texts;
}

/**
 * `SAR 20.00 comes back, nothing is kept`; undefined if neither is known. What is kept can be known where the refund is not. `when` stands
 * after “comes back”: ` now`.
 */
export function sumsText(
  { back, kept, between, on_condition: onCondition }: Amounts,
  currency: string,
  { when = '', withTax = false, isKept = 'is kept' }: SumsWords = {},
): string | undefined {
  if ((between ?? back ?? kept) === undefined) return undefined;
  const money = (amount = '') => parseMoney(amount, currency);
  const [amount, atLeast, atMost] = [money(back), money(between?.at_least), money(between?.at_most)];
  const most = amount ?? atMost;
  const condition = onConditionWords(onCondition === ALL ? most : money(onCondition), most);
  const sums = `${comesBackText({ amount, bounds: atLeast && atMost && { atLeast, atMost } }, '', when)}${condition}`;
  if (kept === undefined) return sums;
  const tax = withTax && !isZero(kept) ? ', tax included' : '';
  return `${sums}, ${amountOrNothing(kept, currency)} ${isKept}${tax}`;
}

/** Who gets what back for which flights or trains. */
function partLines(refund: Refund, resultCurrency: string): readonly string[] {
  return partsWithPeople(refund).map((line) => lineText(line, refund.currency ?? resultCurrency));
}

/** A line without passengers is about those of the line before. */
function partsWithPeople({ lines = [] }: Refund): readonly RefundLine[] {
  let people: Pick<RefundLine, 'passengers' | 'passenger_refs'> = {};
  return lines.map((line) => {
    const { passengers, passenger_refs } = line;
    if (passengers !== undefined) people = { passengers, passenger_refs };
    return { ...line, ...people };
  });
}

function lineText(line: RefundLine, currency: string): string {
  const { passengers = '', segments } = line;
  return `${passengers}, ${segments}: ${figuresText(line, currency)}`;
}

/** `SAR 172.50 paid; SAR 86.25 kept per person and segment; SAR 86.25 back`. */
function figuresText({ paid, ...line }: RefundLine, currency: string): string {
  const { kept_each: kept, kept_per: chargedPer = 'person and segment', back, refundable } = line;
  const isOneCharge = line.segment_refs.length === 1 && line.passenger_refs?.length === 1;
  const per = isOneCharge || (kept !== undefined && isZero(kept)) ? '' : ` per ${chargedPer}`;

  const figures = [
    paid && `${showAmount(paid, currency)} paid`,
    refundable === false && 'not refundable',
    kept && `${amountOrNothing(kept, currency)} kept${per}`,
    back && `${amountOrNothing(back, currency)} back`,
  ];
  return joined(figures, '; ');
}

/** `change: at most SAR 46.00 to pay, at most SAR 12.00 may come back`. */
export function changeTexts(change: ChangeView | undefined, currency: string): string[] {
  const { lower_cabin: lower, rule, not_rebooked: whyNot, anew } = change ?? {};
  const { pays_at_most: pays, gets_back_at_most: back } = change ?? {};
  const sums = joined([
    pays && `at most ${showAmount(pays, currency)} to pay`,
    back && (isZero(back) ? 'nothing back' : `at most ${showAmount(back, currency)} may come back`),
  ]);

  return present([
    lower && `LOWER CABIN: ${lower}`,
    sums && `change: ${sums}`,
    rule && `change rule: ${withoutTrailing(rule, '.')}`,
    whyNot && `Not rebooked: ${whyNot}`,
    ...airlineQuotes(change?.airline_says ?? []),
    anew && newBookingText(anew, currency),
  ]);
}

/** `booked anew and the old one cancelled: SAR 20.00 comes back, at most SAR 150.00 in all`. */
function newBookingText(anew: NonNullable<ChangeView['anew']>, currency: string): string {
  const { gets_back: back, between, on_condition, costs_at_most: costs, note, refund_condition: conditions } = anew;
  const facts = joined([
    sumsText({ back, between, on_condition }, currency),
    note,
    ...conditionTexts(conditions).map(uncapitalized),
    // Words of the airline can say that it does not come back.
    costs && `${on_condition === undefined ? '' : 'if so '}${costsText(costs, currency)}`,
  ]);
  return `booked anew and the old one cancelled: ${facts}`;
}

/** What a new booking costs beyond the refund of the old one. Negative: the refund is more than the new one costs. */
function costsText(costs: string, currency: string): string {
  const surplus = costs.startsWith('-') ? costs.slice(1) : undefined;
  if (surplus !== undefined) return `at least ${showAmount(surplus, currency)} more than the new one costs`;
  return `at most ${showAmount(costs, currency)} in all`;
}

function amountOrNothing(amount: string, currency: string): string {
  return isZero(amount) ? 'nothing' : showAmount(amount, currency);
}

export function isZero(amount: string): boolean {
  return Number(amount) === 0;
}
