/** Makes keys of people's names, which are equal for the same name in any spelling. */

import { airlineName } from '../people/airline-name.ts';
import { foldName, isMasked } from '../people/identity-text.ts';
import { fullName, type PersonName, type Traveler } from '../people/traveler.ts';
import type { Booking } from './booking.ts';

/** A title directly after a given name: `AMALMRS`. */
const GLUED_TITLE = /^(.+?)(?:MR|MRS|MS|MISS|MSTR|DR)$/;

/** A key of a sent name needs words of so many letters: shorter ones (`al`, `bin`, `de`) occur in many names. */
const KEY_LETTERS = 3;
/** A shown name keeps all its words: its keys prove nothing unless they are keys of a sent name. */
const ANY_LETTERS = 1;

/** At most so many words of a name are compared, which limits the cost of a broken reply. */
const MOST_WORDS = 40;

/** Whether a traveller of the booking has this surname; while none is named, whether the contact has it. */
export function hasSurname({ reading }: Booking, surname: string): boolean {
  const wanted = spellings(surname);
  const travelerNames = reading.travelers.flatMap(({ name }) => name ?? []);
  const people = travelerNames.length > 0 ? travelerNames : [reading.contact?.name].flatMap((name) => name ?? []);
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
 *
 * | name                         | keys                                                                                  |
 * | ---------------------------- | ------------------------------------------------------------------------------------- |
 * | sent: Amal, surname Al Zein  | `ALZEIN/AMAL`, `AMAL/ZEIN`                                                            |
 * | shown: AMALMRS, surname ZEIN | `AMAL/ZEIN`, and every other pair of `ZEIN`, `AMALMRS`, `AMAL`: the fields may differ |
 */
export function namesSent(travelers: readonly Pick<Traveler, 'name'>[]): readonly string[] {
  const keys = travelers.flatMap(({ name }) => (name === undefined ? [] : surnameWithGivenKeys(name)));
  return [...new Set(keys)];
}

/**
 * Keys of the names that a booking shows, to be found among those of {@link namesSent}. Latin letters only. A masked name
 * has none: it may be anybody's.
 */
export function namesShown(travelers: readonly Pick<Traveler, 'name'>[]): readonly string[] {
  const shown = travelers.flatMap(({ name }) => (name === undefined || isMasked(fullName(name)) ? [] : [name]));
  const keys = shown.flatMap(shownKeys);
  return [...new Set(keys)];
}

function surnameWithGivenKeys(name: PersonName): readonly string[] {
  const surnames = textAndWords(name.surname, KEY_LETTERS);
  const givenNames = givenNamesAndWords(name, KEY_LETTERS);
  return surnames.flatMap((surname) => givenNames.map((givenName) => nameKey(surname, givenName)));
}

/** The given and middle names as one text, its words of at least so many letters, and each given name, however short. */
function givenNamesAndWords({ given, middle }: PersonName, leastLetters: number): readonly string[] {
  const words = [...textAndWords([...given, ...middle].join(' '), leastLetters), ...given.map(foldName)];
  return [...new Set(words)].filter((word) => word !== '');
}

/** The folded words and whole names that an airline may show of a name, or a person may say. Latin letters only. */
function wordsOfName(name: PersonName): readonly string[] {
  const allWords = [...textAndWords(name.surname, ANY_LETTERS), ...givenNamesAndWords(name, ANY_LETTERS)];
  const latinWords = allWords.filter((word) => /[A-Z]/.test(word)).slice(0, MOST_WORDS);
  return [...new Set(latinWords.flatMap((word) => [word, GLUED_TITLE.exec(word)?.[1] ?? word]))];
}

/** The name without a title that is glued to its given names: Amal for AMALMRS. */
export function withoutGluedTitle(name: PersonName): PersonName {
  const given = [...name.given, ...name.middle].join(' ');
  return { ...name, given: [GLUED_TITLE.exec(given.toUpperCase().trim())?.[1] ?? given], middle: [] };
}

/** The whole text, folded, and its words of at least so many letters. */
function textAndWords(text: string, leastLetters: number): readonly string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).map(foldName);
  return [foldName(text), ...words.filter((word) => word.length >= leastLetters)].filter((word) => word !== '');
}

/**
 * Keys of every pair of words, and of each with itself: one of `Ali Ali Khan` is given name and surname. Empty for one word, unless
 * it is both (`Ali Ali`).
 */
function shownKeys(name: PersonName): readonly string[] {
  const words = wordsOfName(name);
  const isBoth = foldName(name.surname) !== '' && givenNamesAndWords(name, ANY_LETTERS).length > 0;
  if (words.length < 2 && !isBoth) return [];
  return words.flatMap((word, i) => words.slice(i).map((other) => nameKey(word, other)));
}

function nameKey(word: string, other: string): string {
  return [word, other].sort().join('/');
}
