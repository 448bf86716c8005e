/**
 * Stores offers for an hour, and limits how many a caller can have stored ({@link OfferQuota}). Offers that are shown
 * together are one row, a page. A handle is easy to copy and hard to guess:
 *
 *     o7kpx4a   the page's name: `o` and six random letters or digits
 *     o7kpx4ac  the offer: the page and its place on it, `c` for the third
 *     o7kpx4acm the handle: the offer and a letter that checks it
 */
import { randomInt } from 'node:crypto';
import { APPROVAL_MS } from '../approvals/expiry.ts';
import { ClerkError } from '../core/errors.ts';
import { HOUR_MS } from '../core/times.ts';
import type { OfferStore, ShelvedOffer } from '../domain/booking/offers.ts';
import { type Caller, withoutApplication } from '../domain/people/caller.ts';
import type { Database } from './database.ts';

/** How long offers are kept, milliseconds: an hour, and as long as a question waits that was asked about one. */
export const OFFER_LIFE_MS = HOUR_MS + APPROVAL_MS;

/** Leaves out letters and digits that look alike. Their number is prime, for {@link checkLetter}. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** How many offers one page may have: each has a letter for its place. */
const MOST_TOGETHER = ALPHABET.length;

const NAME_LETTERS = 6;

/** How many offers one caller can have stored, about 150 MB. A person reads a few thousand in an hour. */
const MOST_OFFERS = 200_000;

/** How long names that were looked up count as free, milliseconds: other processes draw, too. */
const NAMES_FREE_MS = 60_000;

/** Names of pages that nobody had when they were looked up. */
interface FreeNames {
  readonly tenant: string;
  readonly names: string[];
  /** Until when they count as free, milliseconds since 1970. */
  readonly until: number;
}

interface Page {
  readonly tenant: string;
  readonly offers: readonly ShelvedOffer[];
}

/** Delays writes, and writes them at once if asked (sqlite/write-behind.ts). */
interface LaterWrites {
  add(write: () => void, over: () => void): void;
  tryFlush(): void;
}

export class StoredOffers implements OfferStore {
  readonly #db: Database;
  readonly #table: string;
  readonly #now: () => number;
  readonly #later: LaterWrites | undefined;
  readonly #quota = new OfferQuota();
  /** Pages that are not written yet, by name. */
  readonly #unwritten = new Map<string, Page>();
  #free: FreeNames = { tenant: '', names: [], until: 0 };

  /** @param later delays pages; absent, each is awaited */
  constructor(db: Database, now: () => number, later?: LaterWrites) {
    this.#db = db.beforehand;
    this.#table = `${db.dialect.prefix}offer`;
    this.#now = now;
    this.#later = later;
  }

  async put(caller: Caller, offers: readonly ShelvedOffer[]): Promise<readonly string[]> {
    this.#quota.take(caller, offers.length, this.#now());
    const count = Math.ceil(offers.length / MOST_TOGETHER);
    const handles = Array.from({ length: count }, async (_, page) => {
      const together = offers.slice(page * MOST_TOGETHER, (page + 1) * MOST_TOGETHER);
      const name = await this.#putPage({ tenant: caller.tenant, offers: together });
      return together.map((_, place) => handleAt(name, place));
    });
    return (await Promise.all(handles)).flat();
  }

  async get({ tenant }: Caller, handle: string): Promise<ShelvedOffer | undefined> {
    const found = findPlace(handle);
    if (found === undefined) return undefined;
    const since = this.#now() - OFFER_LIFE_MS;
    const unwritten = this.#unwritten.get(found.name);
    if (unwritten !== undefined) {
      // Writes the page now: its offer may be booked, and another process must find it if the call is repeated there.
      this.#later?.tryFlush();
      const offer = unwritten.tenant === tenant ? unwritten.offers[found.place] : undefined;
      return offer !== undefined && offer.shownAt >= since ? offer : undefined;
    }
    const sql = `select body from ${this.#table} where tenant = ? and handle = ? and shown_at >= ?`;
    const row = await this.#db.get(sql, tenant, found.name, since);
    return row && (JSON.parse(String(row.body)) as readonly ShelvedOffer[])[found.place];
  }

  /** Stores a page under a name that none has, and returns the name. */
  async #putPage(page: Page): Promise<string> {
    if (this.#later === undefined) {
      const name = newName();
      const isStored = (await this.#db.runLightly(...this.#insertion(name, page))) === 1;
      return isStored ? name : this.#putPage(page);
    }
    const name = await this.#freeName(page.tenant);
    this.#unwritten.set(name, page);
    this.#later.add(
      // Only SQLite delays pages, and its `run` has written once it returns: there is no promise to await.
      () => void this.#db.run(...this.#insertion(name, page)),
      () => this.#unwritten.delete(name),
    );
    return name;
  }

  /** A name that no page of the tenant has. Those of a block are looked up together, and lie together in the table. */
  async #freeName(tenant: string): Promise<string> {
    const now = this.#now();
    const name = this.#free.tenant === tenant && now < this.#free.until ? this.#free.names.pop() : undefined;
    if (name !== undefined && !this.#unwritten.has(name)) return name;
    const block = newName().slice(0, -1);
    const sql = `select 1 from ${this.#table} where tenant = ? and handle >= ? and handle < ? limit 1`;
    const used = await this.#db.get(sql, tenant, block, `${block}~`);
    const names = used === undefined ? [...ALPHABET].map((last) => block + last) : [];
    this.#free = { tenant, names, until: now + NAMES_FREE_MS };
    return this.#freeName(tenant);
  }

  #insertion(name: string, { tenant, offers }: Page) {
    const sql = `insert into ${this.#table}(tenant, handle, shown_at, body)
      select ?,?,?,? where ${this.#db.dialect.lightly} on conflict do nothing`;
    const shownAt = Math.min(...offers.map((offer) => offer.shownAt));
    return [sql, tenant, name, shownAt, JSON.stringify(offers)] as const;
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
class OfferQuota {
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
