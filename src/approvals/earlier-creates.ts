/** Earlier creates of the same trip for the same travellers. None is made again without a person's yes. */

import { ClerkError } from '../core/errors.ts';
import { bookingState } from '../domain/booking/booking-state.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import type { Result } from './answer.ts';
import type { GuardedCall } from './call-types.ts';
import { heldInAnotherOffer, isOfAnotherOffer } from './other-offer.ts';
import { waitAndPresent } from './present.ts';
import type { Terms } from './terms.ts';

/** Presents an earlier create of the same flights for the same travellers that is open or still held. */
export async function repeatOfCreate(call: GuardedCall, terms: Terms): Promise<Result | undefined> {
  const earlier = await earlierCreate(call, terms);
  return earlier && followEarlier(call, earlier, terms.subject);
}

/** Presents the earlier create. Throws E_ALREADY_DONE where it is no repeat, or another caller made it. */
export async function followEarlier(
  call: GuardedCall,
  earlier: Operation,
  subject: Operation['subject'],
): Promise<Result> {
  await assertRepeat(call, earlier, subject);
  return waitAndPresent(call, undefined, earlier);
}

async function assertRepeat(call: GuardedCall, earlier: Operation, subject: Operation['subject']): Promise<void> {
  if (isForeign(call, earlier)) throw madeByAnother();
  if (isCalledDuplicate(earlier)) throw heldByAirline(earlier);
  if (isOfAnotherOffer(call.runtime.acts, earlier, subject)) throw await heldInAnotherOffer(call, earlier);
}

/** Throws where the same create was entered and settled between this call's look and its own entry. */
export async function assertNoEarlier(call: GuardedCall, terms: Terms, operationId: string): Promise<void> {
  const earlier = await earlierCreate(call, terms, operationId);
  if (earlier === undefined) return;
  await assertRepeat(call, earlier, terms.subject);
  const where = earlier.outcome?.locator === undefined ? '' : ` (${earlier.outcome.locator})`;
  throw new ClerkError('E_ALREADY_DONE', `The same booking was made a moment ago${where}. Nothing was sent now.`, {
    next: 'Call create_booking again with the same arguments to see it.',
  });
}

function isForeign({ how }: GuardedCall, { tenant, caller }: Operation): boolean {
  return tenant !== how.caller.tenant || caller !== how.caller.id;
}

function madeByAnother(): ClerkError {
  return new ClerkError(
    'E_ALREADY_DONE',
    'These flights are booked, or being booked, for the same travellers by somebody else of this desk. Nothing was sent.',
    { next: 'Ask at the desk who made it; with its locator and a surname read_booking shows it.' },
  );
}

/**
 * The airline refused this create because it has such a booking. The booking must then be looked for: the create is never
 * sent again (docs/wire/notes.md, Errors).
 */
function isCalledDuplicate({ state, outcome }: Operation): boolean {
  return state === 'refused' && outcome?.error?.code === 'E_ALREADY_DONE';
}

function heldByAirline({ id, outcome }: Operation): ClerkError {
  const airline = outcome?.error?.airline;
  return new ClerkError(
    'E_ALREADY_DONE',
    'The airline refused this booking before: it says that it holds such a booking already. Nothing was sent.',
    {
      next: `Call list_bookings to find it, or ask the airline. Only if the person wants another booking, pass again_after: "${id}".`,
      ...(airline && { airline }),
    },
  );
}

/** The create that made, or may have made, the same booking, unless these terms were approved to come after it. */
async function earlierCreate(call: GuardedCall, terms: Terms, ownId?: string): Promise<Operation | undefined> {
  if (terms.fingerprint === undefined) return undefined;
  const { operations } = call.runtime.state;
  let other: Operation | undefined;
  let duplicate: Operation | undefined;
  for (const known of await operations.byFingerprint(call.how.caller.tenant, terms.fingerprint, ownId)) {
    // A person approved another booking after this one, and so after all earlier ones.
    if (known.id === terms.supersedes) break;
    // A booking in the journal proves more than the airline's claim of a duplicate.
    if (isCalledDuplicate(known)) duplicate ??= known;
    const another = isOfAnotherOffer(call.runtime.acts, known, terms.subject);
    if ((another && other !== undefined) || !(await mayExist(call, known))) continue;
    // A person may have approved two fares. Only a create with the same fare repeats this one.
    if (!another) return known;
    other = known;
  }
  return other ?? duplicate;
}

async function mayExist(call: GuardedCall, operation: Operation): Promise<boolean> {
  if (operation.state === 'refused' || operation.state === 'not_executed') return false;
  return operation.state !== 'succeeded' || (await stillHeld(call, operation));
}

async function stillHeld(call: GuardedCall, operation: Operation): Promise<boolean> {
  const { journal, clock } = call.runtime;
  const locator = locatorOf(operation);
  if (locator === undefined) return true;
  try {
    // Read with the access of the caller who made it: this one may have none.
    const booking = await journal.bookingOf(operation, locator);
    const { state } = bookingState(booking, clock.now());
    if (state === 'unknown') return !(await wasReleased(call, operation, locator));
    return state !== 'cancelled' && state !== 'expired';
  } catch (error) {
    if (error instanceof ClerkError && error.code === 'E_NOT_FOUND') return !error.noSuchBooking;
    throw error;
  }
}

/** Some airlines show nothing of a released hold. The journal knows that it was released here. */
async function wasReleased(
  { runtime }: GuardedCall,
  { tenant, createdAt }: Operation,
  locator: string,
): Promise<boolean> {
  const done = await runtime.state.operations.list({ tenant, locator, states: ['succeeded'], from: createdAt });
  return done.some(({ tool }) => runtime.acts.named(tool)?.countedAs === 'release');
}
