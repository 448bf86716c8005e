/** Finds passengers and trains of a booking by what people call them, for calls that say that in place of a ref. */

import { DAY_MS, instantOf } from '../../core/times.ts';
import { foldName } from '../people/identity-text.ts';
import { wordsOfName } from '../people/name-keys.ts';
import type { Traveler } from '../people/traveler.ts';
import { type Booking, type Segment, segmentsOf } from './booking.ts';
import type { BookingSigns, LedgerEntry } from './booking-ledger.ts';
import { flightName } from './flight-name.ts';

/** Words beside a name that do not distinguish people or trains. */
const TITLES: ReadonlySet<string> = new Set(['MR', 'MRS', 'MS', 'MISS', 'MSTR', 'DR', 'TRAIN', 'FLIGHT', 'NO']);

export interface NamedRef {
  readonly ref: string;
  /** In capitals, without diacritics, and one text, in which the name of a person to be erased can be searched. */
  readonly words: string;
}

/** Stored with an approval: a repeated call may say the same in other words, after a passenger has left the booking. */
export interface BookingNames {
  /** ISO 4217. */
  readonly currency?: string;
  readonly passengers: readonly NamedRef[];
  readonly segments: readonly NamedRef[];
}

export function bookingNames(booking: Booking): BookingNames {
  const currency = booking.pricing?.total?.total.currency;
  return {
    currency,
    passengers: booking.travelers.map(namedRef),
    segments: segmentsOf(booking).map(namedRef),
  };
}

export function namedRef(part: Traveler | Segment): NamedRef {
  return { ref: part.ref, words: wordsFor(part).join(' ') };
}

function wordsFor(part: Traveler | Segment): readonly string[] {
  if (!('flightNumber' in part)) return part.name === undefined ? [] : wordsOfName(part.name);
  const number = foldName(part.flightNumber);
  return [...new Set([foldName(flightName(part)), number, withoutZeros(number)])];
}

const withoutZeros = (number: string) => number.replace(/^0+(?=\d)/, '');

/**
 * The refs that a text can mean: the ref itself, or all whose names have every word of it: `Boris`, `Berg Boris`,
 * `HHR 101`.
 */
export function refsMeant(text: string, all: readonly NamedRef[]): readonly string[] {
  if (all.some(({ ref }) => ref === text)) return [text];
  const words = text
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => withoutZeros(foldName(word)))
    .filter((word) => word !== '' && !TITLES.has(word));
  if (words.length === 0) return [];
  const joined = words.join('');
  const hasAllWords = (names: readonly string[]) =>
    names.includes(joined) || words.every((word) => names.includes(word));
  return all.filter((named) => hasAllWords(named.words.split(' '))).map(({ ref }) => ref);
}

/**
 * Whether two entries of one locator are of the same booking, because they share when it was made or one of its people:
 * airlines give locators anew. Undefined if the known one has neither.
 */
export function isSameEntry(known: LedgerEntry, shown: LedgerEntry): boolean | undefined {
  const before = new Set(entrySigns(known));
  return before.size === 0 ? undefined : entrySigns(shown).some((sign) => before.has(sign));
}

/** What tells the bookings of one locator apart: when it was made, and its people or else its contact. */
export function entrySigns({
  createdAt,
  travelers = [],
  contactName,
}: Omit<BookingSigns, 'locator'>): readonly string[] {
  return [createdAt, ...(travelers.length > 0 ? travelers : [contactName])].filter((sign) => sign !== undefined);
}

/**
 * From when on what happened here under the booking's locator may be about it, milliseconds since 1970: a day before the
 * airline made it, as far as clocks can differ. What is older is about an earlier booking that had the locator. Undefined: the
 * airline does not say when it made it.
 */
export function earliestOf({ createdAt }: Pick<Booking, 'createdAt'>): number | undefined {
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
