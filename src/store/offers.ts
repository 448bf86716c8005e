/**
 * Stores offers for an hour. Offers that are shown together are one row, a page. A handle is easy to copy
 * and hard to guess:
 *
 *     o7kpx4a   the page's name: `o` and six random letters or digits
 *     o7kpx4ac  the offer: the page and its place on it, `c` for the third
 *     o7kpx4acm the handle: the offer and a letter that checks it
 */
import { randomInt } from 'node:crypto';
import { APPROVAL_MS } from '../approvals/expiry.ts';
import { HOUR_MS } from '../core/times.ts';
import type { OfferStore, ShelvedOffer } from '../domain/booking/offers.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Database } from './database.ts';

/** How long offers are kept, milliseconds: an hour, and as long as a question waits that was asked about one. */
export const OFFER_LIFE_MS = HOUR_MS + APPROVAL_MS;

/** Leaves out letters and digits that look alike. Their number is prime, for {@link checkLetter}. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** How many offers one page may have: each has a letter for its place. */
const MOST_TOGETHER = ALPHABET.length;

const NAME_LETTERS = 6;

export class StoredOffers implements OfferStore {
  readonly #db: Database;
  readonly #table: string;
  readonly #now: () => number;

  constructor(db: Database, now: () => number) {
    this.#db = db.beforeSending;
    this.#table = `${db.dialect.prefix}offer`;
    this.#now = now;
  }

  async put({ tenant }: Caller, offers: readonly ShelvedOffer[]): Promise<readonly string[]> {
    const count = Math.ceil(offers.length / MOST_TOGETHER);
    const handles = Array.from({ length: count }, async (_, page) => {
      const together = offers.slice(page * MOST_TOGETHER, (page + 1) * MOST_TOGETHER);
      const name = await this.#putPage(tenant, together);
      return together.map((_, place) => handleAt(name, place));
    });
    return (await Promise.all(handles)).flat();
  }

  async get({ tenant }: Caller, handle: string): Promise<ShelvedOffer | undefined> {
    const found = findPlace(handle);
    if (found === undefined) return undefined;
    const since = this.#now() - OFFER_LIFE_MS;
    const sql = `select body from ${this.#table} where tenant = ? and handle = ? and shown_at >= ?`;
    const row = await this.#db.get(sql, tenant, found.name, since);
    return row && (JSON.parse(String(row.body)) as readonly ShelvedOffer[])[found.place];
  }

  /** Stores a page under a name that none has, and returns the name. */
  async #putPage(tenant: string, offers: readonly ShelvedOffer[]): Promise<string> {
    const name = newName();
    const sql = `insert into ${this.#table}(tenant, handle, shown_at, body)
      select ?,?,?,? where ${this.#db.dialect.mayBeLost} on conflict do nothing`;
    const shownAt = Math.min(...offers.map((offer) => offer.shownAt));
    const isStored = (await this.#db.writeThatMayBeLost(sql, tenant, name, shownAt, JSON.stringify(offers))) === 1;
    return isStored ? name : this.#putPage(tenant, offers);
  }
}

function newName(): string {
  return `o${Array.from({ length: NAME_LETTERS }, () => letter(randomInt(ALPHABET.length))).join('')}`;
}

function letter(n: number): string {
  return ALPHABET[n % ALPHABET.length] ?? '';
}

/** The handle of an offer, by the name of its page and its place on it, from 0. */
function handleAt(name: string, place: number): string {
  const offer = name + letter(place);
  return offer + checkLetter(offer);
}

/** Reads the page and the place from a handle. Undefined if the text is not such a handle. */
function findPlace(handle: string): { readonly name: string; readonly place: number } | undefined {
  const name = handle.slice(0, NAME_LETTERS + 1);
  const place = ALPHABET.indexOf(handle.charAt(name.length));
  const isHandle = place >= 0 && name.startsWith('o') && handleAt(name, place) === handle;
  return isHandle ? { name, place } : undefined;
}

/** A letter that changes with every other letter of the text, and with its place: a weighted sum modulo a prime. */
function checkLetter(text: string): string {
  return letter([...text].reduce((sum, one) => sum * 6 + ALPHABET.indexOf(one) + 1, 0));
}
