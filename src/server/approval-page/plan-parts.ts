/** What the question about a plan and its live page share: whom a row is about, and its terms, in details that open. */

import { whereText, whoText } from '../../approvals/about.ts';
import { reasonText } from '../../approvals/plans/line-words.ts';
import type { LineView, StepView } from '../../approvals/plans/plan.ts';
import { type Html, html } from './html.ts';
import { withArrows } from './icons.ts';
import { drawnItem, itemsIn, linesIn } from './question-view.ts';

/** Who, where and when; below it what is done. A booking of which that is not known begins with what is done. */
export function rowHead({ n, title, about, steps }: LineView): Html {
  const [first, ...more] = steps;
  const what = first === undefined || more.length > 0 ? title : first.act;
  if (about === undefined) return html`<strong>${n}. ${what}</strong>`;
  return html`<strong>${n}. ${whoText(about)}</strong> <span class="where">${withArrows(whereText(about))}</span><br><span class="what">${what}</span>`;
}

/** Each act of a booking with all that its own page would show. */
export function allTerms({ n, title, steps }: LineView): Html {
  return html`<details class="terms"><summary>Terms<span class="hidden"> of ${n}. ${title}</span></summary>
${steps.map(stepTerms)}</details>
`;
}

function stepTerms({ act, sections }: StepView): Html {
  const items = sections
    .filter(({ kind }) => kind !== 'caution')
    .flatMap((section) => itemsIn([section], section.kind));
  return html`<p class="act">${act}</p>
<ul role="list">
${items.map(drawnItem)}</ul>
`;
}

/** What the airline changed on the booking. */
export function why(reason: string | undefined): Html | undefined {
  return reason === undefined ? undefined : html`<p class="soft">${withArrows(reasonText(reason))}</p>\n`;
}

/** Every caution once. */
export function cautionsOf({ steps }: LineView): readonly string[] {
  return [...new Set(steps.flatMap(({ sections }) => linesIn(sections, 'caution')))];
}
