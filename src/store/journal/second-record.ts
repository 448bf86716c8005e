/**
 * The second record of the journal: a file of JSON objects, one a line, that only grows. Several processes of one user
 * append to it. A journal that no longer has what this file has went backwards.
 *
 * Each act is written and forced to the disk after its commit and before its first byte; its end is written too, but
 * nobody waits for that. The journal names the machines that have second records: one without may not send at once.
 */

import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ForeignError } from '../../files/foreign.ts';
import { openOwn, ownFolder, writeOwn } from '../../files/own-files.ts';
import type { ChainStatus, Link, LostAct } from '../../journal/ports.ts';
import type { Database } from '../database.ts';

const forceData = promisify(fdatasync);

/** A link of the journal, and what is known of its act. */
export type RecordedLink = Link & LostAct;

/** One line: an act, or the link where another chain continues. */
type RecordLine = Partial<RecordedLink> & { readonly branch?: readonly [n: number, hash: string] };

/** Starts a new file at this size, and keeps so many old ones: some hundred thousand acts. */
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_OLD_FILES = 4;
/** Bytes read from the end of the newest file at the start: they hold the latest link. */
const TAIL_BYTES = 256 * 1024;
/** Acts to keep in memory if there is no file. */
const MOST_IN_MEMORY = 1_000;
/** Bytes of a long file that are read at once. */
const PIECE_BYTES = 1024 * 1024;
/** A process may wait so long for its disk, milliseconds: if the disk took longer, another thread waits for it. */
const BRIEF_MS = 4;
/** Bytes of a probe: more than one act needs. */
const PROBE_BYTES = 8 * 1024;

export class SecondRecord {
  readonly #folder: string | undefined;
  readonly #id: string;
  /** The acts, if there is no file. */
  readonly #memory: RecordedLink[] = [];
  #top: Link | undefined;
  #file: { readonly fd: number; readonly ino: number; readonly dev: number } | undefined;
  /** How far the file was read, bytes. */
  #offset = 0;
  /** How long forcing the file to the disk took the last time. */
  #tookMs = 0;
  /** The last time that the file was forced to the disk. */
  #forcing: Promise<void> = Promise.resolve();
  /** The next time, which begins when that has ended. */
  #next: Promise<void> | undefined;

  /**
   * Without a folder, or if it cannot be made, keeps acts in memory only.
   * @throws ForeignError if it is another user's
   */
  constructor(folder: string | undefined, id: string) {
    this.#id = id;
    this.#folder = folder !== undefined && canMake(folder) ? folder : undefined;
    this.#open();
  }

  /** The highest link seen since the journal was last restored. */
  get top(): Link | undefined {
    return this.#top;
  }

  /** Whether nothing was ever written. */
  get isEmpty(): boolean {
    if (this.#file === undefined || this.#folder === undefined) return this.#memory.length === 0;
    return fstatSync(this.#file.fd).size === 0 && this.#oldFiles(this.#folder).length === 0;
  }

  /** Reads what other processes wrote since. */
  look(): void {
    if (this.#folder === undefined || this.#file === undefined) return;
    const found = statSync(this.#pathIn(this.#folder), { throwIfNoEntry: false });
    if (found === undefined || found.ino !== this.#file.ino || found.dev !== this.#file.dev) this.#open();
    else if (found.size > this.#offset) this.#readOn(this.#file.fd);
  }

  /** Remembers a link if it is the highest. */
  raiseTop(link: Link): void {
    if (this.#top === undefined || link.n > this.#top.n) this.#top = link;
  }

  /** Records an act before it is sent: on the disk when this returns. */
  keepNow(link: RecordedLink): void {
    this.#write(link, link);
    this.raiseTop(link);
    if (this.#file === undefined) return;
    const began = performance.now();
    fdatasyncSync(this.#file.fd);
    this.#tookMs = performance.now() - began;
  }

  /** Records an act before it is sent: on the disk when this resolves. A disk that takes long holds up nothing else. */
  async keep(link: RecordedLink): Promise<void> {
    // Another thread takes longer to wake than a quick disk to write.
    if (this.#tookMs < BRIEF_MS) return this.keepNow(link);
    this.#write(link, link);
    this.raiseTop(link);
    await this.#forceToDisk();
  }

  /** Records how an act ended. If the write fails, reading the booking shows it. */
  note(link: RecordedLink): void {
    this.raiseTop(link);
    try {
      this.#write(link, link);
    } catch {
      // Reading the booking proves the end.
    }
  }

  /** Records that another chain continues from this link. */
  branch(head: Link): void {
    this.#write({ branch: [head.n, head.hash] });
    this.#top = head;
  }

  /** All records, oldest first. */
  *records(): Iterable<RecordedLink> {
    if (this.#folder === undefined) {
      yield* this.#memory;
      return;
    }
    for (const path of [...this.#oldFiles(this.#folder), this.#pathIn(this.#folder)]) {
      for (const line of readRecordLines(path)) {
        const { n, hash, sent, end } = recordIn(line);
        if (n !== undefined && hash !== undefined) yield { n, hash, sent, end };
      }
    }
  }

  /** Writes and removes a small file: on a full disk, appending a few bytes could still succeed. @throws Error */
  assertWritable(): void {
    if (this.#folder === undefined) return;
    this.look();
    if (this.#file === undefined) this.#open();
    if (this.#file === undefined) throw new Error('the second record cannot be opened');
    const probe = join(this.#folder, `${this.#id}.${process.pid}.probe`);
    try {
      writeOwn(probe, Buffer.alloc(PROBE_BYTES));
    } finally {
      rmSync(probe, { force: true });
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.fd);
    this.#file = undefined;
  }

  #pathIn(folder: string): string {
    return join(folder, `${this.#id}.log`);
  }

  #open(): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    this.close();
    try {
      const path = this.#pathIn(folder);
      const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
      const fd = openOwn(path, 'append');
      if (isNew) forceFolder(folder);
      const { ino, dev, size } = fstatSync(fd);
      this.#file = { fd, ino, dev };
      this.#offset = Math.max(0, size - TAIL_BYTES);
      this.#readOn(fd);
    } catch (error) {
      this.#file = undefined;
      if (error instanceof ForeignError) throw error;
    }
  }

  #readOn(fd: number): void {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - this.#offset));
    const read = readSync(fd, bytes, 0, bytes.length, this.#offset);
    const end = bytes.lastIndexOf('\n', read - 1) + 1;
    for (const line of bytes.toString('utf8', 0, end).split('\n')) {
      const { branch, n, hash } = recordIn(line);
      if (branch !== undefined) this.#top = { n: branch[0], hash: branch[1] };
      else if (n !== undefined && hash !== undefined) this.raiseTop({ n, hash });
    }
    this.#offset += end;
  }

  /** @param act what is kept in memory if there is no file */
  #write({ n, hash, sent, end, branch }: RecordLine, act?: RecordedLink): void {
    if (this.#file === undefined) {
      if (act !== undefined) this.#memory.push(act);
      if (this.#memory.length > MOST_IN_MEMORY) this.#memory.shift();
      return;
    }
    if (this.#offset > MOST_BYTES) this.#putAside();
    // A power failure may have cut the line before: start on a new one.
    const bytes = Buffer.from(`\n${JSON.stringify({ n, hash, sent, end, branch })}\n`);
    const written = writeSync(this.#file.fd, bytes);
    if (written !== bytes.length) throw new Error('the record of the act was not written in full');
    // Skips reading our own line if nobody else wrote before it.
    const { size } = fstatSync(this.#file.fd);
    if (size === this.#offset + written) this.#offset = size;
  }

  /** Calls during one sync share the next one. */
  #forceToDisk(): Promise<void> {
    this.#next ??= this.#forcing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        const fd = this.#file?.fd;
        const began = performance.now();
        this.#forcing = fd === undefined ? Promise.resolve() : forceData(fd);
        return this.#forcing.then(() => {
          this.#tookMs = performance.now() - began;
        });
      });
    return this.#next;
  }

  #oldFiles(folder: string): string[] {
    const names = readdirSync(folder).filter((name) => name.startsWith(`${this.#id}.`) && name.endsWith('.old.log'));
    return names.sort().map((name) => join(folder, name));
  }

  /** Two processes may do this at once: names differ, so that no file replaces another. */
  #putAside(): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    const place = String(this.#top?.n ?? 0).padStart(16, '0');
    try {
      renameSync(this.#pathIn(folder), join(folder, `${this.#id}.${place}.old.log`));
      for (const old of this.#oldFiles(folder).slice(0, -MOST_OLD_FILES)) rmSync(old, { force: true });
      this.#open();
    } catch {
      // Another process was first; the next `look` finds its file.
    }
  }
}

/** The record of a line; an empty object for a foreign or incomplete one. */
function recordIn(line: string): RecordLine {
  try {
    return (line === '' ? undefined : (JSON.parse(line) as RecordLine | null)) ?? {};
  } catch {
    return {};
  }
}

/** Reads in pieces: the files may be long. */
function* readRecordLines(path: string): Iterable<string> {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return;
  }
  try {
    const piece = Buffer.alloc(PIECE_BYTES);
    let rest = Buffer.alloc(0);
    for (let read = readSync(fd, piece); read > 0; read = readSync(fd, piece)) {
      const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
      const end = bytes.lastIndexOf('\n') + 1;
      yield* bytes.toString('utf8', 0, end).split('\n');
      rest = bytes.subarray(end);
    }
  } finally {
    closeSync(fd);
  }
}

/**
 * Makes the folder for second records, if that is possible. Returns whether it is there.
 * @throws ForeignError if it is another user's
 */
export function canMake(folder: string): boolean {
  try {
    ownFolder(folder);
    return true;
  } catch (error) {
    if (error instanceof ForeignError) throw error;
    return false;
  }
}

/** Forces the name of a new file to the disk too. Windows does not need it. */
export function forceFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Precedes the id of a machine among the keys of the table `meta`. The value: when it last confirmed. */
const SENDER = 'second_record ';
/** Precedes it too. The value: since when the machine wants to join. */
const JOINING = 'joining ';
/** The id of a process that has no disk for second records begins so. */
const NO_DISK = 'no disk ';
/** A machine asks again after this time, milliseconds: what was confirmed long ago proves nothing about the present. */
const ASK_AGAIN_MS = 5 * 60_000;

/** What the journal names, by machine. Times are milliseconds since 1970. */
interface Machines {
  /** When each that ever sent last confirmed. */
  readonly senders: ReadonlyMap<string, number>;
  /** Since when each that has no second records yet wants to join. */
  readonly joining: ReadonlyMap<string, number>;
}

/**
 * The machines that have second records of the journal. The journal names each machine that ever sent. A machine
 * without second records may be new, or may have lost them together with an older copy that was restored: it sends
 * nothing before each machine that the journal names has confirmed that its own records still fit, or before a person
 * says so.
 */
export class RecordingMachines {
  readonly #db: Database;
  readonly #record: SecondRecord;
  readonly #now: () => number;
  readonly #path: string;
  #knownId: string | undefined;
  /** It joined, although nothing is in its second records yet. */
  #hasJoined = false;
  /** The journal names it. */
  #isSender = false;
  /** The number of the head that it last wrote down. */
  #noted = 0;

  /** `folder`: where the second records of the journal `journal` are. */
  constructor(db: Database, record: SecondRecord, folder: string, journal: string, now: () => number) {
    this.#db = db;
    this.#record = record;
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
    if (head.n > this.#noted) this.#record.note(head);
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
   * The journal no longer names any machine: the next ones join at once. Those that want to join ask from now on, so
   * that the first one that sends has confirmed for them, however soon it sends.
   */
  async forgetAll(): Promise<void> {
    await this.#db.run(`update ${this.#meta} set value = ? where key like '${JOINING}%'`, String(this.#now()));
    await this.#db.run(`delete from ${this.#meta} where key like '${SENDER}%'`);
    this.#isSender = false;
  }

  get #hasSome(): boolean {
    return this.#hasJoined || !this.#record.isEmpty;
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
    this.#hasJoined = true;
    this.#record.branch(head);
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
    const machinesBy = (key: string) =>
      new Map(
        rows
          .filter((row) => String(row.key).startsWith(key))
          .map((row) => [String(row.key).slice(key.length), Number(row.value)] as const),
      );
    return { senders: machinesBy(SENDER), joining: machinesBy(JOINING) };
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
