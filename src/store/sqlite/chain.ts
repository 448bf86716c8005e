/**
 * The journal as a whole on SQLite: whether it still is what was last seen of it, and what stops sending.
 */
import { statSync } from 'node:fs';
import type { Chain, Hold, Link, Lost, Pause, Standing } from '../../journal/ports.ts';
import { whyNotSend } from '../../journal/standstill.ts';
import type { JournalMarker } from '../journal-marker.ts';
import { lostBody, lostOf } from '../lost-acts.ts';
import type { Seen, Witness } from '../witness.ts';
import type { SqliteDatabase } from './database.ts';
import { fileGone } from './errors.ts';
import { appendNote, hasLink, headOf } from './events.ts';

/** The journal does not have what was seen of it. */
export class Behind extends Error {}

export interface SqliteChainParts {
  readonly db: SqliteDatabase;
  /** Absent: in memory. */
  readonly file?: string;
  readonly id: string;
  readonly witness: Witness;
  readonly marker: JournalMarker;
  readonly now: () => number;
  /** Told when the journal was found to have gone backwards. */
  readonly noticed?: (hold: Hold) => void;
  /** What was seen of other journals that stood in this place. */
  readonly formers: Witness[];
}

/** Records compared in one transaction. */
const AT_ONCE = 500;

export class SqliteChain implements Chain {
  readonly #parts: SqliteChainParts;
  readonly #opened: { readonly ino: number; readonly dev: number } | undefined;
  /** The link whose loss this process has put down. */
  #put: Link | undefined;

  constructor(parts: SqliteChainParts) {
    this.#parts = parts;
    this.#opened = parts.file === undefined ? undefined : statSync(parts.file);
  }

  get witness(): Witness {
    return this.#parts.witness;
  }

  async standing(): Promise<Standing> {
    await this.look();
    const { db, witness } = this.#parts;
    const head = headOf(db);
    witness.see(head);
    return { head, ...this.#stops() };
  }

  async has(link: Link): Promise<boolean> {
    return hasLink(this.#parts.db, link);
  }

  /** Before anything is decided by this journal. */
  async look(): Promise<void> {
    this.beforehand();
    if (this.#fits()) return;
    const { top } = this.#parts.witness;
    if (this.#put === undefined || this.#put !== top || this.#stops().hold === undefined) await this.notice();
  }

  /** Before the transaction that marks an act as sent: the file is there, and is read as it is now. */
  beforehand(): void {
    const { file, witness, db } = this.#parts;
    if (file !== undefined) this.#assertThere(file);
    witness.look();
    // What another program wrote over the file in place is in no cache.
    db.exec('pragma shrink_memory');
  }

  /** In that transaction. @throws ClerkError, or Behind */
  assertMaySend(): void {
    const why = whyNotSend({ head: headOf(this.#parts.db), ...this.#stops() });
    if (why !== undefined) throw why;
    if (!this.#fits()) throw new Behind();
  }

  /**
   * Puts down what this journal lacks of what was seen, and holds all sending. Where all of that is known already it
   * was recovered, and the journal goes on from where it is.
   */
  async notice(): Promise<void> {
    const { db, witness, formers, noticed, now } = this.#parts;
    const hold: Hold = { since: now(), head: headOf(db), seen: this.#highest() };
    for (const one of [...formers, witness]) this.#enterAll(one.records());
    const seen = witness.top;
    const found = db.transaction<'known' | 'held' | 'new'>(() => {
      if (seen !== undefined) this.#enter(seen);
      if (this.#lostLinks() === 0) return 'known';
      if (this.#stops().hold !== undefined) return 'held';
      db.run("insert into meta(key, value) values('hold', ?)", JSON.stringify(hold));
      appendNote(db, 'held', 'fareclerk', JSON.stringify(hold), hold.since);
      return 'new';
    });
    this.#put = seen;
    if (found === 'known') this.#goOnFrom(headOf(db));
    if (found === 'new') noticed?.(hold);
  }

  #goOnFrom(head: Link): void {
    const { witness, marker, id, formers } = this.#parts;
    witness.branch(head);
    marker.write(id);
    for (const one of formers.splice(0)) one.close();
  }

  #lostLinks(): number {
    return Number(this.#parts.db.get('select count(*) as n from lost where recovered_at is null')?.n);
  }

  async lost(): Promise<Lost> {
    await this.look();
    const rows = this.#parts.db.all('select body from lost where recovered_at is null order by noticed_at, n');
    return lostOf(rows.map(({ body }) => (body === null ? null : String(body))));
  }

  async release(links: number, by: string, now: number): Promise<boolean> {
    const { db } = this.#parts;
    const head = db.transaction<Link | undefined>(() => {
      const { hold } = this.#stops();
      if (hold === undefined || this.#lostLinks() !== links) return undefined;
      db.run('update lost set recovered_at = ?, body = null where recovered_at is null', now);
      db.run("delete from meta where key = 'hold'");
      return appendNote(db, 'restored', by, JSON.stringify({ ...hold, links }), now);
    });
    if (head !== undefined) this.#goOnFrom(head);
    return head !== undefined;
  }

  async pause(why: string, by: string, now: number): Promise<void> {
    const { db } = this.#parts;
    const pause: Pause = { since: now, by, why };
    db.transaction(() => {
      db.run("insert or replace into meta(key, value) values('pause', ?)", JSON.stringify(pause));
      appendNote(db, 'paused', by, JSON.stringify(pause), now);
    });
  }

  async resume(by: string, now: number): Promise<boolean> {
    const { db } = this.#parts;
    return db.transaction<boolean>(() => {
      const { pause } = this.#stops();
      if (pause === undefined) return false;
      db.run("delete from meta where key = 'pause'");
      appendNote(db, 'resumed', by, JSON.stringify(pause), now);
      return true;
    });
  }

  close(): void {
    for (const one of [this.#parts.witness, ...this.#parts.formers]) one.close();
  }

  #assertThere(file: string): void {
    const there = statSync(file, { throwIfNoEntry: false });
    if (there === undefined) throw fileGone('removed');
    if (there.ino !== this.#opened?.ino || there.dev !== this.#opened.dev) throw fileGone('replaced');
    if (there.size === 0) throw fileGone('emptied');
  }

  #fits(): boolean {
    const { db, witness, formers } = this.#parts;
    return formers.length === 0 && (witness.top === undefined || hasLink(db, witness.top));
  }

  #highest(): Link {
    const { witness, formers } = this.#parts;
    const tops = [witness, ...formers].flatMap(({ top }) => top ?? []);
    return tops.toSorted((one, other) => other.n - one.n)[0] ?? { n: 0, hash: '' };
  }

  #enterAll(records: Iterable<Seen>): void {
    const write = (some: readonly Seen[]) =>
      this.#parts.db.transaction(() => {
        for (const seen of some) this.#enter(seen);
      });
    let some: Seen[] = [];
    for (const seen of records) {
      some.push(seen);
      if (some.length < AT_ONCE) continue;
      write(some);
      some = [];
    }
    write(some);
  }

  #enter(seen: Seen): void {
    const { db, now } = this.#parts;
    if (hasLink(db, seen)) return;
    const sql = 'insert into lost(n, hash, body, noticed_at) values(?, ?, ?, ?) on conflict do nothing';
    db.run(sql, seen.n, seen.hash, lostBody(seen), now());
  }

  #stops(): Pick<Standing, 'hold' | 'pause'> {
    const rows = this.#parts.db.all("select key, value from meta where key in ('hold', 'pause')");
    return Object.fromEntries(rows.map(({ key, value }) => [String(key), JSON.parse(String(value))]));
  }
}
