/** Prices and penalty rules as data: decimal strings, and local times of the rules. */

import { cleanCode, MOST_WORDS, plainText } from '../../core/clean-text.ts';
import { formatMoney, parseMoney, sameMoney, sumMoney } from '../../core/money.ts';
import { asUtc, earliestTime, localMinute, utcText } from '../../core/times.ts';
import type { Booking, Segment } from '../../domain/booking/booking.ts';
import { activeOptions, optionsWith } from '../../domain/booking/booking.ts';
import { hasPassed } from '../../domain/booking/booking-state.ts';
import { bookingDeadlines, type Deadlines } from '../../domain/booking/deadlines.ts';
import {
  type FareRule,
  isPenalty,
  type PenaltyRule,
  type Price,
  type PriceLine,
  ruleWords,
  type TypePrice,
  totalsByType,
} from '../../domain/booking/fare.ts';
import { fareUnits } from '../../domain/refund/fare-units.ts';
import { keptBy } from '../../domain/refund/penalty-rules.ts';
import { feeInWords } from '../../domain/refund/rule-words.ts';
import { cancellingEnds } from '../../domain/refund/rules-in-force.ts';
import { filled } from '../definition/field-notes.ts';
import type { BookingView, RuleView } from './booking-schema.ts';

export function viewLine(line: PriceLine): { kind: string; code: string; amount: string; vat?: string } {
  return {
    kind: line.kind,
    code: cleanCode(line.code),
    amount: formatMoney(line.amount),
    vat: line.vatHundredths === undefined ? undefined : percentText(line.vatHundredths),
  };
}

/** One row for each passenger type, even if the airline sends several. */
export function viewPerType(
  rows: readonly TypePrice[],
  party: Readonly<Record<string, number>>,
): { type: string; count: number; total: string }[] {
  return totalsByType(rows, party).map(({ type, count, total }) => ({
    type: cleanCode(type),
    count,
    total: formatMoney(total),
  }));
}

export function viewParts({ base, taxes, fees }: Price) {
  return { base: formatMoney(base), taxes: formatMoney(taxes), fees: formatMoney(fees) };
}

/** The parts of the price; rows by type that do not add up to the total are left out (docs/wire/notes.md, Fares and prices). */
export function viewPrice(booking: Booking): BookingView['price'] {
  const { total: price, perType = [] } = booking.pricing ?? {};
  if (price === undefined) return undefined;

  const rowsTotal = sumMoney(totalsByType(perType).map(({ total }) => total));
  return {
    ...viewParts(price),
    per_type: sameMoney(rowsTotal, price.total) ? viewPerType(perType, countByType(booking)) : undefined,
    lines: filled(price.lines.map(viewLine)),
  };
}

function countByType({ travelers }: Booking): Readonly<Record<string, number>> {
  const byType = Map.groupBy(travelers, ({ type }) => type);
  return Object.fromEntries([...byType].map(([type, ofType]) => [type, ofType.length]));
}

/** The rule's whole text in English, or else in any other language. */
function wordsOf(rule: FareRule): string | undefined {
  const words = ruleWords(rule);
  return words === undefined ? undefined : plainText(words, MOST_WORDS);
}

/**
 * The refund rules, each until cancelling its segments ends, then the change rules. Equal rules are one, with the times and segments
 * that it holds for. `near`: a departure, whose offset gives local times.
 *
 * From the airline, a rule for each type and fare:  keeps 46 | ADT | segment 1 | until 12:25
 *                                                   keeps 46 | CHD | segment 1 | until 12:25
 *                                                   keeps 46 | ADT | segment 2 | until 12:25
 * One row for equal figures and times:              keeps 46 | ADT | holds: segments 1 and 2 until 12:25
 *                                                   keeps 46 | CHD | holds: segment 1 until 12:25
 */
export function viewRules(booking: Booking, near: string | undefined, now: number): RuleView[] {
  const rules = singleRules(booking, near, now);
  const ofTypes = groupEqual(rules, ({ figures, passengerType }) => [figures, passengerType]).map((sameType) => ({
    ...sameType[0],
    holds: joinSpans(sameType.map(({ span }) => span)),
  }));

  return groupEqual(ofTypes, ({ figures, holds }) => [figures, holds]).map((sameRule) => ({
    ...sameRule[0].figures,
    passenger_types: sameRule.map(({ passengerType }) => passengerType),
    holds: sameRule[0].holds,
  }));
}

/** A rule as the airline sends it: figures for one passenger type and the segments of one fare. */
interface SingleRule {
  readonly figures: Omit<RuleView, 'passenger_types' | 'holds'>;
  readonly passengerType: string;
  readonly span: RuleView['holds'][number];
}

/** Joins the segments of each time. A rule whose segments are not known is not joined with one whose are. */
function joinSpans(spans: readonly SingleRule['span'][]): RuleView['holds'] {
  const sameTimes = groupEqual(spans, ({ segment_refs: refs, from, until }) => [from, until, refs === undefined]);
  return sameTimes.map((same) => {
    const refs = new Set(same.flatMap((span) => span.segment_refs ?? []));
    return { ...same[0], segment_refs: filled([...refs]) };
  });
}

/** Groups items whose keys are equal as JSON. */
export function groupEqual<T>(items: readonly T[], key: (item: T) => unknown): readonly [T, ...T[]][] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(key(item)));
  return [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others]]));
}

function singleRules(booking: Booking, near: string | undefined, now: number): SingleRule[] {
  const { units } = fareUnits(booking, booking.options);
  const fares = (booking.pricing?.fares ?? []).map((fare) => ({
    ...fare,
    // Not by airports: a trip can fly the same pair twice.
    segments: units.find((unit) => unit.fares.includes(fare))?.segments,
  }));
  const times = { near, now };

  return [
    ...fares.flatMap(({ refundRules, segments }) =>
      rulesOnSegments('refund', refundRules, { ...times, segments, ends: cancellingEnd(booking, segments) }),
    ),
    ...fares.flatMap(({ changeRules, segments }) =>
      rulesOnSegments('change', changeRules, { ...times, segments, ends: undefined }),
    ),
  ];
}

interface RuleTimes {
  readonly segments: readonly Segment[] | undefined;
  /** When every rule ends at the latest, UTC. */
  readonly ends: string | undefined;
  readonly near: string | undefined;
  readonly now: number;
}

/** The rules of one fare that hold at any time. A rule whose beginning is past has none. */
function rulesOnSegments(
  kind: RuleView['kind'],
  rules: readonly FareRule[],
  { segments, ends, near, now }: RuleTimes,
): SingleRule[] {
  return rules.flatMap((rule) => {
    const from = asUtc(rule.from);
    const until = asUtc(earliestTime([rule.until, ends]));
    if (from !== undefined && until !== undefined && from >= until) return [];

    const penalty = isPenalty(rule) ? viewPenalty(rule) : { refundable: rule.refundable };
    return {
      figures: { kind, ...penalty, text: wordsOf(rule) },
      passengerType: cleanCode(rule.passengerType),
      span: {
        segment_refs: segments?.map(({ ref }) => ref),
        from: from === undefined || hasPassed(from, now) ? undefined : localMinute(from, near),
        until: until && localMinute(until, near),
      },
    };
  });
}

/** When cancelling these segments for everybody ends, UTC; undefined if that is not known. */
function cancellingEnd(booking: Booking, segments: readonly Segment[] | undefined): string | undefined {
  if (segments === undefined) return undefined;
  const options = optionsWith(booking, segments);
  const ends = cancellingEnds(booking, { options, travelers: booking.travelers });
  return ends === undefined ? undefined : utcText(ends);
}

/** The deadlines as sent, except that cancelling ends only once everything has departed and the last rule is over. */
export function shownDeadlines(booking: Booking): Deadlines {
  const sent = bookingDeadlines(booking);
  const active = activeOptions(booking).flatMap(({ segments }) => segments);
  const running = active.filter(({ owed }) => owed === undefined);
  // What the airline cancelled itself has no limit.
  if (running.length === 0 && active.length > 0) return { ...sent, cancelUntil: undefined };
  return { ...sent, cancelUntil: cancellingEnd(booking, running) ?? sent.cancelUntil };
}

function viewPenalty(rule: PenaltyRule): Partial<RuleView> {
  // Without a refund, the sum that is kept is not a penalty.
  if (!rule.refundable) return { refundable: false };

  const kept = keptBy(rule);
  return {
    refundable: true,
    currency: rule.total.currency,
    base: formatMoney(rule.base),
    tax: formatMoney(kept?.tax ?? rule.tax),
    total: formatMoney(kept?.total ?? rule.total),
    vat_percent: percentText(rule.vatHundredths),
  };
}

/** What a rule keeps or asks for, in words. `per`: ` per person and segment`. */
export function ruleText({ kind, refundable, currency = '', total, tax, text }: RuleView, per: string): string {
  const fee = total === undefined ? undefined : parseMoney(total, currency);
  const figures = { kind, refundable, fee, hasTax: Number(tax ?? 0) !== 0, hasWords: text !== undefined };
  return feeInWords(figures, per) ?? 'not clear';
}

/** A percentage from hundredths: 1500 → `15`, 1550 → `15.5`. */
function percentText(hundredths: number): string {
  return String(Number((hundredths / 100).toFixed(2)));
}
