/** The journal as a whole on PostgreSQL. */
import { type Changed, JournalChain, type JournalChange, LATER_BODY, type LostLink } from '../journal/journal-chain.ts';
import type { PostgresDatabase } from './database.ts';

export class PostgresChain extends JournalChain<PostgresDatabase> {
  protected async enterLost(lost: readonly LostLink[], now: number): Promise<void> {
    const sql = `insert into ${this.db.schema}.lost as lost(n, hash, body, noticed_at) select r.n, r.hash, r.body, $1::bigint
      from json_to_recordset($2::text::json) as r(n bigint, hash text, body text) where r.n > 0
      and not exists (select from ${this.db.schema}.event e where e.n = r.n and e.hash = r.hash) order by r.n ${LATER_BODY}`;
    await this.db.run(sql, now, JSON.stringify(lost));
  }

  protected async change({ step, by, at, body, links }: JournalChange): Promise<Changed> {
    const sql = `select ${this.db.schema}.change_journal($1, $2, $3::bigint, $4, $5::bigint) as changed`;
    return (await this.db.change(sql, step, by, at, body ?? null, links ?? null))?.changed as Changed;
  }
}
