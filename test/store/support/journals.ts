/**
 * Two stores that can be copied and put back, for what must hold on both.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own for each test file. */
export function scratch(name: string): { readonly at: (path: string) => string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), `clerk-${name}-`));
  return { at: (path) => join(folder, path), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Puts one SQLite file in the place of another, with all that belongs to it. */
export function putBack(copy: string, file: string): void {
  for (const tail of ['', '-wal', '-shm']) rmSync(file + tail, { force: true });
  copyFileSync(copy, file);
}
