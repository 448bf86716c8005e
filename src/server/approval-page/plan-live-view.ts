/** A plan after the yes, live: what became of each line, what was really paid and came back, and a way to stop the rest. */

import type { Environment } from '../../approvals/answer.ts';
import type { Approval } from '../../approvals/ports.ts';
import { capitalized, counted } from '../../core/words.ts';
import type { LineState, LineView, PlanState, PlanView } from '../../plans/plan.ts';
import { lineMoved, sumsOf, totalsMoved } from '../../plans/plan-money.ts';
import { countText, STATE_WORDS } from '../../plans/plan-words.ts';
import { framed, PLAN_REFRESH_SECONDS } from './frame.ts';
import { type Html, html } from './html.ts';
import { iconOf } from './icons.ts';
import type { Viewer } from './page-access.ts';
import { allTerms, reasonsOf, rowHead, saidOnce, softLines } from './plan-parts.ts';
import { leftOut } from './plan-question-view.ts';
import { movesOf } from './plan-sums.ts';
import { footer } from './question-view.ts';

interface PlanLive {
  readonly environment: Environment;
  readonly approval: Approval;
  readonly plan: PlanView;
  readonly path: string;
  readonly token: string;
  readonly viewer: Viewer | undefined;
  readonly inbox?: string | undefined;
  /** False if the person stopped it (WCAG 2.2, 2.2.1 Timing Adjustable). */
  readonly refreshes: boolean;
  /** Of a line, from 1, where its question is that waits for a yes of its own. */
  readonly alone: ReadonlyMap<number, string>;
}

/** In the page's address. */
export const NO_REFRESH = 'refresh=off';

const ICONS = {
  proposed: 'wait',
  asked: 'wait',
  not_ticked: 'no',
  waiting: 'wait',
  doing: 'wait',
  done: 'good',
  skipped: 'no',
  in_doubt: 'bad',
  asks_again: 'caution',
  partly_done: 'bad',
  not_begun: 'no',
  needs_person: 'bad',
} as const satisfies Record<LineState, Parameters<typeof iconOf>[0]>;

const TONE: Readonly<Partial<Record<LineState, string>>> = {
  done: 'good',
  doing: 'wait',
  waiting: 'wait',
  asks_again: 'wait',
  in_doubt: 'bad',
  needs_person: 'bad',
};

export function planLivePage(live: PlanLive): string {
  const { plan, environment, path, approval, viewer, inbox, refreshes, alone } = live;
  const running = plan.state === 'running';
  const title = titleOf(plan);
  const ended = plan.lines.some(({ state }) => state === 'done') ? 'good' : 'no';
  const tone = running ? 'wait' : ended;
  // A line that needs a yes of its own is never below the fold.
  const lines = plan.lines.toSorted((a, b) => Number(alone.has(b.n)) - Number(alone.has(a.n)));
  const said = new Set<string>();
  const reasons = saidOnce(plan.lines, said, reasonsOf);
  const main = html`<h1 class="${tone}">${iconOf(tone)}<span>${title}</span></h1>
<p class="lead" role="status">${capitalized(countText(plan))}.</p>
${totalsMoved(plan).map((words) => html`<p><strong>${words}</strong></p>\n`)}${softLines(reasons)}${running ? renewal(path, refreshes) : undefined}
<table role="table"><caption class="hidden">Bookings of the plan</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Booking</th><th role="columnheader" scope="col">State</th></tr></thead>
<tbody role="rowgroup">
${lines.map((line) => lineRow(line, said, alone.get(line.n)))}</tbody></table>
${leftOut(plan)}${running ? stopForm(live) : CLOSE}`;
  const refresh = running && refreshes ? { refresh: { seconds: PLAN_REFRESH_SECONDS, path } } : {};
  const foot = footer(approval, viewer, inbox);
  return framed({ title, environment, main, foot, look: 'outcome plan', ...refresh });
}

const TITLES: Readonly<Partial<Record<PlanState, string>>> = {
  running: 'Being carried out',
  stopped: 'Stopped',
  over: 'Carried out',
};

/** `Being carried out: 3 of 10 bookings are done` */
function titleOf({ state, lines }: PlanView): string {
  const ticked = lines.filter((line) => line.state !== 'not_ticked');
  const done = ticked.filter((line) => line.state === 'done').length;
  return `${TITLES[state] ?? 'The plan'}: ${done} of ${counted(ticked.length, 'booking')} ${done === 1 || ticked.length === 1 ? 'is' : 'are'} done`;
}

/**
 * @param said above all rows
 * @param path where the question is that the line waits for
 */
function lineRow(line: LineView, said: ReadonlySet<string>, path: string | undefined): Html {
  const { state, why, steps } = line;
  const begun = steps.filter((step) => step.state !== state && step.state !== 'not_ticked');
  const parts =
    steps.length > 1 ? begun.map((step) => html`<p class="soft">${step.act}: ${STATE_WORDS[step.state]}</p>\n`) : [];
  const ended = why === undefined ? undefined : html`<p>${why}</p>\n`;
  const { pays, back } = movesOf(sumsOf(steps.filter((step) => step.state !== 'done')));
  const isOver = pays === 'nothing' && back === 'nothing';
  const money = [
    ...lineMoved(line).map((words) => html`<p><strong>${capitalized(words)}</strong></p>\n`),
    ...(isOver ? [] : [html`<p class="soft">As asked: pays ${pays}, gets back ${back}</p>\n`]),
    ...softLines(reasonsOf(line).filter((words) => !said.has(words))),
  ];
  return html`<tr role="row"><td role="cell"><p>${rowHead(line)}</p>
${money}${allTerms(line)}</td>
<td role="cell"><p class="state ${TONE[state] ?? 'no'}">${iconOf(ICONS[state])}<span>${capitalized(STATE_WORDS[state])}</span></p>
${path === undefined ? undefined : html`<p><a class="again" href="${path}">Answer its question</a></p>\n`}${ended}${parts}</td></tr>
`;
}

function renewal(path: string, refreshes: boolean): Html {
  return refreshes
    ? html`<p class="soft">This page renews itself every ${PLAN_REFRESH_SECONDS} seconds. <a href="${path}?${NO_REFRESH}">Do not renew it</a></p>`
    : html`<p class="soft">This page does not renew itself. <a href="${path}">Renew it again</a></p>`;
}

/** In view wherever the page is scrolled to. */
function stopForm({ path, token }: PlanLive): Html {
  return html`<form method="post" action="${path}" autocomplete="off" aria-label="Stop the plan" class="bar">
<input type="hidden" name="token" value="${token}">
<p class="soft">What was sent stays sent, and is followed until its outcome is known.</p>
<button type="submit" name="decision" value="stop">Stop the plan: begin nothing more</button>
</form>
`;
}

const CLOSE = html`<p class="close">You can close this page and go back to the assistant.</p>`;
