/**
 * Limits of money, of an action and of a caller's day: refuses an act that would exceed one before anybody is asked. The store checks the
 * day's limit again when the operation is entered (store/journal/day-limit.ts). From which amount a second person approves is decided
 * in who-may-answer.ts.
 */

import { ClerkError } from '../core/errors.ts';
import { type Money, showMoney, subtractMoney } from '../core/money.ts';
import { DAY_MS } from '../core/times.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Clock, DayLimit, OperationStore } from '../journal/ports.ts';
import type { Limits } from './consent-call.ts';
import type { MoneyAtStake } from './terms.ts';

/** The day's window is the last 24 hours. */
export function dayLimit(limits: Limits, now: number): DayLimit | undefined {
  return limits.perDay && { perDay: limits.perDay, since: now - DAY_MS };
}

/** Throws E_LIMIT if the amount exceeds a limit, is unknown, or is in another currency than the limits. */
export function assertWithinLimits(limits: Limits, money: MoneyAtStake | undefined): void {
  const limit = limits.perAction ?? limits.perDay;
  if (limit === undefined || money === undefined || money.amount?.minor === 0) return;

  const { amount } = money;
  if (amount === undefined) throw limitError('The amount is unknown, so limits cannot be checked.');

  if (amount.currency !== limit.currency) {
    throw limitError(`${showMoney(amount)} cannot be compared with a limit in ${limit.currency}.`);
  }

  for (const [name, most] of [
    ['an action', limits.perAction],
    ["a caller's day", limits.perDay],
  ] as const) {
    if (most !== undefined && amount.minor > most.minor) {
      const over = showMoney(subtractMoney(amount, most));
      const unknown = money.direction === 'refund' ? 'refund' : 'cost';
      const why = money.isUpperBound ? `, counting the most that can move because the ${unknown} is not known` : '';
      throw limitError(`${showMoney(amount)} is ${over} over the limit of ${showMoney(most)} for ${name}${why}.`);
    }
  }
}

/** What the check of the day's limit needs of a call. */
interface LimitedCall {
  readonly settings: { readonly limits: Limits };
  readonly runtime: { readonly clock: Clock; readonly state: { readonly operations: Pick<OperationStore, 'spent'> } };
  readonly asker: { readonly caller: Caller };
}

/** Throws E_LIMIT if the amount would exceed the limit of the caller's last 24 hours. */
export async function assertWithinDay(
  { settings, runtime, asker }: LimitedCall,
  money: MoneyAtStake | undefined,
): Promise<void> {
  const limit = dayLimit(settings.limits, runtime.clock.now());
  const amount = money?.amount;
  if (limit === undefined || amount === undefined || amount.minor === 0) return;
  const spent = await runtime.state.operations.spent(asker.caller.tenant, asker.caller.id, limit);
  if (spent.minor + amount.minor > limit.perDay.minor) throw dayExceeded(limit, spent, amount);
}

/**
 * Whether the larger of what moves and what is given up exceeds the amount from which the page, or a second person, approves. True if what
 * moves is unknown, or one of them is in another currency: it cannot be compared.
 */
export function isAbove(money: MoneyAtStake | undefined, limit: Money | undefined): boolean {
  if (money === undefined || limit === undefined) return false;
  const { amount, givenUp = amount } = money;
  return [amount, givenUp].some(
    (sum) => sum === undefined || sum.currency !== limit.currency || sum.minor > limit.minor,
  );
}

/** The error of an exceeded daily limit. Callers have both a limit and an amount then, whatever their types say. */
export function dayExceeded(limit: DayLimit | undefined, spent: Money, money: Money | undefined): ClerkError {
  const { perDay } = limit as DayLimit;
  const amount = money as Money;
  const over = showMoney({ minor: spent.minor + amount.minor - perDay.minor, currency: amount.currency });
  return limitError(
    `${showMoney(spent)} was moved in the last 24 hours, and with ${showMoney(amount)} that is ${over} over the limit of ${showMoney(perDay)} for a caller's day.`,
  );
}

function limitError(reason: string): ClerkError {
  return new ClerkError('E_LIMIT', `${reason} Nothing was sent.`, {
    next: 'Tell the person. If they have the authority, they can do this at the airline, or the operator can raise FARECLERK_LIMIT_PER_ACTION or FARECLERK_LIMIT_PER_DAY.',
  });
}
