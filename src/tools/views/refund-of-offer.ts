/** What cancelling an offer would cost, by the penalty rules in force now. */

import { cleanCode, quotedWords } from '../../core/clean-text.ts';
import { showDeadline } from '../../core/local-times.ts';
import { showMoney } from '../../core/money.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { earliest, instantOf, utcText } from '../../core/times.ts';
import { hasPassed } from '../../domain/booking/deadlines.ts';
import { type FareRule, isPenalty, type Pricing } from '../../domain/pricing/fare.ts';
import { inForce, isRefundable, keptBy, ruleWords } from '../../domain/pricing/penalty-rules.ts';

/** The rules of most offers come with the hold. */
const REFUND_NOT_KNOWN = 'Refund known once held; holding is free.';

/** `refundable` is absent without a rule. The note names the end of the rule, or of cancelling, if before `departs`. */
export function refundability(
  pricing: Pricing,
  now: number,
  departs: string | undefined,
  locale?: string,
): { refundable?: boolean; refund_note: string } {
  const rules = pricing.fares.flatMap((fare) => fare.refundRules).filter((rule) => inForce(rule, now));
  const last = earliest(pricing.fares.map(({ cancelUntil }) => cancelUntil));
  if (hasPassed(last, now)) return { refundable: false, refund_note: 'Cannot be cancelled any more' };
  if (rules.length === 0) return { refund_note: REFUND_NOT_KNOWN };
  const byCharge = [...Map.groupBy(rules, (rule) => chargeText(rule, locale))].map(([charge, ofCharge]) => ({
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
  return omitUndefined({
    refundable: isRefundable(pricing, now),
    refund_note: `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${limit}`,
  });
}

function typesOf(rules: readonly FareRule[]): string {
  return [...new Set(rules.map((rule) => cleanCode(rule.passengerType)))].join(', ');
}

function chargeText(rule: FareRule, locale: string | undefined): string {
  if (!isPenalty(rule)) {
    const words = ruleWords(rule, locale);
    return words === undefined ? 'refund rule unclear' : `the airline's words: ${quotedWords(words)}`;
  }
  if (!rule.refundable) return 'not refundable';
  const kept = keptBy(rule);
  if (kept === undefined) return 'refund rule unclear';
  if (kept.total.minor === 0) return 'free cancellation';
  return `keeps ${showMoney(kept.total)} per person and segment${kept.tax.minor > 0 ? ', tax included' : ''}`;
}
