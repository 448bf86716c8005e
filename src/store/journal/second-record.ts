/**
 * The second record of the journal: a file with a JSON object in each line, to which several processes of one user
 * append. If the journal lacks links that this file has, an older copy of it was restored, or part of it was lost.
 *
 * Each act is written and forced to the disk after its commit and before its first byte. Its end is written too, but
 * nothing waits for that.
 *
 * In this order: the file ({@link SecondRecord}), then which machines have one ({@link RecordingMachines}). The journal
 * names each machine that sends. A machine passes these states:
 *
 * | state   | event                                                | next state                                       |
 * | ------- | ---------------------------------------------------- | ------------------------------------------------ |
 * | new     | it keeps up or sends, and the journal names nobody   | joined: it records the head of the journal       |
 * | new     | it keeps up or sends, and the journal names machines | waiting: the journal has since when; no send     |
 * | waiting | a named machine keeps up                             | waiting: that machine confirms                   |
 * | waiting | it keeps up or sends, and each named one confirmed   | joined                                           |
 * | waiting | five minutes pass                                    | waiting from now on: old confirmations end       |
 * | waiting | a person says on any machine that records are lost   | waiting from now on: the journal names nobody    |
 * | joined  | it sends the first time                              | sender: the journal names it                     |
 * | joined  | its process starts anew                              | joined; new if it has no disk for its records    |
 * | sender  | its process starts anew                              | sender: its first send confirms once more        |
 * | sender  | a person says elsewhere that records are lost        | sender: it is named again as it next keeps up    |
 *
 * While sending is held, no machine joins or confirms: links may be missing. A machine without a disk stays joined,
 * because the journal never names it.
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
import type { Database, Row } from '../database.ts';

const forceData = promisify(fdatasync);

/** A link of the journal, and what is known of its act. */
export type RecordedLink = Link & LostAct;

/** One line: an act, or the link where another chain continues. */
type RecordLine = Partial<RecordedLink> & { readonly branch?: readonly [n: number, hash: string] };

/** A new file is started at this size, bytes. */
const MOST_BYTES = 32 * 1024 * 1024;
/** How many older files are kept: they have some hundred thousand acts. */
const MOST_OLD_FILES = 4;
/** How much of the newest file is read at the start, from its end, bytes: it has the latest link. */
const TAIL_BYTES = 256 * 1024;
/** How many acts are kept in memory if there is no file. */
const MOST_IN_MEMORY = 1_000;
/** How much of a long file is read at once, bytes. */
const PIECE_BYTES = 1024 * 1024;
/** If forcing the file to the disk took longer than this, another thread waits for it. Milliseconds. */
const BRIEF_MS = 4;
/** Size of a probe, bytes: more than one act needs. */
const PROBE_BYTES = 8 * 1024;

/**
 * Prefix of a sender's id among the keys of the table `meta`: the journal names this machine. The value is when the
 * machine last confirmed that its records fit, milliseconds since 1970.
 */
const SENDER = 'second_record ';
/** Prefix of the id of a machine that waits to join. The value is since when, milliseconds since 1970. */
const JOINING = 'joining ';
/** Prefix of the id of a process that has no disk for second records. */
const NO_DISK = 'no disk ';
/** A machine that waited this long to join asks again, milliseconds: a confirmation must not be old. */
const ASK_AGAIN_MS = 5 * 60_000;

export class SecondRecord {
  readonly #folder: string | undefined;
  readonly #id: string;
  /** The acts, if there is no file. */
  readonly #memory: RecordedLink[] = [];
  #top: Link | undefined;
  #file: { readonly fd: number; readonly ino: number; readonly dev: number } | undefined;
  /** How far the file was read, bytes. */
  #offset = 0;
  /** How long forcing the file to the disk took the last time, milliseconds. */
  #tookMs = 0;
  /** The last sync of the file that began. */
  #lastSync: Promise<void> = Promise.resolve();
  /** The next sync, which begins when the last one has ended. */
  #nextSync: Promise<void> | undefined;

  /**
   * Without a folder, or if it cannot be made, keeps acts in memory only.
   * @throws ForeignError if it is another user's
   */
  constructor(folder: string | undefined, id: string) {
    this.#id = id;
    this.#folder = folder !== undefined && ensureFolder(folder) ? folder : undefined;
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

  /** Reads what other processes have written since the last reading. */
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

  /** Records an act before it is sent. It is on the disk when this returns. */
  recordSendSync(link: RecordedLink): void {
    this.#write(link);
    this.raiseTop(link);
    if (this.#file === undefined) return;
    const began = performance.now();
    fdatasyncSync(this.#file.fd);
    this.#tookMs = performance.now() - began;
  }

  /** Records an act before it is sent. It is on the disk when this resolves. A slow disk does not block the process. */
  async recordSend(link: RecordedLink): Promise<void> {
    // Waking another thread takes longer than a quick disk takes to write.
    if (this.#tookMs < BRIEF_MS) return this.recordSendSync(link);
    this.#write(link);
    this.raiseTop(link);
    await this.#forceToDisk();
  }

  /** Records how an act ended, or how far the journal is. Nothing waits for the disk. Never throws. */
  recordIfPossible(link: RecordedLink): void {
    this.raiseTop(link);
    try {
      this.#write(link);
    } catch {
      // Without this record, reading the booking proves the end.
    }
  }

  /** Records that another chain continues from this link, even if a higher link was seen. */
  continueFrom(head: Link): void {
    this.#append({ branch: [head.n, head.hash] });
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

  /** Writes and removes a small file, because appending a few bytes could succeed on a full disk. @throws Error */
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

  /** Appends a link to the file, or to the memory if there is no file. */
  #write(link: RecordedLink): void {
    if (this.#file !== undefined) {
      this.#append(link);
      return;
    }
    this.#memory.push(link);
    if (this.#memory.length > MOST_IN_MEMORY) this.#memory.shift();
  }

  /** Appends a line to the file, if there is one. */
  #append({ n, hash, sent, end, branch }: RecordLine): void {
    if (this.#file === undefined) return;
    if (this.#offset > MOST_BYTES) this.#startNewFile();
    // Starts on a new line, because a power failure may have cut the one before.
    const bytes = Buffer.from(`\n${JSON.stringify({ n, hash, sent, end, branch })}\n`);
    const written = writeSync(this.#file.fd, bytes);
    if (written !== bytes.length) throw new Error('the record of the act was not written in full');
    // Skips reading our own line, if nobody else wrote before it.
    const { size } = fstatSync(this.#file.fd);
    if (size === this.#offset + written) this.#offset = size;
  }

  /** Forces the file to the disk. Calls during one sync share the next one. */
  #forceToDisk(): Promise<void> {
    this.#nextSync ??= this.#lastSync
      .catch(() => undefined)
      .then(() => {
        this.#nextSync = undefined;
        const fd = this.#file?.fd;
        const began = performance.now();
        this.#lastSync = fd === undefined ? Promise.resolve() : forceData(fd);
        return this.#lastSync.then(() => {
          this.#tookMs = performance.now() - began;
        });
      });
    return this.#nextSync;
  }

  #oldFiles(folder: string): string[] {
    const names = readdirSync(folder).filter((name) => name.startsWith(`${this.#id}.`) && name.endsWith('.old.log'));
    return names.sort().map((name) => join(folder, name));
  }

  /** Renames the full file and opens a new one. Two processes may do this at once: their names differ. */
  #startNewFile(): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    const place = String(this.#top?.n ?? 0).padStart(16, '0');
    try {
      renameSync(this.#pathIn(folder), join(folder, `${this.#id}.${place}.old.log`));
      for (const old of this.#oldFiles(folder).slice(0, -MOST_OLD_FILES)) rmSync(old, { force: true });
      this.#open();
    } catch {
      // Another process was first. The next `look` finds its file.
    }
  }
}

/** The record of a line. An empty object for an unknown or incomplete line. */
function recordIn(line: string): RecordLine {
  try {
    return (line === '' ? undefined : (JSON.parse(line) as RecordLine | null)) ?? {};
  } catch {
    return {};
  }
}

/** Reads the lines of a file in pieces, because it may be long. */
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
 * Makes the folder for second records if there is none. Returns false if that is impossible.
 * @throws ForeignError if it is another user's
 */
export function ensureFolder(folder: string): boolean {
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

/** The machines in the table `meta`. Times are milliseconds since 1970. */
interface Machines {
  /** When each machine that the journal names last confirmed. */
  readonly senders: ReadonlyMap<string, number>;
  /** Since when each machine without second records waits to join. */
  readonly joining: ReadonlyMap<string, number>;
}

/**
 * Decides whether this machine may send; the table at the top of this file has its states. A machine without second
 * records may be new, or may have lost them when an older copy was restored. It sends nothing until each machine that
 * the journal names has confirmed that its own records still fit, or a person says so.
 */
export class RecordingMachines {
  readonly #db: Database;
  readonly #record: SecondRecord;
  readonly #now: () => number;
  readonly #path: string;
  #knownId: string | undefined;
  /** Whether this process joined. Its second records are empty all the same if it has no disk for them. */
  #hasJoined = false;
  /** Whether this process has entered its machine in the journal as a sender. */
  #isSender = false;
  /** The number of the last head that this machine recorded. */
  #recordedHead = 0;

  /** @param folder where the second records of the journal are @param journal its id */
  constructor(db: Database, record: SecondRecord, folder: string, journal: string, now: () => number) {
    this.#db = db;
    this.#record = record;
    this.#now = now;
    this.#path = join(folder, `${journal}.here`);
  }

  /** Whether this machine is new or waiting, and may not join yet. */
  async areMissing(): Promise<boolean> {
    return !this.#hasRecords && !(await this.#request()).isConfirmed;
  }

  /** Asks to join, if this machine has no second records. Returns whether it has some or may join now. */
  async askToJoin(): Promise<boolean> {
    if (this.#hasRecords) return true;
    const { since, isWritten, isConfirmed } = await this.#request();
    if (!isConfirmed && !isWritten) await this.#putTime(JOINING, since);
    return isConfirmed;
  }

  /**
   * Joins if possible, confirms for machines that wait to join, and records how far the journal is. Call it only if a
   * comparison has just found no hold: the journal then has every link that these records have, which is what a
   * confirmation says.
   * @param head the head of the journal that was compared
   */
  async keepUp(head: Link): Promise<void> {
    if (!this.#hasRecords) {
      await this.#join(head);
      return;
    }
    if (head.n > this.#recordedHead) this.#record.recordIfPossible(head);
    this.#recordedHead = head.n;
    if (await this.#mustConfirm()) await this.#putTime(SENDER);
  }

  /**
   * Called before each send. False: this machine may not send.
   * @param compare compares the journal with these records
   */
  async beforeSend(compare: () => Promise<ChainStatus>): Promise<boolean> {
    if (this.#hasRecords && !this.#mustEnterName) return true;
    const { head, hold } = await compare();
    // Entering the name also confirms for other machines, which would be wrong while the journal lacks links.
    if (hold !== undefined) return false;
    if (!this.#hasRecords && !(await this.#join(head))) return false;
    if (!this.#mustEnterName) return true;
    await this.#putTime(SENDER);
    this.#isSender = true;
    return true;
  }

  /**
   * Removes all senders from the journal, so that the next machines join at once. Machines that wait to join ask from
   * now on, so that the first one that sends has confirmed for them, however soon it sends.
   */
  async forgetAll(): Promise<void> {
    await this.#db.run(`update ${this.#meta} set value = ? where key like '${JOINING}%'`, String(this.#now()));
    await this.#db.run(`delete from ${this.#meta} where key like '${SENDER}%'`);
    this.#isSender = false;
  }

  /** Whether this machine has second records, or joined without a disk for them. */
  get #hasRecords(): boolean {
    return this.#hasJoined || !this.#record.isEmpty;
  }

  /** Whether this process must enter its machine as a sender before it sends. One without a disk never does. */
  get #mustEnterName(): boolean {
    return !this.#isSender && !this.#id.startsWith(NO_DISK);
  }

  /** The id of this machine. A process without a disk has an id of its own. */
  get #id(): string {
    this.#knownId ??= idIn(this.#path) ?? `${NO_DISK}${randomUUID()}`;
    return this.#knownId;
  }

  get #meta(): string {
    return `${this.#db.dialect.prefix}meta`;
  }

  /** Joins at this head if every named machine has confirmed. Returns whether it did. */
  async #join(head: Link): Promise<boolean> {
    if (!(await this.askToJoin())) return false;
    this.#hasJoined = true;
    this.#record.continueFrom(head);
    await this.#db.run(`delete from ${this.#meta} where key = ?`, JOINING + this.#id);
    return true;
  }

  /** Whether a machine waits for this one to confirm, or the journal no longer names this sender. */
  async #mustConfirm(): Promise<boolean> {
    const { senders, joining } = await this.#machines();
    const confirmedAt = senders.get(this.#id);
    // Another machine's `forgetAll` removed the name of a machine that goes on sending.
    if (confirmedAt === undefined) return this.#isSender;
    return [...joining.values()].some((since) => since >= confirmedAt);
  }

  /**
   * Since when this machine waits to join, whether the journal has that, and whether each machine that the journal names
   * has confirmed since.
   */
  async #request(): Promise<{ since: number; isWritten: boolean; isConfirmed: boolean }> {
    const { senders, joining } = await this.#machines();
    const now = this.#now();
    const askedAt = joining.get(this.#id) ?? Number.NEGATIVE_INFINITY;
    const isWritten = askedAt >= now - ASK_AGAIN_MS;
    const since = isWritten ? askedAt : now;
    return { since, isWritten, isConfirmed: [...senders.values()].every((confirmed) => confirmed > since) };
  }

  /** Stores a time of this machine under a prefix: {@link SENDER} or {@link JOINING}. */
  async #putTime(prefix: string, at = this.#now()): Promise<void> {
    const sql = `insert into ${this.#meta}(key, value) values (?, ?) on conflict (key) do update set value = excluded.value`;
    await this.#db.run(sql, prefix + this.#id, String(at));
  }

  async #machines(): Promise<Machines> {
    const sql = `select key, value from ${this.#meta} where key like '${SENDER}%' or key like '${JOINING}%'`;
    const rows = await this.#db.all(sql);
    return { senders: timesByMachine(rows, SENDER), joining: timesByMachine(rows, JOINING) };
  }
}

/** The times that the table `meta` has under a prefix, by machine. */
function timesByMachine(rows: readonly Row[], prefix: string): ReadonlyMap<string, number> {
  const matching = rows.filter(({ key }) => String(key).startsWith(prefix));
  return new Map(matching.map(({ key, value }) => [String(key).slice(prefix.length), Number(value)]));
}

/** The id of this machine, which is made once. Undefined if it has no disk for second records. */
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
