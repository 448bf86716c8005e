/**
 * Names as an airline takes them: letters A–Z, space, hyphen, apostrophe (docs/wire/notes.md, Travellers). Other
 * letters are transliterated by the tables of ICAO Doc 9303 part 3, section 6.
 */
import type { Booking } from '../booking/booking.ts';
import { foldName } from './identity-text.ts';
import type { PersonName, Traveler } from './traveler.ts';

const LATIN =
  'Ä:AE Å:AA Ö:OE Ü:UE Ø:OE Æ:AE Œ:OE ẞ:SS Ñ:N Ð:D Đ:D Þ:TH Ł:L Ħ:H Ŋ:N Ŧ:T Ĳ:IJ İ:I ı:I ĸ:K Ə:E Ơ:O Ư:U ß:SS';
const CYRILLIC =
  'А:A Б:B В:V Г:G Д:D Е:E Ё:E Ж:ZH З:Z И:I Й:I К:K Л:L М:M Н:N О:O П:P Р:R С:S Т:T У:U Ф:F Х:KH Ц:TS Ч:CH Ш:SH ' +
  'Щ:SHCH Ъ:IE Ы:Y Ь: Э:E Ю:IU Я:IA І:I Ї:I Є:IE Ґ:G Ў:U Ђ:D Ј:J Љ:LJ Њ:NJ Ћ:C Џ:DZ Ѓ:G Ќ:K Ѕ:DZ';

const TABLE = new Map(
  `${LATIN} ${CYRILLIC}`.split(' ').map((pair) => pair.split(':', 2) as [string, string | undefined]),
);

/** Typographic signs that stand for a plain one. A full stop goes: `St. John` is `St John`. */
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

/** The letter under its diacritics: `É` → `E`. */
function bareLetter(upper: string): string | undefined {
  const bare = upper.normalize('NFD').replace(/\p{M}/gu, '');
  return /^[A-Z]$/.test(bare) ? bare : TABLE.get(bare);
}

export type AirlineName =
  | { readonly ok: true; readonly name: string; readonly changed: boolean }
  | { readonly ok: false; readonly problem: string };

export interface NameBounds {
  readonly min: number;
  readonly max: number;
}

/** Characters that the airline takes in a name (docs/wire/notes.md, Travellers). */
export const GIVEN_NAME: NameBounds = { min: 1, max: 30 };
export const SURNAME: NameBounds = { min: 2, max: 30 };

/** The name as it would be sent, and whether that differs from what was written. */
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
