/** The words of the one question about a plan, and what is said of a line whose payment may fail. */

import type { TermsSection } from '../approvals/terms.ts';
import { showMoney } from '../core/money.ts';
import { carryOutWords, reasonText, sumWords } from './line-words.ts';
import { itemAt } from './parts.ts';
import { type LineView, MOST_LINES_IN_DIALOG, type PlanLine } from './plan.ts';
import type { PlanBody, StepTerms } from './ports.ts';
import { sumsOf } from './sums.ts';

/** A line of the question, with what it would do. */
interface AskedLine {
  /** From 1. */
  readonly line: number;
  readonly terms: readonly StepTerms[];
}

/** The words of the yes: `Cancel 2 bookings: nothing is paid; about SAR 86.25 comes back`. */
export function wordsOfYes({ lines }: Pick<PlanBody, 'lines'>, asked: readonly AskedLine[]): string {
  const titles = asked.map(({ line, terms }) => {
    const { title, steps } = itemAt(lines, line - 1);
    return { title, isRest: terms.length < steps.filter(({ insteadOf }) => insteadOf === undefined).length };
  });
  const what = carryOutWords(titles);
  const sums = sumsOf(asked.flatMap(({ terms }) => terms)).map(sumWords);
  return sums.length === 0 ? what : `${what}: ${sums.join('; ')}`;
}

/** Each line with what it does, and the sums. A short plan has all its terms here: a dialog shows nothing else. */
export function planSections(body: PlanBody, asked: readonly AskedLine[]): readonly TermsSection[] {
  const isShort = asked.length <= MOST_LINES_IN_DIALOG;
  const sums = sumLines(asked.flatMap(({ terms }) => terms));
  const left = Object.entries(body.notAsked).map(
    ([n, why]) => `Left out: ${n}. ${titleOf(itemAt(body.lines, Number(n) - 1))}: ${why}`,
  );
  return [
    {
      kind: 'act',
      lines: [`One yes for ${asked.length === 1 ? 'one booking' : `${asked.length} bookings`}.`, ...sums],
    },
    ...asked.flatMap((line) => lineSections(body, line, isShort)),
    ...(left.length === 0 ? [] : [{ kind: 'note' as const, lines: left }]),
    { kind: 'note', lines: [ON_THE_PAGE] },
  ];
}

const ON_THE_PAGE =
  'Each booking is read again before it is changed, and is left out if its terms have changed. On the approval page single bookings can be left out.';

/** Said of every line with a hold that is released if it is not paid. */
const RELEASED_FREE = 'If the new booking cannot be paid, its hold is released; that is free.';

function lineSections(body: PlanBody, { line, terms }: AskedLine, isShort: boolean): readonly TermsSection[] {
  const planLine = itemAt(body.lines, line - 1);
  const acts = terms.map(({ act }) => act).join('; ');
  const why = planLine.reason === undefined ? [] : [reasonText(planLine.reason)];
  const head = { kind: 'act' as const, lines: [`${line}. ${titleOf(planLine)}: ${acts}`, ...why] };
  const shown = terms
    .flatMap(({ sections }) => sections)
    .filter(({ kind }) => isShort || kind === 'caution' || kind === 'refund');
  const isFreed = planLine.steps.some(({ insteadOf }) => insteadOf !== undefined) && terms.length > 1;
  return [head, ...shown, ...(isFreed ? [{ kind: 'note' as const, lines: [RELEASED_FREE] }] : [])];
}

export function titleOf({ title, locator }: Pick<PlanLine, 'title' | 'locator'>): string {
  return locator === undefined || title.includes(locator) ? title : `${title} ${locator}`;
}

/** `Paid in all: SAR 1,200.00.` */
function sumLines(steps: readonly Pick<StepTerms, 'money' | 'estimate'>[]): readonly string[] {
  return sumsOf(steps).flatMap((sum) => {
    const { paid, comesBack, comesBackAtMost, atLeast } = sum;
    const to = comesBackAtMost === undefined ? '' : ` to ${showMoney(comesBackAtMost)}`;
    const most = sum.paidAtMost ? 'at most ' : '';
    const more = sum.paidUnknown ? ', and an amount that is not known' : '';
    const isPaid = paid.minor > 0;
    const isUnknown = atLeast && comesBack.minor === 0 && to === '';
    return [
      ...(isPaid ? [`Paid in all: ${most}${showMoney(paid)}${more}.`] : []),
      ...(!isPaid && sum.paidUnknown ? ['What is paid is not known.'] : []),
      ...(comesBack.minor > 0 || to !== '' || atLeast
        ? [
            isUnknown
              ? 'What comes back is not known.'
              : `Comes back, estimated: ${atLeast ? 'at least ' : ''}${showMoney(comesBack)}${to}.`,
          ]
        : []),
    ];
  });
}

/** What happens to a line where its payment is certainly not made: of each such line, from 1. */
export function releaseWords(lines: readonly PlanLine[]): ReadonlyMap<number, string> {
  const released = lines.map(
    ({ steps }, i) => [i + 1, steps.some(({ insteadOf }) => insteadOf !== undefined)] as const,
  );
  return new Map(released.filter(([, is]) => is).map(([n]) => [n, RELEASED_FREE]));
}

/** Not of a line of which only the rest is asked: what was paid is not released. */
export function releaseOf({ n, steps }: LineView, releases: ReturnType<typeof releaseWords>): readonly string[] {
  const words = releases.get(n);
  return words === undefined || steps.filter(({ state }) => state === 'asked').length < 2 ? [] : [words];
}
