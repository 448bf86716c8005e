/** Sums of what a plan moves: for people, and for the limits. */

import type { MoneyAtStake } from '../approvals/terms.ts';
import type { Money } from '../core/money.ts';
import type { PlanSum } from './plan.ts';
import type { StepTerms } from './ports.ts';

type Moves = Pick<StepTerms, 'money' | 'estimate'>;

interface CurrencySum {
  paid: number;
  back: number;
  most: number;
  paidAtMost?: true;
}

/** One for each currency. An amount that is not known, and has no currency, is said with the first. */
export function sumsOf(steps: readonly Moves[]): readonly PlanSum[] {
  const sums = new Map<string, CurrencySum>();
  let unknown: Pick<PlanSum, 'atLeast' | 'paidUnknown'> = {};
  for (const { money, estimate } of steps) {
    if (money === undefined) continue;
    const isPaid = money.direction === 'payment';
    const range = isPaid ? exactly(money.amount) : comingBack(estimate);
    const currency = (range?.least ?? money.amount)?.currency;
    const sum = sums.get(currency ?? '') ?? { paid: 0, back: 0, most: 0 };
    if (currency !== undefined) sums.set(currency, sum);
    if (range === undefined) {
      unknown = isPaid ? { ...unknown, paidUnknown: true } : { ...unknown, atLeast: true };
      continue;
    }
    if (isPaid) sum.paid += range.least.minor;
    else sum.back += range.least.minor;
    if (!isPaid) sum.most += range.most.minor;
    if (isPaid && money.isUpperBound) sum.paidAtMost = true;
  }
  if (sums.size === 0 && Object.keys(unknown).length > 0) sums.set('', { paid: 0, back: 0, most: 0 });
  return [...sums].map(([currency, { paid, back, most, ...marks }], i) => ({
    ...marks,
    ...(i === 0 ? unknown : {}),
    paid: { minor: paid, currency },
    comesBack: { minor: back, currency },
    ...(most > back && { comesBackAtMost: { minor: most, currency } }),
  }));
}

const exactly = (amount: Money | undefined) => amount && { least: amount, most: amount };

/** By the estimate or its bounds, as a question about the act alone says them. Undefined if neither is known. */
function comingBack(estimate: Moves['estimate']) {
  if (estimate?.amount !== undefined) return exactly(estimate.amount);
  const bounds = estimate?.bounds;
  return bounds && { least: bounds.atLeast, most: bounds.atMost };
}

/** Everything that can move, payments and refunds alike, as limits count it. Undefined: nothing does. */
export function stakeOf(steps: readonly Moves[]): MoneyAtStake | undefined {
  const moved = steps.flatMap(({ money }) => (money === undefined ? [] : [money]));
  const [first] = moved;
  if (first === undefined) return undefined;
  const direction = moved.some((one) => one.direction === 'payment') ? 'payment' : 'refund';
  const isUpperBound = moved.some((one) => one.isUpperBound) || undefined;
  return {
    direction,
    amount: totalOf(moved.map(({ amount }) => amount)),
    isUpperBound,
  } as MoneyAtStake;
}

/** Undefined if an amount is not known, or is in another currency. */
function totalOf(amounts: readonly (Money | undefined)[]): Money | undefined {
  const known = amounts.filter((amount) => amount !== undefined);
  const [first] = known;
  if (first === undefined || known.length < amounts.length) return undefined;
  const { currency } = first;
  if (known.some((one) => one.currency !== currency)) return undefined;
  return { minor: known.reduce((sum, { minor }) => sum + minor, 0), currency };
}
