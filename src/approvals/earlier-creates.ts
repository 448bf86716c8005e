/**
 * Finds earlier creates of the same trip for the same travellers, so that no booking is made twice without a person's
 * yes. A create of another fare or price is no repeat, and needs a yes too. Two people of one name are two people:
 * domain/booking/same-people.ts tells them apart, and the result names the booking of the other one.
 */
import { ClerkError } from '../core/errors.ts';
import { DAY_MS } from '../core/times.ts';
import { isNamedOtherwise } from '../domain/booking/same-people.ts';
import { sameOffer } from '../domain/facts/compare-hold-with-offer.ts';
import type { Acts } from '../journal/act.ts';
import type { Operation } from '../journal/operation.ts';
import type { Result } from './answer.ts';
import type { ActCall } from './consent-call.ts';
import { digest } from './digest.ts';
import {
  bookedByAnother,
  bookedUnderOtherDetails,
  bookedWithOthers,
  type EarlierCreate,
  heldInAnotherOffer,
  sameNameOtherDocument,
} from './earlier-create-words.ts';
import { waitAndPresent } from './present-outcome.ts';
import { compareWithEarlier, isForeign, mayExist, mayRead } from './same-trip.ts';
import type { Terms } from './terms.ts';

/** How old an earlier call may be that is looked for by its arguments, milliseconds. */
const REPEATED_WITHIN_MS = 30 * DAY_MS;

/** Presents an earlier create of the same flights for the same travellers that is open or still held. */
export async function presentRepeat(call: ActCall, terms: Terms): Promise<Result | undefined> {
  const earlier = await findEarlierCreate(call, terms);
  if (earlier === undefined) return undefined;
  await assertIsOwnRepeat(call, earlier);
  return waitAndPresent(call, undefined, earlier.operation);
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

/**
 * Presents the create that kept this one out of the journal: it is open, and has the same fingerprint, so its travellers are the same.
 * Throws E_ALREADY_DONE where it is of another offer, or another caller made it.
 */
export async function presentIfOwnRepeat(
  call: ActCall,
  earlier: Operation,
  subject: Operation['subject'],
): Promise<Result> {
  const isOtherOffer = isOfAnotherOffer(call.runtime.acts, earlier, subject);
  await assertIsOwnRepeat(call, { operation: earlier, people: { kind: 'same', pairs: [] }, isOtherOffer });
  return waitAndPresent(call, undefined, earlier);
}

/**
 * Throws E_ALREADY_DONE where the earlier create is no repeat, or another caller made it. Says what differs only to a caller who may read
 * that booking.
 */
async function assertIsOwnRepeat(call: ActCall, earlier: EarlierCreate): Promise<void> {
  const { operation, people, isOtherOffer } = earlier;
  const { kind } = people;
  const isOtherwise = people.pairs.some(isNamedOtherwise);

  const isRepeatOfAnother = isForeign(call, operation) && kind === 'same' && !isOtherwise;
  const mayLearn = !isForeign(call, operation) || (await mayRead(call, operation));
  if (isRepeatOfAnother || !mayLearn) throw bookedByAnother(kind);

  if (kind === 'partly') throw bookedWithOthers(earlier);
  if (kind === 'unsure') throw sameNameOtherDocument(earlier);
  if (isOtherwise) throw bookedUnderOtherDetails(earlier);
  if (isOtherOffer) throw heldInAnotherOffer(call, earlier);
}

/** Throws if the same create was entered and settled after this call looked for earlier ones. */
export async function assertNotMadeMeanwhile(call: ActCall, terms: Terms, operationId: string): Promise<void> {
  const earlier = await findEarlierCreate(call, terms, operationId);
  if (earlier === undefined) return;

  await assertIsOwnRepeat(call, earlier);
  const { locator } = earlier.operation.outcome ?? {};
  const where = locator === undefined ? '' : ` (${locator})`;
  throw new ClerkError('E_ALREADY_DONE', `The same booking was made a moment ago${where}. Nothing was sent now.`, {
    next: 'Call create_booking again with the same arguments to see it.',
  });
}

/**
 * Finds the create that made, or may have made, a booking for the same people, unless these terms were approved to come after it.
 * Of several, returns the first of these, and of each kind the newest:
 *
 * 1. one of the same fare and price, because only that one is repeated: a person may have approved two fares;
 * 2. one of another fare or price, or of whose travellers a person must say whether they are the same.
 */
async function findEarlierCreate(call: ActCall, terms: Terms, askedId?: string): Promise<EarlierCreate | undefined> {
  const { fingerprint, fingerprintBefore, supersedes, subject, travelers, sold } = terms;
  if (fingerprint === undefined) return undefined;

  const { acts, state } = call.runtime;
  const signs = acts.of(subject).people?.(subject) ?? [];
  const asked = { signs, travelers, areEntered: sold?.details === 'page' };
  let other: EarlierCreate | undefined;

  // Newest first.
  const keys = { fingerprint, before: fingerprintBefore, exceptId: askedId };
  for (const operation of await state.operations.ofTrip(call.asker.caller.tenant, keys)) {
    // A person approved another booking after this one, and so after all earlier ones.
    if (operation.id === supersedes) break;

    const isOtherOffer = isOfAnotherOffer(acts, operation, subject);
    if (isOtherOffer && other !== undefined) continue;

    const earlier = await compareWithEarlier(call, asked, operation);
    if (earlier === undefined || earlier.people.kind === 'others') continue;

    const isPlainRepeat =
      !isOtherOffer && earlier.people.kind === 'same' && !earlier.people.pairs.some(isNamedOtherwise);
    if (isPlainRepeat) return { ...earlier, isOtherOffer };

    other ??= { ...earlier, isOtherOffer };
  }

  return other;
}

/** Whether an earlier create was of another fare or price. One whose offer is unknown counts as the same. */
function isOfAnotherOffer(acts: Acts, earlier: Operation, subject: Operation['subject']): boolean {
  const earlierOffer = acts.of(earlier.subject).offer?.(earlier.subject);
  const wantedOffer = acts.of(subject).offer?.(subject);
  return earlierOffer !== undefined && wantedOffer !== undefined && !sameOffer(earlierOffer, wantedOffer);
}
