/**
 * The program as it is published: bundled, in a folder of its own, started by its own bin.
 */
import { cpSync, existsSync, globSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** Whether dist/ was built from these sources: npm's scripts have just built it. */
function isBuilt(): boolean {
  const built = join(ROOT, 'dist', 'sbom.cdx.json');
  if (!existsSync(built)) return false;
  const sources = globSync('{src,scripts}/**/*.{ts,tsx,js,css,html,json}', { cwd: ROOT });
  const { mtimeMs } = statSync(built);
  return [...sources, 'package.json', 'package-lock.json'].every(
    (file) => statSync(join(ROOT, file)).mtimeMs < mtimeMs,
  );
}

/** Puts what is published into `folder`. */
export async function publishTo(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const file of ['bin', 'package.json']) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  if (isBuilt()) cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  else await (await import('../../scripts/build.ts')).bundle(join(folder, 'dist'));
}

export async function buildProgram(folder: string): Promise<Program> {
  await publishTo(folder);
  return programIn(folder);
}

/** The program whose bin and dist are in `folder`. */
export function programIn(folder: string): Program {
  return {
    start: (home, settings = {}) => ({
      args: [join(folder, 'bin', 'fareclerk.js')],
      env: { ...settings, HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_STATE_HOME: join(home, 'state') },
    }),
  };
}
