/** Writes the file of an archive from the journal, page by page. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Link } from '../../journal/ports.ts';
import { type ChainedEvent, toEvent } from '../chain.ts';
import type { Database, Row } from '../database.ts';
import { rowOf, toOperation } from '../operation-row.ts';
import { type OnProgress, PAGE } from '../verify/pages.ts';
import { type ArchiveNote, type Kept, KeptDigest, leaves } from './archives.ts';
import { ArchiveWriter, type EventKind, eventLine, FORMAT, type Line } from './file.ts';

export type Plan = Pick<ArchiveNote, 'from' | 'to' | 'before' | 'creationsSince'> & { readonly journal: string };

export interface Written {
  readonly operations: number;
  readonly kept: Kept;
  /** Of all events up to `from`: what the archive before this one left. */
  readonly older: Kept;
}

export interface WriteOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Reads all events up to the last link: those from before the first one were kept by an earlier archive. */
export async function writeFile(db: Database, path: string, plan: Plan, options: WriteOptions): Promise<Written> {
  const writer = new ArchiveWriter(path);
  try {
    const { journal, from, to, before } = plan;
    const header = { fareclerk_archive: FORMAT, journal, from, to, before: new Date(before).toISOString() };
    await writer.write([header]);
    const written = await writeEvents(db, writer, plan, options);
    await writer.write([{ end: { events: to.n - from.n, operations: written.operations } }]);
    await writer.end();
    return written;
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

async function writeEvents(
  db: Database,
  writer: ArchiveWriter,
  plan: Plan,
  { signal, onProgress }: WriteOptions,
): Promise<Written> {
  const { prefix: s } = db.dialect;
  const sql = `select e.*, case when ${leaves(db, plan)} then 1 else 0 end as leaves,
    case when exists (select 1 from ${s}event x where x.operation_id = e.operation_id and x.seq > e.seq) then 0 else 1 end
    as is_last from ${s}event e left join ${s}operation o on o.id = e.operation_id
    where e.n > ? and e.n <= ? order by e.n limit ${PAGE}`;
  const [kept, older] = [new KeptDigest(), new KeptDigest()];
  let operations = 0;
  for (let n = 0; n < plan.to.n; ) {
    signal?.throwIfAborted();
    const rows = await db.all(sql, n, plan.to.n);
    const ended = await operationsOf(
      db,
      rows.filter(isEnd).map(({ operation_id: id }) => String(id)),
    );
    const lines: Line[] = [];
    for (const row of rows) {
      const event = toEvent(row);
      const hash = String(row.hash);
      const kind = kindOf(event, row, plan.from);
      if (kind !== undefined) lines.push(eventLine(kind, event, hash));
      if (Number(row.leaves) === 0) kept.add(event, hash);
      if (event.n <= plan.from.n) older.add(event, hash);
      const operation = isEnd(row) ? ended.get(event.operationId) : undefined;
      if (operation === undefined) continue;
      lines.push({ operation });
      operations += 1;
    }
    await writer.write(lines);
    if (rows.length === 0) break;
    n = Number(rows.at(-1)?.n);
    onProgress?.(n, plan.to.n, 'events written');
    await letOthersRun();
  }
  return { operations, kept: kept.kept, older: older.kept };
}

const isEnd = ({ leaves: leaving, is_last: last }: Row) => Number(leaving) === 1 && Number(last) === 1;

function kindOf({ n }: ChainedEvent, { leaves: leaving }: Row, from: Link): EventKind | undefined {
  if (Number(leaving) === 1) return n > from.n ? 'own' : 'older';
  return n > from.n ? 'other' : undefined;
}

async function operationsOf(db: Database, ids: readonly string[]): Promise<Map<string, Row>> {
  const { prefix: s, elements } = db.dialect;
  const sql = `select * from ${s}operation where id in (select value from ${elements})`;
  const rows = ids.length === 0 ? [] : await db.all(sql, JSON.stringify(ids));
  return new Map(rows.map((row) => [String(row.id), rowOf(toOperation(row))]));
}
