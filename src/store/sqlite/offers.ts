/**
 * Stores offers on SQLite for an hour. Offers that are shown together are one row, a page, because SQLite writes a page
 * of the file for each row. ../offers.ts says how handles are made.
 */
import { HOUR_MS } from '../../core/times.ts';
import type { Caller } from '../../domain/people/caller.ts';
import type { OfferStore, ShelvedOffer } from '../../domain/pricing/offers.ts';
import { blockNames, findPlace, handleAt, MOST_TOGETHER, newBlock, OFFER_LIFE_MS, OfferQuota } from '../offers.ts';
import type { SqliteDatabase } from './database.ts';
import type { WriteBehind } from './write-behind.ts';

interface Page {
  readonly tenant: string;
  readonly offers: readonly ShelvedOffer[];
}

/** How long a process uses the names of a block that it reserved, milliseconds. */
const BLOCK_MS = HOUR_MS;
/** The tenant of rows that reserve blocks: no caller has an empty tenant. */
const NOBODY = '';

export class SqliteOffers implements OfferStore {
  readonly #db: SqliteDatabase;
  readonly #behind: WriteBehind;
  readonly #now: () => number;
  readonly #quota = new OfferQuota();
  readonly #names: OfferNames;
  /** Pages whose row is not written yet. */
  readonly #fresh = new Map<string, Page>();

  constructor(db: SqliteDatabase, behind: WriteBehind, now: () => number) {
    this.#db = db;
    this.#behind = behind;
    this.#now = now;
    this.#names = new OfferNames(db, now);
  }

  async put(caller: Caller, offers: readonly ShelvedOffer[]): Promise<readonly string[]> {
    this.#quota.take(caller, offers.length, this.#now());
    const { tenant } = caller;
    const handles: string[] = [];
    for (let from = 0; from < offers.length; from += MOST_TOGETHER) {
      const together = offers.slice(from, from + MOST_TOGETHER);
      const name = this.#names.next();
      this.#fresh.set(name, { tenant, offers: together });
      this.#behind.add(
        () => this.#write(name),
        () => this.#fresh.delete(name),
      );
      handles.push(...together.map((_, place) => handleAt(name, place)));
    }
    return handles;
  }

  async get({ tenant }: Caller, handle: string): Promise<ShelvedOffer | undefined> {
    const found = findPlace(handle);
    if (found === undefined) return undefined;
    const since = this.#now() - OFFER_LIFE_MS;
    const fresh = this.#fresh.get(found.name);
    if (fresh !== undefined) {
      // Writes the offer now: it may be booked, and another process must find it if the call is repeated there.
      this.#behind.tryFlush();
      const offer = fresh.tenant === tenant ? fresh.offers[found.place] : undefined;
      return offer !== undefined && offer.shownAt >= since ? offer : undefined;
    }
    const sql = 'select body from offer where tenant = ? and handle = ? and shown_at >= ?';
    const row = this.#db.get(sql, tenant, found.name, since);
    return row && (JSON.parse(String(row.body)) as readonly ShelvedOffer[])[found.place];
  }

  #write(name: string): void {
    const page = this.#fresh.get(name);
    if (page === undefined) return;
    const shownAt = Math.min(...page.offers.map((offer) => offer.shownAt));
    const sql = 'insert into offer(tenant, handle, shown_at, body) values(?,?,?,?)';
    this.#db.run(sql, page.tenant, name, shownAt, JSON.stringify(page.offers));
  }
}

/** Page names come from blocks that one process reserves, because names are used before their rows are written. */
class OfferNames {
  readonly #db: SqliteDatabase;
  readonly #now: () => number;
  #names: string[] = [];
  /** Until when the names of the block may be used, milliseconds since 1970. */
  #until = 0;

  constructor(db: SqliteDatabase, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  next(): string {
    const name = this.#now() < this.#until ? this.#names.pop() : undefined;
    if (name !== undefined) return name;
    this.#names = blockNames(this.#reserveBlock());
    this.#until = this.#now() + BLOCK_MS;
    return this.next();
  }

  /** Reserves a block with which no used name begins. Its row outlives the last of its names. */
  #reserveBlock(): string {
    return this.#db.transaction(() => {
      for (;;) {
        const block = newBlock();
        const used = this.#db.get('select 1 from offer where handle >= ? and handle < ? limit 1', block, `${block}~`);
        if (used !== undefined) continue;
        const sql = 'insert into offer(tenant, handle, shown_at, body) values(?,?,?,?)';
        this.#db.run(sql, NOBODY, block, this.#now() + BLOCK_MS + OFFER_LIFE_MS, '');
        return block;
      }
    });
  }
}
