/** The page of a question about a plan, before the yes and after it: what it shows, and what its form may say. */
import type { Environment } from '../../approvals/answer.ts';
import { type DecisionOutcome, statusOnceAnswered } from '../../approvals/decide.ts';
import type { Approval } from '../../approvals/ports.ts';
import { capitalized, counted } from '../../core/words.ts';
import type { LineState, LineView, PlanState, PlanView } from '../../plans/plan.ts';
import { lineMoved, sumByCurrency, totalsMoved } from '../../plans/plan-money.ts';
import { countText, STATE_WORDS } from '../../plans/plan-words.ts';
import { ACTS } from '../../tools/index.ts';
import { framed, type Html, html, icon, PLAN_REFRESH_SECONDS } from './html.ts';
import { outcomePage } from './outcome-view.ts';
import type { Viewer } from './page-access.ts';
import type { PlanNow } from './page-state.ts';
import {
  allTerms,
  askedLines,
  leftOut,
  lineReasons,
  planQuestionPage,
  rowHead,
  saidOnce,
  showSums,
  softLines,
} from './plan-question-view.ts';
import { footer } from './question-view.ts';

interface PlanForm {
  readonly environment: Environment;
  readonly approval: Approval;
  readonly path: string;
  readonly viewer: Viewer | undefined;
  readonly inbox?: string | undefined;
  readonly token: string;
  readonly now: number;
  /** As asked for, with its query. */
  readonly url: string;
  readonly filledIn?: FilledIn;
  /** Of a line, from 1, where its question is that waits for a yes of its own. */
  readonly alone?: ReadonlyMap<number, string>;
}

/** A form that decided nothing: its ticked lines. */
interface FilledIn {
  readonly lines: readonly number[] | 'all';
  readonly isEmptyYes: boolean;
}

const STARTED: ReadonlySet<PlanView['state']> = new Set(['running', 'stopped', 'over']);

/** Undefined where the page of any other question says it too: declined, or not answered in time. */
export function planPage(now: PlanNow, { url, filledIn, alone = new Map(), ...shown }: PlanForm): string | undefined {
  const { view, releases = new Map() } = now;
  if (view.state === 'asked') {
    // Never by the address: a link of somebody else's must not tick anything.
    const { lines = [], isEmptyYes = false } = filledIn ?? {};
    const ticked = new Set(lines === 'all' ? askedLines(view).map(({ n }) => n) : lines);
    return planQuestionPage({ ...shown, plan: view, ticked, isEmptyYes, releases });
  }
  if (!STARTED.has(view.state)) return undefined;
  const live = { plan: view, refreshes: !asks(url, NO_REFRESH), alone };
  return planLivePage({ ...shown, ...live });
}

/** Whether the plan was asked anew after this question: its lines are those of the newer one. */
export function isReplaced({ question }: PlanNow, { operationId }: Approval): boolean {
  return question !== undefined && question !== operationId;
}

type Replaced = Omit<PlanForm, 'token' | 'url' | 'filledIn' | 'alone'> & {
  /** Where the newer question is. */
  readonly newer: string | undefined;
};

/** The page of a question that a newer one of its plan replaced: its own outcome, and nothing to answer. */
export function replacedPage({ now, newer, ...shown }: Replaced): string {
  const { approval } = shown;
  const outcome =
    approval.decision === 'declined' ? statusOnceAnswered(ACTS, approval, undefined, now) : replaced(approval);
  return outcomePage({ ...shown, outcome, newer });
}

function replaced({ decision, decidedAt }: Approval): DecisionOutcome {
  const answered = decision === 'granted' || decidedAt !== undefined;
  const line = answered ? 'What was begun by your yes is on the newer page. Nothing more begins by it.' : NOTHING_SENT;
  return { kind: 'unknown', title: 'A newer question replaced this one', lines: [line] };
}

const NOTHING_SENT = 'Nothing was sent by it.';

function asks(url: string, parameter: string): boolean {
  return (url.split('?')[1] ?? '').split('&').includes(parameter);
}

/** What the form of the page may say. A late answer is taken too, and changes nothing: the page then shows what became of it. */
export function planForm({ view }: PlanNow) {
  const lines = view.state === 'asked' ? askedLines(view) : view.lines;
  return { decisions: ['yes', 'no', 'stop', 'look', 'all', 'none'] as const, lines: lines.map(({ n }) => n) };
}

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
} as const satisfies Record<LineState, Parameters<typeof icon>[0]>;

const TONE: Readonly<Partial<Record<LineState, string>>> = {
  done: 'good',
  doing: 'wait',
  waiting: 'wait',
  asks_again: 'wait',
  in_doubt: 'bad',
  needs_person: 'bad',
};

/** After the yes: what became of each line, what was really paid and came back, and a way to stop the rest. */
export function planLivePage(live: PlanLive): string {
  const { plan, environment, path, approval, viewer, inbox, refreshes, alone } = live;
  const running = plan.state === 'running';
  const title = planTitle(plan);
  const ended = plan.lines.some(({ state }) => state === 'done') ? 'good' : 'no';
  const tone = running ? 'wait' : ended;
  // A line that needs a yes of its own is never below the fold.
  const lines = plan.lines.toSorted((a, b) => Number(alone.has(b.n)) - Number(alone.has(a.n)));
  const said = new Set<string>();
  const reasons = saidOnce(plan.lines, said, lineReasons);
  const main = html`<h1 class="${tone}">${icon(tone)}<span>${title}</span></h1>
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
function planTitle({ state, lines }: PlanView): string {
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
  const { pays, back } = showSums(sumByCurrency(steps.filter((step) => step.state !== 'done')));
  const isOver = pays === 'nothing' && back === 'nothing';
  const money = [
    ...lineMoved(line).map((words) => html`<p><strong>${capitalized(words)}</strong></p>\n`),
    ...(isOver ? [] : [html`<p class="soft">As asked: pays ${pays}, gets back ${back}</p>\n`]),
    ...softLines(lineReasons(line).filter((words) => !said.has(words))),
  ];
  return html`<tr role="row"><td role="cell"><p>${rowHead(line)}</p>
${money}${allTerms(line)}</td>
<td role="cell"><p class="state ${TONE[state] ?? 'no'}">${icon(ICONS[state])}<span>${capitalized(STATE_WORDS[state])}</span></p>
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
