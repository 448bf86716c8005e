/**
 * The page of a question about a plan, before and after the yes. Each booking has a row with a tick of its own; a bar with the
 * sums and the buttons stays in view. No booking is ticked beforehand; one button ticks all and loads the page again. The plan
 * does only the bookings that the person ticked. In order: which page is shown, the page after the yes, the page before it, what both
 * show of a line, sums in words.
 */

import { type DecisionOutcome, statusOnceAnswered } from '../../approvals/approval-status.ts';
import { whereText, whoText } from '../../approvals/booking-gist.ts';
import type { Approval } from '../../approvals/ports.ts';
import { linesIn } from '../../approvals/terms.ts';
import { type Money, minorDigits, showMoney } from '../../core/money.ts';
import { capitalized, counted } from '../../core/words.ts';
import { conditionSentence } from '../../domain/pricing/describe-refund.ts';
import type { LineState, LineView, PlanState, PlanSum, PlanView, StepView } from '../../plans/plan.ts';
import { lineMoved, onConditionWords, sumByCurrency, totalsMoved } from '../../plans/plan-money.ts';
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
import { CLOSE, outcomePage } from './outcome-view.ts';
import type { CurrentPlan } from './page-state.ts';
import {
  asks,
  canOnlyRefuse,
  caution,
  drawnItem,
  footer,
  itemsIn,
  NATURES,
  type QuestionPage,
  shownNature,
} from './question-view.ts';

/** States of a plan that was begun. */
const STARTED: ReadonlySet<PlanView['state']> = new Set(['running', 'stopped', 'over']);

/** Parameter of the page's address that stops the renewal. */
const NO_REFRESH = 'refresh=off';

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

/** The first button of the form. Enter on a tick presses it (HTML, implicit submission), so it must say neither yes nor no. */
const ENTER_BUTTON = html`<button type="submit" name="decision" value="look" class="hidden" tabindex="-1" aria-hidden="true">Show this page again</button>
`;

interface PlanPageInput extends Omit<QuestionPage, 'before'> {
  /** The address that the browser requested, with its query. */
  readonly url: string;
  readonly filledIn?: FilledIn;
  /** By line, from 1: the path of the separate question that the line waits for. */
  readonly ownQuestions?: ReadonlyMap<number, string>;
}

/** A form that decided nothing, so that the page is shown again as it was filled in. */
interface FilledIn {
  /** The ticked lines, from 1. */
  readonly lines: readonly number[] | 'all';
  /** The person said yes and ticked nothing. */
  readonly isEmptyYes: boolean;
}

/** Draws the page. Undefined if the plan was declined, or not answered in time: the page of any other question says that, too. */
export function planPage(
  { view, releases = new Map() }: CurrentPlan,
  { url, filledIn, ownQuestions = new Map(), ...page }: PlanPageInput,
): string | undefined {
  if (view.state === 'asked') {
    // Ticks come from the form, never from the address: somebody else's link must not tick anything.
    const { lines = [], isEmptyYes = false } = filledIn ?? {};
    const ticked = new Set(lines === 'all' ? askedLines(view).map(({ n }) => n) : lines);
    return planQuestionPage({ ...page, plan: view, ticked, isEmptyYes, releases });
  }
  if (!STARTED.has(view.state)) return undefined;
  return planLivePage({ ...page, plan: view, refreshes: !hasParameter(url, NO_REFRESH), ownQuestions });
}

/** Whether the plan was asked anew after this question: its lines are those of the newer question. */
export function isReplaced({ question }: CurrentPlan, { operationId }: Approval): boolean {
  return question !== undefined && question !== operationId;
}

type ReplacedPageInput = Omit<PlanPageInput, 'token' | 'url' | 'filledIn' | 'ownQuestions'> & {
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

function replacedOutcome({ decision, decidedAt }: Approval): DecisionOutcome {
  const isAnswered = decision === 'granted' || decidedAt !== undefined;
  const line = isAnswered
    ? 'What was begun by your yes is on the newer page. Nothing more begins by it.'
    : 'Nothing was sent by it.';
  return { kind: 'unknown', title: 'A newer question replaced this one', lines: [line] };
}

function hasParameter(url: string, parameter: string): boolean {
  return (url.split('?')[1] ?? '').split('&').includes(parameter);
}

/** The answers that the form of the page may send. A late answer is accepted and changes nothing: the page shows the state. */
export function permittedAnswers({ view }: CurrentPlan) {
  const lines = view.state === 'asked' ? askedLines(view) : view.lines;
  return { decisions: ['yes', 'no', 'stop', 'look', 'all', 'none'] as const, lines: lines.map(({ n }) => n) };
}

interface LivePageInput extends Omit<PlanPageInput, 'now' | 'url' | 'filledIn'> {
  readonly plan: PlanView;
  /** False if the person stopped it (WCAG 2.2, 2.2.1 Timing Adjustable). */
  readonly refreshes: boolean;
  readonly ownQuestions: ReadonlyMap<number, string>;
}

/** The page after the yes: the state of each line, what was really paid and came back, and a button that stops the rest. */
function planLivePage(live: LivePageInput): string {
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

interface PlanQuestionInput extends QuestionPage {
  readonly plan: PlanView;
  /** Lines, from 1, that are shown ticked because the person ticked them. */
  readonly ticked: ReadonlySet<number>;
  /** A yes came without a ticked booking. */
  readonly isEmptyYes: boolean;
  /** By line, from 1: what happens to its booking if its payment is not made. */
  readonly releases: ReadonlyMap<number, string>;
}

function planQuestionPage(question: PlanQuestionInput): string {
  const { plan, approval, environment, path, token, now, viewer, inbox, isEmptyYes } = question;
  const nature = shownNature(approval);
  const isRefusalOnly = canOnlyRefuse(viewer);
  const asked = askedLines(plan);
  const isDone = ({ state }: StepView) => state === 'done';
  const act = carryOutWords(asked.map(({ title, steps }) => ({ title, isRest: steps.some(isDone) })));
  const cautions = sentencesAbove(asked, lineCautions);
  const notes = sentencesAbove(asked, (line) => lineNotes(line, question));
  const shared = cautions.shared.union(notes.shared);
  const main = html`<p class="kind">${icon(nature)}${NATURES[nature]}</p>
${isEmptyYes ? caution(['Nothing is ticked, and nothing was sent. Tick what is to be done, or say no.']) : undefined}<h1>${act}</h1>
${asks({ approval, viewer, now })}
${caution([...finalWords(asked), ...cautions.sentences])}${softLines(notes.sentences)}<form id="answer" method="post" action="${path}" autocomplete="off" aria-label="Your answer">
${ENTER_BUTTON}<input type="hidden" name="token" value="${token}">
${isRefusalOnly ? undefined : tickAll(question)}
<ul class="rows" role="list" aria-label="Bookings">
${asked.map((line) => askedRow(line, question, shared))}</ul></form>
${notAskedSection(plan)}${leftOutSection(plan)}${answerBar(question)}`;
  const foot = html`<p>Before a booking is changed, it is read again. If anything shown here has changed by then, it is left as it is. The yes is good for what begins within 30 minutes. What comes back is estimated; the airline decides.</p>
${footer(approval, viewer, inbox)}`;
  return framed({ title: act, environment, main, foot, look: `${nature} plan` });
}

/** The lines that this question asks about: a plan can be asked again for those that were not begun. */
function askedLines({ lines }: PlanView): readonly LineView[] {
  return lines.filter(({ state }) => state === 'asked');
}

/** The button that ticks all lines or none. It is no link, because a stranger's link must not tick anything. */
function tickAll({ ticked, plan }: PlanQuestionInput): Html {
  const { length } = askedLines(plan);
  const button = (decision: 'all' | 'none', words: string) =>
    html`<button type="submit" name="decision" value="${decision}" class="ticks">${words}</button>`;
  if (ticked.size === length) return html`<p>All are ticked. ${button('none', 'Tick none')}</p>`;
  return html`<p>Only what you tick is done. ${button('all', length === 1 ? 'Tick it' : `Tick all ${length}`)}</p>`;
}

/** Says which of the bookings cannot be undone. Empty if that is true of none or of all: then the head of the page says it. */
function finalWords(asked: readonly LineView[]): readonly string[] {
  const final = finalLines({ lines: asked });
  return final.length === 0 || final.length === asked.length ? [] : [`Cannot be undone: ${bookings(final)}.`];
}

/** Says why the line is asked, why its refund is unknown, and what happens if its payment is not made. */
function lineNotes(line: LineView, { releases }: PlanQuestionInput): readonly string[] {
  return [...lineReasons(line), ...releaseLines(line, releases)];
}

/**
 * A row of the page before the yes.
 * @param shared sentences that stand above all rows
 */
function askedRow(line: LineView, question: PlanQuestionInput, shared: ReadonlySet<string>): Html {
  const { n } = line;
  const sums = askedSums(line);
  const { pays, back } = showSums(sums);
  const checked = question.ticked.has(n) ? html` checked` : undefined;
  const words = html`<span>${rowHead(line)}</span>`;
  const tick = html`<input type="checkbox" name="line" value="${n}"${checked}>`;
  const head = canOnlyRefuse(question.viewer)
    ? html`<p class="tick">${words}</p>`
    : html`<label class="tick">${tick}${words}</label>`;
  const isOnlyHere = (sentence: string) => !shared.has(sentence);
  const notes = softLines(lineNotes(line, question).filter(isOnlyHere));
  const cautions = caution(lineCautions(line).filter(isOnlyHere));
  return html`<li data-sums="${sumsForScript(sums)}">${head}
${sumCell('pays', pays)}${sumCell('gets back', back)}${termsDetails(line)}${notes}${cautions}</li>
`;
}

function sumCell(verb: string, sum: string): Html {
  return html`<p class="moves"><span class="soft">${verb}</span> ${sum}</p>
`;
}

/**
 * The bar with the sums and the buttons. It comes last in the page, so that it stays in view from the top on. Without the script
 * its sums are those of all lines together, whatever is ticked.
 */
function answerBar({ plan, viewer }: PlanQuestionInput): Html {
  const isRefusalOnly = canOnlyRefuse(viewer);
  const { pays, back } = showSums(plan.sums);
  const { length } = askedLines(plan);
  const words = `${length === 1 ? 'In all' : `All ${length}`} · pays ${pays} · gets back ${back}`;
  return html`<div class="bar"><p role="status"${isRefusalOnly ? undefined : html` data-follows`}>${words}</p>
<button type="submit" form="answer" name="decision" value="no">No, do none</button>
${isRefusalOnly ? undefined : html`<button type="submit" form="answer" name="decision" value="yes" class="yes">Yes, do the ticked</button>`}
</div>
`;
}

/** Says why the other bookings of the plan are not asked now: they were done before, or are refused. */
function notAskedSection({ lines }: PlanView): Html | undefined {
  const others = lines.filter(({ state }) => state !== 'asked');
  if (others.length === 0) return undefined;
  return html`<section aria-labelledby="not-asked"><h2 id="not-asked">Not asked now</h2>
<ul role="list" aria-labelledby="not-asked">
${others.map(({ n, title, state, why = STATE_WORDS[state] }) => html`<li>${n}. ${title}: ${why}</li>\n`)}</ul></section>
`;
}

function leftOutSection({ leftOut }: PlanView): Html | undefined {
  if (leftOut.length === 0) return undefined;
  return html`<section aria-labelledby="left-out"><h2 id="left-out">Not in this plan</h2>
<ul role="list" aria-labelledby="left-out">
${leftOut.map(({ title, why }) => html`<li>${title}: ${why}</li>\n`)}</ul></section>
`;
}

/** Says what is done; below it the people and the trip that they have now, if those are known. */
function rowHead({ n, title, about, steps }: LineView): Html {
  const [first, ...more] = steps;
  const what = first === undefined || more.length > 0 ? title : first.act;
  const head = html`<strong>${n}. ${what}</strong>`;
  if (about === undefined) return head;
  return html`${head}<br>${whoText(about)} <span class="where">${withArrows(whereText(about))}</span>`;
}

/** Shows each act of a booking with all that its own page would show. Facts that two acts share stand at the first of them alone. */
function termsDetails({ n, title, steps }: LineView): Html {
  const items = steps.flatMap(stepItems);
  const isRepeatedFact = ({ isFact, item }: StepItem, i: number) =>
    isFact && items.slice(0, i).some((earlier) => earlier.isFact && earlier.item.line === item.line);
  // Only facts: the same fee twice is two fees.
  const shownItems = items.filter((each, i) => !isRepeatedFact(each, i));
  const acts = steps.map(({ act }, place) => {
    const itemsOfAct = shownItems.filter((each) => each.place === place);
    return stepTerms(act, itemsOfAct);
  });
  return html`<details class="terms"><summary>Terms<span class="hidden"> of ${n}. ${title}</span></summary>
${acts}</details>
`;
}

interface StepItem {
  /** The act of the booking that it belongs to, from 0. */
  readonly place: number;
  readonly item: ReturnType<typeof itemsIn>[number];
  /** Whether it states people or the trip, and not a condition or an amount. */
  readonly isFact: boolean;
}

/** Reads everything in the terms of an act but its cautions, which stand in the row. */
function stepItems({ sections }: StepView, place: number): readonly StepItem[] {
  const withoutCautions = sections.filter(({ kind }) => kind !== 'caution');
  return withoutCautions.flatMap((section) => {
    const isFact = section.kind === 'people' || section.kind === 'trip';
    return itemsIn([section], section.kind).map((item) => ({ place, item, isFact }));
  });
}

function stepTerms(act: string, items: readonly StepItem[]): Html {
  return html`<p class="act">${act}</p>
<ul role="list">
${items.map(({ item }) => drawnItem(item))}</ul>
`;
}

/** Says why the line is asked, and why its refund is unknown. */
function lineReasons({ reason, steps }: LineView): readonly string[] {
  const rules = steps.flatMap(({ estimate }) => (estimate?.amount === undefined ? (estimate?.rule ?? []) : []));
  const conditions = steps.flatMap(({ estimate }) => (estimate?.conditions ?? []).map(conditionSentence));
  return [...(reason === undefined ? [] : [reasonText(reason)]), ...new Set([...rules, ...conditions])];
}

/**
 * Finds the sentences of more than one row: they stand once above all rows.
 * @returns `sentences` for above the rows, with their bookings, and `shared`, the same as the rows have them, which omit them
 */
function sentencesAbove(lines: readonly LineView[], sentencesOf: (line: LineView) => readonly string[]) {
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
function bookings(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'booking' : 'bookings'} ${rangeWords(numbers)}`;
}

function softLines(lines: readonly string[]): readonly Html[] {
  return lines.map((words) => html`<p class="soft">${withArrows(words)}</p>\n`);
}

/** The cautions of a line, each once. */
function lineCautions({ steps }: LineView): readonly string[] {
  return [...new Set(steps.flatMap(({ sections }) => linesIn(sections, 'caution')))];
}

/** Sums in words: `SAR 345.00 and an unknown sum`, or `nothing`. */
interface RowSums {
  readonly pays: string;
  readonly back: string;
}

function showSums(sums: readonly PlanSum[]): RowSums {
  const pays = sums
    .filter(({ paid }) => paid.minor > 0)
    .map(({ paid, paidAtMost }) => `${paidAtMost ? 'at most ' : ''}${showMoney(paid)}`);
  const back = sums
    .filter(({ comesBack, comesBackAtMost = comesBack }) => comesBackAtMost.minor > 0)
    .map((sum) => `${rangeText(sum.comesBack, sum.comesBackAtMost ?? sum.comesBack)}${onConditionWords(sum)}`);
  const isPaidUnknown = sums.some(({ paidUnknown }) => paidUnknown);
  const isBackUnknown = sums.some(({ comesBackUnknown }) => comesBackUnknown);
  return { pays: joinSums(pays, isPaidUnknown), back: joinSums(back, isBackUnknown) };
}

/** Whether a sum is paid or comes back. It counts as moving if it is unknown. */
function movesMoney({ paid, paidUnknown, comesBack, comesBackAtMost = comesBack, comesBackUnknown }: PlanSum): boolean {
  return paid.minor > 0 || comesBackAtMost.minor > 0 || paidUnknown === true || comesBackUnknown === true;
}

function rangeText(least: Money, most: Money): string {
  return most.minor > least.minor ? `${showMoney(least)} to ${showMoney(most)}` : showMoney(least);
}

function joinSums(known: readonly string[], hasUnknown: boolean): string {
  return [...known, ...(hasUnknown ? ['an unknown sum'] : [])].join(' and ') || 'nothing';
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
