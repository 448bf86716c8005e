/** The words of the one question about a plan. */
import { showMoney } from '../../domain/pricing/money.ts';
import type { MoneyAtStake, TermsSection } from '../terms.ts';
import { at } from './parts.ts';
import { MOST_LINES_IN_DIALOG, type PlanLine } from './plan.ts';
import type { PlanBody, StepTerms } from './ports.ts';
import { sumsOf } from './sums.ts';
import { termsOf } from './view.ts';

/** The words of the yes. */
export function wordsOfYes(lines: number, stake: MoneyAtStake | undefined): string {
  const what = lines === 1 ? 'Carry out this line' : `Carry out these ${lines} lines`;
  if (stake === undefined) return what;
  const amount =
    stake.amount === undefined ? 'an unknown amount' : `${stake.whole ? 'at most ' : ''}${showMoney(stake.amount)}`;
  return `${what}, ${amount} in all`;
}

/** Each line with what it does, and the sums. A short plan has all its terms here: a dialog shows nothing else. */
export function planSections(body: PlanBody, asked: readonly number[]): readonly TermsSection[] {
  const isShort = asked.length <= MOST_LINES_IN_DIALOG;
  const sums = sumLines(asked.flatMap((line) => termsOf(body, line - 1)));
  const left = Object.entries(body.notAsked).map(
    ([n, why]) => `Left out: ${n}. ${titleOf(at(body.lines, Number(n) - 1))}: ${why}`,
  );
  return [
    { kind: 'act', lines: [`One yes for ${asked.length === 1 ? 'one line' : `${asked.length} lines`}.`, ...sums] },
    ...asked.flatMap((line) => lineSections(body, line, isShort)),
    ...(left.length === 0 ? [] : [{ kind: 'note' as const, lines: left }]),
    { kind: 'note', lines: [ON_THE_PAGE] },
  ];
}

const ON_THE_PAGE =
  'Each line is read again before it is sent, and is left out if its terms have changed. On the approval page single lines can be left out.';

function lineSections(body: PlanBody, line: number, isShort: boolean): readonly TermsSection[] {
  const terms = termsOf(body, line - 1);
  const acts = terms.map(({ act }) => act).join('; ');
  const head = { kind: 'act' as const, lines: [`${line}. ${titleOf(at(body.lines, line - 1))}: ${acts}`] };
  const shown = terms
    .flatMap(({ sections }) => sections)
    .filter(({ kind }) => isShort || kind === 'caution' || kind === 'refund');
  return [head, ...shown];
}

export function titleOf({ title, locator }: Pick<PlanLine, 'title' | 'locator'>): string {
  return locator === undefined || title.includes(locator) ? title : `${title} ${locator}`;
}

/** `Paid in all: SAR 1,200.00.` */
export function sumLines(steps: readonly Pick<StepTerms, 'money' | 'estimate'>[]): readonly string[] {
  return sumsOf(steps).flatMap(({ paid, comesBack, atLeast }) => [
    ...(paid.minor > 0 ? [`Paid in all: ${showMoney(paid)}.`] : []),
    ...(comesBack.minor > 0 || atLeast
      ? [`Comes back, estimated: ${atLeast ? 'at least ' : ''}${showMoney(comesBack)}.`]
      : []),
  ]);
}
