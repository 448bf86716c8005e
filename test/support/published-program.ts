/**
 * The program as it is published: bundled, in a folder of its own, started by its own bin.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What this Node runs. */
export interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Program {
  /** `home`: a home folder of its own, with state and compiled code. */
  start(home: string, settings?: Readonly<Record<string, string>>): Command;
}

export async function buildProgram(folder: string): Promise<Program> {
  mkdirSync(folder, { recursive: true });
  for (const file of ['bin', 'package.json']) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  await bundle(join(folder, 'dist'));
  return {
    start: (home, settings = {}) => ({
      args: [join(folder, 'bin', 'fareclerk.js')],
      env: { ...settings, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_STATE_HOME: join(home, 'state') },
    }),
  };
}
