/**
 * Names of people, compared however they are spelled.
 */
import type { Booking } from '../booking/booking.ts';
import { airlineName } from './airline-name.ts';
import { foldName } from './identity-text.ts';
import type { PersonName, Traveler } from './traveler.ts';

/** Whether one of the booking's travellers (while none is named, its contact) has this surname, however spelled. */
export function hasSurname(booking: Booking, surname: string): boolean {
  const wanted = spellings(surname);
  const named = booking.travelers.flatMap(({ name }) => name ?? []);
  const people = named.length > 0 ? named : [booking.contact?.name].flatMap((name) => name ?? []);
  return people.some((name) => [...spellings(name.surname)].some((text) => wanted.has(text)));
}

/** As written and as it would be sent, folded; nothing for a text without letters. */
function spellings(text: string): ReadonlySet<string> {
  const sent = airlineName(text, { min: 0, max: 80 });
  return new Set([foldName(text), sent.ok ? foldName(sent.name) : ''].filter((folded) => folded !== ''));
}

/** Written behind a given name without a space: `AMALMRS`. */
const GLUED_TITLE = /^(.+?)(?:MR|MRS|MS|MISS|MSTR|DR)$/;
/** Shorter words of a name (`al`, `bin`, `de`) are everybody's. */
const TELLING = 3;
/** Words of one name that are looked at: a broken reply must not cost more. */
const MOST_WORDS = 40;

/**
 * What a booking just made is told from somebody else's by: a surname with a given name of the same person, in either
 * order. Whole, and by their words, since an airline may add a title or write all of it into one field.
 */
export function namesSent(travelers: readonly Traveler[]): readonly string[] {
  const keys = travelers.flatMap(({ name }) =>
    name === undefined
      ? []
      : withWords(name.surname).flatMap((one) => givenNamesOf(name).map((other) => pair(one, other))),
  );
  return [...new Set(keys)];
}

/** What the travellers of a booking may be called, to be looked up among those; nothing of names in other letters. */
export function namesShown(travelers: readonly Traveler[]): readonly string[] {
  const keys = travelers.flatMap(({ name }) => (name === undefined ? [] : pairsOf(poolOf(name))));
  return [...new Set(keys)];
}

function givenNamesOf({ given, middle }: PersonName, least = TELLING): readonly string[] {
  return [...new Set([...withWords([...given, ...middle].join(' '), least), ...given.map(foldName)])].filter(isSaid);
}

function poolOf(name: PersonName): readonly string[] {
  const all = [...withWords(name.surname, 1), ...givenNamesOf(name, 1)].filter((word) => /[A-Z]/.test(word));
  const words = all.slice(0, MOST_WORDS).flatMap((word) => [word, GLUED_TITLE.exec(word)?.[1] ?? word]);
  return [...new Set(words)];
}

/** The whole, folded, and those of its words that tell one person from another. */
function withWords(text: string, least = TELLING): readonly string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).map(foldName);
  return [foldName(text), ...words.filter((word) => word.length >= least)].filter(isSaid);
}

function isSaid(word: string): boolean {
  return word !== '';
}

/** Of a single word nothing is known; with others, it may be given and family name in one. */
function pairsOf(pool: readonly string[]): readonly string[] {
  return pool.length < 2 ? [] : pool.flatMap((one, i) => pool.slice(i).map((other) => pair(one, other)));
}

function pair(one: string, other: string): string {
  return [one, other].sort().join('/');
}
