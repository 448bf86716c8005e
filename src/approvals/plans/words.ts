/** A plan in words: for results, and for the page after the answer. */

import type { DecisionOutcome } from '../status.ts';
import type { LineState, LineView, PlanState, PlanView } from './plan.ts';
import { sumLines, titleOf } from './question.ts';

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
  not_begun: 'not begun',
  needs_person: 'a person must check',
};

const ORDER: readonly LineState[] = [
  'done',
  'doing',
  'in_doubt',
  'needs_person',
  'asks_again',
  'waiting',
  'skipped',
  'not_begun',
  'not_ticked',
  'asked',
  'proposed',
];

export function countsOf({ lines }: Pick<PlanView, 'lines'>): readonly (readonly [LineState, number])[] {
  const of = (state: LineState) => lines.filter((line) => line.state === state).length;
  return ORDER.map((state) => [state, of(state)] as const).filter(([, count]) => count > 0);
}

/** `10 done, 1 not done, 1 left out by the person` */
export function countText(view: Pick<PlanView, 'lines'>): string {
  return countsOf(view)
    .map(([state, count]) => `${count} ${STATE_WORDS[state]}`)
    .join(', ');
}

/** `3. Cancel booking ABC123: done` */
export function lineText({ n, title, locator, state, why }: LineView): string {
  const what = `${n}. ${titleOf({ title, ...(locator !== undefined && { locator }) })}: ${STATE_WORDS[state]}`;
  return why === undefined ? what : `${what}. ${why}`;
}

const PLAN_WORDS: Readonly<Record<PlanState, string>> = {
  proposed: 'proposed, nobody was asked',
  asked: 'waits for the answer',
  declined: 'declined, nothing was sent',
  lapsed: 'nobody answered in time, nothing more was sent',
  running: 'being carried out',
  stopped: 'stopped, nothing more begins',
  over: 'carried out',
};

/** Lines of a person's or model's text. */
export function planText(view: PlanView): readonly string[] {
  const sums = sumLines(view.lines.filter(({ state }) => state === 'done').flatMap(({ steps }) => steps));
  return [
    `Plan ${view.id}: ${PLAN_WORDS[view.state]}. ${countText(view)}.`,
    ...view.lines.map(lineText),
    ...view.leftOut.map(({ title, why }) => `Left out: ${title}: ${why}`),
    ...sums.map((line) => `Of what is done: ${line}`),
  ];
}

/** What to do next, for the model. */
export function nextText(view: PlanView): string {
  const has = (...states: LineState[]) => view.lines.some(({ state }) => states.includes(state));
  if (view.state === 'running')
    return `Do not do any of it by another tool. Call run_plan with plan_id ${view.id} again to follow it; nothing is sent twice.`;
  if (has('needs_person'))
    return 'STOP: a person must check at the airline what is marked so. Tell the user exactly this.';
  if (has('asks_again'))
    return 'A person must answer the question of its own (page or `fareclerk approve`). Tell the user at once.';
  if (has('not_begun', 'skipped'))
    return `If the person still wants what was not done, call run_plan with plan_id ${view.id}: it reads the terms again and asks once for that.`;
  return 'Tell the user what was done.';
}

/** For the page and the terminal. */
export function planOutcome(view: PlanView): DecisionOutcome {
  const lines = planText(view).slice(1);
  const title = `${capital(PLAN_WORDS[view.state])}: ${countText(view)}`;
  if (view.state === 'running') return { kind: 'pending', title, lines };
  if (view.state === 'declined')
    return { kind: 'declined', title: 'You said no', lines: ['Nothing was sent, and nothing is changed.'] };
  if (view.state === 'lapsed')
    return { kind: 'failed', title: 'Too late to answer', lines: ['Nobody answered in time. Nothing was sent.'] };
  const isGood = view.lines.every(({ state }) => state === 'done' || state === 'not_ticked');
  return { kind: isGood ? 'done' : 'failed', title, lines };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
