/**
 * The file of an archive: JSON lines in gzip. First what it is, then the events in the order of the chain, each operation
 * right after its last event, at the end how many there are. A file without its last line is not complete.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Link } from '../../journal/ports.ts';
import { type ChainedEvent, eventValues } from '../chain.ts';
import type { Row } from '../database.ts';

export const FORMAT = 1;

export interface Header {
  readonly fareclerk_archive: number;
  /** The id of its journal. */
  readonly journal: string;
  /** The events after `from`, up to `to`. */
  readonly from: Link;
  readonly to: Link;
  readonly before: string;
}

export interface Totals {
  readonly events: number;
  readonly operations: number;
}

/**
 * `own`: an event of an operation that is in this file. `older`: one from before `from`, which the journal had kept. `other`:
 * one of an operation that stays in the journal.
 */
export type EventKind = 'own' | 'older' | 'other';

type EventLine = readonly [...values: (string | number)[], hash: string];

export type Line =
  | Header
  | { readonly [K in EventKind]?: EventLine }
  | { readonly operation: Row }
  | { readonly end: Totals };

export function eventLine(kind: EventKind, event: ChainedEvent, hash: string): Line {
  return { [kind]: [...eventValues(event), hash] };
}

/** Of the whole file, whatever it is; undefined if it cannot be read. */
export async function sha256Of(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const bytes of createReadStream(path)) hash.update(bytes as Buffer);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}

export class ArchiveWriter {
  readonly #gzip = createGzip();
  readonly #done: Promise<void>;

  /** Makes the file, which must not exist, readable only by its owner. */
  constructor(path: string) {
    this.#done = pipeline(this.#gzip, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
    // `write` and `end` report it.
    this.#done.catch(() => undefined);
  }

  async write(lines: readonly Line[]): Promise<void> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    if (this.#gzip.destroyed) return this.#done;
    if (!this.#gzip.write(text)) await once(this.#gzip, 'drain');
  }

  /** Resolves when all is on the disk. */
  async end(): Promise<void> {
    this.#gzip.end();
    await this.#done;
  }

  async abandon(): Promise<void> {
    this.#gzip.destroy();
    await this.#done.catch(() => undefined);
  }
}

/** Reads the lines; `sha256` is that of the file once all are read. */
export class ArchiveReader {
  readonly #path: string;
  readonly #hash = createHash('sha256');

  constructor(path: string) {
    this.#path = path;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** @throws if the file cannot be read, or is cut off */
  async *lines(): AsyncGenerator<Line> {
    const file = createReadStream(this.#path);
    file.on('data', (bytes) => this.#hash.update(bytes));
    const text = createGunzip();
    const piped = pipeline(file, text);
    piped.catch(() => undefined);
    const reader = createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY });
    try {
      for await (const line of reader) yield JSON.parse(line) as Line;
      await piped;
    } finally {
      reader.close();
      file.destroy();
      text.destroy();
    }
  }
}
