/** Reads what a page shows from the clerk: approvals, operations and plans. */
import type { Clerk, ClerkLog } from '../../clerk/clerk.ts';
import type { Clock } from '../../journal/ports.ts';
import type { PlanView } from '../../plans/plan.ts';

/** A plan as the state has it at the moment. */
export interface CurrentPlan {
  readonly view: PlanView;
  /** Operation id of the question that was asked last. */
  readonly question?: string | undefined;
}

export type PageState = ReturnType<typeof pageState>;

/** Reads the state, with the clock by which approvals expire: instances that share a database share its clock. */
export function pageState(clerk: Clerk) {
  let clock: Pick<Clock, 'now'> = Date;
  const state = async () => {
    const runtime = await clerk.runtime();
    clock = runtime.clock;
    return runtime.state;
  };

  return {
    state,
    /** Finds the approval by its operation id, which is in the page's address. */
    find: async (operationId: string) => (await state()).approvals.byOperation(operationId),
    operation: async (operationId: string) => (await state()).operations.get(operationId),

    /** Reads a plan by its id. Undefined if the state no longer has it. */
    async plan(id: string): Promise<CurrentPlan | undefined> {
      const view = await clerk.plan(id);
      if (view === undefined) return undefined;
      return { view, question: (await (await state()).plans?.get(id))?.question };
    },

    /** Stops a plan: none of its lines begins any more. */
    async stopPlan(id: string): Promise<void> {
      await clerk.stopPlan(id);
    },

    /** Milliseconds since 1970, from this machine until the state was first opened. */
    now: () => clock.now(),
    log: { failure: (fields: Parameters<ClerkLog['failure']>[0]) => clerk.options.log.failure(fields) },
  };
}
