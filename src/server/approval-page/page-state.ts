/**
 * What a page reads from the clerk's state: approvals, operations, and the clock by which they expire. Instances that
 * share a database share its clock.
 */

import type { Clock } from '../../journal/ports.ts';
import { releaseWords } from '../../plans/plan-words.ts';
import type { Clerk, ClerkLog } from '../clerk.ts';
import type { PlanNow } from './plan-page.ts';

export function pageState(clerk: () => Clerk) {
  let clock: Pick<Clock, 'now'> = Date;
  const state = async () => {
    const runtime = await clerk().parts();
    clock = runtime.clock;
    return runtime.state;
  };
  return {
    state,
    find: async (operationId: string) => (await state()).approvals.byOperation(operationId),
    operation: async (operationId: string) => (await state()).operations.get(operationId),
    async plan(id: string): Promise<PlanNow | undefined> {
      const view = await clerk().plan(id);
      if (view === undefined) return undefined;
      const { question, body } = (await (await state()).plans?.get(id)) ?? {};
      return { view, question, releases: releaseWords(body?.lines ?? []) };
    },
    async stopPlan(id: string): Promise<void> {
      await clerk().stopPlan(id);
    },
    /** Milliseconds since 1970, from this machine until the state was first opened. */
    now: () => clock.now(),
    log: { failure: (fields: Parameters<ClerkLog['failure']>[0]) => clerk().options.log.failure(fields) },
  };
}
