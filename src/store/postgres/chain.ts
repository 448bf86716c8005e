/**
 * The journal as a whole on PostgreSQL.
 */
import { JournalChain, type LostLink } from '../journal-chain.ts';
import type { PostgresDatabase } from './database.ts';

export class PostgresChain extends JournalChain<PostgresDatabase> {
  protected async enterLost(lost: readonly LostLink[], now: number): Promise<void> {
    const sql = `insert into ${this.db.schema}.lost(n, hash, body, noticed_at) select r.n, r.hash, r.body, $1::bigint
      from json_to_recordset($2::text::json) as r(n bigint, hash text, body text) where r.n > 0
      and not exists (select from ${this.db.schema}.event e where e.n = r.n and e.hash = r.hash) on conflict do nothing`;
    await this.db.run(sql, now, JSON.stringify(lost));
  }

  protected async holdLost(hold: string, now: number): Promise<'known' | 'held' | 'new'> {
    const row = await this.db.change(`select ${this.db.schema}.hold_lost($1, $2::bigint) as found`, hold, now);
    return row?.found as 'known' | 'held' | 'new';
  }

  protected async releaseLost(links: number, by: string, body: string, now: number): Promise<boolean> {
    const sql = `select ${this.db.schema}.release_lost($1::bigint, $2, $3, $4::bigint) as done`;
    return (await this.db.change(sql, links, by, body, now))?.done === true;
  }

  protected async setPause(pause: string | null, by: string, now: number): Promise<boolean> {
    const sql = `select ${this.db.schema}.set_pause($1, $2, $3::bigint) as done`;
    return (await this.db.change(sql, pause, by, now))?.done === true;
  }
}
