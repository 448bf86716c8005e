/**
 * Keeps outcomes of sends that the database could not take, until it can: each in a small file beside the second
 * records. A file has the same fields as an outcome in the second record, and no personal data.
 */
import { closeSync, fdatasyncSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openOwn } from '../../files/own-files.ts';
import type { WaitingEnd, WaitingEnds } from '../../journal/ports.ts';
import { forceFolder } from './second-record.ts';

/** The suffix of a file's name. The operation's id precedes it, which no other journal in this folder has. */
const SUFFIX = '.end';

export class StoredEnds implements WaitingEnds {
  readonly #folder: string | undefined;

  /** Without a folder nothing is written: outcomes then wait only in memory, in journal/record.ts. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  keep(end: WaitingEnd): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    try {
      const fd = openOwn(join(folder, `${end.id}${SUFFIX}`), 'rewrite');
      try {
        writeSync(fd, JSON.stringify(end));
        fdatasyncSync(fd);
      } finally {
        closeSync(fd);
      }
      forceFolder(folder);
    } catch {
      // The outcome still waits in memory. If the process dies, reading the booking proves it.
    }
  }

  all(): readonly WaitingEnd[] {
    const folder = this.#folder;
    if (folder === undefined) return [];
    try {
      const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
      return names.flatMap((name) => endIn(join(folder, name)));
    } catch {
      return [];
    }
  }

  drop(id: string): void {
    if (this.#folder === undefined) return;
    try {
      rmSync(join(this.#folder, `${id}${SUFFIX}`), { force: true });
    } catch {
      // The next pass finds the file again, and sees that the store has the outcome.
    }
  }
}

/** Empty if the file is incomplete, or another process has removed it. */
function endIn(path: string): readonly WaitingEnd[] {
  try {
    return [JSON.parse(readFileSync(path, 'utf8')) as WaitingEnd];
  } catch {
    return [];
  }
}
