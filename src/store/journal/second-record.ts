/**
 * The second record of the journal: a file with a JSON object in each line, to which several processes of one user
 * append. If the journal lacks links that this file has, an older copy of it was restored, or part of it was lost.
 *
 * Each act is written and forced to the disk after its commit and before its first byte. Its outcome is written before the
 * database is asked to take it, and its end after the commit; nothing waits for these. A machine without second records
 * starts some.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
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
import type { Link, LostAct, WaitingEnd, WaitingEnds } from '../../journal/ports.ts';

const forceData = promisify(fdatasync);

/** A link of the journal, and what is known of its act. */
export type RecordedLink = Link & LostAct;

/** One line: an act; the link where another chain continues; an outcome; or the id of one that need not wait any more. */
type RecordLine = Partial<RecordedLink> & {
  readonly branch?: readonly [n: number, hash: string];
  readonly waiting?: WaitingEnd;
  readonly stored?: string;
};

/** A journal's id: a UUID. */
const JOURNAL_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A new file is started at this size, bytes. */
const MOST_BYTES = 32 * 1024 * 1024;
/** How many older files are kept: they have some hundred thousand acts. */
const MOST_OLD_FILES = 4;
/** How much of the newest file is read at the start, from its end, bytes: it has the latest link. */
const TAIL_BYTES = 256 * 1024;
/** How many acts are kept in memory if there is no folder. */
const MOST_IN_MEMORY = 1_000;
/** How much of a long file is read at once, bytes. */
const PIECE_BYTES = 1024 * 1024;
/** If forcing the file to the disk took longer than this, another thread waits for it. Milliseconds. */
const BRIEF_MS = 4;
/** Size of a probe, bytes: more than one act needs. */
const PROBE_BYTES = 8 * 1024;

/**
 * Its methods that write. The top is the highest link that was seen.
 *
 * | method                          | adds to the file           | on the disk          | the top            |
 * | ------------------------------- | -------------------------- | -------------------- | ------------------ |
 * | `recordSend`                    | an act                     | before it returns    | rises              |
 * | `recordIfPossible`              | the end of an act, or head | some time            | rises              |
 * | `continueFrom`                  | a head, as `branch`        | some time            | becomes this head  |
 * | `raiseTop`                      | nothing                    |                      | rises              |
 * | `ends`                          | an outcome                 | some time            | stays              |
 */
export class SecondRecord {
  readonly #folder: string | undefined;
  readonly #id: string;
  /** The acts, if there is no folder. */
  readonly #memory: RecordedLink[] = [];
  #top: Link | undefined;
  readonly #waiting = new Map<string, WaitingEnd>();
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
   * Without a folder, or if it cannot be made now, keeps acts in memory only.
   * @throws ForeignError if it is another user's
   */
  constructor(folder: string | undefined, id: string) {
    this.#id = id;
    this.#folder = folder !== undefined && ensureFolder(folder) ? folder : undefined;
    this.#open();
  }

  /** Outcomes that the database has not taken. The end of the file has them, because nothing else is sent meanwhile. */
  readonly ends: WaitingEnds = {
    keep: (end) => {
      this.#waiting.set(end.id, end);
      this.#appendIfPossible({ waiting: end });
    },

    all: () => {
      this.look();
      return [...this.#waiting.values()];
    },

    drop: (id) => {
      if (this.#waiting.delete(id)) this.#appendIfPossible({ stored: id });
    },
  };

  /** The highest link that was seen since the journal was last restored. */
  get top(): Link | undefined {
    return this.#top;
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

  /** Records an act before it is sent. @throws Error if the folder takes no file: then nothing may be sent */
  async recordSend(link: RecordedLink): Promise<void> {
    this.#openAgain();
    this.#add(link);
    this.raiseTop(link);
    if (this.#file === undefined) return;
    // Waking another thread takes longer than a quick disk takes to write; a slow one must not block the process.
    if (this.#tookMs >= BRIEF_MS) return this.#forceToDisk();

    const began = performance.now();
    fdatasyncSync(this.#file.fd);
    this.#tookMs = performance.now() - began;
  }

  /** Records how an act ended, or how far the journal is. Never throws. */
  recordIfPossible(link: RecordedLink): void {
    this.raiseTop(link);
    if (link.end !== undefined) this.#waiting.delete(link.end.id);
    if (this.#folder === undefined) this.#add(link);
    else this.#appendIfPossible(link);
  }

  /** Records that another chain continues from this link, even if a higher link was seen. */
  continueFrom(head: Link): void {
    this.#appendLine({ branch: [head.n, head.hash] });
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
    this.#openAgain();

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
      // Nothing is sent until `#openAgain` succeeds.
      this.#file = undefined;
      if (error instanceof ForeignError) throw error;
    }
  }

  /** Opens the file if that failed before. @throws Error if it fails again */
  #openAgain(): void {
    if (this.#folder === undefined || this.#file !== undefined) return;
    if (ensureFolder(this.#folder)) this.#open();
    if (this.#file === undefined) throw new Error('the second record cannot be opened');
  }

  #readOn(fd: number): void {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - this.#offset));
    const read = readSync(fd, bytes, 0, bytes.length, this.#offset);
    const whole = bytes.lastIndexOf('\n', read - 1) + 1;

    for (const line of bytes.toString('utf8', 0, whole).split('\n')) {
      const { branch, n, hash, end, waiting, stored = end?.id } = recordIn(line);
      if (waiting !== undefined) this.#waiting.set(waiting.id, waiting);
      if (stored !== undefined) this.#waiting.delete(stored);
      if (branch !== undefined) this.#top = { n: branch[0], hash: branch[1] };
      else if (n !== undefined && hash !== undefined) this.raiseTop({ n, hash });
    }

    this.#offset += whole;
  }

  /** Adds a link to the file, or to the memory if there is no folder. */
  #add(link: RecordedLink): void {
    if (this.#folder !== undefined) {
      this.#appendLine(link);
      return;
    }
    this.#memory.push(link);
    if (this.#memory.length > MOST_IN_MEMORY) this.#memory.shift();
  }

  #appendIfPossible(line: RecordLine): void {
    try {
      this.#appendLine(line);
    } catch {
      // Without this line, reading the booking proves the end.
    }
  }

  /** Appends a line to the file, if there is one. */
  #appendLine(line: RecordLine): void {
    if (this.#file === undefined) return;
    if (this.#offset > MOST_BYTES) this.#startNewFile();

    // Starts on a new line, because a power failure may have cut the one before.
    const bytes = Buffer.from(`\n${JSON.stringify(line)}\n`);
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
      for (const end of this.#waiting.values()) this.#appendLine({ waiting: end });
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

/** The id of the journal that was first in a place. Undefined if the folder has none. */
export function readMark(folder: string, place: string): string | undefined {
  try {
    const id = readFileSync(markOf(folder, place), 'utf8').trim();
    return JOURNAL_ID.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** Ignores failures: a journal that is lost later may then seem new. */
export function writeMark(folder: string, place: string, id: string): void {
  const path = markOf(folder, place);
  const draft = `${path}.${process.pid}`;

  try {
    writeOwn(draft, `${id}\n`);
    renameSync(draft, path);
  } catch {
    // If the disk is full, acts cannot be recorded or sent either.
  }
}

function markOf(folder: string, place: string): string {
  const name = createHash('sha256').update(place).digest('hex').slice(0, 24);
  return join(folder, `at-${name}.id`);
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
