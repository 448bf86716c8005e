/** The journal as a whole on SQLite, and how its chain of events grows. */
import { statSync } from 'node:fs';
import { whyNotSend } from '../../journal/context.ts';
import type { Link } from '../../journal/ports.ts';
import {
  type ChainedEvent,
  chainHash,
  EVENT_COLUMNS,
  eventValues,
  type JournalStep,
  noteContent,
  OF_JOURNAL,
} from '../journal/chain.ts';
import {
  type ChainParts,
  type Changed,
  JournalChain,
  type JournalChange,
  LATER_BODY,
  type LostLink,
} from '../journal/journal-chain.ts';
import { takenOver } from '../programs.ts';
import { SCHEMA_VERSION } from '../tables.ts';
import type { SqliteDatabase } from './database.ts';
import { fileGone } from './errors.ts';

export class SqliteChain extends JournalChain<SqliteDatabase> {
  readonly #file: string | undefined;
  readonly #opened: { readonly ino: number; readonly dev: number } | undefined;

  /** `file` absent: in memory. */
  constructor(db: SqliteDatabase, file: string | undefined, parts: ChainParts) {
    super(db, parts);
    this.#file = file;
    this.#opened = file === undefined ? undefined : statSync(file);
  }

  /** Throws ClerkError if the file was removed or replaced under this process. */
  override refresh(): void {
    if (this.#file !== undefined) this.#assertThere(this.#file);
    super.refresh();
    // The cache would hide what another program wrote over the file in place.
    this.db.exec('pragma shrink_memory');
  }

  /** In the transaction that marks an act as sent. False: the journal does not have what was seen. @throws ClerkError */
  maySend(): boolean {
    const found = this.foundIn(this.db.get(...this.headQuery));
    if (found.version !== String(SCHEMA_VERSION)) throw takenOver();
    const why = whyNotSend(found);
    if (why !== undefined) throw why;
    return found.fits;
  }

  #assertThere(file: string): void {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there === undefined) throw fileGone('removed');
    if (there.ino !== this.#opened?.ino || there.dev !== this.#opened.dev) throw fileGone('replaced');
    if (there.size === 0) throw fileGone('emptied');
  }

  protected async enterLost(lost: readonly LostLink[], now: number): Promise<void> {
    const sql = `insert into lost(n, hash, body, noticed_at) select ?, ?, ?, ?
      where not exists (select 1 from event where n = ? and hash = ?) ${LATER_BODY}`;
    this.db.transaction(() => {
      for (const { n, hash, body } of lost) if (n > 0) this.db.run(sql, n, hash, body, now, n, hash);
    });
  }

  protected async change({ step, by, at, body, links }: JournalChange): Promise<Changed> {
    const key = step === 'held' || step === 'restored' ? 'hold' : 'pause';
    return this.db.transaction<Changed>(() => {
      const before = this.db.get('select value from meta where key = ?', key)?.value;
      const lost = this.db.get('select count(*) as n from lost where recovered_at is null')?.n;
      if (step === 'held' && lost === 0 && links === undefined) return 'known';
      if (step === 'held' && before !== undefined) return 'unchanged';
      if (step === 'restored' && (before === undefined || lost !== links)) return 'unchanged';
      if (step === 'resumed' && before === undefined) return 'unchanged';
      if (step === 'restored') this.db.run(RECOVER, at);
      const note = body ?? String(before);
      this.db.run('delete from meta where key = ?', key);
      if (step === 'held' || step === 'paused') this.db.run('insert into meta(key, value) values (?, ?)', key, note);
      this.#note(step, by, note, at);
      return 'done';
    });
  }

  /** Adds an event without an operation, with its note. */
  #note(to: JournalStep, actor: string, body: string, at: number): void {
    const last = this.db.get('select to_state from event where operation_id = ? order by seq desc limit 1', OF_JOURNAL);
    const from = (last?.to_state ?? '') as JournalStep | '';
    const link = appendEvent(this.db, { operationId: OF_JOURNAL, at, from, to, actor, content: noteContent(body) });
    this.db.run('insert into note(n, body) values (?, ?)', link.n, body);
  }
}

const RECOVER = `update lost set recovered_at = ?, body = case when body is null then null else '' end
  where recovered_at is null`;
const APPEND = `insert into event(${EVENT_COLUMNS.join()}, hash) values (${EVENT_COLUMNS.map(() => '?').join()}, ?)`;

/** Called within a transaction. */
export function appendEvent(db: SqliteDatabase, fresh: Omit<ChainedEvent, 'n' | 'seq'>): Link {
  const head = db.get('select n, hash from chain');
  const last = db.get('select max(seq) as seq from event where operation_id = ?', fresh.operationId);
  const event: ChainedEvent = { ...fresh, n: Number(head?.n) + 1, seq: Number(last?.seq ?? 0) + 1 };
  const hash = chainHash(String(head?.hash), event);
  db.run(APPEND, ...eventValues(event), hash);
  db.run('update chain set n = ?, hash = ?', event.n, hash);
  return { n: event.n, hash };
}
