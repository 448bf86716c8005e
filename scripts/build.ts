/**
 * Bundles the program: dist/main.js is what `serve` on stdio needs; everything else is a chunk loaded when it is called
 * (client, HTTP side, PostgreSQL, sandbox, undici, pino).
 */
import {
  chmodSync,
  cpSync,
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
import { leanPackages } from './lean-packages.ts';
import { licenses } from './licenses.ts';
import { preparedSchemas } from './prepared-schemas.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Packages inside the bundle may be CommonJS and ask for Node's own modules by `require`. */
const REQUIRE =
  "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);";

/** Builds into `outdir`, complete or not at all. Returns esbuild's metafile. */
export async function bundle(outdir: string) {
  const workshop = join(ROOT, 'node_modules', '.cache');
  mkdirSync(workshop, { recursive: true });
  const fresh = mkdtempSync(join(workshop, 'fareclerk-'));
  chmodSync(fresh, 0o755);
  try {
    const { metafile } = await build({
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
      logLevel: 'error',
      chunkNames: 'chunk-[name]-[hash]',
      banner: { js: REQUIRE },
      plugins: [preparedSchemas(ROOT), ...leanPackages(ROOT)],
      alias: { '@modelcontextprotocol/server/_shims': join(ROOT, 'scripts/no-ajv.ts') },
    });
    writeFileSync(join(fresh, 'licenses.txt'), licenses(ROOT, Object.keys(metafile.inputs)));
    replace(fresh, outdir);
    return metafile;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Swaps the finished folder in. A program started from the old one may still load a chunk: its files stay a while. */
function replace(fresh: string, outdir: string): void {
  try {
    renameSync(fresh, outdir);
  } catch {
    const names = new Set(readdirSync(fresh));
    cpSync(fresh, outdir, { recursive: true });
    for (const name of readdirSync(outdir)) {
      const path = join(outdir, name);
      const old = Date.now() - statSync(path).mtimeMs > 10 * 60_000;
      if (!names.has(name) && old) rmSync(path, { recursive: true });
    }
  }
}

if (import.meta.main) {
  const started = performance.now();
  const outdir = join(ROOT, 'dist');
  const { outputs } = await bundle(outdir);
  const bytes = Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`dist: ${Object.keys(outputs).length} files, ${Math.round(bytes / 1024)} KB, ${seconds} s`);
}
