/** Proposes a plan: previews each step as if it were alone, and keeps the plan. Sends nothing, asks nobody. */
import { randomBytes } from 'node:crypto';
import { withCaution } from '../approvals/before-asking.ts';
import type { ActCall, Asker } from '../approvals/call-types.ts';
import { KEEP_NAMES_MS } from '../approvals/expiry.ts';
import { PLANS, shareUsedUp } from '../approvals/fair-share.ts';
import { nearOf, shownSections, type Terms } from '../approvals/terms.ts';
import { ClerkError } from '../core/errors.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import { MINUTE_MS } from '../core/times.ts';
import { callOf, type PlanParts, storeOf } from './parts.ts';
import { MOST_LINES, type PlanLine, type PlanStep, type PlanView, type ReasonsOf } from './plan.ts';
import type { PlanBody, StepTerms } from './ports.ts';
import { titleOf } from './question-words.ts';
import type { PlanFacts } from './status.ts';
import { assertFree, notOffered } from './step.ts';
import { viewOf } from './view.ts';

/** How long a plan can be run after it was proposed, milliseconds. */
const PLAN_MS = 60 * 60_000;

/** A plan that is due is erased within this time, milliseconds. */
const CLEANED_MS = 60_000;

interface Proposing {
  /** Called after the previews, whose readings can show what changed. */
  readonly reasonsOf?: ReasonsOf;
  readonly progress?: (done: number, total: number) => void;
}

/** Only `asker.caller` can run it. @throws ClerkError E_INPUT for too many lines, E_LIMIT for too many plans */
export async function propose(
  parts: PlanParts,
  asker: Asker,
  lines: readonly PlanLine[],
  leftOut: PlanView['leftOut'],
  { reasonsOf, progress }: Proposing = {},
): Promise<PlanView> {
  if (lines.length > MOST_LINES) {
    const what = `steps: a plan has at most ${MOST_LINES} lines, and these are ${lines.length}. Nothing was sent.`;
    throw new ClerkError('E_INPUT', what, { next: 'Propose several plans.' });
  }
  await assertFewKept(parts, asker);
  const done = (count: number) => progress?.(count, lines.length);
  const read = await parts.each(lines, done, (line) => lineTerms(parts, asker, line));
  const kept: { readonly line: PlanLine; readonly terms: readonly StepTerms[] }[] = [];
  const out = [...leftOut];
  for (const [i, line] of lines.entries()) {
    const one = read[i];
    if (one?.status === 'fulfilled') kept.push({ line, terms: one.value });
    else out.push({ title: titleOf(line), why: whyNot(one?.reason) });
  }
  const reasons = await reasonsOf?.(kept.flatMap(({ line }) => line.locator ?? []));
  const body: PlanBody = {
    lines: kept.map(({ line }) => ({ ...line, ...omitUndefined({ reason: reasons?.get(line.locator ?? '') }) })),
    terms: kept.map(({ terms }) => terms),
    leftOut: out,
    notAsked: {},
  };
  const now = parts.runtime.clock.now();
  const { tenant, id: caller } = asker.caller;
  const plan = { id: newPlanId(), tenant, caller, createdAt: now, expiresAt: now + PLAN_MS, body };
  await storeOf(parts).put(plan);
  return viewOf({ plan, body, approvals: [], operations: new Map(), now, digestKey: parts.runtime.state.digestKey });
}

export function isOfCaller({ plan }: PlanFacts, { caller }: Pick<Asker, 'caller'>): boolean {
  return plan.tenant === caller.tenant && plan.caller === caller.id;
}

/** 72 random bits: `pl_` and twelve letters. */
function newPlanId(): string {
  return `pl_${randomBytes(9).toString('base64url')}`;
}

async function assertFewKept(parts: PlanParts, { caller }: Asker): Promise<void> {
  const { count, firstExpiresAt = 0 } = await storeOf(parts).kept(caller);
  if (count < PLANS.kept) return;
  const ms = firstExpiresAt + KEEP_NAMES_MS + CLEANED_MS - parts.runtime.clock.now();
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  throw shareUsedUp(
    `${count} plans of this caller are kept. Nothing was proposed or sent.`,
    `Call run_plan with a plan that was proposed before. The next one is erased in about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}; then call propose_plan again.`,
    minutes * MINUTE_MS,
  );
}

/** @throws any other error than a ClerkError */
export function whyNot(error: unknown): string {
  if (error instanceof ClerkError) return error.message;
  throw error;
}

function lineTerms(parts: PlanParts, asker: Asker, { steps }: PlanLine): Promise<StepTerms[]> {
  return inOrder(steps, (planned) => stepTerms(parts, asker, planned));
}

/** Within a line one after the other: the airline is read by several lines at once. */
export async function inOrder<T, R>(items: readonly T[], work: (item: T, i: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const [i, item] of items.entries()) results.push(await work(item, i));
  return results;
}

async function stepTerms(parts: PlanParts, asker: Asker, planned: PlanStep): Promise<StepTerms> {
  if (planned.bound !== undefined && planned.locatorOf !== undefined) {
    const { act, nature, sections, money } = planned.bound;
    assertFree(planned, { money });
    return { tool: planned.tool, act, nature, sections: shownSections(sections), ...(money && { money }) };
  }
  const { terms } = await previewOf(parts, asker, planned, planned.args);
  assertFree(planned, terms);
  return termsOfStep(planned.tool, terms);
}

/** @throws ClerkError where a rule forbids the act, or the tool is not offered */
export async function previewOf(
  parts: PlanParts,
  asker: Asker,
  { tool }: PlanStep,
  args: PlanStep['args'],
): Promise<{ readonly terms: Terms; readonly call: ActCall }> {
  const call = callOf(parts, tool, args, asker);
  if (call === undefined) throw notOffered(tool);
  return { terms: await withCaution(call, await call.act.preview()), call };
}

export function termsOfStep(
  tool: string,
  { act, nature, sections, about, money, estimate, booking }: Terms,
): StepTerms {
  const optional = { about, departs: nearOf({ booking }), money, estimate };
  return { tool, act, nature, sections: shownSections(sections), ...optional };
}
