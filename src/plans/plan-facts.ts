/** Everything that is known of a plan, loaded from its approvals and the journal: there is no other record of it. */

import type { Approval, PlanApproval } from '../approvals/approval.ts';
import { SET_MS } from '../journal/clock.ts';
import type { Operation } from '../journal/operation.ts';
import { type LineState, PLAN_YES_MS, type PlanBody, type PlanLine, type PlanStep, type StoredPlan } from './plan.ts';
import { mustHave } from './planner.ts';
import type { PlanRuntime } from './ports.ts';

export interface PlanFacts {
  readonly plan: StoredPlan;
  readonly body: PlanBody;
  /** Oldest first. */
  readonly approvals: readonly PlanApproval[];
  /** By id. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A step of a plan, and what became of it so far. */
export interface StepNow {
  readonly planned: PlanStep;
  /** Its latest approval: a step may be asked about again. */
  readonly approval?: PlanApproval | undefined;
  readonly operation?: Operation | undefined;
  readonly state: LineState;
  readonly why?: string | undefined;
  /** The step was certainly not done, and will not be done under this yes. */
  readonly isUndone?: true;
  /** Every step that must come before it is done. */
  readonly isReady?: true;
}

export type StepStatus = Omit<StepNow, 'planned' | 'approval' | 'operation'>;

/** The newest question about the plan: line 0 of a plan's approvals is a question, and the lines from 1 are steps. */
export function lastQuestion({ plan, approvals }: Pick<PlanFacts, 'plan' | 'approvals'>): PlanApproval | undefined {
  return approvals.find((approval) => approval.part.line === 0 && approval.operationId === plan.question);
}

/** Whether a yes is still good for a step that was not begun. */
export function isCovered({ decidedAt }: Pick<Approval, 'decidedAt'>, now: number): boolean {
  // A yes from more than SET_MS after now was given before somebody set the clock back: its true age is not known.
  return decidedAt !== undefined && now - decidedAt < PLAN_YES_MS && decidedAt <= now + SET_MS;
}

/** The parts of the runtime that loading a plan uses. */
type PlanSources = Pick<PlanRuntime, 'state' | 'clock'>;

/**
 * Loads a plan. Undefined if there is none of this id.
 * @param finalOperations the caller's cache of operations that no longer change: reads the others, and adds them by id
 */
export async function loadPlan(
  { state, clock }: PlanSources,
  planId: string,
  finalOperations = new Map<string, Operation>(),
): Promise<PlanFacts | undefined> {
  const plans = mustHave(state.plans, 'store of plans');
  const plan = await plans.get(planId);
  if (plan === undefined) return undefined;

  const approvals = await plans.approvals(planId);
  // No other approval can have an operation.
  const stepsMaybeBegun = approvals.filter(
    ({ part, decision }) => part.line !== 0 && decision !== 'pending' && decision !== 'declined',
  );

  const operations = new Map(finalOperations);
  const idsToRead = stepsMaybeBegun.map(({ operationId }) => operationId).filter((id) => !operations.has(id));

  for (const operation of await state.operations.getAll(idsToRead)) {
    operations.set(operation.id, operation);
    const isFinal = operation.state === 'succeeded' || operation.state === 'refused';
    if (isFinal) finalOperations.set(operation.id, operation);
  }

  const body = plan.body ?? bodyWithoutTerms(approvals, operations);
  return { plan, body, approvals, operations, now: clock.now() };
}

/**
 * The body of a plan whose arguments and terms were blanked: only names of tools and bookings, as approvals have them.
 */
function bodyWithoutTerms(approvals: readonly PlanApproval[], operations: ReadonlyMap<string, Operation>): PlanBody {
  const lastLine = Math.max(0, ...approvals.map(({ part }) => part.line));
  const lines = Array.from({ length: lastLine }, (_, i) => {
    const lineApprovals = approvals.filter(({ part }) => part.line === i + 1);
    return lineWithoutTerms(lineApprovals, operations);
  });

  const nature = 'change' as const;
  const terms = lines.map(({ steps }) =>
    steps.map(({ tool }) => ({ tool, act: { verb: tool }, nature, sections: [] })),
  );
  return { lines, terms, leftOut: [], notAsked: {} };
}

/** Only the steps that were begun stand for a line; if none was, its first step does. */
function lineWithoutTerms(approvals: readonly PlanApproval[], operations: ReadonlyMap<string, Operation>): PlanLine {
  const stepsBegun = approvals.filter(({ operationId }) => operations.has(operationId));
  const stepsShown = stepsBegun.length > 0 ? stepsBegun : approvals.slice(0, 1);
  const count = Math.max(1, ...stepsShown.map(({ part }) => part.step + 1));
  const steps = Array.from({ length: count }, () => ({ tool: stepsShown[0]?.tool ?? '', args: {} }));
  const names = stepsShown.map(({ tool, locator = '' }) => `${tool} ${locator}`.trim());
  return { title: [...new Set(names)].join(', '), steps };
}
