/**
 * Earlier creates of the same trip for the same travellers. Nothing is made a second time without a person's yes.
 */
import { bookingState } from '../domain/booking/booking-state.ts';
import { ClerkError } from '../errors.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import type { Answer } from '../server/answer.ts';
import type { GuardedCall } from '../server/context.ts';
import { heldInAnotherOffer, isOfAnotherOffer } from './other-offer.ts';
import { follow } from './present.ts';
import type { Terms } from './terms.ts';

/** A create of the same flights for the same travellers that is in flight, unknown or held is answered, not repeated. */
export async function repeatOfCreate(call: GuardedCall, terms: Terms): Promise<Answer | undefined> {
  const twin = await twinOf(call, terms);
  return twin && followTwin(call, twin, terms.subject);
}

/** Answers with the earlier create. Throws E_ALREADY_DONE where it is no repeat, or not this caller's to see. */
export async function followTwin(call: GuardedCall, twin: Operation, subject: Operation['subject']): Promise<Answer> {
  await assertRepeat(call, twin, subject);
  return follow(call, undefined, undefined, twin);
}

async function assertRepeat(call: GuardedCall, twin: Operation, subject: Operation['subject']): Promise<void> {
  if (isForeign(call, twin)) throw madeByAnother();
  if (isCalledDuplicate(twin)) throw heldByAirline(twin);
  if (isOfAnotherOffer(twin, subject)) throw await heldInAnotherOffer(call, twin);
}

/** Throws where the same create was entered and settled between this call's look and its own entry. */
export async function assertNoTwin(call: GuardedCall, terms: Terms, operationId: string): Promise<void> {
  const twin = await twinOf(call, terms, operationId);
  if (twin === undefined) return;
  await assertRepeat(call, twin, terms.subject);
  const where = twin.outcome?.locator === undefined ? '' : ` (${twin.outcome.locator})`;
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
 * The airline refused this create because it holds such a booking. After that the booking is looked for, and the create
 * is never sent again (docs/wire/notes.md, Errors).
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

/** The create that made, or may have made, the same booking, and which these terms were not approved to come after. */
async function twinOf(call: GuardedCall, terms: Terms, ownId?: string): Promise<Operation | undefined> {
  if (terms.fingerprint === undefined) return undefined;
  const { operations } = call.parts.state;
  let other: Operation | undefined;
  let duplicate: Operation | undefined;
  for (const known of await operations.byFingerprint(call.how.caller.tenant, terms.fingerprint, ownId)) {
    // Another one after this, and so after those before it, is what was approved.
    if (known.id === terms.supersedes) break;
    // A booking that this journal knows tells more than the airline's word that there is one.
    if (isCalledDuplicate(known)) duplicate ??= known;
    const another = isOfAnotherOffer(known, terms.subject);
    if ((another && other !== undefined) || !(await mayStand(call, known))) continue;
    // Two fares may be held by approval: the same one is the repeat.
    if (!another) return known;
    other = known;
  }
  return other ?? duplicate;
}

/** A newer one that came to nothing says nothing of the older ones. */
async function mayStand(call: GuardedCall, operation: Operation): Promise<boolean> {
  if (operation.state === 'refused' || operation.state === 'not_executed') return false;
  return operation.state !== 'succeeded' || (await stillHeld(call, operation));
}

async function stillHeld(call: GuardedCall, operation: Operation): Promise<boolean> {
  const locator = locatorOf(operation);
  if (locator === undefined) return true;
  try {
    // Not as this caller reaches it: out of reach, it may be held all the same.
    const booking = await call.parts.journal.bookingOf(operation, locator);
    const { state } = bookingState(booking, call.context.now());
    if (state === 'unknown') return !(await wasReleased(call, operation, locator));
    return state !== 'cancelled' && state !== 'expired';
  } catch (error) {
    if (error instanceof ClerkError && error.code === 'E_NOT_FOUND') return !error.noSuchBooking;
    throw error;
  }
}

/** Some airlines show nothing of a released hold: the journal knows that it was released here. */
async function wasReleased(
  { parts }: GuardedCall,
  { tenant, createdAt }: Operation,
  locator: string,
): Promise<boolean> {
  const later = { tenant, locator, states: ['succeeded'], from: createdAt } as const;
  const done = await parts.state.operations.list(later);
  return done.some(({ tool }) => tool === 'cancel_booking');
}
