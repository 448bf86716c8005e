/**
 * Short names for offers: easy to copy, hard to hit by chance.
 */
import { randomInt } from 'node:crypto';

/** Offers are forgotten after a day. */
export const OFFER_LIFE_MS = 24 * 60 * 60_000;

/** No letters or digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

const letter = (n: number): string => ALPHABET[n % ALPHABET.length] ?? '';

function letters(count: number): string {
  return Array.from({ length: count }, () => letter(randomInt(ALPHABET.length))).join('');
}

/** `o` and seven letters and digits. */
export function newOfferHandle(): string {
  return `o${letters(7)}`;
}

/** As many offers can be kept under one name. */
export const MOST_TOGETHER = ALPHABET.length;

/** The beginning of {@link namesOf} names: `o` and three letters and digits. */
export function blockOf(): string {
  return `o${letters(3)}`;
}

/** What offers are kept under together: a block and two letters and digits, in no order that could be guessed. */
export function namesOf(block: string): string[] {
  const names = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => block + first + second));
  for (let i = names.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [names[i], names[j]] = [names[j] ?? '', names[i] ?? ''];
  }
  return names;
}

const SHELF_LENGTH = 6;

/** The handle of one of them: the name, its place, and two letters by which a slip of either is noticed. */
export function handleAt(shelf: string, place: number): string {
  const named = shelf + letter(place);
  return named + checkOf(named);
}

/** Undefined for what is no handle of that kind. */
export function placeOf(handle: string): { readonly shelf: string; readonly place: number } | undefined {
  const named = handle.slice(0, SHELF_LENGTH + 1);
  const place = ALPHABET.indexOf(named.charAt(SHELF_LENGTH));
  if (handle.length !== SHELF_LENGTH + 3 || place < 0 || named + checkOf(named) !== handle) return undefined;
  return { shelf: named.slice(0, SHELF_LENGTH), place };
}

/** Two letters that change with every letter of the text and with its place (a sum weighted modulo a prime). */
function checkOf(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 37 + text.charCodeAt(i)) % 953;
  return letter(sum) + letter(Math.floor(sum / ALPHABET.length));
}
