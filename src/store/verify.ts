/**
 * Checks a whole journal while others go on writing it. Events never change, so that they can be read in pieces up to a
 * head of the chain; an operation that has moved since is compared again with its later events.
 */
import type { Link } from '../journal/ports.ts';
import { ChainCheck, type ChainedEvent, OF_JOURNAL, toEvent } from './chain.ts';
import type { Database, Value } from './database.ts';
import { toOperation } from './operation-row.ts';

const PAGE = 1_000;

/** Where a journal first does not fit. */
export interface Misfit {
  readonly operationId: string;
  readonly seq: number;
}

export async function verify(db: Database): Promise<Misfit | undefined> {
  const check = new ChainCheck();
  let seen = 0;
  for (let first = true; ; first = false) {
    const head = await headOf(db);
    if ('operationId' in head) return head;
    if (!first && head.n === seen) break;
    const { misfit, touched } = await readEvents(db, check, seen, head);
    const wrong = misfit ?? (await compare(db, check, head, first ? undefined : touched));
    if (wrong !== undefined) return wrong;
    seen = head.n;
  }
  const notes = await db.all(`select n, body from ${db.dialect.prefix}note where n <= ? order by n`, seen);
  const seq = notes.map(({ n, body }) => check.wrongNote(Number(n), String(body))).find((one) => one !== undefined);
  if (seq !== undefined) return { operationId: OF_JOURNAL, seq };
  const operationId = check.missing();
  return operationId === undefined ? undefined : { operationId, seq: 1 };
}

/** An event beyond the head was not written by the journal. */
async function headOf(db: Database): Promise<Link | Misfit> {
  const { prefix: s } = db.dialect;
  const row = await db.get(
    `select c.n, c.hash, e.operation_id, e.seq from ${s}chain c left join ${s}event e on e.n > c.n order by e.n limit 1`,
  );
  if (row === undefined) return { operationId: '', seq: 1 };
  if (row.operation_id !== null) return { operationId: String(row.operation_id), seq: Number(row.seq) };
  return { n: Number(row.n), hash: String(row.hash) };
}

/** Adds the events after `seen`, up to the head, and returns whose they are. */
async function readEvents(db: Database, check: ChainCheck, seen: number, head: Link) {
  const touched = new Set<string>();
  const sql = `select * from ${db.dialect.prefix}event where n > ? and n <= ? order by n limit ${PAGE}`;
  let last: ChainedEvent | undefined;
  for (let n = seen; n < head.n; n = last?.n ?? head.n) {
    const rows = await db.all(sql, n, head.n);
    if (rows.length === 0) break;
    for (const row of rows) {
      last = toEvent(row);
      touched.add(last.operationId);
      if (!check.add(last, String(row.hash))) return { misfit: placeOf(last), touched };
    }
  }
  if (check.endsAt(head.hash)) return { touched };
  const misfit = last === undefined ? { operationId: '', seq: 1 } : { ...placeOf(last), seq: last.seq + 1 };
  return { misfit, touched };
}

const placeOf = ({ operationId, seq }: ChainedEvent): Misfit => ({ operationId, seq });

/** Compares the operations, or those named, that have no event after the head. */
async function compare(
  db: Database,
  check: ChainCheck,
  head: Link,
  ids?: ReadonlySet<string>,
): Promise<Misfit | undefined> {
  const { prefix: s, place, elements } = db.dialect;
  const named = ids === undefined ? '' : `and o.id in (select value from ${elements})`;
  const more: Value[] = ids === undefined ? [] : [JSON.stringify([...ids])];
  const sql = `select o.*, o.${place} as place from ${s}operation o where o.${place} > ? and not exists
    (select 1 from ${s}event e where e.operation_id = o.id and e.n > ?) ${named} order by o.${place} limit ${PAGE}`;
  for (let after = -1; ; ) {
    const rows = await db.all(sql, after, head.n, ...more);
    for (const row of rows) {
      const operation = toOperation(row);
      const seq = check.disagreement(operation);
      if (seq !== undefined) return { operationId: operation.id, seq };
      after = Number(row.place);
    }
    if (rows.length < PAGE) return undefined;
  }
}
