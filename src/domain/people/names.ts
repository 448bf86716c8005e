/**
 * Names of people: whether two are the same in any spelling, and the letters that an airline accepts: A–Z, space, hyphen,
 * apostrophe (docs/wire/notes.md, Travellers). Other letters are transliterated by ICAO Doc 9303 part 3, section 6.
 */
import type { Booking } from '../booking/booking.ts';
import { foldName } from './identity-text.ts';
import type { PersonName, Traveler } from './traveler.ts';

/** Whether a traveller of the booking has this surname; while none is named, whether the contact has it. */
export function hasSurname(booking: Booking, surname: string): boolean {
  const wanted = spellings(surname);
  const named = booking.travelers.flatMap(({ name }) => name ?? []);
  const people = named.length > 0 ? named : [booking.contact?.name].flatMap((name) => name ?? []);
  return people.some((name) => [...spellings(name.surname)].some((text) => wanted.has(text)));
}

/** The folded text as written and as it would be sent; empty for a text without letters. */
function spellings(text: string): ReadonlySet<string> {
  const sent = airlineName(text, { min: 0, max: 80 });
  return new Set([foldName(text), sent.ok ? foldName(sent.name) : ''].filter((folded) => folded !== ''));
}

/** A title directly after a given name: `AMALMRS`. */
const GLUED_TITLE = /^(.+?)(?:MR|MRS|MS|MISS|MSTR|DR)$/;
/** Shorter words (`al`, `bin`, `de`) occur in many names. */
const LEAST_LETTERS = 3;
/** Limits the cost of a broken reply. */
const MOST_WORDS = 40;

/**
 * Keys that prove a new booking is ours: a surname with a given name of the same person, in either order. Includes whole
 * names and their words, since an airline may add a title or use one field for both.
 */
export function namesSent(travelers: readonly Pick<Traveler, 'name'>[]): readonly string[] {
  const keys = travelers.flatMap(({ name }) =>
    name === undefined
      ? []
      : withWords(name.surname).flatMap((word) => matchableGivenNames(name).map((other) => pair(word, other))),
  );
  return [...new Set(keys)];
}

/** Keys of the names that a booking shows, to be found among those of {@link namesSent}. Latin letters only. */
export function namesShown(travelers: readonly Traveler[]): readonly string[] {
  const keys = travelers.flatMap(({ name }) => (name === undefined ? [] : joinedPairs(wordsOfName(name))));
  return [...new Set(keys)];
}

function matchableGivenNames({ given, middle }: PersonName, least = LEAST_LETTERS): readonly string[] {
  return [...new Set([...withWords([...given, ...middle].join(' '), least), ...given.map(foldName)])].filter(isSaid);
}

/** All words of a name, folded, and whole names: what an airline may show, or a person say. Latin letters only. */
export function wordsOfName(name: PersonName): readonly string[] {
  const all = [...withWords(name.surname, 1), ...matchableGivenNames(name, 1)].filter((word) => /[A-Z]/.test(word));
  const words = all.slice(0, MOST_WORDS).flatMap((word) => [word, GLUED_TITLE.exec(word)?.[1] ?? word]);
  return [...new Set(words)];
}

/** The whole text, folded, and its longer words. */
function withWords(text: string, least = LEAST_LETTERS): readonly string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).map(foldName);
  return [foldName(text), ...words.filter((word) => word.length >= least)].filter(isSaid);
}

function isSaid(word: string): boolean {
  return word !== '';
}

/** Every pair, and each word with itself if there are others: it may be given name and surname. */
function joinedPairs(pool: readonly string[]): readonly string[] {
  return pool.length < 2 ? [] : pool.flatMap((one, i) => pool.slice(i).map((other) => pair(one, other)));
}

function pair(one: string, other: string): string {
  return [one, other].sort().join('/');
}

/**
 * Converts names to what an airline accepts: letters A–Z, space, hyphen, apostrophe (docs/wire/notes.md, Travellers).
 * Transliterates other letters by ICAO Doc 9303 part 3, section 6.
 */
const LATIN =
  'Ä:AE Å:AA Ö:OE Ü:UE Ø:OE Æ:AE Œ:OE ẞ:SS Ñ:N Ð:D Đ:D Þ:TH Ł:L Ħ:H Ŋ:N Ŧ:T Ĳ:IJ İ:I ı:I ĸ:K Ə:E Ơ:O Ư:U ß:SS';
const CYRILLIC =
  'А:A Б:B В:V Г:G Д:D Е:E Ё:E Ж:ZH З:Z И:I Й:I К:K Л:L М:M Н:N О:O П:P Р:R С:S Т:T У:U Ф:F Х:KH Ц:TS Ч:CH Ш:SH ' +
  'Щ:SHCH Ъ:IE Ы:Y Ь: Э:E Ю:IU Я:IA І:I Ї:I Є:IE Ґ:G Ў:U Ђ:D Ј:J Љ:LJ Њ:NJ Ћ:C Џ:DZ Ѓ:G Ќ:K Ѕ:DZ';

const TABLE = new Map(
  `${LATIN} ${CYRILLIC}`.split(' ').map((pair) => pair.split(':', 2) as [string, string | undefined]),
);

/** Replacements of typographic signs. A full stop is removed: `St. John` is `St John`. */
const SIGNS = new Map([
  ['’', "'"],
  ['‘', "'"],
  ['ʼ', "'"],
  ['`', "'"],
  ['´', "'"],
  ['‐', '-'],
  ['‑', '-'],
  ['–', '-'],
  ['—', '-'],
  ['.', ' '],
]);

function letter(character: string, next: string | undefined): string | undefined {
  if (/^[A-Za-z '-]$/.test(character)) return character;
  const sign = SIGNS.get(character);
  if (sign !== undefined) return sign;
  const upper = character === 'ß' || character === 'ı' ? character : character.toUpperCase();
  const mapped = TABLE.get(upper) ?? bareLetter(upper);
  if (mapped === undefined) return undefined;
  if (upper !== character || character === 'ß' || character === 'ı') return mapped.toLowerCase();
  const shouting = next === undefined || next === next.toUpperCase();
  return shouting ? mapped : mapped.charAt(0) + mapped.slice(1).toLowerCase();
}

/** The letter without its diacritics: `É` → `E`. */
function bareLetter(upper: string): string | undefined {
  const bare = upper.normalize('NFD').replace(/\p{M}/gu, '');
  return /^[A-Z]$/.test(bare) ? bare : TABLE.get(bare);
}

type AirlineName =
  | { readonly ok: true; readonly name: string; readonly changed: boolean }
  | { readonly ok: false; readonly problem: string };

export interface NameBounds {
  readonly min: number;
  readonly max: number;
}

/** Lengths that the airline accepts (docs/wire/notes.md, Travellers). */
export const GIVEN_NAME: NameBounds = { min: 1, max: 30 };
export const SURNAME: NameBounds = { min: 2, max: 30 };

/** The name as it would be sent, and whether it differs from the written one. */
export function airlineName(written: string, bounds: NameBounds): AirlineName {
  const text = written.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const characters = [...text];
  const letters = characters.map((character, i) => letter(character, characters[i + 1]));
  const bad = letters.indexOf(undefined);
  if (bad >= 0) {
    const which = `character ${bad + 1} of the name`;
    return { ok: false, problem: `expected letters A-Z, space, hyphen or apostrophe; ${which} has no transliteration` };
  }
  const name = letters.join('').replace(/ {2,}/g, ' ').trim();
  if (name.length < bounds.min || name.length > bounds.max || !/[A-Za-z]/.test(name)) {
    return { ok: false, problem: `expected ${bounds.min} to ${bounds.max} letters, found ${name.length}` };
  }
  return { ok: true, name, changed: name !== text };
}
