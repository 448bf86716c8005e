/**
 * Describes penalties and refunds in words: equal penalties once, with one sum for the booking. `rulesText` describes the
 * rules alone, `refundSentences` an estimate with its doubts, `laterSentences` a later window; `wordedRules` and
 * `refundDoubts` give what a person reads beside figures that are shown elsewhere.
 */

import { airlineWords, quotedWords } from '../../core/clean-text.ts';
import { type Money, showMoney, sumMoney } from '../../core/money.ts';
import { capitalized, listed } from '../../core/words.ts';
import { countType } from '../booking/status-codes.ts';
import { type Assessment, distinctSegments, type PenaltyLine, type RuleGap, type TripPart } from './penalty-rules.ts';
import type { RefundAmount } from './refund-amount.ts';

/** Stands with an amount where there is no room for the airline's words. */
export const ON_CONDITION = "on the airline's conditions";

/** One sentence quotes at most so many texts of the airline. */
const MOST_TEXTS = 3;
/** So many conditions are quoted beside a refund in a question, and kept with an operation. */
const MOST_CONDITIONS = 6;

/** Whether sentences quote the airline's words: not where a field of their own shows them. */
type Quoting = 'with_quotes' | 'without_quotes';

/** The airline's words of the applied rules that may hold a condition besides the figures, as sent, each once. */
export function conditionsIn({ lines }: Pick<Assessment, 'lines'>): readonly string[] {
  return [...new Set(lines.flatMap(({ conditions = [] }) => conditions))];
}

/** Words of the airline on which a refund depends: they are quoted, and not understood. */
export interface RefundCondition {
  /** As sent. */
  readonly words: string;
  /** Whose fares they belong to. */
  readonly parts: readonly TripPart[];
}

/** The conditions of a refund, and the rules that are only text, each once with all the parts of the trip that it is for. */
export function refundConditions({ lines, gaps }: Assessment): readonly RefundCondition[] {
  const said = [
    ...gaps.flatMap((part) => (part.words ?? []).map((words) => ({ words, part }))),
    ...lines.flatMap((part) => (part.conditions ?? []).map((words) => ({ words, part }))),
  ];
  return [...Map.groupBy(said, ({ words }) => words)].map(([words, same]) => ({
    words,
    parts: same.map(({ part }) => part),
  }));
}

/** A condition as the journal keeps it. */
export interface StatedCondition {
  /** Cleaned, and cut at a sentence. */
  readonly says: string;
  /** `1 child, segment 2`, the part of the trip whose fare it belongs to; absent: all. */
  readonly whose?: string;
}

/** The conditions of an estimate without names, for the journal and for terms. */
export function statedConditions(assessment: Assessment): readonly StatedCondition[] {
  const allParts: readonly TripPart[] = [...assessment.lines, ...assessment.gaps];
  return refundConditions(assessment).flatMap(({ words, parts }): StatedCondition[] => {
    const says = airlineWords(words);
    const whose = labelParts(parts, allParts);
    if (says === '') return [];
    return [whose === '' ? { says } : { says, whose }];
  });
}

/** Of {@link statedConditions} as many as one refund shows. */
export function shownConditions(assessment: Assessment): readonly StatedCondition[] {
  return statedConditions(assessment).slice(0, MOST_CONDITIONS);
}

/** A sentence for each condition of rules with figures, and how many more there are. */
function quotedConditions({ lines, gaps }: Assessment): readonly string[] {
  const withoutWords = gaps.map((gap) => ({ ...gap, words: undefined }));
  const conditions = statedConditions({ lines, gaps: withoutWords });
  const more = conditions.length - MOST_CONDITIONS;
  return [
    ...conditions.slice(0, MOST_CONDITIONS).map(conditionSentence),
    ...(more > 0 ? [`The airline states ${more} more in words: ask it.`] : []),
  ];
}

/** `The airline's condition for 1 child: “…”`. */
export function conditionSentence({ says, whose }: StatedCondition): string {
  return `The airline's condition${whose === undefined ? '' : ` for ${whose}`}: ${quotedWords(says)}`;
}

/** The rules in force. Equal texts mean equal rules. */
export function rulesText({ lines, gaps }: Assessment, quoting: Quoting = 'with_quotes'): string {
  const allParts: readonly TripPart[] = [...lines, ...gaps];
  return [
    ...penaltySentences(lines, allParts),
    ...new Set(lines.filter(({ disagrees }) => disagrees).map(disagreement)),
    ...gapSentences(gaps, (trip) => labelParts(trip, allParts), quoting),
  ].join(' ');
}

/** What the airline keeps: in one sentence if it is the same for the whole trip, else by passengers and segments. */
function penaltySentences(lines: readonly PenaltyLine[], allParts: readonly TripPart[]): readonly string[] {
  const groups = samePenalties(lines).map(({ line, parts }) => ({ line, label: labelParts(parts, allParts) }));
  const [first] = groups;
  if (first === undefined) return [];
  if (groups.length === 1 && first.label === '') return [wholeTripSentence(first.line, lines)];
  return [`${capitalized(groups.map(groupText).join('; '))}.`, ...sumSentence(lines)];
}

/** The rules that are only text, and the conditions in words of those with figures. */
export function wordedRules({ lines, gaps }: Assessment): readonly string[] {
  const allParts: readonly TripPart[] = [...lines, ...gaps];
  const worded = gaps.filter(({ words }) => words !== undefined);
  return [...gapSentences(worded, (trip) => labelParts(trip, allParts)), ...quotedConditions({ lines, gaps })];
}

/** The rules in force, how they were counted, and why there is no amount. */
export function refundSentences(
  assessment: Assessment,
  people: number,
  refund: RefundAmount,
  quoting: Quoting = 'with_quotes',
): string {
  return [
    rulesText(assessment, quoting),
    ...countedSentence(assessment, people),
    ...whyUnknown(assessment, refund),
  ].join(' ');
}

/** What a reader must know of an amount: figures that differ, and why there is no amount. */
export function refundDoubts(estimate: Assessment & RefundAmount): readonly string[] {
  const differ = estimate.lines.filter(({ disagrees }) => disagrees).map(disagreement);
  return [...new Set([...differ, ...whyUnknown(estimate, estimate)])];
}

/**
 * One sentence that says how penalties were counted; none if nothing is kept, or only one person travels. People must
 * know it, because no published message shows a rule with its penalty (docs/wire/notes.md, Money and rules).
 */
export function countedSentence({ lines }: Pick<Assessment, 'lines'>, people: number): readonly string[] {
  const charged = lines.some(({ rule, penalty }) => rule.refundable && penalty.minor > 0);
  return people > 1 && charged ? ['Counted per person and segment.'] : [];
}

/** The rules of a later window, their conditions, and what comes back then. */
export function laterSentences(assessment: Assessment, { amount, bounds }: RefundAmount): string {
  const rules = [rulesText(assessment), ...quotedConditions(assessment)].join(' ');
  if (amount !== undefined) return `${rules} ${showMoney(amount)} comes back then.`;
  if (bounds === undefined) return rules;
  return `${rules} Between ${showMoney(bounds.atLeast)} and ${showMoney(bounds.atMost)} comes back then.`;
}

/** One sentence that says why there is no amount although all rules are known; none if there is an amount. */
function whyUnknown({ lines, gaps }: Assessment, { amount, bounds, overPrice }: RefundAmount): readonly string[] {
  if (amount !== undefined || gaps.length > 0 || lines.length === 0) return [];
  if (bounds === undefined) return ['What was paid in its currency is not known, so no amount is estimated.'];
  return overPrice
    ? ['A penalty is more than the price of its part, so the amount is not known.']
    : ['The price is not split by segment and passenger, so the amount is not known.'];
}

/** Lines with the same penalty, for passengers who pay it on the same segments. `line` is any of them. */
interface SamePenalty {
  readonly line: PenaltyLine;
  readonly parts: readonly TripPart[];
}

/**
 * Groups lines by their penalty, and within it the passenger types that pay it on the same segments: adults who pay on
 * segments 1 and 2 and children who pay on segment 1 are two groups, or the text would name a wrong pair.
 */
function samePenalties(lines: readonly PenaltyLine[]): readonly SamePenalty[] {
  const penalty = ({ rule, each, tax }: PenaltyLine) =>
    rule.refundable ? [each.minor, each.currency, tax.minor > 0].join(' ') : 'lost';
  return [...Map.groupBy(lines, penalty).values()].flatMap((withPenalty) => {
    // `1 2` for adults who pay on segments 1 and 2: types with the same text are one group.
    const byType = Map.groupBy(withPenalty, ({ type }) => type);
    const segmentsOfType = ({ type }: PenaltyLine) =>
      (byType.get(type) ?? []).flatMap(({ segmentRefs }) => segmentRefs).join(' ');
    const bySegments = Map.groupBy(withPenalty, segmentsOfType);
    return [...bySegments.values()].flatMap((parts) => (parts[0] ? [{ line: parts[0], parts }] : []));
  });
}

/** The passengers and segments concerned; empty if these are all. */
function labelParts(parts: readonly TripPart[], allParts: readonly TripPart[]): string {
  const types = countTypes(parts);
  const refs = distinctSegments(parts);
  return [
    types.length < countTypes(allParts).length ? listed(types) : '',
    refs.length < distinctSegments(allParts).length
      ? `${refs.length === 1 ? 'segment' : 'segments'} ${listed(refs)}`
      : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function countTypes(parts: readonly TripPart[]): readonly string[] {
  return [...new Set(parts.map(({ type, passengers }) => countType(type, passengers)))];
}

function groupText({ line, label }: { readonly line: PenaltyLine; readonly label: string }): string {
  if (!line.rule.refundable) return `${label}: not refundable`;
  if (line.each.minor > 0) return `${label}: ${eachText(line)}`;
  return `${label}: ${line.conditions === undefined ? 'free' : 'nothing is kept'}`;
}

/** `SAR 46.00 per person and segment, tax included`. */
function eachText({ each, tax, segmentRefs }: PenaltyLine): string {
  const per = segmentRefs.length > 1 ? 'per person and fare' : 'per person and segment';
  return `${showMoney(each)} ${per}${tax.minor > 0 ? ', tax included' : ''}`;
}

/** For a trip that has one penalty. */
function wholeTripSentence(line: PenaltyLine, lines: readonly PenaltyLine[]): string {
  if (!line.rule.refundable) return 'Not refundable.';
  if (line.each.minor === 0) {
    return lines.some(({ conditions }) => conditions) ? 'The airline keeps nothing.' : 'Free cancellation.';
  }
  if (lines.length === 1 && line.passengers === 1) {
    return `The airline keeps ${showMoney(line.each)}${line.tax.minor > 0 ? ', tax included' : ''}.`;
  }
  const sum = keptInAll(lines);
  return `The airline keeps ${eachText(line)}${sum === undefined ? '' : `: ${showMoney(sum)} in all`}.`;
}

/** The sum of several penalties; none if it is zero, or for one passenger and one part. */
function sumSentence(lines: readonly PenaltyLine[]): readonly string[] {
  const sum = keptInAll(lines);
  const charges = lines.filter(({ rule }) => rule.refundable).reduce((count, { passengers }) => count + passengers, 0);
  return sum === undefined || sum.minor === 0 || charges < 2 ? [] : [`The airline keeps ${showMoney(sum)} in all.`];
}

function keptInAll(lines: readonly PenaltyLine[]): Money | undefined {
  return sumMoney(lines.filter(({ rule }) => rule.refundable).map(({ penalty }) => penalty));
}

function disagreement({ rule, each }: PenaltyLine): string {
  const [base, tax, total] = [rule.base, rule.tax, rule.total].map(showMoney);
  return `The airline's figures differ: base ${base}, tax ${tax}, total ${total}. ${showMoney(each)} counts.`;
}

/**
 * One sentence for all parts that lack a rule for the same reason. `label` names the parts, as {@link labelParts} does
 * (`2 adults, segment 1`) or by the passengers' names (tools/views/refund-data.ts). An empty label means all parts.
 */
export function gapSentences(
  gaps: readonly RuleGap[],
  label: (parts: readonly RuleGap[]) => string,
  quoting: Quoting = 'with_quotes',
): readonly string[] {
  const groups = Map.groupBy(gaps, ({ why, words }) => JSON.stringify([why, words]));
  const texts = [...groups.values()].flatMap((group) =>
    group[0] ? [gapSentence(group[0], label(group), quoting)] : [],
  );
  return [...new Set(texts)];
}

function gapSentence({ why, words = [] }: RuleGap, label: string, quoting: Quoting): string {
  const forParts = label === '' ? '' : ` for ${label}`;
  const quotes = quoting === 'with_quotes' ? words.slice(0, MOST_TEXTS).map(quotedWords) : [];
  switch (why) {
    case 'in_words':
      return `The airline sent the refund rule${forParts} as text only${quotes.length > 0 ? `: ${quotes.join(' ')}` : ''}.`;
    case 'not_placed':
      return `The airline does not say which refund rule is for ${label === '' ? 'which segment' : label}.`;
    case 'not_in_force':
      return `No refund rule is in force${forParts}.`;
    case 'unclear':
      return `The refund rules${forParts} are unclear.`;
    default:
      return `The airline sent no refund rule${forParts}.`;
  }
}
