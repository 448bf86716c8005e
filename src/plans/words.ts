/** A plan in words: for results, and for the page after the answer. */

import type { DecisionOutcome } from '../approvals/status.ts';
import { capitalized } from '../core/words.ts';
import { lineMoved, totalsMoved } from './line-words.ts';
import type { LineState, LineView, PlanState, PlanView } from './plan.ts';
import { titleOf } from './question-words.ts';

export const STATE_WORDS: Readonly<Record<LineState, string>> = {
  proposed: 'proposed',
  asked: 'waits for the answer',
  not_ticked: 'left out by the person',
  waiting: 'waits its turn',
  doing: 'being done',
  done: 'done',
  skipped: 'not done',
  in_doubt: 'sent, outcome not known yet',
  asks_again: 'waits for a yes of its own',
  partly_done: 'partly done',
  not_begun: 'not begun',
  needs_person: 'a person must check',
};

const ORDER: readonly LineState[] = [
  'done',
  'doing',
  'in_doubt',
  'needs_person',
  'asks_again',
  'partly_done',
  'waiting',
  'skipped',
  'not_begun',
  'not_ticked',
  'asked',
  'proposed',
];

function countsOf({ lines }: Pick<PlanView, 'lines'>): readonly (readonly [LineState, number])[] {
  const of = (state: LineState) => lines.filter((line) => line.state === state).length;
  return ORDER.map((state) => [state, of(state)] as const).filter(([, count]) => count > 0);
}

/** After the number of several. */
const WORDS_OF_MANY: Readonly<Partial<Record<LineState, string>>> = {
  asked: 'wait for the answer',
  waiting: 'wait their turn',
  asks_again: 'wait for a yes of their own',
};

/** `10 done, 1 not done, 1 left out by the person` */
export function countText(view: Pick<PlanView, 'lines'>): string {
  return countsOf(view)
    .map(([state, count]) => `${count} ${(count > 1 && WORDS_OF_MANY[state]) || STATE_WORDS[state]}`)
    .join(', ');
}

/** `3. Cancel booking ABC123: done, SAR 86.25 came back` */
export function lineText(line: LineView): string {
  const { n, title, locator, state, why } = line;
  const named = titleOf({ title, locator });
  const what = `${n}. ${named}: ${[STATE_WORDS[state], ...lineMoved(line)].join(', ')}`;
  return why === undefined ? what : `${what}. ${why}`;
}

const PLAN_WORDS: Readonly<Record<PlanState, string>> = {
  proposed: 'proposed, nobody was asked',
  asked: 'waits for the answer',
  declined: 'declined',
  lapsed: 'nobody answered in time',
  running: 'being carried out',
  stopped: 'stopped, nothing more begins',
  over: 'over',
};

/** Steps that are done: what a later no, or silence, does not change. */
function doneSteps({ lines }: PlanView) {
  return lines.flatMap(({ steps }) => steps.filter(({ state }) => state === 'done'));
}

function stateWords(view: PlanView): string {
  const words = PLAN_WORDS[view.state];
  if (view.state === 'over' && isGood(view)) return 'carried out';
  if (view.state !== 'declined' && view.state !== 'lapsed') return words;
  return `${words}, nothing ${doneSteps(view).length > 0 ? 'more ' : ''}was sent`;
}

function isGood({ lines }: PlanView): boolean {
  return lines.every(({ state }) => state === 'done' || state === 'not_ticked');
}

/** How far it is, and what it moved. */
export function stateText(view: PlanView): string {
  return [`Plan ${view.id}: ${stateWords(view)}. ${countText(view)}.`, ...totalsMoved(view)].join(' ');
}

/** What to do next, for the model. Undefined: all of it is done. */
export function nextText(view: PlanView): string | undefined {
  const has = (...states: LineState[]) => view.lines.some(({ state }) => states.includes(state));
  const follow = `Do not do any of it by another tool. Call run_plan with plan_id ${view.id} again to follow it; nothing is sent twice.`;
  const said = [
    has('needs_person')
      ? 'STOP: a person must check at the airline what is marked so. Tell the user exactly this.'
      : '',
    has('asks_again')
      ? 'A person must answer the question of each line that waits for a yes of its own, within ten minutes. Tell the user at once.'
      : '',
    has('partly_done') ? 'Tell the user at once what is done and what is NOT done of a line that is partly done.' : '',
  ].filter((one) => one !== '');
  if (view.state === 'running') return [...said, follow].join(' ');
  const isLeft = view.state === 'declined' || view.state === 'lapsed' || has('not_begun', 'skipped', 'partly_done');
  if (isLeft && !has('needs_person')) {
    const again = `If the person still wants what was not done, call run_plan with plan_id ${view.id} and again: true: it reads the terms again and asks once for that. Do not propose or book it anew.`;
    return [...said, again].join(' ');
  }
  return said.join(' ') || undefined;
}

/** For the page and the terminal. */
export function planOutcome(view: PlanView): DecisionOutcome {
  const left = view.leftOut.map(({ title, why }) => `Left out: ${title}: ${why}`);
  const lines = [...view.lines.map(lineText), ...left, ...totalsMoved(view)];
  const hasDone = doneSteps(view).length > 0;
  const before = hasDone ? ['Nothing more was sent. What was done before stays done:', ...lines] : undefined;
  const title = `${capitalized(stateWords(view))}: ${countText(view)}`;
  if (view.state === 'running') return { kind: 'pending', title, lines };
  if (view.state === 'declined')
    return { kind: 'declined', title: 'You said no', lines: before ?? ['Nothing was sent, and nothing is changed.'] };
  if (view.state === 'lapsed') {
    const said = before ?? ['Nobody answered in time. Nothing was sent.'];
    return { kind: 'failed', title: 'Too late to answer', lines: said };
  }
  return { kind: isGood(view) ? 'done' : 'failed', title, lines };
}
