/** What the question about a plan and its live page share: one line's terms, in details that open. */

import { reasonText } from '../../approvals/plans/line-words.ts';
import type { LineView, StepView } from '../../approvals/plans/plan.ts';
import { type Html, html } from './html.ts';
import { withArrows } from './icons.ts';
import { linesIn } from './question-view.ts';

/** Each act of a line with all that its own page would show. */
export function allTerms({ n, steps }: LineView): Html {
  return html`<details><summary>All terms of line ${n}</summary>
${steps.map(stepTerms)}</details>
`;
}

function stepTerms({ act, sections }: StepView): Html {
  const lines = sections.flatMap(({ kind, lines: sectionLines }) => (kind === 'caution' ? [] : sectionLines));
  return html`<p class="act">${act}</p>
<ul role="list">
${lines.map((line) => html`<li>${withArrows(line)}</li>\n`)}</ul>
`;
}

/** What the airline changed on the line's booking. */
export function why(reason: string | undefined): Html | undefined {
  return reason === undefined ? undefined : html`<p class="soft">${withArrows(reasonText(reason))}</p>\n`;
}

/** Every caution once. */
export function cautionsOf({ steps }: LineView): readonly string[] {
  return [...new Set(steps.flatMap(({ sections }) => linesIn(sections, 'caution')))];
}
