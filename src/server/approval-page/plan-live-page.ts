/** The page of a plan after the yes: the state of each line, what was really paid and came back, and a button that stops the rest. */
import { capitalized, counted } from '../../core/words.ts';
import type { LineState, LineView, PlanState, PlanView } from '../../plans/plan.ts';
import { lineMoved, sumByCurrency, totalsMoved } from '../../plans/plan-money.ts';
import { countText, STATE_WORDS } from '../../plans/plan-words.ts';
import { framed, type Html, html, icon, PLAN_REFRESH_SECONDS } from './html.ts';
import { CLOSE } from './outcome-view.ts';
import {
  leftOutSection,
  lineReasons,
  movesMoney,
  rowHead,
  sentencesAbove,
  showSums,
  softLines,
  termsDetails,
} from './plan-line.ts';
import { footer, type QuestionPage } from './question-view.ts';

/** Parameter of the page's address that stops the renewal. */
export const NO_REFRESH = 'refresh=off';

/** The icon of each state. */
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

/** The colour of each state; of the others `no`. */
const TONES: Readonly<Partial<Record<LineState, string>>> = {
  done: 'good',
  doing: 'wait',
  waiting: 'wait',
  asks_again: 'wait',
  in_doubt: 'bad',
  needs_person: 'bad',
};

const PLAN_TITLES: Readonly<Partial<Record<PlanState, string>>> = {
  running: 'Being carried out',
  stopped: 'Stopped',
  over: 'Carried out',
};

interface LivePageInput extends Omit<QuestionPage, 'before' | 'now'> {
  readonly plan: PlanView;
  /** False if the person stopped it (WCAG 2.2, 2.2.1 Timing Adjustable). */
  readonly refreshes: boolean;
  /** By line, from 1: the path of the separate question that the line waits for. */
  readonly ownQuestions: ReadonlyMap<number, string>;
}

export function planLivePage(live: LivePageInput): string {
  const { plan, environment, path, approval, viewer, inbox, refreshes, ownQuestions } = live;
  const isRunning = plan.state === 'running';
  const title = planTitle(plan);
  const endedTone = plan.lines.some(({ state }) => state === 'done') ? 'good' : 'no';
  const tone = isRunning ? 'wait' : endedTone;
  // Lines that wait for a separate yes come first, so that nobody has to scroll to them.
  const lines = plan.lines.toSorted((a, b) => Number(ownQuestions.has(b.n)) - Number(ownQuestions.has(a.n)));
  const reasons = sentencesAbove(plan.lines, lineReasons);
  const main = html`<h1 class="${tone}">${icon(tone)}<span>${title}</span></h1>
<p class="lead" role="status">${capitalized(countText(plan))}.</p>
${totalsMoved(plan).map((words) => html`<p><strong>${words}</strong></p>\n`)}${softLines(reasons.sentences)}${isRunning ? renewal(path, refreshes) : undefined}
<table role="table"><caption class="hidden">Bookings of the plan</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Booking</th><th role="columnheader" scope="col">State</th></tr></thead>
<tbody role="rowgroup">
${lines.map((line) => lineRow(line, reasons.shared, ownQuestions.get(line.n)))}</tbody></table>
${leftOutSection(plan)}${isRunning ? stopForm(live) : CLOSE}`;
  const refresh = isRunning && refreshes ? { seconds: PLAN_REFRESH_SECONDS, path } : undefined;
  const foot = footer(approval, viewer, inbox);
  return framed({ title, environment, main, foot, look: 'outcome plan', refresh });
}

/** `Being carried out: 3 of 10 bookings are done` */
function planTitle({ state, lines }: PlanView): string {
  const ticked = lines.filter((line) => line.state !== 'not_ticked');
  const done = ticked.filter((line) => line.state === 'done').length;
  const verb = done === 1 || ticked.length === 1 ? 'is' : 'are';
  return `${PLAN_TITLES[state] ?? 'The plan'}: ${done} of ${counted(ticked.length, 'booking')} ${verb} done`;
}

/**
 * A row of the page after the yes.
 * @param shared reasons that stand above all rows
 * @param questionPath path of the separate question that the line waits for
 */
function lineRow(line: LineView, shared: ReadonlySet<string>, questionPath: string | undefined): Html {
  const { state, why, steps } = line;
  const begun = steps.filter((step) => step.state !== state && step.state !== 'not_ticked');
  const stepLines =
    steps.length > 1 ? begun.map((step) => html`<p class="soft">${step.act}: ${STATE_WORDS[step.state]}</p>\n`) : [];
  const whyLine = why === undefined ? undefined : html`<p>${why}</p>\n`;
  const questionLine =
    questionPath === undefined
      ? undefined
      : html`<p><a class="again" href="${questionPath}">Answer its question</a></p>\n`;
  const openSums = sumByCurrency(steps.filter((step) => step.state !== 'done'));
  const { pays, back } = showSums(openSums);
  const money = [
    ...lineMoved(line).map((words) => html`<p><strong>${capitalized(words)}</strong></p>\n`),
    ...(openSums.some(movesMoney) ? [html`<p class="soft">As asked: pays ${pays}, gets back ${back}</p>\n`] : []),
    ...softLines(lineReasons(line).filter((words) => !shared.has(words))),
  ];
  return html`<tr role="row"><td role="cell"><p>${rowHead(line)}</p>
${money}${termsDetails(line)}</td>
<td role="cell"><p class="state ${TONES[state] ?? 'no'}">${icon(ICONS[state])}<span>${capitalized(STATE_WORDS[state])}</span></p>
${questionLine}${whyLine}${stepLines}</td></tr>
`;
}

function renewal(path: string, refreshes: boolean): Html {
  return refreshes
    ? html`<p class="soft">This page renews itself every ${PLAN_REFRESH_SECONDS} seconds. <a href="${path}?${NO_REFRESH}">Do not renew it</a></p>`
    : html`<p class="soft">This page does not renew itself. <a href="${path}">Renew it again</a></p>`;
}

/** A form that stays in view wherever the person scrolls. */
function stopForm({ path, token }: LivePageInput): Html {
  return html`<form method="post" action="${path}" autocomplete="off" aria-label="Stop the plan" class="bar">
<input type="hidden" name="token" value="${token}">
<p class="soft">What was sent stays sent, and is followed until its outcome is known.</p>
<button type="submit" name="decision" value="stop">Stop the plan: begin nothing more</button>
</form>
`;
}
