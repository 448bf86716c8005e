/**
 * Finds earlier creates of the same trip for the same travellers, so that no booking is made twice without a person's
 * yes. A create of another fare or price is no repeat, and needs a yes too.
 */
import { ClerkError } from '../core/errors.ts';
import { DAY_MS } from '../core/times.ts';
import { bookingState } from '../domain/booking/booking-state.ts';
import { sameOffer } from '../domain/facts/compare-hold-with-offer.ts';
import type { Acts } from '../journal/act.ts';
import { isActive, locatorOf, type Operation } from '../journal/operation.ts';
import type { Result } from './answer.ts';
import type { ActCall } from './consent-call.ts';
import { digest } from './digest.ts';
import { waitAndPresent } from './present-outcome.ts';
import type { Terms } from './terms.ts';

/** How old an earlier call may be that is looked for by its arguments, milliseconds. */
const REPEATED_WITHIN_MS = 30 * DAY_MS;

/** Presents an earlier create of the same flights for the same travellers that is open or still held. */
export async function presentRepeat(call: ActCall, terms: Terms): Promise<Result | undefined> {
  const earlier = await findEarlierCreate(call, terms);
  return earlier && presentIfOwnRepeat(call, earlier, terms.subject);
}

/**
 * Presents the create that the same call made before, if the preview failed because its offers have expired. The
 * flights are unknown then, but the arguments show that the call is the same.
 */
export async function presentRepeatWithoutOffers(call: ActCall, failed: unknown): Promise<Result | undefined> {
  const { act, asker, runtime } = call;
  const isCreate = runtime.acts.named(act.tool)?.countedAs === 'hold';
  if (!isCreate || !(failed instanceof ClerkError) || failed.code !== 'E_OFFER_EXPIRED') return undefined;

  const { tenant, id: caller } = asker.caller;
  const { operations, digestKey } = runtime.state;
  const from = runtime.clock.now() - REPEATED_WITHIN_MS;
  const sameCall = { tenant, caller, tool: act.tool, argsDigest: digest(digestKey, act.args), from };
  const earlier = await operations.list(sameCall);
  for (const operation of earlier) {
    if (await mayExist(call, operation)) return waitAndPresent(call, undefined, operation);
  }

  return undefined;
}

/** Presents the earlier create. Throws E_ALREADY_DONE where it is no repeat, or another caller made it. */
export async function presentIfOwnRepeat(
  call: ActCall,
  earlier: Operation,
  subject: Operation['subject'],
): Promise<Result> {
  assertIsOwnRepeat(call, earlier, subject);
  return waitAndPresent(call, undefined, earlier);
}

/** Throws E_ALREADY_DONE where the earlier create is no repeat, or another caller made it. */
function assertIsOwnRepeat(call: ActCall, earlier: Operation, subject: Operation['subject']): void {
  if (isForeign(call, earlier)) throw madeByAnother();
  if (isOfAnotherOffer(call.runtime.acts, earlier, subject)) throw heldInAnotherOffer(earlier);
}

/** Throws if the same create was entered and settled after this call looked for earlier ones. */
export async function assertNotMadeMeanwhile(call: ActCall, terms: Terms, operationId: string): Promise<void> {
  const earlier = await findEarlierCreate(call, terms, operationId);
  if (earlier === undefined) return;
  assertIsOwnRepeat(call, earlier, terms.subject);
  const where = earlier.outcome?.locator === undefined ? '' : ` (${earlier.outcome.locator})`;
  throw new ClerkError('E_ALREADY_DONE', `The same booking was made a moment ago${where}. Nothing was sent now.`, {
    next: 'Call create_booking again with the same arguments to see it.',
  });
}

// How an earlier create is found, and what is known of it.

/**
 * Finds the create that made, or may have made, the same booking, unless these terms were approved to come after it.
 * Of several, returns the first of these, and of each kind the newest:
 *
 * 1. one of the same fare and price, because only that one is repeated: a person may have approved two fares;
 * 2. one of another fare or price.
 */
async function findEarlierCreate(call: ActCall, terms: Terms, askedId?: string): Promise<Operation | undefined> {
  if (terms.fingerprint === undefined) return undefined;

  const { acts, state } = call.runtime;
  let inAnotherOffer: Operation | undefined;

  // Newest first.
  for (const earlier of await state.operations.byFingerprint(call.asker.caller.tenant, terms.fingerprint, askedId)) {
    // A person approved another booking after this one, and so after all earlier ones.
    if (earlier.id === terms.supersedes) break;
    if (!isOfAnotherOffer(acts, earlier, terms.subject)) {
      if (await mayExist(call, earlier)) return earlier;
    } else if (inAnotherOffer === undefined && (await mayExist(call, earlier))) {
      inAnotherOffer = earlier;
    }
  }

  return inAnotherOffer;
}

/** Whether the booking of a create may exist now. Of one that is open, or that a person closed, nobody knows. */
async function mayExist(call: ActCall, operation: Operation): Promise<boolean> {
  if (operation.state === 'refused' || operation.state === 'not_executed') return false;
  return operation.state !== 'succeeded' || (await isStillHeld(call, operation));
}

/** Whether the booking of a create that succeeded is neither cancelled nor lapsed. */
async function isStillHeld(call: ActCall, operation: Operation): Promise<boolean> {
  const { journal, clock } = call.runtime;
  const locator = locatorOf(operation);
  if (locator === undefined) return true;

  try {
    // Reads with the access of the caller who made it, because this caller may have none.
    const booking = await journal.bookingOf(operation, locator);
    const { state } = bookingState(booking, clock.now());
    if (state === 'unknown') return !(await wasReleased(call, operation, locator));
    return state !== 'cancelled' && state !== 'expired';
  } catch (error) {
    if (error instanceof ClerkError && error.code === 'E_NOT_FOUND') return !error.noSuchBooking;
    throw error;
  }
}

/** Whether the journal shows that the hold was released here. Some airlines show nothing of a released hold. */
async function wasReleased({ runtime }: ActCall, { tenant, createdAt }: Operation, locator: string): Promise<boolean> {
  const done = await runtime.state.operations.list({ tenant, locator, states: ['succeeded'], from: createdAt });
  return done.some(({ tool }) => runtime.acts.named(tool)?.countedAs === 'release');
}

/** Whether an earlier create was of another fare or price. One whose offer is unknown counts as the same. */
function isOfAnotherOffer(acts: Acts, earlier: Operation, subject: Operation['subject']): boolean {
  const earlierOffer = acts.of(earlier.subject).offer?.(earlier.subject);
  const wantedOffer = acts.of(subject).offer?.(subject);
  return earlierOffer !== undefined && wantedOffer !== undefined && !sameOffer(earlierOffer, wantedOffer);
}

function isForeign({ asker }: ActCall, { tenant, caller }: Operation): boolean {
  return tenant !== asker.caller.tenant || caller !== asker.caller.id;
}

// How a call is refused because of an earlier create.

function madeByAnother(): ClerkError {
  return new ClerkError(
    'E_ALREADY_DONE',
    'These flights are booked, or being booked, for the same travellers by another user of this desk. Nothing was sent.',
    { next: 'Ask at the desk who made it; with its locator and a surname read_booking shows it.' },
  );
}

/** Names the earlier booking, and how to hold the other one. */
function heldInAnotherOffer(earlier: Operation): ClerkError {
  const locator = locatorOf(earlier);
  const toHaveBoth = `pass again_after: "${earlier.id}" to have both`;
  if (isActive(earlier.state) || locator === undefined) {
    const message =
      'The same trip in another fare or at another price is being booked, and the outcome is not known yet. Nothing was sent.';
    return refused(message, `Wait and call create_booking again, or ${toHaveBoth}.`);
  }

  return refused(
    `You already have ${locator} for this trip, in another fare or at another price. Nothing was sent.`,
    `Ask the person: cancel ${locator} with cancel_booking (quote_cancellation says what comes back) and call create_booking again, or ${toHaveBoth}.`,
  );
}

function refused(message: string, next: string): ClerkError {
  return new ClerkError('E_ALREADY_DONE', message, { next });
}
