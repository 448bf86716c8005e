/**
 * The program as it is published: bundled, in a folder of its own, started by its own bin.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/build.ts';
import type { Command } from './speaker.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Program {
  /** `home`: a home folder of its own, with state and compiled code. */
  start(home: string, settings?: Readonly<Record<string, string>>): Command;
}

/** @param mapOf as for {@link bundle} */
export async function buildProgram(folder: string, mapOf?: Parameters<typeof bundle>[1]): Promise<Program> {
  mkdirSync(folder, { recursive: true });
  for (const file of ['bin', 'package.json']) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  await bundle(join(folder, 'dist'), mapOf);
  return programAt(folder);
}

/** A program that was built before: `bin` and `dist` in this folder. */
export function programAt(folder: string): Program {
  const bin = join(folder, 'bin', 'fareclerk.js');
  return {
    start: (home, settings = {}) => ({
      args: [bin],
      env: { ...settings, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_STATE_HOME: join(home, 'state') },
    }),
  };
}
