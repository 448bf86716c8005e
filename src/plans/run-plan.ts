/**
 * Carries out the approved steps of a plan one after the other. A lease lets only one process do so, and another goes
 * on if that one dies. Only the journal tells what was sent.
 */

import type { Approval, PlanApproval } from '../approvals/approval.ts';
import { actSentence } from '../approvals/asked-act.ts';
import { type Binding, bindingOfChanged, toldChanges } from '../approvals/binding.ts';
import { assertNotBusy, withCaution } from '../approvals/busy-booking.ts';
import type { ActCall } from '../approvals/consent-call.ts';
import { approvalStale } from '../approvals/endings.ts';
import { assertMaySend } from '../approvals/may-ask.ts';
import { assertWithinDay } from '../approvals/money-limits.ts';
import { carryOut, changedSinceYes, toItsTerms, type Yes } from '../approvals/recheck-and-send.ts';
import { carriedBy, moneyAtStake, toCarry } from '../approvals/request.ts';
import type { Terms } from '../approvals/terms.ts';
import { ClerkError, isOwnFailure } from '../core/errors.ts';
import type { Operation } from '../journal/operation.ts';
import { workOnceIfLeased } from '../journal/under-lease.ts';
import { whatNext } from './order-and-stop.ts';
import { PLAN_YES_MS, type PlanStep } from './plan.ts';
import { isCovered, lastQuestion, loadPlan, type PlanFacts, type StepNow } from './plan-facts.ts';
import { itemAt, mustHave, planStore, planWork, stepCall } from './planner.ts';
import type { Planner } from './ports.ts';
import { bindingBefore } from './propose.ts';
import { madeBy, stepsNow } from './step-status.ts';

/** How long a silent process is believed to be at work, milliseconds. */
const LEASE_MS = 15_000;
/** How long one act is waited for before the plan is loaded again, milliseconds. */
const FOLLOW_MS = 5_000;
/** Time between two searches for plans that another process left, milliseconds. */
const RESUME_MS = 5_000;

/** Carries out the plan, unless this process or another already does. Never rejects. */
export function runPlan(planner: Planner, id: string): Promise<void> {
  const { running, ending } = planWork(planner);
  const alreadyRunning = running.get(id);
  if (alreadyRunning !== undefined) return alreadyRunning;
  if (ending.aborted) return Promise.resolve();

  const work = runUnderLease(planner, id)
    .catch((error: unknown) => planner.failed?.(error))
    .finally(() => running.delete(id));

  running.set(id, work);
  return work;
}

/** Goes on with plans that other processes left, until this one ends. Never rejects. */
export async function resumePlans(planner: Planner): Promise<void> {
  const { ending } = planWork(planner);
  const { clock } = planner.runtime;

  while (!ending.aborted) {
    try {
      for (const { id } of await planStore(planner).unfinished(clock.now() - PLAN_YES_MS)) void runPlan(planner, id);
    } catch (error) {
      planner.failed?.(error);
    }
    await clock.sleep(RESUME_MS, ending);
  }
}

async function runUnderLease(planner: Planner, id: string): Promise<void> {
  const { leases, owner, ending } = planWork(planner);
  const { clock } = planner.runtime;
  const lease = { leases, owner, clock, name: `plan:${id}`, leaseMs: LEASE_MS };
  await workOnceIfLeased(lease, ending, (signal) => runSteps(planner, id, signal));
}

/** @param shared the planner of the process: the plan's caller may have a point of sale of their own */
async function runSteps(shared: Planner, id: string, ending: AbortSignal): Promise<void> {
  const { tenant, caller } = mustHave(await planStore(shared).get(id), `plan ${id}`);
  const planner = shared.plannerFor?.({ tenant, id: caller }) ?? shared;
  const finalOperations = new Map<string, Operation>();
  let lastTry = '';

  while (!ending.aborted) {
    const facts = mustHave(await loadPlan(planner.runtime, id, finalOperations), `plan ${id}`);
    const lines = stepsNow(facts);
    const next = whatNext(facts, lines);
    if (next.kind === 'end') return await storeWhySkipped(planner, facts);

    if (next.kind === 'follow') {
      await planner.runtime.journal.follow(next.operationId, FOLLOW_MS, ending);
      continue;
    }

    const { line, step } = next;
    const thisTry = `${line} ${step}`;
    // The last try changed nothing. Trying again at once could go on for ever: a process tries again later.
    if (thisTry === lastTry) return;
    lastTry = thisTry;

    const steps = itemAt(lines, line);
    if (!(await maySend(planner, id))) return;

    await carryOutStep(planner, { facts, steps, step });
  }
}

/** Whether the plan may send. Stops it if the operator paused sending. */
async function maySend(planner: Planner, id: string): Promise<boolean> {
  const { clock } = planner.runtime;
  try {
    await assertMaySend(planner);
    return true;
  } catch (error) {
    if (!(error instanceof ClerkError) || error.code !== 'E_NOT_PERMITTED') throw error;
    await planStore(planner).stop(id, clock.now());
    return false;
  }
}

/** Stores, with the approval of each skipped step, that another step is the reason. */
async function storeWhySkipped({ runtime }: Planner, facts: PlanFacts): Promise<void> {
  for (const { state, why, approval, operation } of stepsNow(facts).flat()) {
    if (state !== 'skipped' || operation !== undefined || approval?.decision !== 'granted') continue;
    await runtime.state.approvals.makeVoid(approval.handleHash, 'not_done', [String(why)]);
  }
}

/** A step, by its place in its line. */
interface StepPosition {
  readonly facts: PlanFacts;
  /** The steps of the line. */
  readonly steps: readonly StepNow[];
  /** From 0. */
  readonly step: number;
}

/** Carries out one step. Afterwards the journal or the approval shows what became of it. */
async function carryOutStep(planner: Planner, position: StepPosition): Promise<void> {
  const { approval: found, planned } = itemAt(position.steps, position.step);
  const approval = mustHave(found, 'approval of this step');
  const { approvals, operations } = planner.runtime.state;

  try {
    await carryOutApproved(planner, position, approval, planned);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    // If the journal has the operation, it knows more than the error.
    if ((await operations.get(approval.operationId)) !== undefined) return;
    if (isOwnFailure(error)) throw error;
    // The airline asked for a pause: the yes can be carried out afterwards.
    if (error.code === 'E_AIRLINE_BUSY') return;

    const { voidWhy, voidLines } = whyNotDone(error);
    await approvals.makeVoid(approval.handleHash, voidWhy, voidLines);
  }
}

/** Why a step was not done: what differs if its terms changed, else the message of the error. */
function whyNotDone({ message, changed }: ClerkError) {
  return changed === undefined
    ? ({ voidWhy: 'not_done', voidLines: [message] } as const)
    : ({ voidWhy: 'terms_changed', voidLines: changed } as const);
}

/**
 * Carries out a step with a yes. If the yes was given before the booking existed, first reads the terms on the booking that was made
 * since: the operation is about that one.
 */
async function carryOutApproved(
  planner: Planner,
  position: StepPosition,
  approval: PlanApproval,
  planned: PlanStep,
): Promise<void> {
  const caller = { tenant: approval.tenant, id: approval.caller };
  const locator = madeBy(position.steps, planned);
  const args = { ...argsAsApproved(planned, approval), ...(locator !== undefined && { locator }) };
  const call = stepCall(planner, { ...planned, args }, { caller });

  const { termsDigest } = mustHave(lastQuestion(position.facts), 'question of the plan');
  const assertHolds = () => assertStillApproved(planner, position, approval);
  const yes: Yes = { ...toItsTerms(call), plan: termsDigest, assertHolds };

  if (planned.changedBefore) {
    assertNotOvercharged(planner, position, approval);
    await carryOutOnChanged(planner, call, approval, { ...yes, bindingOf: bindingOfChanged });
    return;
  }

  if (!awaitsLocator(planned, approval)) {
    await carryOut(call, approval, yes);
    return;
  }

  const terms = await withCaution(call, await call.act.previewAgain(call.pointed));
  const asked = carriedBy(approval);
  const approvalOfBooking = {
    ...approval,
    locator: terms.locator,
    // No question named what the airline changed since.
    carried: toCarry(planner.runtime.state.digestKey, args, { ...terms, sections: approval.sections }, asked?.bound),
  };

  await carryOut(call, approvalOfBooking, { ...yes, bindingOf: bindingOnMadeBooking });
}

/** The arguments of a step, and for one whose booking was changed before it the most that was approved for it. */
function argsAsApproved({ args, changedBefore }: PlanStep, approval: Approval): PlanStep['args'] {
  return changedBefore ? { ...args, approved: moneyAtStake(approval)?.amount } : args;
}

/**
 * @throws ClerkError if the airline charged more for an earlier step of this yes than was approved: what comes after it may cost more, too.
 * A later yes was given by somebody who knew
 */
function assertNotOvercharged(
  { runtime: { acts } }: Planner,
  { steps, step }: StepPosition,
  { part: { question } }: PlanApproval,
): void {
  const isOvercharged = steps.slice(0, step).some(({ approval, operation }) => {
    if (operation === undefined || approval?.part.question !== question) return false;
    return acts.of(operation.subject).overcharge?.(operation.subject, operation.outcome);
  });
  if (!isOvercharged) return;
  const what = 'The airline charged more for the step before it than was approved, so it was not started.';
  throw new ClerkError('E_NOT_PERMITTED', what, { next: 'Tell the person first, then ask again for the rest.' });
}

/** Carries out a step whose booking an earlier step of its line changed: its operation is about the booking as it is now. */
async function carryOutOnChanged({ runtime }: Planner, call: ActCall, approval: PlanApproval, yes: Yes): Promise<void> {
  const terms = await withCaution(call, await call.act.previewAgain(call.pointed));
  const changed = changedSinceYes(call, approval, terms, yes);
  if (changed.length > 0) throw approvalStale(approval.tool, changed);
  const carried = toCarry(runtime.state.digestKey, call.act.args, terms, carriedBy(approval)?.bound);
  await carryOut(call, { ...approval, carried }, yes);
}

/** Whether the yes was given before the booking existed. Questions that are asked later name the locator. */
function awaitsLocator({ bound, locatorOf: from }: PlanStep, { locator }: Approval): boolean {
  return bound !== undefined && from !== undefined && locator === undefined;
}

/** What the terms bind on the new booking. Facts of it that the person could not know when they said yes count as a difference. */
function bindingOnMadeBooking(terms: Terms): Binding {
  const bound = bindingBefore(terms);
  const differs = terms.differs === undefined ? [] : [{ kind: 'caution' as const, line: terms.differs }];
  return { ...bound, lines: [...bound.lines, ...differs], told: toldChanges(terms) };
}

/**
 * Runs after the operation was entered and before it is sent.
 * @throws ClerkError if the yes no longer counts
 */
async function assertStillApproved(planner: Planner, position: StepPosition, approval: PlanApproval): Promise<void> {
  const { id } = position.facts.plan;
  const plan = mustHave(await planStore(planner).get(id), `plan ${id}`);

  const yesIsOver = (why: string) => {
    return new ClerkError('E_APPROVAL_EXPIRED', `${why} Nothing was sent.`, {
      next: `Call run_plan with plan_id ${id} and again: true to ask for what was not started.`,
    });
  };
  if (plan.stoppedAt !== undefined) throw yesIsOver('The plan was stopped.');
  if (plan.question !== approval.part.question) throw yesIsOver('It was asked again.');
  if (!isCovered(approval, planner.runtime.clock.now()))
    throw yesIsOver('It was not started within 30 minutes of the approval.');

  await assertRestUnchanged(planner, position, approval);
}

/** Checks before a payment that the later steps of its line still have the approved terms. */
async function assertRestUnchanged(planner: Planner, { steps, step }: StepPosition, approval: Approval): Promise<void> {
  if (steps.length < 2 || approval.nature !== 'payment') return;

  const caller = { tenant: approval.tenant, id: approval.caller };
  for (const { planned, approval: asked } of steps.slice(step + 1)) {
    const later = mustHave(asked, 'approval of a later step');
    const call = stepCall(planner, { ...planned, args: argsAsApproved(planned, later) }, { caller });
    if (await isAsApproved(call, later, planned)) continue;

    throw new ClerkError(
      'E_NOT_PERMITTED',
      `The step after it changed (${actSentence(later.act)}), so nothing was paid.`,
      {
        next: 'Ask again with the new terms.',
      },
    );
  }
}

/**
 * Whether a later step still has the approved terms.
 * @throws ClerkError if it could not be done after the payment: another act is on the booking, or the day's limit is
 * reached
 */
async function isAsApproved(call: ActCall, later: Approval, planned: PlanStep): Promise<boolean> {
  const terms = await withCaution(call, await call.act.previewAgain(call.pointed));
  const yes = planned.changedBefore ? { bindingOf: bindingOfChanged } : toItsTerms(call);
  if (changedSinceYes(call, later, terms, yes).length > 0) return false;
  // The step that is being sent is on the same booking.
  if (!planned.changedBefore) await assertNotBusy(call, terms.locator);
  await assertWithinDay(call, terms.money);
  return true;
}
