/** Keys of details forms on PostgreSQL, in a table of which the write-ahead log has nothing. */
import type { FormKeys } from '../details.ts';
import type { PostgresDatabase } from './database.ts';

/**
 * A key is made by the server, so that no log of statements has it.
 *
 * A crash of the server empties the table, and a standby that takes over has none: open forms are over then.
 */
export class PostgresFormKeys implements FormKeys {
  readonly #db: PostgresDatabase;
  readonly #now: () => number;

  constructor(db: PostgresDatabase, now: () => number) {
    this.#db = db.beforehand;
    this.#now = now;
  }

  async find(idHash: string): Promise<Uint8Array | undefined> {
    const row = await this.#db.get(`select key from ${this.#db.schema}.form_key where id_hash = $1`, idHash);
    return row && bytesOf(row.key);
  }

  async make(idHash: string): Promise<Uint8Array> {
    const { schema } = this.#db;
    const random = `replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`;
    // An update of itself, so that the key of another process comes back.
    const row = await this.#db.change(
      `insert into ${schema}.form_key as kept (id_hash, key) values ($1, ${random})
       on conflict (id_hash) do update set key = kept.key returning key`,
      idHash,
    );
    return bytesOf(row?.key);
  }

  async eraseOver(): Promise<void> {
    await this.#db.change(`select ${this.#db.schema}.erase_form_keys(at => $1::bigint)`, this.#now());
  }
}

const bytesOf = (key: unknown): Uint8Array => Buffer.from(String(key), 'hex');
