/** What the lines of a plan would move, in words: before the yes, and beside what became of them. */
import { type Money, showMoney } from '../../domain/pricing/money.ts';
import type { Approval } from '../ports.ts';
import type { LineView, PlanSum, PlanView, StepView } from './plan.ts';

/** What a step would move: `pays SAR 345.00`, `about SAR 86.25 comes back`. Undefined if no money moves. */
export function moneyWords({ money, estimate }: Pick<StepView, 'money' | 'estimate'>): string | undefined {
  if (money === undefined) return undefined;
  const { direction, amount, whole } = money;
  const most = whole === true ? 'at most ' : '';
  if (direction === 'payment')
    return amount === undefined ? 'pays what is not known yet' : `pays ${most}${showMoney(amount)}`;
  if (estimate?.amount !== undefined) return backWords(estimate.amount);
  if (estimate?.bounds !== undefined) {
    const { atLeast, atMost } = estimate.bounds;
    return `between ${showMoney(atLeast)} and ${showMoney(atMost)} comes back`;
  }
  return amount === undefined ? 'what comes back is not known' : `at most ${showMoney(amount)} comes back`;
}

function backWords(amount: Money): string {
  return amount.minor === 0 ? 'nothing comes back' : `about ${showMoney(amount)} comes back`;
}

/** Of a line that waits for an answer, what is asked; else of all its steps. */
export function lineMoney({ steps }: Pick<LineView, 'steps'>): readonly string[] {
  const asked = steps.filter(({ state }) => state === 'asked');
  return (asked.length > 0 ? asked : steps).flatMap((step) => moneyWords(step) ?? []);
}

/** `SAR 345.00 is paid; about SAR 86.25 comes back`: of one currency. */
export function sumWords(sum: PlanSum): string {
  return `${payingWords(sum)}; ${comingBackWords(sum)}`;
}

function payingWords({ paid, paidAtMost, paidUnknown }: PlanSum): string {
  const most = paidAtMost ? 'at most ' : '';
  if (paid.minor === 0) return paidUnknown ? 'what is paid is not known yet' : 'nothing is paid';
  return `${most}${showMoney(paid)}${paidUnknown ? ', and an amount that is not known yet,' : ''} is paid`;
}

function comingBackWords({ comesBack, comesBackAtMost, atLeast }: PlanSum): string {
  const isNothing = comesBack.minor === 0 && comesBackAtMost === undefined;
  if (atLeast === true && isNothing) return 'what comes back is not known yet';
  const known =
    comesBackAtMost === undefined
      ? backWords(comesBack)
      : `between ${showMoney(comesBack)} and ${showMoney(comesBackAtMost)} comes back`;
  return atLeast === true ? `${known}, and an amount that is not known yet` : known;
}

/** `Carry out these 12 lines` */
export function carryOutWords(lines: number): string {
  return lines === 1 ? 'Carry out this line' : `Carry out these ${lines} lines`;
}

/** Lines with something that no later act takes back: a cancellation. From 1. */
export function finalLines({ lines }: Pick<PlanView, 'lines'>): readonly number[] {
  return lines.filter(({ steps }) => steps.some(({ nature }) => nature === 'cancellation')).map(({ n }) => n);
}

/** `Line 3 of plan pl_k3J9xQ2mVd0a`, of a step that is asked by itself; undefined for any other question. */
export function lineOfPlan({ part }: Pick<Approval, 'part'>): string | undefined {
  return part === undefined || part.line === 0 ? undefined : `Line ${part.line} of plan ${part.plan}`;
}

/** `1-3, 5` */
export function rangeWords(numbers: readonly number[]): string {
  const runs: [from: number, to: number][] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** `1 line`, `12 lines` */
export function lineCount(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'}`;
}
