/**
 * The page of a question about a plan, before the yes; plan-live-page.ts has the one after it. Each booking has a row with a tick
 * of its own; a bar with the sums and the buttons stays in view. No booking is ticked beforehand, and no address can tick one. The
 * plan does only the bookings that the person ticked. In order: which page is shown, the page before the yes, its rows and its bar.
 */

import { accountLines } from '../../approvals/account-lines.ts';
import type { Approval } from '../../approvals/approval.ts';
import { statusOnceAnswered } from '../../approvals/approval-status.ts';
import { outcomeOf } from '../../approvals/endings.ts';
import type { DecisionOutcome } from '../../approvals/outcome-words.ts';
import { NATURES, shownNature } from '../../approvals/question-document.ts';
import { minorDigits } from '../../core/money.ts';
import type { LineView, PlanSum, PlanView, StepView } from '../../plans/plan.ts';
import { sumByCurrency } from '../../plans/plan-money.ts';
import { carryOutWords, finalLines, STATE_WORDS } from '../../plans/plan-words.ts';
import { ACTS } from '../../tools/index.ts';
import { framed, type Html, html, icon, listSection, NO_REFRESH } from '../browser/html.ts';
import { outcomePage } from './outcome-view.ts';
import { hasQuery } from './page-access.ts';
import type { CurrentPlan } from './page-state.ts';
import {
  bookings,
  drawSums,
  leftOutSection,
  lineCautions,
  lineReasons,
  rowHead,
  sentencesAbove,
  softLines,
  termsDetails,
} from './plan-line.ts';
import { planLivePage } from './plan-live-page.ts';
import { answerButtons, asks, canApprove, caution, footer, type QuestionPage } from './question-view.ts';

/** States of a plan that was begun. */
const STARTED: ReadonlySet<PlanView['state']> = new Set(['running', 'stopped', 'over']);

/** The first button of the form. Enter on a tick presses it (HTML, implicit submission), so it must say neither yes nor no. */
const ENTER_BUTTON = html`<button type="submit" name="decision" value="look" class="hidden" tabindex="-1" aria-hidden="true">Show this page again</button>
`;

interface PlanPageInput extends QuestionPage {
  /** The address that the browser requested, with its query. */
  readonly url: string;
}

/** Draws the page. Undefined if the plan was declined, or not answered in time: the page of any other question says that, too. */
export function planPage({ view }: CurrentPlan, { url, ...page }: PlanPageInput): string | undefined {
  if (view.state === 'asked') return planQuestionPage({ ...page, plan: view });
  if (!STARTED.has(view.state)) return undefined;
  return planLivePage({ ...page, plan: view, refreshes: !hasQuery(url, NO_REFRESH) });
}

/** Whether the plan was asked anew after this question: its lines are those of the newer question. */
export function isReplaced({ question }: CurrentPlan, { operationId }: Approval): boolean {
  return question !== undefined && question !== operationId;
}

type ReplacedPageInput = Omit<PlanPageInput, 'token' | 'url'> & {
  /** Address of the newer question. */
  readonly newer: string | undefined;
};

/** The page of a question that a newer one of its plan replaced: it shows the outcome of the old one, and asks nothing. */
export function replacedPage({ now, newer, ...page }: ReplacedPageInput): string {
  const { approval } = page;
  const outcome =
    approval.decision === 'declined' ? statusOnceAnswered(ACTS, approval, undefined, now) : replacedOutcome(approval);
  return outcomePage({ ...page, outcome, newer });
}

function replacedOutcome({ assurance }: Approval): DecisionOutcome {
  const isAnswered = assurance !== undefined;
  const line = isAnswered
    ? 'The newer page shows what had begun after your approval. Nothing more begins from this one.'
    : 'Nothing was sent for this one.';
  return { ...outcomeOf('replaced'), lines: [line] };
}

/** The answers that the form of the page may send. A late answer is accepted and changes nothing: the page shows the state. */
export function permittedAnswers({ view }: CurrentPlan) {
  const lines = view.state === 'asked' ? askedLines(view) : view.lines;
  return { decisions: ['yes', 'no', 'stop', 'look'] as const, lines: lines.map(({ n }) => n) };
}

interface PlanQuestionInput extends QuestionPage {
  readonly plan: PlanView;
}

function planQuestionPage(question: PlanQuestionInput): string {
  const { plan, approval, environment, path, token, now, viewer, inbox } = question;
  const nature = shownNature(approval);
  const asked = askedLines(plan);
  const isDone = ({ state }: StepView) => state === 'done';
  const act = carryOutWords(asked.map(({ steps }) => ({ steps, isRest: steps.some(isDone) })));

  const cautions = sentencesAbove(asked, lineCautions);
  const notes = sentencesAbove(asked, lineReasons);
  const shared = cautions.shared.union(notes.shared);
  const ofAccounts = accountLines(asked.flatMap(({ steps }) => steps));

  const main = html`<p class="kind">${icon(nature)}${NATURES[nature]}</p>
<h1>${act}</h1>
<p class="lead">${inAll(plan)}</p>
${asks({ approval, viewer, now })}
${caution([...finalWords(asked), ...ofAccounts.warnings, ...cautions.sentences])}${softLines([...ofAccounts.notes, ...notes.sentences])}<form id="answer" method="post" action="${path}" autocomplete="off" aria-label="Your answer">
${ENTER_BUTTON}<input type="hidden" name="token" value="${token}">
${canApprove(viewer) ? tickAll(asked.length) : undefined}
<div class="heads" aria-hidden="true"><span>pays</span><span>gets back</span></div>
<ul class="rows" role="list" aria-label="Bookings">
${asked.map((line) => askedRow(line, question, shared))}</ul></form>
${notAskedSection(plan)}${leftOutSection(plan)}${answerBar(question)}`;

  const foot = html`<p>Each booking is read again before it is changed. If anything shown here has changed by then, that booking is left as it is. Your approval covers what begins within 30 minutes. What comes back is an estimate, because the airline decides.</p>
${footer(approval, viewer, inbox)}`;
  return framed({ title: act, environment, main, foot, look: `${nature} plan` });
}

/** `In all: pays SAR 345.00, gets back nothing.` Where something is given up: `…, gets back nothing, gives up SAR 345.00.` */
function inAll({ sums }: PlanView): Html {
  const { pays, back, givenUp } = drawSums(sums);
  const up = givenUp === undefined ? undefined : html`, gives up ${givenUp}`;
  return html`In all: pays ${pays}, gets back ${back}${up}.`;
}

/** The lines that this question asks about: a plan can be asked again for those that were not begun. */
function askedLines({ lines }: PlanView): readonly LineView[] {
  return lines.filter(({ state }) => state === 'asked');
}

/** The button is the script's (browser/plan-bar.js). */
function tickAll(count: number): Html {
  const words = count === 1 ? 'Tick it' : `Tick all ${count}`;
  return html`<p>Only what you tick is done. <button type="button" class="ticks" hidden>${words}</button></p>`;
}

/** Says which of the bookings cannot be undone. Empty if that is true of none or of all: then the head of the page says it. */
function finalWords(asked: readonly LineView[]): readonly string[] {
  const final = finalLines({ lines: asked });
  return final.length === 0 || final.length === asked.length ? [] : [`Cannot be undone: ${bookings(final)}.`];
}

/**
 * A row of the page before the yes.
 * @param shared sentences that stand above all rows
 */
function askedRow(line: LineView, question: PlanQuestionInput, shared: ReadonlySet<string>): Html {
  const { n } = line;
  const sums = askedSums(line);
  const { pays, back, givenUp } = drawSums(sums);

  const words = html`<span>${rowHead(line)}</span>`;
  const tick = html`<input type="checkbox" name="line" value="${n}">`;
  const head = canApprove(question.viewer)
    ? html`<label class="tick">${tick}${words}</label>`
    : html`<p class="tick">${words}</p>`;

  const isOnlyHere = (sentence: string) => !shared.has(sentence);
  const notes = softLines(lineReasons(line).filter(isOnlyHere));
  const cautions = caution(lineCautions(line).filter(isOnlyHere));
  const loss =
    givenUp === undefined
      ? undefined
      : html`<p class="soft">Gives up ${givenUp}.</p>
`;

  return html`<li data-sums="${sumsForScript(sums)}">${head}
${sumCell('pays', pays)}${sumCell('gets back', back)}${termsDetails(line)}${loss}${notes}${cautions}</li>
`;
}

function sumCell(verb: string, sum: Html): Html {
  return html`<p class="moves"><span class="label">${verb}</span> <span>${sum}</span></p>
`;
}

/**
 * The bar with the sums, each below the column that it sums, and the buttons. It comes last in the page, so that it stays in view
 * from the top on. Without the script its sums are those of all lines together, whatever is ticked.
 */
function answerBar({ plan, viewer }: PlanQuestionInput): Html {
  const { pays, back } = drawSums(plan.sums);
  const { length } = askedLines(plan);
  const count = length === 1 ? 'In all' : `All ${length}`;
  const dot = html`<span class="hidden"> \u00b7 </span>`;

  return html`<div class="bar"><p role="status" class="sums"${canApprove(viewer) ? html` data-follows` : undefined}><span data-count>${count}</span>${dot}<span class="moves"><span class="label">pays</span> <span data-pays>${pays}</span></span>${dot}<span class="moves"><span class="label">gets back</span> <span data-back>${back}</span></span></p>
${answerButtons(
  viewer,
  html`<button type="submit" form="answer" name="decision" value="no">Decline all</button>`,
  html`<button type="submit" form="answer" name="decision" value="yes" class="yes">Approve what you tick</button>`,
)}
</div>
`;
}

/** Says why the other bookings of the plan are not asked now: they were done before, or are refused. */
function notAskedSection({ lines }: PlanView): Html | undefined {
  const others = lines.filter(({ state }) => state !== 'asked');
  const items = others.map(({ n, title, state, why = STATE_WORDS[state] }) => html`<li>${n}. ${title}: ${why}</li>\n`);
  return listSection('not-asked', 'Not part of this question', items);
}

/** Sums what the asked acts of a booking pay and get back. */
function askedSums({ steps }: LineView): readonly PlanSum[] {
  return sumByCurrency(steps.filter(({ state }) => state === 'asked'));
}

/** Writes the sums as JSON for the script, in minor units. */
function sumsForScript(sums: readonly PlanSum[]): string {
  return JSON.stringify(
    sums.map(({ paid, paidAtMost, paidUnknown, comesBack, comesBackAtMost = comesBack, ...sum }) => ({
      currency: paid.currency,
      digits: minorDigits(paid.currency),
      paid: paid.minor,
      atMost: paidAtMost === true,
      payUnknown: paidUnknown === true,
      least: comesBack.minor,
      most: comesBackAtMost.minor,
      onCondition: sum.comesBackOnCondition?.minor ?? 0,
      backUnknown: sum.comesBackUnknown === true,
    })),
  );
}
