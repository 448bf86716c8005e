/**
 * Tells a text of the airline that only repeats its rule from a condition. Reads the text word by word, in English, German, French and
 * Arabic: it repeats the rule if every word is in a fixed list and true by the rule's figures and times. Any other text is a condition:
 * it is quoted, and never understood.
 *
 * | the rule                       | texts that only repeat it                                                           |
 * | ------------------------------ | ----------------------------------------------------------------------------------- |
 * | no refund                      | `Refund not permitted.`, `Nicht erstattbar`                                         |
 * | refund, keeps nothing          | `Refundable`, `Free cancellation`                                                   |
 * | refund, keeps SAR 46.00        | `Refundable`, `Refund with a fee`, `Refund with a fee of SAR 46.00`, or of its base |
 * | refund, until a day before     | `More than 24 hours`, `Refundable until 1 day before departure`, `Before departure` |
 */
import { asciiDigits, normalized } from '../../core/clean-text.ts';
import { memoize } from '../../core/memoize.ts';
import { formatMoney, type Money } from '../../core/money.ts';
import { own } from '../../core/own.ts';
import { DAY_MS, HOUR_MS, instantOf } from '../../core/times.ts';
import { type FareRule, isPenalty, type PenaltyRule } from './fare.ts';

/** What a phrase says. A limit needs a number and a unit behind it: `more than 24 hours`. */
type WordSense =
  | 'refund'
  | 'refused'
  | 'free'
  | 'fee'
  | 'with_tax'
  | 'without_tax'
  | 'each_part'
  | 'before_departure'
  | 'more'
  | 'until'
  | 'less'
  | 'within'
  | 'hours'
  | 'days'
  | 'linking';

/** Phrases, as people write them: accents, capitals and signs do not count. Strings, since other letters would double a bundle's size. */
const PHRASES: Readonly<Record<WordSense, string>> = {
  refund:
    'refund, refunds, refundable, refunded, refundable fare, refundable ticket, fare is, ticket is, cancellation, cancellations, cancel, cancelled, can be, permitted, allowed, possible, any time, anytime, at any time, ' +
    'erstattung, erstattbar, rückerstattung, stornierung, storno, stornierbar, erlaubt, möglich, gestattet, jederzeit, ' +
    'remboursement, remboursable, billet remboursable, annulation, annulable, autorisé, autorisée, permis, permise, à tout moment, ' +
    'استرداد, الاسترداد, استرجاع, الاسترجاع, قابل للاسترداد, قابلة للاسترداد, قابل للاسترجاع, إلغاء, الإلغاء, مسموح, مسموح به, يسمح بالاسترداد, يسمح بالإلغاء, ممكن, متاح, في أي وقت, أي وقت',
  refused:
    'not permitted, not allowed, not possible, not refundable, non refundable, nonrefundable, non refundable fare, non refundable ticket, no refund, no refunds, no cancellation, cannot be refunded, cannot be cancelled, ' +
    'nicht erlaubt, nicht möglich, nicht gestattet, nicht erstattbar, nicht stornierbar, keine erstattung, ausgeschlossen, ' +
    'non remboursable, billet non remboursable, non autorisé, non autorisée, non permis, pas de remboursement, pas autorisé, ' +
    'غير مسموح, غير مسموح به, غير مسموحة, غير قابل للاسترداد, غير قابلة للاسترداد, غير مسترد, غير مستردة, لا يمكن الاسترداد, لا يسمح بالاسترداد, لا يوجد استرداد, بدون استرداد, غير ممكن',
  free:
    'free, free of charge, no fee, no fees, no cancellation fee, no refund fee, no charge, no penalty, without fee, without a fee, without charge, without penalty, full, fully, ' +
    'kostenlos, kostenlose, kostenfrei, kostenfreie, gebührenfrei, ohne gebühr, ohne gebühren, keine gebühr, voll, volle, vollständig, vollständige, ' +
    'gratuit, gratuite, gratuitement, sans frais, sans pénalité, intégral, intégrale, ' +
    'مجاني, مجانية, مجانا, بدون رسوم, دون رسوم, كامل, بالكامل',
  fee:
    'fee, fees, charge, charges, penalty, penalties, cancellation fee, cancellation penalty, refund fee, ' +
    'gebühr, gebühren, stornogebühr, stornierungsgebühr, entgelt, stornoentgelt, ' +
    "frais, pénalité, pénalités, frais d'annulation, frais de remboursement, " +
    'رسوم, رسم, برسوم, غرامة, رسوم الإلغاء, رسوم إلغاء, رسوم الاسترداد, رسوم استرداد',
  with_tax:
    'including tax, including vat, incl tax, incl vat, tax included, vat included, taxes included, inkl mwst, inklusive mwst, einschließlich mwst, ttc, tva incluse, taxes comprises, شامل الضريبة, شاملة الضريبة, شاملة ضريبة القيمة المضافة, شامل ضريبة القيمة المضافة',
  without_tax:
    'plus tax, plus vat, excluding vat, excl vat, zzgl mwst, zuzüglich mwst, hors tva, ht, غير شاملة الضريبة, بدون الضريبة',
  each_part:
    'per flight, per segment, per leg, per train, per sector, and segment, and leg, and flight, and train, ' +
    'pro flug, pro strecke, pro segment, je flug, je strecke, und strecke, und flug, und segment, ' +
    'par vol, par segment, par trajet, par train, et segment, et vol, et trajet, لكل قطاع, لكل رحلة, وقطاع, ورحلة, ولكل قطاع, ولكل رحلة',
  before_departure:
    'before departure, before the departure, prior to departure, prior departure, until departure, up to departure, before flight departure, before scheduled departure, of departure, to departure, ' +
    'vor abflug, vor dem abflug, vor abfahrt, vor der abfahrt, bis abflug, bis zum abflug, bis abfahrt, bis zur abfahrt, ' +
    "avant départ, avant le départ, avant le départ du vol, jusqu'au départ, avant le vol, " +
    'قبل المغادرة, قبل موعد المغادرة, قبل الإقلاع, قبل موعد الإقلاع, قبل الرحلة, قبل موعد الرحلة, حتى المغادرة, حتى موعد المغادرة, من المغادرة, من موعد المغادرة, من موعد الرحلة, من الإقلاع',
  more: 'more than, at least, over, mehr als, mindestens, plus de, au moins, أكثر من, بأكثر من, لأكثر من',
  until:
    "until, up to, till, no later than, not later than, bis, bis zu, spätestens, jusqu'à, au plus tard, حتى, قبل, بـ",
  less: 'less than, under, weniger als, moins de, أقل من, بأقل من',
  within: 'within, innerhalb von, dans les, خلال',
  hours: 'h, hr, hrs, hour, hours, std, stunde, stunden, heure, heures, ساعة, ساعات',
  days: 'day, days, tag, tage, tagen, jour, jours, يوم, يوما, أيام',
  linking:
    'the, a, an, of, with, for, in case of, is, are, and, will be, applies, apply, charged, deducted, per passenger, per person, per traveller, per pax, each passenger, ' +
    'eine, einer, ein, gegen, mit, von, ist, und, in höhe von, pro person, pro passagier, je person, je passagier, pro reisendem, ' +
    "avec, un, une, des, de, d', est, sont, et, moyennant, contre, par passager, par personne, " +
    'مع, مقابل, من, هو, هي, التذكرة, لكل راكب, لكل مسافر, لكل شخص, للراكب',
};

/** Names of a currency beside its code. */
const CURRENCY_NAMES: Readonly<Record<string, string>> = {
  SAR: 'sr, riyal, riyals, ريال, ريال سعودي, ريالا, ريالا سعوديا',
  EUR: '€, euro, euros, يورو',
  GBP: '£',
};

const LONGEST_TEXT = 400;
const LONGEST_PHRASE = 5;
const NUMBER = /^\d/;
const WHOLE_NUMBER = /^\d{1,4}$/;
const UNITS: Readonly<Partial<Record<WordSense, number>>> = { hours: HOUR_MS, days: DAY_MS };
/** Phrases that mean something only with a number. */
const NEEDS_NUMBER: ReadonlySet<WordSense> = new Set(['more', 'until', 'less', 'within', 'hours', 'days']);

let phrases: ReadonlyMap<string, WordSense> | undefined;

/** A row of fare rules: a penalty, what it keeps, and the part of the trip that it is for. */
export interface RuleRow {
  readonly rule: PenaltyRule;
  /** Tax included. */
  readonly kept: Money;
  /** Departure, as sent. Absent: no time in a text repeats the rule. */
  readonly departs?: string | undefined;
  /** How many segments one penalty is for. */
  readonly segments: number;
}

/** What a text says, as far as it is read. */
interface Said {
  readonly meanings: Set<WordSense>;
  /** The readings of each amount: `1,250` is 1250 or 1.25. */
  readonly amounts: (readonly number[])[];
  /** Milliseconds before departure from which, and until which, it speaks. */
  readonly earliest: number[];
  readonly latest: number[];
}

/** Whether a text of the airline only repeats its rule. */
export function repeatsRule(text: string, row: RuleRow): boolean {
  if (text.length > LONGEST_TEXT) return false;
  const said = readText(`${row.rule.base.currency} ${text}`);
  return said !== undefined && isTrue(said, row) && areTimesTrue(said, row);
}

/** Remembered: the fares and windows of one booking repeat a few texts. The currency is the first word. */
const readText = /* @__PURE__ */ memoize((keyed: string) => {
  const [currency = ''] = keyed.split(' ', 1);
  return readWords(wordsOf(keyed.slice(currency.length)), currency);
});

/** The rules of a fare, and the departures of its segments, as sent. */
interface Schedule {
  readonly rules: readonly FareRule[];
  readonly departures: readonly string[];
}

/**
 * Whether a text only lists the rules of its fare until departure, and after the word `change` those for a change, which no refund
 * depends on: `Refund: SAR 46.00 until 24 h before departure, not permitted until departure. Change: SAR 20.00 until departure`.
 */
export function repeatsSchedule(text: string, { rules, departures }: Schedule): boolean {
  const penalties = rules.filter(isPenalty);
  const words = wordsOf(text);
  const currencyWords = wordsForCurrency(penalties[0]?.base.currency ?? '');
  let isChange = false;
  let entries = 0;
  for (let at = words[0] === 'refund' ? 1 : 0; at < words.length; ) {
    if (words[at] === 'change') {
      isChange = true;
      at += 1;
      continue;
    }
    const entry = readEntry(words, at, currencyWords);
    if (entry === undefined || (!isChange && !penalties.some((rule) => isEntryOf(rule, entry, departures))))
      return false;
    entries += 1;
    at = entry.end;
  }
  return entries > 0;
}

/** `not permitted until 24 h before departure`. */
interface ScheduleEntry {
  /** The readings of what is kept; absent: not permitted. */
  readonly kept?: readonly number[];
  /** Milliseconds before departure. */
  readonly lead: number;
  /** The index behind it. */
  readonly end: number;
}

function readEntry(
  words: readonly string[],
  at: number,
  currencyWords: ReadonlySet<string>,
): ScheduleEntry | undefined {
  const said: Said = { meanings: new Set(), amounts: [], earliest: [], latest: [] };
  const phrase = phraseAt(words, at);
  const untilAt =
    readAmount(words, at, currencyWords, said) ?? (phrase?.meaning === 'refused' ? phrase.end : undefined);
  if (untilAt === undefined) return undefined;
  const [kept] = said.amounts;
  const limit = phraseAt(words, untilAt);
  if (limit?.meaning === 'before_departure') return { kept, lead: 0, end: limit.end };
  const unitEnd = readLimit(words, untilAt, said);
  const departure = unitEnd === undefined ? undefined : phraseAt(words, unitEnd);
  const [lead] = said.latest;
  return departure?.meaning === 'before_departure' && lead !== undefined
    ? { kept, lead, end: departure.end }
    : undefined;
}

function isEntryOf(rule: PenaltyRule, { kept, lead }: ScheduleEntry, departures: readonly string[]): boolean {
  const until = instantOf(rule.until);
  const endsThen = departures.some((departs) => until !== undefined && until === (instantOf(departs) ?? 0) - lead);
  const sums = [rule.total, rule.base].map((sum) => Number(formatMoney(sum)));
  return (
    endsThen && (kept === undefined ? !rule.refundable : rule.refundable && kept.some((sum) => sums.includes(sum)))
  );
}

function areTimesTrue({ earliest, latest }: Said, { rule, departs }: RuleRow): boolean {
  if (earliest.length + latest.length === 0) return true;
  const [departure = Number.NaN, from = Number.NaN, until = Number.NaN] = [departs, rule.from, rule.until].map(
    instantOf,
  );
  return earliest.every((lead) => from >= departure - lead) && latest.every((lead) => until <= departure - lead);
}

function isTrue({ meanings, amounts }: Said, { rule, kept, segments }: RuleRow): boolean {
  if (!rule.refundable) {
    const saysMoney = meanings.has('fee') || meanings.has('free') || amounts.length > 0;
    return !saysMoney && (meanings.has('refused') || !meanings.has('refund'));
  }
  if (meanings.has('refused') || (meanings.has('free') && kept.minor > 0)) return false;
  if (meanings.has('each_part') && segments > 1) return false;
  const sums = [...(meanings.has('without_tax') ? [] : [kept]), ...(meanings.has('with_tax') ? [] : [rule.base])].map(
    (sum) => Number(formatMoney(sum)),
  );
  if (!amounts.every((readings) => readings.some((reading) => sums.includes(reading)))) return false;
  return meanings.has('fee') ? kept.minor > 0 || amounts.length > 0 : amounts.length === 0;
}

function wordsForCurrency(currency: string): ReadonlySet<string> {
  return new Set(listed([currency, own(CURRENCY_NAMES, currency) ?? currency].join(', ')));
}

/** Reads all words. Undefined at the first that is not in the lists. */
function readWords(words: readonly string[], currency: string): Said | undefined {
  const said: Said = { meanings: new Set(), amounts: [], earliest: [], latest: [] };
  const currencyWords = wordsForCurrency(currency);
  for (let at = 0; at < words.length; ) {
    const next =
      readAmount(words, at, currencyWords, said) ?? readLimit(words, at, said) ?? readPhrase(words, at, said);
    if (next === undefined) return undefined;
    at = next;
  }
  return said;
}

/** Reads `sar 46.00` or `46.00 sar`. Returns the index behind it. */
function readAmount(
  words: readonly string[],
  at: number,
  currencyWords: ReadonlySet<string>,
  { amounts }: Said,
): number | undefined {
  const currencyEnd = (from: number) =>
    [from + 2, from + 1].find((end) => currencyWords.has(words.slice(from, end).join(' ')));
  const numberAt = currencyEnd(at) ?? at;
  const number = words[numberAt];
  const end = numberAt > at ? numberAt + 1 : currencyEnd(at + 1);
  if (number === undefined || end === undefined || !NUMBER.test(number)) return undefined;
  amounts.push(readingsOf(number));
  return end;
}

/** `1.250,50` is 1250.5; `1,250` is 1250 or 1.25. */
function readingsOf(number: string): readonly number[] {
  const digits = number.replace(/[.,]/g, '');
  const decimals = /[.,](\d+)$/.exec(number)?.[1] ?? '';
  return [Number(digits), Number(digits) / 10 ** decimals.length];
}

/** Reads `more than 24 hours`, or `until 24 hours` beside `before departure`. Returns the index behind it. */
function readLimit(words: readonly string[], at: number, { earliest, latest, meanings }: Said): number | undefined {
  const limit = phraseAt(words, at);
  const number = limit && words[limit.end];
  const unit = limit && phraseAt(words, limit.end + 1);
  if (limit === undefined || unit === undefined || !WHOLE_NUMBER.test(number ?? '')) return undefined;
  const unitMs = UNITS[unit.meaning];
  if (unitMs === undefined) return undefined;
  const lead = Number(number) * unitMs;
  const isBeforeDeparture =
    meanings.has('before_departure') || phraseAt(words, unit.end)?.meaning === 'before_departure';
  const { meaning } = limit;
  if (meaning === 'more' || (meaning === 'until' && isBeforeDeparture)) latest.push(lead);
  else if (meaning === 'less' || (meaning === 'within' && isBeforeDeparture)) earliest.push(lead);
  else return undefined;
  return unit.end;
}

function readPhrase(words: readonly string[], at: number, { meanings }: Said): number | undefined {
  const phrase = phraseAt(words, at);
  if (phrase === undefined || NEEDS_NUMBER.has(phrase.meaning)) return undefined;
  meanings.add(phrase.meaning);
  return phrase.end;
}

/** The longest phrase of the lists at this word. */
function phraseAt(
  words: readonly string[],
  at: number,
): { readonly meaning: WordSense; readonly end: number } | undefined {
  phrases ??= new Map(
    Object.entries(PHRASES).flatMap(([meaning, list]) => listed(list).map((phrase) => [phrase, meaning as WordSense])),
  );
  for (let end = Math.min(words.length, at + LONGEST_PHRASE); end > at; end--) {
    const meaning = phrases.get(words.slice(at, end).join(' '));
    if (meaning !== undefined) return { meaning, end };
  }
  return undefined;
}

/** The phrases of a list, in the form of {@link wordsOf}. */
function listed(list: string): readonly string[] {
  return list.split(', ').map((phrase) => wordsOf(phrase).join(' '));
}

/** Numbers, and words in small letters without marks, with one form of each Arabic letter: `24h` is `24` and `h`. */
function wordsOf(text: string): readonly string[] {
  const folded = asciiDigits(normalized(text, 'NFKD'))
    .toLowerCase()
    .replace(/[\p{M}\p{Lm}\p{Cf}]/gu, '')
    .replaceAll('\u0649', '\u064A')
    .replaceAll('\u0629', '\u0647')
    .replaceAll('\u00DF', 'ss');
  return folded.match(/\d+(?:[.,]\d+)*|\p{L}+|[\p{Sc}%]/gu) ?? [];
}
