/** Marks failures before anything was sent (a full disk, a locked file) as such. */
import { ClerkError, isOwnFailure } from '../core/errors.ts';
import { storeUnsent } from '../journal/outcome.ts';
import type { ConsentCall } from './call-types.ts';

/** A mistake in this program, before anything was sent. */
export class UnsentMistake extends Error {}

/** What the work throws has `effect: none` where nothing can have been sent. */
export async function markingUnsent<T>(
  call: Pick<ConsentCall, 'runtime' | 'trail'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOurs = !(error instanceof ClerkError) || (isOwnFailure(error) && error.effect === 'unknown');
    if (!isOurs || !(await isUnsent(call))) throw error;
    throw error instanceof ClerkError ? storeUnsent(error) : new UnsentMistake('unsent', { cause: error });
  }
}

/** This call sent nothing, and, where it brought an approval, the journal knows of no other call that did. */
async function isUnsent({ runtime, trail }: Pick<ConsentCall, 'runtime' | 'trail'>): Promise<boolean> {
  const { ran, operationId, isNew } = trail;
  if (ran === true) return false;
  if (operationId === undefined) return isNew === true;
  return runtime.state.operations.get(operationId).then(
    (operation) => operation === undefined,
    () => isNew === true,
  );
}
