/**
 * The program as it is published: bundled, in a folder of its own, started by its own bin.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/build.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

type Metafile = Awaited<ReturnType<typeof bundle>>['metafile'];
type ImportRecord = Metafile['inputs'][string]['imports'][number];

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  /** Package folder: bin/, dist/, package.json. */
  readonly folder: string;
  readonly bin: string;
  readonly metafile: Metafile;
  /** Files, and modules of Node, that the tool list needs: what `serve` imports, but not by `import()`. */
  loadedAtStart(): readonly string[];
  /** Files, and modules of Node, that the program may ever load, but for what `isLeftOut` says. */
  loadedWithout(isLeftOut: (path: string) => boolean): readonly string[];
  /** A home of its own: state and cache folders, and no setting of the person who runs the tests. */
  readonly env: Readonly<Record<string, string>>;
  start(argv: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
  run(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
}

export function folderFor(purpose: string): string {
  return mkdtempSync(join(tmpdir(), `fareclerk-${purpose}-`));
}

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

/** The files, with all that they import when they run. What the bundle leaves out of them does not count. */
function importedBy(
  { inputs, outputs }: Metafile,
  files: readonly string[],
  isFollowed: (it: ImportRecord) => boolean,
): string[] {
  const bundled = Object.assign({}, ...Object.values(outputs).map((output) => output.inputs));
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file) || bundled[file]?.bytesInOutput === 0) return;
    loaded.add(file);
    for (const it of inputs[file]?.imports ?? []) if (isFollowed(it)) load(it.path);
  };
  files.forEach(load);
  return [...loaded];
}

export async function buildProgram(): Promise<Program> {
  const folder = folderFor('program');
  const home = join(folder, 'home');
  mkdirSync(home);
  for (const file of ['bin', 'package.json']) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  const { metafile } = await bundle(join(folder, 'dist'));
  const bin = join(folder, 'bin', 'fareclerk.js');
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
  const start: Program['start'] = (argv, more = {}) =>
    spawn(process.execPath, [bin, ...argv], { env: { ...env, ...more }, stdio: 'pipe' });
  return {
    folder,
    bin,
    metafile,
    loadedAtStart: () =>
      importedBy(metafile, ['src/main.ts', 'src/cli/commands/serve.ts'], ({ kind }) => kind !== 'dynamic-import'),
    loadedWithout: (isLeftOut) => importedBy(metafile, ['src/main.ts'], ({ path }) => !isLeftOut(path)),
    env,
    start,
    run: (argv, more) => {
      const child = start(argv, more);
      child.stdin?.end();
      return ended(child);
    },
  };
}
