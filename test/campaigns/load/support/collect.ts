/**
 * Loaded into a server before it starts (`--expose-gc --import`): SIGUSR2 collects all that nobody holds, so that what
 * is left is not confused with what was not collected yet, and writes the bytes that are left into the file that HEAP_FILE names.
 */
import { writeFileSync } from 'node:fs';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  writeFileSync(process.env.HEAP_FILE ?? '', String(process.memoryUsage().heapUsed));
});
