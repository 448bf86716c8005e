/**
 * Checks a journal page by page, in bounded memory, while others go on writing to it: first the chain up to its head,
 * then each operation against its first and last event, then the events that were added meanwhile.
 */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Link } from '../../journal/ports.ts';
import type { Database, Row } from '../database.ts';
import {
  birthContent,
  type ChainedEvent,
  chainHash,
  changeContent,
  NO_LINK_YET,
  noteContent,
  OF_JOURNAL,
  toEvent,
  toOperation,
} from './hash-chain.ts';

/** Where a journal first does not fit. */
export interface Misfit {
  /** Empty for an event without an operation. */
  readonly operationId: string;
  /** Number of the event in its operation, from 1. */
  readonly seq: number;
}

/** A misfit that is not at one event: the chain as a whole does not fit. */
const CHAIN_ITSELF: Misfit = { operationId: '', seq: 1 };

/** How many rows a page has: few, so that their memory is soon free again. */
const PAGE = 200;

/** Checks the journal. Undefined: it is whole. */
export async function verify(db: Database): Promise<Misfit | undefined> {
  const events = new EventCheck(db);
  return (await events.misfit()) ?? (await wrongOperation(db)) ?? (await events.misfit()) ?? (await wrongNote(db));
}

/** Recomputes the chain. */
class EventCheck {
  /** The last link that was recomputed. */
  #head = NO_LINK_YET;
  readonly #db: Database;
  #last: ChainedEvent | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Goes on to the head of the journal. Returns the first event that does not fit, or has no operation. */
  async misfit(): Promise<Misfit | undefined> {
    const { prefix: s } = this.#db.dialect;
    const page = `select e.*, o.id as of_id from ${s}event e left join ${s}operation o on o.id = e.operation_id
      where e.n > ? and e.n <= ? order by e.n limit ${PAGE}`;

    for (;;) {
      const { head, misfit } = await this.#journalHead();
      if (misfit !== undefined || (head.n === this.#head.n && head.hash === this.#head.hash)) return misfit;

      const rows = await this.#db.all(page, this.#head.n, head.n);
      // The events end before the head: the next one is missing.
      if (rows.length === 0) return this.#last === undefined ? CHAIN_ITSELF : misfitAt(this.#last, this.#last.seq + 1);

      for (const row of rows) {
        const wrong = this.#add(row);
        if (wrong !== undefined) return wrong;
      }

      await letOthersRun();
    }
  }

  #add(row: Row): Misfit | undefined {
    const event = toEvent(row);
    const isNext = event.n === this.#head.n + 1;
    this.#head = { n: event.n, hash: chainHash(this.#head.hash, event) };
    this.#last = event;
    if (!isNext || row.hash !== this.#head.hash) return misfitAt(event);
    return event.operationId !== OF_JOURNAL && row.of_id === null ? misfitAt(event, 1) : undefined;
  }

  /** The head of the journal. A misfit: there is none, or an event beyond it, which the journal did not write. */
  async #journalHead(): Promise<{ readonly head: Link; readonly misfit?: Misfit }> {
    const { prefix: s } = this.#db.dialect;
    const row = await this.#db.get(
      `select c.n, c.hash, e.operation_id, e.seq from ${s}chain c left join ${s}event e on e.n > c.n order by e.n limit 1`,
    );
    if (row === undefined) return { head: NO_LINK_YET, misfit: CHAIN_ITSELF };

    const head = { n: Number(row.n), hash: String(row.hash) };
    if (row.seq === null) return { head };

    return { head, misfit: { operationId: String(row.operation_id), seq: Number(row.seq) } };
  }
}

function misfitAt({ operationId, seq }: ChainedEvent, at = seq): Misfit {
  return { operationId, seq: at };
}

/** A note that differs from its event, or an event without its note. */
async function wrongNote(db: Database): Promise<Misfit | undefined> {
  const { prefix: s } = db.dialect;
  const notes = await db.all(`select e.seq, e.content, n.body from ${s}event e
    left join ${s}note n on n.n = e.n where e.operation_id = '' order by e.seq`);
  const wrong = notes.find(({ content, body }) => body === null || noteContent(String(body)) !== content);
  return wrong && { operationId: OF_JOURNAL, seq: Number(wrong.seq) };
}

/** The first operation that contradicts its events. */
async function wrongOperation(db: Database): Promise<Misfit | undefined> {
  const { prefix: s, place } = db.dialect;
  // One statement reads an operation together with its last event, so that they belong together.
  const sql = `select o.*, o.${place} as place, f.content as first_content,
    l.seq as last_seq, l.to_state as last_state, l.content as last_content from ${s}operation o
    left join ${s}event f on f.operation_id = o.id and f.seq = 1
    left join ${s}event l on l.operation_id = o.id and l.seq = (select max(seq) from ${s}event where operation_id = o.id)
    where o.${place} > ? order by o.${place} limit ${PAGE}`;

  for (let after = -1; ; ) {
    const rows = await db.all(sql, after);
    for (const row of rows) {
      const seq = contradictedEvent(row);
      if (seq !== undefined) return { operationId: String(row.id), seq };
      after = Number(row.place);
    }

    if (rows.length < PAGE) return undefined;

    await letOthersRun();
  }
}

/** The number of the event that an operation contradicts. 1 for an operation without events. */
function contradictedEvent(row: Row): number | undefined {
  const operation = toOperation(row);
  if (birthContent(operation) !== row.first_content) return 1;
  const seq = Number(row.last_seq);
  if (operation.state !== row.last_state) return seq;
  return seq > 1 && changeContent(operation) !== row.last_content ? seq : undefined;
}
