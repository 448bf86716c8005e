/** What the modules of plans share: the runtime, the settings, and the tools that a step may use. */

import type { ActCall, ApprovalRuntime, ApprovalSettings, Asker, BoundAct } from '../approvals/call-types.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Leases } from '../journal/ports.ts';
import type { PlanStore } from './ports.ts';

/** What one process needs to carry out plans. */
interface PlanWork {
  readonly leases: Leases;
  /** Unique id of this process. */
  readonly owner: string;
  /** Plans that this process carries out now, by id. */
  readonly running: Map<string, Promise<void>>;
  /** Aborts when this process ends: the act that is being sent is finished, and no other begins. */
  readonly ending: AbortSignal;
}

export interface PlanRuntime extends ApprovalRuntime {
  readonly state: ApprovalRuntime['state'] & {
    /** Absent: there are no plans. */
    readonly plans?: PlanStore;
  };
  /** Absent: this process carries out no plans. */
  readonly plans?: PlanWork;
}

export interface PlanParts {
  readonly runtime: PlanRuntime;
  readonly settings: ApprovalSettings;
  /** The same for a caller with a point of sale of their own. */
  of?(caller: Caller): PlanParts;
  /** Undefined for a tool that is not offered here. */
  actOf(tool: string, args: Readonly<Record<string, unknown>>, asker: Asker): BoundAct | undefined;
  /** Works on many, a few at a time, in their order. A failure does not stop the others. */
  each<T, R>(
    items: readonly T[],
    done: (count: number) => void,
    work: (item: T) => Promise<R>,
  ): Promise<readonly PromiseSettledResult<R>[]>;
  /** A failure of this program or the store; the plan goes on later. */
  failed?(error: unknown): void;
}

/** A call of one act of a plan; undefined for a tool that is not offered here. */
export function callOf(
  { runtime, settings, actOf }: PlanParts,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  asker: Asker,
): ActCall | undefined {
  const act = actOf(tool, args, asker);
  return act && { act, asker, runtime, settings, trail: {} };
}

/** @throws RangeError for a part of a plan that is missing */
export function mustHave<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new RangeError(`there is no ${what}`);
  return value;
}

export function itemAt<T>(list: readonly T[], index: number): T {
  return mustHave(list[index], 'such place in the plan');
}

export function storeOf({ runtime }: Pick<PlanParts, 'runtime'>): PlanStore {
  return mustHave(runtime.state.plans, 'store of plans');
}

export function workOf({ runtime }: Pick<PlanParts, 'runtime'>): PlanWork {
  return mustHave(runtime.plans, 'process for plans');
}
