/** A disk of a few megabytes that can be filled (Linux, as root or with a sudo that asks no password). */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'fareclerk-disk-'));
  const owner = `uid=${process.getuid?.()},gid=${process.getgid?.()},mode=700`;
  try {
    asRoot('mount', '-t', 'tmpfs', '-o', `size=48m,${owner}`, 'tmpfs', folder);
  } catch (cause) {
    rmdirSync(folder);
    throw new Error('A small disk could not be mounted: that needs Linux, and root or sudo without a password.', {
      cause,
    });
  }
  process.once('exit', () => {
    // Its programs may be ending still.
    asRoot('umount', '--lazy', folder);
    rmdirSync(folder);
  });
  const filler = join(folder, 'filler');
  return {
    folder,
    /** Leaves not one byte free. */
    fill() {
      const file = openSync(filler, 'a');
      for (const bytes of [65_536, 4_096, 1]) writeUntilFull(file, Buffer.alloc(bytes));
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
  };
}

function asRoot(...command: string[]): void {
  const [program = '', ...rest] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  execFileSync(program, rest);
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    while (writeSync(file, chunk) > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
