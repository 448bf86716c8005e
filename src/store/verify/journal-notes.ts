/** Checks what belongs to the journal as a whole: its notes, its archives, and the events that an archive left. */
import type { Link } from '../../journal/ports.ts';
import { type ArchiveNote, KeptDigest, lastArchive, leaves } from '../archive/archives.ts';
import { noteContent, OF_JOURNAL, toEvent } from '../chain.ts';
import type { Database, Row } from '../database.ts';
import { type Misfit, NOWHERE, PAGE, pages, placeOf, type Watch } from './pages.ts';

/** A note that differs from its event, an event without its note, or an archive that no event records. */
export async function wrongNote(db: Database): Promise<Misfit | undefined> {
  const { prefix: s } = db.dialect;
  const notes = await db.all(`select e.seq, e.to_state, e.content, n.body from ${s}event e
    left join ${s}note n on n.n = e.n where e.operation_id = '' order by e.seq`);
  const wrong = notes.find(({ content, body }) => body === null || noteContent(String(body)) !== content);
  if (wrong !== undefined) return { operationId: OF_JOURNAL, seq: Number(wrong.seq) };
  const recorded = notes.filter(({ to_state: to }) => to === 'archived').map(({ body }) => String(body));
  const archives = await db.all(`select n, hash, before_at, body from ${s}archive order by n`);
  const isKnown = archives.length === recorded.length && archives.every((row, i) => isRecorded(row, recorded[i]));
  return isKnown ? undefined : NOWHERE;
}

function isRecorded({ n, hash, before_at: before, body }: Row, recorded = ''): boolean {
  const { to, before: since } = JSON.parse(recorded || '{}') as Partial<ArchiveNote>;
  return body === recorded && to?.n === Number(n) && to.hash === hash && since === Number(before);
}

/** Compares the events that the last archive left with their digest. */
export async function wrongKept(db: Database, base: Link, watch: Watch): Promise<Misfit | undefined> {
  const last = await lastArchive(db);
  if (last === undefined || last.to.n !== base.n) return undefined;
  const { prefix: s } = db.dialect;
  // After a crash, some that leave are still there.
  const sql = `select e.*, o.id as of_id, case when ${leaves(db, last)} then 1 else 0 end as leaves from ${s}event e
    left join ${s}operation o on o.id = e.operation_id where e.n > ? and e.n <= ? order by e.n limit ${PAGE}`;
  const digest = new KeptDigest();
  let n = 0;
  for await (const rows of pages(
    () => db.all(sql, n, base.n),
    watch,
    () => [digest.events, last.kept.events, 'events before the last archive'],
  )) {
    for (const row of rows) {
      const event = toEvent(row);
      n = event.n;
      if (event.operationId !== OF_JOURNAL && row.of_id === null) return { ...placeOf(event), seq: 1 };
      if (Number(row.leaves) === 0) digest.add(event, String(row.hash));
    }
  }
  const { events, digest: found } = digest.kept;
  return events === last.kept.events && found === last.kept.digest ? undefined : NOWHERE;
}
