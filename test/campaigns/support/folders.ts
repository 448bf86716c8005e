/** Folders that end with this process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

// A campaign that fails half way leaves nothing lying about.
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

export function newFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `fareclerk-${purpose}-`));
  folders.push(folder);
  return folder;
}
