/** Stores who does work that one process at a time may do for all who share the store. */
import type { Leases } from '../journal/ports.ts';
import type { Database } from './database.ts';

export class StoredLeases implements Leases {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforehand;
    this.#table = `${db.dialect.prefix}lease`;
  }

  async take(name: string, owner: string, until: number, now: number): Promise<boolean> {
    const sql = `insert into ${this.#table} as held(name, owner, lease_until) values (?, ?, ?) on conflict (name) do update
      set owner = excluded.owner, lease_until = excluded.lease_until where held.owner = excluded.owner or held.lease_until <= ?`;
    return (await this.#db.run(sql, name, owner, until, now)) === 1;
  }

  async end(name: string, owner: string): Promise<void> {
    await this.#db.run(`delete from ${this.#table} where name = ? and owner = ?`, name, owner);
  }
}
