/**
 * Bundles the program into dist/main.js, dist/own-files.js, with which bin/ makes the folder of compiled code, and dist/sql-child.js,
 * the process that runs a SELECT. What only `import()` reaches runs when it is used: client, HTTP, PostgreSQL, sandbox. Each plugin in build/ says what it is for.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { appViews } from './build/app-views.ts';
import { bundledPackages } from './build/bundled-packages.ts';
import { licenses } from './build/licenses.ts';
import { lineMap } from './build/line-map.ts';
import { noAjv } from './build/no-ajv.ts';
import { sbom } from './build/sbom.ts';
import { toolSchemas } from './build/tool-schemas.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Builds into `outdir`, complete or not at all. Returns esbuild's metafile, and the size of the script in bytes. */
export async function bundle(outdir: string) {
  const { metafile, outputFiles, warnings } = await build({
    absWorkingDir: ROOT,
    // The second is what bin/ needs before the first may be loaded, the third a process of its own.
    entryPoints: {
      main: 'src/main.ts',
      'own-files': 'src/files/own-files.ts',
      'sql-child': 'src/ledger/sql-child.ts',
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
    // The main entry of jsonc-parser is UMD, whose requires esbuild cannot follow.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    plugins: [toolSchemas(ROOT), appViews(ROOT), noAjv],
  });
  // A warning, such as an import that no module exports, is an error when that code runs.
  if (warnings.length > 0) throw new Error(`the bundle was not made: ${warnings.length} warnings, see above`);
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
