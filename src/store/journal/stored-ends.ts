/**
 * Ends of operations that the database could not take: one small file each beside the second records, until it can. They
 * have what the second record has of an end, and no personal data.
 */
import { closeSync, fdatasyncSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openOwn } from '../../files/own-files.ts';
import type { WaitingEnd, WaitingEnds } from '../../journal/ports.ts';
import { forceFolder } from './witness.ts';

/** Follows the operation's id, which no other journal in this folder has. */
const TAIL = '.end';

export class StoredEnds implements WaitingEnds {
  readonly #folder: string | undefined;

  /** Without a folder, ends wait in memory only. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  keep(end: WaitingEnd): void {
    const folder = this.#folder;
    if (folder === undefined) return;
    try {
      const fd = openOwn(join(folder, `${end.id}${TAIL}`), 'rewrite');
      try {
        writeSync(fd, JSON.stringify(end));
        fdatasyncSync(fd);
      } finally {
        closeSync(fd);
      }
      forceFolder(folder);
    } catch {
      // It waits in memory, and after that reading the booking proves the end.
    }
  }

  all(): readonly WaitingEnd[] {
    const folder = this.#folder;
    if (folder === undefined) return [];
    try {
      const names = readdirSync(folder).filter((name) => name.endsWith(TAIL));
      return names.flatMap((name) => endIn(join(folder, name)));
    } catch {
      return [];
    }
  }

  drop(id: string): void {
    if (this.#folder === undefined) return;
    try {
      rmSync(join(this.#folder, `${id}${TAIL}`), { force: true });
    } catch {
      // The next pass finds it, and that the store has it.
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
