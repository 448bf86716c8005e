/**
 * The journal as a whole on PostgreSQL: whether it still is what was last seen of it, and what stops sending.
 */
import type { Chain, Hold, Link, Lost, Pause, Standing } from '../../journal/ports.ts';
import { NO_LINK_YET } from '../chain.ts';
import type { JournalMarker } from '../journal-marker.ts';
import { lostBody, lostOf } from '../lost-acts.ts';
import type { Seen, Witness } from '../witness.ts';
import type { PostgresDatabase } from './database.ts';
import { standingIn } from './whole.ts';

export interface PostgresChainParts {
  readonly db: PostgresDatabase;
  readonly id: string;
  readonly witness: Witness;
  readonly marker: JournalMarker;
  readonly now: () => number;
  readonly noticed?: (hold: Hold) => void;
  /** What was seen of other journals that stood in this place. */
  readonly formers: Witness[];
}

/** Records compared in one statement. */
const AT_ONCE = 500;

interface Found extends Standing {
  readonly fits: boolean;
}

export class PostgresChain implements Chain {
  readonly #parts: PostgresChainParts;
  readonly #in: string;
  #id: string;
  /** The link whose loss this process has put down. */
  #put: Link | undefined;

  constructor(parts: PostgresChainParts) {
    this.#parts = parts;
    this.#in = parts.db.schema;
    this.#id = parts.id;
  }

  get witness(): Witness {
    return this.#parts.witness;
  }

  /** The journal that this process has opened. */
  get id(): string {
    return this.#id;
  }

  async standing(): Promise<Standing> {
    const found = await this.#ask();
    if (found.fits) {
      this.witness.see(found.head);
      return told(found);
    }
    const { top } = this.witness;
    if (this.#put !== undefined && this.#put === top && found.hold !== undefined) return told(found);
    await this.notice();
    return told(await this.#ask());
  }

  async has({ n, hash }: Link): Promise<boolean> {
    const row = await this.#parts.db.get(`select ${this.#in}.has_link($1::bigint, $2) as there`, n, hash);
    return row?.there === true;
  }

  /** As on SQLite: puts down what is missing, and holds; or goes on where all of it is known. */
  async notice(): Promise<void> {
    const { db, witness, formers, now, noticed } = this.#parts;
    const seen = witness.top;
    const { head } = await this.#ask();
    const hold: Hold = { since: now(), head, seen: this.#highest() };
    for (const one of [...formers, witness]) await this.#enterAll(one.records());
    if (seen !== undefined) await this.#enter([seen]);
    const row = await db.change(
      `select ${this.#in}.hold_lost($1, $2::bigint) as found`,
      JSON.stringify(hold),
      hold.since,
    );
    this.#put = seen;
    if (row?.found === 'known') await this.#goOn();
    if (row?.found === 'new') noticed?.(hold);
  }

  async lost(): Promise<Lost> {
    await this.standing();
    const rows = await this.#parts.db.all(
      `select body from ${this.#in}.lost where recovered_at is null order by place`,
    );
    return lostOf(rows.map(({ body }) => (body === null ? null : String(body))));
  }

  async release(links: number, by: string, now: number): Promise<boolean> {
    const { hold } = await this.#ask();
    const row = await this.#parts.db.change(
      `select ${this.#in}.release_lost($1::bigint, $2, $3, $4::bigint) as link`,
      ...[links, by, JSON.stringify({ ...hold, links }), now],
    );
    if (row?.link == null) return false;
    await this.#goOn();
    return true;
  }

  async pause(why: string, by: string, now: number): Promise<void> {
    const pause: Pause = { since: now, by, why };
    await this.#setPause(JSON.stringify(pause), by, now);
  }

  resume(by: string, now: number): Promise<boolean> {
    return this.#setPause(null, by, now);
  }

  close(): void {
    for (const one of [this.#parts.witness, ...this.#parts.formers]) one.close();
  }

  async #setPause(pause: string | null, by: string, now: number): Promise<boolean> {
    const sql = `select ${this.#in}.set_pause($1, $2, $3::bigint) as done`;
    return (await this.#parts.db.change(sql, pause, by, now))?.done === true;
  }

  async #goOn(): Promise<void> {
    const { witness, marker, formers } = this.#parts;
    const { journal, head } = await this.#ask();
    if (journal !== undefined) this.#id = journal;
    witness.branch(head);
    marker.write(this.#id);
    for (const one of formers.splice(0)) one.close();
  }

  async #ask(): Promise<Found & { readonly journal: string | undefined }> {
    const { db, witness, formers } = this.#parts;
    witness.look();
    const { n, hash } = witness.top ?? NO_LINK_YET;
    const row = (await db.get(standingIn(this.#in), n, hash)) ?? {};
    const journal = row.journal == null ? undefined : String(row.journal);
    return {
      journal,
      head: { n: Number(row.n), hash: String(row.hash) },
      fits: row.fits === true && journal === this.#id && formers.length === 0,
      ...(row.hold != null && { hold: JSON.parse(String(row.hold)) as Hold }),
      ...(row.pause != null && { pause: JSON.parse(String(row.pause)) as Pause }),
    };
  }

  #highest(): Link {
    const { witness, formers } = this.#parts;
    const tops = [witness, ...formers].flatMap(({ top }) => top ?? []);
    return tops.toSorted((one, other) => other.n - one.n)[0] ?? NO_LINK_YET;
  }

  async #enterAll(records: Iterable<Seen>): Promise<void> {
    let some: Seen[] = [];
    for (const seen of records) {
      some.push(seen);
      if (some.length < AT_ONCE) continue;
      await this.#enter(some);
      some = [];
    }
    await this.#enter(some);
  }

  async #enter(some: readonly Seen[]): Promise<void> {
    if (some.length === 0) return;
    const rows = some.map((seen) => ({ n: seen.n, hash: seen.hash, body: lostBody(seen) }));
    const sql = `select ${this.#in}.enter_lost($1::text::json, $2::bigint)`;
    await this.#parts.db.change(sql, JSON.stringify(rows), this.#parts.now());
  }
}

function told({ head, hold, pause }: Standing): Standing {
  return { head, ...(hold && { hold }), ...(pause && { pause }) };
}
