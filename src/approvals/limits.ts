/**
 * Limits of money, checked before a person is asked: per action, which is checked again before each send, and per caller and
 * day, which binds in store/day-limit.ts when the operation is entered: two calls at once cannot both pass it.
 */

import { ClerkError } from '../core/errors.ts';
import { type Money, showMoney, subtractMoney } from '../core/money.ts';
import { DAY_MS } from '../core/times.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Clock, DayLimit, OperationStore } from '../journal/ports.ts';
import type { MoneyAtStake } from './terms.ts';

export interface Limits {
  readonly perAction?: Money;
  readonly perDay?: Money;
}

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
      const why = money.isUpperBound ? `: the most that can move counts, because the ${unknown} is not known` : '';
      throw limitError(`${showMoney(amount)} is ${over} over the limit of ${showMoney(most)} for ${name}${why}.`);
    }
  }
}

/** Whose day it is, and where it is summed up. */
interface LimitedCall {
  readonly settings: { readonly limits: Limits };
  readonly runtime: { readonly clock: Clock; readonly state: { readonly operations: Pick<OperationStore, 'spent'> } };
  readonly asker: { readonly caller: Caller };
}

/** Throws E_LIMIT if the caller's last 24 hours have no room for it. */
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

/** Also true where the amount is unknown or in another currency: it cannot be compared. */
export function isAbove(money: MoneyAtStake | undefined, mark: Money | undefined): boolean {
  if (money === undefined || mark === undefined) return false;
  const { amount } = money;
  return amount === undefined || amount.currency !== mark.currency || amount.minor > mark.minor;
}

export function dayExceeded(limit: DayLimit, spent: Money, amount: Money): ClerkError {
  const over = showMoney({ minor: spent.minor + amount.minor - limit.perDay.minor, currency: amount.currency });
  return limitError(
    `${showMoney(spent)} was moved in the last 24 hours; with ${showMoney(amount)} that is ${over} over the limit of ${showMoney(limit.perDay)} for a caller's day.`,
  );
}

function limitError(reason: string): ClerkError {
  return new ClerkError('E_LIMIT', `${reason} Nothing was sent.`, {
    next: 'A person with authority must do this at the airline, or the operator raises FARECLERK_LIMIT_PER_ACTION or FARECLERK_LIMIT_PER_DAY.',
  });
}
