/**
 * The program as it is published: bundled, in a folder of its own, started by its own bin.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { publishTo } from '../support/published-program.ts';
import { temporary as folderFor } from './screen.ts';

export { folderFor };

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Program = Awaited<ReturnType<typeof buildProgram>>;

type Env = Readonly<Record<string, string>>;

export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

/** A server that says that it serves, and how it ends. */
export async function serving(child: ChildProcess) {
  onTestFinished(() => void child.kill('SIGKILL'));
  const over = ended(child);
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  await expect.poll(() => log).toMatch(/fareclerk serves MCP on \S+\s/);
  return {
    url: /serves MCP on (\S+)/.exec(log)?.[1] ?? '',
    log: () => log,
    async stop() {
      child.kill('SIGTERM');
      expect((await over).code).toBe(0);
    },
  };
}

export async function buildProgram() {
  const folder = folderFor('program');
  const home = join(folder, 'home');
  mkdirSync(home);
  await publishTo(folder);
  const bin = join(folder, 'bin', 'fareclerk.js');
  /** A home of its own: state and cache folders, and no setting of the person who runs the tests. */
  const env: Env = { PATH: process.env.PATH ?? '', HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
  /** `script`: the bin of another version. */
  const start = (argv: readonly string[], more: Env = {}, script = bin): ChildProcess =>
    spawn(process.execPath, [script, ...argv], { env: { ...env, ...more }, stdio: 'pipe' });
  const run = (argv: readonly string[], more?: Env, script?: string): Promise<Ended> => {
    const child = start(argv, more, script);
    child.stdin?.end();
    return ended(child);
  };
  return { folder, bin, env, start, run };
}
