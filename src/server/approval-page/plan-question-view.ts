/**
 * The question about a plan: a row for each booking with a tick of its own, and a bar that stays in view with the sums and the
 * buttons. None is ticked beforehand; all can be ticked with one button, which loads the page again. Only ticked ones are done.
 */

import { whereText, whoText } from '../../approvals/about.ts';
import { type Money, minorDigits, showMoney } from '../../core/money.ts';
import { capitalized } from '../../core/words.ts';
import type { LineView, PlanSum, PlanView, StepView } from '../../plans/plan.ts';
import { sumByCurrency } from '../../plans/plan-money.ts';
import {
  carryOutWords,
  finalLines,
  rangeWords,
  reasonText,
  releaseLines,
  STATE_WORDS,
} from '../../plans/plan-words.ts';
import { framed, type Html, html, icon, withArrows } from './html.ts';
import {
  ALONE,
  askedBy,
  caution,
  drawnItem,
  footer,
  itemsIn,
  limit,
  linesIn,
  lookOf,
  NATURES,
  type QuestionPage,
  seller,
} from './question-view.ts';

interface PlanQuestion extends QuestionPage {
  readonly plan: PlanView;
  /** Bookings that come ticked, because the person ticked them. */
  readonly ticked: ReadonlySet<number>;
  /** A yes came without a ticked booking. */
  readonly isEmptyYes: boolean;
  /** What a line, from 1, does where its payment is not made. */
  readonly releases: ReadonlyMap<number, string>;
}

export function planQuestionPage(question: PlanQuestion): string {
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
export function askedLines({ lines }: PlanView): readonly LineView[] {
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
export function lineReasons({ reason, steps }: LineView): readonly string[] {
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
function bookings(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'booking' : 'bookings'} ${rangeWords(numbers)}`;
}

export function softLines(lines: readonly string[]): readonly Html[] {
  return lines.map((words) => html`<p class="soft">${withArrows(words)}</p>\n`);
}

/** Every caution once. */
function lineCautions({ steps }: LineView): readonly string[] {
  return [...new Set(steps.flatMap(({ sections }) => linesIn(sections, 'caution')))];
}

export interface RowSums {
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
      sums.some(({ atLeast }) => atLeast),
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
    sums.map(({ paid, paidAtMost, paidUnknown, comesBack, comesBackAtMost = comesBack, atLeast }) => ({
      currency: paid.currency,
      digits: minorDigits(paid.currency),
      paid: paid.minor,
      atMost: paidAtMost === true,
      payUnknown: paidUnknown === true,
      least: comesBack.minor,
      most: comesBackAtMost.minor,
      backUnknown: atLeast === true,
    })),
  );
}
