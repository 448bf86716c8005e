/** The heap of a server, as it is once all that nobody holds is collected. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../support/folders.ts';
import { seenWithin } from '../../support/pace.ts';

/** A server that is busy, or stopped, collects late. */
const MOST_MS = 30_000;

/** Settings of a server that collects when it is told to. `options`: more for its Node.js. */
export function collecting(options = '') {
  const file = join(newFolder('heap'), 'bytes');
  const collector = new URL('./collect.ts', import.meta.url).href;
  const read = async () => {
    try {
      return Number(readFileSync(file, 'utf8'));
    } catch {
      return 0;
    }
  };
  return {
    settings: { NODE_OPTIONS: `${options} --expose-gc --import=${collector}`.trim(), HEAP_FILE: file },
    async heapMb(pid: number): Promise<number> {
      rmSync(file, { force: true });
      process.kill(pid, 'SIGUSR2');
      const bytes = await seenWithin(MOST_MS, 20, read, (left) => left > 0);
      if (bytes === 0) throw new Error('the server did not collect');
      return bytes / 1e6;
    },
  };
}
