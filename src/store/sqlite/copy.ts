/** The copy of a state file that is kept beside it when its tables change, for a way back: `fareclerk.sqlite.v16`. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../core/times.ts';
import { forceFolder } from '../journal/witness.ts';

/** It has names and documents: it is kept no longer than a way back is wanted. */
const KEEP_COPY_MS = 7 * DAY_MS;

/** On the disk when this returns. The same name again is a newer copy of the same version. @throws Error */
export function copyBeside(file: string, version: number): void {
  const copy = `${file}.v${version}`;
  const draft = `${copy}.part`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    fill(draft, file);
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  forceFolder(dirname(file));
}

function fill(draft: string, file: string): void {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    source.prepare('vacuum into ?').run(draft);
  } finally {
    source.close();
  }
  const fd = openSync(draft, 'r+');
  fsyncSync(fd);
  closeSync(fd);
}

/** Removes the copies of a state file that are old, or all, and nothing else that begins with its name. */
export function removeCopies(file: string, how: 'old' | 'all'): void {
  const [folder, own] = [dirname(file), `${basename(file)}.v`];
  const since = Date.now() - KEEP_COPY_MS;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(own) || !/^\d+(?:\.part)?$/.test(name.slice(own.length))) continue;
    const copy = join(folder, name);
    const madeAt = statSync(copy, { throwIfNoEntry: false })?.mtimeMs ?? since;
    if (how === 'all' || madeAt < since) rmSync(copy, { force: true });
  }
}
