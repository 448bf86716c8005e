/** The copy of a state file that is kept beside it when its tables change: `journal.sqlite.v16`. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { forceFolder } from '../witness.ts';

/** On the disk when this returns. The same name again is a newer copy of the same version. @throws Error */
export function copyBeside(file: string, version: number): void {
  const copy = `${file}.v${version}`;
  const draft = `${copy}.part`;
  rmSync(draft, { force: true });
  closeSync(openSync(draft, 'wx', 0o600));
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    source.prepare('vacuum into ?').run(draft);
  } finally {
    source.close();
  }
  const fd = openSync(draft, 'r+');
  fsyncSync(fd);
  closeSync(fd);
  renameSync(draft, copy);
  forceFolder(dirname(file));
}
