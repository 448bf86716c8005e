/** `fareclerk journal plan` lists the plans that were proposed, or shows one with its lines and their operations. */

import type { PlanApproval } from '../../approvals/approval.ts';
import { systemClock } from '../../journal/clock.ts';
import type { Operation } from '../../journal/operation.ts';
import type { StoredPlan } from '../../plans/plan.ts';
import { loadPlan, type PlanFacts, planDigest } from '../../plans/plan-facts.ts';
import { planView } from '../../plans/plan-view.ts';
import { countText, STATE_WORDS } from '../../plans/plan-words.ts';
import type { State } from '../../store/state.ts';
import type { ExitCode } from '../commands/command.ts';
import { withState } from '../runtime/open-state.ts';
import { table } from '../terminal/table.ts';
import { hint, print, windowWidth } from '../terminal/window.ts';
import { amountText, instant, type JournalRun, moneyRecord, shortId } from './view.ts';

const TITLES = ['line', 'act', 'booking', 'state', 'amount', 'sent (UTC)', 'operation'];
/** Line, booking, amount, time and id. */
const UNCUT_COLUMNS = [0, 2, 4, 5, 6];

/** How many of the newest plans a beginning of an id is looked up in. */
const MOST_PLANS = 1_000;

export function plans(run: JournalRun): Promise<ExitCode> {
  return run.id === '' ? list(run) : show(run);
}

async function list(run: JournalRun): Promise<ExitCode> {
  const plansFacts = await withState(run, async (state) => {
    const storedPlans = (await state?.plans.list(run.limit)) ?? [];
    return Promise.all(storedPlans.map((plan) => findPlan(state, plan.id)));
  });
  const summaries = plansFacts.flatMap((facts) => (facts === undefined ? [] : [planSummary(facts)]));
  const rows = summaries.map(({ plan_id: id, proposed_at: at, state, lines }) => [id, at.slice(0, 16), state, lines]);
  const text = table([['plan', 'proposed (UTC)', 'state', 'lines'], ...rows], windowWidth(run.terminal.stdout), [0, 1]);
  print(run, summaries, summaries.length === 0 ? 'No plans are kept.\n' : text);
  return 0;
}

async function show(run: JournalRun): Promise<ExitCode> {
  const facts = await withState(run, async (state) => {
    const exact = await state?.plans.get(run.id);
    const [plan, ...others] = exact ? [exact] : await plansBeginningWith(state, run.id);
    return plan === undefined || others.length > 0 ? undefined : findPlan(state, plan.id);
  });
  if (facts === undefined) {
    const words = 'no single plan begins with that id. `fareclerk journal plan` lists them; a plan is kept for a week.';
    hint(run, `fareclerk: ${words}\n`);
    return 1;
  }
  const acts = plannedActs(facts);
  const summary = planSummary(facts);
  const record = { ...summary, left_out: planView(facts).leftOut, acts: acts.map(actRecord) };
  print(run, record, planText(run, summary, acts));
  return acts.every(({ isAsApproved }) => isAsApproved !== false) ? 0 : 1;
}

async function plansBeginningWith(state: State | undefined, id: string): Promise<readonly StoredPlan[]> {
  return ((await state?.plans.list(MOST_PLANS)) ?? []).filter((plan) => plan.id.startsWith(id));
}

async function findPlan(state: State | undefined, id: string): Promise<PlanFacts | undefined> {
  return state && loadPlan({ state, clock: { ...systemClock, ...state.clock } }, id);
}

function planSummary(facts: PlanFacts) {
  const { plan } = facts;
  const view = planView(facts);
  return {
    plan_id: plan.id,
    state: view.state,
    caller: plan.caller,
    proposed_at: instant(plan.createdAt),
    decided_at: instant(view.decidedAt),
    stopped_at: instant(plan.stoppedAt),
    digest: view.digest,
    // The names of its lines are erased an hour after a plan expired.
    lines: plan.body === undefined ? `${countLines(plannedActs(facts))} erased` : countText(view),
  };
}

const countLines = (acts: readonly PlannedAct[]): number => new Set(acts.map(({ line }) => line)).size;

/** A step of a plan that a person was asked about. */
interface PlannedAct {
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly step: number;
  readonly title: string | undefined;
  readonly state: string;
  readonly why: string | undefined;
  readonly approval: PlanApproval;
  readonly operation: Operation | undefined;
  /** Whether the operation is the one that the yes was for. Undefined: there is none. */
  readonly isAsApproved: boolean | undefined;
}

/** The steps of a plan that were asked about, in their order, each with its latest question. */
function plannedActs(facts: PlanFacts): readonly PlannedAct[] {
  const { approvals, operations, body } = facts;
  const view = planView(facts);
  const latestByStep = new Map<string, PlanApproval>();
  for (const approval of approvals) {
    const { part } = approval;
    if (part.line > 0) latestByStep.set(`${part.line} ${part.step}`, approval);
  }
  const acts = [...latestByStep.values()].map((approval): PlannedAct => {
    const { line, step } = approval.part;
    const operation = operations.get(approval.operationId);
    const planStep = view.lines[line - 1]?.steps.find(({ operationId }) => operationId === approval.operationId);
    const state = planStep === undefined ? (operation?.state ?? approval.decision) : STATE_WORDS[planStep.state];
    const isAsApproved = operation && fitsApproval(operation, approval, facts);
    const title = body.lines[line - 1]?.title;
    return { line, step, title, state, why: planStep?.why, approval, operation, isAsApproved };
  });
  return acts.toSorted((a, b) => a.line - b.line || a.step - b.step);
}

/** Whether the operation has the act, arguments and terms of the approval, and the digest of the lines that were ticked together. */
function fitsApproval(operation: Operation, approval: PlanApproval, { approvals, digestKey }: PlanFacts): boolean {
  const { part, tool, argsDigest, termsDigest } = approval;
  const plan = part.alone ? undefined : planDigest(digestKey, approvals, part.question);
  const isSameAct = operation.tool === tool && operation.argsDigest === argsDigest;
  return isSameAct && operation.termsDigest === termsDigest && operation.plan === plan;
}

function actRecord({ line, step, title, state, why, approval, operation, isAsApproved }: PlannedAct) {
  return {
    line,
    step: step + 1,
    tool: approval.tool,
    state,
    title,
    why,
    locator: operation?.locator ?? approval.locator,
    operation_id: operation?.id,
    ...(operation && moneyRecord(operation)),
    sent_at: instant(operation?.dispatchedAt),
    updated_at: instant(operation?.updatedAt),
    as_approved: isAsApproved,
  };
}

function actRow({ line, approval, state, operation }: PlannedAct): readonly string[] {
  const booking = operation?.locator ?? approval.locator ?? '-';
  const sentTime = instant(operation?.dispatchedAt)?.slice(11, 19) ?? '-';
  const [amount, shownId] = operation === undefined ? ['-', '-'] : [amountText(operation), shortId(operation)];
  return [`${line}`, approval.tool, booking, state, amount, sentTime, shownId];
}

/** Says whether the operations are those that the person approved. */
function proofText(acts: readonly PlannedAct[]): string {
  const unapproved = acts.filter(({ isAsApproved }) => isAsApproved === false);
  if (unapproved.length > 0) return `NOT AS APPROVED: ${unapproved.map(({ operation }) => operation?.id).join(', ')}.`;
  const checked = acts.filter(({ isAsApproved }) => isAsApproved !== undefined).length;
  return `${checked} ${checked === 1 ? 'operation fits' : 'operations fit'} the approval.`;
}

function planText(run: JournalRun, summary: ReturnType<typeof planSummary>, acts: readonly PlannedAct[]): string {
  const { state, lines, digest } = summary;
  const rows = acts.map(actRow);
  const answered = summary.decided_at === undefined ? '' : `, answered ${summary.decided_at}`;
  return [
    `Plan ${summary.plan_id}: ${state}. Lines: ${lines}.`,
    `Proposed ${summary.proposed_at}${answered}.`,
    ...(digest === undefined ? [] : [`Digest ${digest}. ${proofText(acts)}`]),
    '',
    acts.length === 0
      ? 'Nobody was asked.\n'
      : table([TITLES, ...rows], windowWidth(run.terminal.stdout), UNCUT_COLUMNS),
    ...acts.flatMap(({ line, why }) => (why === undefined ? [] : [`Line ${line}: ${why}\n`])),
  ].join('\n');
}
