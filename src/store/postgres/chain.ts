/** The journal as a whole on PostgreSQL. */
import type { Link } from '../../journal/ports.ts';
import type { ArchiveNote } from '../archive/archives.ts';
import { type Changed, JournalChain, type JournalChange, LATER_BODY, type LostLink } from '../journal-chain.ts';
import type { PostgresDatabase } from './database.ts';

export class PostgresChain extends JournalChain<PostgresDatabase> {
  protected async enterLost(lost: readonly LostLink[], now: number): Promise<void> {
    const sql = `insert into ${this.db.schema}.lost as lost(n, hash, body, noticed_at) select r.n, r.hash, r.body, $1::bigint
      from json_to_recordset($2::text::json) as r(n bigint, hash text, body text) where r.n > 0
      and not exists (select from ${this.db.schema}.event e where e.n = r.n and e.hash = r.hash) order by r.n ${LATER_BODY}`;
    await this.db.run(sql, now, JSON.stringify(lost));
  }

  async enterArchive(archive: ArchiveNote, seen: Link, by: string, at: number): Promise<Link | undefined> {
    const { from, to, before } = archive;
    const sql = `select ${this.db.schema}.enter_archive($1::bigint, $2::bigint, $3, $4::bigint, $5::bigint, $6, $7, $8::bigint)
      as link`;
    const values = [from.n, to.n, to.hash, before, seen.n, JSON.stringify(archive), by, at];
    return ((await this.db.change(sql, ...values))?.link as Link | null | undefined) ?? undefined;
  }

  protected async change({ step, by, at, body, links }: JournalChange): Promise<Changed> {
    const sql = `select ${this.db.schema}.change_journal($1, $2, $3::bigint, $4, $5::bigint) as changed`;
    return (await this.db.change(sql, step, by, at, body ?? null, links ?? null))?.changed as Changed;
  }
}
