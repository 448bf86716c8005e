/**
 * Offers on SQLite, for a day.
 */
import type { Caller, OfferShelf, ShelvedOffer } from '../domain/state.ts';
import { handleAt, MOST_TOGETHER, newShelfName, OFFER_LIFE_MS, placeOf } from './offer-handle.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

export class SqliteOffers implements OfferShelf {
  readonly #db: SqliteDatabase;
  readonly #now: () => number;
  #forgetAt = 0;

  constructor(db: SqliteDatabase, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  async put({ tenant }: Caller, offers: readonly ShelvedOffer[]): Promise<readonly string[]> {
    if (offers.length === 0) return [];
    return this.#db.lightly(() =>
      this.#db.transaction<readonly string[]>(() => {
        this.#forget();
        const shelves = Array.from({ length: Math.ceil(offers.length / MOST_TOGETHER) }, (_, i) =>
          offers.slice(i * MOST_TOGETHER, (i + 1) * MOST_TOGETHER),
        );
        return shelves.flatMap((together) => this.#shelve(tenant, together));
      }),
    );
  }

  /** Once a minute: old offers are not given out in any case. */
  #forget(): void {
    const now = this.#now();
    if (now < this.#forgetAt) return;
    this.#db.run('delete from offer where shown_at < ?', now - OFFER_LIFE_MS);
    this.#forgetAt = now + 60_000;
  }

  /** One row for many: a page of the file is written for each row. */
  #shelve(tenant: string, offers: readonly ShelvedOffer[]): readonly string[] {
    const sql = 'insert into offer(tenant, handle, shown_at, body) values(?,?,?,?) on conflict do nothing';
    const shownAt = Math.min(...offers.map((offer) => offer.shownAt));
    const body = JSON.stringify(offers);
    for (;;) {
      const shelf = newShelfName();
      if (this.#db.run(sql, tenant, shelf, shownAt, body) === 1) return offers.map((_, i) => handleAt(shelf, i));
    }
  }

  async get({ tenant }: Caller, handle: string): Promise<ShelvedOffer | undefined> {
    const at = placeOf(handle);
    if (at === undefined) return undefined;
    const sql = 'select body from offer where tenant = ? and handle = ? and shown_at >= ?';
    const row = this.#db.get(sql, tenant, at.shelf, this.#now() - OFFER_LIFE_MS);
    return row && (JSON.parse(String(row.body)) as readonly ShelvedOffer[])[at.place];
  }
}
