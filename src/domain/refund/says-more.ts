/**
 * Tells words of the airline that only say again what their rule's figures and times say from those that may be a condition. English words
 * are read one by one: each has to be in a fixed list, and true by the rule. Whatever else an airline writes, in any language, counts as a
 * condition: it is quoted, and never understood.
 *
 * | the rule                       | words that say nothing more                                                          |
 * | ------------------------------ | ------------------------------------------------------------------------------------ |
 * | no refund                      | `Refund not permitted.`, `Non-refundable fare`                                       |
 * | refund, keeps nothing          | `Refundable`, `Free cancellation`                                                    |
 * | refund, keeps SAR 46.00        | `Refundable`, `Refund with a penalty`, `Fee of SAR 46.00`, or of its base            |
 * | refund, until a day before     | `More than 24 hours before departure`, `Refundable until 1 day before departure`     |
 * | any                            | `---`, `x (%)`: a sign, and a form that was not filled in                            |
 */
import { asciiDigits, normalized } from '../../core/clean-text.ts';
import { memoizeByKey } from '../../core/memoize.ts';
import { type Money, parseMoney } from '../../core/money.ts';
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from '../../core/times.ts';
import type { PenaltyRule } from '../booking/fare.ts';

type WordSense =
  | 'refund'
  | 'granted'
  | 'refused'
  | 'free'
  | 'fee'
  | 'with_tax'
  | 'without_tax'
  | 'each_part'
  | 'before_departure'
  | 'more_than'
  | 'until'
  | 'less_than'
  | 'within'
  | 'hours'
  | 'days'
  | 'linking';

/**
 * Phrases as airlines write them, with commas between. Capitals do not count, and no phrase goes on behind a sign: `Refund: no. Fee applies`
 * has no `no fee`.
 * `is`, `of` and `full` stand only in phrases: `the full fare is charged` is no free refund, `refund of fees` no refund of the fare.
 */
const PHRASES: Readonly<Record<WordSense, readonly string[]>> = {
  refund: [
    'refund, refunds, refund is, refunds are, any time, anytime, at any time',
    'cancel, cancelled, cancellation, cancellations, cancellation is, cancellations are',
  ],
  granted: [
    'refundable, refunded, refundable fare, refundable ticket, permitted, allowed, possible, can be',
    'is refundable, fare is refundable, ticket is refundable',
  ],
  refused: [
    'not permitted, not allowed, not possible, not refundable, non refundable, nonrefundable',
    'no refund, no refunds, no cancellation, cannot be refunded, cannot be cancelled',
    'non refundable fare, non refundable ticket, nonrefundable fare, nonrefundable ticket',
    'fare is non refundable, fare is not refundable, fare is nonrefundable',
    'ticket is non refundable, ticket is not refundable, ticket is nonrefundable',
  ],
  free: [
    'free, is free, free of charge, full refund, full refunds, fully refundable, fully refunded',
    'no fee, no fees, no charge, no penalty, no cancellation fee, no refund fee',
    'no fee is charged, no penalty is charged',
    'without fee, without a fee, without charge, without penalty',
  ],
  fee: [
    'fee, fees, charge, charges, penalty, penalties, charged, deducted',
    'fee of, charge of, penalty of, cancellation fee of, cancellation penalty of, refund fee of',
    'cancellation fee, cancellation penalty, refund fee, fee is, penalty is',
    'is charged, is deducted, will be charged, will be deducted',
  ],
  with_tax: ['including tax, including vat, incl tax, incl vat, tax included, vat included'],
  without_tax: ['plus tax, plus vat, excluding vat, excl vat'],
  each_part: ['per flight, per segment, per leg, per train, per sector', 'and flight, and segment, and leg, and train'],
  before_departure: [
    'before departure, before the departure, prior to departure, before flight departure',
    'before scheduled departure, until departure, up to departure, of departure, to departure',
  ],
  more_than: ['more than, at least, over'],
  until: ['until, up to, till, no later than, not later than'],
  less_than: ['less than, under'],
  within: ['within'],
  hours: ['h, hr, hrs, hour, hours'],
  days: ['day, days'],
  linking: [
    'the, a, an, with, for, in case of, and, applies, apply',
    'per passenger, per person, per traveller, each passenger',
  ],
};

const MEANINGS: ReadonlyMap<string, WordSense> = new Map(
  Object.entries(PHRASES).flatMap(([meaning, lists]) =>
    lists.flatMap((list) => list.split(', ').map((phrase) => [phrase, meaning as WordSense] as const)),
  ),
);
const LONGEST_PHRASE = 4;
const LONGEST_TEXT = 400;

/** Phrases that say something only with a number: `more than 24 hours`. */
const WITH_NUMBER: ReadonlySet<WordSense> = new Set(['more_than', 'until', 'less_than', 'within', 'hours', 'days']);
const UNIT_MS: Readonly<Partial<Record<WordSense, number>>> = { hours: HOUR_MS, days: DAY_MS };
const WHOLE_NUMBER = /^\d{1,4}$/;
/** `1,250.00`, `46`, `30.00`. */
const AMOUNT = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d+(?:\.\d+)?$/;
/** Other symbols can mean no: `✗`. */
const SIGNS = /[^\p{L}\d\p{So}]+/gu;
/** Signs between two thoughts. Those in a number, and the hyphen of `non-refundable`, are none. */
const BREAKS = /[;:!?()|/\r\n]|[.,](?!\d)|(?<=\s)[-\u2013\u2014](?=\s)/gu;
const BREAK = '.';
/** Numbers, words, breaks, and signs that can change a meaning: `✗`, `46.00+`, the star of a footnote. */
const TOKENS = /\d+(?:[.,]\d+)*|\p{L}+|[.\p{S}%*†‡]/gu;
const ABBREVIATIONS = /\b(incl|excl|hrs?|h)\./g;

/** A penalty, and what it is for. */
export interface WordedPenalty {
  readonly rule: PenaltyRule;
  /** Kept for one passenger, tax included. */
  readonly each: Money;
  /** Departures of its segments, as sent. One penalty is for all of them. */
  readonly departures: readonly string[];
}

/** Whether words of the airline say more than the figures and times of their penalty. */
export function saysMore(words: string, penalty: WordedPenalty): boolean {
  if (words.length > LONGEST_TEXT) return true;

  const said = readWords({ words, currency: penalty.rule.base.currency });
  return said === undefined || !isTrue(said, penalty) || !areTimesTrue(said, penalty);
}

/** What words say, as far as they are read. */
interface ReadWords {
  readonly meanings: ReadonlySet<WordSense>;
  /** Minor units. */
  readonly amounts: readonly number[];
  /** Milliseconds before departure since which they speak. */
  readonly since: readonly number[];
  /** Milliseconds before departure until which they speak. */
  readonly until: readonly number[];
}

/** Whether figures and meaning are those of the rule. */
function isTrue({ meanings, amounts }: ReadWords, { rule, each, departures }: WordedPenalty): boolean {
  // Without an amount, it is the refund that is without tax. And no tax may come on top of all that is kept.
  if (meanings.has('without_tax') && (amounts.length === 0 || each.minor <= rule.base.minor)) return false;

  if (!rule.refundable) {
    const isAboutMoney = meanings.has('fee') || meanings.has('free') || amounts.length > 0;
    const isNo = meanings.has('refused') || !meanings.has('refund');
    return !isAboutMoney && !meanings.has('granted') && isNo;
  }

  if (meanings.has('refused')) return false;
  if (meanings.has('free') && each.minor > 0) return false;
  if (meanings.has('each_part') && departures.length > 1) return false;

  // Without the word for a fee, an amount can be what comes back.
  if (!meanings.has('fee')) return amounts.length === 0;
  if (each.minor === 0 && amounts.length === 0) return false;
  // A fee for cancelling and one for the refund are two.
  if (amounts.length > 1) return false;

  const withTax = meanings.has('without_tax') ? undefined : each.minor;
  const withoutTax = meanings.has('with_tax') ? undefined : rule.base.minor;
  return amounts.every((amount) => amount === withTax || amount === withoutTax);
}

/** Whether the rule is in force only while the words speak. */
function areTimesTrue({ meanings, since, until }: ReadWords, { rule, departures: [departs] }: WordedPenalty): boolean {
  const departure = instantOf(departs) ?? Number.NaN;
  const from = instantOf(rule.from) ?? Number.NaN;
  const ends = instantOf(rule.until) ?? Number.NaN;

  const leads = meanings.has('before_departure') && until.length === 0 ? [0] : until;
  const beginsThen = since.every((lead) => from > departure - lead - MINUTE_MS);
  // Airlines end a rule a second earlier or later.
  return beginsThen && leads.every((lead) => ends < departure - lead + MINUTE_MS);
}

/** Remembered, because the fares and windows of a booking repeat a few texts. */
const readWords = /* @__PURE__ */ memoizeByKey(
  ({ words, currency }: { readonly words: string; readonly currency: string }) => `${currency} ${words}`,
  ({ words, currency }) => readAll(tokensOf(words), currency.toLowerCase()),
);

/** Reads all words. Undefined at the first that is not in the lists. */
function readAll(tokens: readonly string[], currency: string): ReadWords | undefined {
  const meanings = new Set<WordSense>();
  const amounts: number[] = [];
  const since: number[] = [];
  const until: number[] = [];

  const isBeforeDeparture = (at: number) => phraseAt(tokens, at)?.meaning === 'before_departure';
  let at = 0;
  let previous: WordSense | undefined;

  while (at < tokens.length) {
    if (tokens[at] === BREAK) {
      previous = undefined;
      at++;
      continue;
    }

    const amount = amountAt(tokens, at, currency);
    if (amount !== undefined) {
      amounts.push(amount.minor);
      at = amount.end;
      continue;
    }

    const limit = limitAt(tokens, at);
    if (limit !== undefined) {
      const needsDeparture = limit.meaning === 'until' || limit.meaning === 'within';
      // `within 24 hours` can be counted from the purchase.
      if (needsDeparture && !meanings.has('before_departure') && !isBeforeDeparture(limit.end)) return undefined;
      const isEnd = limit.meaning === 'more_than' || limit.meaning === 'until';
      (isEnd ? until : since).push(limit.lead);
      at = limit.end;
      continue;
    }

    const phrase = phraseAt(tokens, at);
    if (phrase === undefined || WITH_NUMBER.has(phrase.meaning)) return undefined;
    // `Fees refundable`: of the fare nothing is said.
    if (previous === 'fee' && phrase.meaning === 'granted') return undefined;
    meanings.add(phrase.meaning);
    previous = phrase.meaning;
    at = phrase.end;
  }

  return { meanings, amounts, since, until };
}

/** `sar 46.00` or `46.00 sar`. `end`: the index behind it. */
function amountAt(tokens: readonly string[], at: number, currency: string) {
  const [first = '', second = ''] = tokens.slice(at, at + 2);
  const number = first === currency ? second : first;
  const isAmount = (first === currency || second === currency) && AMOUNT.test(number);
  const money = isAmount ? parseMoney(number.replaceAll(',', ''), currency.toUpperCase()) : undefined;
  return money && { minor: money.minor, end: at + 2 };
}

/** `more than 24 hours`. `lead`: milliseconds before departure. `end`: the index behind it. */
function limitAt(tokens: readonly string[], at: number) {
  const limit = phraseAt(tokens, at);
  if (limit === undefined || !WITH_NUMBER.has(limit.meaning)) return undefined;

  const number = tokens[limit.end] ?? '';
  const unit = phraseAt(tokens, limit.end + 1);
  const unitMs = unit && UNIT_MS[unit.meaning];
  if (unit === undefined || unitMs === undefined || !WHOLE_NUMBER.test(number)) return undefined;
  return { meaning: limit.meaning, lead: Number(number) * unitMs, end: unit.end };
}

/** The longest phrase of the lists at this word. `end`: the index behind it. */
function phraseAt(tokens: readonly string[], at: number) {
  for (let end = Math.min(tokens.length, at + LONGEST_PHRASE); end > at; end--) {
    const meaning = MEANINGS.get(tokens.slice(at, end).join(' '));
    if (meaning !== undefined) return { meaning, end };
  }
  return undefined;
}

/** Numbers, and words in small letters: `24h` is `24` and `h`. Empty for a sign, and for a form that was not filled in. */
function tokensOf(words: string): readonly string[] {
  const text = asciiDigits(normalized(words, 'NFKC')).toLowerCase();
  const letters = text.replace(SIGNS, '');
  if (letters === '' || letters === 'x') return [];

  return text.replace(ABBREVIATIONS, '$1 ').replace(BREAKS, ` ${BREAK} `).match(TOKENS) ?? [];
}
