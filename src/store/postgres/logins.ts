/**
 * Shares the login at the airline on PostgreSQL: one row for each login, with a lease by the database's clock and a
 * generation number. A writer that lost its lease cannot overwrite a newer generation.
 */

import { HOUR_MS } from '../../core/times.ts';
import type { LoginStore, OAuthRefusal, SharedLogin, TokenSet } from '../../domain/login-store.ts';
import type { Row, Value } from '../database.ts';
import type { PostgresDatabase } from './database.ts';
import { CLOCK } from './functions.ts';

export class PostgresLogins implements LoginStore {
  readonly #db: PostgresDatabase;
  readonly #schema: string;

  constructor(db: PostgresDatabase) {
    this.#db = db.beforehand;
    this.#schema = db.schema;
  }

  async read(name: string): Promise<SharedLogin> {
    const sql = `select *, ${CLOCK} as at from ${this.#schema}.login where name = $1`;
    const row = await this.#db.get(sql, name);
    if (row !== undefined) return toLogin(row);
    await this.#db.run(`insert into ${this.#schema}.login(name) values ($1) on conflict do nothing`, name);
    return { generation: 0, ageMs: 0, busy: false, pauseMs: 0, failures: 0 };
  }

  async claim(name: string, generation: number, holder: string, leaseMs: number): Promise<boolean> {
    const sql = `update ${this.#schema}.login set holder = $3, lease_until = ${CLOCK} + $4::bigint
      where name = $1 and generation = $2 and lease_until <= ${CLOCK} and paused_until <= ${CLOCK}`;
    return (await this.#db.run(sql, name, generation, holder, leaseMs)) === 1;
  }

  put(name: string, generation: number, holder: string, tokens: TokenSet, ageMs: number): Promise<boolean> {
    const change = `generation = generation + 1, token = $4, received_at = ${CLOCK} - $5::bigint,
      failures = 0, paused_until = 0, refusal = null, refused_at = '[]'`;
    return this.#end(change, name, generation, holder, JSON.stringify(tokens), Math.ceil(ageMs));
  }

  async pause(name: string, generation: number, holder: string, pauseMs: number): Promise<void> {
    const change = `failures = failures + 1, paused_until = ${CLOCK} + $4::bigint`;
    await this.#end(change, name, generation, holder, Math.ceil(pauseMs));
  }

  async refuse(name: string, generation: number, holder: string, { status, oauthError }: OAuthRefusal): Promise<void> {
    const change = `refusal = $4, refused_at = (select json_agg(t)::text from (
      select t::bigint as t from json_array_elements_text(refused_at::json) t where t::bigint > ${CLOCK} - ${HOUR_MS}
      union all select ${CLOCK}) kept)`;
    const refusal = { status, oauthError };
    await this.#end(change, name, generation, holder, JSON.stringify(refusal));
  }

  /**
   * Applies a change and ends the lease, if this holder still has it.
   * @param change SQL after `set`, whose values `more` begin at `$4`
   */
  async #end(change: string, name: string, generation: number, holder: string, ...more: Value[]): Promise<boolean> {
    const sql = `update ${this.#schema}.login set holder = null, lease_until = 0, ${change}
      where name = $1 and generation = $2 and holder = $3`;
    return (await this.#db.run(sql, name, generation, holder, ...more)) === 1;
  }
}

/** The login of a row. Ages are measured by the database's clock, which the row has as `at`. */
function toLogin(row: Row): SharedLogin {
  const at = Number(row.at);
  const refusal = toRefusal(row, at);
  const login = {
    generation: Number(row.generation),
    tokens: row.token === null ? undefined : (JSON.parse(String(row.token)) as TokenSet),
    ageMs: row.received_at === null ? 0 : at - Number(row.received_at),
    busy: Number(row.lease_until) > at,
    pauseMs: Math.max(0, Number(row.paused_until) - at),
    failures: Number(row.failures),
  };
  return refusal === undefined ? login : { ...login, refusal };
}

/** The last refusal of the past hour, with the number of all. */
function toRefusal(row: Row, at: number): SharedLogin['refusal'] {
  const refusedAt = (JSON.parse(String(row.refused_at)) as number[]).filter((then) => then > at - HOUR_MS);
  const lastRefusedAt = refusedAt.at(-1);
  if (row.refusal === null || lastRefusedAt === undefined) return undefined;
  const refusal = JSON.parse(String(row.refusal)) as OAuthRefusal;
  return { ...refusal, ageMs: at - lastRefusedAt, inAnHour: refusedAt.length };
}
