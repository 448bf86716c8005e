/** Marks failures before anything was sent (a full disk, a locked file) as such. */
import { ClerkError } from '../core/errors.ts';
import { storeUnsent } from '../journal/outcome.ts';
import type { ConsentCall, Trail } from './call-types.ts';

/** A mistake in this program, before anything was sent. */
export class UnsentMistake extends Error {}

/** Runs a call with a trail. What it throws has `effect: none` where nothing can have been sent. */
export async function markingUnsent<C extends Omit<ConsentCall, 'trail'>, T>(
  call: C,
  trail: Trail,
  work: (call: C & Pick<ConsentCall, 'trail'>) => Promise<T>,
): Promise<T> {
  try {
    return await work({ ...call, trail });
  } catch (error) {
    const own = !(error instanceof ClerkError) || (error.code === 'E_INTERNAL' && error.effect === 'unknown');
    if (!own || !(await isUnsent(call, trail))) throw error;
    throw error instanceof ClerkError ? storeUnsent(error) : new UnsentMistake('unsent', { cause: error });
  }
}

/** This call sent nothing, and, where it brought an approval, the journal knows of no other call that did. */
async function isUnsent(
  { runtime }: Pick<ConsentCall, 'runtime'>,
  { ran, operationId, isNew }: Trail,
): Promise<boolean> {
  if (ran === true) return false;
  if (operationId === undefined) return isNew === true;
  return runtime.state.operations.get(operationId).then(
    (operation) => operation === undefined,
    () => isNew === true,
  );
}
