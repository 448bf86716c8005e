/**
 * Checks a journal page by page, in bounded memory, while others go on writing to it: first the chain up to its head,
 * then each operation against its first and last event, then the events that were added meanwhile.
 *
 * {@link checkNewest} begins at a later link. Events before it are then not read, and only operations that moved since
 * are compared.
 */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Link } from '../../journal/ports.ts';
import type { Database, Row } from '../database.ts';
import {
  ChainCheck,
  type ChainedEvent,
  contradictedEvent,
  type EndEvents,
  follows,
  NO_LINK_YET,
  noteContent,
  OF_JOURNAL,
  toEvent,
  toOperation,
} from './hash-chain.ts';

/** `what`: `events` or `operations`. */
type OnProgress = (done: number, total: number, what: string) => void;

/** What a caller of a check wants to hear, and how it stops the check. */
export interface Observer {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnProgress | undefined;
}

interface VerifyOptions extends Observer {
  /** Where the check begins. Absent: it checks everything. */
  readonly since?: Link | undefined;
}

/** Where a journal first does not fit. */
export interface Misfit {
  /** Empty for an event without an operation. */
  readonly operationId: string;
  /** Number of the event in its operation, from 1. */
  readonly seq: number;
}

export interface Verification {
  readonly misfit?: Misfit;
  /** Where the check ended. */
  readonly head: Link;
  /** Whether everything was checked. */
  readonly complete: boolean;
}

/** A misfit that is not at one event: the chain as a whole does not fit. */
const CHAIN_ITSELF: Misfit = { operationId: '', seq: 1 };

/** How many rows a page has: few, so that their memory is soon free again. */
const PAGE = 200;

/** Checks the journal. @throws the signal's reason, if it aborts */
export async function verify(db: Database, { since, ...observer }: VerifyOptions = {}): Promise<Verification> {
  const isPart = since !== undefined && since.n > 0;
  const from = isPart ? since : NO_LINK_YET;
  const check = new ChainCheck(from);
  const misfit = await firstMisfit(db, check, isPart ? from : undefined, observer);
  return { head: check.head, complete: !isPart, misfit };
}

/** Checks the newest events and the operations that they moved, which is quick at any size. */
export async function checkNewest(db: Database, count: number): Promise<Verification> {
  const { prefix: s } = db.dialect;
  const row = await db.get(`select n, hash from ${s}event where n = (select n from ${s}chain) - ?`, count);
  return verify(db, { since: row && { n: Number(row.n), hash: String(row.hash) } });
}

/** @param since checks only what came after this link */
async function firstMisfit(
  db: Database,
  check: ChainCheck,
  since: Link | undefined,
  observer: Observer,
): Promise<Misfit | undefined> {
  if (since !== undefined && !(await isInJournal(db, since))) return CHAIN_ITSELF;
  // The first pass checks what there is. Further ones check what others added meanwhile, until nothing was added.
  for (let isFirstPass = true; ; isFirstPass = false) {
    const head = await readHead(db);
    if (head.kind === 'misfit') return head.misfit;
    const hasGrown = head.link.n !== check.head.n;
    if (!isFirstPass && !hasGrown) return await wrongNote(db);
    const event = await wrongEvent(db, check, head.link, observer);
    if (event !== undefined) return event;
    const operation = isFirstPass ? await wrongOperation(db, since, observer) : undefined;
    if (operation !== undefined) return operation;
  }
}

/** Whether the journal has an event of this number with this hash. */
export async function isInJournal(db: Database, { n, hash }: Link): Promise<boolean> {
  const sql = `select 1 from ${db.dialect.prefix}event where n = ? and hash = ?`;
  return (await db.get(sql, n, hash)) !== undefined;
}

function misfitAt({ operationId, seq }: ChainedEvent): Misfit {
  return { operationId, seq };
}

/** The head of the chain, or a misfit: there is no head, or an event beyond it, which the journal did not write. */
type FoundHead = { readonly kind: 'head'; readonly link: Link } | { readonly kind: 'misfit'; readonly misfit: Misfit };

async function readHead(db: Database): Promise<FoundHead> {
  const { prefix: s } = db.dialect;
  const row = await db.get(
    `select c.n, c.hash, e.operation_id, e.seq from ${s}chain c left join ${s}event e on e.n > c.n order by e.n limit 1`,
  );
  if (row === undefined) return { kind: 'misfit', misfit: CHAIN_ITSELF };
  const { n, hash, operation_id: operationId, seq } = row;
  if (operationId !== null) return { kind: 'misfit', misfit: { operationId: String(operationId), seq: Number(seq) } };
  return { kind: 'head', link: { n: Number(n), hash: String(hash) } };
}

/**
 * The first event up to the head that has no operation, or does not follow the one before it in the chain or its
 * operation.
 */
async function wrongEvent(
  db: Database,
  check: ChainCheck,
  head: Link,
  observer: Observer,
): Promise<Misfit | undefined> {
  const { prefix: s } = db.dialect;
  const sql = `select e.*, p.seq as was_seq, p.to_state as was_state, p.n as was_n, o.id as of_id from ${s}event e
    left join ${s}event p on p.operation_id = e.operation_id and p.seq = e.seq - 1
    left join ${s}operation o on o.id = e.operation_id where e.n > ? and e.n <= ? order by e.n limit ${PAGE}`;
  const from = check.head.n;
  let last: ChainedEvent | undefined;
  const readPage = () => db.all(sql, check.head.n, head.n);
  for await (const rows of pages(readPage, observer, () => [check.head.n - from, head.n - from, 'events'])) {
    for (const row of rows) {
      last = toEvent(row);
      const isNext = check.add(last, String(row.hash)) && follows(last, eventBefore(row));
      if (!isNext) return misfitAt(last);
      if (last.operationId !== OF_JOURNAL && row.of_id === null) return { ...misfitAt(last), seq: 1 };
    }
  }
  if (check.head.hash === head.hash && check.head.n === head.n) return undefined;
  // The events end before the head: the next one is missing.
  return last === undefined ? CHAIN_ITSELF : { ...misfitAt(last), seq: last.seq + 1 };
}

/**
 * The event before in the same operation, from the columns `was_…` of a row. Undefined if there is none, or if it comes
 * later in the chain.
 */
function eventBefore(row: Row): Pick<ChainedEvent, 'seq' | 'to'> | undefined {
  if (row.was_seq === null || Number(row.was_n) > Number(row.n)) return undefined;
  return { seq: Number(row.was_seq), to: String(row.was_state) as ChainedEvent['to'] };
}

/** A note that differs from its event, or an event without its note. */
async function wrongNote(db: Database): Promise<Misfit | undefined> {
  const { prefix: s } = db.dialect;
  const notes = await db.all(`select e.seq, e.content, n.body from ${s}event e
    left join ${s}note n on n.n = e.n where e.operation_id = '' order by e.seq`);
  const wrong = notes.find(({ content, body }) => body === null || noteContent(String(body)) !== content);
  return wrong && { operationId: OF_JOURNAL, seq: Number(wrong.seq) };
}

/** The first operation that contradicts its events. With a link, checks only operations that moved after it. */
async function wrongOperation(db: Database, since: Link | undefined, observer: Observer): Promise<Misfit | undefined> {
  const { prefix: s, place } = db.dialect;
  const moved =
    since === undefined
      ? ''
      : `and o.id in (select m.operation_id from ${s}event m where m.n > ${Math.trunc(since.n)})`;
  // One statement reads an operation together with its last event, so that they belong together.
  const sql = `select o.*, o.${place} as place, f.content as first_content,
    l.seq as last_seq, l.to_state as last_state, l.content as last_content from ${s}operation o
    left join ${s}event f on f.operation_id = o.id and f.seq = 1
    left join ${s}event l on l.operation_id = o.id and l.seq = (select max(seq) from ${s}event where operation_id = o.id)
    where o.${place} > ? ${moved} order by o.${place} limit ${PAGE}`;
  const total = await countOperations(db, moved);
  let after = -1;
  let done = 0;
  const readPage = () => db.all(sql, after);
  for await (const rows of pages(readPage, observer, () => [done, total, 'operations'])) {
    for (const row of rows) {
      const operation = toOperation(row);
      const ends = endEvents(row);
      const seq = ends === undefined ? 1 : contradictedEvent(operation, ends);
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

/** The first and last event of an operation. Undefined if it has none. */
function endEvents(row: Row): EndEvents | undefined {
  if (row.first_content === null || row.last_seq === null) return undefined;
  const to = String(row.last_state) as ChainedEvent['to'];
  const last = { seq: Number(row.last_seq), to, content: String(row.last_content) };
  return { first: { content: String(row.first_content) }, last };
}

/**
 * Reads pages until one is not full. Other calls of the process run between two pages.
 * @throws the signal's reason, if it aborts
 */
async function* pages(
  readPage: () => Promise<readonly Row[]> | readonly Row[],
  { signal, onProgress }: Observer,
  progress: () => readonly [done: number, total: number, what: string],
): AsyncGenerator<readonly Row[]> {
  for (;;) {
    signal?.throwIfAborted();
    const rows = await readPage();
    yield rows;
    onProgress?.(...progress());
    if (rows.length < PAGE) return;
    await letOthersRun();
  }
}
