/**
 * Bundles the program into dist/: main.js is the entry, two packs hold what the tool list and the first call need, and every
 * other part is a chunk that is loaded when it is used (client, HTTP, PostgreSQL, sandbox). Each plugin in build/ says what
 * it is for.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { appViews } from './build/app-views.ts';
import { bundledPackages } from './build/bundled-packages.ts';
import { commonJs } from './build/common-js.ts';
import { deferredSchemas } from './build/deferred-schemas.ts';
import { licenses } from './build/licenses.ts';
import { lineMap } from './build/line-map.ts';
import { noAjv } from './build/no-ajv.ts';
import { LOADER, type Packs } from './build/packs.ts';
import { sbom } from './build/sbom.ts';
import { toolSchemas } from './build/tool-schemas.ts';
import { undiciAgent } from './build/undici-agent.ts';

const ENTRY = 'main.js';
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const PLUGINS: Plugin[] = [toolSchemas(ROOT), appViews(ROOT), deferredSchemas, undiciAgent(ROOT), noAjv];

/** The tool list needs all of the first pack, and the first call to an airline all of the second. */
const PACKS: Packs = {
  start: ['src/main.ts', 'src/cli/commands/serve.ts'],
  call: [
    'src/cli/runtime/open-runtime.ts',
    'src/store/sqlite/state.ts',
    'src/ota/readings.ts',
    'src/ota/transport/exchange.ts',
    'undici-agent:undici',
    'src/watching/see-reading.ts',
    'src/server/trace.ts',
    'node_modules/pino/pino.js',
  ],
};

/**
 * Builds into `outdir`, complete or not at all. Returns esbuild's metafile, and the scripts that were written.
 * @param mapOf makes of a complete source map what is published
 */
export async function bundle(outdir: string, mapOf: (complete: string) => string | undefined = lineMap) {
  const { metafile, outputFiles, warnings } = await build({
    absWorkingDir: ROOT,
    entryPoints: { main: 'src/main.ts' },
    outdir,
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node22.19',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    // The package's main entry is UMD, whose requires esbuild cannot follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    plugins: [...PLUGINS, commonJs(mapOf, PACKS)],
  });
  // A warning, such as an import that no module exports, is an error when that code runs.
  if (warnings.length > 0) throw new Error(`the bundle was not made: ${warnings.length} warnings, see above`);
  const packages = bundledPackages(ROOT, Object.keys(metafile.inputs));
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const files: [string, string | Uint8Array][] = outputFiles.map(({ path, contents }) => [basename(path), contents]);
  replace(outdir, [
    ...files,
    ['package.json', '{"type":"commonjs"}\n'],
    ['licenses.txt', licenses(ROOT, packages)],
    ['sbom.cdx.json', sbom(own, packages)],
  ]);
  return { metafile, scripts: outputFiles.filter(({ path }) => path.endsWith('.js')) };
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Replaces each file at once and the entry last, so that a program that starts meanwhile finds a whole bundle. Chunks of
 * older bundles stay for a day: a running program may still load them.
 */
function replace(outdir: string, files: readonly [name: string, contents: string | Uint8Array][]): void {
  mkdirSync(outdir, { recursive: true });
  const fresh = (name: string) => join(outdir, `.${process.pid}-${name}`);
  for (const [name, contents] of files) writeFileSync(fresh(name), contents);
  const last = [LOADER, ENTRY];
  const names = files.map(([name]) => name).sort((a, b) => last.indexOf(a) - last.indexOf(b));
  for (const name of names) renameSync(fresh(name), join(outdir, name));
  for (const name of readdirSync(outdir)) {
    const path = join(outdir, name);
    if (!names.includes(name) && Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true });
  }
}

if (import.meta.main) {
  const started = performance.now();
  const outdir = join(ROOT, 'dist');
  if (process.argv.includes('--clean')) rmSync(outdir, { recursive: true, force: true });
  const { scripts } = await bundle(outdir);
  const bytes = scripts.reduce((sum, { contents }) => sum + contents.length, 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`dist: ${scripts.length} files, ${Math.round(bytes / 1024)} KB, ${seconds} s`);
}
