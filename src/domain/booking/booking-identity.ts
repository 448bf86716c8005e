/**
 * Whose booking a locator is: airlines give locators anew. A booking is known again by when it was made, or by one of its
 * people.
 */

import { DAY_MS, instantOf } from '../../core/times.ts';

/** What tells the bookings of one locator apart. */
interface Identity {
  /** When the airline made it, as sent. */
  readonly createdAt?: string | undefined;
  /** Its people, each as a text or as the digest of one. */
  readonly names?: readonly string[] | undefined;
}

/** The same of an entry of the ledger. */
interface EntryIdentity extends Pick<Identity, 'createdAt'> {
  readonly travelers?: readonly string[] | undefined;
  readonly contactName?: string | undefined;
}

/** Whether two records of one locator are of the same booking. Undefined if they show too little to tell. */
export function isSameBooking(known: Identity, shown: Identity): boolean | undefined {
  const [made, shownMade] = [known.createdAt, shown.createdAt];
  const [names, shownNames] = [known.names ?? [], shown.names ?? []];
  if ((made !== undefined && made === shownMade) || shownNames.some((name) => names.includes(name))) return true;
  const areComparable = (made !== undefined && shownMade !== undefined) || (names.length > 0 && shownNames.length > 0);
  return areComparable ? false : undefined;
}

/**
 * Whether an entry of the ledger is of the same booking as a known one. Undefined if the known one has no sign: else the
 * other one must show one of its signs, because it opens the booking to those who have the known one.
 */
export function isSameEntry(known: EntryIdentity, shown: EntryIdentity): boolean | undefined {
  return entrySigns(known).length === 0 ? undefined : isSameBooking(identityOf(known), identityOf(shown)) === true;
}

/** The signs of an entry, each of which is enough to know its booking again. */
export function entrySigns(entry: EntryIdentity): readonly string[] {
  const { createdAt, names } = identityOf(entry);
  return createdAt === undefined ? names : [createdAt, ...names];
}

/** A booking without names is known by its contact. */
function identityOf({ createdAt, travelers = [], contactName }: EntryIdentity) {
  const names = travelers.length === 0 && contactName !== undefined ? [contactName] : travelers;
  return { createdAt, names };
}

/**
 * From when on what happened here under the booking's locator may be about it, milliseconds since 1970: a day before the
 * airline made it, as far as clocks can differ. What is older is about an earlier booking that had the locator. Undefined: the
 * airline does not say when it made it.
 */
export function earliestOf({ createdAt }: Pick<Identity, 'createdAt'>): number | undefined {
  const made = instantOf(createdAt);
  return made === undefined ? undefined : made - DAY_MS;
}

/** How many characters of a digest are a sign. */
const SIGN_LENGTH = 22;

/** Follows the locator in the name of a sign. No locator has lower case. */
export const SIGN = ' sign:';

/** What {@link signName} adds to a locator has so many characters. */
export const SIGN_SUFFIX = SIGN.length + SIGN_LENGTH;

/** The name under which a sign of a claimed booking is stored beside the claim (access/booking-access.ts). */
export function signName(locator: string, sign: string): string {
  return `${locator}${SIGN}${sign.slice(0, SIGN_LENGTH).padEnd(SIGN_LENGTH, '.')}`;
}

/** The name that says of a claimed booking that all of its people are others now. */
export function peopleChanged(locator: string): string {
  return signName(locator, '!');
}
