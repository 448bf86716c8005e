/** `fareclerk journal plan`: the plans that were proposed, or one with its lines and what the journal has of them. */

import type { PlanApproval } from '../../approvals/ports.ts';
import { systemClock } from '../../journal/clock.ts';
import type { Operation } from '../../journal/operation.ts';
import { loadPlan, type PlanFacts, planDigest } from '../../plans/plan-status.ts';
import { planView } from '../../plans/plan-view.ts';
import { countText, STATE_WORDS } from '../../plans/plan-words.ts';
import type { StoredPlan } from '../../plans/ports.ts';
import type { State } from '../../store/state.ts';
import type { ExitCode } from '../commands/command.ts';
import { withState } from '../runtime/open-runtime.ts';
import { table } from '../terminal/table.ts';
import { hint, print, windowWidth } from '../terminal/window.ts';
import { instant, type JournalRun, moneyRecord, operationRow } from './view.ts';

export function plans(run: JournalRun): Promise<ExitCode> {
  return run.id === '' ? list(run) : show(run);
}

async function list(run: JournalRun): Promise<ExitCode> {
  const found = await withState(run, async (state) => {
    const stored = (await state?.plans.list(run.limit)) ?? [];
    return Promise.all(stored.map((plan) => findPlan(state, plan.id)));
  });
  const all = found.flatMap((facts) => (facts === undefined ? [] : [planSummary(facts)]));
  const rows = all.map(({ plan_id: id, proposed_at: at, state, lines }) => [id, at.slice(0, 16), state, lines]);
  const text = table([['plan', 'proposed (UTC)', 'state', 'lines'], ...rows], windowWidth(run.terminal.stdout), [0, 1]);
  print(run, all, all.length === 0 ? 'No plans are kept.\n' : text);
  return 0;
}

async function show(run: JournalRun): Promise<ExitCode> {
  const facts = await withState(run, async (state) => {
    const exact = await state?.plans.get(run.id);
    const near = exact ? [exact] : await beginningWith(state, run.id);
    const [plan] = near;
    return plan === undefined || near.length > 1 ? undefined : findPlan(state, plan.id);
  });
  if (facts === undefined) {
    const words = 'no single plan begins with that id. `fareclerk journal plan` lists them; a plan is kept for a week.';
    hint(run, `fareclerk: ${words}\n`);
    return 1;
  }
  const acts = plannedActs(facts);
  const record = { ...planSummary(facts), left_out: planView(facts).leftOut, acts: acts.map(actRecord) };
  print(run, record, planText(run, facts, acts));
  return acts.every(({ fits }) => fits !== false) ? 0 : 1;
}

/** Plans that are looked through for the beginning of an id. */
const MOST = 1_000;

async function beginningWith(state: State | undefined, id: string): Promise<readonly StoredPlan[]> {
  return ((await state?.plans.list(MOST)) ?? []).filter((plan) => plan.id.startsWith(id));
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
    proposed_at: instant(plan.createdAt) ?? '',
    decided_at: instant(view.decidedAt),
    stopped_at: instant(plan.stoppedAt),
    digest: view.digest,
    // An hour after a plan expired, nobody can tell its lines by name any more.
    lines:
      facts.plan.body !== undefined
        ? countText(view)
        : `${new Set(plannedActs(facts).map(({ line }) => line)).size} erased`,
  };
}

interface PlannedAct {
  readonly line: number;
  readonly step: number;
  readonly title: string | undefined;
  readonly state: string;
  readonly why: string | undefined;
  readonly approval: PlanApproval;
  readonly operation: Operation | undefined;
  /** Whether the operation is the one that the yes was for. Undefined: there is none. */
  readonly fits: boolean | undefined;
}

/** The latest of each step, in order. */
function plannedActs(facts: PlanFacts): readonly PlannedAct[] {
  const { approvals, operations, body } = facts;
  const view = planView(facts);
  const latest = new Map<string, PlanApproval>();
  for (const approval of approvals) {
    const { part } = approval;
    if (part.line > 0) latest.set(`${part.line} ${part.step}`, approval);
  }
  const acts = [...latest.values()].map((approval): PlannedAct => {
    const { line, step } = approval.part;
    const operation = operations.get(approval.operationId);
    const planStep = view.lines[line - 1]?.steps.find(({ operationId }) => operationId === approval.operationId);
    const state = planStep === undefined ? (operation?.state ?? approval.decision) : STATE_WORDS[planStep.state];
    const fits = operation && isApproved(operation, approval, facts);
    return { line, step, title: body.lines[line - 1]?.title, state, why: planStep?.why, approval, operation, fits };
  });
  return acts.toSorted((a, b) => a.line - b.line || a.step - b.step);
}

/** The same act, arguments and terms, bound to the digest of the lines that were ticked together. */
function isApproved(operation: Operation, approval: PlanApproval, { approvals, digestKey }: PlanFacts): boolean {
  const { part, tool, argsDigest, termsDigest } = approval;
  const plan = part.alone ? undefined : planDigest(digestKey, approvals, part.question);
  const same = operation.tool === tool && operation.argsDigest === argsDigest && operation.termsDigest === termsDigest;
  return same && operation.plan === plan;
}

function actRecord({ line, step, title, state, why, approval, operation, fits }: PlannedAct) {
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
    as_approved: fits,
  };
}

const TITLES = ['line', 'act', 'booking', 'state', 'amount', 'sent (UTC)', 'operation'];
/** Line, booking, amount, time and id are never cut. */
const WHOLE = [0, 2, 4, 5, 6];

function planText(run: JournalRun, facts: PlanFacts, acts: readonly PlannedAct[]): string {
  const { plan_id: id, state, lines, digest, proposed_at: proposed, decided_at: decided } = planSummary(facts);
  const rows = acts.map(({ line, approval, state: stepState, operation }) => {
    const [, , locator = '-', , amount = '-', short = '-'] = operation === undefined ? [] : operationRow(operation);
    const booking = locator === '-' ? (approval.locator ?? '-') : locator;
    const sent = instant(operation?.dispatchedAt)?.slice(11, 19) ?? '-';
    return [`${line}`, approval.tool, booking, stepState, amount, sent, short];
  });
  const wrong = acts.filter(({ fits }) => fits === false);
  const checked = acts.filter(({ fits }) => fits !== undefined).length;
  const proof =
    wrong.length === 0
      ? `${checked} ${checked === 1 ? 'operation fits' : 'operations fit'} the yes.`
      : `NOT AS APPROVED: ${wrong.map(({ operation }) => operation?.id).join(', ')}.`;
  return [
    `Plan ${id}: ${state}. Lines: ${lines}.`,
    `Proposed ${proposed}${decided === undefined ? '' : `, answered ${decided}`}.`,
    ...(digest === undefined ? [] : [`Digest ${digest}. ${proof}`]),
    '',
    acts.length === 0 ? 'Nobody was asked.\n' : table([TITLES, ...rows], windowWidth(run.terminal.stdout), WHOLE),
    ...acts.flatMap(({ line, why }) => (why === undefined ? [] : [`Line ${line}: ${why}\n`])),
  ].join('\n');
}
