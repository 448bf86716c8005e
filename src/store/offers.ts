/**
 * Handles of offers, easy to copy and hard to guess, with how long offers are kept and how many of them a caller can
 * have.
 */
import { randomInt } from 'node:crypto';
import { ClerkError } from '../core/errors.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';

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

/** Offers on one page: each has a letter for its place. */
export const MOST_TOGETHER = ALPHABET.length;

/** Start of page names: `o` and three letters and digits. */
export function newBlock(): string {
  return `o${letters(3)}`;
}

/** All page names of a block, which adds two letters and digits, in random order. */
export function blockNames(block: string): string[] {
  const names = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => block + first + second));
  for (let i = names.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [names[i], names[j]] = [names[j] ?? '', names[i] ?? ''];
  }
  return names;
}

/** Characters of a page's name: a block's four, and two. */
const NAME_LENGTH = 6;

/** The handle of an offer: name of its page, place on it, and two letters that check both. */
export function handleAt(name: string, place: number): string {
  const named = name + letter(place);
  return named + checkLetters(named);
}

/** Returns undefined for a text that is not such a handle. */
export function findPlace(handle: string): { readonly name: string; readonly place: number } | undefined {
  const named = handle.slice(0, NAME_LENGTH + 1);
  const place = ALPHABET.indexOf(named.charAt(NAME_LENGTH));
  if (handle.length !== NAME_LENGTH + 3 || place < 0 || named + checkLetters(named) !== handle) return undefined;
  return { name: named.slice(0, NAME_LENGTH), place };
}

/** Two letters that change with every letter of the text and with its place (a sum weighted modulo a prime). */
function checkLetters(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 37 + text.charCodeAt(i)) % 953;
  return letter(sum) + letter(Math.floor(sum / ALPHABET.length));
}

/** What one caller can have stored: about 150 MB. A person reads a few thousand offers in an hour. */
const MOST_OFFERS = 200_000;

/** What one caller has stored since the count began. */
interface OfferCount {
  /** When the count begins anew, milliseconds since 1970. */
  readonly until: number;
  offers: number;
}

/**
 * Limits the offers that one caller can have stored, so that nobody fills the disk for all. Each process counts its
 * own.
 */
export class OfferQuota {
  readonly #counted = new Map<string, OfferCount>();

  /** Counts new offers. @throws ClerkError E_LIMIT if the caller has too many. */
  take(caller: Caller, offers: number, now: number): void {
    // Of a person: each application that they register would bring a quota of its own.
    const { tenant, id } = withoutApplication(caller);
    const key = JSON.stringify([tenant, id]);
    const known = this.#counted.get(key);
    const ofCaller = known !== undefined && now < known.until ? known : { until: now + OFFER_LIFE_MS, offers: 0 };
    if (ofCaller.offers + offers > MOST_OFFERS) throw tooMany(Math.ceil((ofCaller.until - now) / 1000));
    ofCaller.offers += offers;
    if (ofCaller === known) return;
    for (const [each, { until }] of this.#counted) if (until <= now) this.#counted.delete(each);
    this.#counted.set(key, ofCaller);
  }
}

function tooMany(seconds: number): ClerkError {
  return new ClerkError(
    'E_LIMIT',
    'This caller has found too many offers within the hour. Nothing was sent or booked.',
    {
      next: 'Book one of the offers already shown, or wait and then call search_fares for fewer trips.',
      retry: `after_s:${seconds}`,
    },
  );
}
