/**
 * Offers on SQLite, for a day.
 */
import type { Caller, OfferShelf, ShelvedOffer } from '../domain/state.ts';
import { newOfferHandle, OFFER_LIFE_MS } from './offer-handle.ts';
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
        return offers.map((offer) => this.#shelve(tenant, offer));
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

  #shelve(tenant: string, offer: ShelvedOffer): string {
    const sql = 'insert into offer(tenant, handle, shown_at, body) values(?,?,?,?) on conflict do nothing';
    for (;;) {
      const handle = newOfferHandle();
      if (this.#db.run(sql, tenant, handle, offer.shownAt, JSON.stringify(offer)) === 1) return handle;
    }
  }

  async get({ tenant }: Caller, handle: string): Promise<ShelvedOffer | undefined> {
    const sql = 'select body from offer where tenant = ? and handle = ? and shown_at >= ?';
    const row = this.#db.get(sql, tenant, handle, this.#now() - OFFER_LIFE_MS);
    return row && (JSON.parse(String(row.body)) as ShelvedOffer);
  }
}
