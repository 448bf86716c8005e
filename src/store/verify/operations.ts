/** Compares the rows of operations with their own events. */
import type { Link } from '../../journal/ports.ts';
import { type ChainedEvent, disagreement, type Ends } from '../chain.ts';
import type { Database, Row } from '../database.ts';
import { toOperation } from '../operation-row.ts';
import { type Misfit, PAGE, pages, type Watch } from './pages.ts';

/** The first operation that contradicts its events: of all, or of those that moved after a link. */
export async function wrongOperation(db: Database, since: Link | undefined, watch: Watch): Promise<Misfit | undefined> {
  const { prefix: s, place } = db.dialect;
  const moved =
    since === undefined
      ? ''
      : `and o.id in (select m.operation_id from ${s}event m where m.n > ${Math.trunc(since.n)})`;
  // One statement sees an operation and its last event as they are together.
  const sql = `select o.*, o.${place} as place, f.content as first_content,
    l.seq as last_seq, l.to_state as last_state, l.content as last_content from ${s}operation o
    left join ${s}event f on f.operation_id = o.id and f.seq = 1
    left join ${s}event l on l.operation_id = o.id and l.seq = (select max(seq) from ${s}event where operation_id = o.id)
    where o.${place} > ? ${moved} order by o.${place} limit ${PAGE}`;
  const total = await countOf(db, moved);
  let [after, done] = [-1, 0];
  for await (const rows of pages(
    () => db.all(sql, after),
    watch,
    () => [done, total, 'operations'],
  )) {
    for (const row of rows) {
      const operation = toOperation(row);
      const ends = endsOf(row);
      const seq = ends === undefined ? 1 : disagreement(operation, ends);
      if (seq !== undefined) return { operationId: operation.id, seq };
      after = Number(row.place);
      done += 1;
    }
  }
  return undefined;
}

async function countOf(db: Database, moved: string): Promise<number> {
  const row = await db.get(`select count(*) as n from ${db.dialect.prefix}operation o where true ${moved}`);
  return Number(row?.n);
}

/** Undefined: the operation has no events. */
function endsOf(row: Row): Ends | undefined {
  if (row.first_content === null || row.last_seq === null) return undefined;
  const to = String(row.last_state) as ChainedEvent['to'];
  const last = { seq: Number(row.last_seq), to, content: String(row.last_content) };
  return { first: { content: String(row.first_content) }, last };
}
