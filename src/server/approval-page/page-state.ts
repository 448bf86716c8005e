/**
 * What a page looks up of a clerk: questions and operations in its state, and the time by which those lapse, which is the
 * clock of that state: a database's, where instances share one.
 */
import type { Clock } from '../../journal/ports.ts';
import type { Clerk } from '../clerk.ts';

export function clerkState(clerk: () => Clerk) {
  let clock: Pick<Clock, 'now'> = Date;
  const state = async () => {
    const parts = await clerk().parts();
    clock = parts.clock;
    return parts.state;
  };
  return {
    state,
    find: async (operationId: string) => (await state()).approvals.byOperation(operationId),
    operation: async (operationId: string) => (await state()).operations.get(operationId),
    /** Milliseconds since 1970; this machine's until the state was first asked for. */
    now: () => clock.now(),
  };
}
