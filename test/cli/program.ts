/**
 * The program as it is published: bundled, in a folder of its own, started by its own bin.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporary as folderFor } from './screen.ts';

export { folderFor };

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

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

/** Whether dist/ was built from these sources: `npm run test:program` has just built it. */
function isBuilt(): boolean {
  const built = join(ROOT, 'dist', 'sbom.cdx.json');
  if (!existsSync(built)) return false;
  const sources = globSync('{src,scripts}/**/*.{ts,tsx,js,css,html,json}', { cwd: ROOT });
  const { mtimeMs } = statSync(built);
  return [...sources, 'package.json', 'package-lock.json'].every(
    (file) => statSync(join(ROOT, file)).mtimeMs < mtimeMs,
  );
}

export async function buildProgram() {
  const folder = folderFor('program');
  const home = join(folder, 'home');
  mkdirSync(home);
  for (const file of ['bin', 'package.json']) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  if (isBuilt()) cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  else await (await import('../../scripts/build.ts')).bundle(join(folder, 'dist'));
  const bin = join(folder, 'bin', 'fareclerk.js');
  /** A home of its own: state and cache folders, and no setting of the person who runs the tests. */
  const env: Env = { PATH: process.env.PATH ?? '', HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
  const start = (argv: readonly string[], more: Env = {}): ChildProcess =>
    spawn(process.execPath, [bin, ...argv], { env: { ...env, ...more }, stdio: 'pipe' });
  const run = (argv: readonly string[], more?: Env): Promise<Ended> => {
    const child = start(argv, more);
    child.stdin?.end();
    return ended(child);
  };
  return { folder, bin, env, start, run };
}
