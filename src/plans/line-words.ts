/** What the lines of a plan would move, in words: before the yes, and beside what became of them. */

import type { Approval } from '../approvals/ports.ts';
import { changedLines, type TermsSection } from '../approvals/terms.ts';
import { addMoney, type Money, showMoney } from '../core/money.ts';
import { capitalized } from '../core/words.ts';
import type { LineState, LineView, PlanSum, PlanView, StepView } from './plan.ts';

/** What a step would move: `pays SAR 345.00`, `about SAR 86.25 comes back`. Undefined if no money moves. */
function moneyWords({ money, estimate }: Pick<StepView, 'money' | 'estimate'>): string | undefined {
  if (money === undefined) return undefined;
  const { direction, amount, isUpperBound } = money;
  const most = isUpperBound === true ? 'at most ' : '';
  if (direction === 'payment')
    return amount === undefined ? 'pays what is not known yet' : `pays ${most}${showMoney(amount)}`;
  if (estimate?.amount !== undefined) return backWords(estimate.amount);
  if (estimate?.bounds !== undefined) {
    const { bounds, rule = '' } = estimate;
    const between = `between ${showMoney(bounds.atLeast)} and ${showMoney(bounds.atMost)} comes back`;
    // Why there is no amount comes first: the airline's own words may permit nothing.
    return rule === '' ? between : `${rule.charAt(0).toLowerCase()}${rule.slice(1).replace(/\.$/, '')}; ${between}`;
  }
  return 'what comes back is not known';
}

function backWords(amount: Money): string {
  return amount.minor === 0 ? 'nothing comes back' : `about ${showMoney(amount)} comes back`;
}

/** Of a line that waits for an answer, what is asked; else of all its steps. */
export function lineMoney({ steps }: Pick<LineView, 'steps'>): readonly string[] {
  const asked = steps.filter(({ state }) => state === 'asked');
  return (asked.length > 0 ? asked : steps).flatMap((step) => moneyWords(step) ?? []);
}

export const NOT_STATED = {
  charge: 'the airline did not state what it charged',
  refund: 'the airline did not state what came back',
} as const;

/** What a step that is done moved: `SAR 345.00 was paid`, `SAR 86.25 came back`. Undefined if no money moved. */
function movedWords({ moved }: Pick<StepView, 'moved'>): string | undefined {
  if (moved === undefined) return undefined;
  const { paid, refunded, unstated } = moved;
  if (unstated !== undefined) return NOT_STATED[unstated];
  const said = [paid && `${showMoney(paid)} was paid`, refunded && `${showMoney(refunded)} came back`];
  return said.filter((one) => one !== undefined).join(', ') || undefined;
}

/** Of each step of a line that is done. */
export function lineMoved({ steps }: Pick<LineView, 'steps'>): readonly string[] {
  return steps.flatMap((step) => movedWords(step) ?? []);
}

/** `In all SAR 1,328.00 was paid, and SAR 2,205.50 came back.`: a sentence for each currency, of what the journal proves. */
export function totalsMoved({ state, lines }: Pick<PlanView, 'state' | 'lines'>): readonly string[] {
  const steps = lines.flatMap((line) => line.steps);
  const byCurrency = sumsMoved(steps).map(({ paid, refunded }) => {
    const [out, back] = [paid, refunded].map((sum) => (sum && sum.minor > 0 ? showMoney(sum) : 'nothing'));
    return `${state === 'running' ? 'So far' : 'In all'} ${out} was paid, and ${back} came back.`;
  });
  const unstated = steps.filter(({ moved }) => moved?.unstated !== undefined).length;
  if (unstated === 0) return byCurrency;
  const acts = unstated === 1 ? 'one act' : `${unstated} acts`;
  return [...byCurrency, `Of ${acts} the airline did not state what moved.`];
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
    const { [field]: before, ...sum } = sums.get(currency) ?? { currency };
    sums.set(currency, { ...sum, [field]: before === undefined ? amount : addMoney(before, amount) });
  };
  for (const { moved } of steps) {
    add('paid', moved?.paid);
    add('refunded', moved?.refunded);
  }
  return [...sums.values()];
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

/** `Why: the airline changed it: train 101 …` */
export function reasonText(reason: string): string {
  return `Why: ${reason}`;
}

/** A line of a question. */
interface AskedTitle {
  readonly title: string;
  /** Some of its acts were done before. */
  readonly isRest: boolean;
}

/** `Move 7, cancel 5 bookings`; `Cancel this booking`: each line is about one. */
export function carryOutWords(lines: readonly AskedTitle[]): string {
  const acts = Map.groupBy(lines, ({ title, isRest }) => (isRest ? 'finish' : actIn(title)));
  const counted = [...acts].map(([act, { length }]) => `${act} ${lines.length === 1 ? 'this' : length}`);
  return capitalized(`${counted.join(', ')} ${lines.length === 1 ? 'booking' : 'bookings'}`);
}

/** `move` of `Move booking ABC123 to …`, `assign seats of` of `Assign seats: ABC123`. */
function actIn(title: string): string {
  const [, verb, what] = /^(\w+) (?:booking\b|([\w ]+):)/.exec(title) ?? [];
  if (verb === undefined) return 'change';
  return what === undefined ? verb.toLowerCase() : `${verb.toLowerCase()} ${what} of`;
}

/** Lines with something that no later act takes back: a cancellation. From 1. */
export function finalLines({ lines }: Pick<PlanView, 'lines'>): readonly number[] {
  return lines.filter(({ steps }) => steps.some(({ nature }) => nature === 'cancellation')).map(({ n }) => n);
}

/** Of a step that is asked by itself, after {@link lineOfPlan}. */
export const ASKED_BY_ITSELF = '. Its terms changed after the step before it was paid, so it is asked by itself.';

/** `Booking 3 of plan pl_k3J9xQ2mVd0a`, of a step that is asked by itself; undefined for any other question. */
export function lineOfPlan({ part }: Pick<Approval, 'part'>): string | undefined {
  return part === undefined || part.line === 0 ? undefined : `Booking ${part.line} of plan ${part.plan}`;
}

/** `Done: Hold … (Booked as XYZ789); Pay SAR 100.00. NOT done: Cancel ABC123.` */
export function actsDone(steps: readonly StepView[], line: LineState): readonly string[] {
  const [done = [], left = []] = [true, false].map((isDone) =>
    steps.filter(({ state }) => (state === 'done') === isDone),
  );
  const acts = (some: readonly StepView[]) =>
    some
      .map(({ act, state, why }) => (state === 'done' && why !== undefined ? `${act} (${why.slice(0, -1)})` : act))
      .join('; ');
  const notDone = line === 'partly_done' || line === 'asks_again' ? [`NOT done: ${acts(left)}.`] : [];
  return done.length === 0 ? [] : [`Done: ${acts(done)}.`, ...notDone];
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

/**
 * Why a line whose terms changed after the question was not sent: only what differs, which a person would have to look for.
 * @param now lines of the new terms
 */
export function driftWords(asked: readonly TermsSection[], now: readonly string[]): string {
  const { fresh, gone } = changedLines(asked, now);
  const sentence = (word: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`${word}: ${lines.join(' ')}`];
  return ['Its terms changed after the question.', ...sentence('Now', fresh), ...sentence('No longer', gone)].join(' ');
}
