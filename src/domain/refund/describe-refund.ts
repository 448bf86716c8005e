/** What a reader must know beside the sums of a refund: conditions in the airline's words, and what a sum rests on. */

import { quotedWords } from '../../core/clean-text.ts';
import { showMoney } from '../../core/money.ts';
import type { Assessment, PenaltyLine, RuleGap, TripPart } from './penalty-rules.ts';
import type { RefundAmount } from './refund-amount.ts';

/** Words of the airline on which a refund depends: they are quoted, and not understood. */
interface RefundCondition {
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

/** A condition as terms and the journal keep it: without names. */
export interface StatedCondition {
  /** Cleaned, and cut at a sentence. */
  readonly says: string;
  /** `1 child, train HHR202 JED → MED`, the part of the trip whose fare it belongs to; absent: all. */
  readonly whose?: string;
}

/** `The airline's condition for 1 child: “…”`. */
export function conditionSentence({ says, whose }: StatedCondition): string {
  return `The airline's condition${whose === undefined ? '' : ` for ${whose}`}: ${quotedWords(says)}`;
}

/**
 * Whether penalties were counted per person and segment. A reader must know that, because no published message shows a rule with its
 * penalty (docs/wire/notes.md, Money and rules).
 */
export function isCounted({ lines }: Pick<Assessment, 'lines'>, people: number): boolean {
  return people > 1 && lines.some(({ rule, penalty }) => rule.refundable && penalty.minor > 0);
}

/**
 * Why a sum is not known, and figures that differ, a sentence each.
 * @param label names some parts of the trip: `1 child, train HHR202 JED → MED`; empty for all
 */
export function refundDoubts(
  { lines, gaps, ...refund }: Assessment & RefundAmount,
  label: (parts: readonly TripPart[]) => string,
): readonly string[] {
  const differ = lines.filter(({ disagrees }) => disagrees).map(disagreement);
  return [...new Set([...gapSentences(gaps, label), ...differ, ...whyUnknown({ lines, gaps }, refund)])];
}

/** One sentence that says why there is no amount, where no missing rule is the reason; none if there is an amount. */
function whyUnknown({ lines, gaps }: Assessment, { amount, bounds, overPrice }: RefundAmount): readonly string[] {
  if (amount !== undefined || lines.length === 0) return [];
  if (bounds === undefined) return ['What was paid in its currency is not known, so no amount is estimated.'];
  if (gaps.length > 0) return [];
  return overPrice
    ? ['A penalty is more than the price of its part, so the amount is not known.']
    : ['The price is not split by segment and passenger, so the amount is not known.'];
}

function disagreement({ rule, each }: PenaltyLine): string {
  const [base, tax, total] = [rule.base, rule.tax, rule.total].map(showMoney);
  return `The airline's figures differ: base ${base}, tax ${tax}, total ${total}. ${showMoney(each)} counts.`;
}

/** One sentence for all parts that lack a rule for the same reason. */
export function gapSentences(
  gaps: readonly RuleGap[],
  label: (parts: readonly TripPart[]) => string,
): readonly string[] {
  const groups = Map.groupBy(gaps, ({ why }) => why);
  return [...groups].map(([why, parts]) => gapSentence(why, label(parts)));
}

function gapSentence(why: RuleGap['why'], label: string): string {
  const forParts = label === '' ? '' : ` for ${label}`;
  switch (why) {
    case 'in_words':
      return `The airline sent the refund rule${forParts} as text only.`;
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
