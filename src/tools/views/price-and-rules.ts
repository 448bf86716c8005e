/** Prices and penalty rules as data: decimal strings, and local times of the rules. */

import { airlineWords, cleanCode } from '../../core/clean-text.ts';
import { formatMoney, sameMoney, sumMoney } from '../../core/money.ts';
import { asUtc, earliestTime, localMinute, utcText } from '../../core/times.ts';
import type { Booking, Segment } from '../../domain/booking/booking.ts';
import { activeOptions, optionsWith } from '../../domain/booking/booking.ts';
import { bookingDeadlines, type Deadlines, hasPassed } from '../../domain/booking/booking-state.ts';
import {
  type FareRule,
  isPenalty,
  type PenaltyRule,
  type Price,
  type PriceLine,
  ruleWords,
  type TypePrice,
  totalsByType,
} from '../../domain/pricing/fare.ts';
import { fareUnits } from '../../domain/pricing/fare-units.ts';
import { keptBy } from '../../domain/pricing/penalty-rules.ts';
import { cancellingEnds } from '../../domain/pricing/rules-in-force.ts';
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
    lines: price.lines.length > 0 ? price.lines.map(viewLine) : undefined,
  };
}

function countByType({ travelers }: Booking): Readonly<Record<string, number>> {
  const byType = Map.groupBy(travelers, ({ type }) => type);
  return Object.fromEntries([...byType].map(([type, ofType]) => [type, ofType.length]));
}

/** The rule's text in the wanted language, or in any other. */
export function ruleText(rule: FareRule): string | undefined {
  const words = ruleWords(rule);
  return words === undefined ? undefined : airlineWords(words);
}

/**
 * The refund rules, each until cancelling its segments ends, then the change rules. Equal rules are one, with the times and segments
 * that it holds for. `near`: a departure, whose offset gives local times.
 */
export function viewRules(booking: Booking, near: string | undefined, now: number): RuleView[] {
  return groupEqual(singleRules(booking, near, now), ({ figures }) => figures).flatMap((rules) =>
    groupEqual(ruleSpans(rules), ({ types }) => types).map((spans) => ({
      ...rules[0].figures,
      passenger_types: spans[0].types,
      holds: spans.map(({ types: _, ...span }) => span),
    })),
  );
}

/** Figures of a rule, with one passenger type and the segments of one fare that they hold for. */
interface SingleRule {
  readonly figures: Omit<RuleView, 'passenger_types' | 'holds'>;
  readonly passengerType: string;
  readonly span: RuleView['holds'][number];
}

/** When rules of equal figures hold, for whom and for which segments: each time once. */
function ruleSpans(rules: readonly SingleRule[]) {
  const withTypes = groupEqual(rules, ({ span }) => span).map((sameSpan) => ({
    types: [...new Set(sameSpan.map(({ passengerType }) => passengerType))],
    span: sameSpan[0].span,
  }));
  const sameTimes = groupEqual(withTypes, ({ types, span: { segment_refs: refs, from, until } }) => ({
    types,
    from,
    until,
    hasRefs: refs !== undefined,
  }));
  return sameTimes.map((spans) => {
    const [{ types, span }] = spans;
    const refs = new Set(spans.flatMap((each) => each.span.segment_refs ?? []));
    return { types, segment_refs: refs.size === 0 ? undefined : [...refs], from: span.from, until: span.until };
  });
}

/** Groups items whose keys are equal as JSON. */
function groupEqual<T>(items: readonly T[], key: (item: T) => unknown): readonly [T, ...T[]][] {
  const groups = Map.groupBy(items, (item) => JSON.stringify(key(item)));
  return [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others]]));
}

function singleRules(booking: Booking, near: string | undefined, now: number): SingleRule[] {
  const { units } = fareUnits(booking, booking.options);
  return (['refund', 'change'] as const).flatMap((kind) =>
    (booking.pricing?.fares ?? []).flatMap((fare) => {
      // Not by airports: a trip can fly the same pair twice.
      const segments = units.find((unit) => unit.fares.includes(fare))?.segments;
      const ends = kind === 'refund' ? cancellingEnd(booking, segments) : undefined;
      return (kind === 'refund' ? fare.refundRules : fare.changeRules)
        .map((rule) => ({ rule, from: asUtc(rule.from), until: asUtc(earliestTime([rule.until, ends])) }))
        .filter(({ from, until }) => from === undefined || until === undefined || from < until)
        .map(({ rule, from, until }) => ({
          figures: {
            kind,
            ...(isPenalty(rule) ? viewPenalty(rule) : { refundable: rule.refundable }),
            text: ruleText(rule),
          },
          passengerType: cleanCode(rule.passengerType),
          span: {
            segment_refs: segments?.map(({ ref }) => ref),
            from: hasPassed(from, now) ? undefined : from && localMinute(from, near),
            until: until && localMinute(until, near),
          },
        }));
    }),
  );
}

/** When cancelling these segments for everybody ends, UTC; undefined if that is not known. */
export function cancellingEnd(booking: Booking, segments: readonly Segment[] | undefined): string | undefined {
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

/** A percentage from hundredths: 1500 → `15`, 1550 → `15.5`. */
function percentText(hundredths: number): string {
  return (hundredths / 100).toFixed(2).replace(/\.?0+$/, '');
}
