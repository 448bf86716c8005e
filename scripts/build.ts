/**
 * Bundles the program: dist/main.js is what `serve` on stdio needs; everything else is a chunk loaded when it is called
 * (client, HTTP side, PostgreSQL, sandbox, undici, pino).
 */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { asCommonJs } from './common-js.ts';
import { laterSchemas } from './later-schemas.ts';
import { DEFINED, leanPackages } from './lean-packages.ts';
import { licenses } from './licenses.ts';
import { preparedSchemas } from './prepared-schemas.ts';
import { preparedViews } from './prepared-views.ts';

const ENTRY = 'main.js';
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Builds into `outdir`, complete or not at all. Returns esbuild's metafile. */
export async function bundle(outdir: string) {
  const workshop = join(ROOT, 'node_modules', '.cache');
  mkdirSync(workshop, { recursive: true });
  const fresh = mkdtempSync(join(workshop, 'fareclerk-'));
  chmodSync(fresh, 0o755);
  try {
    const { metafile, warnings } = await build({
      absWorkingDir: ROOT,
      entryPoints: { main: 'src/main.ts' },
      outdir: fresh,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node22.19',
      minify: true,
      legalComments: 'none',
      metafile: true,
      logLevel: 'warning',
      chunkNames: 'chunk-[name]-[hash]',
      plugins: [preparedSchemas(ROOT), preparedViews(ROOT), laterSchemas, ...leanPackages(ROOT)],
      define: DEFINED,
      alias: {
        '@modelcontextprotocol/server/_shims': join(ROOT, 'scripts/no-ajv.ts'),
        // Its main entry is UMD, whose requires esbuild cannot follow.
        'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      },
    });
    // What esbuild only warns of, such as an import that nobody exports, fails when somebody buys a ticket.
    if (warnings.length > 0) throw new Error(`the bundle was not made: ${warnings.length} warnings, see above`);
    await asCommonJs(fresh, metafile);
    writeFileSync(join(fresh, 'licenses.txt'), licenses(ROOT, Object.keys(metafile.inputs)));
    replace(fresh, outdir);
    return metafile;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Moves the finished files in, each at once and the entry last, so that a program that starts meanwhile finds a whole
 * bundle. One that was started from the old bundle may still load a chunk of it: those stay for a day.
 */
function replace(fresh: string, outdir: string): void {
  mkdirSync(outdir, { recursive: true });
  const names = readdirSync(fresh).sort((a, b) => Number(a === ENTRY) - Number(b === ENTRY));
  for (const name of names) move(join(fresh, name), join(outdir, name));
  for (const name of readdirSync(outdir)) {
    const path = join(outdir, name);
    if (!names.includes(name) && Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true });
  }
}

/** A rename; between two file systems, a copy. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

if (import.meta.main) {
  const started = performance.now();
  const outdir = join(ROOT, 'dist');
  if (process.argv.includes('--clean')) rmSync(outdir, { recursive: true, force: true });
  const { outputs } = await bundle(outdir);
  const bytes = Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`dist: ${Object.keys(outputs).length} files, ${Math.round(bytes / 1024)} KB, ${seconds} s`);
}
