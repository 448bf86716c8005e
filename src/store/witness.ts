/**
 * What was last seen of a journal, in a second place: a file of records that only grows, one JSON object a line. Several
 * processes of one user append to it. A journal that no longer has what stands here went backwards.
 *
 * Each act is written and forced to the disk after its commit and before its first byte; its end is written too, but
 * not waited for.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
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
import type { Operation } from '../journal/operation.ts';
import type { Link, LostAct } from '../journal/ports.ts';

const forced = promisify(fdatasync);

/** What a record says besides its link. */
export type Seen = Link & LostAct;

/** A file is put aside at this size, and so many of those are kept: some hundred thousand acts. */
const MOST_BYTES = 32 * 1024 * 1024;
const PUT_ASIDE = 4;
/** Of the newest file, as much is read at the start: the latest link stands there. */
const TAIL_BYTES = 256 * 1024;
/** Without a lasting file, the newest acts are remembered in memory. */
const MOST_IN_MEMORY = 1_000;

export class Witness {
  readonly #folder: string | undefined;
  readonly #id: string;
  readonly #memory: Seen[] = [];
  #top: Link | undefined;
  #file: { readonly fd: number; readonly ino: number; readonly dev: number } | undefined;
  #offset = 0;
  #forcing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** Without a folder, or where none can be made, only this process remembers. */
  constructor(folder: string | undefined, id: string) {
    this.#id = id;
    this.#folder = folder !== undefined && canMake(folder) ? folder : undefined;
    this.#open();
  }

  /** Whether it outlives this process. */
  get isLasting(): boolean {
    return this.#file !== undefined;
  }

  /** The highest link that was seen since the journal was last restored. */
  get top(): Link | undefined {
    return this.#top;
  }

  /** Reads what other processes have written since. */
  look(): void {
    const path = this.#path;
    if (path === undefined || this.#file === undefined) return;
    const there = statSync(path, { throwIfNoEntry: false });
    if (there === undefined || there.ino !== this.#file.ino || there.dev !== this.#file.dev) this.#open();
    else if (there.size > this.#offset) this.#readOn();
  }

  /** A link of the journal, seen in passing. */
  see(link: Link): void {
    if (this.#top === undefined || link.n > this.#top.n) this.#top = link;
  }

  /** An act that is about to be sent: on the disk when this returns. */
  keepNow(seen: Seen): void {
    this.#write(recordOf(seen), seen);
    this.see(seen);
    if (this.#file !== undefined) fdatasyncSync(this.#file.fd);
  }

  /** The same, on the disk when this resolves. Those that come together share one turn of it. */
  async keep(seen: Seen): Promise<void> {
    this.#write(recordOf(seen), seen);
    this.see(seen);
    await this.#forced();
  }

  /** How an act ended. What cannot be written is learned again by reading the booking. */
  note(seen: Seen): void {
    this.see(seen);
    try {
      this.#write(recordOf(seen), seen);
    } catch {
      // The end of an act proves itself.
    }
  }

  /** From here on another chain goes on: what it does not have is known to whoever needs to know. */
  branch(head: Link): void {
    this.#write({ branch: [head.n, head.hash] });
    this.#top = head;
  }

  /** Everything that is remembered, oldest first. */
  *records(): Iterable<Seen> {
    const path = this.#path;
    if (path === undefined) {
      yield* this.#memory;
      return;
    }
    for (const name of [...this.#aside(), path]) {
      for (const line of linesOf(name)) {
        const seen = seenIn(line);
        if (seen !== undefined) yield seen;
      }
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.fd);
    this.#file = undefined;
  }

  get #path(): string | undefined {
    return this.#folder === undefined ? undefined : join(this.#folder, `${this.#id}.log`);
  }

  #open(): void {
    const path = this.#path;
    if (path === undefined || this.#folder === undefined) return;
    this.close();
    try {
      const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
      const fd = openSync(path, 'a+', 0o600);
      if (isNew) forceFolder(this.#folder);
      const { ino, dev, size } = fstatSync(fd);
      this.#file = { fd, ino, dev };
      this.#offset = Math.max(0, size - TAIL_BYTES);
      this.#readOn();
    } catch {
      this.#file = undefined;
    }
  }

  #readOn(): void {
    if (this.#file === undefined) return;
    const { fd } = this.#file;
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - this.#offset));
    const read = readSync(fd, bytes, 0, bytes.length, this.#offset);
    const end = bytes.lastIndexOf('\n', read - 1) + 1;
    for (const line of bytes.toString('utf8', 0, end).split('\n')) this.#learn(line);
    this.#offset += end;
  }

  #learn(line: string): void {
    const record = parsed(line);
    if (record?.branch !== undefined) this.#top = { n: record.branch[0], hash: record.branch[1] };
    else if (record?.n !== undefined && record.hash !== undefined) this.see({ n: record.n, hash: record.hash });
  }

  #write(record: object, seen?: Seen): void {
    if (this.#file === undefined) {
      if (seen !== undefined) this.#memory.push(seen);
      if (this.#memory.length > MOST_IN_MEMORY) this.#memory.shift();
      return;
    }
    if (this.#offset > MOST_BYTES) this.#putAside();
    // A line that a power failure cut short must not spoil the next one.
    const bytes = Buffer.from(`\n${JSON.stringify(record)}\n`);
    const written = writeSync(this.#file.fd, bytes);
    if (written !== bytes.length) throw new Error('the record of the act was not written in full');
    // What nobody else wrote before it need not be read again.
    const { size } = fstatSync(this.#file.fd);
    if (size === this.#offset + written) this.#offset = size;
  }

  /** Those that come while the disk is busy share the next turn. */
  #forced(): Promise<void> {
    const fd = this.#file?.fd;
    if (fd === undefined) return Promise.resolve();
    if (this.#forcing === undefined) {
      this.#forcing = forced(fd).finally(() => {
        this.#forcing = undefined;
      });
      return this.#forcing;
    }
    this.#next ??= this.#forcing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#forced();
      });
    return this.#next;
  }

  #aside(): string[] {
    const folder = this.#folder ?? '';
    const names = readdirSync(folder).filter((name) => name.startsWith(`${this.#id}.`) && name.endsWith('.old.log'));
    return names.sort().map((name) => join(folder, name));
  }

  /** Two processes may do so at once: each name is its own, so that nothing is written over. */
  #putAside(): void {
    const path = this.#path;
    if (path === undefined || this.#folder === undefined) return;
    const place = String(this.#top?.n ?? 0).padStart(16, '0');
    try {
      renameSync(path, join(this.#folder, `${this.#id}.${place}.old.log`));
      for (const old of this.#aside().slice(0, -PUT_ASIDE)) rmSync(old, { force: true });
      this.#open();
    } catch {
      // Another process was first; the next look finds its file.
    }
  }
}

interface Record {
  readonly n?: number;
  readonly hash?: string;
  readonly sent?: Operation;
  readonly end?: LostAct['end'];
  readonly branch?: readonly [number, string];
}

const recordOf = ({ n, hash, sent, end }: Seen): Record => ({ n, hash, ...(sent && { sent }), ...(end && { end }) });

/** Undefined for a line that is none of ours, or was cut short. */
function parsed(line: string): Record | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as Record;
  } catch {
    return undefined;
  }
}

function seenIn(line: string): Seen | undefined {
  const record = parsed(line);
  if (record?.n === undefined || record.hash === undefined) return undefined;
  const { n, hash, sent, end } = record;
  return { n, hash, ...(sent && { sent }), ...(end && { end }) };
}

const PIECE_BYTES = 1024 * 1024;

/** Piece by piece: the files may be long. */
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

function canMake(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** The name of a new file is on the disk too. Windows cannot, and need not. */
function forceFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
