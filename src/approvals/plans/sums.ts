/** Sums of what a plan moves: for people, and for the limits. */
import type { Money } from '../../domain/pricing/money.ts';
import { omitUndefined } from '../../domain/time-and-text/omit-undefined.ts';
import type { MoneyAtStake } from '../terms.ts';
import type { PlanSum } from './plan.ts';
import type { StepTerms } from './ports.ts';

type Moves = Pick<StepTerms, 'money' | 'estimate'>;

/** One for each currency. An amount that is not known makes it a least. */
export function sumsOf(steps: readonly Moves[]): readonly PlanSum[] {
  const sums = new Map<string, { paid: number; back: number; atLeast: boolean }>();
  const of = (currency: string) => {
    const known = sums.get(currency) ?? { paid: 0, back: 0, atLeast: false };
    sums.set(currency, known);
    return known;
  };
  for (const { money, estimate } of steps) {
    const amount = money?.direction === 'payment' ? money.amount : estimate?.amount;
    const currency = (amount ?? money?.amount)?.currency;
    if (money === undefined || currency === undefined) continue;
    const sum = of(currency);
    sum[money.direction === 'payment' ? 'paid' : 'back'] += amount?.minor ?? 0;
    sum.atLeast ||= amount === undefined;
  }
  return [...sums].map(([currency, { paid, back, atLeast }]) => ({
    paid: { minor: paid, currency },
    comesBack: { minor: back, currency },
    ...(atLeast && { atLeast: true as const }),
  }));
}

/** Everything that can move, payments and refunds alike, as limits count it. Undefined: nothing does. */
export function stakeOf(steps: readonly Moves[]): MoneyAtStake | undefined {
  const moved = steps.flatMap(({ money }) => (money === undefined ? [] : [money]));
  const [first] = moved;
  if (first === undefined) return undefined;
  const direction = moved.some((one) => one.direction === 'payment') ? 'payment' : 'refund';
  const whole = moved.some((one) => one.whole) || undefined;
  return omitUndefined({ direction, amount: totalOf(moved.map(({ amount }) => amount)), whole }) as MoneyAtStake;
}

/** Undefined if an amount is not known, or is in another currency. */
function totalOf(amounts: readonly (Money | undefined)[]): Money | undefined {
  const told = amounts.filter((one) => one !== undefined);
  const [first] = told;
  if (first === undefined || told.length < amounts.length) return undefined;
  const { currency } = first;
  if (told.some((one) => one.currency !== currency)) return undefined;
  return { minor: told.reduce((sum, { minor }) => sum + minor, 0), currency };
}
