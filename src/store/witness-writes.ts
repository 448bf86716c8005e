/**
 * What a store writes to the second place beside its commits.
 */
import { ClerkError } from '../errors.ts';
import type { Operation } from '../journal/operation.ts';
import type { Link, LostAct } from '../journal/ports.ts';
import type { Witness } from './witness.ts';

/** @throws ClerkError where it cannot be written: then nothing may be sent. */
export async function keepSent(witness: Witness, link: Link, sent: Operation): Promise<void> {
  try {
    await witness.keep({ ...link, sent });
  } catch (cause) {
    throw unkept(cause);
  }
}

/** The same for a store that waits for its disk anyway. */
export function keepSentNow(witness: Witness, link: Link, sent: Operation): void {
  try {
    witness.keepNow({ ...link, sent });
  } catch (cause) {
    throw unkept(cause);
  }
}

function unkept(cause: unknown): ClerkError {
  return new ClerkError('E_INTERNAL', 'The second record of the journal cannot be written. Nothing was sent.', {
    next: 'Tell the operator: the folder of second records (docs/operations.md, State) needs room and must be writable.',
    cause,
  });
}

export function noteEnd(witness: Witness | undefined, link: Link, end: NonNullable<LostAct['end']>): void {
  const { id, state, locator, outcome } = end;
  witness?.note({
    ...link,
    end: { id, state, ...(locator !== undefined && { locator }), ...(outcome && { outcome }) },
  });
}
