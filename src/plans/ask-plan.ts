/** Prepares the one question about a plan: reads the terms of all its lines again, and leaves out what is refused now. */

import { aboutAll } from '../approvals/about.ts';
import { assertMaySend, assertNotBusy } from '../approvals/before-asking.ts';
import type { Asker } from '../approvals/call-types.ts';
import { digest, handleFor, handleHash, newHandle } from '../approvals/digest.ts';
import { APPROVAL_MS } from '../approvals/expiry.ts';
import { assertWithinLimits } from '../approvals/limits.ts';
import type { Approval, AskedBy } from '../approvals/ports.ts';
import { toCarry } from '../approvals/request.ts';
import { type MoneyAtStake, nearOf, shownSections, type Terms, termsDigest } from '../approvals/terms.ts';
import { ClerkError, NOT_OF_A_BOOKING } from '../core/errors.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { boundDigest } from './bound.ts';
import { itemAt, mustHave, type PlanParts } from './parts.ts';
import { PLAN_YES_MS, type PlanStep } from './plan.ts';
import type { PlanBody, StepTerms } from './ports.ts';
import { inOrder, previewOf, termsOfStep, whyNot } from './propose.ts';
import { planSections, wordsOfYes } from './question-words.ts';
import { type PlanFacts, restOf, type StepNow, stepsNow } from './status.ts';
import { assertFree, madeBy } from './step.ts';
import { stakeOf } from './sums.ts';
import { aboutLine } from './view.ts';

/** One step as it will be asked. */
interface FreshStep {
  readonly step: number;
  readonly terms: StepTerms;
  /** What differs from the other approvals of the question. */
  readonly approval: Pick<
    Approval,
    'tool' | 'argsDigest' | 'termsDigest' | 'sections' | 'act' | 'about' | 'nature' | 'locator' | 'near' | 'carried'
  >;
}

interface FreshLine {
  /** From 1. */
  readonly line: number;
  readonly steps: readonly FreshStep[];
}

export interface Prepared {
  readonly body: PlanBody;
  readonly lines: readonly FreshLine[];
  /** All that can move together. */
  readonly stake?: MoneyAtStake;
}

/** @throws ClerkError where nothing may be sent now, or nothing can be read */
export async function prepare(
  parts: PlanParts,
  asker: Asker,
  facts: PlanFacts,
  progress: (done: number, total: number) => void,
): Promise<Prepared> {
  await assertMaySend(parts);
  const open = stepsNow(facts).flatMap((steps, i) => (isOpen(facts, steps) ? [{ line: i + 1, steps }] : []));
  const done = (count: number) => progress(count, open.length);
  const read = await parts.each(open, done, ({ steps }) => freshLine(parts, asker, steps));
  const lines: FreshLine[] = [];
  const notAsked: Record<number, string> = {};
  const terms = [...facts.body.terms];
  assertReadable(read);
  for (const [i, { line }] of open.entries()) {
    const one = read[i];
    if (one?.status !== 'fulfilled') {
      notAsked[line] = whyNot(one?.reason);
      continue;
    }
    lines.push({ line, steps: one.value });
    const fresh = new Map(one.value.map((step) => [step.step, step.terms]));
    terms[line - 1] = itemAt(terms, line - 1).map((was, step) => fresh.get(step) ?? was);
  }
  const body = { ...facts.body, terms, notAsked };
  const all = lines.flatMap((line) => mainTerms(body, line));
  return { body, lines, stake: stakeOf(all) };
}

/** @throws the first failure if every line failed, and none because of its booking */
function assertReadable(read: readonly PromiseSettledResult<unknown>[]): void {
  const failed = read.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const isOfAll = failed.every((error) => error instanceof ClerkError && NOT_OF_A_BOOKING.includes(error.code));
  if (failed.length > 0 && failed.length === read.length && isOfAll) throw failed[0];
}

/** What the question is about: without what only compensates, and without what was done before. */
function mainTerms({ lines }: PlanBody, { line, steps }: FreshLine): readonly StepTerms[] {
  const planned = itemAt(lines, line - 1).steps;
  return steps.filter(({ step }) => itemAt(planned, step).insteadOf === undefined).map((one) => one.terms);
}

/** Nothing of the line is on its way or in doubt, and the person did not leave it out. */
function isOpen({ plan, approvals }: PlanFacts, steps: readonly StepNow[]): boolean {
  const state = restOf(steps);
  if (state === 'not_ticked') {
    return approvals.some((approval) => approval.operationId === plan.question && approval.decision === 'declined');
  }
  if (state !== 'proposed' && state !== 'asked' && state !== 'not_begun' && state !== 'skipped') return false;
  return steps.every(
    ({ operation, state: stepState, isUndone }) => operation === undefined || stepState === 'done' || isUndone,
  );
}

/** Reads the terms of the steps that are not done, without compensations of done ones. If the line was undone: of all its steps. */
async function freshLine(parts: PlanParts, asker: Asker, steps: readonly StepNow[]): Promise<readonly FreshStep[]> {
  const undone = steps.some(({ planned, state }) => planned.insteadOf !== undefined && state === 'done');
  const isDone = ({ state, planned }: StepNow) =>
    !undone && (state === 'done' || (planned.insteadOf !== undefined && steps[planned.insteadOf]?.state === 'done'));
  const fresh = await inOrder(steps, async (now, step): Promise<readonly FreshStep[]> => {
    if (isDone(now)) return [];
    const locator = undone ? undefined : madeBy(steps, now.planned);
    return [{ step, ...(await freshStep(parts, asker, now.planned, locator)) }];
  });
  return fresh.flat();
}

async function freshStep(
  parts: PlanParts,
  asker: Asker,
  planned: PlanStep,
  locator: string | undefined,
): Promise<Omit<FreshStep, 'step'>> {
  const { tool, bound, locatorOf } = planned;
  const { digestKey } = parts.runtime.state;
  if (locatorOf !== undefined && locator === undefined) {
    const { act, nature, sections, money } = mustHave(bound, 'terms of a step on a new booking');
    assertFree(planned, { money });
    assertWithinLimits(parts.settings.limits, money);
    const terms = { tool, act, nature, sections: shownSections(sections), ...(money && { money }) };
    const carried = { args: planned.args, operation: { ...money } };
    const termsDigest = boundDigest(digestKey, tool, mustHave(bound, 'terms'));
    const digests = { argsDigest: digest(digestKey, planned.args), termsDigest };
    return { terms, approval: { tool, act, nature, sections: terms.sections, ...digests, carried } };
  }
  const args = locator === undefined ? planned.args : { ...planned.args, locator };
  const { terms, call } = await previewOf(parts, asker, planned, args);
  assertFree(planned, terms);
  assertWithinLimits(parts.settings.limits, terms.money);
  await assertNotBusy(call, terms.locator);
  return { terms: termsOfStep(tool, terms), approval: approvalOf(digestKey, tool, args, terms) };
}

function approvalOf(key: Uint8Array, tool: string, args: PlanStep['args'], terms: Terms): FreshStep['approval'] {
  const { act, about, nature, locator } = terms;
  const digests = { argsDigest: digest(key, args), termsDigest: termsDigest(key, tool, terms) };
  const optional = { locator, about, near: nearOf(terms) };
  return {
    tool,
    act,
    nature,
    sections: shownSections(terms.sections),
    ...digests,
    carried: toCarry(args, terms),
    ...optional,
  };
}

interface PlanAskContext extends Pick<Asker, 'caller' | 'client'> {
  readonly askedBy: AskedBy;
  readonly now: number;
  readonly trace?: string | undefined;
  uuid(): string;
}

/** The approvals of one question: the question itself, and one for each step. */
export function approvalsFor(
  { plan, digestKey }: Pick<PlanFacts, 'plan' | 'digestKey'>,
  prepared: Prepared,
  { caller, client, askedBy, now, trace, uuid }: PlanAskContext,
): { readonly handle: string; readonly question: Approval; readonly steps: readonly Approval[] } {
  const { body, lines, stake } = prepared;
  const asked = lines.map((one) => ({ line: one.line, terms: mainTerms(body, one) }));
  const operationId = uuid();
  const handle = handleFor(digestKey, operationId);
  const common = {
    tenant: caller.tenant,
    caller: caller.id,
    askedBy,
    decision: 'pending' as const,
    createdAt: now,
    askedAt: now,
    expiresAt: now + APPROVAL_MS,
    client,
    trace,
  };
  const steps = lines.flatMap(({ line, steps: fresh }) =>
    fresh.map(({ step, approval }): Approval => {
      const part = { plan: plan.id, question: operationId, line, step };
      return { ...common, ...approval, handleHash: handleHash(newHandle()), operationId: uuid(), part };
    }),
  );
  const args = { plan_id: plan.id };
  const question: Approval = {
    ...common,
    handleHash: handleHash(handle),
    operationId,
    tool: RUN_PLAN,
    argsDigest: digest(digestKey, args),
    termsDigest: digest(
      digestKey,
      steps.map(({ argsDigest, termsDigest: terms }) => [argsDigest, terms]),
    ),
    sections: planSections(body, asked),
    act: wordsOfYes(body, asked),
    ...omitUndefined({ about: aboutAll(lines.flatMap(({ line }) => aboutLine(body, line - 1) ?? [])) }),
    nature: natureOf(steps),
    carried: { args, operation: { ...stake } },
    part: { plan: plan.id, question: operationId, line: 0, step: 0, alone: true },
  };
  return { handle, question, steps };
}

export const RUN_PLAN = 'run_plan';

export function expiryOf({ plan, now }: Pick<PlanFacts, 'plan' | 'now'>): number {
  return Math.max(plan.expiresAt, now + APPROVAL_MS + PLAN_YES_MS);
}

/** The gravest, so that giving something up does not look like paying. */
function natureOf(steps: readonly Approval[]): Approval['nature'] {
  const has = (nature: Approval['nature']) => steps.some((one) => one.nature === nature);
  if (has('cancellation')) return 'cancellation';
  return has('payment') ? 'payment' : 'change';
}

export function askedMeanwhile(id: string): ClerkError {
  return new ClerkError('E_APPROVAL_INVALID', 'The plan was asked or answered meanwhile. Nothing was asked now.', {
    next: `Call run_plan with plan_id ${id} to see how far it is.`,
    retry: 'same_call',
  });
}
