/** Makes keys of people's names, which are equal for the same name in any spelling. */
import type { Booking } from '../booking/booking.ts';
import { airlineName } from './airline-name.ts';
import { foldName } from './identity-text.ts';
import type { PersonName, Traveler } from './traveler.ts';

/** A title directly after a given name: `AMALMRS`. */
const GLUED_TITLE = /^(.+?)(?:MR|MRS|MS|MISS|MSTR|DR)$/;

/** A key needs words of at least so many letters: shorter ones (`al`, `bin`, `de`) occur in many names. */
const LEAST_LETTERS = 3;

/** At most so many words of a name are compared, which limits the cost of a broken reply. */
const MOST_WORDS = 40;

/** Whether a traveller of the booking has this surname; while none is named, whether the contact has it. */
export function hasSurname(booking: Booking, surname: string): boolean {
  const wanted = spellings(surname);
  const travelerNames = booking.travelers.flatMap(({ name }) => name ?? []);
  const people = travelerNames.length > 0 ? travelerNames : [booking.contact?.name].flatMap((name) => name ?? []);
  return people.some((name) => [...spellings(name.surname)].some((text) => wanted.has(text)));
}

/** The folded text as written and as it would be sent; empty for a text without letters. */
function spellings(text: string): ReadonlySet<string> {
  const sentName = airlineName(text, { min: 0, max: 80 });
  return new Set([foldName(text), sentName.ok ? foldName(sentName.name) : ''].filter((folded) => folded !== ''));
}

/**
 * Keys that prove a new booking is ours: a surname with a given name of the same person, in either order. Includes
 * whole names and their words, since an airline may add a title or use one field for both.
 */
export function namesSent(travelers: readonly Pick<Traveler, 'name'>[]): readonly string[] {
  const keys = travelers.flatMap(({ name }) =>
    name === undefined
      ? []
      : withWords(name.surname).flatMap((word) => matchableGivenNames(name).map((other) => nameKey(word, other))),
  );
  return [...new Set(keys)];
}

/** Keys of the names that a booking shows, to be found among those of {@link namesSent}. Latin letters only. */
export function namesShown(travelers: readonly Pick<Traveler, 'name'>[]): readonly string[] {
  const keys = travelers.flatMap(({ name }) => (name === undefined ? [] : joinedPairs(wordsOfName(name))));
  return [...new Set(keys)];
}

function matchableGivenNames({ given, middle }: PersonName, least = LEAST_LETTERS): readonly string[] {
  return [...new Set([...withWords([...given, ...middle].join(' '), least), ...given.map(foldName)])].filter(
    (word) => word !== '',
  );
}

/** The folded words and whole names that an airline may show of a name, or a person may say. Latin letters only. */
export function wordsOfName(name: PersonName): readonly string[] {
  const allWords = [...withWords(name.surname, 1), ...matchableGivenNames(name, 1)].filter((word) =>
    /[A-Z]/.test(word),
  );
  const words = allWords.slice(0, MOST_WORDS).flatMap((word) => [word, GLUED_TITLE.exec(word)?.[1] ?? word]);
  return [...new Set(words)];
}

/** The whole text, folded, and its longer words. */
function withWords(text: string, least = LEAST_LETTERS): readonly string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).map(foldName);
  return [foldName(text), ...words.filter((word) => word.length >= least)].filter((word) => word !== '');
}

/** Keys of every pair of words, and of each word with itself: it may be given name and surname. Empty for one word. */
function joinedPairs(pool: readonly string[]): readonly string[] {
  return pool.length < 2 ? [] : pool.flatMap((word, i) => pool.slice(i).map((other) => nameKey(word, other)));
}

function nameKey(word: string, other: string): string {
  return [word, other].sort().join('/');
}
