/** Stores which clients answered dialogs that no person can have seen. */
import type { Client, Unseen, UnseenDialogs } from '../approvals/ports.ts';
import { omitUndefined } from '../core/omit-undefined.ts';
import type { Caller } from '../domain/people/caller.ts';
import type { Database, Row } from './database.ts';

export class StoredUnseenDialogs implements UnseenDialogs {
  readonly #db: Database;
  readonly #table: string;

  constructor(db: Database) {
    this.#db = db.beforehand;
    this.#table = `${db.dialect.prefix}unseen_dialog`;
  }

  async add({ tenant, id }: Caller, { name, version }: Client, { at, tookMs }: Unseen, since: number): Promise<void> {
    const sql = `insert into ${this.#table} as known(tenant, caller, client, version, times, took_ms, at)
      values (?, ?, ?, ?, 1, ?, ?) on conflict (tenant, caller, client, version) do update
      set times = known.times + 1, took_ms = excluded.took_ms, at = excluded.at`;
    // Clients name themselves as they like, so old names must not pile up.
    await this.#db.run(`delete from ${this.#table} where at < ?`, since);
    await this.#db.run(sql, tenant, id, name, version, tookMs ?? null, at);
  }

  async clear({ tenant, id }: Caller, { name, version }: Client): Promise<void> {
    // After a power failure the page asks once more where the dialog would.
    const sql = `delete from ${this.#table} where tenant = ? and caller = ? and client = ? and version = ?
      and ${this.#db.dialect.lightly}`;
    await this.#db.runLightly(sql, tenant, id, name, version);
  }

  async last(
    { tenant, id }: Caller,
    { name, version }: Client,
    since: number,
    times: number,
  ): Promise<Unseen | undefined> {
    const sql = `select * from ${this.#table}
      where tenant = ? and caller = ? and client = ? and version = ? and at >= ? and times >= ?`;
    const row = await this.#db.get(sql, tenant, id, name, version, since, times);
    return row && toUnseen(row);
  }

  async list(since: number): Promise<readonly (Client & Unseen)[]> {
    const sql = `select * from ${this.#table} where at >= ? and times >= 2 order by client, version, caller`;
    const rows = await this.#db.all(sql, since);
    return rows.map((row) => ({ name: String(row.client), version: String(row.version), ...toUnseen(row) }));
  }
}

function toUnseen({ took_ms: tookMs, at }: Row): Unseen {
  return { at: Number(at), ...omitUndefined({ tookMs: tookMs === null ? undefined : Number(tookMs) }) };
}
