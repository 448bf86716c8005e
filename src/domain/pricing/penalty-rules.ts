/**
 * Penalty rules: what the airline keeps under one, per passenger of a type and per fare component, and when it holds,
 * in [from, until), UTC (docs/wire/notes.md, Money and rules).
 */
import type { Booking } from '../booking/booking.ts';
import { hasPassed } from '../booking/deadlines.ts';
import { type SegmentOption, segmentStatus } from '../booking/itinerary.ts';
import { earliest, instantOf } from '../time-and-text/times.ts';
import type { FareComponent, PenaltyRule, Pricing } from './fare.ts';
import { type Money, percentOf, sameMoney, sumMoney, zero } from './money.ts';

/** Whether the rule holds at an instant. A missing bound is open; one that cannot be read is never in force. */
export function inForce(rule: PenaltyRule, at: number): boolean {
  const { from, until } = boundsOf(rule);
  return from !== undefined && until !== undefined && from <= at && at < until;
}

function boundsOf({ from, until }: PenaltyRule): { from: number | undefined; until: number | undefined } {
  return {
    from: from === undefined ? Number.NEGATIVE_INFINITY : instantOf(from),
    until: until === undefined ? Number.POSITIVE_INFINITY : instantOf(until),
  };
}

/** A percentage from hundredths: 1500 → `15`, 1550 → `15.5`. */
export function percentText(hundredths: number): string {
  return (hundredths / 100).toFixed(2).replace(/\.?0+$/, '');
}

/** The rules in force on each of some fare components. */
export type RulesHolding = readonly (readonly PenaltyRule[])[];

type HasRules = Pick<FareComponent, 'refundRules'>;

export function rulesAt(components: readonly HasRules[], at: number): RulesHolding {
  return components.map(({ refundRules }) => refundRules.filter((rule) => inForce(rule, at)));
}

/** By the rules in force; undefined where the airline states none, or where they differ. */
export function isRefundable({ fares }: Pick<Pricing, 'fares'>, now: number): boolean | undefined {
  if (hasPassed(earliest(fares.map(({ cancelUntil }) => cancelUntil)), now)) return false;
  const stated = new Set(rulesAt(fares, now).flatMap((rules) => rules.map(({ refundable }) => refundable)));
  return stated.size === 1 ? stated.has(true) : undefined;
}

/** Those for a passenger type; one for all types stands in where none names the type. */
export function rulesFor(holding: readonly PenaltyRule[], type: string): readonly PenaltyRule[] {
  const own = holding.filter((rule) => rule.passengerType === type);
  return own.length > 0 ? own : holding.filter((rule) => rule.passengerType === '');
}

/** A rule with the component it is charged for, and when it holds: milliseconds since 1970, open ends infinite. */
interface Span {
  readonly component: number;
  readonly rule: PenaltyRule;
  readonly from: number;
  readonly until: number;
}

/**
 * When a rule for these passenger types, or for all, begins or ends after an instant, in order, and what holds from then
 * on. Each turn is made when it is asked for, from the one before it: to look through all rules at each of their ends
 * would be quadratic.
 */
export function* rulesTurns(
  components: readonly HasRules[],
  types: ReadonlySet<string>,
  after: number,
): Generator<{ readonly at: number; readonly holding: RulesHolding }> {
  const spans = components.flatMap((one, i) => spansOf(one, i, types)).filter(({ until }) => until > after);
  const open = components.map(() => new Set<Span>());
  for (const span of spans) if (span.from <= after) open[span.component]?.add(span);
  const begins = Map.groupBy(spans, ({ from }) => from);
  const ends = Map.groupBy(spans, ({ until }) => until);
  const turns = [...new Set([...begins.keys(), ...ends.keys()])].filter((at) => at > after && Number.isFinite(at));
  const holding = open.map(rulesOf);
  for (const at of turns.sort((a, b) => a - b)) {
    const [ended, begun] = [ends.get(at) ?? [], begins.get(at) ?? []];
    for (const span of ended) open[span.component]?.delete(span);
    for (const span of begun) open[span.component]?.add(span);
    for (const i of new Set([...ended, ...begun].map(({ component }) => component))) holding[i] = rulesOf(open[i]);
    yield { at, holding: [...holding] };
  }
}

function spansOf({ refundRules }: HasRules, component: number, types: ReadonlySet<string>): readonly Span[] {
  return refundRules.flatMap((rule) => {
    const { from, until } = boundsOf(rule);
    const concerns = rule.passengerType === '' || types.has(rule.passengerType);
    return concerns && from !== undefined && until !== undefined && from < until
      ? [{ component, rule, from, until }]
      : [];
  });
}

function rulesOf(open: ReadonlySet<Span> | undefined): readonly PenaltyRule[] {
  return [...(open ?? [])].map(({ rule }) => rule);
}

const isActive = (option: SegmentOption) => option.segments.some((s) => segmentStatus(s.statusCode) === 'active');

export function activeOptions(booking: Booking): readonly SegmentOption[] {
  return booking.options.filter(isActive);
}

/** What the airline keeps under a rule, for one passenger and one fare component. */
export interface Kept {
  /** Tax included. */
  readonly total: Money;
  readonly tax: Money;
  /** The airline's total is not its base and tax: the greater one is in `total`. */
  readonly disagrees: boolean;
}

/**
 * `base` and `tax` together (docs/wire/notes.md, Money and rules). Adds the tax where the airline gives a percentage
 * and no tax, and `total` does not contain it. Undefined where an amount is negative or too large.
 */
export function keptBy({ base, tax, total, totalAlone, vatHundredths }: PenaltyRule): Kept | undefined {
  if ([base, tax, total].some(({ minor }) => minor < 0) || vatHundredths < 0) return undefined;
  const none = zero(total.currency);
  if (base.minor === 0 && tax.minor === 0) {
    return { total, tax: none, disagrees: total.minor > 0 && totalAlone !== true };
  }
  const computed = percentOf(base, vatHundredths);
  const unstated = tax.minor === 0 && computed.minor > 0;
  const whole = sumMoney([base, unstated ? computed : tax]);
  if (whole === undefined) return undefined;
  if (unstated && (sameMoney(total, base) || sameMoney(total, whole))) {
    return { total: whole, tax: computed, disagrees: false };
  }
  const parts = sumMoney([base, tax]) ?? whole;
  return { total: parts.minor > total.minor ? parts : total, tax, disagrees: !sameMoney(parts, total) };
}
