/**
 * Whether an offer can be given back, from the penalty rules in force now.
 */
import type { Pricing } from '../../domain/fare.ts';
import { showMoney } from '../../domain/money.ts';
import { inForce, percentText } from '../../domain/penalties.ts';
import { present } from '../../domain/present.ts';
import { earliest, instantOf, utcText } from '../../domain/times.ts';

/**
 * `refundable` is absent where the airline states no rule: unknown is not no. A rule's end is told where it comes before
 * the departure.
 */
export function refundability(
  pricing: Pricing,
  now: number,
  departs: string | undefined,
): { refundable?: boolean; refund_note: string } {
  const rules = pricing.fares.flatMap((fare) => fare.refundRules).filter((rule) => inForce(rule, now));
  if (rules.length === 0) return { refund_note: 'refund rules not stated' };
  const yes = rules.filter((rule) => rule.refundable);
  const charges = yes.map((rule) => {
    const vat = rule.vatHundredths === 0 ? '' : ` + VAT ${percentText(rule.vatHundredths)} %`;
    return `${rule.passengerType || 'each'} ${rule.total.minor === 0 ? 'free' : `${showMoney(rule.total)}${vat}`}`;
  });
  const none = new Set(rules.filter((rule) => !rule.refundable).map((rule) => rule.passengerType || 'all'));
  const until = instantOf(earliest(rules.map((rule) => rule.until)));
  const note = [
    charges.length > 0 ? `refund costs ${[...new Set(charges)].join(', ')} per fare component` : '',
    none.size > 0 ? `not refundable: ${[...none].join(', ')}` : '',
    until === undefined || until >= (instantOf(departs) ?? Number.POSITIVE_INFINITY)
      ? ''
      : `this rule ends ${utcText(until)}`,
  ];
  return present({
    refundable: none.size === 0 ? true : yes.length === 0 ? false : undefined,
    refund_note: note.filter((part) => part !== '').join('; '),
  });
}
