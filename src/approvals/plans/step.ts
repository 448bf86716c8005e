/** Carries out one step of a plan: an operation of its own in the journal, at most once. */

import { ClerkError } from '../../core/errors.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import { fareDifferences } from '../../domain/pricing/fare-codes.ts';
import type { Acts } from '../../journal/act.ts';
import { locatorOf } from '../../journal/operation.ts';
import { assertNotBusy, assertWithinDay, withCaution } from '../before-asking.ts';
import type { ActCall } from '../call-types.ts';
import { carryOut, toItsTerms, type Yes } from '../carry-out.ts';
import type { Approval, PlanApproval } from '../ports.ts';
import { carriedBy, moneyOf, toCarry } from '../request.ts';
import { linesOf, type Terms, termsDigest } from '../terms.ts';
import { boundDigest, boundOf, planDigest } from './bound.ts';
import { driftWords } from './line-words.ts';
import { at, callOf, known, type PlanParts, storeOf } from './parts.ts';
import type { PlanStep } from './plan.ts';
import { isCovered, type PlanFacts, type StepNow } from './status.ts';

interface StepPosition {
  readonly facts: PlanFacts;
  readonly steps: readonly StepNow[];
  readonly step: number;
}

/** Afterwards the journal or the approval says what became of it. */
export async function carryOutStep(parts: PlanParts, place: StepPosition): Promise<void> {
  const { approval: given, spec } = at(place.steps, place.step);
  const approval = known(given, 'approval of this step');
  const { approvals, operations } = parts.runtime.state;
  try {
    await carry(parts, place, approval, spec);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    // The journal knows more where it has the operation.
    if ((await operations.get(approval.operationId)) !== undefined) return;
    if (error.code === 'E_INTERNAL') throw error;
    await approvals.skip(approval.handleHash, whyOf(error, approval));
  }
}

export function whyOf({ message, terms }: ClerkError, { sections }: Pick<Approval, 'sections'>): string {
  return terms === undefined ? message : driftWords(sections, terms);
}

async function carry(parts: PlanParts, place: StepPosition, approval: PlanApproval, spec: PlanStep): Promise<void> {
  const caller = { tenant: approval.tenant, id: approval.caller };
  assertFree(spec, omitUndefined({ money: moneyOf(approval) }));
  const locator = madeBy(place.steps, spec);
  const args = { ...carriedBy(approval)?.args, ...(locator !== undefined && { locator }) };
  const call = callOf(parts, approval.tool, args, { caller });
  if (call === undefined) throw notOffered(approval.tool);
  const plan = known(
    planDigest(place.facts.digestKey, place.facts.approvals, approval.part.question),
    'digest of what was granted',
  );
  const assertHolds = () => assertStillApproved(parts, place, approval);
  const yes: Yes = { ...toItsTerms(call), plan, assertHolds };
  if (!isBound(spec, approval)) {
    await carryOut(call, { approval }, yes);
    return;
  }
  // The booking did not exist when the yes was given.
  const digestOf: Yes['digestOf'] = (tool, terms) => boundDigestOf(parts.runtime.acts, tool, terms, place, spec);
  const terms = await withCaution(call, await call.act.previewAgain());
  assertAsBound(digestOf, approval, terms, spec);
  const made = { ...approval, ...omitUndefined({ locator: terms.locator }), carried: toCarry(args, terms) };
  await carryOut(call, { approval: made }, { ...yes, digestOf });
}

/** Asked with the locator once it is known. */
function isBound({ bound, locatorOf: from }: PlanStep, { locator }: Approval): boolean {
  return bound !== undefined && from !== undefined && locator === undefined;
}

/** The booking that an earlier step of the line made. */
export function madeBy(steps: readonly StepNow[], { locatorOf: from }: PlanStep): string | undefined {
  const operation = from === undefined ? undefined : steps[from]?.operation;
  return operation?.state === 'succeeded' ? locatorOf(operation) : undefined;
}

/** Another fare than the chosen one gives another digest. */
function boundDigestOf(
  acts: Acts,
  tool: string,
  terms: Terms,
  { facts, steps }: StepPosition,
  { locatorOf: from = 0 }: PlanStep,
): string {
  const subject = at(steps, from).operation?.subject;
  const { booking } = terms;
  const offer = subject && acts.of(subject).offer?.(subject);
  const differs = offer && booking && fareDifferences(offer, booking).length > 0;
  const bound = boundOf(terms);
  return boundDigest(facts.digestKey, tool, differs ? { ...bound, facts: 'another fare' } : bound);
}

function assertAsBound(
  digestOf: Yes['digestOf'],
  { tool, termsDigest: bound }: Approval,
  terms: Terms,
  spec: PlanStep,
): void {
  assertFree(spec, terms);
  if (digestOf(tool, terms) === bound) return;
  throw new ClerkError('E_APPROVAL_STALE', 'The new booking is not what was approved. Nothing was sent.', {
    next: 'Show the new terms, then ask anew.',
    terms: linesOf(terms.sections),
  });
}

/** @throws ClerkError for what compensates by anything but a free act */
export function assertFree({ insteadOf }: PlanStep, { money }: Pick<Terms, 'money'>): void {
  if (insteadOf === undefined || money === undefined) return;
  throw new ClerkError('E_NOT_PERMITTED', 'Only what is free may undo a part of a plan. Nothing was sent.', {
    next: 'A person must decide about it alone.',
  });
}

/** Called after the operation was entered and before it is sent: nothing was sent yet. */
async function assertStillApproved(parts: PlanParts, place: StepPosition, approval: PlanApproval): Promise<void> {
  const { id } = place.facts.plan;
  const plan = known(await storeOf(parts).get(id), `plan ${id}`);
  const ended = (why: string) => {
    return new ClerkError('E_APPROVAL_EXPIRED', `${why} Nothing was sent.`, {
      next: `Call run_plan with plan_id ${id} and again: true to ask for what was not begun.`,
    });
  };
  if (plan.stoppedAt !== undefined) throw ended('The plan was stopped.');
  if (plan.question !== approval.part.question) throw ended('It was asked anew.');
  if (!isCovered(approval, parts.runtime.clock.now())) throw ended('It was not begun within 30 minutes of the yes.');
  await assertRestStands(parts, place, approval);
}

/** Before money moves, what is to come after it in the same line must still be as approved. */
async function assertRestStands(parts: PlanParts, { steps, step }: StepPosition, approval: Approval): Promise<void> {
  if (steps.length < 2 || approval.nature !== 'payment') return;
  const caller = { tenant: approval.tenant, id: approval.caller };
  for (const { spec, approval: later } of steps.slice(step + 1)) {
    if (later === undefined || spec.locatorOf !== undefined || spec.insteadOf !== undefined) continue;
    if (await isAsApproved(callOf(parts, later.tool, spec.args, { caller }), later)) continue;
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
