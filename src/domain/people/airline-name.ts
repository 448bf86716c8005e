/**
 * Converts names to what an airline accepts: letters A–Z, space, hyphen, apostrophe (docs/wire/notes.md, Travellers).
 * Transliterates other letters by ICAO Doc 9303 part 3, section 6.
 */
import { normalized } from '../../core/clean-text.ts';

/** Each word: a letter, a capital unless it is {@link WITHOUT_CAPITAL}, a colon, and its replacement. */
const LATIN =
  'Ä:AE Å:AA Ö:OE Ü:UE Ø:OE Æ:AE Œ:OE ẞ:SS Ñ:N Ð:D Đ:D Þ:TH Ł:L Ħ:H Ŋ:N Ŧ:T Ĳ:IJ İ:I ı:I ĸ:K Ə:E Ơ:O Ư:U ß:SS';

/** As {@link LATIN}. */
const CYRILLIC =
  'А:A Б:B В:V Г:G Д:D Е:E Ё:E Ж:ZH З:Z И:I Й:I К:K Л:L М:M Н:N О:O П:P Р:R С:S Т:T У:U Ф:F Х:KH Ц:TS Ч:CH Ш:SH ' +
  'Щ:SHCH Ъ:IE Ы:Y Ь: Э:E Ю:IU Я:IA І:I Ї:I Є:IE Ґ:G Ў:U Ђ:D Ј:J Љ:LJ Њ:NJ Ћ:C Џ:DZ Ѓ:G Ќ:K Ѕ:DZ';

const TRANSLITERATION = new Map(
  `${LATIN} ${CYRILLIC}`.split(' ').map((pair) => pair.split(':', 2) as [string, string | undefined]),
);

/** Small letters whose upper case is other letters: SS and I. */
const WITHOUT_CAPITAL: ReadonlySet<string> = new Set(['ß', 'ı']);

/** Replacements of typographic signs. A full stop is removed: `St. John` is `St John`. */
const SIGN_REPLACEMENTS = new Map([
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

/** The letters that an airline accepts for one character; undefined if there are none. Keeps capitals and small ones. */
function airlineLetter(character: string, next: string | undefined): string | undefined {
  if (/^[A-Za-z '-]$/.test(character)) return character;

  const sign = SIGN_REPLACEMENTS.get(character);
  if (sign !== undefined) return sign;

  const upper = WITHOUT_CAPITAL.has(character) ? character : character.toUpperCase();
  const mapped = TRANSLITERATION.get(upper) ?? withoutDiacritics(upper);
  if (mapped === undefined) return undefined;
  if (upper !== character || WITHOUT_CAPITAL.has(character)) return mapped.toLowerCase();

  const isInCapitals = next === undefined || next === next.toUpperCase();
  return isInCapitals ? mapped : mapped.charAt(0) + mapped.slice(1).toLowerCase();
}

/** The letter without its diacritics: `É` → `E`. */
function withoutDiacritics(upper: string): string | undefined {
  const bare = upper.normalize('NFD').replace(/\p{M}/gu, '');
  return /^[A-Z]$/.test(bare) ? bare : TRANSLITERATION.get(bare);
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
  const text = normalized(written, 'NFC').replace(/\s+/gu, ' ').trim();
  const characters = [...text];
  const letters = characters.map((character, i) => airlineLetter(character, characters[i + 1]));
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
