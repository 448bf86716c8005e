/**
 * The chain of events on SQLite: its head, and how it grows. Called within a transaction.
 */
import type { Link } from '../../journal/ports.ts';
import { type ChainedEvent, chainHash, type JournalStep, NO_LINK_YET, noteContent, OF_JOURNAL } from '../chain.ts';
import type { Row, SqliteDatabase } from './database.ts';

export function headOf(db: SqliteDatabase): Link {
  const row = db.get("select value from meta where key = 'head'");
  if (row === undefined) return NO_LINK_YET;
  const [n = '0', hash = ''] = String(row.value).split(' ');
  return { n: Number(n), hash };
}

export function hasLink(db: SqliteDatabase, { n, hash }: Link): boolean {
  return n === 0 || db.get('select hash from event where n = ?', n)?.hash === hash;
}

export function appendEvent(db: SqliteDatabase, fresh: Omit<ChainedEvent, 'n' | 'seq'>): Link {
  const head = headOf(db);
  const { operationId, at, from, to, actor, content } = fresh;
  const last = db.get('select max(seq) as seq from event where operation_id = ?', operationId);
  const event: ChainedEvent = { ...fresh, n: head.n + 1, seq: Number(last?.seq ?? 0) + 1 };
  const hash = chainHash(head.hash, event);
  db.run(
    'insert into event(n, operation_id, seq, at, from_state, to_state, actor, content, hash) values(?,?,?,?,?,?,?,?,?)',
    ...[event.n, operationId, event.seq, at, from, to, actor, content, hash],
  );
  db.run("insert or replace into meta(key, value) values('head', ?)", `${event.n} ${hash}`);
  return { n: event.n, hash };
}

/** An event of the journal as a whole, with what is said of it. */
export function appendNote(db: SqliteDatabase, to: JournalStep, actor: string, body: string, at: number): Link {
  const last = db.get('select to_state from event where operation_id = ? order by seq desc limit 1', OF_JOURNAL);
  const from = (last?.to_state ?? '') as JournalStep | '';
  const link = appendEvent(db, { operationId: OF_JOURNAL, at, from, to, actor, content: noteContent(body) });
  db.run('insert into note(n, body) values(?, ?)', link.n, body);
  return link;
}

export function toEvent(row: Row): ChainedEvent {
  return {
    n: Number(row.n),
    operationId: String(row.operation_id),
    seq: Number(row.seq),
    at: Number(row.at),
    from: row.from_state as ChainedEvent['from'],
    to: row.to_state as ChainedEvent['to'],
    actor: String(row.actor),
    content: String(row.content),
  };
}
