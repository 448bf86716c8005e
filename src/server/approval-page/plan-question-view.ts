/**
 * The question about a plan: its sums, then a line for each act with a tick of its own. No line is ticked beforehand; all can
 * be ticked with one link, which loads the page again. Only ticked lines are done.
 */

import {
  carryOutWords,
  finalLines,
  lineCount,
  lineMoney,
  rangeWords,
  sumWords,
} from '../../approvals/plans/line-words.ts';
import type { LineView, PlanView } from '../../approvals/plans/plan.ts';
import { releaseOf } from '../../approvals/plans/question-words.ts';
import { STATE_WORDS } from '../../approvals/plans/words.ts';
import { capitalized } from '../../core/words.ts';
import { framed } from './frame.ts';
import { type Html, html } from './html.ts';
import { iconOf } from './icons.ts';
import { allTerms, cautionsOf, why } from './plan-parts.ts';
import { ALONE, askedBy, footer, limit, NATURES, type QuestionPage } from './question-view.ts';

interface PlanQuestion extends QuestionPage {
  readonly plan: PlanView;
  /** Lines that come ticked, because the person ticked them. */
  readonly ticked: ReadonlySet<number>;
  /** A yes came without a ticked line. */
  readonly isEmptyYes: boolean;
  /** What a line, from 1, does where its payment is not made. */
  readonly releases: ReadonlyMap<number, string>;
}

/** In the page's address. */
export const TICK_ALL = 'ticks=all';

export function planQuestionPage(question: PlanQuestion): string {
  const { plan, approval, environment, path, token, now, viewer, inbox, isEmptyYes } = question;
  const { nature } = approval;
  const alone = viewer?.role === 'asker_alone';
  const asked = askedLines(plan);
  const act = carryOutWords(asked.length);
  const final = finalLines({ lines: asked });
  const main = html`<p class="kind">${iconOf(nature)}${NATURES[nature]}</p>
${isEmptyYes ? caution(['No line is ticked: nothing was sent. Tick what is to be done, or say no.']) : undefined}<h1>${act}</h1>
${plan.sums.map((sum) => html`<p class="lead">${inAll(sumWords(sum))}</p>\n`)}${final.length > 0 ? caution([`Cannot be undone: ${final.length === 1 ? 'line' : 'lines'} ${rangeWords(final)}.`]) : undefined}
<p class="asks">${askedBy(approval, viewer)} ${alone ? ALONE : 'Nothing happens unless you say yes.'}</p>
<p class="limit">${limit(approval, now)}</p>
${alone ? undefined : tickAll(question)}
<form method="post" action="${path}" autocomplete="off" aria-label="Your answer">
${ENTER}<input type="hidden" name="token" value="${token}">
<ul class="lines" role="list" aria-label="Lines">
${asked.map((line) => lineItem(line, question, alone))}</ul>
<button type="submit" name="decision" value="no">No, do none of them</button>
${alone ? undefined : html`<button type="submit" name="decision" value="yes" class="yes">Yes, do the ticked lines</button>`}
</form>
${notAsked(plan)}${leftOut(plan)}`;
  const foot = html`<p>Before a line is sent, its booking is read again. If anything shown here has changed by then, that line is skipped. The yes is good for lines that begin within 30 minutes.</p>
${footer(approval, viewer, inbox)}`;
  return framed({ title: act, environment, main, foot, look: `${nature} plan` });
}

/** A plan can be asked again for what was not begun. */
export function askedLines({ lines }: PlanView): readonly LineView[] {
  return lines.filter(({ state }) => state === 'asked');
}

/** Enter on a tick presses the first button that works (HTML, implicit submission): neither a no nor a yes may be given so. */
const ENTER = html`<button type="submit" name="decision" value="look" class="hidden" tabindex="-1" aria-hidden="true">Show this page again</button>
`;

function inAll(words: string): string {
  return `All lines together: ${words}.`;
}

function tickAll({ path, ticked, plan }: PlanQuestion): Html {
  const { length } = askedLines(plan);
  if (ticked.size === length) return html`<p>All lines are ticked. <a href="${path}">Tick none</a></p>`;
  return html`<p>A line is done only if you tick it. <a href="${path}?${TICK_ALL}">Tick all ${lineCount(length)}</a></p>`;
}

function lineItem(line: LineView, { ticked, releases }: PlanQuestion, alone: boolean): Html {
  const { n, title, steps, reason } = line;
  const tick = html`<input type="checkbox" name="line" value="${n}"${ticked.has(n) ? html` checked` : undefined}>`;
  const name = html`<span>${n}. ${title}</span>`;
  const acts = steps.map(({ act }) => html`<p class="soft">${act}</p>\n`);
  const money = lineMoney(line).map((words) => html`<p><strong>${capitalized(words)}</strong></p>\n`);
  const otherwise = releaseOf(line, releases).map((words) => html`<p class="soft">${words}</p>\n`);
  return html`<li>${alone ? html`<p class="tick">${name}</p>` : html`<label class="tick">${tick}${name}</label>`}
${why(reason)}${money}${caution(cautionsOf(line))}${acts}${otherwise}${allTerms(line)}</li>
`;
}

function caution(lines: readonly string[]): Html | undefined {
  if (lines.length === 0) return undefined;
  return html`<div class="caution" role="note">${iconOf('caution')}<div>
${lines.map((line) => html`<p>${line}</p>\n`)}</div></div>
`;
}

/** Why a line of the plan is not asked now: it was done before, or is refused. */
function notAsked({ lines }: PlanView): Html | undefined {
  const others = lines.filter(({ state }) => state !== 'asked');
  if (others.length === 0) return undefined;
  return html`<section aria-labelledby="not-asked"><h2 id="not-asked">Not asked now</h2>
<ul role="list" aria-labelledby="not-asked">
${others.map(({ n, title, state, why = STATE_WORDS[state] }) => html`<li>${n}. ${title}: ${why}</li>\n`)}</ul></section>
`;
}

export function leftOut({ leftOut: left }: PlanView): Html | undefined {
  if (left.length === 0) return undefined;
  return html`<section aria-labelledby="left-out"><h2 id="left-out">Not in this plan</h2>
<ul role="list" aria-labelledby="left-out">
${left.map(({ title, why }) => html`<li>${title}: ${why}</li>\n`)}</ul></section>
`;
}
