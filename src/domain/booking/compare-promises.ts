/**
 * Finds what changed, from one reading of a booking to the next, of what an airline promises beside flights and price: rules, the
 * limit for cancelling each flight, and baggage. Where flights, passengers or money changed, all of these may be others.
 *
 * `expected` and `known` are the two readings, as in compare-readings.ts.
 */
import { instantOf } from '../../core/times.ts';
import { otherRuleInWords } from '../pricing/rules-in-force.ts';
import { type Difference, findingSegment, runningPairs } from './compare-segments.ts';
import type { KeptReading } from './kept-reading.ts';
import { type EarlierSegments, isSameTime } from './pair-readings.ts';

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
  return runningPairs(expected, known, earlierSegments).flatMap(({ was, now }): Difference[] => {
    const [before, after] = [was.cancelUntil, now.cancelUntil];
    if (before === undefined || after === undefined || isSameTime(before, after)) return [];
    const isOfBooking = before === expected.cancelUntil || (instantOf(before) ?? 0) <= known.at;
    if (isOfBooking) return [];
    const departsAt = instantOf(now.departs);
    const deadlines = [{ what: 'cancel_until' as const, before, after }];
    return [{ kind: 'deadline_moved', segment: findingSegment(was), departsAt, deadlines }];
  });
}

/** Finds another allowance in the place of one. It is a part of the fare. */
function baggageChanges({ baggage }: KeptReading, known: KeptReading): readonly Difference[] {
  if (baggage === undefined || known.baggage === undefined || baggage === known.baggage) return [];
  const facts = (fare: string) => ({ fare, detail: 'baggage' });
  return [{ kind: 'fare_changed', before: facts(baggage), after: facts(known.baggage) }];
}
