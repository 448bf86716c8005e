/** Prices and penalty rules as decimal strings and UTC times. */

import { airlineWords, cleanCode } from '../../core/clean-text.ts';
import { formatMoney, sameMoney, sumMoney } from '../../core/money.ts';
import { asUtc, earliest, localMinute, utcText } from '../../core/times.ts';
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

/** Returns one row per type, even if the airline sends several. */
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
 * Rules of refunds, each until cancelling its segments ends, then those of changes; equal ones once, with when they hold for
 * which segments. `near`: a departure, for local times.
 */
export function viewRules(booking: Booking, near: string | undefined, now: number): RuleView[] {
  const figures = ({ passenger_type: _, segment_refs: __, from: ___, until: ____, ...rule }: SingleRule) =>
    JSON.stringify(rule);
  return [...Map.groupBy(singleRules(booking, near, now), figures)].flatMap(([shared, same]) =>
    [...Map.groupBy(ruleSpans(same), ({ types }) => JSON.stringify(types))].map(([types, spans]) => ({
      ...(JSON.parse(shared) as Pick<RuleView, 'kind'>),
      passenger_types: JSON.parse(types) as string[],
      holds: spans.map(({ types: _, ...span }) => span),
    })),
  );
}

/** When equal rules hold, for whom and for which segments: each time once. */
function ruleSpans(rules: readonly SingleRule[]) {
  const spans = Map.groupBy(rules, ({ segment_refs: refs, from, until }) => JSON.stringify([refs, from, until]));
  const ofTypes = [...spans.values()].flatMap((same) => {
    const types = [...new Set(same.map(({ passenger_type: type }) => type))];
    return same[0] === undefined ? [] : [{ types, rule: same[0] }];
  });
  const times = Map.groupBy(ofTypes, ({ types, rule: { segment_refs: refs, from, until } }) =>
    JSON.stringify([types, from, until, refs === undefined]),
  );
  return [...times.values()].map((same) => {
    const refs = [...new Set(same.flatMap(({ rule }) => rule.segment_refs ?? []))];
    const { from, until } = same[0]?.rule ?? {};
    return {
      types: same[0]?.types ?? [],
      segment_refs: refs.length === 0 ? undefined : refs,
      from,
      until,
    };
  });
}

/** A rule for one passenger type and the segments of one fare. */
type SingleRule = Omit<RuleView, 'passenger_types' | 'holds'> & RuleView['holds'][number] & { passenger_type: string };

function singleRules(booking: Booking, near: string | undefined, now: number): SingleRule[] {
  const { units } = fareUnits(booking, booking.options);
  return (['refund', 'change'] as const).flatMap((kind) =>
    (booking.pricing?.fares ?? []).flatMap((fare) => {
      // Not by airports: a trip can fly the same pair twice.
      const segments = units.find((unit) => unit.fares.includes(fare))?.segments;
      const ends = kind === 'refund' ? cancellingEnd(booking, segments) : undefined;
      return (kind === 'refund' ? fare.refundRules : fare.changeRules)
        .map((rule) => ({ rule, from: asUtc(rule.from), until: asUtc(earliest([rule.until, ends])) }))
        .filter(({ from, until }) => isWindow(from, until))
        .map(({ rule, from, until }) => ({
          kind,
          passenger_type: cleanCode(rule.passengerType),
          segment_refs: segments?.map(({ ref }) => ref),
          ...(isPenalty(rule) ? viewPenalty(rule) : { refundable: rule.refundable }),
          from: hasPassed(from, now) ? undefined : from && localMinute(from, near),
          until: until && localMinute(until, near),
          text: ruleText(rule),
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

/** As sent; but cancelling ends once everything has departed and the last rule is over. */
export function shownDeadlines(booking: Booking): Deadlines {
  const sent = bookingDeadlines(booking);
  const active = activeOptions(booking).flatMap(({ segments }) => segments);
  const running = active.filter(({ owed }) => owed === undefined);
  // What the airline cancelled itself has no limit.
  if (running.length === 0 && active.length > 0) return { ...sent, cancelUntil: undefined };
  return { ...sent, cancelUntil: cancellingEnd(booking, running) ?? sent.cancelUntil };
}

function isWindow(from: string | undefined, until: string | undefined): boolean {
  return from === undefined || until === undefined || from < until;
}

function viewPenalty(rule: PenaltyRule): Partial<RuleView> {
  // What would be kept of nothing is no sum.
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
