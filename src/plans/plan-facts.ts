/** Everything that is known of a plan, loaded from its approvals and the journal: there is no other record of it. */
import { digest } from '../approvals/digest.ts';
import type { Approval, PlanApproval } from '../approvals/ports.ts';
import { SET_MS } from '../journal/clock.ts';
import type { Operation } from '../journal/operation.ts';
import { type LineState, PLAN_YES_MS, type PlanStep } from './plan.ts';
import { mustHave, type PlanBody, type PlanRuntime, type StoredPlan } from './ports.ts';

export interface PlanFacts {
  readonly plan: StoredPlan;
  readonly body: PlanBody;
  /** Oldest first. */
  readonly approvals: readonly PlanApproval[];
  /** By id. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The key of the plan's digest. */
  readonly digestKey: Uint8Array;
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

/** The newest question about the plan. */
export function lastQuestion({ plan, approvals }: Pick<PlanFacts, 'plan' | 'approvals'>): PlanApproval | undefined {
  return approvals.find((approval) => approval.part.line === 0 && approval.operationId === plan.question);
}

/** Whether a yes is still good for a step that was not begun. */
export function isCovered({ decidedAt }: Pick<Approval, 'decidedAt'>, now: number): boolean {
  return decidedAt !== undefined && now - decidedAt < PLAN_YES_MS && decidedAt <= now + SET_MS;
}

/** The parts of the runtime that loading a plan uses. */
type PlanSources = Pick<PlanRuntime, 'state' | 'clock'>;

/**
 * Loads a plan. Undefined if there is none of this id.
 * @param finalOperations operations that no longer change, by id: they are not read again. Adds to it those that it reads.
 */
export async function loadPlan(
  { state, clock }: PlanSources,
  id: string,
  finalOperations = new Map<string, Operation>(),
): Promise<PlanFacts | undefined> {
  const plans = mustHave(state.plans, 'store of plans');
  const plan = await plans.get(id);
  if (plan === undefined) return undefined;
  const approvals = await plans.approvals(id);
  const begun = approvals.filter(
    ({ part, decision }) => part.line !== 0 && decision !== 'pending' && decision !== 'declined',
  );
  const operations = new Map(finalOperations);
  const idsToRead = begun.map(({ operationId }) => operationId).filter((operationId) => !operations.has(operationId));
  for (const operation of await state.operations.getAll(idsToRead)) {
    operations.set(operation.id, operation);
    if (operation.state === 'succeeded' || operation.state === 'refused') finalOperations.set(operation.id, operation);
  }
  const body = plan.body ?? bodyWithoutTerms(approvals, operations);
  return { plan, body, approvals, operations, now: clock.now(), digestKey: state.digestKey };
}

/**
 * The body of a plan whose arguments and terms were blanked: only names of tools and bookings, as approvals have them.
 */
function bodyWithoutTerms(approvals: readonly PlanApproval[], operations: ReadonlyMap<string, Operation>): PlanBody {
  const lastLine = Math.max(0, ...approvals.map(({ part }) => part.line));
  const lines = Array.from({ length: lastLine }, (_, i) => {
    const lineApprovals = approvals.filter(({ part }) => part.line === i + 1);
    const begun = lineApprovals.filter(({ operationId }) => operations.has(operationId));
    // The plan no longer says which steps only undo others, so only the steps that were sent count.
    const used = begun.length > 0 ? begun : lineApprovals.slice(0, 1);
    const count = Math.max(1, ...used.map(({ part }) => part.step + 1));
    const steps = Array.from({ length: count }, () => ({ tool: used[0]?.tool ?? '', args: {} }));
    return { title: [...new Set(used.map(({ tool, locator = '' }) => `${tool} ${locator}`.trim()))].join(', '), steps };
  });
  const nature = 'change' as const;
  const terms = lines.map(({ steps }) => steps.map(({ tool }) => ({ tool, act: tool, nature, sections: [] })));
  return { lines, terms, leftOut: [], notAsked: {} };
}

/**
 * Digests all steps that one yes granted. Each of their operations stores the digest. Undefined until a step of this
 * question is granted.
 */
export function planDigest(
  key: Uint8Array,
  approvals: readonly PlanApproval[],
  question: string | undefined,
): string | undefined {
  const granted = approvals.filter(
    ({ part, decision, decidedAt }) =>
      part.line > 0 && !part.alone && part.question === question && decidedAt !== undefined && decision !== 'declined',
  );
  if (granted.length === 0) return undefined;
  const steps = granted.toSorted(({ part: a }, { part: b }) => a.line - b.line || a.step - b.step);
  return digest(
    key,
    steps.map(({ tool, argsDigest, termsDigest, operationId }) => [tool, argsDigest, termsDigest, operationId]),
  );
}
