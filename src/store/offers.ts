/**
 * Makes and checks handles of offers, which are easy to copy and hard to guess, and limits how many offers a caller can
 * have stored ({@link OfferQuota}).
 *
 * PostgreSQL has a row for each offer, with a random handle. SQLite has a row for each page of offers that are shown
 * together, and a handle is made of these parts:
 *
 *     o7kp      a block of names, which one process reserves: `o` and three letters or digits
 *     o7kpx4    the page's name: the block and two more
 *     o7kpx4c   the offer: the page and its place on it, `c` for the third
 *     o7kpx4cmw the handle: the offer and two letters that check it
 */
import { randomInt } from 'node:crypto';
import { APPROVAL_MS } from '../approvals/expiry.ts';
import { ClerkError } from '../core/errors.ts';
import { HOUR_MS } from '../core/times.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';

/** How long offers are kept, milliseconds: an hour, and as long as a question waits that was asked about one. */
export const OFFER_LIFE_MS = HOUR_MS + APPROVAL_MS;

/** Leaves out letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** How many offers one page may have: each has a letter for its place. */
export const MOST_TOGETHER = ALPHABET.length;

/** Characters of a page's name: the four of its block, and two. */
const NAME_LENGTH = 6;

/** How many offers one caller can have stored, about 150 MB. A person reads a few thousand in an hour. */
const MOST_OFFERS = 200_000;

function letter(n: number): string {
  return ALPHABET[n % ALPHABET.length] ?? '';
}

function letters(count: number): string {
  return Array.from({ length: count }, () => letter(randomInt(ALPHABET.length))).join('');
}

/** A random handle on PostgreSQL: `o` and seven letters or digits. */
export function newOfferHandle(): string {
  return `o${letters(7)}`;
}

/** The random name of a block. */
export function newBlock(): string {
  return `o${letters(3)}`;
}

/** All page names of a block, in random order. */
export function blockNames(block: string): string[] {
  const names = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => block + first + second));
  for (let i = names.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    [names[i], names[j]] = [names[j] ?? '', names[i] ?? ''];
  }
  return names;
}

/** The handle of an offer, by the name of its page and its place on it, from 0. */
export function handleAt(name: string, place: number): string {
  const unchecked = name + letter(place);
  return unchecked + checkLetters(unchecked);
}

/** Reads the page and the place from a handle. Undefined if the text is not such a handle. */
export function findPlace(handle: string): { readonly name: string; readonly place: number } | undefined {
  const unchecked = handle.slice(0, NAME_LENGTH + 1);
  const place = ALPHABET.indexOf(unchecked.charAt(NAME_LENGTH));
  const isHandle = handle.length === NAME_LENGTH + 3 && place >= 0 && unchecked + checkLetters(unchecked) === handle;
  if (!isHandle) return undefined;
  return { name: unchecked.slice(0, NAME_LENGTH), place };
}

/** Two letters that change with every letter of the text and with its place (a sum weighted modulo a prime). */
function checkLetters(text: string): string {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 37 + text.charCodeAt(i)) % 953;
  return letter(sum) + letter(Math.floor(sum / ALPHABET.length));
}

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
  readonly #counts = new Map<string, OfferCount>();

  /** Counts new offers. @throws ClerkError E_LIMIT if the caller has too many. */
  take(caller: Caller, offers: number, now: number): void {
    // Counts for the person: each application that they register would bring a quota of its own.
    const { tenant, id } = withoutApplication(caller);
    const key = JSON.stringify([tenant, id]);
    const earlier = this.#counts.get(key);
    const count = earlier !== undefined && now < earlier.until ? earlier : { until: now + OFFER_LIFE_MS, offers: 0 };
    if (count.offers + offers > MOST_OFFERS) throw tooMany(Math.ceil((count.until - now) / 1000));
    count.offers += offers;
    if (count === earlier) return;
    for (const [otherKey, { until }] of this.#counts) if (until <= now) this.#counts.delete(otherKey);
    this.#counts.set(key, count);
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
