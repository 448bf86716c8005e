/** What the page of a question shows and takes where the question is about a plan. */

import type { Environment } from '../../approvals/answer.ts';
import { type DecisionOutcome, statusOnceAnswered } from '../../approvals/decide.ts';
import type { Approval } from '../../approvals/ports.ts';
import type { PlanView } from '../../plans/plan.ts';
import { ACTS } from '../../tools/index.ts';
import type { FormFields } from './form.ts';
import { outcomePage } from './outcome-view.ts';
import type { Viewer } from './page-access.ts';
import { NO_REFRESH, planLivePage } from './plan-live-view.ts';
import { askedLines, planQuestionPage } from './plan-question-view.ts';

/** A plan as it is now. */
export interface PlanNow {
  readonly view: PlanView;
  /** Operation id of the question that was asked last. */
  readonly question?: string | undefined;
  /** What a line, from 1, does where its payment is not made. */
  readonly releases?: ReadonlyMap<number, string>;
}

export interface PlanReader {
  /** By its id. Undefined: it is no longer kept. */
  plan(id: string): Promise<PlanNow | undefined>;
  /** Begins no more of its lines. */
  stopPlan(id: string): Promise<void>;
}

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
export function planForm({ view }: PlanNow): FormFields {
  const lines = view.state === 'asked' ? askedLines(view) : view.lines;
  return { decisions: ['yes', 'no', 'stop', 'look', 'all', 'none'], lines: lines.map(({ n }) => n) };
}
