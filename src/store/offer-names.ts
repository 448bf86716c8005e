/**
 * Names of shelves, out of blocks that belong to one process each: a name is given out before its row is written, and
 * no other process may give out the same.
 */
import { blockOf, namesOf, OFFER_LIFE_MS } from './offer-handle.ts';
import type { SqliteDatabase } from './sqlite/database.ts';

/** How long names of a block are given out, milliseconds. */
const BLOCK_MS = 60 * 60_000;
/** Whose rows the blocks are: no caller has an empty tenant. */
const NOBODY = '';

export class OfferNames {
  readonly #db: SqliteDatabase;
  readonly #now: () => number;
  #names: string[] = [];
  #until = 0;

  constructor(db: SqliteDatabase, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  next(): string {
    const name = this.#now() < this.#until ? this.#names.pop() : undefined;
    if (name !== undefined) return name;
    this.#names = namesOf(this.#claim());
    this.#until = this.#now() + BLOCK_MS;
    return this.next();
  }

  /** A block that stands before no name which is still kept. Its row outlives the last of its names. */
  #claim(): string {
    return this.#db.transaction(() => {
      for (;;) {
        const block = blockOf();
        const used = this.#db.get('select 1 from offer where handle >= ? and handle < ? limit 1', block, `${block}~`);
        if (used !== undefined) continue;
        const sql = 'insert into offer(tenant, handle, shown_at, body) values(?,?,?,?)';
        this.#db.run(sql, NOBODY, block, this.#now() + BLOCK_MS + OFFER_LIFE_MS, '');
        return block;
      }
    });
  }
}
