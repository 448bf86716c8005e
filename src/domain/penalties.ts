/**
 * Penalty rules and when they hold: amounts per passenger of a type and per fare component, in [from, until), UTC
 * (field-notes.md, money and rules).
 */
import type { Booking } from './booking.ts';
import type { FareComponent, PenaltyRule } from './fare.ts';
import { type SegmentOption, segmentStatus } from './itinerary.ts';
import { instantOf } from './times.ts';

/** Whether the rule holds at an instant. A missing bound is open; one that cannot be read is never in force. */
export function inForce(rule: PenaltyRule, at: number): boolean {
  const from = rule.from === undefined ? Number.NEGATIVE_INFINITY : instantOf(rule.from);
  const until = rule.until === undefined ? Number.POSITIVE_INFINITY : instantOf(rule.until);
  return from !== undefined && until !== undefined && from <= at && at < until;
}

/** A percentage from hundredths: 1500 → `15`, 1550 → `15.5`. */
export function percentText(hundredths: number): string {
  return (hundredths / 100).toFixed(2).replace(/\.?0+$/, '');
}

/** The rules in force for a passenger type on a component; one for all types stands in where none names the type. */
export function rulesFor(component: FareComponent, type: string, at: number): readonly PenaltyRule[] {
  const holding = component.refundRules.filter((rule) => inForce(rule, at));
  const own = holding.filter((rule) => rule.passengerType === type);
  return own.length > 0 ? own : holding.filter((rule) => rule.passengerType === '');
}

/** When a rule for these passenger types, or for all, begins or ends after an instant: milliseconds since 1970, in order. */
export function rulesTurn(
  components: readonly FareComponent[],
  types: ReadonlySet<string>,
  at: number,
): readonly number[] {
  const bounds = components
    .flatMap(({ refundRules }) => refundRules)
    .filter(({ passengerType }) => passengerType === '' || types.has(passengerType))
    .flatMap(({ from, until }) => [instantOf(from), instantOf(until)]);
  return [...new Set(bounds.flatMap((bound) => (bound !== undefined && bound > at ? [bound] : [])))].sort(
    (a, b) => a - b,
  );
}

const isActive = (option: SegmentOption) => option.segments.some((s) => segmentStatus(s.statusCode) === 'active');

export function activeOptions(booking: Booking): readonly SegmentOption[] {
  return booking.options.filter(isActive);
}

/**
 * The fare components of some options. When every active option goes it is all components that have rules, for none
 * come for cancelled segments. Else a component is an option's when its pointer or its two ends name that option alone.
 * Undefined where it cannot be told.
 */
export function componentsOf(
  booking: Booking,
  options: readonly SegmentOption[],
): readonly FareComponent[] | undefined {
  const fares = (booking.pricing?.fares ?? []).filter((fare) => fare.refundRules.length > 0);
  const active = activeOptions(booking);
  const chosen = new Set(options.map((option) => option.ref));
  if (active.every((option) => chosen.has(option.ref))) return fares.length > 0 ? fares : undefined;
  const found: FareComponent[] = [];
  for (const option of options) {
    const own = fares.filter((fare) => belongs(fare, option));
    const rivals = active.filter((other) => own.some((fare) => belongs(fare, other)));
    if (own.length === 0 || rivals.length !== 1) return undefined;
    found.push(...own);
  }
  return found;
}

function belongs(fare: FareComponent, option: SegmentOption): boolean {
  const [first, last] = [option.segments[0], option.segments.at(-1)];
  const sameEnds = fare.from === first?.from && fare.to === last?.to;
  if (fare.from !== undefined && fare.to !== undefined && !sameEnds) {
    return option.segments.some((segment) => segment.from === fare.from && segment.to === fare.to);
  }
  return sameEnds || (fare.ref !== undefined && option.segments.some((segment) => segment.ref === fare.ref));
}
