/** Puts a plan in words: first its states and results, then its question, then notes that pages show beside single lines. */

import { accountLines } from '../approvals/account-lines.ts';
import { type AskedAct, actSentence } from '../approvals/asked-act.ts';
import { outcomeOf, PROPOSE_AGAIN, type WhyOver } from '../approvals/endings.ts';
import type { DecisionOutcome } from '../approvals/outcome-words.ts';
import type { TermsSection } from '../approvals/terms.ts';
import { capitalized } from '../core/words.ts';
import {
  type LineState,
  type LineView,
  MOST_LINES_IN_DIALOG,
  type PlanBody,
  type PlanLine,
  type PlanState,
  type PlanStep,
  type PlanView,
  type StepTerms,
  type StepView,
} from './plan.ts';
import { lineMoney, lineMoved, sumByCurrency, sumLines, sumWords, totalsMoved } from './plan-money.ts';
import { itemAt } from './planner.ts';

/** Words for the state of one line, in the order in which {@link countText} names the states. */
export const STATE_WORDS: Readonly<Record<LineState, string>> = {
  done: 'done',
  doing: 'in progress',
  in_doubt: 'sent, outcome not known yet',
  needs_person: 'needs checking with the airline',
  partly_done: 'partly done',
  waiting: 'waits its turn',
  skipped: 'not done',
  not_begun: 'not started',
  not_ticked: 'not approved',
  asked: 'waits for the answer',
  proposed: 'proposed',
};

/** Where the plural differs from {@link STATE_WORDS}. */
const STATE_WORDS_OF_SEVERAL: Readonly<Partial<Record<LineState, string>>> = {
  asked: 'wait for the answer',
  waiting: 'wait their turn',
  needs_person: 'need checking with the airline',
};

/** Words for the state of a plan, in results and on the page. */
const PLAN_WORDS: Readonly<Record<PlanState, string>> = {
  proposed: 'proposed, not asked yet',
  asked: 'waits for the answer',
  declined: 'declined',
  lapsed: 'nobody answered in time',
  replaced: 'replaced by a newer question',
  withdrawn: 'withdrawn',
  running: 'in progress',
  stopped: 'stopped, nothing more starts',
  over: 'finished',
};

/** How the last question ended, where nothing of it was carried out. */
const ENDINGS: Readonly<Partial<Record<PlanState, WhyOver>>> = {
  declined: 'declined',
  lapsed: 'unanswered',
  replaced: 'replaced',
  withdrawn: 'stopped',
};

/** The last words of every question about a plan. */
const READ_AGAIN =
  'Each booking is read again before it is changed, and is left out if its terms have changed. On the approval page single bookings can be left out.';

/** The next step where no line can be done now. */
export const TELL_WHY = 'Tell the user why, and propose another plan if one is wanted.';

function countByState({ lines }: Pick<PlanView, 'lines'>): readonly (readonly [LineState, number])[] {
  const countOf = (state: LineState) => lines.filter((line) => line.state === state).length;
  return (Object.keys(STATE_WORDS) as LineState[])
    .map((state) => [state, countOf(state)] as const)
    .filter(([, count]) => count > 0);
}

/** `10 done, 1 not done, 1 not approved` */
function countText(view: Pick<PlanView, 'lines'>): string {
  return countTexts(view).join(', ');
}

/** The parts of {@link countText}: `10 done`, `1 not done`. */
export function countTexts(view: Pick<PlanView, 'lines'>): readonly string[] {
  return countByState(view).map(
    ([state, count]) => `${count} ${(count > 1 && STATE_WORDS_OF_SEVERAL[state]) || STATE_WORDS[state]}`,
  );
}

/** Lines in these states can still move what was asked. */
const MAY_STILL_MOVE: readonly LineState[] = ['proposed', 'asked', 'waiting', 'doing', 'in_doubt'];

/** What a line can still move, as it was asked: `pays SAR 345.00`. Undefined if nothing. */
export function stillAsked({ state, steps }: Pick<LineView, 'state' | 'steps'>): string | undefined {
  if (!MAY_STILL_MOVE.includes(state)) return undefined;
  return lineMoney({ steps: steps.filter((step) => step.state !== 'done') }).join(', ') || undefined;
}

/** `3. Cancel booking ABC123: done, SAR 86.25 came back` for each line, and what is not in the plan. */
export function planLines({ lines, leftOut }: Pick<PlanView, 'lines' | 'leftOut'>): readonly string[] {
  return [...lines.map(lineText), ...leftOut.map(({ title, why }) => `Left out: ${title}: ${why}`)];
}

function lineText(line: LineView): string {
  const { n, title, locator, state, why } = line;
  const money = stillAsked(line);
  const asked = money === undefined ? [] : [`as asked: ${money}`];
  const what = `${n}. ${lineTitle({ title, locator })}: ${[STATE_WORDS[state], ...lineMoved(line), ...asked].join(', ')}`;
  return why === undefined ? what : `${what}. ${why}`;
}

/** The steps that are done. A later no, or no answer, does not change them. */
function doneSteps({ lines }: PlanView) {
  return lines.flatMap(({ steps }) => steps.filter(({ state }) => state === 'done'));
}

/** The state of a plan, and whether anything was sent. */
function stateWords(view: PlanView): string {
  const words = PLAN_WORDS[view.state];
  if (view.state === 'over' && isAllDone(view)) return 'carried out';
  if (ENDINGS[view.state] === undefined) return words;
  return `${words}, nothing ${doneSteps(view).length > 0 ? 'more ' : ''}was ${view.state === 'withdrawn' ? 'done' : 'sent'}`;
}

function isAllDone({ lines }: PlanView): boolean {
  return lines.every(({ state }) => state === 'done' || state === 'not_ticked');
}

/** How far the plan is, and what it moved. */
export function stateText(view: PlanView): string {
  return [`Plan ${view.id}: ${stateWords(view)}. ${countText(view)}.`, ...totalsMoved(view)].join(' ');
}

/**
 * What the model must do next. Undefined if nothing is left to do.
 * @param isRefused the terms were read again, and nothing of what is left can be asked for now
 */
export function nextText(view: PlanView, isRefused = false): string | undefined {
  const has = (...states: LineState[]) => view.lines.some(({ state }) => states.includes(state));
  const follow = `Do not do any of it by another tool. Call run_plan with plan_id ${view.id} again to follow it; nothing is sent twice.`;
  const warnings = [
    has('needs_person') ? 'STOP: what is marked so needs checking with the airline. Tell the user exactly this.' : '',
    has('partly_done') ? 'Tell the user at once what is done and what is NOT done of a line that is partly done.' : '',
  ].filter((sentence) => sentence !== '');
  if (view.state === 'running') return [...warnings, follow].join(' ');

  const isLeft = ENDINGS[view.state] !== undefined || has('not_begun', 'skipped', 'partly_done');
  if (isLeft && !has('needs_person')) {
    if (isRefused) return [...warnings, TELL_WHY].join(' ');
    if (view.isUpgraded) return [...warnings, PROPOSE_AGAIN].join(' ');
    const again = `If the person still wants all that was not done, call run_plan with plan_id ${view.id} and again: true, which asks once for all of it. For less, propose a new plan. Do not book it yourself.`;
    return [...warnings, again].join(' ');
  }

  return warnings.join(' ') || undefined;
}

/** The outcome of each line, for the page and the terminal. */
export function planOutcome(view: PlanView): DecisionOutcome {
  const lines = [...planLines(view), ...totalsMoved(view)];
  const hasDone = doneSteps(view).length > 0;
  const stillDone = hasDone ? ['Nothing more was sent. What was done before stays done:', ...lines] : undefined;
  const title = `${capitalized(stateWords(view))}: ${countText(view)}`;
  if (view.state === 'running') return { kind: 'pending', title, lines };

  const ending = ENDINGS[view.state];
  if (ending !== undefined) {
    const outcome = outcomeOf(view.isUpgraded ? 'upgraded' : ending);
    return { ...outcome, lines: stillDone ?? outcome.lines };
  }

  return { kind: isAllDone(view) ? 'done' : 'failed', title, lines };
}

/** A line of the question, with what it would do. */
interface AskedLine {
  /** From 1. */
  readonly line: number;
  readonly terms: readonly StepTerms[];
}

/** What the yes is to: `Cancel 2 bookings: costs nothing; about SAR 86.25 comes back`. */
export function actOfPlan({ lines }: Pick<PlanBody, 'lines'>, asked: readonly AskedLine[]): AskedAct {
  const counted = asked.map(({ line, terms }) => {
    const { steps } = itemAt(lines, line - 1);
    return { steps, isRest: terms.length < steps.length };
  });
  const verb = carryOutWords(counted);
  const sums = sumByCurrency(asked.flatMap(({ terms }) => terms)).map(sumWords);
  return sums.length === 0 ? { verb } : { verb, sum: { moves: 'both', words: sums.join('; ') } };
}

/** Each line with its acts, and the sums. A short plan has all its terms here, because a dialog shows nothing else. */
export function planSections(body: PlanBody, asked: readonly AskedLine[]): readonly TermsSection[] {
  const isShort = asked.length <= MOST_LINES_IN_DIALOG;
  const steps = asked.flatMap(({ terms }) => terms);
  const { warnings, notes } = accountLines(steps);
  const sums = [...sumLines(steps), ...warnings, ...notes];
  const notAsked = Object.entries(body.notAsked).map(
    ([n, why]) => `Left out: ${n}. ${lineTitle(itemAt(body.lines, Number(n) - 1))}: ${why}`,
  );

  return [
    {
      kind: 'act',
      lines: [`One yes for ${asked.length === 1 ? 'one booking' : `${asked.length} bookings`}.`, ...sums],
    },
    ...asked.flatMap((line) => lineSections(body, line, isShort)),
    ...(notAsked.length === 0 ? [] : [{ kind: 'note' as const, lines: notAsked }]),
    { kind: 'note', lines: [READ_AGAIN] },
  ];
}

function lineSections(body: PlanBody, { line, terms }: AskedLine, isShort: boolean): readonly TermsSection[] {
  const planLine = itemAt(body.lines, line - 1);
  const acts = terms.map((step) => actSentence(shownAct(step, planLine))).join('; ');
  const why = planLine.reason === undefined ? [] : [reasonText(planLine.reason)];
  const head = { kind: 'act' as const, lines: [`${line}. ${lineTitle(planLine)}: ${acts}`, ...why] };
  const shown = terms
    .flatMap(({ sections }) => sections)
    .filter(({ kind }) => isShort || kind === 'caution' || kind === 'refund');
  return [head, ...shown];
}

type MadeStep = Pick<PlanStep, 'tool' | 'locatorOf'>;

/**
 * What people read of an act. Where a line makes a booking for its next acts, the terms of that act call it another booking of the same
 * trip. People read that it is the new trip. The terms keep their words, because a yes binds them.
 */
export function shownAct(
  { tool, act }: Pick<StepView, 'tool' | 'act'>,
  { steps }: { readonly steps: readonly MadeStep[] },
): AskedAct {
  const place = steps.findIndex((step) => step.tool === tool);
  return steps.some(({ locatorOf }) => locatorOf === place) ? { verb: 'Book', object: 'the new trip' } : act;
}

/** The title of a line, which names its booking. */
export function lineTitle({ title, locator }: Pick<PlanLine, 'title' | 'locator'>): string {
  return locator === undefined || title.includes(locator) ? title : `${title} ${locator}`;
}

/** `Why: the airline changed it: train 101 …` */
export function reasonText(reason: string): string {
  return `Why: ${reason}`;
}

/** A line that is asked, as the words of the yes count it. */
interface CountedLine {
  readonly steps: readonly { readonly tool: string }[];
  /** Some of its acts were done before. */
  readonly isRest: boolean;
}

/** `Move 7, cancel 5 bookings`; `Cancel this booking`: each line is about one. */
export function carryOutWords(lines: readonly CountedLine[]): string {
  const acts = Map.groupBy(lines, ({ steps, isRest }) => (isRest ? 'finish' : actOn(steps)));
  const counted = [...acts].map(([act, { length }]) => `${act} ${lines.length === 1 ? 'this' : length}`);
  return capitalized(`${counted.join(', ')} ${lines.length === 1 ? 'booking' : 'bookings'}`);
}

/** `cancel` for cancel_booking, `assign seats of` for assign_seats; only a move has acts of several tools. */
function actOn(steps: CountedLine['steps']): string {
  const [tool = '', ...others] = new Set(steps.map((step) => step.tool));
  if (others.length > 0) return 'move';
  const [verb, ...what] = tool.split('_');
  return what.join() === 'booking' ? `${verb}` : `${tool.replaceAll('_', ' ')} of`;
}

/** Lines, from 1, with something that no later act takes back: a cancellation. */
export function finalLines({ lines }: Pick<PlanView, 'lines'>): readonly number[] {
  return lines.filter(({ steps }) => steps.some(({ nature }) => nature === 'cancellation')).map(({ n }) => n);
}

/** `Done: Hold … (Booked as XYZ789); Pay SAR 100.00. NOT done: Cancel ABC123.` */
export function actsDone(steps: readonly StepView[], line: LineState): readonly string[] {
  const finished = steps.filter(({ state }) => state === 'done');
  const unfinished = steps.filter(({ state }) => state !== 'done');
  const actList = (listed: readonly StepView[]) =>
    listed.map((step) => `${actSentence(step.act)}${whyDone(step)}`).join('; ');
  const notDone = line === 'partly_done' ? [`NOT done: ${actList(unfinished)}.`] : [];
  return finished.length === 0 ? [] : [`Done: ${actList(finished)}.`, ...notDone];
}

function whyDone({ state, why }: StepView): string {
  return state === 'done' && why !== undefined ? ` (${why.slice(0, -1)})` : '';
}

/** `1-3, 5` */
export function rangeWords(numbers: readonly number[]): string {
  const runs: [from: number, to: number][] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
