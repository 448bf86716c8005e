/** Short names for offers: easy to copy, hard to guess. */
import { randomInt } from 'node:crypto';

/** How long offers are kept, milliseconds: an hour, and the ten minutes of a question that was asked about one. */
export const OFFER_LIFE_MS = 70 * 60_000;

/** Leaves out letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

const letter = (n: number): string => ALPHABET[n % ALPHABET.length] ?? '';

function letters(count: number): string {
  return Array.from({ length: count }, () => letter(randomInt(ALPHABET.length))).join('');
}

/** `o` and seven letters and digits. */
export function newOfferHandle(): string {
  return `o${letters(7)}`;
}

export const MOST_TOGETHER = ALPHABET.length;

/** Start of page names: `o` and three letters and digits. */
export function blockOf(): string {
  return `o${letters(3)}`;
}

/** All page names of a block, which adds two letters and digits, in random order. */
export function namesOf(block: string): string[] {
  const names = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => block + first + second));
  for (let i = names.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [names[i], names[j]] = [names[j] ?? '', names[i] ?? ''];
  }
  return names;
}

const NAME_LENGTH = 6;

/** The handle of an offer: name of its page, place on it, and two letters that check both. */
export function handleAt(name: string, place: number): string {
  const named = name + letter(place);
  return named + checkOf(named);
}

/** Returns undefined for a text that is not such a handle. */
export function placeOf(handle: string): { readonly name: string; readonly place: number } | undefined {
  const named = handle.slice(0, NAME_LENGTH + 1);
  const place = ALPHABET.indexOf(named.charAt(NAME_LENGTH));
  if (handle.length !== NAME_LENGTH + 3 || place < 0 || named + checkOf(named) !== handle) return undefined;
  return { name: named.slice(0, NAME_LENGTH), place };
}

/** Two letters that change with every letter of the text and with its place (a sum weighted modulo a prime). */
function checkOf(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 37 + text.charCodeAt(i)) % 953;
  return letter(sum) + letter(Math.floor(sum / ALPHABET.length));
}
