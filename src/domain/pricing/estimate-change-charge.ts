/**
 * What a change of flight may cost. The airline says it only when it is done; before that there is the price of the new
 * flight and the change rules in force, which are information (docs/wire/notes.md, Money and rules).
 */
import type { Booking } from '../booking/booking.ts';
import type { SegmentOption } from '../booking/itinerary.ts';
import { countOf } from '../booking/status-codes.ts';
import type { FareComponent, PenaltyRule } from './fare.ts';
import { componentsOf } from './fare-units.ts';
import { addMoney, type Money, multiplyMoney, showMoney, subtractMoney, zero } from './money.ts';
import { paidShare } from './paid-share.ts';
import { inForce, type Kept, keptBy } from './penalty-rules.ts';

export interface ChangeCharge {
  /**
   * The most that the rules and the new price come to: the fees with tax, and the new price less what was paid for the
   * old flight where that can be told. Absent where a rule or a price is missing, or where a rule permits no change.
   */
  readonly atMost?: Money;
  /** The rule in words, or why there is none. */
  readonly rule: string;
  /** The airline's own words on the flight, where it sent no rule that can be counted. */
  readonly airlineWords?: readonly string[];
}

const NO_RULE: ChangeCharge = { rule: 'The airline sent no rule for changing this flight.' };

/** `price` is what the new flight costs the whole party. */
export function changeCharge(
  booking: Booking,
  option: SegmentOption,
  price: Money | undefined,
  now: number,
): ChangeCharge {
  const rules = rulesByType(booking, option, now);
  if (rules === undefined) return withoutRule(option);
  const rule = `${rules.map(describe).join('; ')}.`;
  const fees = rules.map(({ kept, passengers }) => multiplyMoney(kept.total, passengers));
  if (rules.some((each) => !each.rule.refundable)) return { rule };
  if (price === undefined || fees.some(({ currency }) => currency !== price.currency)) return { rule };
  return { rule, atMost: addMoney(dearer(booking, option, price), ...fees) };
}

/** Words are no amount, but they are not nothing (docs/wire/notes.md, Fares and prices). */
function withoutRule({ segments }: SegmentOption): ChangeCharge {
  const airlineWords = [...new Set(segments.flatMap(({ fareRules = [] }) => fareRules.map(({ text }) => text)))];
  if (airlineWords.length === 0) return NO_RULE;
  return { rule: 'The airline sent the rules of this flight as text only.', airlineWords };
}

interface TypeRule {
  readonly type: string;
  readonly passengers: number;
  readonly rule: PenaltyRule;
  readonly kept: Kept;
}

/** The one rule in force for each type of passenger; undefined where a type has none or several. */
function rulesByType(booking: Booking, option: SegmentOption, now: number): readonly TypeRule[] | undefined {
  const components = componentsOf(booking, [option]);
  if (components === undefined) return undefined;
  const types = Map.groupBy(booking.travelers, ({ type }) => type);
  const found = [...types].flatMap(([type, people]) => {
    const [rule, ...others] = changeRules(components, type, now);
    const kept = rule && keptBy(rule);
    return rule && kept && others.length === 0 ? [{ type, passengers: people.length, rule, kept }] : [];
  });
  return found.length === 0 || found.length !== types.size ? undefined : found;
}

function changeRules(components: readonly FareComponent[], type: string, now: number): readonly PenaltyRule[] {
  const holding = components.flatMap((component) => component.changeRules.filter((rule) => inForce(rule, now)));
  const own = holding.filter((rule) => rule.passengerType === type);
  return own.length > 0 ? own : holding.filter((rule) => rule.passengerType === '');
}

/** What the party paid for a flight; undefined where the airline's rows do not tell it apart. */
export function paidFor(booking: Booking, option: SegmentOption): Money | undefined {
  return paidShare(booking, {
    segmentRefs: new Set(option.segments.map(({ ref }) => ref)),
    travelerRefs: new Set(booking.travelers.map(({ ref }) => ref)),
  });
}

function dearer(booking: Booking, option: SegmentOption, price: Money): Money {
  const paid = paidFor(booking, option);
  if (paid === undefined || paid.currency !== price.currency) return price;
  return paid.minor >= price.minor ? zero(price.currency) : subtractMoney(price, paid);
}

function describe({ type, passengers, rule, kept }: TypeRule): string {
  const who = countOf(type, passengers);
  if (!rule.refundable) return `${who}: no change permitted`;
  const tax = kept.tax.minor > 0 ? ', tax included' : '';
  return `${who} × ${showMoney(kept.total)} = ${showMoney(multiplyMoney(kept.total, passengers))}${tax}`;
}
