/** What the question about a plan and its live page share: whom a row is about, and its terms, in details that open. */

import { whereText, whoText } from '../../approvals/about.ts';
import { capitalized } from '../../core/words.ts';
import type { LineView, StepView } from '../../plans/plan.ts';
import { rangeWords, reasonText } from '../../plans/plan-words.ts';
import { type Html, html } from './html.ts';
import { withArrows } from './icons.ts';
import { drawnItem, itemsIn, linesIn } from './question-view.ts';

/** What is done; below it for whom, and which trip they have now, where that is known. */
export function rowHead({ n, title, about, steps }: LineView): Html {
  const [first, ...more] = steps;
  const what = first === undefined || more.length > 0 ? title : first.act;
  const head = html`<strong>${n}. ${what}</strong>`;
  if (about === undefined) return head;
  return html`${head}<br>${whoText(about)} <span class="where">${withArrows(whereText(about))}</span>`;
}

/** Each act of a booking with all that its own page would show; the same people and trip stand there once. */
export function allTerms({ n, title, steps }: LineView): Html {
  const said = new Set<string>();
  return html`<details class="terms"><summary>Terms<span class="hidden"> of ${n}. ${title}</span></summary>
${steps.map((step) => stepTerms(step, said))}</details>
`;
}

/** @param said people and trips of earlier acts, which are not repeated. The same fee twice is two fees. */
function stepTerms({ act, sections }: StepView, said: Set<string>): Html {
  const items = sections
    .filter(({ kind }) => kind !== 'caution')
    .flatMap((section) => {
      const lines = itemsIn([section], section.kind);
      const isOnce = section.kind === 'people' || section.kind === 'trip';
      return isOnce ? lines.filter(({ line }) => !said.has(line) && said.add(line)) : lines;
    });
  return html`<p class="act">${act}</p>
<ul role="list">
${items.map(drawnItem)}</ul>
`;
}

/** Why it is asked, and why what comes back is not known. */
export function reasonsOf({ reason, steps }: LineView): readonly string[] {
  const rules = steps.flatMap(({ estimate }) => (estimate?.amount === undefined ? (estimate?.rule ?? []) : []));
  return [...(reason === undefined ? [] : [reasonText(reason)]), ...new Set(rules)];
}

/**
 * Sentences of more than one row stand once above them all.
 * @param said filled with them: no row repeats them
 */
export function saidOnce(
  lines: readonly LineView[],
  said: Set<string>,
  sentencesOf: (line: LineView) => readonly string[],
): readonly string[] {
  const all = lines.flatMap((line) => sentencesOf(line).map((words) => ({ n: line.n, words })));
  return [...Map.groupBy(all, ({ words }) => words)].flatMap(([words, rows]) => {
    if (rows.length < 2) return [];
    said.add(words);
    return [rows.length === lines.length ? words : `${capitalized(bookings(rows.map(({ n }) => n)))}: ${words}`];
  });
}

/** `bookings 1-3, 5` */
export function bookings(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'booking' : 'bookings'} ${rangeWords(numbers)}`;
}

export function softLines(lines: readonly string[]): readonly Html[] {
  return lines.map((words) => html`<p class="soft">${withArrows(words)}</p>\n`);
}

/** Every caution once. */
export function cautionsOf({ steps }: LineView): readonly string[] {
  return [...new Set(steps.flatMap(({ sections }) => linesIn(sections, 'caution')))];
}
