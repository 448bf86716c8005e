/**
 * Checks a whole journal on PostgreSQL while others go on writing it. Events never change, so that they can be read in
 * pieces up to a head of the chain; an operation that has moved since is looked at again with its later events.
 */
import { ChainCheck, type ChainedEvent, OF_JOURNAL } from '../chain.ts';
import { toOperation } from '../operation-row.ts';
import type { PostgresDatabase, Row, Value } from './database.ts';

const PAGE = 1_000;

export interface Misfit {
  readonly operationId: string;
  readonly seq: number;
}

interface Head {
  readonly n: number;
  readonly hash: string;
}

interface Reading {
  readonly db: PostgresDatabase;
  readonly toEvent: (row: Row) => ChainedEvent;
  readonly check: ChainCheck;
}

export async function verify(db: PostgresDatabase, toEvent: (row: Row) => ChainedEvent): Promise<Misfit | undefined> {
  const reading: Reading = { db, toEvent, check: new ChainCheck() };
  let seen = 0;
  for (let first = true; ; first = false) {
    const head = await headOf(db);
    if ('operationId' in head) return head;
    if (!first && head.n === seen) break;
    const { misfit, touched } = await readEvents(reading, seen, head);
    const wrong = misfit ?? (await compare(reading, head, first ? undefined : touched));
    if (wrong !== undefined) return wrong;
    seen = head.n;
  }
  const seq = await wrongNote(reading, seen);
  if (seq !== undefined) return { operationId: OF_JOURNAL, seq };
  const operationId = reading.check.missing();
  return operationId === undefined ? undefined : { operationId, seq: 1 };
}

/** An event beyond the head was not written by the journal. */
async function headOf(db: PostgresDatabase): Promise<Head | Misfit> {
  const row = await db.get(
    `select c.n, c.hash, e.operation_id, e.seq from ${db.schema}.chain c
     left join ${db.schema}.event e on e.n > c.n order by e.n limit 1`,
  );
  if (row === undefined) return { operationId: '', seq: 1 };
  if (row.operation_id !== null) return { operationId: String(row.operation_id), seq: Number(row.seq) };
  return { n: Number(row.n), hash: String(row.hash) };
}

/** Adds the events after `seen`, up to the head, and tells whose they are. */
async function readEvents({ db, toEvent, check }: Reading, seen: number, head: Head) {
  const touched = new Set<string>();
  let last: ChainedEvent | undefined;
  for (let n = seen; n < head.n; n = last?.n ?? head.n) {
    const sql = `select * from ${db.schema}.event where n > $1 and n <= $2 order by n limit ${PAGE}`;
    const rows = await db.all(sql, n, head.n);
    if (rows.length === 0) break;
    for (const row of rows) {
      last = toEvent(row);
      touched.add(last.operationId);
      if (!check.add(last, String(row.hash))) return { misfit: placeOf(last), touched };
    }
  }
  if (check.endsAt(head.hash)) return { touched };
  return {
    misfit: last === undefined ? { operationId: '', seq: 1 } : { ...placeOf(last), seq: last.seq + 1 },
    touched,
  };
}

/** What was said of the journal's own events, up to that number. */
async function wrongNote({ db, check }: Reading, upTo: number): Promise<number | undefined> {
  const rows = await db.all(`select n, body from ${db.schema}.note where n <= $1 order by n`, upTo);
  return rows.map(({ n, body }) => check.wrongNote(Number(n), String(body))).find((seq) => seq !== undefined);
}

const placeOf = ({ operationId, seq }: ChainedEvent): Misfit => ({ operationId, seq });

/** Compares the operations, or those named, that have no event after the head. */
async function compare({ db, check }: Reading, head: Head, ids?: ReadonlySet<string>): Promise<Misfit | undefined> {
  const named = ids === undefined ? '' : 'and o.id in (select json_array_elements_text($3::text::json))';
  const sql = `select o.* from ${db.schema}.operation o where o.place > $1 and not exists
    (select from ${db.schema}.event e where e.operation_id = o.id and e.n > $2) ${named} order by o.place limit ${PAGE}`;
  const more: Value[] = ids === undefined ? [] : [JSON.stringify([...ids])];
  for (let place = -1; ; ) {
    const rows = await db.all(sql, place, head.n, ...more);
    for (const row of rows) {
      const operation = toOperation(row);
      const seq = check.disagreement(operation);
      if (seq !== undefined) return { operationId: operation.id, seq };
      place = Number(row.place);
    }
    if (rows.length < PAGE) return undefined;
  }
}
