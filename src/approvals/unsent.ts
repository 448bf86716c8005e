/**
 * A failure before anything was sent is told as one: a disk that is full, a file that another program holds.
 */
import { ClerkError } from '../errors.ts';
import { storeUnsent } from '../journal/outcome.ts';
import type { GuardedCall, Trail } from '../server/context.ts';

/** A mistake of ours, before anything was sent. */
export class UnsentMistake extends Error {}

/** Runs a call and keeps its trail; what it throws says `effect: none` where nothing can have been sent. */
export async function tellingUnsent<T>(
  call: Omit<GuardedCall, 'trail'>,
  trail: Trail,
  work: (call: GuardedCall) => Promise<T>,
): Promise<T> {
  try {
    return await work({ ...call, trail });
  } catch (error) {
    const own = !(error instanceof ClerkError) || (error.code === 'E_INTERNAL' && error.effect === 'unknown');
    if (!own || !(await isUnsent(call, trail))) throw error;
    throw error instanceof ClerkError ? storeUnsent(error) : new UnsentMistake('unsent', { cause: error });
  }
}

/** This call sent nothing; and where it came back with a yes, the journal knows of no other that did. */
async function isUnsent({ parts }: Omit<GuardedCall, 'trail'>, { ran, operationId, isNew }: Trail): Promise<boolean> {
  if (ran === true) return false;
  if (operationId === undefined) return isNew === true;
  return parts.state.operations.get(operationId).then(
    (operation) => operation === undefined,
    () => isNew === true,
  );
}
