/**
 * Finds what changed, from one reading of a booking to the next, of what an airline promises beside flights and price: rules, the
 * limit for cancelling each flight, and baggage. Where flights, passengers or money changed, all of these may be others.
 */
import { instantOf } from '../../core/times.ts';
import { chosenRules } from '../refund/rules-in-force.ts';
import {
  BAGGAGE,
  type BookingRow,
  CANCEL_LIMIT,
  CHANGE_RULE,
  limitsSaid,
  otherKept,
  otherSaid,
  REFUND_RULE,
  RULE_TEXT,
  saidInWords,
} from './booking-rows.ts';
import type { Difference, PairedReadings, RunningPair } from './difference.ts';
import { findingSegment } from './flight-changes.ts';
import type { KeptSegment } from './flight-rows.ts';
import type { KeptReading } from './kept-reading.ts';
import type { Remainder } from './touches.ts';

export function promiseChanges(readings: PairedReadings): readonly Difference[] {
  const { expected, known } = readings;
  return [...ruleChanges(expected, known), ...limitChanges(readings), ...baggageChanges(expected, known)];
}

/**
 * Finds what an operation of ours did not say: other rules and limits of flights that it does not touch, and an allowance that neither
 * the booking nor the offer had. What is new has none before. A rule that is left out is none here: whom it was for may be gone.
 */
export function keptPromiseChanges(
  { baggage }: Remainder,
  { expected, known, running }: PairedReadings,
): readonly Difference[] {
  const [rule] = running.flatMap((pair) => keptRuleChange(pair, expected, known) ?? []);
  const limits = running.flatMap((pair) => otherLimit(pair, known.at) ?? []);
  const changes = rule === undefined ? limits : [rule, ...limits];

  const isKnownBaggage = baggage === undefined || isAmong(known.baggage, [expected.baggage, ...baggage]);
  return isKnownBaggage ? changes : [...changes, ...baggageChanges(expected, known)];
}

/** Whether each part of an allowance is one of others: that of a flight that stays, or of a new one. */
function isAmong(baggage: string | undefined, others: readonly (string | undefined)[]): boolean {
  const parts = (text = '') => text.split(', ');
  const known = others.flatMap(parts);
  return parts(baggage).every((part) => known.some((other) => BAGGAGE.same(part, other)));
}

/** Finds a refund rule, or a text of one, that a flight did not have. */
function keptRuleChange({ was, now }: RunningPair, expected: KeptReading, known: KeptReading): Difference | undefined {
  if (now.rules?.some((rule) => was.rules?.includes(rule) === false) !== true) return undefined;

  const own = ({ rules, ruleTexts, ...reading }: KeptReading, { rules: its = [] }: KeptSegment): KeptReading => ({
    ...reading,
    rules: rules && chosenRules(rules, its),
    ruleTexts: ruleTexts && chosenRules(ruleTexts, its),
  });

  const before = own(expected, was);
  const after = own(known, now);
  return ruleChange(REFUND_RULE, before, after) ?? ruleChange(RULE_TEXT, before, after);
}

/** Finds another rule in the place of one, for refunds or changes. A text that a flight leaves out is none; a new one is. */
function ruleChanges(expected: KeptReading, known: KeptReading): readonly Difference[] {
  const { rules: texts = [] } = expected.ruleTexts ?? {};
  const hasNewText = known.ruleTexts?.rules.some((text) => !texts.includes(text)) === true;
  const ofText = hasNewText ? ruleChange(RULE_TEXT, expected, known) : undefined;
  const found = [ruleChange(REFUND_RULE, expected, known) ?? ofText, ruleChange(CHANGE_RULE, expected, known)];
  return found.filter((change) => change !== undefined);
}

function ruleChange(row: BookingRow, expected: KeptReading, known: KeptReading): Difference | undefined {
  const other = otherKept(row, expected, known);
  if (other === undefined) return undefined;

  const before = saidInWords(row, other.was) ?? '';
  const after = saidInWords(row, other.is) ?? '';
  return { kind: row.kind, before: { rule: before }, after: { rule: after } };
}

/** Finds flights that can be cancelled until another time than before. The first limit of all is that of the booking. */
function limitChanges({ expected, known, running }: PairedReadings): readonly Difference[] {
  return running.flatMap((pair) =>
    pair.was.cancelUntil === expected.cancelUntil ? [] : (otherLimit(pair, known.at) ?? []),
  );
}

function otherLimit({ was, now }: RunningPair, at: number): Difference | undefined {
  const before = was.cancelUntil;
  const after = now.cancelUntil;
  if (before === undefined || after === undefined || before === after) return undefined;
  if (otherSaid(CANCEL_LIMIT, limitsSaid([before]), limitsSaid([after]), at) === undefined) return undefined;

  const departsAt = instantOf(now.departs);
  const deadlines = [{ what: 'cancel_until' as const, before, after }];
  return { kind: 'deadline_moved', segment: findingSegment(was), departsAt, deadlines };
}

/** Finds another allowance in the place of one. It is a part of the fare. */
function baggageChanges(expected: KeptReading, known: KeptReading): readonly Difference[] {
  if (otherKept(BAGGAGE, expected, known) === undefined) return [];
  const facts = ({ baggage }: KeptReading) => ({ fare: baggage ?? '', detail: 'baggage' });
  return [{ kind: BAGGAGE.kind, before: facts(expected), after: facts(known) }];
}
