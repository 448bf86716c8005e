/** Finds what a planner has for a plan: the call of a step, the store, and the process that carries plans out. Throws if it is missing. */

import type { ActCall, Asker } from '../approvals/consent-call.ts';
import { notSent } from '../core/errors.ts';
import type { PlanStep } from './plan.ts';
import type { Planner, PlanStore, PlanWork } from './ports.ts';

/** A call of one act of a plan. @throws ClerkError if the caller has no such tool */
export function stepCall(
  { runtime, settings, actOf }: Planner,
  { tool, args, pointed }: Pick<PlanStep, 'tool' | 'args' | 'pointed'>,
  asker: Asker,
): ActCall {
  const act = actOf(tool, args, asker);
  if (act === undefined) throw notSent('E_CONFIG', `${tool} is not offered by this server.`, 'Ask the operator.');
  return { act, pointed, asker, runtime, settings, trail: {}, isDecidedOutside: true };
}

/** @throws RangeError for a part of a plan that is missing */
export function mustHave<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new RangeError(`there is no ${what}`);
  return value;
}

export function itemAt<T>(list: readonly T[], index: number): T {
  return mustHave(list[index], 'such place in the plan');
}

export function planStore({ runtime }: Pick<Planner, 'runtime'>): PlanStore {
  return mustHave(runtime.state.plans, 'store of plans');
}

export function planWork({ runtime }: Pick<Planner, 'runtime'>): PlanWork {
  return mustHave(runtime.plans, 'process for plans');
}
