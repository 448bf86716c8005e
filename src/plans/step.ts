/** Carries out one step of a plan: an operation of its own in the journal, at most once. */

import { assertNotBusy, withCaution } from '../approvals/before-asking.ts';
import type { ActCall } from '../approvals/call-types.ts';
import { enterAndRun, toItsTerms, type Yes } from '../approvals/carry-out.ts';
import { approvalStale } from '../approvals/expiry.ts';
import { assertWithinDay } from '../approvals/limits.ts';
import type { Approval, PlanApproval } from '../approvals/ports.ts';
import { carriedBy, moneyOf, toCarry } from '../approvals/request.ts';
import { linesOf, type Terms, termsDigest } from '../approvals/terms.ts';
import { ClerkError, isOwnFailure } from '../core/errors.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { fareDifferences } from '../domain/pricing/fare-units.ts';
import type { Acts } from '../journal/act.ts';
import { locatorOf } from '../journal/operation.ts';
import { boundDigest, boundOf, planDigest } from './bound.ts';
import { driftWords } from './line-words.ts';
import { callOf, itemAt, mustHave, type PlanParts, storeOf } from './parts.ts';
import type { PlanStep } from './plan.ts';
import { isCovered, type PlanFacts, type StepNow } from './status.ts';

interface StepPosition {
  readonly facts: PlanFacts;
  readonly steps: readonly StepNow[];
  readonly step: number;
}

/** Afterwards the journal or the approval says what became of it. */
export async function carryOutStep(parts: PlanParts, position: StepPosition): Promise<void> {
  const { approval: given, planned } = itemAt(position.steps, position.step);
  const approval = mustHave(given, 'approval of this step');
  const { approvals, operations } = parts.runtime.state;
  try {
    await carry(parts, position, approval, planned);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    // The journal knows more where it has the operation.
    if ((await operations.get(approval.operationId)) !== undefined) return;
    if (isOwnFailure(error)) throw error;
    await approvals.skip(approval.handleHash, whyOf(error, approval));
  }
}

export function whyOf({ message, terms }: ClerkError, { sections }: Pick<Approval, 'sections'>): string {
  return terms === undefined ? message : driftWords(sections, terms);
}

async function carry(
  parts: PlanParts,
  position: StepPosition,
  approval: PlanApproval,
  planned: PlanStep,
): Promise<void> {
  const caller = { tenant: approval.tenant, id: approval.caller };
  assertFree(planned, { money: moneyOf(approval) });
  const locator = madeBy(position.steps, planned);
  const args = { ...carriedBy(approval)?.args, ...(locator !== undefined && { locator }) };
  const call = callOf(parts, approval.tool, args, { caller });
  if (call === undefined) throw notOffered(approval.tool);
  const plan = mustHave(
    planDigest(position.facts.digestKey, position.facts.approvals, approval.part.question),
    'digest of what was granted',
  );
  const assertHolds = () => assertStillApproved(parts, position, approval);
  const yes: Yes = { ...toItsTerms(call), plan, assertHolds };
  if (!awaitsLocator(planned, approval)) {
    await enterAndRun(call, { approval }, yes);
    return;
  }
  const digestOf: Yes['digestOf'] = (tool, terms) => digestOnceMade(parts.runtime.acts, tool, terms, position, planned);
  const terms = await withCaution(call, await call.act.previewAgain());
  assertAsApproved(digestOf, approval, terms, planned);
  const made = { ...approval, ...omitUndefined({ locator: terms.locator }), carried: toCarry(args, terms) };
  await enterAndRun(call, { approval: made }, { ...yes, digestOf });
}

/** The yes was given before the booking existed. Once it does, its steps are asked with the locator. */
function awaitsLocator({ bound, locatorOf: from }: PlanStep, { locator }: Approval): boolean {
  return bound !== undefined && from !== undefined && locator === undefined;
}

/** The booking that an earlier step of the line made. */
export function madeBy(steps: readonly StepNow[], { locatorOf: from }: PlanStep): string | undefined {
  const operation = from === undefined ? undefined : steps[from]?.operation;
  return operation?.state === 'succeeded' ? locatorOf(operation) : undefined;
}

/** Of the terms on the booking that was made. Another fare than the chosen one gives another digest. */
function digestOnceMade(
  acts: Acts,
  tool: string,
  terms: Terms,
  { facts, steps }: StepPosition,
  { locatorOf: from = 0 }: PlanStep,
): string {
  const subject = itemAt(steps, from).operation?.subject;
  const { booking } = terms;
  const offer = subject && acts.of(subject).offer?.(subject);
  const differs = offer && booking && fareDifferences(offer, booking).length > 0;
  const current = boundOf(terms);
  return boundDigest(facts.digestKey, tool, differs ? { ...current, facts: 'another fare' } : current);
}

function assertAsApproved(
  digestOf: Yes['digestOf'],
  { tool, termsDigest: approved }: Approval,
  terms: Terms,
  planned: PlanStep,
): void {
  assertFree(planned, terms);
  if (digestOf(tool, terms) === approved) return;
  throw approvalStale(tool, linesOf(terms.sections));
}

/** @throws ClerkError for an act that undoes a part of a plan and moves money */
export function assertFree({ insteadOf }: PlanStep, { money }: Pick<Terms, 'money'>): void {
  if (insteadOf === undefined || money === undefined) return;
  throw new ClerkError('E_NOT_PERMITTED', 'Only what is free may undo a part of a plan. Nothing was sent.', {
    next: 'A person must decide about it alone.',
  });
}

/** Called after the operation was entered and before it is sent: nothing was sent yet. */
async function assertStillApproved(parts: PlanParts, position: StepPosition, approval: PlanApproval): Promise<void> {
  const { id } = position.facts.plan;
  const plan = mustHave(await storeOf(parts).get(id), `plan ${id}`);
  const ended = (why: string) => {
    return new ClerkError('E_APPROVAL_EXPIRED', `${why} Nothing was sent.`, {
      next: `Call run_plan with plan_id ${id} and again: true to ask for what was not begun.`,
    });
  };
  if (plan.stoppedAt !== undefined) throw ended('The plan was stopped.');
  if (plan.question !== approval.part.question) throw ended('It was asked anew.');
  if (!isCovered(approval, parts.runtime.clock.now())) throw ended('It was not begun within 30 minutes of the yes.');
  await assertRestUnchanged(parts, position, approval);
}

/** Before a payment: what comes after it in the same line must still be as approved. */
async function assertRestUnchanged(parts: PlanParts, { steps, step }: StepPosition, approval: Approval): Promise<void> {
  if (steps.length < 2 || approval.nature !== 'payment') return;
  const caller = { tenant: approval.tenant, id: approval.caller };
  for (const { planned, approval: later } of steps.slice(step + 1)) {
    if (later === undefined || planned.locatorOf !== undefined || planned.insteadOf !== undefined) continue;
    if (await isAsApproved(callOf(parts, later.tool, planned.args, { caller }), later)) continue;
    throw new ClerkError('E_NOT_PERMITTED', `What comes after it changed (${later.act}). Nothing was paid.`, {
      next: 'Ask anew with the new terms.',
    });
  }
}

/** @throws ClerkError where it could not be done right after the payment: another act on the booking, the day's limit */
async function isAsApproved(call: ActCall | undefined, { tool, termsDigest: approved }: Approval): Promise<boolean> {
  if (call === undefined) return false;
  const terms = await withCaution(call, await call.act.previewAgain());
  if (termsDigest(call.runtime.state.digestKey, tool, terms) !== approved) return false;
  await assertNotBusy(call, terms.locator);
  await assertWithinDay(call, terms.money);
  return true;
}

export function notOffered(tool: string): ClerkError {
  return new ClerkError('E_CONFIG', `${tool} is not offered by this server. Nothing was sent.`, {
    next: 'Ask the operator.',
  });
}
