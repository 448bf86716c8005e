/** Stores offers on PostgreSQL for an hour, each in a row of its own. */
import type { Caller } from '../../domain/people/caller.ts';
import type { OfferStore, ShelvedOffer } from '../../domain/pricing/offers.ts';
import { newOfferHandle, OFFER_LIFE_MS, OfferQuota } from '../offers.ts';
import type { PostgresDatabase } from './database.ts';

export class PostgresOffers implements OfferStore {
  readonly #db: PostgresDatabase;
  readonly #schema: string;
  readonly #now: () => number;
  readonly #quota = new OfferQuota();

  constructor(db: PostgresDatabase, now: () => number) {
    this.#db = db.beforehand;
    this.#schema = db.schema;
    this.#now = now;
  }

  /**
   * Stores all offers by one statement, and by further ones those whose random handle was in use. A crash of the server
   * may lose them.
   */
  async put(caller: Caller, offers: readonly ShelvedOffer[]): Promise<readonly string[]> {
    this.#quota.take(caller, offers.length, this.#now());
    const { tenant } = caller;
    /** The handle of each offer, by its place in the list. */
    const handles = new Map<number, string>();
    let unshelved = offers.map((offer, place) => ({ place, offer }));
    while (unshelved.length > 0) {
      const fresh = new Map(unshelved.map((offer) => [newOfferHandle(), offer]));
      const rows = [...fresh].map(([handle, { offer }]) => ({
        handle,
        at: offer.shownAt,
        body: JSON.stringify(offer),
      }));
      const shelved = await this.#db.all(
        `insert into ${this.#schema}.offer(tenant, handle, shown_at, body)
         select $1, r->>'handle', (r->>'at')::bigint, r->>'body' from json_array_elements($2::text::json) r
         where ${this.#db.dialect.lightly}
         on conflict do nothing returning handle`,
        ...[tenant, JSON.stringify(rows)],
      );
      for (const row of shelved) {
        const handle = String(row.handle);
        const entry = fresh.get(handle);
        if (entry !== undefined) handles.set(entry.place, handle);
      }
      unshelved = unshelved.filter(({ place }) => !handles.has(place));
    }
    return offers.map((_, place) => handles.get(place) ?? '');
  }

  async get({ tenant }: Caller, handle: string): Promise<ShelvedOffer | undefined> {
    const sql = `select body from ${this.#schema}.offer where tenant = $1 and handle = $2 and shown_at >= $3`;
    const row = await this.#db.get(sql, tenant, handle, this.#now() - OFFER_LIFE_MS);
    return row && (JSON.parse(String(row.body)) as ShelvedOffer);
  }
}
