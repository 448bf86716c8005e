/** Shares the airline's access token, sealed, between the processes of a state. */
import { DAY_MS } from '../core/times.ts';
import type { LoginStore, StoredLogin } from '../domain/login-store.ts';
import type { Database } from './database.ts';

export class StoredLogins implements LoginStore {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforeSending;
    this.#table = `${db.dialect.prefix}login`;
  }

  async read(name: string): Promise<StoredLogin | undefined> {
    const { clock } = this.#db.dialect;
    const row = await this.#db.get(
      `select token, ${clock} - stored_at as age from ${this.#table} where name = ?`,
      name,
    );
    return row === undefined ? undefined : { sealed: String(row.token), ageMs: Number(row.age) };
  }

  /** Removes tokens of other logins that nobody has stored anew for a day. */
  async write(name: string, sealed: string): Promise<void> {
    const { clock, mayBeLost } = this.#db.dialect;
    await this.#db.writeThatMayBeLost(
      `insert into ${this.#table}(name, token, stored_at) select ?, ?, ${clock} where ${mayBeLost}
        on conflict (name) do update set token = excluded.token, stored_at = excluded.stored_at`,
      name,
      sealed,
    );

    await this.#db.writeThatMayBeLost(
      `delete from ${this.#table} where stored_at < ${clock} - ${DAY_MS} and ${mayBeLost}`,
    );
  }
}
