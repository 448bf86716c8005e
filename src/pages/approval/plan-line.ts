/** What the page of a plan shows of a line, before and after the yes, and its sums in words. */
import { actSentence, actTitle } from '../../approvals/asked-act.ts';
import { linesIn, OLD, type SectionKind } from '../../approvals/terms.ts';
import { type Money, showMoney } from '../../core/money.ts';
import { tripTimes } from '../../core/times.ts';
import { capitalized, present } from '../../core/words.ts';
import { onConditionWords } from '../../domain/refund/back-words.ts';
import { conditionSentence } from '../../domain/refund/describe-refund.ts';
import type { LineView, PlanSum, PlanView, StepView } from '../../plans/plan.ts';
import { rangeWords, reasonText } from '../../plans/plan-words.ts';
import { type Html, html, listSection, withArrows } from '../browser/html.ts';
import { drawnItem, type Item, itemsIn, whoAndWhere } from './question-view.ts';

export function leftOutSection({ leftOut }: PlanView): Html | undefined {
  const items = leftOut.map(({ title, why }) => html`<li>${title}: ${why}</li>\n`);
  return listSection('left-out', 'Not in this plan', items);
}

/** Says what is done, and in place of which train; below it the people and the trip that they have now, if those are known. */
export function rowHead({ n, title, about, steps }: LineView): Html {
  const [first, ...more] = steps;
  const what = first === undefined || more.length > 0 ? title : actTitle(first.act);
  const was = oldTrains(steps);
  const wasLine = was === '' ? undefined : html`<br><span class="was">was ${was}</span>`;
  return html`<strong>${n}. ${what}</strong>${wasLine}${about && html`<br>${whoAndWhere(about)}`}`;
}

/** The trains that others replace: `Train HHR101, Tue 1 Dec 08:00-10:10`. */
function oldTrains(steps: readonly StepView[]): string {
  const rides = steps
    .flatMap(({ sections }) => itemsIn(sections, 'trip'))
    .flatMap(({ drawn }) => (drawn?.kind === 'ride' && drawn.before === OLD ? [drawn] : []));

  const texts = rides.map(({ name, departs, arrives }) => {
    const times = tripTimes(departs, arrives);
    return `${name}${times && `, ${times.day} ${times.departure}-${times.arrival}`}`;
  });
  return [...new Set(texts)].join('; ');
}

/**
 * Shows each act of a booking with all that its own page would show, but for its cautions, which stand in the row. People and trips
 * that two acts share stand at the first of them alone. The same fee twice is two fees.
 */
export function termsDetails({ n, title, steps }: LineView): Html {
  const facts = new Set<string>();
  const isRepeated = (kind: SectionKind, { line }: Item) => {
    if (kind !== 'people' && kind !== 'trip') return false;
    const isKnown = facts.has(line);
    facts.add(line);
    return isKnown;
  };

  const acts = steps.map(({ act, sections }) => {
    const items = sections
      .filter(({ kind }) => kind !== 'caution')
      .flatMap((section) => itemsIn([section], section.kind).filter((item) => !isRepeated(section.kind, item)));
    return html`<p class="act">${actSentence(act)}</p>
<ul role="list">
${items.map(drawnItem)}</ul>
`;
  });

  return html`<details class="terms"><summary>Terms<span class="hidden"> of ${n}. ${title}</span></summary>
${acts}</details>
`;
}

/** Says why the line is asked, and why its refund is unknown. */
export function lineReasons({ reason, steps }: LineView): readonly string[] {
  const rules = steps.flatMap(({ estimate }) => (estimate?.amount === undefined ? (estimate?.rule ?? []) : []));
  const conditions = steps.flatMap(({ estimate }) => (estimate?.conditions ?? []).map(conditionSentence));
  return present([reason && reasonText(reason), ...new Set([...rules, ...conditions])]);
}

/**
 * Finds the sentences of more than one row: they stand once above all rows.
 * @returns `sentences` for above the rows, with their bookings, and `shared`, the same as the rows have them, which omit them
 */
export function sentencesAbove(lines: readonly LineView[], sentencesOf: (line: LineView) => readonly string[]) {
  const sentences = lines.flatMap((line) => sentencesOf(line).map((words) => ({ n: line.n, words })));
  const shared = [...Map.groupBy(sentences, ({ words }) => words)].filter(([, rows]) => rows.length > 1);
  return {
    shared: new Set(shared.map(([words]) => words)),
    sentences: shared.map(([words, rows]) =>
      rows.length === lines.length ? words : `${capitalized(bookings(rows.map(({ n }) => n)))}: ${words}`,
    ),
  };
}

/** `bookings 1-3, 5` */
export function bookings(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'booking' : 'bookings'} ${rangeWords(numbers)}`;
}

export function softLines(lines: readonly string[]): readonly Html[] {
  return lines.map((words) => html`<p class="soft">${withArrows(words)}</p>\n`);
}

/** The cautions of a line, each once. */
export function lineCautions({ steps }: LineView): readonly string[] {
  return [...new Set(steps.flatMap(({ sections }) => linesIn(sections, 'caution')))];
}

/** `SAR 345.00 and an unknown sum`, or `nothing`. No line ends within an amount. `givenUp` is absent if nothing is. */
export function drawSums(sums: readonly PlanSum[]): {
  readonly pays: Html;
  readonly back: Html;
  readonly givenUp: Html | undefined;
} {
  const pays = sums
    .filter(({ paid }) => paid.minor > 0)
    .map(({ paid, paidAtMost }) => html`${paidAtMost ? 'at most ' : ''}${moneyUnbroken(paid)}`);

  const back = sums
    .filter(({ comesBack, comesBackAtMost = comesBack }) => comesBackAtMost.minor > 0)
    .map(({ comesBackOnCondition: onCondition, ...sum }) => {
      const condition = onConditionWords(onCondition, sum.comesBackAtMost ?? sum.comesBack);
      return html`${comesBackRange(sum)}${condition}`;
    });

  const givenUp = sums.flatMap((sum) =>
    sum.givenUp ? html`${sum.givenUpAtMost ? 'at most ' : ''}${moneyUnbroken(sum.givenUp)}` : [],
  );

  return {
    givenUp: givenUp.length === 0 ? undefined : joinSums(givenUp, false),
    pays: joinSums(
      pays,
      sums.some(({ paidUnknown }) => paidUnknown),
    ),
    back: joinSums(
      back,
      sums.some(({ comesBackUnknown }) => comesBackUnknown),
    ),
  };
}

function comesBackRange({
  comesBack: least,
  comesBackAtMost: most = least,
}: Pick<PlanSum, 'comesBack' | 'comesBackAtMost'>): Html {
  return most.minor > least.minor ? html`${moneyUnbroken(least)} to ${moneyUnbroken(most)}` : moneyUnbroken(least);
}

export function moneyUnbroken(amount: Money): Html {
  return html`<span class="money">${showMoney(amount)}</span>`;
}

function joinSums(known: readonly Html[], hasUnknown: boolean): Html {
  const parts = hasUnknown ? [...known, html`an unknown sum`] : known;
  if (parts.length === 0) return html`<span class="none">nothing</span>`;
  return html`${parts.map((part, n) => html`${n === 0 ? '' : ' and '}${part}`)}`;
}

/** Whether a sum is paid or comes back. It counts as moving if it is unknown. */
export function movesMoney({
  paid,
  paidUnknown,
  comesBack,
  comesBackAtMost = comesBack,
  comesBackUnknown,
}: PlanSum): boolean {
  return paid.minor > 0 || comesBackAtMost.minor > 0 || paidUnknown === true || comesBackUnknown === true;
}
