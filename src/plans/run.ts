/**
 * Carries out the approved steps of a plan one after the other, under a lease: one process at a time, and any other goes
 * on if that one dies. What was sent is known from the journal alone.
 */

import { assertMaySend, withCaution } from '../approvals/before-asking.ts';
import { askFor } from '../approvals/request.ts';
import { ClerkError } from '../core/errors.ts';
import type { Operation } from '../journal/operation.ts';
import { onceHeld } from '../journal/while-held.ts';
import { callOf, itemAt, mustHave, type PlanParts, storeOf, workOf } from './parts.ts';
import { PLAN_YES_MS } from './plan.ts';
import type { PlanBody } from './ports.ts';
import { nextOf, type PlanFacts, type StepNow, stepsNow } from './status.ts';
import { carryOutStep, notOffered, whyOf } from './step.ts';
import { loadPlan } from './view.ts';

/** How long a silent process is believed to be at work, and how long one waits for an act before it looks again. */
const LEASE_MS = 15_000;
const LOOK_MS = 5_000;
/** Between two looks for plans that another process left. */
const TEND_MS = 5_000;

/** Runs the plan in this process, unless it or another does. Never rejects. */
export function runPlan(parts: PlanParts, id: string): Promise<void> {
  const { running, ending } = workOf(parts);
  const known = running.get(id);
  if (known !== undefined) return known;
  if (ending.aborted) return Promise.resolve();
  const work = underLease(parts, id)
    .catch((error: unknown) => parts.failed?.(error))
    .finally(() => running.delete(id));
  running.set(id, work);
  return work;
}

/** Goes on with what other processes left, until this one ends. Never rejects. */
export async function resumePlans(parts: PlanParts): Promise<void> {
  const { ending } = workOf(parts);
  const { clock } = parts.runtime;
  while (!ending.aborted) {
    try {
      for (const { id } of await storeOf(parts).unfinished(clock.now() - PLAN_YES_MS)) void runPlan(parts, id);
    } catch (error) {
      parts.failed?.(error);
    }
    await clock.sleep(TEND_MS, ending);
  }
}

async function underLease(parts: PlanParts, id: string): Promise<void> {
  const { leases, owner, ending } = workOf(parts);
  const { clock } = parts.runtime;
  const held = { leases, owner, clock, name: `plan:${id}`, leaseMs: LEASE_MS };
  await onceHeld(held, ending, (signal) => goOn(parts, id, signal));
}

async function goOn(shared: PlanParts, id: string, ending: AbortSignal): Promise<void> {
  const { tenant, caller } = mustHave(await storeOf(shared).get(id), `plan ${id}`);
  const parts = shared.of?.({ tenant, id: caller }) ?? shared;
  const ended = new Map<string, Operation>();
  let last = '';
  while (!ending.aborted) {
    const facts = mustHave(await loadPlan(parts.runtime, id, ended), `plan ${id}`);
    const all = stepsNow(facts);
    const next = nextOf(facts, all);
    if (next.kind === 'end') return await keepSkipped(parts, facts);
    if (next.kind === 'follow') {
      await parts.runtime.journal.follow(next.operationId, LOOK_MS, ending);
      continue;
    }
    const { line, step } = next;
    const place = `${next.kind} ${line} ${step}`;
    // The last try left no trace, and at once again this would never end: left for later, or for another process.
    if (place === last) return;
    last = place;
    const steps = itemAt(all, line);
    if (next.kind === 'ask_again') await askAgainAlone(parts, itemAt(steps, step), facts.body);
    else if (await maySend(parts, id)) await carryOutStep(parts, { facts, steps, step });
    else return;
  }
}

/** A pause of the operator stops the plan. */
async function maySend(parts: PlanParts, id: string): Promise<boolean> {
  const { clock } = parts.runtime;
  try {
    await assertMaySend(parts);
    return true;
  } catch (error) {
    if (!(error instanceof ClerkError) || error.code !== 'E_NOT_PERMITTED') throw error;
    await storeOf(parts).stop(id, clock.now());
    return false;
  }
}

/** Writes down what will not be sent any more because of another step. */
async function keepSkipped({ runtime }: PlanParts, facts: PlanFacts): Promise<void> {
  for (const { state, why, approval, operation } of stepsNow(facts).flat()) {
    if (state !== 'skipped' || operation !== undefined || approval?.decision !== 'granted') continue;
    await runtime.state.approvals.skip(approval.handleHash, String(why));
  }
}

/** Asks about one step by itself. Where nobody can be asked about it now, keeps why. */
async function askAgainAlone(parts: PlanParts, { approval, planned }: StepNow, body: PlanBody): Promise<void> {
  const { runtime, settings } = parts;
  const { part, tool, tenant, caller: id } = mustHave(approval, 'approval of this step');
  const caller = { tenant, id };
  const { args } = planned;
  const ask = { caller, tool, args, operationId: runtime.random.uuid(), now: runtime.clock.now() };
  const alone = { part: { ...part, alone: true as const } };
  try {
    const call = callOf(parts, tool, args, { caller });
    if (call === undefined) throw notOffered(tool);
    const terms = await withCaution(call, await call.act.previewAgain());
    const asked = await askFor(runtime.state, { ...ask, terms, askedBy: 'page' }, alone);
    await settings.page?.open(asked.approval, false);
  } catch (error) {
    if (!(error instanceof ClerkError)) throw error;
    const { act, nature, sections } = itemAt(itemAt(body.terms, part.line - 1), part.step);
    const terms = { act, nature, sections: [], ask: false, subject: { kind: tool }, send: undefined };
    const decided = { decision: 'void' as const, decidedAt: ask.now, why: whyOf(error, { sections }) };
    await askFor(runtime.state, { ...ask, terms, askedBy: 'page' }, { ...alone, ...decided, carried: undefined });
  }
}
