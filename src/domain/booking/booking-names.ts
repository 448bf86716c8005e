/** Finds passengers and trains of a booking by what people call them, for calls that say that in place of a ref. */

import { foldName } from '../people/identity-text.ts';
import type { Traveler } from '../people/traveler.ts';
import { type Booking, type Segment, segmentsOf } from './booking.ts';
import { flightName } from './flight-name.ts';
import { wordsOfName } from './name-keys.ts';

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
