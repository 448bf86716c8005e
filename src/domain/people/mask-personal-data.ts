/**
 * Masks phone numbers, e-mail addresses and documents, which are shown in full only with `reveal_personal`, and blanks what
 * travellers entered on the details page, which is never shown.
 */
import { asciiDigits, cleanText, plainText } from '../../core/clean-text.ts';
import type { Traveler } from './traveler.ts';

/** Replaces all but the last three characters: `•••••678`. Also for phone numbers. */
export function maskNumber(number: string): string {
  const text = number.replace(/[\s\u201C\u201D\u200E]/g, '');
  return text.length <= 3 ? '•••' : `${'•'.repeat(Math.min(text.length - 3, 8))}${text.slice(-3)}`;
}

/** An address with only valid characters; other text becomes plain text. */
export function emailText(email: string): string {
  const address = cleanText(email.replace(/[^\p{L}\p{N}.!&'+_@-]/gu, ''), 120);
  return address.lastIndexOf('@') > 0 ? address : plainText(email);
}

/** `a***@example.com`. */
export function maskEmail(email: string): string {
  const address = emailText(email);
  const at = address.lastIndexOf('@');
  return at < 1 ? '***' : `${[...address][0] ?? ''}***${address.slice(at)}`;
}

/** A document in a special service, `PP 000111222`: keeps the kind (docs/wire/notes.md, Special services). */
export function maskIdentity(text: string): string {
  const [, kind = '', number = text] = /^\s*([A-Za-z]{2})[\s/-]+(.*)$/s.exec(text) ?? [];
  return `${kind === '' ? '' : `${kind} `}${maskNumber(number)}`;
}

const ADDRESS = /[^\s@]+@[^\s@]+/gu;
/** Digits with usual separators and adjacent letters, or a run of letters and digits. */
const NUMBER = /\+?[\p{L}\p{N}]*\p{N}(?:[ ()./_-]{0,2}\p{N}){4,}[\p{L}\p{N}]*|[\p{L}\p{N}]{5,}/gu;

/** Masks documents, telephones and addresses in free text. */
export function maskRemark(text: string): string {
  const masked = (found: string) => (/\p{N}/u.test(found) ? maskNumber(found.replace(/[^\p{L}\p{N}]/gu, '')) : found);
  return text.replace(ADDRESS, '•••').replace(NUMBER, masked);
}

/** The details of a traveller that no text may repeat. */
export type Hidden = Pick<Traveler, 'birthDate'> & {
  readonly document?: Pick<NonNullable<Traveler['document']>, 'number' | 'expires'>;
};

const BLANK = '•••';

/** A spelling with fewer characters is hidden only as a separate word: inside other words it occurs by chance. */
const SHORTEST_SURE = 6;

/** At the end of a text, a spelling that is cut off is hidden if it has this many characters or more. */
const SHORTEST_CUT = 5;

const MONTHS = [
  ...['JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE'],
  ...['JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER'],
];

const TWO_DIGITS = /[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*/gu;

/**
 * Returns a function that blanks document numbers, birth dates and days of expiry in a text of the airline, in any usual
 * spelling: `17APR1991`, `19910417`, `April 17, 1991`, a number in small letters or with spaces.
 */
export function blanking(people: readonly Hidden[]): (text: string) => string {
  const allSpellings = people.flatMap(({ birthDate, document }) => [
    ...dateSpellings(birthDate),
    ...numberSpellings(document?.number),
    ...dateSpellings(document?.expires),
  ]);
  const spellings = [...new Set(allSpellings)];
  if (spellings.length === 0) return (text) => text;
  return (text) => {
    const folded = foldWithPlaces(text);
    const isHidden = new Set(spellings.flatMap((spelling) => placesIn(folded, spelling)));
    if (isHidden.size === 0) return text;
    return [...text].map((character, i) => blankedAt(isHidden, i) ?? character).join('');
  };
}

/** What replaces a hidden character: one mark for all adjacent ones. Undefined for a character that is shown. */
function blankedAt(isHidden: ReadonlySet<number>, i: number): string | undefined {
  if (!isHidden.has(i)) return undefined;
  return isHidden.has(i - 1) ? '' : BLANK;
}

/** Blanks every word with two digits or more as well: a text can repeat what the booking itself does not show. */
export function blankNumbers(text: string, blank: (text: string) => string): string {
  return blank(text).replace(TWO_DIGITS, BLANK);
}

interface Folded {
  /** Letters and digits of ASCII in capitals, nothing between them. */
  readonly text: string;
  /** The place of each in the original, counted in characters. */
  readonly places: readonly number[];
}

function foldWithPlaces(original: string): Folded {
  const places: number[] = [];
  let text = '';
  for (const [i, character] of [...original].entries()) {
    for (const part of foldedCharacter(character)) {
      text += part;
      places.push(i);
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

/** The places of all characters of a spelling in a text, with the characters between them. */
function placesIn({ text, places }: Folded, spelling: string): number[] {
  const hidden: number[] = [];
  for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + 1)) {
    const [first = 0, last = 0] = [places[at], places[at + spelling.length - 1]];
    const isAlone = places[at - 1] !== first - 1 && places[at + spelling.length] !== last + 1;
    const isOneWord = last - first === spelling.length - 1;
    if (spelling.length < SHORTEST_SURE && !(isAlone && isOneWord)) continue;
    for (let i = first; i <= last; i++) hidden.push(i);
  }
  // The text may be cut off within a number.
  for (let length = spelling.length - 1; length >= SHORTEST_CUT; length--) {
    if (!text.endsWith(spelling.slice(0, length))) continue;
    for (let i = places[text.length - length] ?? 0; i <= (places.at(-1) ?? 0); i++) hidden.push(i);
  }
  return hidden;
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
