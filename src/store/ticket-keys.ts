/** Stores keys of one-time addresses for tickets, as hashes. */
import type { TicketGrant, TicketKeys } from '../domain/booking/ticket-documents.ts';
import type { Database } from './database.ts';

export class StoredTicketKeys implements TicketKeys {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforehand;
    this.#table = `${db.dialect.prefix}ticket_key`;
  }

  /** Also forgets expired keys. A power failure that loses a key makes its address one that is not known. */
  async put(hash: string, grant: TicketGrant, now: number, expiresAt: number): Promise<void> {
    const { lightly } = this.#db.dialect;
    const sql = `insert into ${this.#table}(hash, expires_at, body) select ?, ?, ? where ${lightly}`;
    await Promise.all([
      this.#db.runLightly(sql, hash, expiresAt, JSON.stringify(grant)),
      this.#db.eraseLightly(`delete from ${this.#table} where expires_at <= ? and ${lightly}`, now),
    ]);
  }

  async find(hash: string, now: number): Promise<TicketGrant | undefined> {
    const row = await this.#db.get(`select body from ${this.#table} where hash = ? and expires_at > ?`, hash, now);
    return row && (JSON.parse(String(row.body)) as TicketGrant);
  }

  async spend(hash: string): Promise<boolean> {
    return (await this.#db.run(`delete from ${this.#table} where hash = ?`, hash)) === 1;
  }
}
