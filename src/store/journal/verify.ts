/**
 * Checks a journal page by page, in bounded memory, while others go on writing it: the chain up to its head, then each
 * operation against its own first and last event, then what was added to the chain meanwhile.
 *
 * A check may begin at a link that an earlier one reached. Events before it are then not read again, and only operations
 * that moved since are compared.
 */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { DAY_MS } from '../../core/times.ts';
import type { Link } from '../../journal/ports.ts';
import type { Database, Row } from '../database.ts';
import {
  ChainCheck,
  type ChainedEvent,
  disagreement,
  type EndEvents,
  follows,
  NO_LINK_YET,
  noteContent,
  OF_JOURNAL,
  toEvent,
  toOperation,
} from './hash-chain.ts';

interface VerifyOptions {
  /** Begins here. Absent: checks everything. */
  readonly since?: Link | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface Verification {
  readonly misfit?: Misfit;
  /** Where the check began and ended. */
  readonly from: Link;
  readonly head: Link;
  /** Nothing was left out. */
  readonly complete: boolean;
}

/** @throws the signal's reason, if it aborts */
export async function verify(db: Database, { since, signal, onProgress }: VerifyOptions = {}): Promise<Verification> {
  const isPart = since !== undefined && since.n > 0;
  const from = isPart ? since : NO_LINK_YET;
  const check = new ChainCheck(from);
  const watch: Watch = { signal, onProgress };
  const ended = (misfit?: Misfit): Verification => {
    return { from, head: check.head, complete: !isPart, misfit };
  };
  if (isPart && !(await isThere(db, from))) return ended(NOWHERE);
  for (let first = true; ; first = false) {
    const head = await readHead(db);
    if ('operationId' in head) return ended(head);
    if (!first && head.n === check.head.n) break;
    const wrong = await readEvents(db, check, head, watch);
    if (wrong !== undefined) return ended(wrong);
    const operation = first ? await wrongOperation(db, isPart ? from : undefined, watch) : undefined;
    if (operation !== undefined) return ended(operation);
  }
  return ended(await wrongNote(db));
}

export async function isThere(db: Database, { n, hash }: Link): Promise<boolean> {
  const sql = `select 1 from ${db.dialect.prefix}event where n = ? and hash = ?`;
  return (await db.get(sql, n, hash)) !== undefined;
}

/** An event beyond the head was not written by the journal. */
async function readHead(db: Database): Promise<Link | Misfit> {
  const { prefix: s } = db.dialect;
  const row = await db.get(
    `select c.n, c.hash, e.operation_id, e.seq from ${s}chain c left join ${s}event e on e.n > c.n order by e.n limit 1`,
  );
  if (row === undefined) return NOWHERE;
  if (row.operation_id !== null) return { operationId: String(row.operation_id), seq: Number(row.seq) };
  return { n: Number(row.n), hash: String(row.hash) };
}

/** Checks the events up to the head: each follows the one before it in the chain, and in its operation, which is there. */
async function readEvents(db: Database, check: ChainCheck, head: Link, watch: Watch): Promise<Misfit | undefined> {
  const { prefix: s } = db.dialect;
  const sql = `select e.*, p.seq as was_seq, p.to_state as was_state, p.n as was_n, o.id as of_id from ${s}event e
    left join ${s}event p on p.operation_id = e.operation_id and p.seq = e.seq - 1
    left join ${s}operation o on o.id = e.operation_id where e.n > ? and e.n <= ? order by e.n limit ${PAGE}`;
  const from = check.head.n;
  let last: ChainedEvent | undefined;
  const next = () => db.all(sql, check.head.n, head.n);
  for await (const rows of pages(next, watch, () => [check.head.n - from, head.n - from, 'events'])) {
    for (const row of rows) {
      last = toEvent(row);
      const before = row.was_seq === null || Number(row.was_n) > last.n ? undefined : eventBefore(row);
      const isNext = check.add(last, String(row.hash)) && follows(last, before);
      if (!isNext) return misfitAt(last);
      if (last.operationId !== OF_JOURNAL && row.of_id === null) return { ...misfitAt(last), seq: 1 };
    }
  }
  if (check.head.hash === head.hash && check.head.n === head.n) return undefined;
  return last === undefined ? NOWHERE : { ...misfitAt(last), seq: last.seq + 1 };
}

const eventBefore = ({ was_seq: seq, was_state: to }: Record<string, unknown>) => {
  return { seq: Number(seq), to: String(to) as ChainedEvent['to'] };
};

/** A note that differs from its event, or an event without its note. */
async function wrongNote(db: Database): Promise<Misfit | undefined> {
  const { prefix: s } = db.dialect;
  const notes = await db.all(`select e.seq, e.content, n.body from ${s}event e
    left join ${s}note n on n.n = e.n where e.operation_id = '' order by e.seq`);
  const wrong = notes.find(({ content, body }) => body === null || noteContent(String(body)) !== content);
  return wrong && { operationId: OF_JOURNAL, seq: Number(wrong.seq) };
}

/** The first operation that contradicts its events: of all, or of those that moved after a link. */
async function wrongOperation(db: Database, since: Link | undefined, watch: Watch): Promise<Misfit | undefined> {
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
  const total = await countOperations(db, moved);
  let [after, done] = [-1, 0];
  for await (const rows of pages(
    () => db.all(sql, after),
    watch,
    () => [done, total, 'operations'],
  )) {
    for (const row of rows) {
      const operation = toOperation(row);
      const ends = endEvents(row);
      const seq = ends === undefined ? 1 : disagreement(operation, ends);
      if (seq !== undefined) return { operationId: operation.id, seq };
      after = Number(row.place);
      done += 1;
    }
  }
  return undefined;
}

async function countOperations(db: Database, moved: string): Promise<number> {
  const row = await db.get(`select count(*) as n from ${db.dialect.prefix}operation o where true ${moved}`);
  return Number(row?.n);
}

/** Undefined: the operation has no events. */
function endEvents(row: Row): EndEvents | undefined {
  if (row.first_content === null || row.last_seq === null) return undefined;
  const to = String(row.last_state) as ChainedEvent['to'];
  const last = { seq: Number(row.last_seq), to, content: String(row.last_content) };
  return { first: { content: String(row.first_content) }, last };
}

/** Rows of a page: what is soon forgotten is collected soon, and takes little memory. */
const PAGE = 200;

/** Where a journal first does not fit. */
export interface Misfit {
  readonly operationId: string;
  readonly seq: number;
}

/** The chain as a whole does not fit. */
const NOWHERE: Misfit = { operationId: '', seq: 1 };

const misfitAt = ({ operationId, seq }: ChainedEvent): Misfit => ({ operationId, seq });

type OnProgress = (done: number, total: number, what: string) => void;

interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/**
 * Pages until one is not full. Other calls of the process run between two.
 * @throws the signal's reason, if it aborts
 */
async function* pages(
  next: () => Promise<readonly Row[]> | readonly Row[],
  { signal, onProgress }: Watch,
  progress: () => readonly [done: number, total: number, what: string],
): AsyncGenerator<readonly Row[]> {
  for (;;) {
    signal?.throwIfAborted();
    const rows = await next();
    yield rows;
    onProgress?.(...progress());
    if (rows.length < PAGE) return;
    await letOthersRun();
  }
}

/**
 * After so many days everything is checked again: whoever can change the database can change the checkpoint too, so that what
 * was checked is not trusted for long.
 */
const COMPLETE_DAYS = 7;

interface Checkpoint {
  readonly link: Link;
  /** The last check of everything, milliseconds since 1970. */
  readonly completeAt: number;
}

export interface CheckRequest {
  readonly now: number;
  /** Everything, from the beginning. */
  readonly all?: boolean | undefined;
  /** The check begins here at the latest, if the journal has this link, which proves that the head continues from it. */
  readonly expected?: Link | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface Checked extends Verification {
  /** When everything was last checked; absent after a failed check of everything. */
  readonly completeAt?: number;
}

export async function check(db: Database, { now, all, expected, signal, onProgress }: CheckRequest): Promise<Checked> {
  const known = all === true ? undefined : await readCheckpoint(db, now);
  const isOlder = expected !== undefined && known !== undefined && expected.n < known.link.n;
  const since = isOlder && (await isThere(db, expected)) ? expected : known?.link;
  const found = await verify(db, { since, signal, onProgress });
  const completeAt = found.complete ? now : known?.completeAt;
  if (db.earlier !== undefined) return { ...found, completeAt };
  // A failed check is not forgotten: the next one reads everything.
  if (found.misfit !== undefined) await db.run(`delete from ${db.dialect.prefix}meta where key = 'verified'`);
  if (found.misfit !== undefined || completeAt === undefined) return found;
  const sql = `insert into ${db.dialect.prefix}meta(key, value) values ('verified', ?)
    on conflict (key) do update set value = excluded.value`;
  await db.run(sql, JSON.stringify({ link: found.head, completeAt }));
  return { ...found, completeAt };
}

/** Checks the newest events and the operations that they moved: quick at any size. Remembers nothing. */
export async function checkNewest(db: Database, most: number): Promise<Verification> {
  const { prefix: s } = db.dialect;
  const row = await db.get(`select n, hash from ${s}event where n = (select n from ${s}chain) - ?`, most);
  return verify(db, { since: row && { n: Number(row.n), hash: String(row.hash) } });
}

/** When everything was last checked, from what `check` remembers. */
export function lastCompleteCheck(verified: string): number {
  return (JSON.parse(verified) as Checkpoint).completeAt;
}

/** Undefined if everything must be checked. */
async function readCheckpoint(db: Database, now: number): Promise<Checkpoint | undefined> {
  const row = await db.get(`select value from ${db.dialect.prefix}meta where key = 'verified'`);
  const known = row && (JSON.parse(String(row.value)) as Checkpoint);
  const age = now - (known?.completeAt ?? 0);
  return age >= 0 && age < COMPLETE_DAYS * DAY_MS ? known : undefined;
}
