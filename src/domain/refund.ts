/**
 * What giving tickets back would bring. Before a cancellation this is an estimate from the penalty rules in force, in
 * integer arithmetic; it is never reported as the refund itself (field-notes.md, money and rules).
 */
import type { Booking } from './booking.ts';
import { amountPaid } from './booking-state.ts';
import { countOf } from './codes.ts';
import type { FareComponent, PenaltyRule } from './fare.ts';
import type { SegmentOption } from './itinerary.ts';
import { addMoney, type Money, multiplyMoney, percentOf, showMoney, subtractMoney, zero } from './money.ts';
import { componentsOf, percentText, type RulesHolding, rulesAt, rulesFor, rulesTurns } from './penalties.ts';
import { present } from './present.ts';
import { type Cut, paidShare } from './price-split.ts';
import { utcText } from './times.ts';
import type { Traveler } from './traveler.ts';

/** Rules of one price as they bear on the passengers of one type. */
export interface PenaltyLine {
  readonly type: string;
  readonly passengers: number;
  /** The rule of each fare component it is charged for; they differ in their windows and texts alone. */
  readonly rules: readonly PenaltyRule[];
  /** The first of them. */
  readonly rule: PenaltyRule;
  /** Without VAT. */
  readonly penalty: Money;
  readonly vat: Money;
}

export interface RefundEstimate {
  /** What would come back; absent where it cannot be told without guessing. */
  readonly amount?: Money;
  /** Kept by the airline, VAT included. */
  readonly penalty?: Money;
  readonly lines: readonly PenaltyLine[];
  /** The rule in words, or why there is no estimate. */
  readonly rule: string;
  /** Until when it holds, UTC. */
  readonly until?: string;
  /** The next window, and what would be kept in it. */
  readonly next?: { readonly at: string; readonly rule: string };
}

export interface GivenBack {
  readonly options: readonly SegmentOption[];
  readonly travelers: readonly Traveler[];
}

/** `paid` stands in for what orders and tickets say, for a booking about to be paid. */
export function estimateRefund(booking: Booking, given: GivenBack, now: number, paid?: Money): RefundEstimate {
  const components = componentsOf(booking, given.options);
  if (components === undefined) return { lines: [], rule: 'The airline sent no refund rule for these flights.' };
  const lines = penaltyLines(rulesAt(components, now), given.travelers);
  if (lines === undefined) return { lines: [], rule: 'The refund rules in force do not cover every passenger.' };
  const priced = price(booking, given, lines, paid);
  const { until, next } = turning(components, given.travelers, describe(lines), now);
  const then = next && price(booking, given, next.lines, paid);
  return {
    lines,
    rule:
      priced === undefined
        ? `${describe(lines)} The price cannot be split, so no amount is estimated.`
        : describe(lines),
    ...priced,
    ...(until !== undefined && { until: utcText(until) }),
    ...(next && { next: { at: utcText(next.at), rule: nextRule(next.lines, then?.amount) } }),
  };
}

/** One line for each passenger type and rule; undefined where a type has none, or more than one, on a component. */
function penaltyLines(holding: RulesHolding, travelers: readonly Traveler[]): readonly PenaltyLine[] | undefined {
  const types = [...new Set(travelers.map((traveler) => traveler.type))];
  if (types.length === 0) return undefined;
  const perType = types.map((type) => holding.map((rules) => rulesFor(rules, type)));
  if (perType.some((rules) => rules.some((here) => here.length > 1))) return undefined;
  const found = perType.map((rules) => rules.flat());
  // Components may be filed for one passenger type alone; but every type has as many, and none is without a rule.
  if (found.some((rules) => rules.length === 0 || rules.length !== found[0]?.length)) return undefined;
  if (holding.some((_, i) => perType.every((rules) => rules[i]?.length === 0))) return undefined;
  return types.flatMap((type, i) => {
    const passengers = travelers.filter((traveler) => traveler.type === type).length;
    return grouped(found[i] ?? []).map(([rule, rules]): PenaltyLine => {
      const penalty = multiplyMoney(rule.total, passengers * rules.length);
      return { type, passengers, rules, rule, penalty, vat: percentOf(penalty, rule.vatHundredths) };
    });
  });
}

/** Rules of the same price together, whatever their windows. */
function grouped(rules: readonly PenaltyRule[]): readonly (readonly [PenaltyRule, readonly PenaltyRule[]])[] {
  const key = (r: PenaltyRule) => [r.refundable, r.total.minor, r.total.currency, r.vatHundredths].join('|');
  return [...Map.groupBy(rules, key).values()].flatMap((same) => (same[0] ? [[same[0], same] as const] : []));
}

/**
 * Undefined where the share that is not refundable cannot be told from the one that is. Nothing comes back of what is
 * not refundable, whatever its share of the price was; only how much is kept is then not told.
 */
function price(
  booking: Booking,
  given: GivenBack,
  lines: readonly PenaltyLine[],
  paid?: Money,
): { amount: Money; penalty?: Money } | undefined {
  const share = paidShare(booking, cutOf(given), paid);
  const lost = lines.filter((line) => !line.rule.refundable);
  const currency = (share ?? paid ?? amountPaid(booking))?.currency;
  if (currency === undefined || lines.some((line) => line.penalty.currency !== currency)) return undefined;
  if (share === undefined) return lost.length === lines.length ? { amount: zero(currency) } : undefined;
  if (lost.length === lines.length) return { amount: zero(share.currency), penalty: share };
  const types = new Set(lines.filter((line) => line.rule.refundable).map((line) => line.type));
  if (lost.some((line) => types.has(line.type))) return undefined;
  const back =
    lost.length === 0
      ? share
      : paidShare(booking, cutOf({ ...given, travelers: given.travelers.filter((t) => types.has(t.type)) }), paid);
  if (back === undefined) return undefined;
  const charges = lines.filter((line) => line.rule.refundable).flatMap((line) => [line.penalty, line.vat]);
  const net = subtractMoney(back, addMoney(zero(share.currency), ...charges));
  const amount = net.minor < 0 ? zero(share.currency) : net;
  return { amount, penalty: subtractMoney(share, amount) };
}

function cutOf(given: GivenBack): Cut {
  return {
    segmentRefs: new Set(given.options.flatMap((option) => option.segments.map((segment) => segment.ref))),
    travelerRefs: new Set(given.travelers.map((traveler) => traveler.ref)),
  };
}

interface Turning {
  /** When what holds now ends, milliseconds since 1970. */
  readonly until?: number;
  /** When other rules hold. After a gap without rules that is later. */
  readonly next?: { readonly at: number; readonly lines: readonly PenaltyLine[] };
}

/** What changes for these travellers, and when: a rule for others, or one that says the same, changes nothing. */
function turning(
  components: readonly FareComponent[],
  travelers: readonly Traveler[],
  words: string,
  now: number,
): Turning {
  const types = new Set(travelers.map(({ type }) => type));
  let until: number | undefined;
  for (const { at, holding } of rulesTurns(components, types, now)) {
    const lines = penaltyLines(holding, travelers);
    if (lines !== undefined && describe(lines) === words) continue;
    until ??= at;
    if (lines !== undefined) return { until, next: { at, lines } };
  }
  return present({ until });
}

function nextRule(lines: readonly PenaltyLine[], back: Money | undefined): string {
  const then = back === undefined ? '' : ` Estimated refund then ${showMoney(back)}.`;
  return `${describe(lines)}${then}`;
}

function describeLine(line: PenaltyLine): string {
  const who = countOf(line.type, line.passengers);
  if (!line.rule.refundable) return `${who}: not refundable`;
  const count = line.rules.length;
  const parts = count === 1 ? '1 fare component' : `${count} fare components`;
  const vat =
    line.rule.vatHundredths === 0 ? '' : ` + VAT ${percentText(line.rule.vatHundredths)} % ${showMoney(line.vat)}`;
  return `${who} × ${parts} × ${showMoney(line.rule.total)} = ${showMoney(line.penalty)}${vat}`;
}

function describe(lines: readonly PenaltyLine[]): string {
  return `${lines.map(describeLine).join('; ')}.`;
}

/** What limits count: the estimate, else all that was paid. */
export function refundAtStake(booking: Booking, estimate: RefundEstimate): Money | undefined {
  return estimate.amount ?? amountPaid(booking) ?? booking.pricing?.total?.total;
}
