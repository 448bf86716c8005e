/** The page of a plan after the yes: the state of each line, what was really paid and came back, and a button that stops the rest. */
import { actSentence } from '../../approvals/asked-act.ts';
import { capitalized, counted } from '../../core/words.ts';
import type { LineState, LineView, PlanState, PlanView } from '../../plans/plan.ts';
import { movedTexts, sumByCurrency, sumsMoved } from '../../plans/plan-money.ts';
import { countTexts, STATE_WORDS } from '../../plans/plan-words.ts';
import { framed, type Html, html, icon, PLAN_REFRESH_SECONDS, refreshNote } from '../browser/html.ts';
import { outcomeFooter, whereNext } from './outcome-view.ts';
import {
  drawSums,
  leftOutSection,
  lineReasons,
  moneyUnbroken,
  movesMoney,
  rowHead,
  sentencesAbove,
  softLines,
  termsDetails,
} from './plan-line.ts';
import { isReader, type QuestionPage } from './question-view.ts';

/** How a state looks: its icon, and the colour of its words. */
interface Look {
  readonly icon: Parameters<typeof icon>[0];
  readonly tone: Tone;
}

type Tone = 'bad' | 'wait' | 'good' | 'no';

const LOOKS: Readonly<Record<LineState, Look>> = {
  proposed: { icon: 'wait', tone: 'no' },
  asked: { icon: 'wait', tone: 'no' },
  not_ticked: { icon: 'no', tone: 'no' },
  waiting: { icon: 'wait', tone: 'wait' },
  doing: { icon: 'wait', tone: 'wait' },
  done: { icon: 'good', tone: 'good' },
  skipped: { icon: 'no', tone: 'bad' },
  in_doubt: { icon: 'bad', tone: 'bad' },
  partly_done: { icon: 'bad', tone: 'bad' },
  not_begun: { icon: 'no', tone: 'wait' },
  needs_person: { icon: 'bad', tone: 'bad' },
};

/** The worst first. */
const TONES: readonly Tone[] = ['bad', 'wait', 'good', 'no'];

/** The states that need a person, the most urgent first: their lines stand above all others. */
const NEED_PERSON: readonly LineState[] = ['needs_person', 'partly_done', 'in_doubt', 'skipped', 'not_begun'];

const STILL_WANTED = 'still wanted, the assistant can run this plan again. It asks first.';

/** What a person does next about a line. A plan that runs may still do those of {@link ENDED_NEXT}. */
const NEXT: Readonly<Partial<Record<LineState, string>>> = {
  needs_person: 'Ask the airline what happened, and start nothing new until you know.',
  in_doubt: 'Wait. The booking is read again until the outcome is known, and nothing is sent twice.',
};

/** Of a plan that is over. */
const ENDED_NEXT: Readonly<Partial<Record<LineState, string>>> = {
  partly_done: `If the rest is ${STILL_WANTED}`,
  skipped: `If it is ${STILL_WANTED}`,
  not_begun: `If it is ${STILL_WANTED}`,
};

/** States of an act that was sent, and of which nobody knows whether it moved money. */
const UNKNOWN: ReadonlySet<LineState> = new Set(['in_doubt', 'needs_person']);

/** States of an act that may still move money. */
const NOT_YET: ReadonlySet<LineState> = new Set(['waiting', 'doing']);

/** Lines that were not done and move nothing. */
const MOVE_NOTHING: ReadonlySet<LineState> = new Set(['not_ticked', 'skipped', 'not_begun']);

const PLAN_TITLES: Readonly<Partial<Record<PlanState, string>>> = {
  running: 'In progress',
  stopped: 'Stopped',
  over: 'Finished',
};

interface LivePageInput extends Omit<QuestionPage, 'now'> {
  readonly plan: PlanView;
  /** False if the person stopped it. */
  readonly refreshes: boolean;
}

/** First what needs a person, with the next step. The colour of the page is that of its worst line. */
export function planLivePage(live: LivePageInput): string {
  const { plan, environment, path, approval, viewer, inbox, refreshes } = live;
  const isRunning = plan.state === 'running';
  const refresh = isRunning && refreshes ? { seconds: PLAN_REFRESH_SECONDS, path } : undefined;
  const title = planTitle(plan);
  const tone = worstTone(plan);
  const reasons = sentencesAbove(plan.lines, lineReasons);

  const main = html`<h1 class="${tone}">${icon(tone)}<span>${title}</span></h1>
<p class="lead" role="status">${summary(plan)}</p>
${softLines(reasons.sentences)}${isRunning ? refreshNote('page', refresh, path) : undefined}
<table role="table"><caption class="hidden">Bookings of the plan</caption>
<thead role="rowgroup"><tr role="row">${['State', 'Booking', 'Paid', 'Came back'].map((name, n) => html`<th role="columnheader" scope="col"${n > 1 ? html` class="amount"` : undefined}>${name}</th>`)}</tr></thead>
<tbody role="rowgroup">
${inOrder(plan.lines).map((line) => lineRow(line, live, reasons.shared))}</tbody></table>
${leftOutSection(plan)}${isRunning ? stopForm(live) : whereNext(viewer, inbox)}`;

  const foot = outcomeFooter(approval, viewer, inbox);
  return framed({ title, environment, main, foot, look: 'outcome plan', refresh });
}

/** What a person left out does not count, unless it is all that there is. While the plan runs nothing is good yet. */
function worstTone({ state, lines }: PlanView): Tone {
  const tones = new Set(lines.map((line) => LOOKS[line.state].tone));
  if (state === 'running') tones.add('wait');
  return TONES.find((tone) => tones.has(tone)) ?? 'no';
}

/** First the lines that need a person, last those that the person left out. */
function inOrder(lines: readonly LineView[]): readonly LineView[] {
  const rank = ({ state }: LineView) => {
    const urgency = NEED_PERSON.indexOf(state);
    if (urgency >= 0) return urgency;
    return NEED_PERSON.length + Number(state === 'not_ticked');
  };
  return lines.toSorted((a, b) => rank(a) - rank(b));
}

/** `3 done · 1 not done · SAR 332.00 paid · SAR 480.75 came back` */
function summary(plan: PlanView): Html {
  const moved = plan.lines.flatMap(({ steps }) => steps);
  const parts = [...countTexts(plan), ...movedTexts(moved)];
  return html`${parts.map((part, n) => html`${n === 0 ? '' : ' · '}<span class="money">${part}</span>`)}`;
}

/** `Being carried out: 3 of 10 bookings are done` */
function planTitle({ state, lines }: PlanView): string {
  const ticked = lines.filter((line) => line.state !== 'not_ticked');
  const done = ticked.filter((line) => line.state === 'done').length;
  const verb = done === 1 || ticked.length === 1 ? 'is' : 'are';
  return `${PLAN_TITLES[state] ?? 'The plan'}: ${done} of ${counted(ticked.length, 'booking')} ${verb} done`;
}

/** A row of the page after the yes. @param shared reasons that stand above all rows */
function lineRow(line: LineView, { plan }: LivePageInput, shared: ReadonlySet<string>): Html {
  const { state, why, steps } = line;
  const isEnded = plan.state !== 'running';
  const begun = steps.filter((step) => step.state !== state && step.state !== 'not_ticked');
  const stepLines = steps.length > 1 ? begun.map((step) => `${actSentence(step.act)}: ${STATE_WORDS[step.state]}`) : [];
  const next = NEXT[state] ?? (isEnded ? ENDED_NEXT[state] : undefined);
  const nextLine = next === undefined ? undefined : html`<p><strong>Next:</strong> ${next}</p>\n`;

  const whyLine = why === undefined ? undefined : html`<p>${why}</p>\n`;
  const reasons = lineReasons(line).filter((words) => !shared.has(words));
  const { tone, icon: name } = LOOKS[state];
  const needsPerson = nextLine === undefined ? undefined : html` class="needs"`;

  return html`<tr role="row"${needsPerson}><td role="cell"><p class="state ${tone}">${icon(name)}<span>${capitalized(STATE_WORDS[state])}</span></p></td>
<td role="cell"><p>${rowHead(line)}</p>
${whyLine}${nextLine}${softLines(stepLines)}${asAsked(line)}${softLines(reasons)}${termsDetails(line)}</td>
${amountCell('paid', line)}${amountCell('refunded', line)}</tr>
`;
}

/** What the acts of a line that may still be done would move. */
function asAsked({ state, steps }: LineView): Html | undefined {
  const openSums = sumByCurrency(steps.filter((step) => step.state !== 'done'));
  if (MOVE_NOTHING.has(state) || !openSums.some(movesMoney)) return undefined;
  const { pays, back } = drawSums(openSums);
  return html`<p class="soft">As approved: pays ${pays}, gets back ${back}</p>\n`;
}

type MovedField = 'paid' | 'refunded';

/** A cell with what a line paid or got back, as the journal proves it: what is not known is never nothing. */
function amountCell(field: MovedField, line: LineView): Html {
  const amounts = sumsMoved(line.steps).flatMap((sum) => sum[field] ?? []);
  const known = amounts.filter(({ minor }) => minor > 0).map(moneyUnbroken);
  const unknown = unknownWords(field, line).map((words) => html`<span>${words}</span>`);
  const shown = [...known, ...unknown];
  const label = html`<span class="label">${field === 'paid' ? 'paid' : 'came back'}</span>`;
  if (shown.length === 0) return html`<td role="cell" class="amount none">${label} <span>nothing</span></td>`;
  return html`<td role="cell" class="amount">${label} <span>${shown.map((each, n) => html`${n === 0 ? '' : ', '}${each}`)}</span></td>`;
}

/** What is not known of the money of a line. */
function unknownWords(field: MovedField, { state, steps }: LineView): readonly string[] {
  const words = new Set<string>();
  if (steps.some(({ moved }) => moved?.unstated === (field === 'paid' ? 'charge' : 'refund'))) words.add('not stated');
  const direction = field === 'paid' ? 'payment' : 'refund';
  // Of an act whose terms were blanked nobody can say that it moves no money.
  const mayMove = steps.filter(({ money, sections }) => money?.direction === direction || (!money && !sections.length));
  if (steps.length === 0 ? UNKNOWN.has(state) : mayMove.some((step) => UNKNOWN.has(step.state))) words.add('not known');
  if (mayMove.some(({ money, state: now }) => money && NOT_YET.has(now))) words.add('not yet');

  return [...words];
}

/** A form that stays in view wherever the person scrolls. */
function stopForm({ path, token, viewer }: LivePageInput): Html | undefined {
  if (isReader(viewer)) return undefined;
  return html`<form method="post" action="${path}" autocomplete="off" aria-label="Stop the plan" class="bar">
<input type="hidden" name="token" value="${token}">
<p class="soft">Requests already sent can't be recalled. Their outcome is followed until it is known.</p>
<button type="submit" name="decision" value="stop">Stop the rest</button>
</form>
`;
}
