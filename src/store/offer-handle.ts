/**
 * Short names for offers: easy to copy, hard to hit by chance.
 */
import { randomInt } from 'node:crypto';

/** Offers are forgotten after a day. */
export const OFFER_LIFE_MS = 24 * 60 * 60_000;

/** No letters or digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** `o` and seven letters and digits. */
export function newOfferHandle(): string {
  return `o${Array.from({ length: 7 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}
