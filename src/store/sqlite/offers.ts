/**
 * Offers on SQLite, for a day.
 */

import type { Caller } from '../../domain/people/caller.ts';
import type { OfferStore, ShelvedOffer } from '../../domain/pricing/offer-store.ts';
import { handleAt, MOST_TOGETHER, OFFER_LIFE_MS, placeOf } from '../offer-handle.ts';
import { OfferNames } from '../offer-names.ts';
import type { LightWrites } from '../write-behind.ts';
import type { SqliteDatabase } from './database.ts';

/** Shown together, and kept in one row: a page of the file is written for each row. */
interface Shelf {
  readonly tenant: string;
  readonly offers: readonly ShelvedOffer[];
}

export class SqliteOffers implements OfferStore {
  readonly #db: SqliteDatabase;
  readonly #light: LightWrites;
  readonly #now: () => number;
  readonly #names: OfferNames;
  /** Those whose row is not written yet. */
  readonly #fresh = new Map<string, Shelf>();
  #forgetAt = 0;

  constructor(db: SqliteDatabase, light: LightWrites, now: () => number) {
    this.#db = db;
    this.#light = light;
    this.#now = now;
    this.#names = new OfferNames(db, now);
  }

  async put({ tenant }: Caller, offers: readonly ShelvedOffer[]): Promise<readonly string[]> {
    const handles: string[] = [];
    for (let from = 0; from < offers.length; from += MOST_TOGETHER) {
      const together = offers.slice(from, from + MOST_TOGETHER);
      const name = this.#names.next();
      this.#fresh.set(name, { tenant, offers: together });
      this.#light.add(
        () => this.#write(name),
        () => this.#fresh.delete(name),
      );
      handles.push(...together.map((_, place) => handleAt(name, place)));
    }
    return handles;
  }

  async get({ tenant }: Caller, handle: string): Promise<ShelvedOffer | undefined> {
    const at = placeOf(handle);
    if (at === undefined) return undefined;
    const since = this.#now() - OFFER_LIFE_MS;
    const fresh = this.#fresh.get(at.shelf);
    if (fresh !== undefined) {
      // What is taken may be booked: a repeat that another process gets is known by it.
      this.#light.write();
      const offer = fresh.tenant === tenant ? fresh.offers[at.place] : undefined;
      return offer !== undefined && offer.shownAt >= since ? offer : undefined;
    }
    const sql = 'select body from offer where tenant = ? and handle = ? and shown_at >= ?';
    const row = this.#db.get(sql, tenant, at.shelf, since);
    return row && (JSON.parse(String(row.body)) as readonly ShelvedOffer[])[at.place];
  }

  #write(name: string): void {
    const shelf = this.#fresh.get(name);
    if (shelf === undefined) return;
    this.#forget();
    const shownAt = Math.min(...shelf.offers.map((offer) => offer.shownAt));
    const sql = 'insert into offer(tenant, handle, shown_at, body) values(?,?,?,?)';
    this.#db.run(sql, shelf.tenant, name, shownAt, JSON.stringify(shelf.offers));
  }

  /** Once a minute: old offers are not given out in any case. */
  #forget(): void {
    const now = this.#now();
    if (now < this.#forgetAt) return;
    this.#db.run('delete from offer where shown_at < ?', now - OFFER_LIFE_MS);
    this.#forgetAt = now + 60_000;
  }
}
