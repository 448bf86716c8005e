/** Says what comes back: everywhere in the same words. */
import { type Money, showMoney } from '../../core/money.ts';
import type { RefundAmount } from './refund-amount.ts';

/** `between SAR 0.00 and SAR 20.00`. */
export function rangeText({ atLeast, atMost }: NonNullable<RefundAmount['bounds']>): string {
  return `between ${showMoney(atLeast)} and ${showMoney(atMost)}`;
}

/** `, of which SAR 86.25 on a condition`, where not all of it depends on one; empty where nothing does. `most`: the most that comes back. */
export function onConditionWords(onCondition: Money | undefined, most: Money | undefined): string {
  if (onCondition === undefined || onCondition.minor === 0) return '';
  const isAll = most === undefined || onCondition.minor >= most.minor;
  return isAll ? ', on a condition' : `, of which ${showMoney(onCondition)} on a condition`;
}

/** `SAR 20.00`; `nothing` for 0, or for no amount. */
export function moneyOrNothing(amount: Money | undefined): string {
  return amount === undefined || amount.minor === 0 ? 'nothing' : showMoney(amount);
}

/** `EUR 6,917.00 is given up`. */
export function givenUpText(amount: Money): string {
  return `${showMoney(amount)} is given up`;
}

/**
 * `about SAR 20.00 comes back now`, `nothing comes back`, `between SAR 0.00 and SAR 20.00 comes back`, `what comes back is not known`.
 *
 * @param about before an amount: `about `
 * @param when after “comes back”: ` now`
 */
export function comesBackText({ amount, bounds }: RefundAmount, about = '', when = ''): string {
  if (amount !== undefined) return `${amount.minor === 0 ? '' : about}${moneyOrNothing(amount)} comes back${when}`;
  return bounds === undefined ? `what comes back${when} is not known` : `${rangeText(bounds)} comes back${when}`;
}
