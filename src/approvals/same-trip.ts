/**
 * Reads what other creates of a trip made, and for whom: the same people, or other people of the same names. Who may learn what of another
 * caller's booking is decided here, too.
 */
import { ClerkError } from '../core/errors.ts';
import type { Booking } from '../domain/booking/booking.ts';
import { bookingState } from '../domain/booking/booking-state.ts';
import { comparePeople, namesOnly, type PersonSigns } from '../domain/booking/same-people.ts';
import { SHOWN_WITHIN_MS } from '../domain/facts/touches.ts';
import type { Traveler } from '../domain/people/traveler.ts';
import { locatorOf, type Operation } from '../journal/operation.ts';
import type { ActCall } from './consent-call.ts';
import { type EarlierCreate, namesakeSentence } from './earlier-create-words.ts';

/** States of a booking that is over. */
const GONE_STATES: readonly string[] = ['cancelled', 'expired'];

/** The travellers of a create: as digests, and as they are sent. */
interface PeopleOfCreate {
  readonly signs: readonly PersonSigns[];
  /** Absent if only digests are known. */
  readonly travelers?: readonly Traveler[] | undefined;
  /** They entered their details on the details page. */
  readonly areEntered: boolean;
}

/**
 * Compares the travellers with those of an earlier create whose booking may exist. Undefined: it surely does not, or it is for other
 * people.
 */
export async function compareWithEarlier(
  call: ActCall,
  asked: PeopleOfCreate,
  operation: Operation,
): Promise<Pick<EarlierCreate, 'operation' | 'booking' | 'people'> | undefined> {
  const { acts, state } = call.runtime;
  // Operations of 0.4.0 and before keep no signs. They are found by the names of all travellers.
  const signs = acts.of(operation.subject).people?.(operation.subject) ?? namesOnly(asked.signs);
  const booked = { signs, areEntered: operation.facts?.details === 'page' };
  const compare = (booking?: Booking) => comparePeople(...comparable(asked, booked, booking));
  if (compare() === undefined) return undefined;

  const existing = await findExisting(call, operation);
  if (existing === undefined) return undefined;

  const { booking } = existing;
  const entered = booking && (await state.operations.withEnteredDetails(operation.tenant, [booking.locator]));
  const people = compare(entered?.length === 0 ? booking : undefined);
  return people && { operation, booking, people };
}

/** What may be compared: nobody may learn by a guess what travellers entered on the details page. */
function comparable(
  asked: PeopleOfCreate,
  booked: PeopleOfCreate,
  booking: Booking | undefined,
): Parameters<typeof comparePeople> {
  if (asked.areEntered !== booked.areEntered)
    return [{ signs: namesOnly(asked.signs) }, { signs: namesOnly(booked.signs) }];
  if (asked.areEntered) return [{ signs: asked.signs }, { signs: booked.signs }];
  return [asked, { signs: booked.signs, shown: booking?.reading.travelers }];
}

/**
 * Names the bookings of other people of the same names on the same trip, a sentence each. Whoever holds two bookings of one name must be
 * able to tell them apart. Empty if they cannot be read now: the operation succeeded all the same.
 */
export async function namesakesOf(call: ActCall, operation: Operation): Promise<readonly string[]> {
  return readNamesakes(call, operation).catch(() => []);
}

async function readNamesakes(call: ActCall, operation: Operation): Promise<readonly string[]> {
  const { acts, state } = call.runtime;
  const { fingerprint, tenant, supersedes, id, subject } = operation;
  const signs = acts.of(subject).people?.(subject);
  if (fingerprint === undefined || signs === undefined) return [];

  const asked = { signs, areEntered: operation.facts?.details === 'page' };
  const sentences: string[] = [];
  for (const earlier of await state.operations.ofTrip(tenant, { fingerprint, exceptId: id })) {
    if (earlier.id === supersedes) break;

    const found = await compareWithEarlier(call, asked, earlier);
    if (found === undefined || found.people.kind === 'same') continue;
    const isTold = !isForeign(call, earlier) || (await mayRead(call, earlier));
    sentences.push(namesakeSentence(found, isTold));
  }

  return sentences;
}

/** Whether the caller has access to the booking of an operation. */
export async function mayRead({ act }: ActCall, operation: Operation): Promise<boolean> {
  const locator = locatorOf(operation);
  if (locator === undefined) return false;
  return act.read(locator).then(
    () => true,
    () => false,
  );
}

/** Whether the booking of a create may exist now. Of one that is open, or that a person closed, nobody knows. */
export async function mayExist(call: ActCall, operation: Operation): Promise<boolean> {
  return (await findExisting(call, operation)) !== undefined;
}

/** Reads the booking of a create. Undefined: there surely is none now. Without a booking: nobody knows. */
async function findExisting(call: ActCall, operation: Operation): Promise<{ readonly booking?: Booking } | undefined> {
  if (operation.state === 'refused' || operation.state === 'not_executed') return undefined;

  const locator = locatorOf(operation);
  if (operation.state !== 'succeeded' || locator === undefined) return {};

  const { journal, clock } = call.runtime;
  try {
    // Reads with the access of the caller who made it, because this caller may have none.
    const booking = await journal.bookingOf(operation, locator);
    const { state } = bookingState(booking, clock.now());
    const isGone = state === 'unknown' ? await wasReleased(call, operation, locator) : GONE_STATES.includes(state);
    return isGone ? undefined : { booking };
  } catch (error) {
    if (!(error instanceof ClerkError) || error.code !== 'E_NOT_FOUND') throw error;
    return (await isProvenGone(call, operation, locator, error)) ? undefined : {};
  }
}

/**
 * Whether an airline that knows no such booking proves that there is none. It may not show yet what it has made, unless it was released
 * here, or the airline showed it once and an hour has passed.
 */
async function isProvenGone(
  call: ActCall,
  operation: Operation,
  locator: string,
  { noSuchBooking }: ClerkError,
): Promise<boolean> {
  if (!noSuchBooking) return false;
  if (await wasReleased(call, operation, locator)) return true;

  const { clock, state } = call.runtime;
  const { tenant, updatedAt } = operation;
  if (clock.now() - updatedAt < SHOWN_WITHIN_MS) return false;

  const watched = await state.watches?.get(tenant, locator);
  return watched !== undefined && watched.readAt > updatedAt;
}

/** Whether the journal shows that the hold was released here. Some airlines show nothing of a released hold. */
async function wasReleased({ runtime }: ActCall, { tenant, createdAt }: Operation, locator: string): Promise<boolean> {
  const done = await runtime.state.operations.list({ tenant, locator, states: ['succeeded'], from: createdAt });
  return done.some(({ tool }) => runtime.acts.named(tool)?.countedAs === 'release');
}

export function isForeign({ asker }: ActCall, { tenant, caller }: Operation): boolean {
  return tenant !== asker.caller.tenant || caller !== asker.caller.id;
}
