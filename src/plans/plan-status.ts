/** What became of a plan, worked out from its approvals and the journal: there is no other record of it. */
import { digest } from '../approvals/digest.ts';
import { type Approval, isInTime, type PlanApproval } from '../approvals/ports.ts';
import { SET_MS } from '../journal/clock.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import { type LineState, PLAN_YES_MS, type PlanStep } from './plan.ts';
import { driftWords } from './plan-words.ts';
import { mustHave, type PlanBody, type PlanRuntime, type StoredPlan } from './ports.ts';

/** Everything that is known of a plan. */
export interface PlanFacts {
  readonly plan: StoredPlan;
  readonly body: PlanBody;
  /** Oldest first. */
  readonly approvals: readonly PlanApproval[];
  /** By id. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Of the plan's digest. */
  readonly digestKey: Uint8Array;
}

export interface StepNow {
  readonly planned: PlanStep;
  /** The latest. */
  readonly approval?: PlanApproval | undefined;
  readonly operation?: Operation | undefined;
  readonly state: LineState;
  readonly why?: string | undefined;
  /** Certainly not done, and will not be done under this yes. */
  readonly isUndone?: true;
  /** Nothing of the plan has to come before it any more. */
  readonly isReady?: true;
}

type StepStatus = Omit<StepNow, 'planned' | 'approval' | 'operation'>;

/** The newest question about the plan. */
export function lastQuestion({ plan, approvals }: Pick<PlanFacts, 'plan' | 'approvals'>): PlanApproval | undefined {
  return approvals.find((approval) => approval.part.line === 0 && approval.operationId === plan.question);
}

/** Whether a yes is still good for a step that was not begun. */
export function isCovered({ decidedAt }: Pick<Approval, 'decidedAt'>, now: number): boolean {
  return decidedAt !== undefined && now - decidedAt < PLAN_YES_MS && decidedAt <= now + SET_MS;
}

/** Of each line, its steps. */
export function stepsNow(facts: PlanFacts): readonly (readonly StepNow[])[] {
  const stops = needsPerson(facts);
  return facts.body.lines.map(({ steps }, i) => {
    const before: StepNow[] = [];
    for (const [step, planned] of steps.entries()) {
      const approval = facts.approvals.findLast(({ part }) => part.line === i + 1 && part.step === step);
      const operation = approval && facts.operations.get(approval.operationId);
      const status = operation ? stepStatusOfOperation(operation, approval) : ofApproval(facts, i + 1, approval);
      before.push({
        planned,
        approval,
        operation,
        ...(status.state === 'waiting' ? inTurn(planned, before, stops) : status),
      });
    }
    return before;
  });
}

/** Something of this yes was handed to a person, so that nothing more of it begins, also after the person closed it. */
function needsPerson({ plan, approvals, operations }: PlanFacts): boolean {
  return approvals.some(({ operationId, part }) => {
    const state = operations.get(operationId)?.state;
    return part.question === plan.question && (state === 'needs_person' || state === 'resolved');
  });
}

function stepStatusOfOperation({ state, outcome }: Operation, { sections, staleLines }: Approval): StepStatus {
  if (state === 'intent' || state === 'dispatched') return { state: 'doing' };
  if (state === 'in_doubt') return { state: 'in_doubt', why: 'Sent; the outcome is not known yet.' };
  if (state === 'succeeded') return { state: 'done', why: outcome?.locator && `Booked as ${outcome.locator}.` };
  if (state === 'needs_person')
    return { state, why: outcome?.check ?? 'A person must check the booking at the airline.' };
  if (state === 'resolved') return { state: 'skipped', why: 'A person checked it with the airline and closed it.' };
  const { code, message = 'It was not carried out.' } = outcome?.error ?? {};
  if (code === 'E_APPROVAL_EXPIRED' || code === 'E_INTERRUPTED')
    return { state: 'not_begun', why: message, isUndone: true };
  return { state: 'skipped', why: staleLines ? driftWords(sections, staleLines) : message, isUndone: true };
}

const notBegun = (why: string): StepStatus => ({ state: 'not_begun', why });

function ofApproval({ plan, body, now }: PlanFacts, line: number, approval: PlanApproval | undefined): StepStatus {
  if (approval === undefined) {
    const why = body.notAsked[line];
    return why === undefined ? { state: 'proposed' } : { state: 'skipped', why, isUndone: true };
  }
  const { decision, part, decidedAt, why } = approval;
  const isLast = part.alone === true || part.question === plan.question;
  switch (decision) {
    case 'pending':
      if (!isLast || !isInTime(approval, now)) return notBegun('Nobody answered in time.');
      return part.alone ? { state: 'asks_again', why: 'A person must answer its own question.' } : { state: 'asked' };
    case 'declined':
      return part.alone ? { state: 'skipped', why: 'The person said no.', isUndone: true } : { state: 'not_ticked' };
    case 'granted':
      if (!isLast) return notBegun('It was asked anew.');
      if (part.alone) return isInTime(approval, now) ? { state: 'doing' } : notBegun('It was not begun in time.');
      if (plan.stoppedAt !== undefined) return notBegun('The plan was stopped.');
      return isCovered(approval, now)
        ? { state: 'waiting' }
        : notBegun('It was not begun within 30 minutes of the yes.');
    default:
      if (decidedAt === undefined) return notBegun('It was asked anew.');
      return { state: 'skipped', why: why ?? 'The yes could not be carried out.', isUndone: true };
  }
}

/** A step that has a yes: whether its turn has come, by the steps before it. */
function inTurn(
  { after = [], locatorOf, insteadOf }: PlanStep,
  before: readonly StepNow[],
  stops: boolean,
): StepStatus {
  if (stops) return notBegun('An act of this plan had to be checked by a person.');
  const needed = [...new Set([...after, ...(locatorOf === undefined ? [] : [locatorOf])])];
  for (const n of needed) {
    const state = before[n]?.state;
    if (state === 'not_begun') return notBegun('The step before it was not begun.');
    if (state === 'skipped' || state === 'not_ticked' || state === undefined)
      return { state: 'skipped', why: 'The step before it was not done.', isUndone: true };
  }
  if (insteadOf !== undefined) {
    const other = before[insteadOf];
    if (other?.state === 'done') return { state: 'skipped', why: 'Not needed.', isUndone: true };
    if (other?.isUndone !== true) return { state: 'waiting' };
  }
  return needed.every((n) => before[n]?.state === 'done') ? { state: 'waiting', isReady: true } : { state: 'waiting' };
}

/** What compensates is seen only if it was sent. */
function isShown({ planned, operation }: StepNow): boolean {
  return planned.insteadOf === undefined || operation !== undefined;
}

/** A line has the first of these states that one of its steps has. */
const RANK: readonly LineState[] = [
  'needs_person',
  'in_doubt',
  'doing',
  'asks_again',
  'asked',
  'waiting',
  'not_begun',
  'skipped',
  'not_ticked',
  'proposed',
  'done',
];

/** The state of what is not done of a line; undefined if all is done. */
export function unfinishedState(steps: readonly StepNow[]): LineState | undefined {
  const rest = steps.filter((step) => isShown(step) && step.state !== 'done');
  return RANK.find((state) => rest.some((step) => step.state === state));
}

/** The hold that the line made was released. */
export function isFreed(steps: readonly StepNow[]): boolean {
  return steps.some(({ planned, state }) => planned.insteadOf !== undefined && state === 'done');
}

/** Ends of a step that leave a line half done, if a step before it was done. */
const LEFT: readonly (LineState | undefined)[] = ['not_begun', 'skipped', 'not_ticked', 'proposed'];

export function lineNow(steps: readonly StepNow[]): Pick<StepNow, 'state' | 'why'> {
  const shown = steps.filter(isShown);
  const rest = unfinishedState(steps);
  const lineWhy = shown.find(({ state }) => state === (rest ?? 'done'))?.why;
  if (isFreed(steps) && rest !== undefined) {
    return { state: rest, why: [lineWhy, 'The new hold was released; nothing was paid.'].filter(Boolean).join(' ') };
  }
  const isBegun = shown.some(({ state }) => state === 'done');
  const state = lineState(rest, isBegun);
  return lineWhy === undefined ? { state } : { state, why: lineWhy };
}

function lineState(rest: LineState | undefined, isBegun: boolean): LineState {
  if (rest === undefined) return 'done';
  if (isBegun && rest === 'waiting') return 'doing';
  return isBegun && LEFT.includes(rest) ? 'partly_done' : rest;
}

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
  const most = Math.max(0, ...approvals.map(({ part }) => part.line));
  const lines = Array.from({ length: most }, (_, i) => {
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

/** Of all steps that one yes granted; their operations hold it. Undefined while nothing of this question was granted. */
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
  const steps = granted.toSorted((a, b) => place(a) - place(b));
  return digest(
    key,
    steps.map(({ tool, argsDigest, termsDigest, operationId }) => [tool, argsDigest, termsDigest, operationId]),
  );
}

const place = ({ part }: PlanApproval): number => part.line * 100 + part.step;

/** The booking that an earlier step of the line made. */
export function madeBy(steps: readonly StepNow[], { locatorOf: from }: PlanStep): string | undefined {
  const operation = from === undefined ? undefined : steps[from]?.operation;
  return operation?.state === 'succeeded' ? locatorOf(operation) : undefined;
}
