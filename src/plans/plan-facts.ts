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
  /** Certainly not done, and will not be done under this yes. */
  readonly isUndone?: true;
  /** Nothing of the plan has to come before it any more. */
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
type Reads = Pick<PlanRuntime, 'state' | 'clock'>;

/** @param ended operations that change no more, kept between two loads of one plan */
export async function loadPlan(
  { state, clock }: Reads,
  id: string,
  ended = new Map<string, Operation>(),
): Promise<PlanFacts | undefined> {
  const plans = mustHave(state.plans, 'store of plans');
  const plan = await plans.get(id);
  if (plan === undefined) return undefined;
  const approvals = await plans.approvals(id);
  const begun = approvals.filter(
    ({ part, decision }) => part.line !== 0 && decision !== 'pending' && decision !== 'declined',
  );
  const operations = new Map(ended);
  const unknown = begun.map(({ operationId }) => operationId).filter((operationId) => !operations.has(operationId));
  for (const operation of await state.operations.getAll(unknown)) {
    operations.set(operation.id, operation);
    if (operation.state === 'succeeded' || operation.state === 'refused') ended.set(operation.id, operation);
  }
  const body = plan.body ?? withoutWords(approvals, operations);
  return { plan, body, approvals, operations, now: clock.now(), digestKey: state.digestKey };
}

/** After arguments and terms were blanked: what was begun, by the names of tools and bookings. */
function withoutWords(approvals: readonly PlanApproval[], operations: ReadonlyMap<string, Operation>): PlanBody {
  const lastLine = Math.max(0, ...approvals.map(({ part }) => part.line));
  const lines = Array.from({ length: lastLine }, (_, i) => {
    const ofLine = approvals.filter(({ part }) => part.line === i + 1);
    const begun = ofLine.filter(({ operationId }) => operations.has(operationId));
    // The plan no longer says which steps only compensate: those that were sent count.
    const used = begun.length > 0 ? begun : ofLine.slice(0, 1);
    const count = Math.max(1, ...used.map(({ part }) => part.step + 1));
    const steps = Array.from({ length: count }, () => ({ tool: used[0]?.tool ?? '', args: {} }));
    return { title: [...new Set(used.map(({ tool, locator = '' }) => `${tool} ${locator}`.trim()))].join(', '), steps };
  });
  const nature = 'change' as const;
  const terms = lines.map(({ steps }) => steps.map(({ tool }) => ({ tool, act: tool, nature, sections: [] })));
  return { lines, terms, leftOut: [], notAsked: {} };
}

/**
 * Of all steps that one yes granted; their operations hold it. Undefined while nothing of this question was granted.
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
