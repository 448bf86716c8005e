/**
 * Bundles the program into dist/main.js, dist/own-files.js, with which bin/ keeps compiled code, and
 * dist/ledger-reader.js, the process that answers a question in SQL. What only `import()` reaches runs when it is used: client, HTTP, PostgreSQL, sandbox. Each plugin in build/ says what it is for.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputFile, type Plugin } from 'esbuild';
import { appViews } from './build/app-views.ts';
import { bundledPackages } from './build/bundled-packages.ts';
import { licenses } from './build/licenses.ts';
import { lineMap } from './build/line-map.ts';
import { noAjv } from './build/no-ajv.ts';
import { pageFiles } from './build/page-files.ts';
import { sbom } from './build/sbom.ts';
import { toolSchemas } from './build/tool-schemas.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What runs the code of the program loads it, and has no copy. */
const besideProgram: Plugin = {
  name: 'beside-program',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/main\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: './main.js', external: true },
    ),
};

/** Builds into `outdir`, complete or not at all. `plugins` come before its own. Returns esbuild's metafile, and the size of the script in bytes. */
export async function bundle(outdir: string, plugins: readonly Plugin[] = []) {
  const { metafile, outputFiles, warnings } = await build({
    absWorkingDir: ROOT,
    // The second is what bin/ needs before the first may be loaded, the third is a process of its own.
    entryPoints: {
      main: 'src/main.ts',
      'own-files': 'src/files/own-files.ts',
      'ledger-reader': 'src/ledger-reader.ts',
    },
    outdir,
    write: false,
    bundle: true,
    platform: 'node',
    target: 'node22.19',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
    // Turns `import()` of Node's own modules into `require`: the loader of ES modules would make each start slower.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
    plugins: [...plugins, besideProgram, toolSchemas(ROOT), appViews(ROOT), pageFiles(ROOT), noAjv],
  });
  // A warning, such as an import that no module exports, is an error when that code runs.
  if (warnings.length > 0) throw new Error(`the bundle was not made: ${warnings.length} warnings, see above`);
  assertAscii(outputFiles);
  const packages = bundledPackages(ROOT, Object.keys(metafile.inputs));
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  replace(outdir, {
    ...Object.fromEntries(
      outputFiles.map(({ path, text }) => [basename(path), path.endsWith('.map') ? lineMap(text) : text]),
    ),
    'package.json': '{"type":"commonjs"}\n',
    'licenses.txt': licenses(ROOT, packages),
    'sbom.cdx.json': sbom(manifest, packages),
  });
  return {
    metafile,
    bytes: Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint === 'src/main.ts')?.bytes ?? 0,
  };
}

/**
 * Refuses a script with a character beyond ASCII. esbuild escapes those of strings, but not those of regular expressions; with one of
 * them the whole script takes two bytes a character: a start is longer by 20 ms and keeps 7 MB more.
 * @throws Error that names file and character
 */
function assertAscii(files: readonly Pick<OutputFile, 'path' | 'text'>[]): void {
  for (const { path, text } of files.filter(({ path }) => path.endsWith('.js'))) {
    const at = text.search(/\P{ASCII}/u);
    if (at === -1) continue;
    const found = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    throw new Error(
      `the bundle was not made: ${basename(path)} has ${found} (U+${code}); write it as an escape, in ${text.slice(Math.max(0, at - 30), at + 30)}`,
    );
  }
}

/** Replaces each file at once, so that a program that starts meanwhile finds a whole one. */
function replace(outdir: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(outdir, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const fresh = join(outdir, `.${process.pid}-${name}`);
    writeFileSync(fresh, text);
    renameSync(fresh, join(outdir, name));
  }
}

if (import.meta.main) {
  const started = performance.now();
  const outdir = join(ROOT, 'dist');
  if (process.argv.includes('--clean')) rmSync(outdir, { recursive: true, force: true });
  const { bytes } = await bundle(outdir);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`dist: ${Math.round(bytes / 1024)} KB, ${seconds} s`);
}
