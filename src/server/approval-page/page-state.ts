/**
 * What a page reads from the clerk's state: approvals, operations, and the clock by which they expire. Instances that
 * share a database share its clock.
 */
import type { Clock } from '../../journal/ports.ts';
import type { Clerk, ClerkLog } from '../clerk.ts';

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
    /** Milliseconds since 1970, from this machine until the state was first opened. */
    now: () => clock.now(),
    log: { failure: (fields: Parameters<ClerkLog['failure']>[0]) => clerk().options.log.failure(fields) },
  };
}
