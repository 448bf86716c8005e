/** Blanks, in texts of the airline, what travellers entered on the details page: it is never shown, however it is spelt. */
import { asciiDigits } from '../../core/clean-text.ts';
import type { Traveler } from './traveler.ts';

/** The details of a traveller that no text may repeat. */
export type HiddenDetails = Pick<Traveler, 'birthDate'> & {
  readonly document?: Pick<NonNullable<Traveler['document']>, 'number' | 'expires'>;
};

const BLANK = '•••';

/** A spelling with fewer characters is hidden only as a separate word: inside other words it occurs by chance. */
const SHORTEST_SURE = 6;

/** At the end of a text, a spelling that is cut off is hidden if it has this many characters or more. */
const SHORTEST_CUT = 5;

const MONTHS = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(' ');

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Returns a function that blanks document numbers, birth dates and days of expiry in a text of the airline, in any usual
 * spelling: `17APR1991`, `19910417`, `April 17, 1991`, a number in small letters or with spaces.
 */
export function blanking(people: readonly HiddenDetails[]): (text: string) => string {
  const allSpellings = people.flatMap(({ birthDate, document }) => [
    ...dateSpellings(birthDate),
    ...numberSpellings(document?.number),
    ...dateSpellings(document?.expires),
  ]);
  const spellings = [...new Set(allSpellings)];
  if (spellings.length === 0) return (text) => text;
  return (text) => {
    const folded = foldWithPlaces(text);
    const hiddenPlaces = new Set(
      spellings.flatMap((spelling) => [...placesOf(folded, spelling), ...cutOffPlaces(folded, spelling)]),
    );
    if (hiddenPlaces.size === 0) return text;
    return [...text].map((character, place) => blankAt(hiddenPlaces, place) ?? character).join('');
  };
}

/** What replaces a hidden character: one mark for all adjacent ones. Undefined for a character that is shown. */
function blankAt(hiddenPlaces: ReadonlySet<number>, place: number): string | undefined {
  if (!hiddenPlaces.has(place)) return undefined;
  return hiddenPlaces.has(place - 1) ? '' : BLANK;
}

/** Blanks every word with two digits or more as well: a text can repeat what the booking itself does not show. */
export function blankNumbers(text: string, blank: (text: string) => string): string {
  return blank(text).replace(WORD, (word) => ((word.match(/\p{N}/gu)?.length ?? 0) > 1 ? BLANK : word));
}

/** A text in which spellings are searched. An index counts its letters, a place counts characters of the original. */
interface Folded {
  /** Letters and digits of ASCII in capitals, nothing between them. */
  readonly text: string;
  /** The place of the letter at each index. */
  readonly places: readonly number[];
}

function foldWithPlaces(original: string): Folded {
  const places: number[] = [];
  let text = '';
  for (const [place, character] of [...original].entries()) {
    for (const letter of foldedCharacter(character)) {
      text += letter;
      places.push(place);
    }
  }
  return { text, places };
}

/** Capitals without diacritics, digits of any script as ASCII digits; empty for what is neither. */
function foldedCharacter(character: string): string {
  if (/[A-Z0-9]/.test(character)) return character;
  const plain = character.normalize('NFKD').toUpperCase();
  return asciiDigits(plain).replace(/[^A-Z0-9]/g, '');
}

/** The places of a spelling wherever it occurs in a text, with the characters between its letters. */
function placesOf(folded: Folded, spelling: string): readonly number[] {
  const { text, places } = folded;
  const hiddenPlaces: number[] = [];
  for (let index = text.indexOf(spelling); index >= 0; index = text.indexOf(spelling, index + 1)) {
    if (spelling.length < SHORTEST_SURE && !isSeparateWord(folded, index, spelling.length)) continue;
    hiddenPlaces.push(...placesFrom(places[index], places[index + spelling.length - 1]));
  }
  return hiddenPlaces;
}

/** Whether these letters have nothing between them in the original, and no letter or digit directly beside them. */
function isSeparateWord({ places }: Folded, index: number, length: number): boolean {
  const [first = 0, last = 0] = [places[index], places[index + length - 1]];
  const isOneWord = last - first === length - 1;
  const isPartOfWord = places[index - 1] === first - 1 || places[index + length] === last + 1;
  return isOneWord && !isPartOfWord;
}

/** The places of the beginning of a spelling at the end of a text, which may be cut off within it. */
function cutOffPlaces({ text, places }: Folded, spelling: string): readonly number[] {
  for (let length = spelling.length - 1; length >= SHORTEST_CUT; length--) {
    if (text.endsWith(spelling.slice(0, length))) return placesFrom(places[text.length - length], places.at(-1));
  }
  return [];
}

/** All places from the first to the last, both included. */
function placesFrom(first = 0, last = 0): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** A number as it is, and its digits alone if these are enough to recognize it. */
function numberSpellings(number = ''): readonly string[] {
  const { text } = foldWithPlaces(number);
  const digits = /\d{6,}/.exec(text)?.[0];
  return [text, ...(digits === undefined ? [] : [digits])].filter((spelling) => spelling.length >= 3);
}

/** Folded: `1991-04-17` and `1991/4/17`, days first and months first, months by name, years of two digits, Unix time. */
function dateSpellings(date = ''): readonly string[] {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return [];
  const bare = (number: string) => String(Number(number));
  const months = [month, bare(month), name, name.slice(0, 3)];
  const days = [day, bare(day), ...['ST', 'ND', 'RD', 'TH'].map((ending) => `${bare(day)}${ending}`)];
  const inOrders = (y: string, m: string, d: string) => [`${y}${m}${d}`, `${d}${m}${y}`, `${m}${d}${y}`];
  const ofYear = (y: string) => months.flatMap((m) => days.flatMap((d) => inOrders(y, m, d)));
  const seconds = String(Date.UTC(Number(year), Number(month) - 1, Number(day)) / 1000);
  return [...ofYear(year), ...ofYear(year.slice(2)), seconds].filter((spelling) => spelling.length >= SHORTEST_SURE);
}
