/**
 * Reads the terms of a plan: to propose it, where each step is previewed as if it were alone, and to ask the one
 * question about it. Sends nothing. In this order: the proposal, what is open about its bookings, the terms of its steps, the same read again for the
 * question, the approvals of the question, and the terms of a booking that does not exist yet.
 */

import { randomBytes } from 'node:crypto';
import { type Approval, type AskedBy, type OtherQuestion, RUN_PLAN } from '../approvals/approval.ts';
import { actSentence } from '../approvals/asked-act.ts';
import { actLine, type Binding, bindingDigest, bindingOf, bindingOfChanged } from '../approvals/binding.ts';
import { gistOfAll } from '../approvals/booking-gist.ts';
import { assertNotBusy, leftOutBefore, withCaution } from '../approvals/busy-booking.ts';
import type { ActCall, Asker } from '../approvals/consent-call.ts';
import { digest, digestWith, handleFor, handleHash, newStepHandle } from '../approvals/digest.ts';
import { APPROVAL_MS, KEEP_NAMES_MS } from '../approvals/expiry.ts';
import { assertMaySend, assertNotPaused } from '../approvals/may-ask.ts';
import { assertWithinLimits } from '../approvals/money-limits.ts';
import type { OpenQuestion } from '../approvals/ports.ts';
import { toCarry } from '../approvals/request.ts';
import { PLANS, shareUsedUp } from '../approvals/shares-of-one-person.ts';
import { type MoneyAtStake, shownSections, type Terms, termsDeparture, withLeftOut } from '../approvals/terms.ts';
import { ClerkError, GENERAL_FAILURES } from '../core/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../core/times.ts';
import { counted } from '../core/words.ts';
import { hasPointers } from '../domain/facts/bound.ts';
import { keptReading } from '../domain/facts/kept-reading.ts';
import {
  type BoundTerms,
  PLAN_YES_MS,
  type PlanBody,
  type PlanLine,
  type PlanStep,
  type PlanView,
  type ReasonsOf,
  type StepTerms,
} from './plan.ts';
import type { PlanFacts, StepNow } from './plan-facts.ts';
import { totalStake } from './plan-money.ts';
import { aboutLine, planView } from './plan-view.ts';
import { actOfPlan, lineTitle, planSections } from './plan-words.ts';
import { itemAt, mustHave, planStore, stepCall } from './planner.ts';
import type { Planner } from './ports.ts';
import { madeBy, stepsNow, unfinishedState } from './step-status.ts';

/** How long a plan can be run after it was proposed, milliseconds. */
const PLAN_MS = HOUR_MS;

/** How late the cleaning, which runs once a minute, may erase a plan, milliseconds. */
const ERASED_WITHIN_MS = MINUTE_MS;

interface Proposing {
  /** Called after the previews, whose readings can show what changed. */
  readonly reasonsOf?: ReasonsOf;
  readonly progress?: (done: number, total: number) => void;
}

/**
 * Previews all lines and stores the plan. Only `asker.caller` can run it.
 * @throws ClerkError E_LIMIT for too many plans
 */
export async function propose(
  planner: Planner,
  asker: Asker,
  { lines, leftOut = [] }: { readonly lines: readonly PlanLine[]; readonly leftOut?: PlanView['leftOut'] },
  { reasonsOf, progress }: Proposing = {},
): Promise<PlanView> {
  await assertFewPlans(planner, asker);

  const showProgress = (done: number) => progress?.(done, lines.length);
  const readings = await planner.each(lines, showProgress, (line) => lineTerms(planner, asker, line));

  const previewed: { readonly line: PlanLine; readonly terms: readonly StepTerms[] }[] = [];
  const allLeftOut = [...leftOut];

  for (const [i, line] of lines.entries()) {
    const reading = readings[i];
    if (reading?.status === 'fulfilled') {
      const steps = reading.value.map(({ planned }) => planned);
      previewed.push({ line: { ...line, steps }, terms: reading.value.map(({ terms }) => terms) });
    } else allLeftOut.push({ title: lineTitle(line), why: whyRefused(reading?.reason) });
  }

  const reasons = await reasonsOf?.(previewed.flatMap(({ line }) => line.locator ?? []));
  const body: PlanBody = {
    lines: previewed.map(({ line }) => ({ ...line, reason: reasons?.get(line.locator ?? '') ?? line.reason })),
    terms: previewed.map(({ terms }) => terms),
    leftOut: allLeftOut,
    notAsked: {},
  };

  const now = planner.runtime.clock.now();
  const { tenant, id: caller } = asker.caller;
  const plan = { id: newPlanId(), tenant, caller, createdAt: now, expiresAt: now + PLAN_MS, body };
  await planStore(planner).put(plan);

  return planView({ plan, body, approvals: [], operations: new Map(), now });
}

// What is open about its bookings.

/** The caller's open questions about these bookings, without those of the plan. */
export async function openBeside(
  { runtime }: Planner,
  { caller }: Pick<Asker, 'caller'>,
  plan: string,
  locators: readonly string[],
): Promise<readonly OpenQuestion[]> {
  const open = await runtime.state.approvals.openAbout(caller, locators, runtime.clock.now());
  return open.filter(({ question: { part } }) => part === undefined || part.plan !== plan);
}

/** `Also open: Assign seats (booking ABC123, operation 6f1c…). It stays beside this question.` */
export function besideNotice({ question: { act, operationId }, locators }: OpenQuestion): OtherQuestion {
  const before = `Also open: ${actSentence(act)}`;
  return { before, about: bookingsNamed(locators), operationId, after: '. It stays beside this question.' };
}

const bookingsNamed = (locators: readonly string[]) =>
  `${locators.length === 1 ? 'booking' : 'bookings'} ${locators.join(', ')}`;

/** Whether this caller proposed the plan: no other caller can run it. */
export function isOfCaller({ plan }: PlanFacts, { caller }: Pick<Asker, 'caller'>): boolean {
  return plan.tenant === caller.tenant && plan.caller === caller.id;
}

/** Makes an id of 72 random bits: `pl_` and twelve letters. */
function newPlanId(): string {
  return `pl_${randomBytes(9).toString('base64url')}`;
}

/**
 * Makes room for one more plan: the oldest that nobody was asked about goes, because it may have been a quote.
 * @throws ClerkError E_LIMIT if this caller was asked about as many plans as one may have
 */
async function assertFewPlans(planner: Planner, { caller }: Asker): Promise<void> {
  const plans = planStore(planner);
  const { count, firstExpiresAt = 0 } = await plans.kept(caller);
  if (count < PLANS.kept || (await plans.dropProposal(caller))) return;

  const untilErasedMs = firstExpiresAt + KEEP_NAMES_MS + ERASED_WITHIN_MS - planner.runtime.clock.now();
  const minutes = Math.max(1, Math.ceil(untilErasedMs / MINUTE_MS));

  throw shareUsedUp(
    `${count} plans of this caller are kept. Nothing was proposed or sent.`,
    `Call run_plan with a plan that was proposed before. The next one is erased in about ${counted(minutes, 'minute')}; then call propose_plan again.`,
    minutes * MINUTE_MS,
  );
}

/** Says why a line is left out, from the error of its preview. @throws any other error than a ClerkError */
function whyRefused(error: unknown): string {
  if (error instanceof ClerkError) return error.message;
  throw error;
}

// The terms of steps.

/** A step with the pointers of its reading, and the terms of that. */
interface PreviewedStep {
  readonly planned: PlanStep;
  readonly terms: StepTerms;
}

function lineTerms(planner: Planner, asker: Asker, { steps }: PlanLine): Promise<PreviewedStep[]> {
  return inOrder(steps, (planned) => stepTerms(planner, asker, planned));
}

/** Does the work for one item after the other: the steps of a line, because several lines are read at once. */
async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

async function stepTerms(planner: Planner, asker: Asker, planned: PlanStep): Promise<PreviewedStep> {
  if (planned.bound !== undefined && planned.locatorOf !== undefined)
    return { planned, terms: termsOfStep(planned.tool, planned.bound) };
  const { terms } = await previewStep(planner, asker, planned);
  return { planned: withPointed(planner, planned, terms), terms: termsOfStep(planned.tool, terms) };
}

/** Keeps with a step which flights and passengers its arguments point to. */
function withPointed({ runtime: { state, clock } }: Planner, planned: PlanStep, { booking }: Terms): PlanStep {
  if (booking === undefined || !hasPointers(planned.args)) return planned;
  const { segments, persons } = keptReading(booking, clock.now(), digestWith(state.digestKey));
  return { ...planned, pointed: { segments, persons } };
}

/** @throws ClerkError where a rule forbids the act, or the tool is not offered */
async function previewStep(
  planner: Planner,
  asker: Asker,
  planned: PlanStep,
): Promise<{ readonly terms: Terms; readonly call: ActCall }> {
  const call = stepCall(planner, planned, asker);
  const previewed = await call.act.preview(call.pointed);
  const [terms, leftOut] = await Promise.all([withCaution(call, previewed), leftOutBefore(call, previewed)]);
  return { terms: withLeftOut(terms, leftOut), call };
}

function termsOfStep(tool: string, terms: BoundTerms & Partial<Terms>): StepTerms {
  const { act, nature, sections, about, booking, money, account, estimate, differs } = terms;
  const optional = { about, departs: termsDeparture({ booking }), money, account, estimate, differs };
  return { tool, act, nature, sections: shownSections(sections), ...optional };
}

// The terms read again, for the question.

/** One step as it will be asked. */
interface FreshStep {
  readonly step: number;
  readonly terms: StepTerms;
  /** The fields of its approval in which it differs from the other approvals of the question. */
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
  /** All that the lines can move together. */
  readonly stake?: MoneyAtStake;
}

/**
 * Reads the terms of all lines that can be asked about.
 * @throws ClerkError where nothing may be sent now, or nothing can be read
 */
export async function prepare(
  planner: Planner,
  asker: Asker,
  facts: PlanFacts,
  progress: (done: number, total: number) => void,
): Promise<Prepared> {
  await assertMaySend(planner);

  const askable = stepsNow(facts).flatMap((steps, i) => (mayBeAsked(facts, steps) ? [{ line: i + 1, steps }] : []));
  const showProgress = (done: number) => progress(done, askable.length);
  const readings = await planner.each(askable, showProgress, ({ steps }) => freshLine(planner, asker, steps));
  assertReadable(readings);

  const lines: FreshLine[] = [];
  const notAsked: Record<number, string> = {};
  const terms = [...facts.body.terms];

  for (const [i, { line }] of askable.entries()) {
    const reading = readings[i];
    if (reading?.status !== 'fulfilled') {
      notAsked[line] = whyRefused(reading?.reason);
      continue;
    }
    lines.push({ line, steps: reading.value });
    terms[line - 1] = withFreshTerms(itemAt(terms, line - 1), reading.value);
  }

  const body = { ...facts.body, terms, notAsked };
  const stake = totalStake(lines.flatMap(({ steps }) => steps.map((step) => step.terms)));
  return { body, lines, stake };
}

/** Puts the terms of the steps that were read again in the place of the earlier ones. */
function withFreshTerms(earlierTerms: readonly StepTerms[], steps: readonly FreshStep[]): readonly StepTerms[] {
  const fresh = new Map(steps.map(({ step, terms }) => [step, terms]));
  return earlierTerms.map((earlier, step) => fresh.get(step) ?? earlier);
}

/** @throws the first failure if every line failed, and none because of its booking */
function assertReadable(readings: readonly PromiseSettledResult<unknown>[]): void {
  const failed = readings.flatMap((reading) => (reading.status === 'rejected' ? [reading.reason as unknown] : []));
  const hasOtherCause = failed.every((error) => error instanceof ClerkError && GENERAL_FAILURES.includes(error.code));
  if (failed.length > 0 && failed.length === readings.length && hasOtherCause) throw failed[0];
}

/** Whether the line has no act on its way or in doubt, and the person did not leave it out of a granted question. */
function mayBeAsked({ plan, approvals }: PlanFacts, steps: readonly StepNow[]): boolean {
  const state = unfinishedState(steps);
  if (state === 'not_ticked') {
    return approvals.some((approval) => approval.operationId === plan.question && approval.decision === 'declined');
  }
  if (state !== 'proposed' && state !== 'asked' && state !== 'not_begun' && state !== 'skipped') return false;

  return steps.every(
    ({ operation, state: stepState, isUndone }) => operation === undefined || stepState === 'done' || isUndone,
  );
}

/** Reads the terms of the steps that are not done. */
async function freshLine(planner: Planner, asker: Asker, steps: readonly StepNow[]): Promise<readonly FreshStep[]> {
  const undone = [...steps.entries()].filter(([, { state }]) => state !== 'done');
  return inOrder(undone, async ([step, { planned }]) => ({
    step,
    ...(await freshStep(planner, asker, planned, madeBy(steps, planned))),
  }));
}

/** Reads the terms of a step again. `locator`: of the booking that an earlier step of its line made. */
async function freshStep(
  planner: Planner,
  asker: Asker,
  planned: PlanStep,
  locator: string | undefined,
): Promise<Omit<FreshStep, 'step'>> {
  const { tool } = planned;
  if (planned.locatorOf !== undefined && locator === undefined) {
    await assertNotPaused(stepCall(planner, planned, asker), undefined);
    return boundStep(planner, planned);
  }

  const args = locator === undefined ? planned.args : { ...planned.args, locator };
  const { terms, call } = await previewStep(planner, asker, { ...planned, args });
  assertWithinLimits(planner.settings.limits, terms.money);
  await assertNotBusy(call, terms.locator);
  await assertNotPaused(call, termsDeparture(terms));

  return {
    terms: termsOfStep(tool, terms),
    approval: stepApproval(planner.runtime, planned, args, terms),
  };
}

/** Returns the terms that the recipe bound to a step: its booking does not exist yet, so nothing can be read. */
function boundStep(planner: Planner, planned: PlanStep): Omit<FreshStep, 'step'> {
  const { tool } = planned;
  const { digestKey } = planner.runtime.state;

  const recipeTerms = mustHave(planned.bound, 'terms of a step on a new booking');
  const { act, nature, money } = recipeTerms;
  assertWithinLimits(planner.settings.limits, money);

  const terms = termsOfStep(tool, recipeTerms);
  const bound = bindingBefore(recipeTerms);
  const carried = { args: planned.args, operation: { ...money }, bound };
  const digests = {
    argsDigest: digest(digestKey, planned.args),
    termsDigest: bindingDigest(digestKey, tool, bound),
  };
  return { terms, approval: { tool, act, nature, sections: terms.sections, ...digests, carried } };
}

function stepApproval(
  { state: { digestKey: key }, clock }: Planner['runtime'],
  { tool, changedBefore }: PlanStep,
  args: PlanStep['args'],
  terms: Terms,
): FreshStep['approval'] {
  const { act, about, nature, locator } = terms;
  const bound = changedBefore ? bindingOfChanged(terms) : bindingOf(key, terms, clock.now());

  return {
    tool,
    act,
    nature,
    sections: shownSections(terms.sections),
    argsDigest: digest(key, args),
    termsDigest: bindingDigest(key, tool, bound),
    carried: toCarry(key, args, terms, bound),
    locator,
    about,
    near: termsDeparture(terms),
  };
}

// The approvals of the question.

interface PlanAskContext extends Pick<Asker, 'caller' | 'client'> {
  readonly digestKey: Uint8Array;
  readonly askedBy: AskedBy;
  readonly now: number;
  readonly trace?: string | undefined;
  uuid(): string;
}

/** Makes the approvals of one question: the question itself, and one for each step. */
export function approvalsFor(
  { plan }: Pick<PlanFacts, 'plan'>,
  prepared: Prepared,
  { digestKey, caller, client, askedBy, now, trace, uuid }: PlanAskContext,
): { readonly question: Approval; readonly steps: readonly Approval[] } {
  const { body, lines, stake } = prepared;
  const linesAsked = lines.map(({ line, steps }) => ({ line, terms: steps.map(({ terms }) => terms) }));

  const operationId = uuid();
  const common = {
    tenant: caller.tenant,
    caller: caller.id,
    askedBy,
    decision: 'pending' as const,
    createdAt: now,
    expiresAt: now + APPROVAL_MS,
    client,
    trace,
  };

  const steps = lines.flatMap(({ line, steps: fresh }) =>
    fresh.map(({ step, approval }): Approval => {
      const part = { plan: plan.id, question: operationId, line, step };
      return { ...common, ...approval, handleHash: handleHash(newStepHandle()), operationId: uuid(), part };
    }),
  );

  const args = { plan_id: plan.id };
  const question: Approval = {
    ...common,
    handleHash: handleHash(handleFor(digestKey, operationId)),
    operationId,
    tool: RUN_PLAN,
    argsDigest: digest(digestKey, args),
    termsDigest: digestOfTerms(digestKey, steps),
    sections: planSections(body, linesAsked),
    act: actOfPlan(body, linesAsked),
    about: gistOfAll(lines.flatMap(({ line }) => aboutLine(body, line - 1) ?? [])),
    nature: gravestNature(steps),
    carried: { args, operation: { ...stake } },
    part: { plan: plan.id, question: operationId, line: 0, step: 0, alone: true },
  };
  return { question, steps };
}

/** The one digest of what a plan asks for: the arguments and terms of all its steps. */
function digestOfTerms(key: Uint8Array, steps: readonly Pick<Approval, 'argsDigest' | 'termsDigest'>[]): string {
  return digest(
    key,
    steps.map(({ argsDigest, termsDigest }) => [argsDigest, termsDigest]),
  );
}

/** Says when a plan that is asked now expires: a yes at the last moment is still good for its whole time. */
export function planExpiry({ plan, now }: Pick<PlanFacts, 'plan' | 'now'>): number {
  return Math.max(plan.expiresAt, now + APPROVAL_MS + PLAN_YES_MS);
}

/** Finds the gravest of the steps' natures, so that giving something up does not look like paying. */
function gravestNature(steps: readonly Approval[]): Approval['nature'] {
  const has = (nature: Approval['nature']) => steps.some((step) => step.nature === nature);
  if (has('cancellation')) return 'cancellation';
  return has('payment') ? 'payment' : 'change';
}

/** Makes the error for a question that was not entered, because another call asked or answered while this one read the terms. */
export function askedMeanwhile(id: string): ClerkError {
  return new ClerkError('E_APPROVAL_INVALID', 'The plan was asked or answered meanwhile. Nothing was asked now.', {
    next: `Call run_plan with plan_id ${id} to see how far it is.`,
    retry: 'same_call',
  });
}

/** What a yes binds of a step whose booking does not exist yet: the booking that is made is compared with its offer. */
export function bindingBefore({ act, nature, money }: Pick<BoundTerms, 'act' | 'nature' | 'money'>): Binding {
  return { lines: [actLine({ act })], told: [], money, about: { nature } };
}
