/**
 * The machines that have second records of the journal. The journal names each machine that ever sent. A machine without
 * second records may be new, or may have lost them together with an older copy that was restored: it sends nothing before
 * each machine that the journal names has confirmed that its own records still fit, or before a person says so.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeOwn } from '../../files/own-files.ts';
import type { ChainStatus, Link } from '../../journal/ports.ts';
import type { Database } from '../database.ts';
import type { Witness } from './witness.ts';

/** Keys of the table `meta`, each before the id of a machine: when it last confirmed, and since when it wants to join. */
const SENDER = 'second_record ';
const JOINING = 'joining ';
const NO_DISK = 'no disk ';
/** Asks again after this time, milliseconds: what was confirmed long ago proves nothing about the journal of today. */
const ASK_AGAIN_MS = 5 * 60_000;

interface Machines {
  readonly senders: ReadonlyMap<string, number>;
  readonly joining: ReadonlyMap<string, number>;
}

export class SecondRecords {
  readonly #db: Database;
  readonly #witness: Witness;
  readonly #now: () => number;
  readonly #path: string;
  #knownId: string | undefined;
  #mayJoin = false;
  #isSender = false;
  #noted = 0;

  /** `folder`: where the second records of the journal `journal` are. */
  constructor(db: Database, witness: Witness, folder: string, journal: string, now: () => number) {
    this.#db = db;
    this.#witness = witness;
    this.#now = now;
    this.#path = join(folder, `${journal}.here`);
  }

  /** Whether this machine has no second records of a journal that has some, and may not join yet. */
  async areMissing(): Promise<boolean> {
    return !this.#hasSome && !(await this.#request()).isConfirmed;
  }

  /** Asks to join, if this machine has no second records. Returns whether it may. */
  async ask(): Promise<boolean> {
    if (this.#hasSome) return true;
    const { since, isWritten, isConfirmed } = await this.#request();
    if (!isConfirmed && !isWritten) await this.#put(JOINING, since);
    return isConfirmed;
  }

  /** Joins if that is possible, confirms for others that join, and writes down how far the journal is. */
  async keepUp(head: Link): Promise<void> {
    if (!this.#hasSome) return void (await this.#join(head));
    if (head.n > this.#noted) this.#witness.note(head);
    this.#noted = head.n;
    const { senders, joining } = await this.#machines();
    const confirmed = senders.get(this.#id);
    const isAsked = [...joining.values()].some((since) => since >= (confirmed ?? 0));
    if (confirmed === undefined ? this.#isSender : isAsked) await this.#put(SENDER);
  }

  /** Called before each send. False: this machine may not send. `compare`: the journal with these records. */
  async beforeSend(compare: () => Promise<ChainStatus>): Promise<boolean> {
    const isKnown = () => this.#isSender || this.#id.startsWith(NO_DISK);
    if (this.#hasSome && isKnown()) return true;
    // Nothing is confirmed for others of a journal that went backwards.
    const { head, hold } = await compare();
    if (hold !== undefined || !(this.#hasSome || (await this.#join(head)))) return false;
    if (isKnown()) return true;
    await this.#put(SENDER);
    this.#isSender = true;
    return true;
  }

  /**
   * The journal no longer names any machine: the next ones join at once. Those that want to join ask from now on, so that
   * the first one that sends has confirmed for them, however soon it sends.
   */
  async forgetAll(): Promise<void> {
    await this.#db.run(`update ${this.#meta} set value = ? where key like '${JOINING}%'`, String(this.#now()));
    await this.#db.run(`delete from ${this.#meta} where key like '${SENDER}%'`);
    this.#isSender = false;
  }

  get #hasSome(): boolean {
    return this.#mayJoin || !this.#witness.isEmpty;
  }

  /** Without a disk each process is a machine of its own, which the journal does not name: it ends with its records. */
  get #id(): string {
    this.#knownId ??= idIn(this.#path) ?? `${NO_DISK}${randomUUID()}`;
    return this.#knownId;
  }

  get #meta(): string {
    return `${this.#db.dialect.prefix}meta`;
  }

  async #join(head: Link): Promise<boolean> {
    if (!(await this.ask())) return false;
    this.#mayJoin = true;
    this.#witness.branch(head);
    await this.#db.run(`delete from ${this.#meta} where key = ?`, JOINING + this.#id);
    return true;
  }

  /** Since when this machine wants to join, and whether each machine that the journal names has confirmed since. */
  async #request(): Promise<{ since: number; isWritten: boolean; isConfirmed: boolean }> {
    const { senders, joining } = await this.#machines();
    const now = this.#now();
    const asked = joining.get(this.#id) ?? Number.NEGATIVE_INFINITY;
    const isWritten = asked >= now - ASK_AGAIN_MS;
    const since = isWritten ? asked : now;
    return { since, isWritten, isConfirmed: [...senders.values()].every((confirmed) => confirmed > since) };
  }

  async #put(key: string, at = this.#now()): Promise<void> {
    const sql = `insert into ${this.#meta}(key, value) values (?, ?) on conflict (key) do update set value = excluded.value`;
    await this.#db.run(sql, key + this.#id, String(at));
  }

  async #machines(): Promise<Machines> {
    const sql = `select key, value from ${this.#meta} where key like '${SENDER}%' or key like '${JOINING}%'`;
    const rows = await this.#db.all(sql);
    const those = (key: string) =>
      new Map(
        rows
          .filter((row) => String(row.key).startsWith(key))
          .map((row) => [String(row.key).slice(key.length), Number(row.value)] as const),
      );
    return { senders: those(SENDER), joining: those(JOINING) };
  }
}

/** The id of this machine, made once. Undefined: it has no disk for second records. */
function idIn(path: string): string | undefined {
  const draft = `${path}.${process.pid}`;
  try {
    if (!existsSync(path)) {
      writeOwn(draft, randomUUID());
      // Unlike a renamed file, a link never replaces what another process has just made.
      linkSync(draft, path);
    }
  } catch {
    // Another process was first, or there is no disk.
  }
  try {
    rmSync(draft, { force: true });
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
