/**
 * The second record of the journal: a file of JSON objects, one a line, that only grows. Several processes of one user
 * append to it. A journal that no longer has what this file has went backwards.
 *
 * Each act is written and forced to the disk after its commit and before its first byte; its end is written too, but
 * nobody waits for that.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
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
import type { Link, LostAct } from '../../journal/ports.ts';

const forced = promisify(fdatasync);

/** A link of the journal, and what is known of its act. */
export type WitnessedLink = Link & LostAct;

/** One line: an act, or the link where another chain continues. */
type WitnessLine = Partial<WitnessedLink> & { readonly branch?: readonly [n: number, hash: string] };

/** Starts a new file at this size, and keeps so many old ones: some hundred thousand acts. */
const MOST_BYTES = 32 * 1024 * 1024;
const PUT_ASIDE = 4;
/** Bytes read from the end of the newest file at the start: they hold the latest link. */
const TAIL_BYTES = 256 * 1024;
/** Acts to keep in memory if there is no file. */
const MOST_IN_MEMORY = 1_000;
const PIECE_BYTES = 1024 * 1024;
/** A process may wait so long for its disk. */
const BRIEF_MS = 4;
/** More than one act needs. */
const PROBE_BYTES = 8 * 1024;

export class Witness {
  readonly #folder: string | undefined;
  readonly #id: string;
  readonly #memory: WitnessedLink[] = [];
  #top: Link | undefined;
  #file: { readonly fd: number; readonly ino: number; readonly dev: number } | undefined;
  #offset = 0;
  /** How long forcing the file to the disk took the last time. */
  #tookMs = 0;
  #forcing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** Without a folder, or if it cannot be made, keeps acts in memory only. @throws ForeignError if it is another user's */
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
    return fstatSync(this.#file.fd).size === 0 && this.#aside(this.#folder).length === 0;
  }

  /** Reads what other processes wrote since. */
  look(): void {
    if (this.#folder === undefined || this.#file === undefined) return;
    const there = statSync(this.#pathIn(this.#folder), { throwIfNoEntry: false });
    if (there === undefined || there.ino !== this.#file.ino || there.dev !== this.#file.dev) this.#open();
    else if (there.size > this.#offset) this.#readOn(this.#file.fd);
  }

  /** Remembers a link if it is the highest. */
  raiseTop(link: Link): void {
    if (this.#top === undefined || link.n > this.#top.n) this.#top = link;
  }

  /** Records an act before it is sent: on the disk when this returns. */
  keepNow(link: WitnessedLink): void {
    this.#write(link, link);
    this.raiseTop(link);
    if (this.#file === undefined) return;
    const began = performance.now();
    fdatasyncSync(this.#file.fd);
    this.#tookMs = performance.now() - began;
  }

  /** Records an act before it is sent: on the disk when this resolves. A disk that takes long holds up nothing else. */
  async keep(link: WitnessedLink): Promise<void> {
    // Another thread takes longer to wake than a quick disk to write.
    if (this.#tookMs < BRIEF_MS) return this.keepNow(link);
    this.#write(link, link);
    this.raiseTop(link);
    await this.#forced();
  }

  /** Records how an act ended. If the write fails, reading the booking shows it. */
  note(link: WitnessedLink): void {
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
  *records(): Iterable<WitnessedLink> {
    if (this.#folder === undefined) {
      yield* this.#memory;
      return;
    }
    for (const path of [...this.#aside(this.#folder), this.#pathIn(this.#folder)]) {
      for (const line of linesOf(path)) {
        const { n, hash, sent, end } = parsed(line);
        if (n !== undefined && hash !== undefined) yield { n, hash, ...(sent && { sent }), ...(end && { end }) };
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
      const { branch, n, hash } = parsed(line);
      if (branch !== undefined) this.#top = { n: branch[0], hash: branch[1] };
      else if (n !== undefined && hash !== undefined) this.raiseTop({ n, hash });
    }
    this.#offset += end;
  }

  #write({ n, hash, sent, end, branch }: WitnessLine, entry?: WitnessedLink): void {
    if (this.#file === undefined) {
      if (entry !== undefined) this.#memory.push(entry);
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
  #forced(): Promise<void> {
    this.#next ??= this.#forcing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        const [fd, began] = [this.#file?.fd, performance.now()];
        this.#forcing = fd === undefined ? Promise.resolve() : forced(fd);
        return this.#forcing.then(() => {
          this.#tookMs = performance.now() - began;
        });
      });
    return this.#next;
  }

  #aside(folder: string): string[] {
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
      for (const old of this.#aside(folder).slice(0, -PUT_ASIDE)) rmSync(old, { force: true });
      this.#open();
    } catch {
      // Another process was first; the next `look` finds its file.
    }
  }
}

/** Returns an empty object for a foreign or incomplete line. */
function parsed(line: string): WitnessLine {
  try {
    return (line === '' ? undefined : (JSON.parse(line) as WitnessLine | null)) ?? {};
  } catch {
    return {};
  }
}

/** Reads in pieces: the files may be long. */
function* linesOf(path: string): Iterable<string> {
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

/** Whether there is a folder for second records now. @throws ForeignError if it is another user's */
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
