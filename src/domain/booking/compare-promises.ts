/**
 * Finds what changed, from one reading of a booking to the next, of what an airline promises beside flights and price: rules, the
 * limit for cancelling each flight, and baggage. Where flights, passengers or money changed, all of these may be others.
 *
 * `expected` and `known` are the two readings, as in compare-readings.ts.
 */
import { instantOf } from '../../core/times.ts';
import type { Difference } from '../facts/difference.ts';
import { findingSegment } from '../facts/flight-changes.ts';
import type { KeptSegment } from '../facts/flight-rows.ts';
import type { EarlierSegments } from '../facts/pair.ts';
import { type RunningPair, runningPairs } from '../facts/ticket-changes.ts';
import { isSameTime } from '../facts/values.ts';
import { chosenRules, type KeptRuleWords, otherRuleInWords } from '../pricing/rules-in-force.ts';
import type { KeptReading } from './kept-reading.ts';
import type { Remainder } from './operation-effects.ts';

export function promiseChanges(
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): readonly Difference[] {
  return [
    ...ruleChanges(expected, known),
    ...limitChanges(expected, known, earlierSegments),
    ...baggageChanges(expected, known),
  ];
}

/**
 * Finds what an operation of ours did not say: other rules and limits of flights that it does not touch, and an allowance that neither
 * the booking nor the offer had. What is new has none before. A rule that is left out is none here: whom it was for may be gone.
 */
export function keptPromiseChanges(
  { baggage }: Remainder,
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): readonly Difference[] {
  const kept = runningPairs(expected, known, earlierSegments);
  const [rule] = kept.flatMap((pair) => keptRuleChange(pair, expected, known) ?? []);
  return [
    ...(rule === undefined ? [] : [rule]),
    ...kept.flatMap((pair) => otherLimit(pair, known.at) ?? []),
    ...(baggage === undefined || isAmong(known.baggage, [expected.baggage, ...baggage])
      ? []
      : baggageChanges(expected, known)),
  ];
}

/** Whether each part of an allowance is one of others: that of a flight that stays, or of a new one. */
function isAmong(baggage: string | undefined, others: readonly (string | undefined)[]): boolean {
  const parts = (text = '') => text.split(', ');
  const known = others.flatMap(parts);
  return parts(baggage).every((part) => known.includes(part));
}

/** Finds a refund rule, or a text of one, that a flight did not have. */
function keptRuleChange({ was, now }: RunningPair, expected: KeptReading, known: KeptReading): Difference | undefined {
  if (now.rules?.some((rule) => was.rules?.includes(rule) === false) !== true) return undefined;
  const own = (kept: KeptRuleWords | undefined, { rules = [] }: KeptSegment) => kept && chosenRules(kept, rules);
  const other =
    otherRuleInWords(own(expected.rules, was), own(known.rules, now), known.at) ??
    otherRuleInWords(own(expected.ruleTexts, was), own(known.ruleTexts, now), known.at);
  return other && { kind: 'refund_rule_changed', before: { rule: other.before }, after: { rule: other.after } };
}

/** Finds another rule in the place of one, for refunds or changes. A text that a flight leaves out is none; a new one is. */
function ruleChanges({ rules, ruleTexts, changeRules }: KeptReading, known: KeptReading): readonly Difference[] {
  const { at } = known;
  const hasNewText = known.ruleTexts?.rules.some((text) => ruleTexts?.rules.includes(text) === false);
  const otherText = hasNewText ? otherRuleInWords(ruleTexts, known.ruleTexts, at) : undefined;
  const other = otherRuleInWords(rules, known.rules, at) ?? otherText;
  const found = [
    ['refund_rule_changed', other],
    ['change_rule_changed', otherRuleInWords(changeRules, known.changeRules, at)],
  ] as const;
  return found.flatMap(([kind, is]): readonly Difference[] =>
    is === undefined ? [] : [{ kind, before: { rule: is.before }, after: { rule: is.after } }],
  );
}

/** Finds flights that can be cancelled until another time than before. The first limit of all is that of the booking. */
function limitChanges(
  expected: KeptReading,
  known: KeptReading,
  earlierSegments: EarlierSegments,
): readonly Difference[] {
  const pairs = runningPairs(expected, known, earlierSegments);
  return pairs.flatMap((pair) =>
    pair.was.cancelUntil === expected.cancelUntil ? [] : (otherLimit(pair, known.at) ?? []),
  );
}

function otherLimit({ was, now }: RunningPair, at: number): Difference | undefined {
  const [before, after] = [was.cancelUntil, now.cancelUntil];
  if (before === undefined || after === undefined || isSameTime(before, after)) return undefined;
  if ((instantOf(before) ?? 0) <= at) return undefined;
  const departsAt = instantOf(now.departs);
  const deadlines = [{ what: 'cancel_until' as const, before, after }];
  return { kind: 'deadline_moved', segment: findingSegment(was), departsAt, deadlines };
}

/** Finds another allowance in the place of one. It is a part of the fare. */
function baggageChanges({ baggage }: KeptReading, known: KeptReading): readonly Difference[] {
  if (baggage === undefined || known.baggage === undefined || baggage === known.baggage) return [];
  const facts = (fare: string) => ({ fare, detail: 'baggage' });
  return [{ kind: 'fare_changed', before: facts(baggage), after: facts(known.baggage) }];
}
