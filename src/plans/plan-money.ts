/** Sums the money that a plan would move or has moved, for people and for the limits, and puts the sums in words. */
import type { MoneyAtStake } from '../approvals/terms.ts';
import {
  addMoney,
  greatestIfAllKnown,
  type Money,
  sameMoney,
  showMoney,
  sumIfAllKnown,
  sumMoney,
} from '../core/money.ts';
import { capitalized, uncapitalized } from '../core/words.ts';
import { comesBackText, givenUpText, moneyOrNothing, onConditionWords } from '../domain/refund/back-words.ts';
import type { LineView, PlanSum, PlanView, StepTerms, StepView } from './plan.ts';

const NOT_STATED = {
  charge: 'the airline did not state what it charged',
  refund: 'the airline did not state what came back',
} as const;

/** What a step would move: `pays SAR 345.00`, `about SAR 86.25 comes back`. Undefined if no money moves. */
function moneyWords({ money, estimate }: Pick<StepView, 'money' | 'estimate'>): string | undefined {
  if (money === undefined) return undefined;

  const { direction, amount, isUpperBound } = money;
  const upTo = isUpperBound === true ? 'at most ' : '';
  if (direction === 'payment')
    return amount === undefined ? 'pays what is not known yet' : `pays ${upTo}${showMoney(amount)}`;

  const { amount: back, bounds, onCondition, rule = '' } = estimate ?? {};
  const condition = onConditionWords(onCondition, back ?? bounds?.atMost);
  const words = `${comesBackText({ amount: back, bounds }, 'about ')}${condition}`;
  // The reason comes before a range: by the airline's own words, nothing may come back.
  const isRange = back === undefined && bounds !== undefined;
  return isRange && rule !== '' ? `${uncapitalized(rule).replace(/\.$/, '')}; ${words}` : words;
}

/** What the steps of a line would move: if the line waits for an answer, only the steps that are asked. */
export function lineMoney({ steps }: Pick<LineView, 'steps'>): readonly string[] {
  const asked = steps.filter(({ state }) => state === 'asked');
  return (asked.length > 0 ? asked : steps).flatMap((step) => moneyWords(step) ?? []);
}

/** What the steps of a line moved: `SAR 345.00 was paid`, `SAR 86.25 came back`. Empty if no money moved. */
export function lineMoved({ steps }: Pick<LineView, 'steps'>): readonly string[] {
  const stated = sumsMoved(steps).flatMap(({ paid, refunded }) => [
    paid && `${showMoney(paid)} was paid`,
    refunded && `${showMoney(refunded)} came back`,
  ]);
  const unstated = steps.flatMap(({ moved }) => (moved?.unstated === undefined ? [] : NOT_STATED[moved.unstated]));
  return [...stated.filter((words) => words !== undefined), ...new Set(unstated)];
}

/**
 * What the journal proves, a sentence for each currency: `In all SAR 1,328.00 was paid, and SAR 2,205.50 came back.`
 */
export function totalsMoved({ state, lines }: Pick<PlanView, 'state' | 'lines'>): readonly string[] {
  const steps = lines.flatMap((line) => line.steps);
  const byCurrency = sumsMoved(steps).map(({ paid, refunded }) => {
    const soFar = state === 'running' ? 'So far' : 'In all';
    return `${soFar} ${moneyOrNothing(paid)} was paid, and ${moneyOrNothing(refunded)} came back.`;
  });
  return [...byCurrency, ...unstatedTexts(steps).map((words) => `${capitalized(words)}.`)];
}

/** What the journal proves of steps, in parts: `SAR 1,328.00 paid`, `SAR 2,205.50 came back`. */
export function movedTexts(steps: readonly Pick<StepView, 'moved'>[]): readonly string[] {
  const parts = sumsMoved(steps).flatMap(({ paid, refunded }) => [
    `${moneyOrNothing(paid)} paid`,
    `${moneyOrNothing(refunded)} came back`,
  ]);
  return [...parts, ...unstatedTexts(steps)];
}

/** `the airline stated no amount for one step`; empty if it stated all. */
function unstatedTexts(steps: readonly Pick<StepView, 'moved'>[]): readonly string[] {
  const unstated = steps.filter(({ moved }) => moved?.unstated !== undefined).length;
  if (unstated === 0) return [];
  return [`the airline stated no amount for ${unstated === 1 ? 'one step' : `${unstated} steps`}`];
}

interface MovedSum {
  readonly currency: string;
  readonly paid?: Money;
  readonly refunded?: Money;
}

/** What the journal proves of steps, for each currency. */
export function sumsMoved(steps: readonly Pick<StepView, 'moved'>[]): readonly MovedSum[] {
  const sums = new Map<string, MovedSum>();

  const add = (field: 'paid' | 'refunded', amount: Money | undefined) => {
    if (amount === undefined) return;
    const { currency } = amount;
    const sum: MovedSum = sums.get(currency) ?? { currency };
    const before = sum[field];
    sums.set(currency, { ...sum, [field]: before === undefined ? amount : addMoney(before, amount) });
  };

  for (const { moved } of steps) {
    add('paid', moved?.paid);
    add('refunded', moved?.refunded);
  }

  return [...sums.values()];
}

/** One sum in words: `costs SAR 345.00; about SAR 86.25 comes back`. */
export function sumWords(sum: PlanSum): string {
  return `${payingWords(sum)}; ${comingBackWords(sum)}`;
}

function payingWords({ paid, paidAtMost, paidUnknown }: PlanSum): string {
  const upTo = paidAtMost ? 'at most ' : '';
  if (paid.minor === 0) return `costs ${paidUnknown ? 'an amount that is not known' : 'nothing'}`;
  return `costs ${upTo}${showMoney(paid)}${paidUnknown ? ', and an amount that is not known' : ''}`;
}

function comingBackWords(sum: PlanSum): string {
  const { comesBack, comesBackAtMost: atMost, comesBackUnknown, comesBackOnCondition: onCondition } = sum;
  if (comesBackUnknown && comesBack.minor === 0) return comesBackText({});
  if (comesBackUnknown) {
    return `${comesBackText({ amount: comesBack }, 'at least ')}${onConditionWords(sum.leastOnCondition, comesBack)}`;
  }

  const back = atMost === undefined ? { amount: comesBack } : { bounds: { atLeast: comesBack, atMost } };
  return `${comesBackText(back, 'about ')}${onConditionWords(onCondition, atMost ?? comesBack)}`;
}

/** What the terms of a step say about money. */
type Moves = Pick<StepTerms, 'money' | 'estimate'>;

/** What one step moves. */
interface Movement {
  readonly direction: MoneyAtStake['direction'];
  /** Undefined if the amount is not known. */
  readonly range: { readonly least: Money; readonly most: Money } | undefined;
  /** Undefined if the currency is not known. It can be known without the amount. */
  readonly currency: string | undefined;
  readonly isUpperBound: boolean;
  readonly onCondition: Money | undefined;
  readonly givenUp: Money | undefined;
  /** What the airline keeps, where it is known what comes back: then so much is given up, and not at most. */
  readonly kept: Money | undefined;
}

function movementsIn(steps: readonly Moves[]): readonly Movement[] {
  return steps.flatMap(({ money, estimate }): Movement[] => {
    if (money === undefined) return [];
    const { direction, amount, isUpperBound = false, givenUp } = money;
    const range = direction === 'payment' ? exactly(amount) : comingBack(estimate);
    const { currency } = range?.least ?? amount ?? givenUp ?? {};
    const onCondition = estimate?.onCondition;
    const kept = estimate?.amount && estimate.penalty;
    return [{ direction, range, currency, isUpperBound, onCondition, givenUp, kept }];
  });
}

/**
 * Sums what the steps move, once for each currency. An unknown amount has no currency: the first sum says that there is one. If no
 * currency is known, the only sum is of zeros, in the currency ''.
 */
export function sumByCurrency(steps: readonly Moves[]): readonly PlanSum[] {
  const movements = movementsIn(steps);
  if (movements.length === 0) return [];

  const isUnknown = (direction: Movement['direction']) =>
    movements.some((movement) => movement.direction === direction && movement.range === undefined);
  const paidUnknown = isUnknown('payment') ? true : undefined;
  const comesBackUnknown = isUnknown('refund') ? true : undefined;
  const currencies = new Set(movements.flatMap(({ currency }) => currency ?? []));
  const [firstSum = sumIn('', movements), ...otherSums] = [...currencies].map((currency) => sumIn(currency, movements));
  return [{ ...firstSum, paidUnknown, comesBackUnknown }, ...otherSums];
}

/** Sums the known amounts in this currency. */
function sumIn(currency: string, movements: readonly Movement[]): PlanSum {
  const inCurrency = movements.filter((movement) => movement.currency === currency);
  const payments = inCurrency.filter(({ direction }) => direction === 'payment');
  const refunds = inCurrency.filter(({ direction }) => direction === 'refund');

  const total = (some: readonly Movement[], end: 'least' | 'most'): Money => {
    const amounts = some.flatMap(({ range }) => range?.[end] ?? []);
    return { minor: amounts.reduce((sum, { minor }) => sum + minor, 0), currency };
  };

  const comesBack = total(refunds, 'least');
  const comesBackAtMost = total(refunds, 'most');
  const onCondition = refunds.reduce((sum, refund) => sum + (refund.onCondition?.minor ?? 0), 0);
  const leastOnCondition = refunds.reduce(
    (sum, refund) => sum + Math.min(refund.onCondition?.minor ?? 0, refund.range?.least.minor ?? 0),
    0,
  );

  const losses = inCurrency.flatMap(({ givenUp, kept }) =>
    givenUp?.currency === currency ? [{ givenUp, isAtMost: !sameMoney(givenUp, kept) }] : [],
  );

  return {
    paid: total(payments, 'least'),
    paidAtMost: payments.some(({ isUpperBound }) => isUpperBound) ? true : undefined,
    comesBack,
    comesBackAtMost: comesBackAtMost.minor > comesBack.minor ? comesBackAtMost : undefined,
    comesBackOnCondition: onCondition > 0 ? { minor: onCondition, currency } : undefined,
    leastOnCondition: leastOnCondition > 0 ? { minor: leastOnCondition, currency } : undefined,
    givenUp: sumMoney(losses.map(({ givenUp }) => givenUp)),
    givenUpAtMost: losses.some(({ isAtMost }) => isAtMost) ? true : undefined,
  };
}

/** An amount as a range whose least and most are equal. */
function exactly(amount: Money | undefined): Movement['range'] {
  return amount && { least: amount, most: amount };
}

/** The range of a refund: its estimate, or else its bounds. Undefined if neither is known. */
function comingBack(estimate: Moves['estimate']): Movement['range'] {
  if (estimate?.amount !== undefined) return exactly(estimate.amount);
  const bounds = estimate?.bounds;
  return bounds && { least: bounds.atLeast, most: bounds.atMost };
}

/**
 * Everything that can move, payments and refunds together, as limits count it. Undefined if no money moves. If a step gives something up,
 * `givenUp` is the sum of what counts of each: what it moves, or what it gives up, whichever is more.
 */
export function totalStake(steps: readonly Moves[]): MoneyAtStake | undefined {
  const stakes = steps.flatMap(({ money }) => (money === undefined ? [] : [money]));
  const [first] = stakes;
  if (first === undefined) return undefined;

  const direction = stakes.some((money) => money.direction === 'payment') ? 'payment' : 'refund';
  const isUpperBound = stakes.some((money) => money.isUpperBound) || undefined;

  const amount = sumIfAllKnown(stakes.map((money) => money.amount));

  const losses = stakes.flatMap(({ givenUp }) => givenUp ?? []);
  const counted = sumIfAllKnown(stakes.map(largerOf));
  // A loss in another currency cannot be added: it counts as above any amount.
  const givenUp =
    losses.length === 0 ? undefined : (counted ?? losses.find((loss) => loss.currency !== amount?.currency));

  return { direction, amount, isUpperBound, givenUp } as MoneyAtStake;
}

/** What moves, or what is given up, if that is more or cannot be compared. */
function largerOf({ amount, givenUp }: MoneyAtStake): Money | undefined {
  return givenUp === undefined ? amount : (greatestIfAllKnown([amount, givenUp]) ?? givenUp);
}

/** The sums, a sentence each: `Costs SAR 1,200.00.`, `About SAR 86.25 comes back.`, `At most SAR 86.25 is given up.` */
export function sumLines(steps: readonly Pick<StepTerms, 'money' | 'estimate'>[]): readonly string[] {
  return sumByCurrency(steps).flatMap((sum) => {
    const isPaid = sum.paid.minor > 0 || sum.paidUnknown;
    const isBack = sum.comesBack.minor > 0 || sum.comesBackAtMost !== undefined || sum.comesBackUnknown;

    const words: string[] = [];
    if (isPaid) words.push(payingWords(sum));
    if (isBack) words.push(comingBackWords(sum));
    if (sum.givenUp) words.push(`${sum.givenUpAtMost ? 'at most ' : ''}${givenUpText(sum.givenUp)}`);
    return words.map((each) => `${capitalized(each)}.`);
  });
}
