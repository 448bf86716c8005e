/**
 * The page of a question about a plan, before the yes and after it: a row for each booking with a tick of its own, and a bar
 * that stays in view with the sums and the buttons. None is ticked beforehand; one button ticks all and loads the page again.
 * Only ticked ones are done.
 */

import type { Environment } from '../../approvals/answer.ts';
import { type DecisionOutcome, statusOnceAnswered } from '../../approvals/approval-status.ts';
import { whereText, whoText } from '../../approvals/booking-gist.ts';
import type { Approval } from '../../approvals/ports.ts';
import { linesIn } from '../../approvals/terms.ts';
import { type Money, minorDigits, showMoney } from '../../core/money.ts';
import { capitalized, counted } from '../../core/words.ts';
import type { LineState, LineView, PlanState, PlanSum, PlanView, StepView } from '../../plans/plan.ts';
import { lineMoved, sumByCurrency, totalsMoved } from '../../plans/plan-money.ts';
import {
  carryOutWords,
  countText,
  finalLines,
  rangeWords,
  reasonText,
  releaseLines,
  STATE_WORDS,
} from '../../plans/plan-words.ts';
import { ACTS } from '../../tools/index.ts';
import { framed, type Html, html, icon, PLAN_REFRESH_SECONDS, withArrows } from './html.ts';
import { outcomePage } from './outcome-view.ts';
import type { Viewer } from './page-access.ts';
import type { PlanNow } from './page-state.ts';
import {
  ALONE,
  askedBy,
  caution,
  drawnItem,
  footer,
  itemsIn,
  limit,
  lookOf,
  NATURES,
  type QuestionPage,
  seller,
} from './question-view.ts';

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
const NO_REFRESH = 'refresh=off';

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
function planLivePage(live: PlanLive): string {
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
  const refresh = running && refreshes ? { seconds: PLAN_REFRESH_SECONDS, path } : undefined;
  const foot = footer(approval, viewer, inbox);
  return framed({ title, environment, main, foot, look: 'outcome plan', refresh });
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

interface PlanQuestion extends QuestionPage {
  readonly plan: PlanView;
  /** Bookings that come ticked, because the person ticked them. */
  readonly ticked: ReadonlySet<number>;
  /** A yes came without a ticked booking. */
  readonly isEmptyYes: boolean;
  /** What a line, from 1, does where its payment is not made. */
  readonly releases: ReadonlyMap<number, string>;
}

function planQuestionPage(question: PlanQuestion): string {
  const { plan, approval, environment, path, token, now, viewer, inbox, isEmptyYes } = question;
  const look = lookOf(approval);
  const alone = viewer?.role === 'asker_alone';
  const asked = askedLines(plan);
  const isDone = ({ state }: StepView) => state === 'done';
  const act = carryOutWords(asked.map(({ title, steps }) => ({ title, isRest: steps.some(isDone) })));
  const said = new Set<string>();
  const cautions = saidOnce(asked, said, lineCautions);
  const notes = saidOnce(asked, said, (line) => lineNotes(line, question));
  const main = html`<p class="kind">${icon(look)}${NATURES[look]}</p>
${isEmptyYes ? caution(['Nothing is ticked, and nothing was sent. Tick what is to be done, or say no.']) : undefined}<h1>${act}</h1>
${caution([...finalWords(asked), ...cautions])}${softLines(notes)}<p class="asks">${askedBy(approval, viewer)}${seller(approval)} ${alone ? ALONE : 'Nothing happens unless you say yes.'}
<span class="limit">${limit(approval, now)}</span></p>
<form id="answer" method="post" action="${path}" autocomplete="off" aria-label="Your answer">
${ENTER}<input type="hidden" name="token" value="${token}">
${alone ? undefined : tickAll(question)}
<ul class="rows" role="list" aria-label="Bookings">
${asked.map((line) => row(line, question, said, alone))}</ul></form>
${notAsked(plan)}${leftOut(plan)}${bar(question, alone)}`;
  const foot = html`<p>Before a booking is changed, it is read again. If anything shown here has changed by then, it is left as it is. The yes is good for what begins within 30 minutes. What comes back is estimated; the airline decides.</p>
${footer(approval, viewer, inbox)}`;
  return framed({ title: act, environment, main, foot, look: `${look} plan` });
}

/** A plan can be asked again for what was not begun. */
function askedLines({ lines }: PlanView): readonly LineView[] {
  return lines.filter(({ state }) => state === 'asked');
}

/** Enter on a tick presses the first button that works (HTML, implicit submission): neither a no nor a yes may be given so. */
const ENTER = html`<button type="submit" name="decision" value="look" class="hidden" tabindex="-1" aria-hidden="true">Show this page again</button>
`;

/** A button of the form, and not a link: what a stranger's address says ticks nothing. */
function tickAll({ ticked, plan }: PlanQuestion): Html {
  const { length } = askedLines(plan);
  const [said, decision, words] =
    ticked.size === length
      ? ['All are ticked.', 'none', 'Tick none']
      : ['Only what you tick is done.', 'all', `Tick ${length === 1 ? 'it' : `all ${length}`}`];
  return html`<p>${said} <button type="submit" name="decision" value="${decision}" class="ticks">${words}</button></p>`;
}

/** Where it is not so of all, which the page says above. */
function finalWords(asked: readonly LineView[]): readonly string[] {
  const final = finalLines({ lines: asked });
  return final.length === 0 || final.length === asked.length ? [] : [`Cannot be undone: ${bookings(final)}.`];
}

/** Why it is asked, why what comes back is not known, and what happens where a payment is not made. */
function lineNotes(line: LineView, { releases }: PlanQuestion): readonly string[] {
  return [...lineReasons(line), ...releaseLines(line, releases)];
}

function row(line: LineView, question: PlanQuestion, said: ReadonlySet<string>, alone: boolean): Html {
  const { n } = line;
  const sums = askedSums(line);
  const { pays, back } = showSums(sums);
  const checked = question.ticked.has(n) ? html` checked` : undefined;
  const head = html`<span>${rowHead(line)}</span>`;
  const tick = html`<input type="checkbox" name="line" value="${n}"${checked}>`;
  const isOwn = (words: string) => !said.has(words);
  return html`<li data-sums="${sumsForScript(sums)}">${alone ? html`<p class="tick">${head}</p>` : html`<label class="tick">${tick}${head}</label>`}
${amount('pays', pays)}${amount('gets back', back)}${allTerms(line)}${softLines(lineNotes(line, question).filter(isOwn))}${caution(lineCautions(line).filter(isOwn))}</li>
`;
}

function amount(verb: string, sum: string): Html {
  return html`<p class="moves"><span class="soft">${verb}</span> ${sum}</p>
`;
}

/**
 * Below everything, so that it stays in view from the top of the page on. Without the script it says what all do together,
 * whatever is ticked.
 */
function bar({ plan }: PlanQuestion, alone: boolean): Html {
  const { pays, back } = showSums(plan.sums);
  const { length } = askedLines(plan);
  const words = `${length === 1 ? 'In all' : `All ${length}`} · pays ${pays} · gets back ${back}`;
  return html`<div class="bar"><p role="status"${alone ? undefined : html` data-follows`}>${words}</p>
<button type="submit" form="answer" name="decision" value="no">No, do none</button>
${alone ? undefined : html`<button type="submit" form="answer" name="decision" value="yes" class="yes">Yes, do the ticked</button>`}
</div>
`;
}

/** Why a booking of the plan is not asked now: it was done before, or is refused. */
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

/** What is done; below it for whom, and which trip they have now, where that is known. */
function rowHead({ n, title, about, steps }: LineView): Html {
  const [first, ...more] = steps;
  const what = first === undefined || more.length > 0 ? title : first.act;
  const head = html`<strong>${n}. ${what}</strong>`;
  if (about === undefined) return head;
  return html`${head}<br>${whoText(about)} <span class="where">${withArrows(whereText(about))}</span>`;
}

/** Each act of a booking with all that its own page would show; the same people and trip stand there once. */
function allTerms({ n, title, steps }: LineView): Html {
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
function lineReasons({ reason, steps }: LineView): readonly string[] {
  const rules = steps.flatMap(({ estimate }) => (estimate?.amount === undefined ? (estimate?.rule ?? []) : []));
  return [...(reason === undefined ? [] : [reasonText(reason)]), ...new Set(rules)];
}

/**
 * Sentences of more than one row stand once above them all.
 * @param said filled with them: no row repeats them
 */
function saidOnce(
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
function bookings(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'booking' : 'bookings'} ${rangeWords(numbers)}`;
}

function softLines(lines: readonly string[]): readonly Html[] {
  return lines.map((words) => html`<p class="soft">${withArrows(words)}</p>\n`);
}

/** Every caution once. */
function lineCautions({ steps }: LineView): readonly string[] {
  return [...new Set(steps.flatMap(({ sections }) => linesIn(sections, 'caution')))];
}

interface RowSums {
  readonly pays: string;
  readonly back: string;
}

export function showSums(sums: readonly PlanSum[]): RowSums {
  const pays = sums
    .filter(({ paid }) => paid.minor > 0)
    .map(({ paid, paidAtMost }) => `${paidAtMost ? 'at most ' : ''}${showMoney(paid)}`);
  const back = sums
    .map(({ comesBack: least, comesBackAtMost: most = least }) => ({ least, most }))
    .filter(({ most }) => most.minor > 0)
    .map(({ least, most }) => rangeText(least, most));
  return {
    pays: all(
      pays,
      sums.some(({ paidUnknown }) => paidUnknown),
    ),
    back: all(
      back,
      sums.some(({ comesBackUnknown }) => comesBackUnknown),
    ),
  };
}

function rangeText(least: Money, most: Money): string {
  return most.minor > least.minor ? `${showMoney(least)} to ${showMoney(most)}` : showMoney(least);
}

function all(known: readonly string[], unknown: boolean): string {
  return [...known, ...(unknown ? ['an unknown sum'] : [])].join(' and ') || 'nothing';
}

/** Of what is asked of a booking. */
function askedSums({ steps }: LineView): readonly PlanSum[] {
  return sumByCurrency(steps.filter(({ state }) => state === 'asked'));
}

/** For the script, in minor units. */
function sumsForScript(sums: readonly PlanSum[]): string {
  return JSON.stringify(
    sums.map(({ paid, paidAtMost, paidUnknown, comesBack, comesBackAtMost = comesBack, comesBackUnknown }) => ({
      currency: paid.currency,
      digits: minorDigits(paid.currency),
      paid: paid.minor,
      atMost: paidAtMost === true,
      payUnknown: paidUnknown === true,
      least: comesBack.minor,
      most: comesBackAtMost.minor,
      backUnknown: comesBackUnknown === true,
    })),
  );
}
