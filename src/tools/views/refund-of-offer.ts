/** The refund rule of an offer in words, which a hold is compared with. */

import { cleanCode, quotedWords } from '../../core/clean-text.ts';
import { showMoney } from '../../core/money.ts';
import { earliest, instantOf, showDeadline, utcText } from '../../core/times.ts';
import type { Booking } from '../../domain/booking/booking.ts';
import { hasPassed } from '../../domain/booking/booking-state.ts';
import { type FareRule, isPenalty, type Pricing } from '../../domain/pricing/fare.ts';
import { inForce, keptBy, repeatsFigures, ruleWords } from '../../domain/pricing/penalty-rules.ts';

/** The rules of most offers come with the hold. */
const REFUND_NOT_KNOWN = 'Refund known once held; holding is free.';

/** By the rules in force now. Names the end of the rule, or of cancelling, if before `departs`. */
export function offerRuleText(pricing: Pricing, now: number, departs: string | undefined): string {
  const rules = pricing.fares.flatMap((fare) => fare.refundRules).filter((rule) => inForce(rule, now));
  const last = earliest(pricing.fares.map(({ cancelUntil }) => cancelUntil));
  if (hasPassed(last, now)) return 'Cannot be cancelled any more';
  if (rules.length === 0) return REFUND_NOT_KNOWN;
  const byCharge = [...Map.groupBy(rules, (rule) => chargeText(rule))].map(([charge, ofCharge]) => ({
    charge,
    types: typesOf(ofCharge),
  }));
  const until = instantOf(earliest([...rules.map((rule) => rule.until), last]));
  const ends = until !== undefined && until < (instantOf(departs) ?? Number.POSITIVE_INFINITY);
  const [only] = byCharge;
  const each = byCharge.map(({ charge, types }) => `${types || 'all'}: ${charge}`).join('; ');
  const words = byCharge.length === 1 && only !== undefined ? only.charge : each;
  const yes = rules.some((rule) => rule.refundable);
  const comma = words.includes(',') ? ',' : '';
  const limit = ends && yes ? `${comma} until ${showDeadline(utcText(until), departs)}` : '';
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${limit}`;
}

/** Undefined if the rule of a hold is the one that its offer named. */
export function ruleChangeText(
  { pricing }: Pick<Booking, 'pricing'>,
  offered: string | undefined,
  ...of: [now: number, departs: string | undefined]
): string | undefined {
  if (offered === undefined || pricing === undefined || offerRuleText(pricing, ...of) === offered) return undefined;
  return `The refund rule changed: the offer said “${offered}”. Tell the person before paying.`;
}

function typesOf(rules: readonly FareRule[]): string {
  return [...new Set(rules.map((rule) => cleanCode(rule.passengerType)))].join(', ');
}

function chargeText(rule: FareRule): string {
  if (!isPenalty(rule)) {
    const words = ruleWords(rule);
    return words === undefined ? 'refund rule unclear' : `the airline's words: ${quotedWords(words)}`;
  }
  if (!rule.refundable) return 'not refundable';
  const kept = keptBy(rule);
  if (kept === undefined) return 'refund rule unclear';
  const words = ruleWords(rule);
  const condition =
    words === undefined || repeatsFigures(words, rule) ? '' : `, the airline says ${quotedWords(words)}`;
  if (kept.total.minor === 0) return `free cancellation${condition}`;
  return `keeps ${showMoney(kept.total)} per person and segment${kept.tax.minor > 0 ? ', tax included' : ''}${condition}`;
}
